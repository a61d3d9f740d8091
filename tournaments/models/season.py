"""Seasons with their standings, papers, wording and mail; membership fees, packages of evenings,
the pot, and what an evening asks as entry fees; a club's kinds of evening, and deleted evenings."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, cast

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from clubs.models import Club, Language, Member, User, Versioned
from clubs.text.numbers import FIRST_DAY, LAST_DAY, MOST_CENTS

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise
from scoring.models import Regulation


def whole_cents(label: "StrOrPromise") -> "models.PositiveIntegerField[int | None, int | None]":
    """A field for a sum of money in cents; None if there is none."""
    return models.PositiveIntegerField(
        label, null=True, blank=True, validators=[MaxValueValidator(MOST_CENTS)]
    )


class Season(Versioned):
    """`fee` is the membership fee of the season in cents, with `fee_reduced` for those who pay less
    and `fee_guest` for guests; `prizes` is what can be won in it. A `live` one is a tournament of
    several sessions: its standing counts the evening that is being played."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="seasons")
    name = models.CharField(_("name"), max_length=60)
    slug = models.SlugField(max_length=60)
    starts = models.DateField(_("first day"), null=True, blank=True)
    ends = models.DateField(_("last day"), null=True, blank=True)
    fee = whole_cents(_("membership fee"))
    fee_reduced = whole_cents(_("reduced membership fee"))
    fee_guest = whole_cents(_("fee for a guest"))
    prizes = models.JSONField(default=dict, blank=True)
    # How often somebody's points of the season were corrected; 0 if never, so that none are read.
    corrected = models.PositiveIntegerField(default=0, editable=False)
    live = models.BooleanField(_("the evening being played counts already"), default=False)

    class Meta:
        ordering = [F("starts").desc(nulls_last=True), "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["club", "slug"], name="season_slug_once_per_club"),
            models.CheckConstraint(
                condition=Q(starts=None) | Q(ends=None) | Q(ends__gte=F("starts")),
                name="season_ends_after_it_starts",
                violation_error_message=_("The last day must not be before the first day."),
            ),
            models.CheckConstraint(
                condition=Q(starts=None) | Q(starts__gte=FIRST_DAY, starts__lte=LAST_DAY),
                name="season_starts_within_reach",
            ),
            models.CheckConstraint(
                condition=Q(ends=None) | Q(ends__gte=FIRST_DAY, ends__lte=LAST_DAY),
                name="season_ends_within_reach",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class SeasonRule(Versioned):
    """One of a season's standings: what counts, as the ranking module reads it. Changed after the
    first result of the season, it says when and why."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="rules")
    name = models.CharField(_("name"), max_length=60)
    position = models.PositiveSmallIntegerField(default=1)
    settings = models.JSONField(default=dict)
    changed_on = models.DateField(null=True, blank=True, editable=False)
    reason = models.CharField(_("reason for the change"), max_length=200, blank=True)

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(
                fields=["season", "position"], name="season_rule_position_once"
            ),
            models.CheckConstraint(
                condition=Q(changed_on=None, reason="")
                | Q(Q(changed_on__isnull=False), ~Q(reason="")),
                name="season_rule_changed_for_a_reason",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class SeasonFile(models.Model):
    """A file that is being made of a season, how many of its parts are done, and then its content.

    It stands in the database, so that any server can say how far it is. `what` names the file,
    `version` what it was made from; a booklet has none, and is made anew each time.
    """

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="files")
    what = models.CharField(max_length=200)
    version = models.CharField(max_length=16, blank=True)
    user = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True)
    done = models.PositiveIntegerField(default=0)
    parts = models.PositiveIntegerField(default=1)
    failed = models.BooleanField(default=False)
    content = models.BinaryField(null=True)
    started_at = models.DateTimeField(auto_now_add=True)
    touched_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(done__lte=F("parts")), name="season_file_done_of_all"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.season}: {self.done}/{self.parts}"


class ClubText(Versioned):
    """The club's own wording of what it sends out after an evening; empty for the standard
    wording."""

    class Kind(models.TextChoices):
        MESSAGE = "message", _("message for the group")
        NEWSPAPER = "newspaper", _("piece for the newspaper")

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="texts")
    kind = models.CharField(max_length=9, choices=Kind.choices)
    language = models.CharField(max_length=2, choices=Language.choices)
    wording = models.TextField(_("wording"), max_length=4000, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["club", "kind", "language"], name="club_text_once_per_kind_and_language"
            ),
            models.CheckConstraint(
                condition=models.Q(kind__in=["message", "newspaper"]), name="club_text_kind_known"
            ),
            models.CheckConstraint(
                condition=models.Q(language__in=Language.values), name="club_text_language_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.club}: {self.get_kind_display()} ({self.language})"


class MemberMail(models.Model):
    """A mail to members, sent to each by itself; gone `STAYS` after it was written."""

    STAYS = timedelta(days=90)

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="mails")
    user = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True)
    subject = models.CharField(_("subject"), max_length=150)
    text = models.TextField(_("text"), max_length=10_000)
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-made_at", "-pk"]

    def __str__(self) -> str:
        return self.subject


class MailReceiver(models.Model):
    """Somebody whom a mail is for, and what became of theirs. Where the server broke down it stays
    under way."""

    class State(models.TextChoices):
        UNDER_WAY = "under_way", _("on its way")
        SENT = "sent", _("sent")
        FAILED = "failed", _("not sent")

    mail = models.ForeignKey(MemberMail, on_delete=models.CASCADE, related_name="receivers")
    member = models.ForeignKey(Member, on_delete=models.CASCADE, related_name="+")
    state = models.CharField(max_length=9, choices=State.choices, default=State.UNDER_WAY)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["mail", "member"], name="mail_receiver_once"),
            models.CheckConstraint(
                condition=Q(state__in=["under_way", "sent", "failed"]),
                name="mail_receiver_state_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.mail}: {self.member}"


# Money: membership fees, evenings paid beforehand, and what else goes in and out of the pot.


class FeeYear(Versioned):
    """A calendar year that a club asks a membership fee for, in cents as a season does."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="fee_years")
    year = models.PositiveSmallIntegerField(_("year"))
    fee = whole_cents(_("membership fee"))
    fee_reduced = whole_cents(_("reduced membership fee"))
    fee_guest = whole_cents(_("fee for a guest"))

    class Meta:
        ordering = ["-year"]
        constraints = [
            models.UniqueConstraint(fields=["club", "year"], name="fee_year_once"),
            models.CheckConstraint(
                condition=Q(year__gte=FIRST_DAY.year, year__lte=LAST_DAY.year),
                name="fee_year_within_reach",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        """As it is said: 2027."""
        return str(self.year)


class FeePayment(models.Model):
    """What is noted about somebody's membership fee of a season or a calendar year: what they pay
    it by, and when they paid how much."""

    class Rate(models.TextChoices):
        USUAL = "usual", _("usual")
        REDUCED = "reduced", _("reduced")
        FREE = "free", _("pays nothing")

    season = models.ForeignKey(
        Season, on_delete=models.CASCADE, related_name="fee_payments", null=True, blank=True
    )
    fee_year = models.ForeignKey(
        FeeYear, on_delete=models.CASCADE, related_name="fee_payments", null=True, blank=True
    )
    member = models.ForeignKey(Member, on_delete=models.RESTRICT, related_name="fee_payments")
    rate = models.CharField(max_length=7, choices=Rate.choices, default=Rate.USUAL)
    paid = whole_cents(_("paid"))
    paid_on = models.DateField(_("paid on"), null=True, blank=True)
    remark = models.CharField(_("remark"), max_length=200, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["season", "member"], name="fee_payment_once"),
            models.UniqueConstraint(fields=["fee_year", "member"], name="fee_payment_once_a_year"),
            models.CheckConstraint(
                condition=Q(season=None, fee_year__isnull=False)
                | Q(season__isnull=False, fee_year=None),
                name="fee_payment_of_season_or_year",
            ),
            models.CheckConstraint(
                condition=Q(rate__in=["usual", "reduced", "free"]), name="fee_payment_rate_known"
            ),
            models.CheckConstraint(
                condition=Q(paid=None, paid_on=None)
                | Q(
                    paid__isnull=False,
                    paid_on__isnull=False,
                    paid_on__gte=FIRST_DAY,
                    paid_on__lte=LAST_DAY,
                ),
                name="fee_payment_on_a_day",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.period}: {self.member}"

    @property
    def period(self) -> Season | FeeYear:
        """What they pay for."""
        return self.season or cast("FeeYear", self.fee_year)


class Package(models.Model):
    """So many evenings that somebody paid beforehand, for `price` cents in all."""

    MOST_EVENINGS = 200

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="packages")
    member = models.ForeignKey(Member, on_delete=models.RESTRICT, related_name="packages")
    bought_on = models.DateField(_("bought on"))
    evenings = models.PositiveSmallIntegerField(
        _("number of evenings"), validators=[MinValueValidator(1), MaxValueValidator(MOST_EVENINGS)]
    )
    price = models.PositiveIntegerField(_("price"), validators=[MaxValueValidator(MOST_CENTS)])
    remark = models.CharField(_("remark"), max_length=200, blank=True)

    class Meta:
        ordering = ["bought_on", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(evenings__gte=1, evenings__lte=200), name="package_evenings_1_to_200"
            ),
            models.CheckConstraint(
                condition=Q(bought_on__gte=FIRST_DAY, bought_on__lte=LAST_DAY),
                name="package_within_reach",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.member}: {self.evenings}"

    def turn_price(self, turn: int) -> int:
        """What the evening with this number, from 1, comes to in cents; all together are the
        price."""
        return self.price * turn // self.evenings - self.price * (turn - 1) // self.evenings


class PotEntry(models.Model):
    """What went into the pot of a season besides entry fees, or out of it besides prizes (then the
    cents are negative)."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="pot_entries")
    booked_on = models.DateField(_("day"))
    what = models.CharField(_("what it is for"), max_length=100)
    cents = models.IntegerField()

    class Meta:
        ordering = ["booked_on", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(cents__gte=-MOST_CENTS, cents__lte=MOST_CENTS) & ~Q(cents=0),
                name="pot_entry_in_or_out",
            ),
            models.CheckConstraint(condition=~Q(what=""), name="pot_entry_says_what"),
            models.CheckConstraint(
                condition=Q(booked_on__gte=FIRST_DAY, booked_on__lte=LAST_DAY),
                name="pot_entry_within_reach",
            ),
        ]

    def __str__(self) -> str:
        return self.what


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryFees:
    """What a member and a guest pay to take part, in cents; None if nothing."""

    stake_member: int | None = None
    stake_guest: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizesAndFees(EntryFees):
    """What a new evening copies from the last one besides its plan and its rules."""

    prizes: Mapping[str, object] = field(default_factory=dict)


class EveningKind(Versioned):
    """A named set of settings for an evening. The first evening of a kind begins with `settings`,
    each later one as the last evening of its kind."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="kinds")
    name = models.CharField(_("name"), max_length=40)
    regulation = models.ForeignKey(
        Regulation, on_delete=models.RESTRICT, related_name="kinds", verbose_name=_("regulation")
    )
    settings = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering = ["name", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["club", "name"], name="evening_kind_name_once"),
            models.CheckConstraint(condition=~Q(name=""), name="evening_kind_has_a_name"),
        ]

    def __str__(self) -> str:
        return self.name


class DeletedEvening(models.Model):
    """What was decided about a deleted evening, while it can be put back, without its people
    and its draw. `settings` are as those of a kind of evening."""

    STAYS = timedelta(days=30)

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="deleted_evenings")
    uuid = models.UUIDField(unique=True, editable=False)
    season = models.ForeignKey(Season, on_delete=models.SET_NULL, null=True, related_name="+")
    kind = models.ForeignKey(EveningKind, on_delete=models.SET_NULL, null=True, related_name="+")
    regulation = models.ForeignKey(
        Regulation, on_delete=models.CASCADE, null=True, related_name="+"
    )
    series = models.UUIDField(null=True, editable=False)
    date = models.DateField(_("date"))
    name = models.CharField(_("name"), max_length=80, blank=True)
    settings = models.JSONField(default=dict)
    was_cancelled = models.BooleanField(default=False)
    version = models.PositiveIntegerField(default=1)
    revision = models.PositiveIntegerField(default=1)
    deleted_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-deleted_at", "date", "pk"]

    def __str__(self) -> str:
        return self.name or str(self.date)
