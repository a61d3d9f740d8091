"""The text for the group and the newspaper, and the club's own wording of it."""

import datetime as dt

import pytest
from django.test import Client

from clubs.models import Club, Member
from tests.factories import (
    TESTS,
    ClubFactory,
    EveningFactory,
    correct_deal,
    director_of,
    evening_with_draw,
    table,
    write_deal,
)
from tests.tournaments.desk import EVENING, desk_of, messages_in
from tests.tournaments.pairs import played_in_pairs
from tournaments.closing.services import evening_close
from tournaments.models import ClubText, Evening
from tournaments.prizes.core import PrizeScheme
from tournaments.prizes.giving import evening_prizes_choose
from tournaments.publicity.texts import EveningStory, evening_text
from tournaments.publicity.wordings import STANDARD, wording_save
from tournaments.rounds.services import round_close
from tournaments.seasons.services import season_create

pytestmark = pytest.mark.django_db

TEXT = f"{EVENING}text/"
WORDING = "/clubs/vrolijke-boer/desk/texts/message/nl/"


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


@pytest.fixture
def played(club: Club) -> Evening:
    """Eight people, one round of one deal. Table 1: Jan and Piet 120, Mia and Truus 42. Table 2:
    Kees and Henk 90 and 20 roem, Annie and Riet 72."""
    season = season_create(club=club, name="2026-2027", actor=TESTS)
    evening = evening_with_draw(
        club=club, players=8, rounds=1, deals_per_round=1, method="typed_in", season=season
    )
    write_deal(table(evening, 1), 1, points={"NS": 120})
    write_deal(table(evening, 2), 1, roem={"NS": [20]})
    round_close(round_id=evening.rounds.get().pk, actor=TESTS)
    EveningFactory.create(club=club, date="2026-11-28")
    return Evening.objects.get(pk=evening.pk)


@pytest.fixture
def closed(played: Evening) -> Evening:
    evening_close(evening_id=played.pk, actor=TESTS)
    return Evening.objects.get(pk=played.pk)


def text_of(evening: Evening, kind: str = "message", language: str = "nl") -> list[str]:
    return evening_text(EveningStory(evening), kind=kind, language=language).splitlines()


def show(name: str, public_as: str) -> None:
    Member.objects.filter(name=name).update(public_as=public_as)


@pytest.mark.full
def test_the_message_tells_the_evening_in_dutch(closed: Evening) -> None:
    assert text_of(closed)[:-1] == [
        "*De Vrolijke Boer, zaterdag 21 november 2026*",
        "Winnaar: Jan Bakker en Piet Visser met 120 punten.",
        "",
        "1. Jan Bakker 120",
        "1. Piet Visser 120",
        "3. Henk Bos 110",
        "3. Kees Mulder 110",
        "5. Annie Smit-de Boer 72",
        "5. Riet van den Berg 72",
        "",
        "Poedelprijs: Mia van der Meer en Truus de Vries (42)",
        "Gemiddeld 86 punten, 8 spelers.",
        "Hoogste boompje: 120 (Jan Bakker en Piet Visser)",
        "Laagste boompje: 42",
        "",
        "Koploper van 2026-2027: Jan Bakker en Piet Visser (120)",
        "Volgende keer: zaterdag 28 november",
    ]
    assert text_of(closed)[-1].endswith("/clubs/vrolijke-boer/evenings/2026-11-21/")


@pytest.mark.full
def test_the_next_date_is_shown_with_its_time(closed: Evening) -> None:
    Evening.objects.filter(date="2026-11-28").update(starts_at=dt.time(19, 30))
    assert text_of(closed)[-2] == "Volgende keer: zaterdag 28 november, 19.30 uur"
    assert text_of(closed, language="en")[-2] == "Next time: Saturday 28 November, 7.30 pm"


@pytest.mark.full
def test_the_newspaper_has_paragraphs_in_english(closed: Evening) -> None:
    content = "\n".join(text_of(closed, "newspaper", "en"))
    assert content == (
        "De Vrolijke Boer: Jan Bakker and Piet Visser on top\n\n"
        "At De Vrolijke Boer 8 people played klaverjas on Saturday 21 November 2026. Victory went "
        "to Jan Bakker and Piet Visser, with 120 points. In the places after that: Henk Bos (110) "
        "and Kees Mulder (110). The booby prize was for Mia van der Meer and Truus de Vries, with "
        "42 points.\n\n"
        "The average was 86 points. The highest boompje counted 120 points and was that of Jan "
        "Bakker and Piet Visser. The lowest boompje got no further than 42 points.\n\n"
        "In the season 2026-2027 the lead is with Jan Bakker and Piet Visser, on 120 points. The "
        "next time is on Saturday 28 November.\n\n"
        "The results: 1. Jan Bakker (120), 1. Piet Visser (120), 3. Henk Bos (110), 3. Kees Mulder "
        "(110), 5. Annie Smit-de Boer (72), 5. Riet van den Berg (72), 7. Mia van der Meer (42), "
        "7. Truus de Vries (42)."
    )


@pytest.mark.full
def test_the_highest_round_is_told_once(closed: Evening) -> None:
    scheme = PrizeScheme(sides=("best_round",))
    evening_prizes_choose(evening_id=closed.pk, scheme=scheme, actor=TESTS)
    evening = Evening.objects.get(pk=closed.pk)
    highest = [line for line in text_of(evening) if line.startswith("Hoogste")]
    assert highest == ["Hoogste boompje: 120 (Jan Bakker en Piet Visser)"]
    wording = "{club}\n{bijprijzen}\n"
    wording_save(
        club=closed.club,
        kind="message",
        language="nl",
        wording=wording,
        seen_version=0,
        actor=TESTS,
    )
    assert text_of(evening) == [
        "De Vrolijke Boer",
        "Hoogste ronde: Jan Bakker en Piet Visser (120 punten)",
    ]


def test_side_prizes_are_shown(closed: Evening) -> None:
    scheme = PrizeScheme(sides=("roem", "pits"))
    evening_prizes_choose(evening_id=closed.pk, scheme=scheme, actor=TESTS)
    evening = Evening.objects.get(pk=closed.pk)
    assert "De meeste roem: Henk Bos en Kees Mulder (20 punten)" in text_of(evening)


def test_fixed_pairs_are_shown_together(club: Club) -> None:
    evening = played_in_pairs(club)
    evening_close(evening_id=evening.pk, actor=TESTS)
    show("Jan Bakker", "hidden")
    text = text_of(Evening.objects.get())
    places = [line for line in text if line[:2] in ("1.", "2.", "3.", "4.")]
    assert [line.rsplit(" ", 1)[1] for line in places] == ["120", "100", "62", "42"]
    assert [line.count(" – ") for line in places].count(1) == 3
    assert [line for line in text if "Jan Bakker" in line] == []


def test_who_is_hidden_is_in_no_text(closed: Evening) -> None:
    show("Jan Bakker", "hidden")
    show("Mia van der Meer", "hidden")
    show("Piet Visser", "initials")
    for kind, language in STANDARD:
        text = "\n".join(text_of(closed, kind, language))
        assert ("Jan Bakker" in text, "Mia van der Meer" in text) == (False, False)
        assert ("Piet Visser" in text, "P. V." in text) == (False, True)


def test_a_line_about_hidden_people_only_is_left_out(closed: Evening) -> None:
    show("Mia van der Meer", "hidden")
    show("Truus de Vries", "hidden")
    assert [line for line in text_of(closed) if line.startswith("Poedel")] == []
    assert "Gemiddeld 86 punten, 8 spelers." in text_of(closed)


@pytest.mark.full
def test_before_it_is_published_there_is_a_text_only_for_who_says_so(
    club: Club, played: Evening
) -> None:
    desk = desk_of(club)
    asked, said = desk.get(TEXT), desk.get(f"{TEXT}?anyway=1")
    assert (asked.context["texts"], len(said.context["texts"])) == ([], 2)
    assert "De uitslag is nog niet gepubliceerd." in asked.content.decode()
    assert "Dit is nog niet gepubliceerd." in said.content.decode()
    assert "Koploper" not in said.context["texts"][0].text


def test_a_director_takes_the_text_in_the_language_he_asks_for(club: Club, closed: Evening) -> None:
    director = Client()
    director.force_login(director_of(club))
    message, newspaper = director.get(f"{TEXT}?language=en").context["texts"]
    assert message.text.startswith("*De Vrolijke Boer, Saturday 21 November 2026*")
    assert message.share_url.startswith("https://wa.me/?text=%2ADe%20Vrolijke%20Boer")
    assert newspaper.share_url.startswith("mailto:?subject=De%20Vrolijke%20Boer%3A%20Jan")
    assert director.get(WORDING).status_code == 403


def test_a_long_text_is_pasted_in_the_mail(club: Club, closed: Evening) -> None:
    Member.objects.filter(name="Jan Bakker").update(public_name="Jan " * 20 + "Bakker")
    wording = "{winnaar}\n\n" + "{uitslag}\n\n" * 5
    wording_save(
        club=club, kind="newspaper", language="nl", wording=wording, seen_version=0, actor=TESTS
    )
    page = desk_of(club).get(TEXT)
    newspaper = page.context["texts"][1]
    assert (newspaper.fits, "body" in newspaper.share_url) == (False, False)
    assert "kopieer eerst de tekst" in page.content.decode()


def test_after_a_correction_it_says_to_publish_again(club: Club, closed: Evening) -> None:
    deal_correct(closed)
    page = desk_of(club).get(TEXT)
    assert "Publiceer de uitslag eerst opnieuw" in page.content.decode()
    assert "met 120 punten." in page.context["texts"][0].text


def deal_correct(evening: Evening) -> None:
    correct_deal(table(evening), 1, ns=150, reason="verkeerd geteld")


def test_an_evening_without_a_result_has_nothing_to_tell(club: Club) -> None:
    EveningFactory.create(club=club)
    page = desk_of(club).get(f"{TEXT}?anyway=1")
    assert "Er is nog niets gespeeld" in page.content.decode()


@pytest.mark.full
def test_the_club_writes_its_own_words(club: Club, closed: Evening) -> None:
    desk = desk_of(club)
    page = desk.post(WORDING, {"wording": "Hulde {winnaar}!\r\n", "seen": 0}, follow=True)
    assert messages_in(page) == ["De tekst is bewaard."]
    assert text_of(closed) == ["Hulde Jan Bakker en Piet Visser!"]
    assert (
        text_of(closed, language="en")[1] == "Winner: Jan Bakker and Piet Visser with 120 points."
    )


def test_an_unknown_field_is_refused_with_its_line(club: Club, closed: Evening) -> None:
    page = desk_of(club).post(WORDING, {"wording": "Dag\n{winaar}!", "seen": 0})
    assert page.status_code == 422
    assert page.context["form"].errors["wording"] == [
        "Regel 2: het veld {winaar} bestaat niet. Bedoelt u {winnaar}?"
    ]
    assert "Dag\n{winaar}!" in page.content.decode()
    assert ClubText.objects.count() == 0


def test_a_preview_saves_nothing(club: Club, closed: Evening) -> None:
    page = desk_of(club).post(WORDING, {"wording": "Hulde {winnaar}!", "seen": 0, "preview": 1})
    assert page.context["preview"] == "Hulde Jan Bakker en Piet Visser!"
    assert ClubText.objects.count() == 0


def test_a_preview_says_what_is_wrong(club: Club, closed: Evening) -> None:
    page = desk_of(club).post(WORDING, {"wording": "{winaar}", "seen": 0, "preview": 1})
    assert (page.status_code, page.context["preview"]) == (422, "")
    assert page.context["form"].errors["wording"] == [
        "Regel 1: het veld {winaar} bestaat niet. Bedoelt u {winnaar}?"
    ]


def test_two_organisers_do_not_overwrite_each_other(club: Club, closed: Evening) -> None:
    one, two = desk_of(club), desk_of(club)
    one.post(WORDING, {"wording": "Eerst", "seen": 0})
    page = two.post(WORDING, {"wording": "Later", "seen": 0})
    assert (page.status_code, ClubText.objects.get().wording) == (409, "Eerst\n")
    two.post(WORDING, {"wording": "Later", "seen": page.context["form"]["seen"].value()})
    assert ClubText.objects.get().wording == "Later\n"


@pytest.mark.full
def test_the_standard_wording_comes_back(club: Club, closed: Evening) -> None:
    wording_save(
        club=club, kind="message", language="nl", wording="Dag", seen_version=0, actor=TESTS
    )
    desk = desk_of(club)
    asked = desk.get(f"{WORDING}reset/")
    assert (asked.status_code, ClubText.objects.get().wording) == (200, "Dag\n")
    assert ">Dag\n</pre>" in asked.content.decode()
    page = desk.post(f"{WORDING}reset/", follow=True)
    assert (messages_in(page), ClubText.objects.get().wording) == (
        ["De standaardtekst staat er weer."],
        "",
    )


@pytest.mark.parametrize("path", ["letter/nl/", "message/fr/", "letter/nl/reset/"])
def test_a_text_that_does_not_exist_is_not_found(club: Club, path: str) -> None:
    url = f"/clubs/vrolijke-boer/desk/texts/{path}"
    assert desk_of(club).post(url).status_code == 404
