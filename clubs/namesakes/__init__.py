"""People of one name, told apart wherever they are read."""
