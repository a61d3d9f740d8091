"""Backup copies: files of a club that are made and put back on pages, and the folder for copies
that are made by themselves."""

import errno
import os
import uuid
from datetime import timedelta

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs.models import Club, User


class Copy(models.Model):
    """A file with everything of a club: to download, sent to be put back, or kept of what was
    replaced.

    It stands in the database in pieces, so that any server can go on with it. Without a club it was
    sent to an installation that has none yet. `contents` says what a file that was sent holds.
    """

    class Kind(models.TextChoices):
        MADE = "made"
        SENT = "sent"
        BEFORE = "before"

    class State(models.TextChoices):
        SENDING = "sending"
        WORKING = "working"
        READY = "ready"
        PLACING = "placing"
        PLACED = "placed"
        FAILED = "failed"

    SILENT = {State.WORKING: timedelta(minutes=5), State.PLACING: timedelta(hours=1)}
    """After so long nobody works on it any more. Who puts one back on SQLite lets nobody write
    meanwhile, not even how far it is."""
    BUSY = tuple(SILENT)

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    club = models.ForeignKey(Club, on_delete=models.CASCADE, null=True, related_name="copies")
    user = models.ForeignKey(User, on_delete=models.SET_NULL, null=True)
    kind = models.CharField(max_length=6, choices=Kind.choices)
    state = models.CharField(max_length=7, choices=State.choices, default=State.WORKING)
    name = models.CharField(max_length=200)
    size = models.PositiveBigIntegerField(default=0)
    done = models.PositiveSmallIntegerField(default=0)
    fault = models.TextField(blank=True)
    contents = models.JSONField(default=list, encoder=DjangoJSONEncoder)
    started_at = models.DateTimeField(auto_now_add=True)
    touched_at = models.DateTimeField(default=timezone.now)
    taken_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(done__lte=100), name="copy_done_of_a_hundred"),
        ]

    def __str__(self) -> str:
        return f"{self.name}: {self.state}"

    @property
    def has_stopped(self) -> bool:
        """Whether the process that worked on it is gone."""
        silent = self.SILENT.get(Copy.State(self.state))
        return silent is not None and self.touched_at < timezone.now() - silent

    @property
    def is_ready(self) -> bool:
        """Whether it is sound: also when whoever was putting it back is gone."""
        return self.state == self.State.READY or (
            self.state == self.State.PLACING and self.has_stopped
        )

    @property
    def said(self) -> str:
        """Why it cannot be used."""
        return self.fault.partition("\n")[0]

    @property
    def details(self) -> str:
        """What is wrong with its rows, in English, for whoever looks into the file."""
        return self.fault.partition("\n")[2]

    @property
    def is_busy(self) -> bool:
        """Whether something is being done with it."""
        return self.state in self.BUSY and not self.has_stopped


class CopyPiece(models.Model):
    """A piece of the content of a copy."""

    copy = models.ForeignKey(Copy, on_delete=models.CASCADE, related_name="pieces")
    number = models.PositiveIntegerField()
    content = models.BinaryField()

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["copy", "number"], name="copy_piece_number_once"),
        ]

    def __str__(self) -> str:
        return f"{self.copy}, {self.number}"


class CopyFolder(models.Model):
    """The folder of this computer that copies of the whole database go to by themselves, and how
    that went last; there is at most one."""

    GONE, UNWRITABLE = "gone", "unwritable: "

    path = models.CharField(max_length=500)
    chosen_at = models.DateTimeField(auto_now_add=True)
    tried_at = models.DateTimeField(null=True)
    made_at = models.DateTimeField(null=True)
    made_name = models.CharField(max_length=100, blank=True)
    fault = models.CharField(max_length=500, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(pk=1), name="copy_folder_at_most_one"),
        ]

    def __str__(self) -> str:
        return self.path

    @property
    def is_gone(self) -> bool:
        """Whether the folder was not there the last time."""
        return self.fault == self.GONE

    @property
    def why(self) -> str:
        """Why the folder could not be written, after "it cannot be written: "."""
        fault = self.fault.removeprefix(self.UNWRITABLE)
        return disk_words(int(fault)) if fault.isdecimal() else fault


def disk_words(number: int | None) -> str:
    """What the system says with this number when a file cannot be written, in words where people
    can do something about it."""
    known = {
        errno.ENOSPC: _("it is full"),
        errno.EROFS: _("it can only be read"),
        errno.EACCES: _("this computer does not allow it"),
        errno.EPERM: _("this computer does not allow it"),
        errno.EIO: _("it is broken, or was pulled out"),
    }
    return known.get(number or 0) or os.strerror(number or 0)
