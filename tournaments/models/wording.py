from django.db import models
from django.utils.translation import gettext_lazy as _

from clubs.models import Club, Language, Versioned


class ClubText(Versioned):
    """The club's own wording of what it sends out after an evening; empty once the club has gone
    back to the standard wording."""

    class Kind(models.TextChoices):
        MESSAGE = "message", _("message for the group")
        NEWSPAPER = "newspaper", _("piece for the newspaper")

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="texts")
    kind = models.CharField(max_length=9, choices=Kind.choices)
    language = models.CharField(max_length=2, choices=Language.choices)
    wording = models.TextField(_("wording"), max_length=4000, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["club", "kind", "language"], name="club_text_once_per_kind_and_language"
            ),
            models.CheckConstraint(
                condition=models.Q(kind__in=["message", "newspaper"]), name="club_text_kind_known"
            ),
            models.CheckConstraint(
                condition=models.Q(language__in=Language.values), name="club_text_language_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.club}: {self.get_kind_display()} ({self.language})"
