"""What the screen in the hall shows of an evening."""

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from clubs.models import Versioned
from tournaments.models.evening import Evening


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
