"""The phones at the tables of an evening, as the director sees them."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Max

from clubs.words import side_name
from scoring.models import DealClaim, DealEntry
from tournaments.models import Evening, Round, TableDevice


@dataclass(frozen=True, slots=True)
class Phone:
    """A phone at a table: since when, when it asked for something last, and how often it wrote.
    `rounds` are those in which it could."""

    number: int
    kind: str
    side: str
    rounds: Sequence[int]
    first_at: datetime
    last_at: datetime
    is_cut_off: bool
    entries: int

    @property
    def side_name(self) -> str:
        return side_name(self.side) if self.side else ""


@dataclass(frozen=True, slots=True)
class TablePhones:
    """The phones of one table: those of the round that is on, and those from before."""

    number: int
    here: Sequence[Phone]
    earlier: Sequence[Phone]


def phones_at_tables(evening: Evening) -> list[TablePhones]:
    """Every table of the evening in order, also one that no phone opened yet."""
    rounds = evening.rounds.exclude(state=Round.State.DRAFT)
    last = rounds.aggregate(last=Max("tables__number"))["last"] or 0
    now = rounds.exclude(state=Round.State.DRAWN).aggregate(last=Max("number"))["last"] or 0
    phones = _phones(evening)
    return [
        TablePhones(
            number,
            here=[phone for phone in phones[number] if phone.rounds[-1] >= now],
            earlier=[phone for phone in phones[number] if phone.rounds[-1] < now],
        )
        for number in range(1, max([last, *phones], default=0) + 1)
    ]


def _phones(evening: Evening) -> dict[int, list[Phone]]:
    rows: dict[tuple[int, int], list[TableDevice]] = defaultdict(list)
    for row in evening.devices.order_by("table_number", "number", "round_number"):
        rows[row.table_number, row.number].append(row)
    written = _written(evening)
    phones: dict[int, list[Phone]] = defaultdict(list)
    for (table, _number), one in rows.items():
        phones[table].append(_phone(one, written[table, one[0].ref]))
    return phones


def _phone(rows: Sequence[TableDevice], entries: int) -> Phone:
    last = rows[-1]
    return Phone(
        number=last.number,
        kind=last.name,
        side=last.side,
        rounds=[row.round_number for row in rows],
        first_at=rows[0].first_at,
        last_at=max(row.last_at for row in rows),
        is_cut_off=last.cut_off_at is not None,
        entries=entries,
    )


def _written(evening: Evening) -> Counter[tuple[int, str]]:
    """How often each phone wrote, by the number of its table and its ref: what stands or stood, and
    what was kept beside it because it said the same or something else."""
    written: Counter[tuple[int, str]] = Counter()
    for model in (DealEntry, DealClaim):
        here = model.objects.filter(
            deal__sheet__table__round__evening=evening, device__startswith="phone:"
        )
        counted = here.values_list("deal__sheet__table__number", "device").annotate(n=Count("pk"))
        written.update({(table, ref): n for table, ref, n in counted.order_by()})
    return written
