"""What packages learn from those below them, which do not know them."""

from django.dispatch import Signal

writing_changed = Signal()
"""Sent inside the transaction with `evening`, when somebody else writes at its tables."""
