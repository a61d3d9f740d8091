"""The story of an evening, cards to share, the race of a season, and the records of a club."""
