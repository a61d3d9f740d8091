"""What captains do in a league: the link of a team, who plays where, and what visitors say; people
known across its clubs by a number, the rankings they are in, the numbers that people of a club here
have on another server, and the events that leagues get from such servers.

A line-up keeps names and UUIDs of its own: the list of a team may change, what was played does not.
Nobody is matched by name: a number is somebody's once they confirmed it by a link of their club.
Like teams, links and rankings say by UUID which club, member and evening of this server are meant.
"""

import uuid
from typing import Any
from urllib.parse import urlsplit

from django.core.serializers.json import DjangoJSONEncoder
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from clubs.models import Club, Member, User, Versioned
from clubs.text.numbers import FIRST_DAY, LAST_DAY
from tournaments.models.leagues import SIDES, League, LeagueMatch, LeagueTeam, MatchDay


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


# Events that leagues get from clubs on other servers.


class PullLink(models.Model):
    """A secret address at which the server of one league reads the published evenings of a club.

    Only a hash of the secret is stored. A link that is withdrawn opens nothing any more.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="pull_links")
    league = models.SlugField(_("web name of the league"), max_length=50)
    secret_hash = models.CharField(max_length=64, unique=True, editable=False)
    user = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, editable=False)
    made_at = models.DateTimeField(default=timezone.now, editable=False)
    seen_at = models.DateTimeField(null=True, editable=False)
    withdrawn_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        ordering = ["-made_at", "-pk"]
        constraints = [
            models.CheckConstraint(condition=~Q(league=""), name="pull_link_for_a_league"),
        ]

    def __str__(self) -> str:
        return f"{self.club}: {self.league}"


class EventSource(Versioned):
    """A club from which a league gets events: by the address of a pull link, or by file where that
    is empty.

    `club_uuid` and `key` are those of its first document, and stay: whoever signs with another key
    is not that club. `tag` is the ETag of its list, `fault` what went wrong the last time.
    """

    league = models.ForeignKey(League, on_delete=models.CASCADE, related_name="sources")
    address = models.CharField(_("address of the link"), max_length=300, blank=True)
    club = models.CharField(_("club"), max_length=100, blank=True)
    club_uuid = models.UUIDField(null=True, editable=False)
    key = models.CharField(max_length=64, blank=True, editable=False)
    tag = models.CharField(max_length=100, blank=True, editable=False)
    pulled_at = models.DateTimeField(null=True, editable=False)
    fault = models.TextField(blank=True, editable=False)

    class Meta:
        ordering = ["club", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["league", "club_uuid"], name="event_source_club_once"),
            models.UniqueConstraint(
                fields=["league", "address"],
                condition=~Q(address=""),
                name="event_source_address_once",
            ),
            models.CheckConstraint(
                condition=Q(club_uuid=None, key="") | Q(Q(club_uuid__isnull=False), ~Q(key="")),
                name="event_source_club_with_its_key",
            ),
            models.CheckConstraint(
                condition=~Q(address="") | Q(club_uuid__isnull=False),
                name="event_source_address_or_club",
            ),
        ]

    def __str__(self) -> str:
        return self.club or self.host

    @property
    def host(self) -> str:
        """The name of the server in its address, whose rest is a secret."""
        return urlsplit(self.address).hostname or ""


class LeagueEvent(models.Model):
    """An event of a club as a league got it: its newest document, without the names of people.

    `number` is that of the release it was made of, `digest` the hash of the whole document, so that
    the same one again is known. `day` is the match day whose results it brought, if any. `notes`
    are what could not be used of it, as `event_notes` has them.
    """

    league = models.ForeignKey(League, on_delete=models.CASCADE, related_name="events")
    club_uuid = models.UUIDField(editable=False)
    club = models.CharField(max_length=100)
    event_uuid = models.UUIDField(editable=False)
    number = models.PositiveIntegerField()
    name = models.CharField(max_length=100, blank=True)
    date = models.DateField()
    digest = models.CharField(max_length=64)
    document = models.JSONField(encoder=DjangoJSONEncoder)
    day = models.ForeignKey(
        MatchDay, on_delete=models.SET_NULL, null=True, blank=True, related_name="events"
    )
    received_at = models.DateTimeField(default=timezone.now)
    notes = models.JSONField(default=list, blank=True, editable=False)

    class Meta:
        ordering = ["-date", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["league", "event_uuid"], name="league_event_once"),
            models.CheckConstraint(condition=Q(number__gte=1), name="league_event_number_from_1"),
        ]

    def __str__(self) -> str:
        return f"{self.club}, {self.date}"
