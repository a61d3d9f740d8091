"""The REST API: what all of it shares, and clubs and members. The other apps add their own."""
