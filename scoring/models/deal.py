"""Deals with their revisions, what competes with them, confirmations and paper totals."""

import uuid

from django.db import models
from django.db.models import Q
from django.db.models.functions import Length
from django.db.models.lookups import Exact
from django.utils.translation import gettext_lazy as _

from clubs.models import Club, User, Versioned
from clubs.models.rows import Given, Prepared
from scoring.models.sheet import SIDES_AND_SEATS, Scoresheet
from scoring.rules import SIDES


class Folder(models.Model):
    """The cards of one deal that several tables play, in a numbered folder.

    `pack` is what the folders of one evening have in common. `hands` says whose each of the 32
    cards is, as `scoring.rules.hands` writes it; empty while nobody knows. `typed` hands were typed
    or read from a file, not dealt by the program.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="folders")
    pack = models.UUIDField(editable=False)
    number = models.PositiveSmallIntegerField()
    hands = models.CharField(max_length=32, blank=True)
    typed = models.BooleanField(default=False)

    class Meta:
        ordering = ["pack", "number"]
        constraints = [
            models.UniqueConstraint(fields=["pack", "number"], name="folder_number_once"),
            models.CheckConstraint(condition=Q(number__gte=1), name="folder_number_from_1"),
            models.CheckConstraint(
                condition=Q(hands="") | Q(Exact(Length("hands"), 32)),
                name="folder_has_32_cards",
            ),
            models.CheckConstraint(
                condition=~Q(hands="") | Q(typed=False), name="folder_typed_has_hands"
            ),
        ]

    def __str__(self) -> str:
        return f"folder {self.number}"


class Deal(Versioned):
    """One deal of a sheet. All are created with the sheet, at version 0, so that a first entry too
    is an UPDATE with the version in its WHERE.

    `folder` has its cards, where they were dealt beforehand and what is written is held against
    them.
    """

    sheet = models.ForeignKey(Scoresheet, on_delete=models.CASCADE, related_name="deals")
    number = models.PositiveSmallIntegerField()
    version = models.PositiveIntegerField(default=0, editable=False)
    current = models.OneToOneField(
        "DealEntry", on_delete=models.RESTRICT, null=True, blank=True, related_name="current_of"
    )
    folder = models.ForeignKey(
        Folder, on_delete=models.SET_NULL, null=True, blank=True, related_name="deals"
    )

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["sheet", "number"], name="deal_number_once_per_sheet"),
            models.CheckConstraint(condition=Q(number__gte=1), name="deal_number_from_1"),
            models.CheckConstraint(
                condition=Q(version=0, current=None) | Q(version__gte=1),
                name="deal_at_version_0_has_no_entry",
            ),
        ]

    def __str__(self) -> str:
        return f"deal {self.number}"


class DealEntry(models.Model):
    """What was written of a deal, at one moment, by one person: appended, never changed.

    `written` is the deal as the contract's sheet line has it, without the regulation; null is an
    erased line. `result` is the result of that; `replayed` says that the same dealer deals this
    deal again, so that the line is still to be written. The UUID is made by the client, so that the
    same entry sent twice is recognised. `record` is the deal card by card, where a director
    replayed it: the deal of the contract with `leader` and `cards`. `side` is whose phone wrote it,
    where each side has its own link; empty for the whole table and for the desk.
    """

    class Kind(models.TextChoices):
        WRITTEN = "written", _("written")
        UNDONE = "undone", _("undone")
        SWAPPED = "swapped", _("sides swapped")
        MOVED = "moved", _("moved from another sheet")
        RESTORED = "restored", _("put back")

    uuid = models.UUIDField(primary_key=True, default=uuid.uuid4)
    deal = models.ForeignKey(Deal, on_delete=models.CASCADE, related_name="entries")
    revision = models.PositiveIntegerField()
    kind = models.CharField(max_length=8, choices=Kind.choices, default=Kind.WRITTEN)
    replaces = models.OneToOneField(
        "self", on_delete=models.RESTRICT, null=True, blank=True, related_name="replaced_by"
    )
    written = models.JSONField(null=True, blank=True)
    result = models.JSONField(null=True, blank=True)
    warnings = models.JSONField(default=list)
    replayed = models.BooleanField(default=False)
    record = models.JSONField(null=True, blank=True)
    reason = models.CharField(max_length=200, blank=True)
    user = models.ForeignKey(User, on_delete=models.RESTRICT, null=True, blank=True)
    actor = models.CharField(max_length=60)
    side = models.CharField(max_length=2, blank=True)
    device = models.CharField(max_length=60, blank=True)
    made_at = models.DateTimeField()
    received_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["revision"]
        constraints = [
            models.UniqueConstraint(fields=["deal", "revision"], name="deal_entry_revision_once"),
            models.CheckConstraint(
                condition=Q(kind__in=["written", "undone", "swapped", "moved", "restored"]),
                name="deal_entry_kind_known",
            ),
            models.CheckConstraint(
                condition=Q(revision=1, replaces=None) | Q(revision__gt=1, replaces__isnull=False),
                name="deal_entry_replaces_the_one_before",
            ),
            models.CheckConstraint(
                condition=Q(side__in=["", *SIDES]), name="deal_entry_side_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.deal} revision {self.revision}"


class ControlTotal(models.Model):
    """The totals a paper sheet has for one side, typed to compare them with the lines; at a table
    of three those of one person, and `side` is their seat.

    A figure that is not on the paper, or was not typed, is null and not compared. A difference
    stands until it is gone or somebody accepts it with the sheet at `accepted_version`.
    """

    sheet = models.ForeignKey(Scoresheet, on_delete=models.CASCADE, related_name="control_totals")
    side = models.CharField(max_length=2)
    points = models.PositiveIntegerField(null=True, blank=True)
    roem = models.PositiveIntegerField(null=True, blank=True)
    pits = models.PositiveSmallIntegerField(null=True, blank=True)
    total = models.IntegerField(null=True, blank=True)
    accepted_version = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["sheet", "side"], name="control_total_once_per_side"),
            models.CheckConstraint(
                condition=Q(side__in=SIDES_AND_SEATS), name="control_total_side_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.side}: {self.points} + {self.roem}"


OPEN_CLAIM = Q(decided_at=None)


class DealConfirmation(models.Model):
    """One side says that a deal is written as it was; at a table of three one person, by seat.

    It is about one entry: a correction needs a confirmation of its own.
    """

    entry = models.ForeignKey(DealEntry, on_delete=models.CASCADE, related_name="confirmations")
    side = models.CharField(max_length=2)
    actor = models.CharField(max_length=60)
    device = models.CharField(max_length=60, blank=True)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["entry", "side"], name="deal_confirmation_once_per_side"
            ),
            models.CheckConstraint(
                condition=Q(side__in=[*SIDES, "N", "E", "S"]), name="deal_confirmation_side_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.side}: {self.entry}"


class DealClaim(models.Model):
    """A value for a deal that differs from what stands: stored beside it until somebody decides.

    `against` is what stood when it was received, null for an empty line. `written` and `result` are
    as in `DealEntry`. `taken` says how it was decided: the deal was written so, or what stood was
    left. The UUID is the client's, so that the same claim sent twice is recognised. A value that is
    the SAME as what stands is stored too, and is decided from the start.
    """

    class Why(models.TextChoices):
        DIFFERENT = "different", _("two phones wrote it differently")
        OBJECTED = "objected", _("the other side counted something else")
        LATE = "late", _("it came when the sheet was done")
        CUT_OFF = "cut_off", _("it came from a phone that may no longer write here")
        SAME = "same", _("it says what is there already")

    uuid = models.UUIDField(primary_key=True, default=uuid.uuid4)
    deal = models.ForeignKey(Deal, on_delete=models.CASCADE, related_name="claims")
    against = models.ForeignKey(
        DealEntry, on_delete=models.RESTRICT, null=True, blank=True, related_name="claims"
    )
    why = models.CharField(max_length=9, choices=Why.choices)
    written = models.JSONField()
    result = models.JSONField()
    reason = models.CharField(max_length=200, blank=True)
    side = models.CharField(max_length=2, blank=True)
    user = models.ForeignKey(
        User, on_delete=models.RESTRICT, null=True, blank=True, related_name="+"
    )
    actor = models.CharField(max_length=60)
    device = models.CharField(max_length=60, blank=True)
    made_at = models.DateTimeField()
    received_at = models.DateTimeField(auto_now_add=True)
    decided_at = models.DateTimeField(null=True, blank=True)
    decided_by = models.CharField(max_length=60, blank=True)
    taken = models.BooleanField(null=True, blank=True)

    class Meta:
        ordering = ["received_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["deal", "actor", "device"],
                condition=OPEN_CLAIM,
                name="deal_claim_one_open_per_device",
            ),
            models.CheckConstraint(
                condition=Q(why__in=["different", "objected", "late", "cut_off", "same"]),
                name="deal_claim_why_known",
            ),
            models.CheckConstraint(
                condition=Q(side__in=["", *SIDES]), name="deal_claim_side_known"
            ),
            models.CheckConstraint(
                condition=Q(decided_at=None, taken=None)
                | Q(decided_at__isnull=False, taken__isnull=False),
                name="deal_claim_decided_one_way",
            ),
            models.CheckConstraint(
                condition=~Q(why="same") | Q(taken=True, decided_at__isnull=False),
                name="deal_claim_same_is_no_dispute",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.deal}: {self.why}"


_of_sheet = Prepared(
    lambda: Deal.objects.filter(sheet=Given(Deal, "sheet")).select_related("current")
)


def deals_of(sheet: Scoresheet) -> list[Deal]:
    """Every deal of the sheet with its current entry, in order."""
    deals = _of_sheet.rows(sheet=sheet.pk)
    for deal in deals:
        deal.sheet = sheet
    return deals
