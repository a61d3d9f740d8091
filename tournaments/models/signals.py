"""Signals to packages higher up, which those that send them may not import."""

from django.dispatch import Signal

writing_changed = Signal()
"""Sent with `evening`, inside the transaction that changes who writes at its tables."""
