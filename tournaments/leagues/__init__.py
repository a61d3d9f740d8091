"""Leagues of teams."""
