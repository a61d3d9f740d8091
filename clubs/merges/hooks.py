"""What the other apps do when two people become one, or two again."""

from collections.abc import Collection

from clubs.merges.merge_log import MergeLog, Noted
from clubs.models import Member


class MergeHook:
    """What an app keeps about members. It registers a subclass of this in `AppConfig.ready`."""

    def merge(self, log: MergeLog) -> None:
        """Hand what is the guest's to the member; inside the transaction of the merge."""

    def part(self, guest: Member, member: Member, noted: Noted) -> None:
        """Inside the transaction that takes two people apart, when what was moved is the guest's
        again. What was dropped is put back after this, as `noted` has it then."""

    def preview(self, guest: Member) -> list[str]:
        """What of the guest's would become the member's, in words."""
        return []

    def met(self, ids: Collection[int]) -> set[frozenset[int]]:
        """The couples of these members that were somewhere together, and so are two people."""
        return set()


hooks: list[MergeHook] = []


def register(hook: MergeHook) -> None:
    """Call this hook at every merge, after those that were registered before it."""
    hooks.append(hook)
