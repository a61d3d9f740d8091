"""A club's kinds of evening, such as individual and pairs."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from clubs.models import Club, Versioned
from scoring.models import Regulation


class EveningKind(Versioned):
    """A named set of settings for an evening. The first evening of a kind begins with `settings`,
    each later one as the last evening of its kind."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="kinds")
    name = models.CharField(_("name"), max_length=40)
    regulation = models.ForeignKey(
        Regulation, on_delete=models.RESTRICT, related_name="kinds", verbose_name=_("regulation")
    )
    settings = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering = ["name", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["club", "name"], name="evening_kind_name_once"),
            models.CheckConstraint(condition=~Q(name=""), name="evening_kind_has_a_name"),
        ]

    def __str__(self) -> str:
        return self.name
