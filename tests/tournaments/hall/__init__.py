"""What the tests of the hall's screen share."""

from django.db.models import F

from tournaments.models import Evening, HallScreen


def screen_held(evening: Evening, scene: str = "", turn: int = 0, **columns: object) -> HallScreen:
    """Let the screen stand still at one picture: it turns with the clock."""
    hall, _is_new = HallScreen.objects.get_or_create(evening=evening)
    steered = {"scene": scene, "turn": turn, "held": True, **columns}
    HallScreen.objects.filter(pk=hall.pk).update(version=F("version") + 1, **steered)
    hall.refresh_from_db()
    return hall
