"""Guests who turn out to be members: merged, and taken apart again."""
