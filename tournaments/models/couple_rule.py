from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from clubs.models import Club, Member


class CoupleRule(models.Model):
    """Two people who are always partners when both play, or who never share a table.

    `one` is the one with the lower id, so that a couple is written in one way only.
    """

    class Kind(models.TextChoices):
        FIXED = "fixed", _("always partners")
        APART = "apart", _("never at one table")

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="couple_rules")
    one = models.ForeignKey(Member, on_delete=models.CASCADE, related_name="+")
    two = models.ForeignKey(Member, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=5, choices=Kind.choices)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["one", "two"], name="couple_rule_once_per_couple"),
            models.CheckConstraint(
                condition=Q(one__lt=F("two")), name="couple_rule_lower_id_first"
            ),
            models.CheckConstraint(
                condition=Q(kind__in=["fixed", "apart"]), name="couple_rule_kind_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.one} – {self.two}: {self.get_kind_display()}"

    def clean(self) -> None:
        """Raises ValidationError where one of two partners has another."""
        both = (self.one_id, self.two_id)
        others = CoupleRule.objects.filter(Q(one__in=both) | Q(two__in=both), kind=self.kind)
        if self.kind == self.Kind.FIXED and others.exclude(pk=self.pk).exists():
            raise ValidationError(_("One of these two always plays with somebody else."))
