"""SQLite as Django has it, but that writers wait in line for their turn."""
