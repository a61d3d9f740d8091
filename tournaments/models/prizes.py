from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryFees:
    """What a member and a guest pay to take part, in cents; None if nothing."""

    stake_member: int | None = None
    stake_guest: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizesAndFees(EntryFees):
    """What a new evening copies from the last one besides its plan and its rules."""

    prizes: Mapping[str, object] = field(default_factory=dict)
