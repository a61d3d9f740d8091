"""The pages of entries: for everybody, at the desk and at the door."""
