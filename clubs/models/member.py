"""Members of a club, merges of guests, invitations to its team, and uploaded files."""

import datetime as dt
import uuid
from datetime import timedelta
from typing import Any, NamedTuple

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Count, Q, Sum
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubs.models.club import Club, PublicAs, Role
from clubs.models.rows import Versioned
from clubs.models.user import User
from clubs.text.names import initials, name_key, sort_key, tidy_name, with_mark
from clubs.text.numbers import FIRST_DAY, LAST_DAY, whole_number

WITHIN_REACH = [MinValueValidator(FIRST_DAY), MaxValueValidator(LAST_DAY)]


class MemberQuerySet(models.QuerySet["Member"]):
    def of(self, club: Club) -> "MemberQuerySet":
        return self.filter(club=club)

    def active(self) -> "MemberQuerySet":
        return self.filter(is_active=True)

    def with_address(self) -> "MemberQuerySet":
        """Those to whom a letter can be sent."""
        return self.exclude(street="").exclude(town="")

    def with_page(self) -> "MemberQuerySet":
        """Those with a public page, like `Member.has_page`."""
        return self.filter(erased_at=None).exclude(public_as=Member.PublicAs.HIDDEN)

    def fingerprint(self) -> str:
        """A text that differs after any change of any of these people. One query.

        It is made from their versions: a version on the club would make every change of a member
        wait for every other write of the club's row.
        """
        return "-".join(map(str, self.aggregate(Count("pk"), Sum("version")).values()))

    def by_surname(self) -> "MemberQuerySet":
        """In the order of the Dutch telephone book: Jan van der Meer under M."""
        return self.order_by("sort_name", "number", "pk")

    def matching(self, text: str) -> "MemberQuerySet":
        """Those whose name holds every word of `text`, or whose number it is."""
        matches = Q()
        for word in name_key(text).split():
            matches &= Q(name_key__contains=word) | Q(sort_name__contains=sort_key(word))
        if number := whole_number(text.strip()):
            matches |= Q(number=number)
        return self.filter(matches)

    def names(self) -> dict[int, "MemberName"]:
        """Their names by id, without making whole members. One query."""
        known = self.values_list(*MemberName._fields)
        return {values[0]: MemberName(*values) for values in known}

    def desk_names(self) -> dict[int, str]:
        """Their names by id, as the desk reads them. One query."""
        known = self.values_list("pk", "name", "mark")
        return {pk: with_mark(name, mark) for pk, name, mark in known}


class Member(Versioned):
    """Somebody who plays at a club: a member, or a guest for an evening."""

    class Kind(models.TextChoices):
        MEMBER = "member", _("member")
        GUEST = "guest", _("guest")

    PublicAs = PublicAs

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="members")
    number = models.PositiveIntegerField(
        _("number"), null=True, blank=True, validators=[MinValueValidator(1)]
    )
    name = models.CharField(_("name"), max_length=100)
    public_name = models.CharField(
        _("name on public pages"),
        max_length=100,
        blank=True,
        help_text=_("Leave empty to show the full name."),
    )
    public_as = models.CharField(
        _("on public pages"), max_length=8, choices=PublicAs.choices, default=PublicAs.NAME
    )
    kind = models.CharField(
        _("member or guest"), max_length=6, choices=Kind.choices, default=Kind.MEMBER
    )
    is_active = models.BooleanField(_("active"), default=True)
    keeps_table = models.BooleanField(
        _("keeps the same table all evening"),
        default=False,
        help_text=_("For people who cannot walk from table to table."),
    )
    email = models.EmailField(_("e-mail address"), blank=True)
    phone = models.CharField(_("telephone"), max_length=30, blank=True)
    addition = models.CharField(
        _("addition to the name"),
        max_length=30,
        blank=True,
        help_text=_(
            "Tells people of one name apart, such as “sr.” or “Zeeweg”. It is shown only where"
            " somebody else has the same name, on public pages too."
        ),
    )
    street = models.CharField(_("street and house number"), max_length=100, blank=True)
    postcode = models.CharField(_("postcode"), max_length=12, blank=True)
    town = models.CharField(_("town"), max_length=60, blank=True)
    birthday = models.DateField(_("birthday"), null=True, blank=True, validators=WITHIN_REACH)
    member_since = models.DateField(
        _("member since"), null=True, blank=True, validators=WITHIN_REACH
    )
    erased_at = models.DateTimeField(null=True, blank=True, editable=False)
    name_key = models.CharField(max_length=200, editable=False)
    sort_name = models.CharField(max_length=200, editable=False)
    # What tells them from others of the same name, for the club itself and for the public.
    mark = models.CharField(max_length=60, blank=True, editable=False)
    public_mark = models.CharField(max_length=60, blank=True, editable=False)
    # Their id where the club was before it came to this server: their lots are drawn from that.
    first_id = models.PositiveBigIntegerField(null=True, editable=False)

    objects = MemberQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["club", "number"],
                name="member_number_once_per_club",
                violation_error_message=_("This number is already taken."),
            ),
            models.CheckConstraint(
                condition=Q(kind__in=["member", "guest"]), name="member_kind_known"
            ),
            models.CheckConstraint(condition=~Q(name_key=""), name="member_has_a_name"),
            models.CheckConstraint(
                condition=Q(public_as__in=["name", "initials", "hidden"]),
                name="member_public_as_known",
            ),
            models.CheckConstraint(
                condition=Q(erased_at=None)
                | Q(
                    number=None,
                    public_name="",
                    email="",
                    phone="",
                    addition="",
                    street="",
                    postcode="",
                    town="",
                    birthday=None,
                    member_since=None,
                    mark="",
                    public_mark="",
                    is_active=False,
                ),
                name="member_erased_keeps_nothing",
            ),
            models.CheckConstraint(
                condition=Q(birthday=None) | Q(birthday__gte=FIRST_DAY, birthday__lte=LAST_DAY),
                name="member_birthday_within_reach",
            ),
            models.CheckConstraint(
                condition=Q(member_since=None)
                | Q(member_since__gte=FIRST_DAY, member_since__lte=LAST_DAY),
                name="member_since_within_reach",
            ),
        ]
        indexes = [
            models.Index(fields=["club", "sort_name"], name="member_by_surname"),
            models.Index(fields=["club", "name_key"], name="member_by_name"),
        ]

    def __str__(self) -> str:
        return self.desk_name

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.name = tidy_name(self.name)
        self.name_key = name_key(self.name)[:200]
        self.sort_name = sort_key(self.name)[:200]
        super().save(*args, **kwargs)

    @property
    def shown_name(self) -> str:
        """What the public reads."""
        return _shown_name(self)

    @property
    def desk_name(self) -> str:
        """The name at the desk and at the table, told apart from others of that name."""
        return with_mark(self.name, self.mark)

    @property
    def hall_name(self) -> str:
        """The name in the hall, where people have to find their own table."""
        return with_mark(self.public_name or self.name, self.mark)

    @property
    def has_page(self) -> bool:
        """Whether the public may read a page about this person."""
        return _has_page(self)


class MemberName(NamedTuple):
    """The name of a member, for standings, where making whole `Member`s is too slow."""

    pk: int
    name: str
    public_name: str
    public_as: str
    erased_at: dt.datetime | None
    mark: str
    public_mark: str

    @property
    def desk_name(self) -> str:
        """The name at the desk and at the table, told apart from others of that name."""
        return with_mark(self.name, self.mark)

    @property
    def shown_name(self) -> str:
        """What the public reads."""
        return _shown_name(self)

    @property
    def has_page(self) -> bool:
        """Whether the public may read a page about this person."""
        return _has_page(self)


def _shown_name(person: Member | MemberName) -> str:
    if person.public_as == Member.PublicAs.HIDDEN:
        return gettext("Anonymous")
    if person.public_as == Member.PublicAs.INITIALS:
        return with_mark(initials(person.name), person.public_mark)
    return with_mark(person.public_name or person.name, person.public_mark)


def _has_page(person: Member | MemberName) -> bool:
    return person.erased_at is None and person.public_as != Member.PublicAs.HIDDEN


class MemberMerge(models.Model):
    """A guest who was merged into a member, with what it takes to undo that.

    `guest` holds the guest's own details as they were; `handed_over` what became the member's,
    by kind: the ids of the rows, or the rows that had to go.
    """

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="merges")
    member = models.ForeignKey(Member, on_delete=models.CASCADE, related_name="merges")
    guest = models.JSONField()
    handed_over = models.JSONField(default=dict)
    merged_at = models.DateTimeField(auto_now_add=True)
    undone_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-merged_at", "-pk"]
        indexes = [models.Index(fields=["member", "-merged_at"], name="merge_by_member")]

    def __str__(self) -> str:
        return f"{self.guest.get('name', '')} → {self.member}"


GOOD_FOR = timedelta(days=14)
MAIL_TAKES = timedelta(minutes=10)
"""How long a mail can wait behind others; one that is not noted as sent by then was lost."""


class Invitation(models.Model):
    """Somebody asked to join a club's team. Its link is the key, until `expires_at`.

    It is gone once it is accepted or withdrawn: what is left of it stands in the trail.
    """

    class Mail(models.TextChoices):
        """What became of the mail with its link. Where the server broke down it stays under way."""

        NONE = "none", _("not mailed")
        UNDER_WAY = "under_way", _("on its way by mail")
        SENT = "sent", _("mailed")
        FAILED = "failed", _("could not be mailed")

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="invitations")
    email = models.EmailField(_("e-mail address"))
    name = models.CharField(_("name"), max_length=100, blank=True)
    kind = models.CharField(max_length=12, choices=Role.Kind.choices)
    made_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    mail = models.CharField(max_length=9, choices=Mail.choices, default=Mail.NONE)

    class Meta:
        ordering = ["made_at", "pk"]
        constraints = [
            models.UniqueConstraint(
                "club", Lower("email"), name="invitation_one_per_club_and_address"
            ),
            models.CheckConstraint(
                condition=Q(kind__in=["organiser", "director", "scorekeeper"]),
                name="invitation_kind_known",
            ),
            models.CheckConstraint(
                condition=Q(mail__in=["none", "under_way", "sent", "failed"]),
                name="invitation_mail_known",
            ),
        ]

    def __str__(self) -> str:
        return self.name or self.email

    @property
    def code(self) -> str:
        """The secret of its link: 160 bits from the server's key, stored nowhere."""
        return self._code("clubs.invitation")

    @property
    def mailed_code(self) -> str:
        """The secret of the link that is mailed, which nobody sees who does not read that mail."""
        return self._code("clubs.invitation.mailed")

    @property
    def is_mail_missing(self) -> bool:
        """Whether its mail failed, or has been under way for too long to be sent any more."""
        overdue = timezone.now() - self.made_at > MAIL_TAKES
        return self.mail == self.Mail.FAILED or (self.mail == self.Mail.UNDER_WAY and overdue)

    @property
    def is_open(self) -> bool:
        """Whether its link still lets somebody in."""
        return self.expires_at > timezone.now()

    def _code(self, purpose: str) -> str:
        return salted_hmac(purpose, str(self.uuid), algorithm="sha256").hexdigest()[:40]


class Upload(models.Model):
    """A file to import: stored from its preview until the confirmation, for a day at most. The
    outcome stays, without the file.

    `details` is what was chosen with it, such as the season; `outcome` is the result.
    """

    class Kind(models.TextChoices):
        MEMBERS = "members", _("members")
        RESULTS = "results", _("results")
        EVENING = "evening", _("an evening with its deals")

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="uploads")
    user = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True)
    kind = models.CharField(max_length=7, choices=Kind.choices)
    name = models.CharField(max_length=100)
    content = models.BinaryField()
    details = models.JSONField(default=dict)
    outcome = models.JSONField(default=dict)
    made_at = models.DateTimeField(auto_now_add=True)
    done_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-done_at", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(kind__in=["members", "results", "evening"]), name="upload_kind_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.name}"
