from django.db import models

from clubs.models.club import Club


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
