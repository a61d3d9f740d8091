from typing import TYPE_CHECKING

from django.core.validators import MaxValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from clubs.models import Club, Versioned
from clubs.money import MOST_CENTS

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


def whole_cents(label: "StrOrPromise") -> "models.PositiveIntegerField[int | None, int | None]":
    """A sum of money in cents, None where none is asked."""
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
