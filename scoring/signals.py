"""What a score sheet announces; it does not know who listens."""

from django.dispatch import Signal

sheet_changed = Signal()
"""Sent inside the transaction after a sheet changed, with `sheet` (the Scoresheet)."""
