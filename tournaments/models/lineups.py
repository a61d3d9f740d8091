"""What captains do in a league: the link of a team, who plays where, and what visitors say.

A line-up keeps names and UUIDs of its own: the list of a team may change, what was played does not.
"""

from typing import Any

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from clubs.models import Versioned
from tournaments.models.leagues import SIDES, LeagueMatch, LeagueTeam


def _side() -> "models.CharField[Any, Any]":
    return models.CharField(max_length=4, choices=[(side, side) for side in SIDES])


class CaptainLink(models.Model):
    """A link that lets a team's captain act for it without a login. Only its hash is kept."""

    team = models.ForeignKey(LeagueTeam, on_delete=models.CASCADE, related_name="captain_links")
    generation = models.PositiveSmallIntegerField(default=1)
    digest = models.CharField(max_length=64, unique=True)
    made_at = models.DateTimeField(auto_now_add=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["team", "generation"]
        constraints = [
            models.UniqueConstraint(
                fields=["team"], condition=Q(revoked_at=None), name="captain_link_one_valid"
            ),
            models.UniqueConstraint(
                fields=["team", "generation"], name="captain_link_generation_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.team}, link {self.generation}"


class LineUp(Versioned):
    """Who plays for one of the two teams of a match. `verdict` is what the leader decided about
    somebody who perhaps may not play, and why."""

    class Verdict(models.TextChoices):
        ALLOWED = "allowed", _("allowed")
        NOT_ALLOWED = "not_allowed", _("not allowed")

    match = models.ForeignKey(LeagueMatch, on_delete=models.CASCADE, related_name="line_ups")
    side = _side()
    verdict = models.CharField(max_length=11, choices=Verdict.choices, blank=True)
    verdict_why = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ["match", "-side"]
        constraints = [
            models.UniqueConstraint(fields=["match", "side"], name="line_up_once_a_team"),
            models.CheckConstraint(condition=Q(side__in=SIDES), name="line_up_side_known"),
            models.CheckConstraint(
                condition=Q(verdict="", verdict_why="")
                | Q(Q(verdict__in=["allowed", "not_allowed"]), ~Q(verdict_why="")),
                name="line_up_verdict_with_a_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.team}: {self.match}"

    @property
    def team(self) -> LeagueTeam:
        """The team whose line-up this is."""
        return self.match.team_of(self.side)


class LineUpSeat(models.Model):
    """Somebody in a line-up: at which of the match's tables, and which of the two partners. `marks`
    says why they perhaps may not play, and `substitute` that they are not on the team's list."""

    line_up = models.ForeignKey(LineUp, on_delete=models.CASCADE, related_name="seats")
    table = models.PositiveSmallIntegerField()
    partner = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=100)
    member_uuid = models.UUIDField(null=True, blank=True, db_index=True)
    substitute = models.BooleanField(default=False)
    marks = models.JSONField(default=list, blank=True)

    class Meta:
        ordering = ["table", "partner"]
        constraints = [
            models.UniqueConstraint(
                fields=["line_up", "table", "partner"], name="line_up_seat_once"
            ),
            models.UniqueConstraint(
                fields=["line_up", "member_uuid"],
                condition=Q(member_uuid__isnull=False),
                name="line_up_member_once",
            ),
            models.CheckConstraint(
                condition=Q(table__gte=1, table__lte=8, partner__gte=1, partner__lte=2),
                name="line_up_seat_at_a_table",
            ),
            models.CheckConstraint(condition=~Q(name=""), name="line_up_seat_has_a_name"),
        ]

    def __str__(self) -> str:
        return f"{self.name}: {self.table}"


class MatchAnswer(models.Model):
    """What the captain of visitors says of a result: it is right, or what is wrong with it."""

    match = models.ForeignKey(LeagueMatch, on_delete=models.CASCADE, related_name="answers")
    side = _side()
    agrees = models.BooleanField()
    words = models.CharField(max_length=500, blank=True)
    at = models.DateTimeField()

    class Meta:
        ordering = ["match", "-side"]
        constraints = [
            models.UniqueConstraint(fields=["match", "side"], name="match_answer_once_a_team"),
            models.CheckConstraint(condition=Q(side__in=SIDES), name="match_answer_side_known"),
            models.CheckConstraint(
                condition=Q(agrees=True) | ~Q(words=""), name="match_answer_objects_in_words"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.match}: {'+' if self.agrees else '-'}"

    @property
    def team(self) -> LeagueTeam:
        """The team whose captain said it."""
        return self.match.team_of(self.side)
