"""A league captain on a phone: says who plays, and what is wrong with a result."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.factories import TESTS
from tests.tournaments.leagues.test_captains import captain_of, team_of
from tests.tournaments.leagues.test_evenings_of_leagues import made, play_round
from tournaments.closing.services import evening_close
from tournaments.models import MatchAnswer, Placement

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

Axe = Callable[[Page], None]


@pytest.mark.full
def test_a_captain_names_a_substitute_and_objects_to_a_result(
    phone: Page, live_server: LiveServer, axe: Axe
) -> None:
    _desk, day, evening = made()
    captain = live_server.url + captain_of(team_of(day.division, "Vrouwen"))
    phone.goto(captain)
    axe(phone)
    phone.get_by_role("link", name="Zeg wie er speelt").first.click()
    first = phone.get_by_role("group", name="Tafel 1")
    expect(first.get_by_label("Tafel 1, speler 1")).to_have_value("Vrouwen 1")
    first.get_by_label("Tafel 1, speler 1").select_option("")
    first.get_by_text("Iemand anders: een invaller").first.click()
    first.get_by_label("Of iemand anders").first.fill("Greet Invaller")
    axe(phone)
    phone.get_by_role("button", name="Opstelling bewaren").click()
    expect(phone.get_by_text("Greet Invaller, Vrouwen 2, Vrouwen 3, Vrouwen 4")).to_be_visible()
    assert Placement.objects.filter(member__name="Greet Invaller").count() == 1
    play_round(evening, 1)
    evening_close(evening_id=evening.pk, actor=TESTS)
    phone.reload()
    phone.get_by_text("Nee, dit klopt niet").click()
    phone.get_by_label("Wat klopt er niet?").fill("Tafel 1 had 1.320")
    phone.get_by_role("button", name="Naar de competitieleider sturen").click()
    expect(phone.get_by_text("U maakt bezwaar: Tafel 1 had 1.320")).to_be_visible()
    axe(phone)
    assert MatchAnswer.objects.get().agrees is False
