"""Seasons with their standings, papers and wording; what an evening asks as entry fees; and a
club's kinds of evening, such as individual and pairs."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from django.core.validators import MaxValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from clubs.models import Club, Language, User, Versioned
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
    """`fee` is the membership fee of the season in cents; `prizes` what can be won in it."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="seasons")
    name = models.CharField(_("name"), max_length=60)
    slug = models.SlugField(max_length=60)
    starts = models.DateField(_("first day"), null=True, blank=True)
    ends = models.DateField(_("last day"), null=True, blank=True)
    fee = whole_cents(_("membership fee"))
    prizes = models.JSONField(default=dict, blank=True)

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
    """One of a season's standings: what counts, as the ranking module reads it."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="rules")
    name = models.CharField(_("name"), max_length=60)
    position = models.PositiveSmallIntegerField(default=1)
    settings = models.JSONField(default=dict)

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(
                fields=["season", "position"], name="season_rule_position_once"
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
