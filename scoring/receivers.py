"""What scoring does when people change."""

from clubs.merges.hooks import MergeHook, register
from clubs.merges.merge_log import MergeLog
from scoring.models import Seat


class SeatsFollow(MergeHook):
    """The guest's seats become the member's."""

    def merge(self, log: MergeLog) -> None:
        log.move(Seat, "member")
        log.move(Seat, "counts_for")


register(SeatsFollow())
