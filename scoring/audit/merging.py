"""Merging a guest into a member: the guest's seats become the member's."""

from clubs.merges.merge_log import MergeHook, MergeLog, register
from scoring.models import Seat


class SeatsFollow(MergeHook):
    """The guest's seats become the member's."""

    def merge(self, log: MergeLog) -> None:
        log.move(Seat, "member")
        log.move(Seat, "counts_for")


register(SeatsFollow())
