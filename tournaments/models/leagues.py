"""Leagues between clubs: leaders, seasons, divisions, teams with their players, days and matches.

A league is beside clubs. Teams, players and days say by UUID which club, member and evening of this
server they are, so that a club can move, or be put back, without the leagues it plays in.
"""

import datetime as dt
from decimal import Decimal
from typing import Any

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from clubs.models import AuditChain, Language, User, Versioned
from clubs.models.club import SLUG
from clubs.text.numbers import FIRST_DAY, LAST_DAY

HOME, AWAY = SIDES = "home", "away"
MOST_MATCH_POINTS = 100


def usual_ties() -> list[str]:
    """What usually decides between teams with as many match points."""
    return ["difference", "for", "head_to_head", "lot"]


def _match_points(label: Any, default: int) -> "models.DecimalField[Any, Any]":
    return models.DecimalField(
        label,
        max_digits=5,
        decimal_places=2,
        default=Decimal(default),
        validators=[MinValueValidator(0), MaxValueValidator(MOST_MATCH_POINTS)],
    )


class League(AuditChain, Versioned):
    """An organisation in which teams of clubs play each other. It has a trail of its own."""

    chain_kind = "league"

    name = models.CharField(_("name"), max_length=100)
    slug = models.CharField(_("web name"), max_length=50, unique=True, validators=[SLUG])
    language = models.CharField(
        _("language"), max_length=2, choices=Language.choices, default=Language.DUTCH
    )
    # Of people, so that a number is never given twice.
    numbers_given = models.PositiveIntegerField(default=0, editable=False)

    class Meta:
        ordering = ["name", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(language__in=Language.values), name="league_language_known"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("league_page", args=[self.slug])


class LeagueLeader(models.Model):
    """Somebody who runs a league."""

    league = models.ForeignKey(League, on_delete=models.CASCADE, related_name="leaders")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="leagues_led")

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["league", "user"], name="league_leader_once"),
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.league}"


class LeagueSeason(Versioned):
    """A season of a league with its regulation: who meets on a day, what a match is worth, what
    decides between equal teams, and when results are due.

    `exchange` teams go down from each division and as many come up from the next one. `rolled_from`
    is the season whose final tables its teams come from.
    """

    class Meeting(models.TextChoices):
        FOUR = "four", _("four teams meet on a day, everybody plays everybody")
        TWO = "two", _("two teams meet, home and away")

    class Points(models.TextChoices):
        WIN_DRAW = "win_draw", _("for winning and for a draw")
        TABLES_AND_TOTAL = "tables_and_total", _("one for each table won and one for the total")
        RANK_OF_GROUP = "rank_of_group", _("3, 2, 1 and 0 by the totals of the four teams")
        VICTORY_POINTS = "victory_points", _("20 shared by the margin")

    class Rules(models.TextChoices):
        LEAGUE = "league", _("the rules of the league")
        HOST = "host", _("the rules of the host")

    league = models.ForeignKey(League, on_delete=models.CASCADE, related_name="seasons")
    name = models.CharField(_("name"), max_length=60)
    slug = models.CharField(max_length=60)
    meeting = models.CharField(
        _("who meets on a match day"), max_length=4, choices=Meeting.choices, default=Meeting.FOUR
    )
    cycles = models.PositiveSmallIntegerField(
        _("how often everybody meets everybody"),
        default=1,
        validators=[MinValueValidator(1), MaxValueValidator(10)],
    )
    tables = models.PositiveSmallIntegerField(
        _("tables per match"), default=2, validators=[MinValueValidator(1), MaxValueValidator(8)]
    )
    deals = models.PositiveSmallIntegerField(
        _("deals per table"), default=16, validators=[MinValueValidator(1), MaxValueValidator(99)]
    )
    points = models.CharField(
        _("match points"), max_length=16, choices=Points.choices, default=Points.WIN_DRAW
    )
    win = _match_points(_("for winning"), 2)
    draw = _match_points(_("for a draw"), 1)
    loss = _match_points(_("for losing"), 0)
    ties = models.JSONField(default=usual_ties)
    exchange = models.PositiveSmallIntegerField(
        _("teams that go up and down"), default=2, validators=[MaxValueValidator(10)]
    )
    deadline_hours = models.PositiveSmallIntegerField(
        _("hours within which results are due"),
        default=48,
        validators=[MinValueValidator(1), MaxValueValidator(999)],
    )
    answer_hours = models.PositiveSmallIntegerField(
        _("hours within which the visitors can object"),
        default=48,
        validators=[MinValueValidator(1), MaxValueValidator(999)],
    )
    higher_turns = models.PositiveSmallIntegerField(
        _("match days on which somebody may play in a higher team"),
        null=True,
        blank=True,
        validators=[MaxValueValidator(99)],
    )
    played_by = models.CharField(
        _("which rules are played by"), max_length=6, choices=Rules.choices, default=Rules.LEAGUE
    )
    regulation = models.TextField(_("regulation"), max_length=10_000, blank=True)
    rolled_from = models.ForeignKey(
        "self",
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        editable=False,
        related_name="rolled_into",
    )

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(fields=["league", "slug"], name="league_season_slug_once"),
            models.UniqueConstraint(fields=["rolled_from"], name="league_season_rolled_over_once"),
            models.CheckConstraint(
                condition=Q(meeting__in=["four", "two"]), name="league_season_meeting_known"
            ),
            models.CheckConstraint(
                condition=Q(
                    points__in=["win_draw", "tables_and_total", "rank_of_group", "victory_points"]
                ),
                name="league_season_points_known",
            ),
            models.CheckConstraint(
                condition=Q(played_by__in=["league", "host"]), name="league_season_rules_known"
            ),
            models.CheckConstraint(
                condition=Q(cycles__gte=1, cycles__lte=10), name="league_season_cycles_1_to_10"
            ),
            models.CheckConstraint(
                condition=Q(tables__gte=1, tables__lte=8), name="league_season_tables_1_to_8"
            ),
            models.CheckConstraint(
                condition=Q(deals__gte=1, deals__lte=99), name="league_season_deals_1_to_99"
            ),
            models.CheckConstraint(
                condition=Q(loss__gte=0, draw__gte=F("loss"), win__gte=F("draw"), win__lte=100),
                name="league_season_a_win_is_worth_most",
            ),
            models.CheckConstraint(
                condition=Q(exchange__lte=10), name="league_season_exchange_at_most_10"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Division(Versioned):
    """Teams of a season that play each other; the first `position` is the highest.

    `seed` is that of the fixtures, and None as long as there are none.
    """

    season = models.ForeignKey(LeagueSeason, on_delete=models.CASCADE, related_name="divisions")
    name = models.CharField(_("name"), max_length=60)
    position = models.PositiveSmallIntegerField(default=1)
    seed = models.PositiveIntegerField(null=True, editable=False)

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["season", "position"], name="division_position_once"),
            models.UniqueConstraint(fields=["season", "name"], name="division_name_once"),
        ]

    def __str__(self) -> str:
        return self.name


class LeagueTeam(Versioned):
    """A team of a club in one division. `club` is the club's name as it is read, `club_uuid` says
    which club of this server that is, if it is one.

    Of a team that withdrew, what it played stands or goes; what it did not play is a walkover for
    the others, or goes too. `continues` is the same team in the season before.
    """

    division = models.ForeignKey(Division, on_delete=models.CASCADE, related_name="teams")
    name = models.CharField(_("name"), max_length=60)
    club = models.CharField(_("club"), max_length=100, blank=True)
    club_uuid = models.UUIDField(null=True, blank=True, editable=False, db_index=True)
    withdrawn_on = models.DateField(null=True, blank=True, editable=False)
    withdrawn_why = models.CharField(max_length=200, blank=True, editable=False)
    results_stand = models.BooleanField(default=True, editable=False)
    continues = models.ForeignKey(
        "self",
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        editable=False,
        related_name="continued_by",
    )

    class Meta:
        ordering = ["name", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["division", "name"], name="league_team_name_once"),
            models.UniqueConstraint(fields=["continues"], name="league_team_goes_on_once"),
            models.CheckConstraint(
                condition=Q(withdrawn_on=None, withdrawn_why="")
                | Q(Q(withdrawn_on__isnull=False), ~Q(withdrawn_why="")),
                name="league_team_withdrawn_for_a_reason",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class LeaguePenalty(models.Model):
    """Match points that were taken off a team, and why; everybody reads it below the table."""

    team = models.ForeignKey(LeagueTeam, on_delete=models.CASCADE, related_name="penalties")
    points = models.DecimalField(
        _("match points off"),
        max_digits=5,
        decimal_places=2,
        validators=[MinValueValidator(Decimal("0.01")), MaxValueValidator(MOST_MATCH_POINTS)],
    )
    reason = models.CharField(_("reason"), max_length=200)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(points__gt=0, points__lte=MOST_MATCH_POINTS),
                name="league_penalty_takes_points",
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="league_penalty_has_a_reason"),
        ]

    def __str__(self) -> str:
        return f"{self.team}: -{self.points}"


class LeaguePlayer(models.Model):
    """Somebody who plays for a team: a fixed player, or a reserve. `member_uuid` says who of the
    team's club that is, so that its pages name them as their club does."""

    team = models.ForeignKey(LeagueTeam, on_delete=models.CASCADE, related_name="players")
    name = models.CharField(_("name"), max_length=100)
    position = models.PositiveSmallIntegerField(default=1)
    is_reserve = models.BooleanField(_("reserve"), default=False)
    member_uuid = models.UUIDField(null=True, blank=True, editable=False, db_index=True)

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["team", "position"], name="league_player_place_once"),
            models.CheckConstraint(condition=~Q(name=""), name="league_player_has_a_name"),
        ]

    def __str__(self) -> str:
        return self.name


class MatchDay(Versioned):
    """Teams that meet at one place on match day `number`: a group of four or three, or two.

    `host` is None on a central day. `date` is None as long as it is not known. A day that was
    `moved` says why.
    """

    division = models.ForeignKey(Division, on_delete=models.CASCADE, related_name="days")
    number = models.PositiveSmallIntegerField()
    group = models.PositiveSmallIntegerField()
    host = models.ForeignKey(
        LeagueTeam, on_delete=models.SET_NULL, null=True, blank=True, related_name="days_at_home"
    )
    place = models.CharField(_("place"), max_length=100, blank=True)
    date = models.DateField(_("date"), null=True, blank=True)
    starts_at = models.TimeField(_("start"), null=True, blank=True)
    moved_why = models.CharField(_("reason"), max_length=200, blank=True)
    evening_uuid = models.UUIDField(null=True, blank=True, editable=False, unique=True)

    class Meta:
        ordering = ["number", "group"]
        constraints = [
            models.UniqueConstraint(
                fields=["division", "number", "group"], name="match_day_group_once"
            ),
            models.CheckConstraint(
                condition=Q(date=None) | Q(date__gte=FIRST_DAY, date__lte=LAST_DAY),
                name="match_day_within_reach",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.division}: {self.number}"

    def due_by(self, hours: int) -> dt.date | None:
        """The last day on which its results can be in, this many hours after its date."""
        return self.date + dt.timedelta(hours=24 + hours - 1) if self.date else None


class LeagueMatch(Versioned):
    """Two teams in one round of a match day. `scores` has the points of each table, the home
    team's first; empty as long as it was not played, and after a walkover.

    `walkover` is the team that did not appear. A result is `binding` once the leader said so.
    `tables` are those of the evening at which it is played, None where one cannot be, empty before
    it is seated. `written_at` is since when the result is there, for the visitors to look at.
    """

    day = models.ForeignKey(MatchDay, on_delete=models.CASCADE, related_name="matches")
    round = models.PositiveSmallIntegerField()
    home = models.ForeignKey(LeagueTeam, on_delete=models.CASCADE, related_name="matches_first")
    away = models.ForeignKey(LeagueTeam, on_delete=models.CASCADE, related_name="matches_second")
    scores = models.JSONField(default=list, blank=True)
    walkover = models.ForeignKey(
        LeagueTeam, on_delete=models.CASCADE, null=True, blank=True, related_name="walkovers"
    )
    binding = models.BooleanField(default=False)
    reason = models.CharField(max_length=200, blank=True)
    tables = models.JSONField(default=list, blank=True)
    written_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        ordering = ["day__number", "day__group", "round", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["day", "round", "home"], name="league_match_home_once"),
            models.UniqueConstraint(fields=["day", "round", "away"], name="league_match_away_once"),
            models.CheckConstraint(
                condition=~Q(home=F("away")), name="league_match_is_between_two"
            ),
            models.CheckConstraint(
                condition=Q(walkover=None) | Q(walkover=F("home")) | Q(walkover=F("away")),
                name="league_match_walkover_of_one_of_them",
            ),
            models.CheckConstraint(
                condition=Q(walkover=None) | Q(scores=[]),
                name="league_match_played_or_a_walkover",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.home} – {self.away}"

    def team_id_of(self, side: str) -> int:
        """The id of its `home` or `away` team."""
        return self.home_id if side == HOME else self.away_id

    def team_of(self, side: str) -> LeagueTeam:
        """Its `home` or `away` team."""
        return self.home if side == HOME else self.away

    @property
    def is_over(self) -> bool:
        """Whether it has a result."""
        return bool(self.scores) or self.walkover_id is not None

    @property
    def totals(self) -> tuple[int, int]:
        """The points of each team over all tables."""
        return sum(score[0] for score in self.scores), sum(score[1] for score in self.scores)
