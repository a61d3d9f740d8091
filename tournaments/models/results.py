from collections.abc import Mapping
from typing import Any

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from clubs.models import Club, Language, Member, User, Versioned
from clubs.text.numbers import FIRST_DAY, LAST_DAY
from tournaments.models.evening import Evening
from tournaments.models.registration import Competitor
from tournaments.models.season import Season, whole_cents


class HallScreen(Versioned):
    """What the screen in the hall shows, as the desk steers it; an evening that nobody steered has
    none, and its screen turns by itself.

    Without a `scene` all scenes take turns. `turn` counts the pictures, and was right at
    `turned_at`: unless `held`, the next one follows by itself. In the prize-giving it counts the
    prizes that are revealed, and nothing follows by itself.
    A message without an end is shown until it is taken away. The clock of a round runs until
    `clock_ends_at`, or stands still with `clock_left` seconds, or is off. `rung` counts how often
    the bell was pressed.
    """

    class Scene(models.TextChoices):
        SEATS = "seats", _("Where to sit")
        STANDINGS = "standings", _("Standings")
        TABLES = "tables", _("Tables")
        MOVERS = "movers", _("Climbers")
        PITS = "pits", _("Pits")
        CODE = "code", _("Code for phones")
        PRIZES = "prizes", _("Prizes")

    LONGEST_MESSAGE = 80
    LONGEST_ROUND = 300

    evening = models.OneToOneField(Evening, on_delete=models.CASCADE, related_name="hall")
    scene = models.CharField(max_length=9, choices=Scene.choices, blank=True)
    turn = models.PositiveIntegerField(default=0)
    turned_at = models.DateTimeField(default=timezone.now)
    held = models.BooleanField(default=False)
    light = models.BooleanField(default=False)
    message = models.CharField(max_length=LONGEST_MESSAGE, blank=True)
    message_until = models.DateTimeField(null=True, blank=True)
    clock_minutes = models.PositiveSmallIntegerField(
        default=45, validators=[MinValueValidator(1), MaxValueValidator(LONGEST_ROUND)]
    )
    clock_ends_at = models.DateTimeField(null=True, blank=True)
    clock_left = models.PositiveIntegerField(null=True, blank=True)
    rung = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(
                    scene__in=[
                        *["", "seats", "standings", "tables"],
                        *["movers", "pits", "code", "prizes"],
                    ]
                ),
                name="hall_scene_known",
            ),
            models.CheckConstraint(
                condition=Q(clock_minutes__gte=1, clock_minutes__lte=300),
                name="hall_clock_minutes_1_to_300",
            ),
            models.CheckConstraint(
                condition=Q(clock_ends_at=None) | Q(clock_left=None),
                name="hall_clock_runs_or_stands",
            ),
            models.CheckConstraint(
                condition=Q(message_until=None) | ~Q(message=""), name="hall_end_of_a_message"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.evening}: {self.scene or 'turning'}"


PUBLISHED_AS = "published_as"
"""The key in a row of `standings` of the person's id at the time of publishing, if the club has
moved to another server since."""


def published_as(row: Mapping[str, Any]) -> int:
    """The id, at the time of publishing, of the person a row of `standings` is about."""
    return int(row.get(PUBLISHED_AS, row["member"]))


class PlayOffScore(models.Model):
    """What somebody scored in the extra deals that decided a tie for the first place."""

    evening = models.ForeignKey(Evening, on_delete=models.CASCADE, related_name="play_off_scores")
    member = models.ForeignKey(Member, on_delete=models.RESTRICT, related_name="play_off_scores")
    score = models.IntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["evening", "member"], name="play_off_score_once_per_member"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.member}: {self.score}"


class PersonCorrection(models.Model):
    """Points that the director gave somebody, or took off, for an evening or a season as a whole,
    and why."""

    MOST_POINTS = 99_999

    evening = models.ForeignKey(
        Evening, on_delete=models.CASCADE, null=True, related_name="person_corrections"
    )
    season = models.ForeignKey(
        Season, on_delete=models.CASCADE, null=True, related_name="person_corrections"
    )
    member = models.ForeignKey(Member, on_delete=models.RESTRICT, related_name="person_corrections")
    points = models.IntegerField(_("points"))
    reason = models.CharField(_("reason"), max_length=200)
    user = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True)
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["made_at", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(evening=None, season__isnull=False)
                | Q(evening__isnull=False, season=None),
                name="person_correction_of_evening_or_season",
            ),
            models.CheckConstraint(
                condition=Q(points__gte=-99_999, points__lte=99_999) & ~Q(points=0),
                name="person_correction_of_some_points",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.member}: {self.points:+}"


class CompetitorCorrection(models.Model):
    """Points that a fixed pair or a team was given, or that were taken off, for a season as a
    whole, and why. For an evening, its people are corrected."""

    season = models.ForeignKey(
        Season, on_delete=models.CASCADE, related_name="competitor_corrections"
    )
    competitor = models.ForeignKey(
        Competitor, on_delete=models.RESTRICT, related_name="corrections"
    )
    points = models.IntegerField(_("points"))
    reason = models.CharField(_("reason"), max_length=200)
    user = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True)
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["made_at", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(points__gte=-99_999, points__lte=99_999) & ~Q(points=0),
                name="competitor_correction_of_some_points",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.competitor}: {self.points:+}"


class Release(models.Model):
    """The standings of an evening as they were published: numbered, never changed.

    `standings` holds one object per row: rank, member, name, total, rounds, pits.
    `changes` lists who moved since the release before. `competitors` has a row for each pair and
    team; None of what was published before those were kept. `folders` is what an evening of folders
    came to: the places of its pairs by number, and what every table made of each. `salts` has a
    list for each of the lists, with the salt of the commitment to the name in each row; empty once
    somebody is erased.
    `evening_revision` is that of the evening with this release: as long as it has that, nothing can
    have been corrected.
    """

    evening = models.ForeignKey(Evening, on_delete=models.CASCADE, related_name="releases")
    number = models.PositiveSmallIntegerField()
    standings = models.JSONField()
    changes = models.JSONField(default=list)
    competitors = models.JSONField(null=True)
    folders: "models.JSONField[Any, Any]" = models.JSONField(null=True)
    salts = models.JSONField(default=list)
    reason = models.CharField(max_length=200, blank=True)
    evening_revision = models.PositiveIntegerField(null=True, blank=True)
    seal = models.CharField(max_length=64)
    user = models.ForeignKey(User, on_delete=models.RESTRICT, null=True, blank=True)
    published_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-number"]
        constraints = [
            models.UniqueConstraint(fields=["evening", "number"], name="release_number_once"),
            models.CheckConstraint(condition=Q(number__gte=1), name="release_number_from_1"),
        ]

    def __str__(self) -> str:
        return f"{self.evening} release {self.number}"

    @property
    def lists(self) -> list[list[dict[str, Any]]]:
        """The lists with a name in each row, in the order of `salts`."""
        kept = [] if self.competitors is None else [self.competitors]
        return [self.standings, self.changes, *kept]

    @property
    def figured(self) -> list[list[dict[str, Any]]]:
        """All that the trail has a hash of the figures of."""
        return [*self.lists, *([] if self.folders is None else [[self.folders]])]


class EveningSummary(models.Model):
    """What everybody brings to the season from a closed evening, as it was at `revision`.

    A cache: good as long as the evening has that revision, and made anew from the sheets when it
    has another. `competitors` has the same of its pairs and teams; None if nobody asked yet.
    """

    evening = models.OneToOneField(Evening, on_delete=models.CASCADE, related_name="summary")
    revision = models.PositiveIntegerField()
    results = models.JSONField()
    competitors = models.JSONField(null=True)

    def __str__(self) -> str:
        return f"{self.evening} at {self.revision}"


class Rating(models.Model):
    """How strong somebody was thought to be after an evening: the mean `mu` and how sure that is.

    A cache of what the deals and totals say; the command `ratings` makes it anew.
    """

    evening = models.ForeignKey(Evening, on_delete=models.CASCADE, related_name="ratings")
    member = models.ForeignKey(Member, on_delete=models.CASCADE, related_name="ratings")
    mu = models.FloatField()
    sigma = models.FloatField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["evening", "member"], name="rating_once_per_evening"),
            models.CheckConstraint(condition=Q(sigma__gt=0), name="rating_never_certain"),
        ]
        indexes = [models.Index(fields=["member", "evening"], name="rating_by_member")]

    def __str__(self) -> str:
        return f"{self.member}: {self.mu:.1f} ± {self.sigma:.1f}"


class Cup(models.Model):
    """A challenge cup: handed on each time, and kept after `wins_to_keep` wins."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="cups")
    name = models.CharField(_("name"), max_length=60)
    wins_to_keep = models.PositiveSmallIntegerField(_("kept after how many wins"), default=3)

    class Meta:
        ordering = ["name", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["club", "name"], name="cup_name_once_per_club"),
            models.CheckConstraint(condition=Q(wins_to_keep__gte=1), name="cup_kept_from_1_win"),
        ]

    def __str__(self) -> str:
        return self.name


class EveningPhoto(models.Model):
    """A photo of the winners of an evening, as a JPEG of at most 800 pixels a side. Everybody in it
    said that it may be public; it goes when one of them is hidden or erased."""

    evening = models.OneToOneField(Evening, on_delete=models.CASCADE, related_name="photo")
    jpeg = models.BinaryField()
    width = models.PositiveSmallIntegerField()
    height = models.PositiveSmallIntegerField()
    shown_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.evening}: {self.width}×{self.height}"


class PhotoPerson(models.Model):
    """Somebody in a photo, who agreed."""

    photo = models.ForeignKey(EveningPhoto, on_delete=models.CASCADE, related_name="people")
    member = models.ForeignKey(Member, on_delete=models.RESTRICT, related_name="photos")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["photo", "member"], name="photo_person_once")
        ]

    def __str__(self) -> str:
        return f"{self.member} in {self.photo}"


class CupWin(models.Model):
    """Somebody won the cup, on an evening, over a season, or once upon a time."""

    cup = models.ForeignKey(Cup, on_delete=models.CASCADE, related_name="wins")
    member = models.ForeignKey(Member, on_delete=models.RESTRICT, related_name="cup_wins")
    won_on = models.DateField(_("won on"))
    evening = models.ForeignKey(Evening, on_delete=models.SET_NULL, null=True, blank=True)
    season = models.ForeignKey(Season, on_delete=models.SET_NULL, null=True, blank=True)

    class Meta:
        ordering = ["won_on", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["cup", "member", "won_on"], name="cup_won_once_a_day"),
            models.CheckConstraint(
                condition=Q(won_on__gte=FIRST_DAY, won_on__lte=LAST_DAY),
                name="cup_won_within_reach",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.cup} {self.won_on}: {self.member}"


class Follower(models.Model):
    """A browser that is told of the results of a club, or of one of its players, by web push.

    `endpoint` is where messages for it are brought: whoever has it can end them. The two keys let
    that browser alone read them. `failures` counts messages that were not taken since the last
    one that was.
    """

    MOST_OF_A_CLUB = 2_000
    MOST_OF_A_BROWSER = 20
    LONGEST_ENDPOINT = 700

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="followers")
    member = models.ForeignKey(
        Member, on_delete=models.CASCADE, null=True, blank=True, related_name="followers"
    )
    endpoint = models.CharField(max_length=LONGEST_ENDPOINT)
    p256dh = models.CharField(max_length=88)
    auth = models.CharField(max_length=24)
    language = models.CharField(max_length=2, choices=Language.choices, default=Language.DUTCH)
    failures = models.PositiveSmallIntegerField(default=0)
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["endpoint", "club"],
                condition=Q(member=None),
                name="follower_of_a_club_once",
            ),
            models.UniqueConstraint(
                fields=["endpoint", "member"], name="follower_of_a_member_once"
            ),
            models.CheckConstraint(
                condition=Q(endpoint__startswith="https://"), name="follower_over_https"
            ),
            models.CheckConstraint(
                condition=Q(language__in=["nl", "en"]), name="follower_language_known"
            ),
        ]

    def __str__(self) -> str:
        return f"follower of {self.member or self.club}"


class PrizeGiven(models.Model):
    """Somebody got a prize of an evening, or of a season as a whole: what it is, and what it cost
    or came to in cents. `key` is that of the award, such as `place-1`."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="prizes_given")
    evening = models.ForeignKey(
        Evening, on_delete=models.CASCADE, null=True, blank=True, related_name="prizes_given"
    )
    season = models.ForeignKey(
        Season, on_delete=models.CASCADE, null=True, blank=True, related_name="prizes_given"
    )
    member = models.ForeignKey(Member, on_delete=models.RESTRICT, related_name="prizes_given")
    key = models.CharField(max_length=60)
    what = models.CharField(_("prize"), max_length=80, blank=True)
    cents = whole_cents(_("amount"))

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["evening", "key", "member"], name="prize_of_evening_given_once"
            ),
            models.UniqueConstraint(
                fields=["season", "key", "member"], name="prize_of_season_given_once"
            ),
            models.CheckConstraint(
                condition=Q(evening=None) ^ Q(season=None), name="prize_of_evening_or_season"
            ),
            models.CheckConstraint(condition=~Q(what="", cents=None), name="prize_given_says_what"),
        ]

    def __str__(self) -> str:
        return f"{self.key}: {self.member}"
