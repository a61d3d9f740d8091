from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from clubs.models import Club, Member
from tournaments.models.evening import Evening
from tournaments.models.season import Season


class Cup(models.Model):
    """A challenge cup: handed on each time, and kept by who has won it `wins_to_keep` times."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="cups")
    name = models.CharField(_("name"), max_length=60)
    wins_to_keep = models.PositiveSmallIntegerField(_("kept after how many wins"), default=3)

    class Meta:
        ordering = ["name", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["club", "name"], name="cup_name_once_per_club"),
            models.CheckConstraint(condition=Q(wins_to_keep__gte=1), name="cup_kept_from_1_win"),
        ]

    def __str__(self) -> str:
        return self.name


class CupWin(models.Model):
    """Somebody won the cup, on an evening, over a season, or once upon a time."""

    cup = models.ForeignKey(Cup, on_delete=models.CASCADE, related_name="wins")
    member = models.ForeignKey(Member, on_delete=models.RESTRICT, related_name="cup_wins")
    won_on = models.DateField(_("won on"))
    evening = models.ForeignKey(Evening, on_delete=models.SET_NULL, null=True, blank=True)
    season = models.ForeignKey(Season, on_delete=models.SET_NULL, null=True, blank=True)

    class Meta:
        ordering = ["won_on", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["cup", "member", "won_on"], name="cup_won_once_a_day"),
        ]

    def __str__(self) -> str:
        return f"{self.cup} {self.won_on}: {self.member}"
