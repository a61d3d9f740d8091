"""What the trails of clubs say about evenings, event by event."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from clubs.models import AuditEvent, Club

Data = Mapping[str, Any]
Sheets = dict[str, list[int]]
"""By the UUID of a sheet its round, its table, and the length of its trail."""


@dataclass(slots=True)
class RecordedEvening:
    """What the trail says about one evening.

    `sheets` must be there; `sealed` is what was sealed of them, with the number of the event, and
    `round_seals` what the rounds carry, by number.
    `record` is how the evening was when it was published, without what was paid since, and None
    while it is open; `paid` is what each person paid or took back since, in order.
    """

    date: str = ""
    is_there: bool = True
    sheets: Sheets = field(default_factory=dict)
    sealed: list[tuple[int, str, Sheets]] = field(default_factory=list)
    round_seals: dict[int, str] = field(default_factory=dict)
    releases: dict[int, Data] = field(default_factory=dict)
    record: Data | None = None
    stakes: list[int | None] = field(default_factory=list)
    paid: list[tuple[str, int | None]] = field(default_factory=list)

    def hear(self, number: int, action: str, data: Data) -> None:
        """Take in the next event about this evening."""
        self.date = str(data.get("date") or self.date)
        if action in ("round_closed", "published") and "sheets" in data:
            self.sealed.append((number, data["seal"], data["sheets"]))
            self.sheets = data["sheets"] if action == "published" else self.sheets | data["sheets"]
        self._hear_of_round(action, data)
        if action == "published":
            self.releases[data["release"]] = data
            self.record, self.stakes, self.paid = data, data.get("stakes", []), []
        elif action == "evening_reopened":
            self.record = None
        elif action == "stakes_set":
            self.stakes = data["stakes"][1]
        elif action in ("stake_paid", "stake_taken_back"):
            self.paid.append((data["member"], data["cents"][1]))
        elif action == "evening_cancelled":
            self.sheets = {}
        elif action in ("evening_taken_back", "evening_deleted") or data.get("gone"):
            self.is_there = False
        elif action == "evening_put_back":
            self.is_there, self.sheets, self.round_seals = True, {}, {}

    def _hear_of_round(self, action: str, data: Data) -> None:
        if action == "round_closed":
            self.round_seals[data["round"]] = data["seal"]
        elif action == "round_reopened":
            self.round_seals[data["round"]] = ""
        elif action in ("evening_replaced", "evening_cancelled"):
            self.round_seals = {}


def evenings_recorded(club: Club | None) -> dict[tuple[int, str], RecordedEvening]:
    """What the trail says, by club and the UUID of the evening; of one club or of all."""
    evenings: dict[tuple[int, str], RecordedEvening] = defaultdict(RecordedEvening)
    events = AuditEvent.objects.filter(
        chain__startswith="club:",
        object_ref__startswith="evening:",
        **({"club": club} if club else {}),
    )
    columns = events.order_by("club", "number").values_list(
        "club", "object_ref", "number", "action", "data"
    )
    for club_id, about, number, action, data in columns.iterator():
        evenings[club_id, about.removeprefix("evening:")].hear(number, action, data)
    return dict(evenings)


class Persons:
    """People who were merged at some time count as one, also after that was undone: the trail
    does not say which of their rows went back."""

    def __init__(self, couples: Iterable[tuple[str, str]]) -> None:
        self._into: dict[str, str] = {}
        for guest, member in couples:
            if (first := self.of(guest)) != (second := self.of(member)):
                self._into[first] = second

    def of(self, uuid: str) -> str:
        """The UUID that stands for this person."""
        while uuid in self._into:
            uuid = self._into[uuid]
        return uuid


def persons_of(club_id: int) -> Persons:
    """Who was ever merged with whom at a club, by its trail."""
    merges = AuditEvent.objects.filter(club=club_id, action="guest_merged").order_by("number")
    return Persons(
        (data["guest"], about.removeprefix("member:"))
        for about, data in merges.values_list("object_ref", "data")
    )
