"""Movements of pairs and boards, and what their results are worth; standard library only."""
