"""What the tests of the hall's screen share."""

from django.db.models import F

from tests.factories import TESTS
from tests.tournaments.public_pages import play_round
from tournaments.draw.services import draw_make, draw_publish
from tournaments.models import Evening, HallScreen
from tournaments.rounds.services import round_start


def screen_held(evening: Evening, scene: str = "", turn: int = 0, **columns: object) -> HallScreen:
    """Let the screen stand still at one picture: it turns with the clock."""
    hall, _is_new = HallScreen.objects.get_or_create(evening=evening)
    steered = {"scene": scene, "turn": turn, "held": True, **columns}
    HallScreen.objects.filter(pk=hall.pk).update(version=F("version") + 1, **steered)
    hall.refresh_from_db()
    return hall


def second_round(evening: Evening, number: int = 2) -> None:
    """The round before is over, and round 2, or `number`, is drawn and started."""
    play_round(evening, number=number - 1)
    draw_make(evening_id=evening.pk, actor=TESTS)
    draw_publish(evening_id=evening.pk, actor=TESTS)
    round_start(round_id=evening.rounds.get(number=number).pk, actor=TESTS)
