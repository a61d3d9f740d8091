from django.db import models
from django.db.models import Q
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from clubs.models import Club
from scoring import rules


class RegulationQuerySet(models.QuerySet["Regulation"]):
    def current(self) -> "RegulationQuerySet":
        """Of each regulation the newest version."""
        newer = Regulation.objects.filter(
            club=models.OuterRef("club"),
            name=models.OuterRef("name"),
            version__gt=models.OuterRef("version"),
        )
        return self.filter(~models.Exists(newer))


class Regulation(models.Model):
    """How a club plays and counts: one version of it, never changed once a sheet uses it."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="regulations")
    name = models.CharField(_("name"), max_length=60)
    version = models.PositiveIntegerField(default=1, editable=False)
    settings = models.JSONField()
    created_at = models.DateTimeField(auto_now_add=True)

    objects = RegulationQuerySet.as_manager()

    class Meta:
        ordering = ["name", "-version"]
        constraints = [
            models.UniqueConstraint(
                fields=["club", "name", "version"], name="regulation_version_once"
            ),
            models.CheckConstraint(condition=Q(version__gte=1), name="regulation_version_from_1"),
        ]

    def __str__(self) -> str:
        return self.name if self.version == 1 else f"{self.name} ({self.version})"

    @cached_property
    def rules(self) -> rules.Regulation:
        """The settings as the rules module reads them."""
        return rules.parse_regulation(self.settings)

    @property
    def is_used(self) -> bool:
        """Whether a sheet was made under it, so that it must stay as it is."""
        return self.scoresheets.exists()

    @property
    def newest(self) -> "Regulation":
        """The newest version of the same regulation."""
        same = Regulation.objects.filter(club=self.club_id, name=self.name)
        return same.select_related("club").order_by("-version")[0]


class RuleNote(models.Model):
    """A club's own words about what no setting decides, for the page with its rules.

    `text_en` is for readers of the English page; where it is empty they read `text`.
    """

    class Topic(models.TextChoices):
        DEALING = "dealing", _("cutting and dealing")
        SIGNALLING = "signalling", _("signalling")
        OUT_OF_TURN = "out_of_turn", _("cards played out of turn")
        COUNTING = "counting", _("who counts")
        OTHER = "other", _("everything else")

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="rule_notes")
    topic = models.CharField(max_length=11, choices=Topic.choices)
    text = models.TextField(max_length=1000)
    text_en = models.TextField(max_length=1000, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["club", "topic"], name="rule_note_once_per_topic"),
            models.CheckConstraint(
                condition=Q(
                    topic__in=["dealing", "signalling", "out_of_turn", "counting", "other"]
                ),
                name="rule_note_topic_known",
            ),
            models.CheckConstraint(condition=~Q(text=""), name="rule_note_says_something"),
        ]

    def __str__(self) -> str:
        return f"{self.get_topic_display()}: {self.text}"
