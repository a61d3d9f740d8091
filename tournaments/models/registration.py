"""Who takes part: people on the list of an evening, fixed pairs and teams with their people over
time, and the results that were imported. Somebody who competes alone is a member, not a
competitor."""

import uuid
from typing import Any, ClassVar

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from clubs.models import Club, Member, Versioned
from clubs.text.names import name_key
from clubs.text.numbers import FIRST_DAY, LAST_DAY
from tournaments.models.evening import Evening
from tournaments.models.season import Package, whole_cents


class Registration(models.Model):
    """Somebody who is, or was, on the list for an evening.

    `pair` is the number of their fixed pair, from 1, if the evening has those. `paid` is the entry
    fee they have paid, in cents; None if they have not. `package` is what it was paid from, if
    that is what it was. `team` is the team they play for this evening. `seeded` is
    their place, from 1, in the standing they bring from an earlier session.
    """

    class Absence(models.TextChoices):
        NOTICE = "notice", _("signed off")
        NONE = "none", _("stayed away")

    evening = models.ForeignKey(Evening, on_delete=models.CASCADE, related_name="registrations")
    member = models.ForeignKey(Member, on_delete=models.RESTRICT, related_name="registrations")
    present = models.BooleanField(default=True)
    absence = models.CharField(max_length=6, choices=Absence.choices, blank=True)
    pair = models.PositiveSmallIntegerField(null=True, blank=True)
    seeded = models.PositiveSmallIntegerField(null=True, blank=True)
    team = models.ForeignKey(
        "Competitor",
        on_delete=models.RESTRICT,
        null=True,
        blank=True,
        related_name="registrations",
        verbose_name=_("team"),
    )
    paid = whole_cents(_("paid"))
    package = models.ForeignKey(
        Package, on_delete=models.SET_NULL, null=True, blank=True, related_name="turns"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["evening", "member"], name="registration_once_per_evening"
            ),
            models.CheckConstraint(
                condition=Q(pair=None) | Q(pair__gte=1), name="registration_pair_from_1"
            ),
            models.CheckConstraint(
                condition=Q(absence__in=["", "notice", "none"]), name="registration_absence_known"
            ),
            models.CheckConstraint(
                condition=Q(present=False) | Q(absence=""), name="registration_present_or_absent"
            ),
            models.CheckConstraint(
                condition=Q(package=None) | Q(paid__isnull=False),
                name="registration_package_is_paid",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.member} ({self.evening})"


class ImportedFigures(models.Model):
    """The figures of an evening from before, of one round or of all."""

    round = models.PositiveSmallIntegerField(null=True, blank=True)
    score = models.IntegerField(null=True, blank=True)
    pits = models.PositiveSmallIntegerField(null=True, blank=True)
    roem = models.PositiveIntegerField(null=True, blank=True)
    absence = models.CharField(max_length=6, choices=Registration.Absence.choices, blank=True)

    class Meta:
        abstract = True


class PastResult(ImportedFigures):
    """What somebody scored on an imported evening, in one round or in all."""

    evening = models.ForeignKey(Evening, on_delete=models.CASCADE, related_name="past_results")
    member = models.ForeignKey(Member, on_delete=models.RESTRICT, related_name="past_results")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["evening", "member", "round"], name="past_result_once_per_round"
            ),
            models.UniqueConstraint(
                fields=["evening", "member"],
                condition=Q(round=None),
                name="past_result_once_per_evening",
            ),
            models.CheckConstraint(
                condition=Q(score__isnull=True) ^ Q(absence=""),
                name="past_result_score_or_absence",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.member}: {self.score}"


class Competitor(Versioned):
    """A fixed pair or a team of a club. It keeps its line whoever plays for it.

    `key` is the name as two spellings of it are compared.
    """

    class Kind(models.TextChoices):
        PAIR = "pair", _("fixed pair")
        TEAM = "team", _("team")

    LONGEST_NAME: ClassVar = 210

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="competitors")
    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    kind = models.CharField(max_length=4, choices=Kind.choices)
    name = models.CharField(_("name"), max_length=LONGEST_NAME)
    key = models.CharField(max_length=2 * LONGEST_NAME, editable=False)

    class Meta:
        ordering = ["key", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["club", "kind", "key"], name="competitor_name_once"),
            models.CheckConstraint(
                condition=Q(kind__in=["pair", "team"]), name="competitor_kind_known"
            ),
            models.CheckConstraint(
                condition=~Q(name="") & ~Q(key=""), name="competitor_has_a_name"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.key = name_key(self.name)
        super().save(*args, **kwargs)


class CompetitorMember(models.Model):
    """Somebody who is, or was, of a pair or a team, from one day to another. A reserve plays where
    one of the others does not."""

    competitor = models.ForeignKey(Competitor, on_delete=models.CASCADE, related_name="people")
    member = models.ForeignKey(Member, on_delete=models.RESTRICT, related_name="competitors")
    since = models.DateField(_("since"))
    until = models.DateField(_("until"), null=True, blank=True)
    reserve = models.BooleanField(_("reserve"), default=False)

    class Meta:
        ordering = ["since", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["competitor", "member"],
                condition=Q(until=None),
                name="competitor_member_once_at_a_time",
            ),
            models.CheckConstraint(
                condition=Q(until=None) | Q(until__gte=F("since")),
                name="competitor_member_until_after_since",
            ),
            models.CheckConstraint(
                condition=Q(since__gte=FIRST_DAY) & (Q(until=None) | Q(until__lte=LAST_DAY)),
                name="competitor_member_within_reach",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.member} ({self.competitor})"


class EveningPair(models.Model):
    """Which pair of the club the pair with this number is on an evening, whoever sits there."""

    evening = models.ForeignKey(Evening, on_delete=models.CASCADE, related_name="evening_pairs")
    number = models.PositiveSmallIntegerField()
    competitor = models.ForeignKey(
        Competitor, on_delete=models.RESTRICT, related_name="evening_pairs"
    )

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["evening", "number"], name="evening_pair_number_once"),
            models.UniqueConstraint(
                fields=["evening", "competitor"], name="evening_pair_competitor_once"
            ),
            models.CheckConstraint(condition=Q(number__gte=1), name="evening_pair_from_1"),
        ]

    def __str__(self) -> str:
        return f"{self.evening} {self.number}: {self.competitor}"


class CompetitorResult(ImportedFigures):
    """What a pair or a team scored on an imported evening, in one round or in all."""

    evening = models.ForeignKey(
        Evening, on_delete=models.CASCADE, related_name="competitor_results"
    )
    competitor = models.ForeignKey(Competitor, on_delete=models.RESTRICT, related_name="results")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["evening", "competitor", "round"], name="competitor_result_once_per_round"
            ),
            models.UniqueConstraint(
                fields=["evening", "competitor"],
                condition=Q(round=None),
                name="competitor_result_once_per_evening",
            ),
            models.CheckConstraint(
                condition=Q(score__isnull=True) ^ Q(absence=""),
                name="competitor_result_score_or_absence",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.competitor}: {self.score}"
