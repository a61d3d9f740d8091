"""Pages of leagues: for who runs one, and for everybody."""
