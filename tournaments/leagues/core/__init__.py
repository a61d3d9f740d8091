"""Fixtures, tables, divisions and rankings of leagues. Imports the standard library only."""
