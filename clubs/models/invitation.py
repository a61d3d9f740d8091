import uuid
from datetime import timedelta

from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _

from clubs.models.club import Club, Role

GOOD_FOR = timedelta(days=14)


class Invitation(models.Model):
    """Somebody asked to join a club's team. Its link is the key, until `expires_at`.

    It is gone once it is accepted or withdrawn: what is left of it stands in the trail.
    """

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="invitations")
    email = models.EmailField(_("e-mail address"))
    name = models.CharField(_("name"), max_length=100, blank=True)
    kind = models.CharField(max_length=12, choices=Role.Kind.choices)
    made_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()

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
        ]

    def __str__(self) -> str:
        return self.name or self.email

    @property
    def code(self) -> str:
        """What its link holds: 160 bits that only this server's key can make, kept nowhere."""
        return salted_hmac("clubs.invitation", str(self.uuid), algorithm="sha256").hexdigest()[:40]

    @property
    def is_open(self) -> bool:
        """Whether its link still lets somebody in."""
        return self.expires_at > timezone.now()
