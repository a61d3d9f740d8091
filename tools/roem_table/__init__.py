"""Generates the table of card points that roem needs, for the server and for phones."""
