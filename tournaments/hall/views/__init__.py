"""The screen itself, and the page at the desk that steers it."""
