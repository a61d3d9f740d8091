"""Events that leagues get from clubs on other servers: the links of clubs, the sources of leagues,
and what came."""

from urllib.parse import urlsplit

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from clubs.models import Club, User, Versioned
from tournaments.models.leagues import League, MatchDay


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
    the same one again is known. `day` is the match day whose results it brought, if any.
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

    class Meta:
        ordering = ["-date", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["league", "event_uuid"], name="league_event_once"),
            models.CheckConstraint(condition=Q(number__gte=1), name="league_event_number_from_1"),
        ]

    def __str__(self) -> str:
        return f"{self.club}, {self.date}"
