"""Trains the net that reads digits in boxes."""
