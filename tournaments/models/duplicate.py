"""Portefeuille: an evening on which everybody plays the same cards, and who played which folder."""

import uuid
from typing import Any

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from clubs.models import Versioned
from scoring.models import Deal, Folder
from tournaments.models.evening import Evening
from tournaments.models.leagues import League

MOST_FOLDERS = 99
MOST_CLUBS = 200


class DuplicateEvening(Versioned):
    """What was decided about the folders of an evening.

    `seed` is what the program dealt them from, secret until the evening is closed, and `commitment`
    what everybody may read of it before; both are empty where the club shuffled. `night` is the
    UUID of the night on which other clubs play the same cards: its seed comes once all have
    finished, from `night_address`, signed with `night_key`, as the file of its league says. `pairs`
    are the numbers of the pairs in the order in which the movement counts them,
    once there is one. Of teams `left` has by number the pairs that left, with the pair that plays
    on for their team.
    """

    class Kind(models.TextChoices):
        MITCHELL = "mitchell", _("two lines: one stays, the other moves (Mitchell)")
        HOWELL = "howell", _("everybody meets everybody (Howell)")
        TEAMS = "teams_of_four", _("teams of four: two pairs, one in each line")

    class Comparison(models.TextChoices):
        MATCHPOINTS = "matchpoints", _("2 for each pair beaten, 1 for each equal one")
        MEAN = "mean_difference", _("by the difference from the mean of the line")
        CROSS = "cross", _("by the difference from every other table")

    evening = models.OneToOneField(Evening, on_delete=models.CASCADE, related_name="duplicate")
    kind = models.CharField(
        _("movement"), max_length=13, choices=Kind.choices, default=Kind.MITCHELL
    )
    compare = models.CharField(
        _("how results are compared"),
        max_length=15,
        choices=Comparison.choices,
        default=Comparison.MATCHPOINTS,
    )
    net = models.BooleanField(_("compare what a pair has more than its opponents"), default=False)
    folders = models.PositiveSmallIntegerField(
        _("folders"),
        default=24,
        validators=[MinValueValidator(1), MaxValueValidator(MOST_FOLDERS)],
    )
    seed = models.CharField(max_length=64, blank=True, editable=False)
    commitment = models.CharField(max_length=64, blank=True, editable=False)
    night = models.UUIDField(null=True, blank=True, editable=False, db_index=True)
    night_address = models.CharField(max_length=300, blank=True, editable=False)
    night_key = models.CharField(max_length=64, blank=True, editable=False)
    pairs = models.JSONField(default=list, blank=True)
    left: "models.JSONField[dict[str, int], dict[str, int]]" = models.JSONField(
        default=dict, blank=True
    )

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(kind__in=["mitchell", "howell", "teams_of_four"]),
                name="duplicate_kind_known",
            ),
            models.CheckConstraint(
                condition=Q(compare__in=["matchpoints", "mean_difference", "cross"]),
                name="duplicate_comparison_known",
            ),
            models.CheckConstraint(
                condition=Q(folders__gte=1, folders__lte=MOST_FOLDERS),
                name="duplicate_folders_1_to_99",
            ),
            models.CheckConstraint(
                condition=Q(seed="", commitment="", night=None)
                | Q(~Q(commitment=""), ~Q(seed="") | Q(night__isnull=False)),
                name="duplicate_seed_with_its_commitment",
            ),
            models.CheckConstraint(
                condition=Q(night__isnull=False) | Q(night_address="", night_key=""),
                name="duplicate_address_of_a_night",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.evening}: {self.folders} folders"

    @property
    def is_locked(self) -> bool:
        """Whether other clubs may still be playing these cards, so that nobody may read them or
        what was made of them."""
        return self.night is not None and not self.seed


class SharedNight(Versioned):
    """A night on which so many clubs of a league play the same cards, dealt from one seed.

    `commitment` is public from the beginning, `seed` from the moment the night is opened, when the
    last club has finished.
    """

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    league = models.ForeignKey(League, on_delete=models.CASCADE, related_name="nights")
    name = models.CharField(_("name"), max_length=60)
    date = models.DateField(_("day"))
    compare = models.CharField(
        _("how results are compared"),
        max_length=15,
        choices=DuplicateEvening.Comparison.choices,
        default=DuplicateEvening.Comparison.MATCHPOINTS,
    )
    net = models.BooleanField(_("compare what a pair has more than its opponents"), default=False)
    folders = models.PositiveSmallIntegerField(
        _("folders"),
        default=24,
        validators=[MinValueValidator(1), MaxValueValidator(MOST_FOLDERS)],
    )
    clubs = models.PositiveSmallIntegerField(
        _("clubs that play"), validators=[MinValueValidator(1), MaxValueValidator(MOST_CLUBS)]
    )
    seed = models.CharField(max_length=64, editable=False)
    commitment = models.CharField(max_length=64, editable=False)
    opened_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        ordering = ["-date", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(compare__in=["matchpoints", "mean_difference", "cross"]),
                name="shared_night_comparison_known",
            ),
            models.CheckConstraint(
                condition=Q(folders__gte=1, folders__lte=MOST_FOLDERS, clubs__gte=1),
                name="shared_night_of_clubs_and_folders",
            ),
            models.CheckConstraint(
                condition=~Q(seed="") & ~Q(commitment=""), name="shared_night_has_its_seed"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("league_night", args=[self.league.slug, self.pk])


class NightRelease(models.Model):
    """The common ranking of a night as it was published: numbered, and the database refuses to
    change it.

    `clubs` has one object per evening: its UUID, its club, the number of the release that was
    compared, and what came of it; `pairs` one per pair. People are there by their UUIDs only, so
    that erasing them takes their names and changes nothing here.
    """

    night = models.ForeignKey(SharedNight, on_delete=models.PROTECT, related_name="releases")
    number = models.PositiveSmallIntegerField()
    clubs: "models.JSONField[Any, Any]" = models.JSONField()
    pairs: "models.JSONField[Any, Any]" = models.JSONField()
    seal = models.CharField(max_length=64)
    published_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-number"]
        constraints = [
            models.UniqueConstraint(fields=["night", "number"], name="night_release_number_once"),
            models.CheckConstraint(condition=Q(number__gte=1), name="night_release_number_from_1"),
        ]

    def __str__(self) -> str:
        return f"{self.night} {self.number}"


class FolderPlay(models.Model):
    """A pair that plays a folder, or played it: the deal on whose line it is written, and the line
    in which the pair sits. `percent` is what the director gave it instead of what was played, and
    `reason` why."""

    LONGEST_REASON = 200

    folder = models.ForeignKey(Folder, on_delete=models.CASCADE, related_name="plays")
    deal = models.ForeignKey(Deal, on_delete=models.CASCADE, related_name="plays")
    pair = models.PositiveSmallIntegerField()
    line = models.CharField(max_length=2)
    percent = models.PositiveSmallIntegerField(null=True, blank=True)
    reason = models.CharField(max_length=LONGEST_REASON, blank=True)

    class Meta:
        ordering = ["folder__number", "deal", "-line"]
        constraints = [
            models.UniqueConstraint(fields=["folder", "pair"], name="folder_played_once_by_a_pair"),
            models.UniqueConstraint(fields=["deal", "line"], name="folder_one_pair_in_a_seat"),
            models.CheckConstraint(condition=Q(pair__gte=1), name="folder_play_pair_from_1"),
            models.CheckConstraint(
                condition=Q(line__in=["NS", "EW"]), name="folder_play_line_known"
            ),
            models.CheckConstraint(
                condition=Q(percent=None) | Q(percent__lte=100),
                name="folder_play_percent_at_most_100",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.folder}: pair {self.pair} {self.line}"
