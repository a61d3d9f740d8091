"""Who has paid the membership fee of a season or a calendar year; packages of evenings; and the
pot, evening by evening over a season. All sums are in cents."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from django.db.models import Count, F, Q, Sum

from clubs.models import Club, Member
from tournaments.models import (
    Evening,
    FeePayment,
    FeeYear,
    Package,
    PotEntry,
    PrizeGiven,
    Registration,
    Season,
)
from tournaments.registration.entry_fees import packages_counted

Rate = FeePayment.Rate
FeePeriod = Season | FeeYear
"""What a membership fee is asked for."""


@dataclass(frozen=True, slots=True)
class FeeRow:
    """A person with the membership fee that is asked of them, None if there is none, and what is
    noted of it."""

    member: Member
    payment: FeePayment
    due: int | None

    @property
    def is_paid(self) -> bool:
        """Whether they paid all of it, or pay nothing."""
        return self.payment.paid is not None and self.payment.paid >= (self.due or 0)

    @property
    def owes(self) -> int:
        """What they still have to pay."""
        return max((self.due or 0) - (self.payment.paid or 0), 0)


@dataclass(frozen=True, slots=True)
class FeeList:
    """The membership fees of a season or a calendar year, by surname."""

    period: FeePeriod
    rows: Sequence[FeeRow]

    @property
    def owing(self) -> list[FeeRow]:
        """Those of whom a fee is asked."""
        return [row for row in self.rows if row.due]

    @property
    def unpaid(self) -> list[FeeRow]:
        """Those who still have to pay something."""
        return [row for row in self.rows if row.owes]

    @property
    def paid(self) -> int:
        """The sum that came in."""
        return sum(row.payment.paid or 0 for row in self.rows)

    @property
    def to_come(self) -> int:
        """The sum that is still to come."""
        return sum(row.owes for row in self.rows)


@dataclass(frozen=True, slots=True)
class FeesOverview:
    """What came in of the fees of a season or a calendar year."""

    period: FeePeriod
    paid: int
    people: int

    @property
    def is_year(self) -> bool:
        """Whether they are of a calendar year."""
        return isinstance(self.period, FeeYear)


def fee_payment_of(period: FeePeriod, member: Member) -> FeePayment:
    """What is noted of somebody's fee, not yet saved if nothing is."""
    return period.fee_payments.filter(member=member).first() or _nothing_noted(period, member)


def _nothing_noted(period: FeePeriod, member: Member) -> FeePayment:
    if isinstance(period, FeeYear):
        return FeePayment(fee_year=period, member=member)
    return FeePayment(season=period, member=member)


def fees_overview(club: Club) -> list[FeesOverview]:
    """The calendar years and the seasons for which a fee is asked or was paid, each newest first.
    Two queries."""
    came_in = Sum("fee_payments__paid")
    people = Count("fee_payments", filter=Q(fee_payments__paid__isnull=False))
    # Annotating with a count drops the models' own order.
    years = club.fee_years.annotate(came_in=came_in, people=people).order_by("-year")
    asked = Q(fee__isnull=False) | Q(fee_guest__isnull=False) | Q(people__gt=0)
    seasons = club.seasons.annotate(came_in=came_in, people=people).filter(asked)
    seasons = seasons.order_by(F("starts").desc(nulls_last=True), "-pk")
    return [
        *(FeesOverview(year, year.came_in or 0, year.people) for year in years),
        *(FeesOverview(season, season.came_in or 0, season.people) for season in seasons),
    ]


def fee_due(period: FeePeriod, member: Member, rate: str) -> int | None:
    """What is asked of somebody at this rate; None if nothing is."""
    if rate == Rate.FREE:
        return None
    if rate == Rate.REDUCED and period.fee_reduced is not None:
        return period.fee_reduced
    return period.fee_guest if member.kind == Member.Kind.GUEST else period.fee


def fee_list(period: FeePeriod) -> FeeList:
    """Every active member, guests where a fee is asked of them, and whoever something is noted of.
    Two queries."""
    payments = {payment.member_id: payment for payment in period.fee_payments.all()}
    asked = Q(is_active=True, kind=Member.Kind.MEMBER)
    if period.fee_guest is not None:
        asked |= Q(is_active=True, kind=Member.Kind.GUEST)
    people = Member.objects.of(period.club).filter(asked | Q(pk__in=payments)).by_surname()
    rows = []
    for member in people:
        payment = payments.get(member.pk) or _nothing_noted(period, member)
        rows.append(FeeRow(member, payment, fee_due(period, member, payment.rate)))
    return FeeList(period, rows)


@dataclass(frozen=True, slots=True)
class PackageRow:
    """A package with the evenings that were used and are left."""

    package: Package
    used: int

    @property
    def left(self) -> int:
        """How many evenings are left."""
        return max(self.package.evenings - self.used, 0)


def package_rows(club: Club) -> list[PackageRow]:
    """The packages of a club, by surname; who has the most of it used first within one name. One
    query."""
    packages = packages_counted(club).select_related("member")
    ordered = packages.order_by("member__sort_name", "member__pk", "bought_on", "pk")
    return [PackageRow(package, package.used) for package in ordered]


@dataclass(frozen=True, slots=True)
class PotRow:
    """What went in and out of the pot on an evening, with a note, or for the season's own prizes.
    `total` is what was in it afterwards, over the season."""

    day: dt.date | None
    evening: Evening | None
    entry: PotEntry | None
    paid_in: int
    paid_out: int
    total: int = 0
    is_recorded: bool = True

    @property
    def remainder(self) -> int:
        """What this added to the pot; negative if it took from it."""
        return self.paid_in - self.paid_out


@dataclass(frozen=True, slots=True)
class Pot:
    """The pot of a season, row by row in order of time."""

    rows: Sequence[PotRow]

    @property
    def paid_in(self) -> int:
        """All that went in."""
        return sum(row.paid_in for row in self.rows)

    @property
    def paid_out(self) -> int:
        """All that went out."""
        return sum(row.paid_out for row in self.rows)

    @property
    def total(self) -> int:
        """What is in it."""
        return self.paid_in - self.paid_out


def season_pot(season: Season) -> Pot:
    """The pot over a season: entry fees in and prizes out of each evening, what else went in or
    out, and the season's own prizes. Five queries."""
    evenings = season.evenings.exclude(state=Evening.State.CANCELLED).filter(is_history=False)
    paid = dict(
        Registration.objects.filter(evening__season=season, paid__isnull=False)
        .values_list("evening")
        .annotate(Sum("paid"))
    )
    given = {
        evening_id: (count, cents or 0)
        for evening_id, count, cents in PrizeGiven.objects.filter(evening__season=season)
        .order_by()
        .values_list("evening")
        .annotate(Count("pk"), Sum("cents"))
    }
    rows = [
        PotRow(
            evening.date,
            evening,
            None,
            paid.get(evening.pk, 0),
            given.get(evening.pk, (0, 0))[1],
            is_recorded=evening.pk in given or evening.state != Evening.State.CLOSED,
        )
        for evening in evenings.order_by("date", "sequence")
        if evening.state != Evening.State.PLANNED or evening.pk in paid or evening.pk in given
    ]
    rows += [
        PotRow(entry.booked_on, None, entry, max(entry.cents, 0), max(-entry.cents, 0))
        for entry in season.pot_entries.all()
    ]
    rows.sort(key=lambda row: row.day or dt.date.max)
    own = season.prizes_given.aggregate(sum=Sum("cents"))["sum"]
    if own:
        rows.append(PotRow(None, None, None, 0, own))
    return Pot(_carried(rows))


def _carried(rows: Sequence[PotRow]) -> list[PotRow]:
    totals = accumulate(row.remainder for row in rows)
    return [
        PotRow(row.day, row.evening, row.entry, row.paid_in, row.paid_out, total, row.is_recorded)
        for row, total in zip(rows, totals, strict=True)
    ]
