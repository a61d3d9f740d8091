"""What a score sheet announces; it does not know who listens."""

from django.dispatch import Signal

sheet_changed = Signal()
"""Sent inside the transaction after a sheet changed, with `sheet` (the Scoresheet)."""

figures_asked = Signal()
"""Sent when every stored figure is worked out anew, of `club` or, where that is None, of all;
receivers return a list of what differs from what they keep, each in words."""
