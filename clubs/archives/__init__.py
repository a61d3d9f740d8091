"""Everything of a database, or of a club in it, in one file that any server can read."""
