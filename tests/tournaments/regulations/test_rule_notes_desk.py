"""Writing the club's own rules at the desk: two organisers at once lose nothing."""

import pytest
from django.test import Client

from clubs.models import Club
from scoring.regulations.services import NoteText, rule_notes_of
from tests.factories import ClubFactory, organiser_of
from tests.tournaments.desk import desk_of, messages_in
from tests.tournaments.public_pages import words

pytestmark = pytest.mark.django_db

EDIT = "/clubs/vrolijke-boer/desk/rules/"
TOPICS = ["dealing", "signalling", "out_of_turn", "counting", "other"]


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


@pytest.fixture
def desk(club: Club) -> Client:
    return desk_of(club)


def seen(desk: Client) -> str:
    return str(desk.get(EDIT).context["form"]["seen"].value())


@pytest.mark.full
def test_what_is_written_stands_on_the_page(desk: Client, club: Club) -> None:
    page = desk.post(
        EDIT,
        {"seen": seen(desk), "dealing": "3-2-3.\r\nCouperen moet.", "dealing_en": "3-2-3."},
        follow=True,
    )
    assert messages_in(page) == ["Uw regels zijn bewaard. Zo leest iedereen ze."]
    assert page.redirect_chain == [("/clubs/vrolijke-boer/rules/", 302)]
    assert "Couperen en delen 3-2-3. Couperen moet." in words(page)
    assert rule_notes_of(club)["dealing"] == NoteText("3-2-3.\nCouperen moet.", "3-2-3.")


@pytest.mark.full
def test_the_form_shows_what_stands_and_empties_what_is_emptied(desk: Client, club: Club) -> None:
    desk.post(EDIT, {"seen": seen(desk), "counting": "Wij tellen.", "other": "Koffie."})
    form = desk.get(EDIT).context["form"]
    assert [form[topic].value() for topic in TOPICS] == ["", "", "", "Wij tellen.", "Koffie."]
    desk.post(EDIT, {"seen": seen(desk), "counting": " \r\n ", "other": "Koffie."})
    assert [topic for topic, note in rule_notes_of(club).items() if any(note)] == ["other"]


@pytest.mark.full
def test_a_thousand_characters_fit_whatever_ends_their_lines(desk: Client, club: Club) -> None:
    text = ("x" * 99 + "\r\n") * 9 + "x" * 100
    desk.post(EDIT, {"seen": seen(desk), "other": text})
    assert len(rule_notes_of(club)["other"].text) == 1000
    refused = desk.post(EDIT, {"seen": seen(desk), "other": f"{text}x"})
    assert refused.status_code == 422
    assert list(refused.context["form"].errors) == ["other"]


@pytest.mark.full
def test_english_alone_is_asked_for_in_dutch_too(desk: Client, club: Club) -> None:
    page = desk.post(EDIT, {"seen": seen(desk), "signalling_en": "No signals."})
    assert page.status_code == 422
    assert "Schrijf het ook in het Nederlands" in words(page)
    assert 'href="#id_signalling"' in page.content.decode()
    assert not any(any(note) for note in rule_notes_of(club).values())


@pytest.mark.full
def test_who_is_second_reads_what_the_first_wrote_and_saves_knowingly(
    desk: Client, club: Club
) -> None:
    mark = seen(desk)
    other = Client()
    other.force_login(organiser_of(club))
    other.post(EDIT, {"seen": mark, "counting": "De <schrijver> telt.", "other": "Koffie."})
    page = desk.post(EDIT, {"seen": mark, "counting": "De tegenpartij telt."})
    assert page.status_code == 409
    assert rule_notes_of(club)["counting"].text == "De <schrijver> telt."
    read = words(page)
    assert "Iemand anders was u net voor" in read
    assert "Wat er nu staat De <schrijver> telt." in read
    assert "Wat er nu staat Koffie." in read
    form = page.context["form"]
    assert form["counting"].value() == "De tegenpartij telt."
    again = {"seen": form["seen"].value(), "counting": "De tegenpartij telt.", "other": "Koffie."}
    assert desk.post(EDIT, again).status_code == 302
    assert rule_notes_of(club)["counting"].text == "De tegenpartij telt."


def test_what_was_wiped_meanwhile_says_so(desk: Client, club: Club) -> None:
    desk.post(EDIT, {"seen": seen(desk), "other": "Koffie.", "other_en": "Coffee."})
    mark = seen(desk)
    desk.post(EDIT, {"seen": mark})
    page = desk.post(EDIT, {"seen": mark, "other": "Thee."})
    assert (page.status_code, "Wat er nu staat Niets." in words(page)) == (409, True)


@pytest.mark.full
def test_the_log_tells_that_the_rules_were_changed(desk: Client, club: Club) -> None:
    desk.post(EDIT, {"seen": seen(desk), "other": "Koffie."})
    trail = words(desk.get("/clubs/vrolijke-boer/desk/trail/"))
    assert "De eigen regels van de club zijn gewijzigd" in trail


@pytest.mark.full
def test_the_page_is_a_tab_of_the_settings(desk: Client) -> None:
    settings = desk.get("/clubs/vrolijke-boer/desk/settings/").content.decode()
    assert f'href="{EDIT}"' in settings
    assert f'href="{EDIT}" aria-current="page"' in desk.get(EDIT).content.decode()
