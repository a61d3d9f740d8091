"""Pictures of score sheets, as they were sent and as they were read."""

import uuid

from django.db import models
from django.db.models import Q
from django.utils import timezone

from clubs.models import Versioned
from scoring.models import Scoresheet
from scoring.rules import THREE
from tournaments.models.evening import Evening


class SheetPhoto(Versioned):
    """A picture of a page of a score sheet.

    While it waits, `content` is the file as it was sent. A process of its own reads that; from then
    on `content` is the page drawn anew, a JPEG without metadata. A file with several sheets becomes
    several rows, by `number`; `done` says how many answers there were, or how many there are as
    yet. `read` is what was read: deals and totals. `decided` are the numbers of the deals that
    somebody wrote from this picture, or left as they were. `sent_by` is who sent it, as the trail
    names them. Nothing is kept of the name of the file.
    """

    class State(models.TextChoices):
        WAITING = "waiting"
        READ = "read"
        REFUSED = "refused"
        WRITTEN = "written"

    USED = (State.READ, State.WRITTEN)

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    evening = models.ForeignKey(Evening, on_delete=models.CASCADE, related_name="sheet_photos")
    sha256 = models.CharField(max_length=64)
    number = models.PositiveSmallIntegerField(default=1)
    sheet = models.ForeignKey(
        Scoresheet, on_delete=models.CASCADE, null=True, related_name="photos"
    )
    page = models.PositiveSmallIntegerField(null=True)
    content = models.BinaryField(null=True)
    read = models.JSONField(default=dict)
    decided = models.JSONField(default=list)
    state = models.CharField(max_length=7, choices=State.choices, default=State.WAITING)
    problem = models.CharField(max_length=20, blank=True)
    sent_by = models.CharField(max_length=60, blank=True)
    done = models.PositiveSmallIntegerField(default=0)
    tries = models.PositiveSmallIntegerField(default=0)
    claimed_at = models.DateTimeField(null=True)
    sent_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["evening", "sha256", "number"], name="sheet_photo_once_per_evening"
            ),
            models.UniqueConstraint(
                fields=["sheet", "page"],
                condition=Q(state__in=["read", "written"]),
                name="sheet_photo_one_of_a_page",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["waiting", "read", "refused", "written"]),
                name="sheet_photo_state_known",
            ),
            models.CheckConstraint(
                condition=Q(state="refused") & ~Q(problem="") | ~Q(state="refused") & Q(problem=""),
                name="sheet_photo_refused_for_a_reason",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["waiting", "refused"]) | Q(sheet__isnull=False, page__gte=1),
                name="sheet_photo_read_of_a_page",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.evening}: {self.sha256[:8]} {self.number}, {self.state}"

    @property
    def device(self) -> str:
        """What entries and the trail name as the source of a deal that was read from it."""
        return f"photo:{self.sha256[:40]}"

    @property
    def strips(self) -> dict[int, str]:
        """For each of its deals the part of the page that shows it, in millimetres, with a little
        above and below it."""
        return {
            deal["deal"]: f"{left:g} {top - 1:g} {width:g} {height + 2:g}"
            for deal in self.read.get("deals", ())
            for left, top, width, height in [deal["box"]]
        }

    @property
    def written(self) -> list[int]:
        """The deals for which the paper has something, whether it can be read or not."""
        deals = self.read.get("deals", ())
        return [deal["deal"] for deal in deals if deal["line"] or not deal["sure"]]

    @property
    def blank(self) -> list[int]:
        """The deals for which the paper has nothing."""
        written = set(self.written)
        numbers = (deal["deal"] for deal in self.read.get("deals", ()))
        return [number for number in numbers if number not in written]

    @property
    def is_blank(self) -> bool:
        """Whether there is no deal on it at all."""
        return not self.written

    @property
    def is_of_three(self) -> bool:
        """Whether the sheet is one for three people: their totals stand at its foot."""
        return set(self.read.get("totals", ())) == set(THREE)

    @property
    def is_spare(self) -> bool:
        """Whether people wrote on the sheet of which table it is."""
        return bool(self.read.get("named"))


class CameraLink(Versioned):
    """A secret address with which a phone sends pictures of the sheets of an evening, and can do
    nothing else. It is made anew with the next `generation`; without a digest there is none."""

    evening = models.OneToOneField(Evening, on_delete=models.CASCADE, related_name="camera_link")
    generation = models.PositiveIntegerField(default=0)
    digest = models.CharField(max_length=64, blank=True, db_index=True)
    made_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"{self.evening}: {self.generation}"
