"""Clubs with their roles, the trail, and what is kept for those who watch the server."""

from typing import ClassVar

from django.core.validators import RegexValidator
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from clubs.models.rows import AuditChain, Versioned
from clubs.models.user import User
from clubs.text.numbers import roem_letters_valid

SLUG = RegexValidator(
    r"\A[a-z0-9]+(-[a-z0-9]+)*\Z", _("Use small letters, digits and single dashes.")
)


MOST_PHOTO_DAYS = 366


class Language(models.TextChoices):
    DUTCH = "nl", "Nederlands"
    ENGLISH = "en", "English"


class PitWord(models.TextChoices):
    """What clubs call taking all eight tricks; a club may have a word of its own instead."""

    PIT = "pit", _("pit")
    MARS = "mars", _("mars")


class SitOutWord(models.TextChoices):
    """What clubs call not playing a round because the tables are full; a club may have a word of
    its own instead."""

    SIT_OUT = "sit_out", _("sit out")
    STANDING = "standing", _("standing number")
    DRAWN_OUT = "drawn_out", _("drawn out")
    JOKER = "joker", _("joker")


class PublicAs(models.TextChoices):
    """How somebody is named on public pages."""

    NAME = "name", _("with the name")
    INITIALS = "initials", _("with initials only")
    HIDDEN = "hidden", _("not at all")


class PaperSheet(models.TextChoices):
    """Which score sheet a club prints."""

    PLAIN = "plain", _("the usual one: as large as it can be, one or two on a page")
    READING = "reading", _("the one with a box for each digit, which a photo can be read from")


class SearchEngines(models.TextChoices):
    """Which public pages of a club search engines may show."""

    NOTHING = "none", _("nothing")
    PLAIN = "plain", _("the calendar and how we play, no page with names")
    NAMES = "names", _("everything that is public, also results and players with their names")


class ClubQuerySet(models.QuerySet["Club"]):
    def listed(self) -> "ClubQuerySet":
        """Without practice clubs, which stand in no list and count for nothing."""
        return self.filter(practice_of=None)

    def shown(self) -> "ClubQuerySet":
        """Those that the public may know of."""
        return self.listed().filter(suspended_at=None)


class Club(AuditChain, Versioned):
    """A club. `version` counts the changes of its settings, `rule_notes_version` those of its
    rule notes taken together.

    A practice club is another club's: a few made-up people and an evening to practise with. It has
    no team (that of `practice_of` works there) and no trail, and goes at `practice_until`.
    """

    chain_kind = "club"

    name = models.CharField(_("name"), max_length=100)
    slug = models.CharField(_("web name"), max_length=50, unique=True, validators=[SLUG])
    language = models.CharField(
        _("language"), max_length=2, choices=Language.choices, default=Language.DUTCH
    )
    pit_word = models.CharField(_("word for pit"), max_length=20, default=PitWord.PIT)
    sit_out_word = models.CharField(
        _("word for sitting out"), max_length=20, default=SitOutWord.SIT_OUT
    )
    roem_letters = models.CharField(
        _("letters for roem on paper sheets"),
        max_length=60,
        blank=True,
        validators=[roem_letters_valid],
        help_text=_(
            "The letters your scorekeepers write instead of numbers, each with its value, for "
            "example D=20 V=50. People who type sheets can then use them too."
        ),
    )
    address = models.URLField(
        _("address on the hall's network"),
        blank=True,
        help_text=_("The address phones open; it is used in every link and QR code."),
    )
    # Which score sheet is printed, and how long pictures of sheets are kept after the result.
    paper_sheet = models.CharField(
        max_length=7, choices=PaperSheet.choices, default=PaperSheet.PLAIN, editable=False
    )
    sheet_photo_days = models.PositiveSmallIntegerField(default=14, editable=False)
    # Whether organisers must log in with a code or a passkey too before they can do anything here.
    asks_second_factor = models.BooleanField(default=False, editable=False)
    # What the club shows to the world; clubs/profile/views.py says what each means.
    search_engines = models.CharField(
        max_length=5, choices=SearchEngines.choices, default=SearchEngines.PLAIN, editable=False
    )
    new_public_as = models.CharField(
        max_length=8, choices=PublicAs.choices, default=PublicAs.NAME, editable=False
    )
    frame_sites = models.JSONField(default=list, blank=True, editable=False)
    logo_version = models.PositiveIntegerField(default=0, editable=False)
    rule_notes_version = models.PositiveIntegerField(default=1, editable=False)
    is_demo = models.BooleanField(default=False, editable=False)
    # The address at which a phone opened the page that tries it out.
    phone_address = models.CharField(max_length=200, blank=True, editable=False)
    # Whether the desk no longer shows the first steps.
    start_put_away = models.BooleanField(default=False, editable=False)
    practice_of = models.ForeignKey(
        "self",
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        editable=False,
        related_name="practice_clubs",
    )
    practice_until = models.DateTimeField(null=True, blank=True, editable=False)
    # On a server for many: since when its operator has closed the club, and the day it goes.
    suspended_at = models.DateTimeField(null=True, blank=True, editable=False)
    goes_on = models.DateField(null=True, blank=True, editable=False)

    objects: ClassVar[ClubQuerySet] = ClubQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(fields=["practice_of"], name="club_has_one_practice_club"),
            models.CheckConstraint(
                condition=models.Q(practice_of=None, practice_until=None)
                | models.Q(practice_of__isnull=False, practice_until__isnull=False),
                name="club_practice_has_an_end",
            ),
            models.CheckConstraint(
                condition=~models.Q(practice_of=models.F("id")), name="club_practice_is_another"
            ),
            models.CheckConstraint(
                condition=models.Q(goes_on=None) | models.Q(suspended_at__isnull=False),
                name="club_goes_once_suspended",
            ),
            models.CheckConstraint(
                condition=models.Q(language__in=Language.values), name="club_language_known"
            ),
            models.CheckConstraint(
                condition=models.Q(paper_sheet__in=PaperSheet.values), name="club_paper_sheet_known"
            ),
            models.CheckConstraint(
                condition=models.Q(sheet_photo_days__lte=MOST_PHOTO_DAYS),
                name="club_sheet_photo_days_at_most_a_year",
            ),
            models.CheckConstraint(
                condition=models.Q(search_engines__in=SearchEngines.values),
                name="club_search_engines_known",
            ),
            models.CheckConstraint(
                condition=models.Q(new_public_as__in=PublicAs.values),
                name="club_new_public_as_known",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("club_page", args=[self.slug])

    def get_pit_word_display(self) -> str:
        """The word for pit, in the reader's language unless it is the club's own."""
        return _word(PitWord, self.pit_word)

    def get_sit_out_word_display(self) -> str:
        """The word for sitting out, likewise."""
        return _word(SitOutWord, self.sit_out_word)


def _word(known: type[models.TextChoices], word: str) -> str:
    return str(known(word).label) if word in known.values else word


class Role(models.Model):
    """What a user may do at a club."""

    class Kind(models.TextChoices):
        ORGANISER = "organiser", _("organiser")
        DIRECTOR = "director", _("director")
        SCOREKEEPER = "scorekeeper", _("scorekeeper")

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="roles")
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="roles")
    kind = models.CharField(max_length=12, choices=Kind.choices)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "club"], name="role_one_per_user_and_club"),
            models.CheckConstraint(
                condition=models.Q(kind__in=["organiser", "director", "scorekeeper"]),
                name="role_kind_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.kind} ({self.club})"


class ClubLogo(models.Model):
    """A club's picture for paper and its public page, as a PNG of at most 800 pixels a side.

    `Club.logo_version` is 0 while there is none, and another and higher number with every one.
    """

    club = models.OneToOneField(Club, on_delete=models.CASCADE, related_name="logo")
    png = models.BinaryField()
    width = models.PositiveSmallIntegerField()
    height = models.PositiveSmallIntegerField()

    def __str__(self) -> str:
        return f"{self.club}: {self.width}×{self.height}"


# The append-only trail, and what is kept for those who watch the server.


class AuditEvent(models.Model):
    """One thing that happened: appended, never changed.

    `hash` covers every other column and the hash of the event before it. `data` and `actor` hold
    opaque ids only; names and free text stand in `AuditText`, and `commitments` binds them by
    salted hashes, so that a person can be erased and the chain still verifies. What happened in a
    league is in no club.
    """

    club = models.ForeignKey(
        "clubs.Club", on_delete=models.PROTECT, null=True, related_name="audit_events"
    )
    chain = models.CharField(max_length=50)
    number = models.PositiveIntegerField()
    at = models.DateTimeField()
    actor = models.CharField(max_length=60)
    action = models.CharField(max_length=40)
    object_ref = models.CharField(max_length=80)
    data = models.JSONField(default=dict)
    commitments = models.JSONField(default=dict)
    previous = models.CharField(max_length=64, blank=True)
    hash = models.CharField(max_length=64)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["chain", "number"], name="audit_event_number_once"),
            models.CheckConstraint(
                condition=Q(club__isnull=False) | Q(chain__startswith="league:"),
                name="audit_event_without_club_in_league",
            ),
        ]
        indexes = [models.Index(fields=["club", "-at"], name="audit_event_by_club")]

    def __str__(self) -> str:
        return f"{self.chain} {self.number}: {self.action}"


class AuditText(models.Model):
    """Names and free text of an event. Erasing a row leaves the chain intact."""

    event = models.ForeignKey(AuditEvent, on_delete=models.CASCADE, related_name="texts")
    field = models.CharField(max_length=40)
    salt = models.CharField(max_length=32)
    text = models.TextField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["event", "field"], name="audit_text_field_once"),
        ]

    def __str__(self) -> str:
        return f"{self.field}: {self.text}"


class HealthProbe(models.Model):
    """The one row that `/healthz` writes, to learn whether anything can be saved."""

    written_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(pk=1), name="health_probe_is_one_row"),
        ]

    def __str__(self) -> str:
        return f"{self.written_at:%Y-%m-%d %H:%M:%S}"


class CspReport(models.Model):
    """What browsers reported of the content security policy, counted by what was blocked and where.

    `route` is the page's route, never its path; `blocked` is a scheme and host, or a word such as
    `inline`. Nothing says who reported it.
    """

    directive = models.CharField(max_length=40)
    blocked = models.CharField(max_length=120)
    route = models.CharField(max_length=120)
    times = models.PositiveIntegerField(default=1)
    first_at = models.DateTimeField()
    last_at = models.DateTimeField(db_index=True)

    class Meta:
        ordering = ["-last_at", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["directive", "blocked", "route"], name="csp_report_once_per_kind"
            ),
            models.CheckConstraint(condition=Q(times__gte=1), name="csp_report_was_seen"),
        ]

    def __str__(self) -> str:
        return f"{self.directive}: {self.blocked} ({self.route})"
