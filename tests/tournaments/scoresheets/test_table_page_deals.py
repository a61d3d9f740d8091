"""Writing a deal at the table: seen in words first, written once, corrected, undone, overtaken."""

import uuid
from typing import Final

import pytest
from django.test import Client

from clubs.audit.services import Actor
from clubs.models import Club
from scoring.deals.services import deal_write
from scoring.models import Deal, DealEntry
from tests.factories import TESTS, ClubFactory, director_of, table, write_deal
from tests.tournaments.table_pages import fields_of, link, playing, words, write
from tournaments.models import Evening
from tournaments.rounds.services import round_close
from tournaments.table_links.services import token_renew

pytestmark = pytest.mark.django_db


@pytest.fixture
def evening() -> Evening:
    return playing()


@pytest.fixture
def sheet(evening: Evening) -> str:
    return link(evening) + "rounds/1/"


def deal(evening: Evening, number: int = 1) -> Deal:
    return Deal.objects.select_related("current").get(sheet=table(evening).sheet_id, number=number)


def written(evening: Evening, number: int = 1) -> object:
    current = deal(evening, number).current
    return current.written if current else None


@pytest.mark.full
def test_without_scripts_a_deal_is_shown_in_words_and_then_written(
    client: Client, evening: Evening, sheet: str
) -> None:
    url = f"{sheet}deals/1/"
    typed = {"declarer": "NS", "trump": "H", "points_ew": "65", "roem_ns": "20 50"}
    check = client.post(url, fields_of(client.get(url), url) | typed)
    assert check.status_code == 200
    assert "Wij 97 + 70 roem = 167, zij 65: gehaald" in words(check)
    assert written(evening) is None
    saved = client.post(url, fields_of(check, url))
    assert saved.status_code == 303
    assert saved.headers["Location"] == sheet
    assert written(evening) == {
        "declarer": "NS",
        "trump": "H",
        "points": {"EW": 65},
        "roem": {"NS": [20, 50]},
    }
    shown = words(client.get(sheet))
    assert "Geschreven: spel 1, 167–65" in shown
    assert "Schrijf spel 2" in shown


@pytest.mark.full
def test_back_from_the_words_keeps_what_was_typed(client: Client, sheet: str) -> None:
    url = f"{sheet}deals/1/"
    typed = {"declarer": "EW", "trump": "S", "points_ns": "70", "roem_ew": "20"}
    check = client.post(url, fields_of(client.get(url), url) | typed)
    back = client.post(url, fields_of(check, url) | {"back": "1"})
    assert back.status_code == 200
    assert {key: fields_of(back, url)[key] for key in typed} == typed


SEEN: Final = '{"declarer":"NS","points":{"NS":90},"trump":null}'
"""What a phone sends along that has said what NS 90 comes to."""


def test_what_the_phone_has_said_is_written_at_once(
    client: Client, evening: Evening, sheet: str
) -> None:
    url = f"{sheet}deals/1/"
    filled = fields_of(client.get(url), url) | {"declarer": "NS", "points_ns": "90"}
    assert client.post(url, filled | {"previewed": SEEN}).status_code == 303
    assert written(evening) == {"declarer": "NS", "trump": None, "points": {"NS": 90}}


@pytest.mark.full
def test_what_the_phone_has_not_said_is_shown_first(
    client: Client, evening: Evening, sheet: str
) -> None:
    url = f"{sheet}deals/1/"
    filled = fields_of(client.get(url), url) | {"declarer": "NS", "points_ns": "90"}
    response = client.post(url, filled | {"points_ns": "100", "previewed": SEEN})
    assert "Wij 100, zij 62: gehaald" in words(response)
    assert written(evening) is None


@pytest.mark.full
@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ({"declarer": "NS", "points_ns": "70"}, "Wij 70, zij 92: nat Zij 162, wij 0"),
        ({"declarer": "NS", "nat": "on"}, "Nat zonder tellen Zij 162, wij 0"),
        ({"declarer": "EW", "pit": "EW"}, "Pit: zij 162 + 100 pit = 262, wij 0"),
        ({"declarer": "EW", "pit": "NS"}, "Tegenpit: wij 162 + 100 pit = 262, zij 0"),
        (
            {"declarer": "NS", "reneged": "E"},
            "Mia heeft verzaakt: wij 162 + 100 roem = 262, zij 0",
        ),
        ({"declarer": "NS", "replayed": "on"}, "Dit spel wordt overgedaan en telt niet"),
        ({"points_ns": "90"}, "Geef aan wie er speelt."),
        (
            {"declarer": "NS"},
            "Vul de punten van één partij in, of geef aan dat het nat of pit is.",
        ),
        ({"declarer": "NS", "points_ns": "163"}, "Punten liggen tussen 0 en 162; hier staat 163."),
    ],
)
def test_without_a_phone_that_says_it_a_page_says_it_in_words(
    client: Client, sheet: str, typed: dict[str, str], said: str
) -> None:
    url = f"{sheet}deals/1/"
    response = client.post(url, fields_of(client.get(url), url) | typed)
    assert said in words(response)


@pytest.mark.full
def test_the_clubs_own_word_for_pit_is_used(client: Client) -> None:
    club = ClubFactory.create()
    Club.objects.update(pit_word="mars")
    sheet = link(playing(club=club)) + "rounds/1/"
    url = f"{sheet}deals/1/"
    assert write(client, url, declarer="EW", pit="NS").status_code == 303
    shown = words(client.get(sheet))
    assert "tegenmars" in shown
    assert "mars wij" in shown
    assert "pit" not in shown


def test_a_deal_that_cannot_be_is_refused_with_every_fault_and_keeps_what_was_typed(
    client: Client, evening: Evening, sheet: str
) -> None:
    url = f"{sheet}deals/1/"
    typed = {"declarer": "NS", "points_ns": "161", "roem_ew": "30"}
    response = client.post(url, fields_of(client.get(url), url) | typed)
    assert response.status_code == 422
    page = response.content.decode()
    assert '<a href="#id_points_ns">Punten wij: Precies 161 kan niet' in page
    assert '<a href="#id_roem_ew">Roem zij: 30 roem bestaat niet.' in page
    assert {key: fields_of(response, url)[key] for key in typed} == typed
    assert written(evening) is None


@pytest.mark.full
def test_words_for_roem_that_are_no_numbers_are_refused(client: Client, sheet: str) -> None:
    response = write(client, f"{sheet}deals/1/", declarer="NS", points_ns="90", roem_ns="veel")
    assert response.status_code == 422
    assert "Schrijf roem als getallen met een spatie ertussen" in words(response)


@pytest.mark.full
def test_a_double_tap_writes_once(client: Client, evening: Evening, sheet: str) -> None:
    url = f"{sheet}deals/1/"
    check = client.post(
        url, fields_of(client.get(url), url) | {"declarer": "NS", "points_ns": "90"}
    )
    sent = fields_of(check, url)
    assert [client.post(url, sent).status_code for _tap in range(2)] == [303, 303]
    assert DealEntry.objects.count() == 1


@pytest.mark.full
def test_after_the_browsers_back_button_other_figures_are_a_choice(
    client: Client, evening: Evening, sheet: str
) -> None:
    url = f"{sheet}deals/1/"
    before = fields_of(client.get(url), url)
    first = client.post(url, before | {"declarer": "NS", "points_ns": "90"})
    client.post(url, fields_of(first, url))
    again = client.post(url, before | {"declarer": "NS", "points_ns": "100"})
    response = client.post(url, fields_of(again, url))
    assert response.status_code == 422
    assert "Spel 1 is al geschreven" in words(response)
    assert written(evening) == {"declarer": "NS", "trump": None, "points": {"NS": 90}}


class TestTwoPhones:
    """Both have the page of deal 1 open; the other one writes 97–65 first."""

    @pytest.fixture
    def overtaken(self, client: Client, evening: Evening, sheet: str) -> dict[str, str]:
        """What our phone is about to send: 79–83 by them."""
        url = f"{sheet}deals/1/"
        mine = fields_of(client.get(url), url)
        mine |= {"declarer": "EW", "points_ns": "79", "roem_ew": "20"}
        mine = fields_of(client.post(url, mine), url)
        assert write(Client(), url, declarer="NS", trump="H", points_ew="65").status_code == 303
        return mine

    def test_both_values_are_shown_and_nothing_is_lost(
        self, client: Client, evening: Evening, sheet: str, overtaken: dict[str, str]
    ) -> None:
        response = client.post(f"{sheet}deals/1/", overtaken)
        assert response.status_code == 409
        shown = words(response)
        assert "Spel 1 is al geschreven door de andere telefoon: 97–65" in shown
        assert "Nu op de tellijst Wij 97, zij 65: gehaald Laat het zo" in shown
        assert "U tikte in Zij 83 + 20 roem = 103, wij 79: gehaald" in shown
        assert deal(evening).version == 1

    @pytest.mark.full
    def test_mine_can_be_kept_as_a_correction(
        self, client: Client, evening: Evening, sheet: str, overtaken: dict[str, str]
    ) -> None:
        url = f"{sheet}deals/1/"
        kept = client.post(url, fields_of(client.post(url, overtaken), url))
        assert kept.status_code == 303
        assert written(evening) == {
            "declarer": "EW",
            "trump": None,
            "points": {"NS": 79},
            "roem": {"EW": [20]},
        }
        current = deal(evening).current
        assert current is not None
        assert current.reason == "op twee telefoons geschreven"

    @pytest.mark.full
    def test_the_same_deal_on_both_phones_is_no_quarrel(
        self, client: Client, evening: Evening, sheet: str, overtaken: dict[str, str]
    ) -> None:
        url = f"{sheet}deals/1/"
        same = {"declarer": "NS", "trump": "H", "points_ns": "", "points_ew": "65", "roem_ew": ""}
        check = client.post(url, overtaken | same)
        assert client.post(url, fields_of(check, url)).status_code == 303
        assert DealEntry.objects.count() == 1

    def test_the_director_is_named(
        self, client: Client, evening: Evening, sheet: str, overtaken: dict[str, str]
    ) -> None:
        deal_write(
            sheet_id=table(evening).sheet_id,
            number=1,
            seen_version=1,
            uuid=uuid.uuid4(),
            written={"declarer": "NS", "trump": "H", "points": {"EW": 60}},
            actor=Actor.of_user(director_of(evening.club)),
            reason="verteld",
        )
        response = client.post(f"{sheet}deals/1/", overtaken)
        assert "Spel 1 is al geschreven door de wedstrijdleider: 102–60" in words(response)


class TestCorrecting:
    @pytest.fixture
    def url(self, client: Client, evening: Evening, sheet: str) -> str:
        url = f"{sheet}deals/1/"
        write(client, url, declarer="NS", trump="H", points_ew="65", roem_ns="20")
        return url

    @pytest.mark.full
    def test_the_form_is_filled_in_with_what_is_written(self, client: Client, url: str) -> None:
        filled = fields_of(client.get(url), url)
        assert (filled["declarer"], filled["trump"]) == ("NS", "H")
        assert (filled["points_ns"], filled["points_ew"]) == ("", "65")
        assert (filled["roem_ns"], filled["roem_ew"]) == ("20", "")

    @pytest.mark.full
    def test_it_needs_a_reason(self, client: Client, evening: Evening, url: str) -> None:
        refused = write(client, url, points_ew="60")
        assert refused.status_code == 422
        assert "Geef aan waarom u het spel wijzigt." in words(refused)
        assert deal(evening).version == 1

    @pytest.mark.full
    def test_the_history_says_who_what_and_why(
        self, client: Client, evening: Evening, url: str
    ) -> None:
        assert write(client, url, points_ew="60", why="miscounted").status_code == 303
        shown = words(client.get(url))
        assert "122–60" in shown
        assert "aan tafel, telefoon 1 · verkeerd geteld" in shown
        assert "117–65" in shown

    @pytest.mark.full
    def test_something_else_wants_own_words(
        self, client: Client, evening: Evening, url: str
    ) -> None:
        assert write(client, url, points_ew="60", why="other").status_code == 422
        answer = write(client, url, points_ew="60", why="other", why_else="boer over het hoofd")
        assert answer.status_code == 303
        current = deal(evening).current
        assert current is not None
        assert current.reason == "boer over het hoofd"

    @pytest.mark.full
    def test_the_directors_correction_stays_when_the_table_corrects(
        self, client: Client, evening: Evening, url: str
    ) -> None:
        fine = [{"seat": "E", "points": -50, "reason": "seinen"}]
        write_deal(table(evening), 1, corrections=fine)
        assert write(client, url, points_ns="100", why="miscounted").status_code == 303
        assert written(evening) == {
            "declarer": "NS",
            "trump": "H",
            "points": {"NS": 100},
            "corrections": fine,
        }


def undo(client: Client, sheet: str, number: int = 1) -> int:
    url = f"{sheet}deals/{number}/undo/"
    return client.post(url, fields_of(client.get(sheet), url)).status_code


def test_the_last_deal_can_be_undone_until_the_next(
    client: Client, evening: Evening, sheet: str
) -> None:
    write(client, f"{sheet}deals/1/", declarer="NS", points_ns="90")
    write(client, f"{sheet}deals/2/", declarer="NS", points_ns="80")
    early = client.post(f"{sheet}deals/1/undo/", {"seen_version": "1", "uuid": str(uuid.uuid4())})
    assert early.status_code == 409
    assert "Hier valt niets ongedaan te maken." in words(early)
    assert undo(client, sheet, 2) == 303
    assert written(evening, 2) is None
    assert "Schrijf spel 2" in words(client.get(sheet))


@pytest.mark.full
def test_an_undo_of_what_changed_meanwhile_is_refused(
    client: Client, evening: Evening, sheet: str
) -> None:
    write(client, f"{sheet}deals/1/", declarer="NS", points_ns="90")
    url = f"{sheet}deals/1/undo/"
    seen = fields_of(client.get(sheet), url)
    write_deal(table(evening), 1, points={"NS": 100})
    assert client.post(url, seen).status_code == 409
    assert deal(evening).version == 2


@pytest.mark.full
def test_a_deal_that_is_dealt_again_is_written_on_the_same_line_without_a_reason(
    client: Client, evening: Evening, sheet: str
) -> None:
    url = f"{sheet}deals/1/"
    assert write(client, url, declarer="NS", replayed="on").status_code == 303
    shown = words(client.get(sheet))
    assert "Schrijf spel 1" in shown
    assert "Geschreven: spel 1, opnieuw gegeven" in shown
    assert write(client, url, declarer="NS", points_ns="90").status_code == 303
    assert written(evening) == {"declarer": "NS", "trump": None, "points": {"NS": 90}}


@pytest.mark.full
def test_a_closed_round_takes_no_deal_and_shows_what_was_typed(
    client: Client, evening: Evening, sheet: str
) -> None:
    url = f"{sheet}deals/1/"
    check = client.post(
        url, fields_of(client.get(url), url) | {"declarer": "NS", "points_ns": "90"}
    )
    round_close(round_id=evening.rounds.get().pk, actor=TESTS, unfinished_reason="laat")
    response = client.post(url, fields_of(check, url))
    assert response.status_code == 409
    assert "Deze ronde is afgesloten." in words(response)
    assert "Wij 90, zij 72: gehaald" in words(response)
    assert written(evening) is None


def test_a_withdrawn_link_writes_nothing(client: Client, evening: Evening, sheet: str) -> None:
    url = f"{sheet}deals/1/"
    filled = fields_of(client.get(url), url) | {"declarer": "NS", "points_ns": "90"}
    sent = fields_of(client.post(url, filled), url)
    token_renew(evening_id=evening.pk, table_number=1, actor=TESTS)
    assert client.post(url, sent).status_code == 410
    assert written(evening) is None


def test_a_foreign_page_needs_no_csrf_cookie_but_the_secret(evening: Evening, sheet: str) -> None:
    strict = Client(enforce_csrf_checks=True)
    assert write(strict, f"{sheet}deals/1/", declarer="NS", points_ns="90").status_code == 303
    assert written(evening) == {"declarer": "NS", "trump": None, "points": {"NS": 90}}
