"""What the page of a published evening tells: from the deals, from totals, and of whom."""

import datetime as dt
import re

import pytest
from django.conf import LazySettings
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from clubs.members.services import member_change, member_create
from clubs.merges.services import guest_merge
from clubs.models import Club, Member
from scoring.sheets.side_totals import HandedIn, side_totals_write
from tests.factories import TESTS, ClubFactory, correct_deal, evening_with_draw, table, write_deal
from tests.load.big_club import Size, big_club_make
from tests.tournaments.one_round import before, finish, one_deal, seated
from tests.tournaments.pairs import played_in_pairs
from tests.tournaments.public_pages import close_evening, evening_path, get, speak_english, words
from tournaments.closing.services import evening_close, evening_reopen
from tournaments.evenings.services import evening_freeze
from tournaments.models import Evening, EveningSummary, Season
from tournaments.releases.services import release_publish
from tournaments.rounds.services import round_close
from tournaments.seasons.services import season_create

pytestmark = pytest.mark.django_db

STORY = re.compile(r'<h2 id="story">.*?</h2>(.*?)</section>', re.DOTALL)


@pytest.fixture
def season() -> Season:
    return season_create(club=ClubFactory.create(), name="2026", actor=TESTS)


def sentences(client: Client, path: str) -> list[str]:
    """The sentences of the story on this page; none where it has no story."""
    story = STORY.search(get(client, path).content.decode())
    return [words(line) for line in re.findall(r"<li>(.*?)</li>", story[1])] if story else []


def four_deals(season: Season, week: int = 0) -> Evening:
    """Two tables of four deals. At table 1 Jan (1) and Piet (3) play and make three, one of them
    with pit; at table 2 the last deal is nat."""
    evening = seated(season, week, "12345678", deals_per_round=4)
    one, two = table(evening), table(evening, 2)
    for number in (1, 2, 3):
        write_deal(one, number, points={"NS": 100})
        write_deal(two, number, points={"NS": 95})
    write_deal(one, 4, pit="NS", points={"NS": 162})
    write_deal(two, 4, points={"NS": 70})
    return evening


@pytest.mark.full
def test_the_best_of_the_evening_in_sentences(client: Client, season: Season) -> None:
    evening = finish(four_deals(season))
    assert sentences(client, evening_path(evening)) == [
        "Het hoogste boompje: 562, van Jan Bakker en Piet Visser.",
        "De enige pit van de avond: Jan Bakker en Piet Visser.",
        (
            "Het spannendst: tafel 2 in ronde 1, 363 voor Annie Smit-de Boer en Riet van den Berg"
            " en 285 voor Kees Mulder en Henk Bos."
        ),
        (
            "De langste reeks: Jan Bakker en Piet Visser, met 4 gespeelde spellen achter elkaar"
            " gehaald."
        ),
    ]


def test_nothing_is_told_before_it_is_published_or_while_a_correction_waits(
    client: Client, season: Season
) -> None:
    evening = four_deals(season)
    assert sentences(client, evening_path(evening, "?show=standings")) == []
    evening_freeze(evening_id=evening.pk, frozen=True, actor=TESTS)
    round_close(round_id=evening.rounds.get().pk, actor=TESTS)
    assert sentences(client, evening_path(evening, "?show=standings")) == []
    evening_close(evening_id=evening.pk, actor=TESTS)
    assert len(sentences(client, evening_path(evening))) == 4
    correct_deal(table(evening), 1, ns=40, reason="verkeerd gelezen")
    assert sentences(client, evening_path(evening)) == []
    evening.refresh_from_db()
    release_publish(evening=evening, actor=TESTS)
    told = sentences(client, evening_path(evening))
    assert "De langste reeks" not in " ".join(told)
    assert told[0] == "Het hoogste boompje: 462, van Jan Bakker en Piet Visser."
    assert sentences(client, evening_path(evening, "?release=1")) == []
    evening_reopen(evening_id=evening.pk, actor=TESTS)
    assert sentences(client, evening_path(evening, "?release=2")) == []


def test_who_is_hidden_is_in_no_sentence(client: Client, season: Season) -> None:
    evening = finish(four_deals(season))
    Member.objects.filter(number=1).update(public_as=Member.PublicAs.HIDDEN)
    told = " ".join(sentences(client, evening_path(evening)))
    assert ("Bakker" in told, "Anoniem" in told, "562, van Piet Visser." in told) == (
        False,
        False,
        True,
    )
    Member.objects.filter(number=3).update(public_as=Member.PublicAs.INITIALS)
    told = " ".join(sentences(client, evening_path(evening)))
    assert ("Visser" in told, "562, van P. V." in told) == (False, True)
    Member.objects.update(public_as=Member.PublicAs.HIDDEN)
    assert sentences(client, evening_path(evening)) == [
        "Het spannendst: tafel 2 in ronde 1, met 78 punten verschil."
    ]


@pytest.mark.full
def test_of_totals_only_what_they_say_is_told(client: Client, season: Season) -> None:
    evening = seated(season, 0, "12345678", deals_per_round=4)
    for number, ns in ((1, 330), (2, 300)):
        totals = {"NS": HandedIn(total=ns), "EW": HandedIn(total=648 - ns)}
        side_totals_write(sheet_id=table(evening, number).sheet_id, totals=totals, actor=TESTS)
    finish(evening)
    assert sentences(client, evening_path(evening)) == [
        "Het hoogste boompje: 348, van Annie Smit-de Boer en Riet van den Berg.",
        (
            "Het spannendst: tafel 1 in ronde 1, 330 voor Jan Bakker en Piet Visser en 318 voor"
            " Mia van der Meer en Truus de Vries."
        ),
    ]


@pytest.mark.full
def test_of_results_from_before_no_pits_and_no_streak(client: Client, season: Season) -> None:
    before(season, "2025-01-04,Jan Bakker,5012,", "2025-01-04,Mia van der Meer,4100,")
    assert sentences(client, "/clubs/vrolijke-boer/evenings/2025-01-04/") == []


@pytest.mark.full
def test_a_milestone_counts_evenings_from_before(client: Client, season: Season) -> None:
    names = "Jan Bakker", "Mia van der Meer", "Piet Visser", "Truus de Vries"
    evening = seated(season, 0, "1234", deals_per_round=1)
    days = [dt.date(2024, 1, 6) + dt.timedelta(weeks=week) for week in range(49)]
    results = [f"{day},{name},100," for day in days[:24] for name in names]
    results += [f"{day},Jan Bakker,100," for day in days[24:]]
    before(season, *results)
    write_deal(table(evening), 1, points={"NS": 90})
    finish(evening)
    told = sentences(client, evening_path(evening))
    assert told[-2:] == [
        "Voor de 25e keer erbij: Mia van der Meer, Piet Visser en Truus de Vries.",
        "Voor de 50e keer erbij: Jan Bakker.",
    ]


@pytest.mark.full
def test_a_new_leader_of_the_season(client: Client, season: Season) -> None:
    one_deal(season, 0, "1234", ns=90)
    second = one_deal(season, 1, "2143", ns=100)
    assert sentences(client, evening_path(second)) == [
        "Het hoogste boompje: 100, van Mia van der Meer en Truus de Vries.",
        "Nu bovenaan in het klassement: Mia van der Meer en Truus de Vries.",
    ]


@pytest.mark.full
def test_pairs_are_told_of_as_pairs(client: Client) -> None:
    evening = played_in_pairs(ClubFactory.create())
    evening_close(evening_id=evening.pk, actor=TESTS)
    first, *_others = sentences(client, evening_path(evening))
    assert first.startswith("Het hoogste boompje: 120, van ")
    assert first.count(" en ") == 1


@pytest.mark.full
def test_a_guest_who_became_a_member_is_named_as_the_member(client: Client, season: Season) -> None:
    evening = finish(four_deals(season))
    guest = Member.objects.get(number=1)
    Member.objects.filter(pk=guest.pk).update(kind="guest", number=None)
    member = member_create(club=evening.club, name="Karel Blijver", actor=TESTS)
    guest_merge(guest=Member.objects.get(pk=guest.pk), member=member, actor=TESTS)
    told = " ".join(sentences(client, evening_path(evening)))
    assert ("Karel Blijver" in told, guest.name in told) == (True, False)


@pytest.mark.full
def test_it_speaks_english_to_who_asks(client: Client, season: Season) -> None:
    evening = finish(four_deals(season))
    speak_english(client)
    assert sentences(client, evening_path(evening)) == [
        "The highest round: 562, by Jan Bakker and Piet Visser.",
        "The only pit of the evening: Jan Bakker and Piet Visser.",
        (
            "The closest it got: table 2 in round 1, 363 for Annie Smit-de Boer and Riet van den"
            " Berg and 285 for Kees Mulder and Henk Bos."
        ),
        (
            "The longest streak: Jan Bakker and Piet Visser, who made 4 deals in a row that their"
            " side played."
        ),
    ]


@pytest.mark.full
def test_the_result_can_be_shared_once_it_is_there(client: Client, settings: LazySettings) -> None:
    settings.PUBLIC_URL = "https://klaver.example"
    evening = evening_with_draw(players=4, rounds=1, method=Evening.Method.TYPED_IN)
    path = evening_path(evening)
    assert "wa.me" not in get(client, f"{path}?show=standings").content.decode()
    close_evening(evening)
    page = get(client, path).content.decode()
    assert f'data-share-url="https://klaver.example{path}"' in page
    assert (
        "https://wa.me/?text=De%20Vrolijke%20Boer%3A%20de%20uitslag%20van%20zaterdag%2021%20november"
        "%202026.%20https%3A//klaver.example/clubs/vrolijke-boer/evenings/2026-11-21/"
    ) in page
    assert "alleen in de zaal" not in words(page)


@pytest.mark.full
def test_a_link_of_the_hall_says_so(client: Client, settings: LazySettings) -> None:
    settings.PUBLIC_URL = "http://192.168.1.7:8000"
    evening = evening_with_draw(players=4, rounds=1, method=Evening.Method.TYPED_IN)
    close_evening(evening)
    assert "Deze link gaat alleen in de zaal open" in words(get(client, evening_path(evening)))


@pytest.mark.full
def test_a_streak_is_of_deals_that_count_and_of_who_held_the_seat(season: Season) -> None:
    evening = finish(four_deals(season))
    streaks = {line[0]: line[9] for line in EveningSummary.objects.get(evening=evening).results}
    numbers = dict(Member.objects.values_list("pk", "number"))
    assert {numbers[pk]: longest for pk, longest in streaks.items()} == {
        1: 4,
        2: 0,
        3: 4,
        4: 0,
        5: 3,
        6: 0,
        7: 3,
        8: 0,
    }


@pytest.mark.both
@pytest.mark.django_db(transaction=True)
def test_a_story_is_worked_out_once(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    club: Club = big_club_make("zaal", Size(members=12, evenings=3, rounds=1, deals=4))
    evening = Evening.objects.filter(club=club, state="closed").latest("date")
    # With something after it the page is not one that is shared by all visitors.
    with django_assert_num_queries(21):
        first = sentences(Client(), evening_path(evening, "?x=1"))
    with django_assert_num_queries(8):
        kept = sentences(Client(), evening_path(evening, "?x=1"))
    assert kept == first != []
    assert sentences(Client(), evening_path(evening)) == first
    with django_assert_num_queries(1):
        assert sentences(Client(), evening_path(evening)) == first


@pytest.mark.django_db(transaction=True)
def test_a_page_that_visitors_share_follows_at_once() -> None:
    season = season_create(club=ClubFactory.create(), name="2026", actor=TESTS)
    evening = finish(four_deals(season))
    path = evening_path(evening)
    assert "562, van Jan Bakker en Piet Visser." in sentences(Client(), path)[0]
    jan = Member.objects.get(number=1)
    member_change(
        member=jan,
        seen_version=jan.version,
        name=jan.name,
        number=1,
        public_as=Member.PublicAs.HIDDEN,
        actor=TESTS,
    )
    assert "562, van Piet Visser." in sentences(Client(), path)[0]
    correct_deal(table(evening), 1, ns=40, reason="verkeerd gelezen")
    assert sentences(Client(), path) == []
