"""People known across the clubs of a league by a number, and the rankings they are in; and, where
a league is on another server, the numbers that people of a club here have there.

Nobody is matched by name: a number is somebody's once they confirmed it by a link of their club.
Like teams, links and rankings say by UUID which club, member and evening of this server are meant.
"""

import uuid
from typing import Any

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from clubs.models import Member, Versioned
from clubs.text.numbers import FIRST_DAY, LAST_DAY
from tournaments.models.leagues import League


class LeaguePerson(models.Model):
    """Somebody whom a league knows by a number. Their name is what their clubs show."""

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    league = models.ForeignKey(League, on_delete=models.CASCADE, related_name="people")
    number = models.PositiveIntegerField(_("league number"))
    given_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["league", "number"], name="league_person_number_once"),
            models.CheckConstraint(condition=Q(number__gte=1), name="league_person_number_from_1"),
        ]

    def __str__(self) -> str:
        return str(self.number)


class PersonLink(models.Model):
    """A member of a club who was asked which person of the league they are; `person` is None until
    they confirmed it by the link. `name` is how a club on another server shows them, as its
    latest evening said; empty where it hides them."""

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    league = models.ForeignKey(League, on_delete=models.CASCADE, related_name="person_links")
    club_uuid = models.UUIDField(db_index=True, editable=False)
    member_uuid = models.UUIDField(db_index=True, editable=False)
    person = models.ForeignKey(
        LeaguePerson, on_delete=models.CASCADE, null=True, blank=True, related_name="links"
    )
    made_at = models.DateTimeField(auto_now_add=True)
    name = models.CharField(max_length=200, blank=True, editable=False)
    confirmed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["league", "member_uuid"], name="person_link_once_per_member"
            ),
            models.CheckConstraint(
                condition=Q(person=None, confirmed_at=None)
                | Q(person__isnull=False, confirmed_at__isnull=False),
                name="person_link_confirmed_by_somebody",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.league}: {self.person or '?'}"


class NumberElsewhere(models.Model):
    """The number that somebody of a club has in a league on another server, by the web name of that
    league, with the code that shows it is theirs. Both go there with the club's evenings."""

    member = models.ForeignKey(Member, on_delete=models.RESTRICT, related_name="numbers_elsewhere")
    league = models.SlugField(_("web name of the league"), max_length=50)
    number = models.PositiveIntegerField(_("league number"))
    code = models.CharField(max_length=20)

    class Meta:
        ordering = ["league", "number", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["member", "league"], name="number_elsewhere_once_per_member"
            ),
            models.CheckConstraint(
                condition=Q(number__gte=1) & ~Q(code=""), name="number_elsewhere_with_its_code"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.member}: {self.league} {self.number}"


def usual_weights() -> list[int]:
    """What the latest season and those before it count for, in percent."""
    return [100, 75, 50, 25]


class LeagueRanking(Versioned):
    """A ranking of people over the clubs of a league, and how it is worked out.

    `ranks` is the discipline that counts, `family` the rules with the number of deals a round, such
    as `rotterdam-16`; empty takes all rules of klaverjas, which a mean of points cannot.
    """

    class System(models.TextChoices):
        MEAN = "mean", _("the mean of points per round")
        BEST_OF = "best_of", _("the best results of each season")
        STRENGTH = "strength", _("playing strength")

    class Discipline(models.TextChoices):
        PLAYER = "player", _("everybody for themselves")
        PAIR = "pair", _("fixed pairs")
        TEAM = "team", _("teams")

    league = models.ForeignKey(League, on_delete=models.CASCADE, related_name="rankings")
    name = models.CharField(_("name"), max_length=60)
    slug = models.CharField(max_length=60, editable=False)
    system = models.CharField(
        _("what is ranked"), max_length=8, choices=System.choices, default=System.MEAN
    )
    ranks = models.CharField(
        _("discipline"), max_length=6, choices=Discipline.choices, default=Discipline.TEAM
    )
    family = models.CharField(_("rules"), max_length=20, blank=True)
    months = models.PositiveSmallIntegerField(
        _("over so many months"),
        default=24,
        validators=[MinValueValidator(1), MaxValueValidator(120)],
    )
    minimum_rounds = models.PositiveSmallIntegerField(
        _("rounds needed for a place"), default=36, validators=[MaxValueValidator(999)]
    )
    event_players = models.PositiveSmallIntegerField(
        _("players an evening needs to count"), default=32, validators=[MaxValueValidator(999)]
    )
    event_rounds = models.PositiveSmallIntegerField(
        _("rounds an evening needs to count"), default=3, validators=[MaxValueValidator(40)]
    )
    full = models.PositiveSmallIntegerField(
        _("best results of a season that count in full"),
        default=5,
        validators=[MinValueValidator(1), MaxValueValidator(99)],
    )
    half = models.PositiveSmallIntegerField(
        _("next results that count for half"), default=5, validators=[MaxValueValidator(99)]
    )
    weights = models.JSONField(default=usual_weights)

    class Meta:
        ordering = ["name", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["league", "slug"], name="league_ranking_slug_once"),
            models.CheckConstraint(
                condition=Q(system__in=["mean", "best_of", "strength"]),
                name="league_ranking_system_known",
            ),
            models.CheckConstraint(
                condition=Q(ranks__in=["player", "pair", "team"]),
                name="league_ranking_discipline_known",
            ),
            models.CheckConstraint(
                condition=~Q(system="mean", family=""), name="league_ranking_mean_of_one_family"
            ),
            models.CheckConstraint(
                condition=Q(months__gte=1, full__gte=1), name="league_ranking_of_something"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class RankedEvening(models.Model):
    """An evening of a club that counts for the rankings of a league beside its match days, since
    the club entered it."""

    league = models.ForeignKey(League, on_delete=models.CASCADE, related_name="ranked_evenings")
    evening_uuid = models.UUIDField(db_index=True, editable=False)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["league", "evening_uuid"], name="ranked_evening_once_per_league"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.league}: {self.evening_uuid}"


class RankingList(models.Model):
    """A ranking as it was published for a day: numbered, and the database refuses to change it.

    `rows` has one object per person, best first: place, person, value, and the results it is made
    of. A person is there by their UUID only, so that erasing them takes their name and number and
    changes nothing here. `rule` is the ranking's rule of that day.
    """

    ranking = models.ForeignKey(LeagueRanking, on_delete=models.PROTECT, related_name="lists")
    number = models.PositiveSmallIntegerField()
    on = models.DateField()
    rule: "models.JSONField[Any, Any]" = models.JSONField()
    rows: "models.JSONField[Any, Any]" = models.JSONField()
    seal = models.CharField(max_length=64)
    published_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-number"]
        constraints = [
            models.UniqueConstraint(fields=["ranking", "number"], name="ranking_list_number_once"),
            models.CheckConstraint(condition=Q(number__gte=1), name="ranking_list_number_from_1"),
            models.CheckConstraint(
                condition=Q(on__gte=FIRST_DAY, on__lte=LAST_DAY), name="ranking_list_within_reach"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.ranking} {self.number}"
