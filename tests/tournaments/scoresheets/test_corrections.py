"""A correction after the result is out: first who moves, then outdated until it is published."""

import uuid
from typing import Any

import pytest
from django.test import Client

from clubs.models import AuditEvent, AuditText, Club
from scoring.models import DealEntry
from scoring.sheets.side_totals import HandedIn, side_totals_write
from tests.factories import TESTS, ClubFactory, evening_with_draw, table, write_deal
from tests.pdfs import page_texts
from tests.tournaments.desk import EVENING, desk_of, messages_in, text
from tests.tournaments.hall import screen_held
from tests.tournaments.table_pages import fields_of
from tournaments.closing.services import evening_close, evening_reopen
from tournaments.models import Evening
from tournaments.releases.services import stale_release
from tournaments.rounds.services import round_close, round_reopen
from tournaments.standings.queries import evening_standings

pytestmark = pytest.mark.django_db

SHEET = f"{EVENING}rounds/1/tables/1/"
DEAL = f"{SHEET}?deal=1"
PUBLIC = "/clubs/vrolijke-boer/evenings/2026-11-21/"


@pytest.fixture
def published() -> Evening:
    """Eight people, one round of one deal; at table 1 wij have 90, at table 2 wij have 100."""
    evening = evening_with_draw(
        club=ClubFactory.create(), players=8, rounds=1, deals_per_round=1, method="typed_in"
    )
    write_deal(table(evening, 1), 1)
    write_deal(table(evening, 2), 1, points={"NS": 100})
    round_close(round_id=evening.rounds.get().pk, actor=TESTS)
    evening_close(evening_id=evening.pk, actor=TESTS)
    return Evening.objects.get(pk=evening.pk)


def desk() -> Client:
    return desk_of(Club.objects.get())


def correction(**answers: Any) -> dict[str, Any]:
    """What the desk's form sends to have wij at table 1 take 120 of deal 1."""
    return {
        "seen_version": 1,
        "uuid": uuid.uuid4(),
        "declarer": "NS",
        "trump": "H",
        "points_ns": 120,
        "why": "miscounted",
    } | answers


def correct(client: Client, **answers: Any) -> Any:
    """Save that correction, having seen who moves."""
    return client.post(DEAL, correction(**answers) | {"moves": "seen"}, follow=True)


def places(evening: Evening) -> list[tuple[int, str, int]]:
    return [(row.rank, row.name, row.total) for row in evening_standings(evening)]


@pytest.mark.both
def test_it_says_first_who_moves_and_saves_nothing(published: Evening) -> None:
    client = desk()
    before, events = places(published), AuditEvent.objects.count()
    page = client.post(DEAL, correction())
    assert page.status_code == 200
    assert [
        (move.name, move.old_rank, move.rank, move.old_total, move.total)
        for move in page.context["moves"]
    ] == [
        ("Henk Bos", 1, 3, 100, 100),
        ("Kees Mulder", 1, 3, 100, 100),
        ("Jan Bakker", 3, 1, 90, 120),
        ("Piet Visser", 3, 1, 90, 120),
        ("Mia van der Meer", 5, 7, 72, 42),
        ("Truus de Vries", 5, 7, 72, 42),
        ("Annie Smit-de Boer", 7, 5, 62, 62),
        ("Riet van den Berg", 7, 5, 62, 62),
    ]
    assert "8 spelers veranderen van plaats" in text(page)
    assert "van plaats 3 naar 1, van 90 naar 120 punten" in text(page)
    assert "van plaats 1 naar 3, nog steeds met 100 punten" in text(page)
    assert (places(published), AuditEvent.objects.count()) == (before, events)
    assert DealEntry.objects.count() == 2


@pytest.mark.full
def test_the_page_sends_the_same_correction_once_more(published: Evening) -> None:
    client = desk()
    page = client.post(DEAL, correction())
    again = client.post(DEAL, fields_of(page, DEAL) | {"moves": "seen"}, follow=True)
    assert messages_in(again)[0] == "Spel 1 is geschreven."
    assert places(published)[0] == (1, "Jan Bakker", 120)


@pytest.mark.full
def test_who_wants_to_change_it_finds_everything_as_he_typed_it(published: Evening) -> None:
    client = desk()
    page = client.post(DEAL, correction(why="else", why_else="blad kwijt"))
    form = client.post(DEAL, fields_of(page, DEAL) | {"moves": "change"})
    assert form.status_code == 200
    assert (form.context["form"]["points_ns"].value(), form.context["form"].errors) == ("120", {})
    assert form.context["form"]["why_else"].value() == "blad kwijt"
    assert DealEntry.objects.count() == 2


@pytest.mark.full
def test_where_nobody_moves_it_says_so(published: Evening) -> None:
    page = desk().post(DEAL, correction(points_ns=90, trump="S"))
    assert "Niemand verschuift: plaatsen en totalen blijven zoals ze zijn" in text(page)
    higher = desk().post(DEAL, correction(points_ns=95))
    assert "Niemand verandert van plaats, maar de punten wel" in text(higher)
    assert "blijft op plaats 3, van 90 naar 95 punten" in text(higher)


@pytest.mark.full
def test_without_a_reason_it_is_refused_before_anything_is_shown(published: Evening) -> None:
    response = desk().post(DEAL, correction(why=""))
    assert response.status_code == 422
    assert set(response.context["form"].errors) == {"why"}


@pytest.mark.full
def test_what_cannot_be_is_refused_before_anything_is_shown(published: Evening) -> None:
    assert desk().post(DEAL, correction(points_ns=161)).status_code == 422
    assert desk().post(DEAL, correction(seen_version=0)).status_code == 409


def test_an_evening_that_is_on_asks_nothing() -> None:
    evening = evening_with_draw(players=4)
    write_deal(table(evening), 1)
    assert desk().post(DEAL, correction()).status_code == 302


@pytest.mark.full
def test_the_result_is_outdated_until_it_is_published_anew(published: Evening) -> None:
    client = desk()
    assert stale_release(published) is None
    correct(client)
    outdated = stale_release(published)
    assert outdated is not None
    assert outdated.number == 1
    client.post(f"{EVENING}publish/", {"reason": "tafel 1 verkeerd geteld"})
    assert stale_release(published) is None
    assert published.releases.count() == 2


@pytest.mark.full
def test_putting_it_back_makes_the_result_right_again(published: Evening) -> None:
    client = desk()
    correct(client)
    back = {"revision": 1, "seen_version": 2, "uuid": uuid.uuid4(), "moves": "seen"}
    response = client.post(f"{SHEET}deals/1/restore/", back, follow=True)
    assert messages_in(response) == ["Spel 1 is weer zoals het eerder was."]
    assert stale_release(published) is None


@pytest.mark.full
def test_an_evening_that_is_open_again_will_replace_its_result(published: Evening) -> None:
    evening_reopen(evening_id=published.pk, actor=TESTS)
    assert stale_release(Evening.objects.get(pk=published.pk)) is not None


FOLLOWS = "Na deze uitslag is nog iets gewijzigd; er volgt een nieuwe uitslag."
CORRECTED = "Na de uitslag is er nog iets verbeterd"


@pytest.mark.full
def test_the_desk_says_so_everywhere_until_it_is_published_anew(published: Evening) -> None:
    client = desk()
    pages = ["/clubs/vrolijke-boer/desk/", f"{EVENING}board/", f"{EVENING}close/"]
    assert [CORRECTED in text(client.get(page)) for page in pages] == [False] * 3
    correct(client)
    assert [CORRECTED in text(client.get(page)) for page in pages] == [True] * 3
    close = client.get(f"{EVENING}close/")
    assert [(move.name, move.total) for move in close.context["moves"]][2:4] == [
        ("Jan Bakker", 120),
        ("Piet Visser", 120),
    ]
    client.post(f"{EVENING}publish/", {"reason": "tafel 1 verkeerd geteld"})
    assert [CORRECTED in text(client.get(page)) for page in pages] == [False] * 3


@pytest.mark.full
def test_the_public_reads_that_a_correction_follows(published: Evening) -> None:
    anybody, client = Client(), desk()
    screen = f"{PUBLIC}screen/"
    screen_held(published, scene="standings")
    pages = [PUBLIC, f"{PUBLIC}live/", screen, "/clubs/vrolijke-boer/"]
    assert ['id="outdated"' in text(anybody.get(page)) for page in pages] == [False] * 4
    correct(client)
    assert ['id="outdated"' in text(anybody.get(page)) for page in pages] == [True] * 4
    assert FOLLOWS in text(anybody.get(PUBLIC))
    assert "Er volgt een nieuwe uitslag." in text(anybody.get(screen))
    assert [row.total for row in anybody.get(PUBLIC).context["rows"]][:3] == [100, 100, 90]
    client.post(f"{EVENING}publish/", {"reason": "tafel 1 verkeerd geteld"})
    assert ['id="outdated"' in text(anybody.get(page)) for page in pages] == [False] * 4
    assert FOLLOWS not in text(anybody.get(f"{PUBLIC}?release=1"))


@pytest.mark.full
def test_the_printed_list_says_so_too(published: Evening) -> None:
    client, printed = desk(), f"{EVENING}print/standings.pdf"
    follows = "Er volgt een nieuwe uitslag."
    assert follows not in page_texts(client.get(printed).content)[0]
    correct(client)
    assert f"8 spelers. {follows}" in page_texts(client.get(printed).content)[0]


@pytest.mark.full
def test_of_an_evening_that_is_open_again_the_desk_says_what_becomes_of_the_result(
    published: Evening,
) -> None:
    client = desk()
    evening_reopen(evening_id=published.pk, actor=TESTS)
    words = "Uitslag nummer 1 is gepubliceerd voordat deze avond weer werd geopend"
    for page in ("/clubs/vrolijke-boer/desk/", f"{EVENING}board/", f"{EVENING}close/"):
        assert words in text(client.get(page)), page
    assert "Tot nu toe verschuift er niemand" in text(client.get(f"{EVENING}close/"))


@pytest.mark.full
def test_totals_too_need_a_reason_once_a_result_was_out() -> None:
    evening = evening_with_draw(
        club=ClubFactory.create(), players=4, rounds=1, deals_per_round=2, method="typed_in"
    )
    sheet, client = table(evening).sheet, desk()
    totals = {"NS": HandedIn(200), "EW": HandedIn(124)}
    side_totals_write(sheet_id=sheet.pk, totals=totals, actor=TESTS)
    round_close(round_id=evening.rounds.get().pk, actor=TESTS)
    evening_close(evening_id=evening.pk, actor=TESTS)
    evening_reopen(evening_id=evening.pk, actor=TESTS)
    round_reopen(round_id=evening.rounds.get().pk, actor=TESTS)
    page = client.get(f"{SHEET}totals/")
    sent = fields_of(page, "") | {
        "total_ns": "210",
        "points_ns": "210",
        "total_ew": "114",
        "points_ew": "114",
    }
    assert client.post(f"{SHEET}totals/", sent).status_code == 422
    assert client.post(f"{SHEET}totals/", sent | {"reason": "kolom verkeerd"}).status_code == 302
    assert client.post(f"{SHEET}totals/clear/").status_code == 422
    assert client.post(f"{SHEET}totals/clear/", {"reason": "toch spellen"}).status_code == 302
    told_why = AuditText.objects.filter(field="reason", event__chain=sheet.chain_name)
    assert list(told_why.order_by("pk").values_list("text", flat=True)) == [
        "kolom verkeerd",
        "toch spellen",
    ]
