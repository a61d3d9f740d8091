"""Writing what people paid for a season or a calendar year, packages of evenings, and what goes
through the pot."""

import datetime as dt
from collections.abc import Collection, Mapping

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from clubs.audit.services import Actor, event_append
from clubs.models import Club, Member
from clubs.profile.services import club_lock
from clubs.text.errors import DomainError
from clubs.text.numbers import FIRST_DAY, LAST_DAY
from tournaments.models import FeePayment, FeeYear, Package, PotEntry, Season
from tournaments.money.queries import FeePeriod, fee_due, fee_payment_of


@transaction.atomic
def fee_year_open(*, club: Club, year: int, actor: Actor) -> FeeYear:
    """The calendar year to ask a fee for; the same again gives the one that is there.

    Raises DomainError `bad_year`.
    """
    club = club_lock(club.pk)
    known = club.fee_years.filter(year=year).first()
    if known is not None:
        return known
    if not FIRST_DAY.year <= year <= LAST_DAY.year:
        message = _("Fill in a year from %(first)s to %(last)s.")
        years = {"first": FIRST_DAY.year, "last": LAST_DAY.year}
        raise DomainError("bad_year", message % years)
    opened = FeeYear.objects.create(club=club, year=year)
    _audit(opened, actor, "fee_year_opened", data={"year": year})
    return opened


@transaction.atomic
def fees_set(
    *, period: FeePeriod, fee: int | None, reduced: int | None, guest: int | None, actor: Actor
) -> FeePeriod:
    """Set what is asked of a member, of those who pay less and of a guest, in cents; what was paid
    stays. The same again changes nothing.

    Raises DomainError `bad_sum`.
    """
    club_lock(period.club_id)
    period.refresh_from_db(fields=["version", "fee", "fee_reduced", "fee_guest"])
    before = [period.fee, period.fee_reduced, period.fee_guest]
    if before == [fee, reduced, guest]:
        return period
    period.fee, period.fee_reduced, period.fee_guest = fee, reduced, guest
    _require_sound(period, "fee", "fee_reduced", "fee_guest")
    period.save_changes("fee", "fee_reduced", "fee_guest")
    _audit(period, actor, "fees_set", data={"fees": [before, [fee, reduced, guest]]})
    return period


@transaction.atomic
def fees_tick(
    *,
    period: FeePeriod,
    paid: Collection[Member],
    taken_back: Collection[Member],
    on: dt.date,
    actor: Actor,
) -> None:
    """Note for several people at once that they paid what is asked of them, or did not after all.
    Nothing changes for those who had paid already.

    Raises DomainError `member_of_another_club`; then nothing is written.
    """
    club_lock(period.club_id)
    for member in paid:
        payment = _payment(period, member)
        if payment.paid is None:
            payment.paid = fee_due(period, member, payment.rate) or 0
            payment.paid_on = on
            payment.save()
            _audit_payment(payment, actor, "fee_paid", None)
    for member in taken_back:
        payment = _payment(period, member)
        if payment.paid is not None:
            before, payment.paid, payment.paid_on = payment.paid, None, None
            payment.save()
            _audit_payment(payment, actor, "fee_taken_back", before)


@transaction.atomic
def fee_note(
    *,
    period: FeePeriod,
    member: Member,
    rate: str,
    paid: int | None,
    paid_on: dt.date | None,
    remark: str,
    actor: Actor,
) -> FeePayment:
    """Note at which rate somebody pays, how much they paid and when, and a remark.

    Raises DomainError `member_of_another_club`, or `bad_payment` for a sum without a day.
    """
    club_lock(period.club_id)
    payment = _payment(period, member)
    before = payment.paid
    payment.rate, payment.paid, payment.paid_on = rate, paid, None if paid is None else paid_on
    payment.remark = " ".join(remark.split())
    if (payment.paid is None) != (payment.paid_on is None):
        raise DomainError("bad_payment", _("Fill in on which day it was paid."))
    _require_sound(payment, "rate", "paid", "paid_on", "remark")
    payment.save()
    _audit_payment(payment, actor, "fee_noted", before)
    return payment


@transaction.atomic
def package_add(
    *,
    club: Club,
    member: Member,
    evenings: int,
    price: int,
    bought_on: dt.date,
    actor: Actor,
    remark: str = "",
) -> Package:
    """Somebody pays for so many evenings beforehand. Raises DomainError `member_of_another_club` or
    `bad_package`."""
    club = club_lock(club.pk)
    _require_own(club, member)
    package = Package(
        club=club,
        member=member,
        evenings=evenings,
        price=price,
        bought_on=bought_on,
        remark=" ".join(remark.split()),
    )
    _require_sound(package, "evenings", "price", "bought_on", "remark")
    package.save()
    _audit_package(package, actor, "package_added")
    return package


@transaction.atomic
def package_remove(*, package: Package, actor: Actor) -> None:
    """Remove a package that was noted by mistake; a repeat changes nothing.

    Raises DomainError `package_used` once an evening of it was used.
    """
    club_lock(package.club_id)
    if package.turns.exists():
        message = _("Evenings of this package were used already. Take those back first.")
        raise DomainError("package_used", message)
    if Package.objects.filter(pk=package.pk).delete()[0]:
        _audit_package(package, actor, "package_removed")


@transaction.atomic
def pot_entry_add(
    *, season: Season, booked_on: dt.date, what: str, cents: int, actor: Actor
) -> PotEntry:
    """Something else went into the pot, or with negative cents out of it. Raises DomainError
    `bad_sum`."""
    club_lock(season.club_id)
    entry = PotEntry(season=season, booked_on=booked_on, what=" ".join(what.split()), cents=cents)
    _require_sound(entry, "booked_on", "what", "cents")
    if not cents:
        raise DomainError("bad_sum", _("Fill in a sum."))
    entry.save()
    _audit(season, actor, "pot_entry_added", data={"cents": cents}, texts={"what": entry.what})
    return entry


@transaction.atomic
def pot_entry_remove(*, entry: PotEntry, actor: Actor) -> None:
    """Remove such an entry; a repeat changes nothing."""
    club_lock(entry.season.club_id)
    if PotEntry.objects.filter(pk=entry.pk).delete()[0]:
        data, texts = {"cents": entry.cents}, {"what": entry.what}
        _audit(entry.season, actor, "pot_entry_removed", data=data, texts=texts)


def _payment(period: FeePeriod, member: Member) -> FeePayment:
    _require_own(period.club, member)
    return fee_payment_of(period, member)


def _require_own(club: Club, member: Member) -> None:
    if member.club_id != club.pk:
        raise DomainError("member_of_another_club", _("This person belongs to another club."))


def _require_sound(row: FeePayment | FeePeriod | Package | PotEntry, *fields: str) -> None:
    everything = {field.name for field in row._meta.concrete_fields}
    try:
        row.clean_fields(exclude=everything - set(fields))
    except ValidationError as error:
        raise DomainError("bad_sum", " ".join(error.messages)) from error


def _audit_payment(payment: FeePayment, actor: Actor, action: str, before: int | None) -> None:
    about = {
        "member": str(payment.member.uuid),
        "cents": [before, payment.paid],
        "rate": payment.rate,
    }
    _audit(payment.period, actor, action, data=about)


def _audit_package(package: Package, actor: Actor, action: str) -> None:
    event_append(
        chain=package.club,
        club=package.club,
        actor=actor,
        action=action,
        object_ref=f"member:{package.member.uuid}",
        data={
            "member": str(package.member.uuid),
            "evenings": package.evenings,
            "cents": package.price,
        },
    )


def _audit(
    period: FeePeriod,
    actor: Actor,
    action: str,
    *,
    data: Mapping[str, object],
    texts: Mapping[str, str] | None = None,
) -> None:
    kind = "fee_year" if isinstance(period, FeeYear) else "season"
    event_append(
        chain=period.club,
        club=period.club,
        actor=actor,
        action=action,
        object_ref=f"{kind}:{period.pk}",
        data=data,
        texts={"name": period.name, **(texts or {})},
    )
