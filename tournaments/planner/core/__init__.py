"""Which days a club plays: standard library only."""
