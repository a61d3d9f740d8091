"""How a club plays: which rules the page shows, in which words, and its own lines beside them."""

import datetime as dt

import pytest
import time_machine
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from clubs.models import Club
from clubs.profile.services import club_change
from scoring.models import Regulation
from scoring.regulations.services import NoteText, regulation_save
from scoring.regulations.services import rule_notes_save as notes_save
from tests.factories import (
    TESTS,
    ClubFactory,
    EveningFactory,
    director_of,
    evening_with_draw,
    organiser_of,
    regulation_of,
)
from tests.tournaments.public_pages import close_evening, evening_path, get, speak_english, words
from tests.tournaments.table_pages import link
from tournaments.closing.services import evening_cancel
from tournaments.models import Evening

pytestmark = pytest.mark.django_db

PATH = "/clubs/vrolijke-boer/rules/"
EDIT = "/clubs/vrolijke-boer/desk/rules/"
SATURDAY = dt.date(2026, 11, 21)
ROTTERDAM = "Kunt u niet bekennen, dan moet u altijd troeven, ook als de slag aan uw maat ligt."
AMSTERDAM = "Ligt de slag aan uw maat, dan hoeft u niet te troeven"


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


def say(club: Club, **notes: NoteText) -> None:
    seen = club.rule_notes_version
    notes_save(club=club, notes=notes, seen_version=seen, actor=TESTS)


def on(club: Club, date: dt.date, preset: str) -> Evening:
    return EveningFactory.create(club=club, date=date, regulation=regulation_of(club, preset))


def _second_version(club: Club) -> Regulation:
    """Rotterdam rules that were changed after an evening had been played by them."""
    first = regulation_of(club, "rotterdam")
    date = dt.date(2026, 11, 7)
    close_evening(evening_with_draw(club=club, players=4, date=date, regulation=first))
    changed = {**first.settings, "four_jacks": 100}
    return regulation_save(club=club, name=first.name, settings=changed, actor=TESTS)


class TestWhichRules:
    def test_a_club_without_anything_reads_the_amsterdam_rules(
        self, client: Client, club: Club
    ) -> None:
        page = words(get(client, PATH))
        assert AMSTERDAM in page
        assert "De avond" not in page
        assert page.count("dit zijn de Amsterdamse regels") == 1

    def test_a_club_without_an_evening_reads_its_newest_regulation(
        self, client: Client, club: Club
    ) -> None:
        regulation_of(club)
        regulation_of(club, "rotterdam")
        regulation_save(
            club=club,
            name="Rotterdams",
            settings={"preset": "rotterdam", "nat": False},
            actor=TESTS,
        )
        page = words(get(client, PATH))
        assert ROTTERDAM in page
        assert "Wij spelen zonder nat" in page
        assert "Reglement Rotterdams, versie 1." in page

    @pytest.mark.full
    @time_machine.travel("2026-11-20 12:00:00+01:00", tick=False)
    def test_the_next_evening_goes_before_later_and_earlier_ones(
        self, client: Client, club: Club
    ) -> None:
        on(club, dt.date(2026, 11, 14), "amsterdam")
        on(club, dt.date(2026, 12, 5), "amsterdam")
        cancelled = on(club, dt.date(2026, 11, 20), "amsterdam")
        evening_cancel(evening_id=cancelled.pk, actor=TESTS)
        EveningFactory.create(club=club, date=SATURDAY, regulation=_second_version(club))
        page = words(get(client, PATH))
        assert ROTTERDAM in page
        assert "De regels op zaterdag 21 november 2026" in page
        assert "Reglement Rotterdams, versie 2, geldt op 21 november 2026." in page

    @pytest.mark.full
    @time_machine.travel("2026-11-22 00:30:00+01:00", tick=False)
    def test_the_evening_that_is_being_played_goes_before_the_next(
        self, client: Client, club: Club
    ) -> None:
        on(club, dt.date(2026, 11, 22), "rotterdam")
        evening_with_draw(club=club, players=4)
        assert AMSTERDAM in words(get(client, PATH))

    @pytest.mark.full
    def test_after_the_last_evening_its_rules_stay(self, client: Client, club: Club) -> None:
        for date in (dt.date(2020, 11, 14), dt.date(2020, 11, 21)):
            close_evening(evening_with_draw(club=club, players=4, date=date))
        assert "De regels op zaterdag 21 november 2020" in words(get(client, PATH))

    def test_an_evenings_own_page_leads_to_the_rules_of_that_evening(
        self, client: Client, club: Club
    ) -> None:
        evening = on(club, dt.date(2020, 1, 4), "rotterdam")
        on(club, dt.date(2020, 1, 11), "amsterdam")
        path = f"{PATH}?evening={evening.slug}"
        assert f'href="{path}"' in get(client, evening_path(evening)).content.decode()
        assert ROTTERDAM in words(get(client, path))

    @pytest.mark.full
    @pytest.mark.parametrize("asked", ["2026-11-22", "gisteren", "2026-11-21-2"])
    def test_an_evening_that_is_not_there_is_not_found(
        self, client: Client, club: Club, asked: str
    ) -> None:
        on(club, SATURDAY, "amsterdam")
        assert client.get(PATH, {"evening": asked}).status_code == 404

    def test_another_clubs_evening_is_not_shown(self, client: Client, club: Club) -> None:
        on(ClubFactory.create(), SATURDAY, "amsterdam")
        assert client.get(PATH, {"evening": "2026-11-21"}).status_code == 404
        assert "november" not in words(get(client, PATH))


@pytest.mark.full
def test_the_cards_stand_in_a_table_from_high_to_low(client: Client, club: Club) -> None:
    page = words(get(client, PATH))
    assert "Troef Punten Andere kleuren Punten boer 20 aas 11 negen (nel) 14 tien 10" in page


@pytest.mark.full
def test_the_club_reads_its_own_word_for_pit(client: Client, club: Club) -> None:
    club_change(
        club=club,
        name=club.name,
        language="nl",
        pit_word="mars",
        sit_out_word="joker",
        roem_letters="",
        actor=TESTS,
    )
    on(club, SATURDAY, "amsterdam")
    page = words(get(client, PATH))
    assert "Mars en andere extra’s" in page
    assert " pit " not in page


@pytest.mark.full
def test_the_page_speaks_english_to_who_asks(client: Client, club: Club) -> None:
    on(club, SATURDAY, "amsterdam")
    speak_english(client)
    page = words(get(client, PATH))
    assert "You must follow suit" in page
    assert "We play 3 rounds of 16 deals." in page
    assert "Regulation Amsterdams, version 1, in force on 21 November 2026." in page


class TestOwnLines:
    def test_they_are_read_as_they_were_written(self, client: Client, club: Club) -> None:
        say(club, other=NoteText("Koffie om <b>negen</b> & daarna.\nDan verder.", ""))
        source = get(client, PATH).content.decode()
        assert "Verder" in source
        assert "<p>Koffie om &lt;b&gt;negen&lt;/b&gt; &amp; daarna.<br>Dan verder.</p>" in source

    def test_who_reads_english_reads_the_english_text_or_else_the_dutch(
        self, client: Client, club: Club
    ) -> None:
        say(
            club,
            dealing=NoteText("Couperen moet.", "Cutting is obligatory."),
            counting=NoteText("Wij tellen samen.", ""),
        )
        assert "Couperen moet." in words(get(client, PATH))
        speak_english(client)
        source = get(client, PATH).content.decode()
        assert "Couperen" not in source
        assert 'lang="en"><p>Cutting is obligatory.</p>' in source
        assert 'lang="nl"><p>Wij tellen samen.</p>' in source

    def test_an_organiser_is_asked_to_write_them_and_nobody_else(
        self, client: Client, club: Club
    ) -> None:
        assert EDIT not in get(client, PATH).content.decode()
        for user, invited in ((director_of(club), False), (organiser_of(club), True)):
            client.force_login(user)
            source = get(client, PATH).content.decode()
            assert (EDIT in source) == invited
            assert ("Onze eigen regels schrijven" in source) == invited

    @pytest.mark.full
    def test_what_is_written_can_be_changed(self, client: Client, club: Club) -> None:
        say(club, other=NoteText("Koffie om negen.", ""))
        client.force_login(organiser_of(club))
        page = words(get(client, PATH))
        assert "Onze eigen regels wijzigen" in page
        assert "daarover hebt u nog niets geschreven" not in page


@pytest.mark.full
def test_the_way_here_is_on_the_club_the_table_and_its_phone(client: Client, club: Club) -> None:
    evening = evening_with_draw(club=club, players=4)
    assert f'href="{PATH}"' in get(client, "/clubs/vrolijke-boer/").content.decode()
    there = f'href="{PATH}?evening=2026-11-21"'
    table = evening_path(evening, "rounds/1/tables/1/")
    for path in (evening_path(evening), table, link(evening, 1)):
        assert there in get(client, path).content.decode()


@time_machine.travel("2026-11-20 12:00:00+01:00", tick=False)
@pytest.mark.parametrize("notes", [1, 3])
def test_more_rules_cost_no_more_queries(
    client: Client,
    club: Club,
    django_assert_num_queries: DjangoAssertNumQueries,
    notes: int,
) -> None:
    for week in range(notes):
        on(club, SATURDAY + dt.timedelta(weeks=week), "rotterdam")
    topics = ["dealing", "counting", "other"][:notes]
    say(club, **dict.fromkeys(topics, NoteText("Zo.", "")))
    with django_assert_num_queries(3):
        get(client, PATH)
