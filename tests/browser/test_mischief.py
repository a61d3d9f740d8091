"""Names that would do harm, in a real browser: on paper a joke, on a page only letters."""

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from clubs.models import Club, Member
from tests.browser.login import log_in
from tests.factories import evening_with_draw, table, write_deal
from tests.tournaments.desk import EVENING
from tests.tournaments.table_pages import link
from tournaments.models import Evening

pytestmark = pytest.mark.browser

MISCHIEF = """'"><img src=x onerror="hurt=1"><script>hurt=1</script><svg onload=hurt=1>"""
PUBLIC = EVENING.replace("/desk/", "/")


@pytest.fixture
def evening(live_server: LiveServer) -> Evening:
    """An evening where everybody, the club and the evening itself are called so."""
    evening: Evening = evening_with_draw(players=8)
    write_deal(table(evening), 1)
    for member in Member.objects.all():
        Member.objects.filter(pk=member.pk).update(name=f"{member.number} {MISCHIEF}")
    Evening.objects.update(name=MISCHIEF[:80])
    Club.objects.update(name=MISCHIEF, pit_word=MISCHIEF[:20], sit_out_word=MISCHIEF[:20])
    return Evening.objects.get(pk=evening.pk)


def unhurt(page: Page) -> None:
    """No script of a name ran, and no element of one is on the page."""
    page.wait_for_load_state()
    assert page.evaluate("[window.hurt, document.querySelectorAll('img[src=x]').length]") == [
        None,
        0,
    ]


@pytest.mark.full
def test_no_name_does_anything_on_any_page(
    desktop: Page, evening: Evening, live_server: LiveServer
) -> None:
    log_in(desktop, evening.club, live_server.url)
    sheet = f"{EVENING}rounds/1/tables/1/"
    pages = [EVENING, f"{EVENING}board/", f"{EVENING}draw/", f"{EVENING}present/", sheet]
    pages += [f"{sheet}grid/", PUBLIC, f"{PUBLIC}screen/", "/"]
    pages += [f"{link(evening)}rounds/1/deals/2/", link(evening)]
    for page in pages:
        assert desktop.goto(page) is not None
        unhurt(desktop)
    expect(desktop.locator("body")).to_contain_text("<img src=x onerror=")
