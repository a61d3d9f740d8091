"""The records of a club on their page: who and when, hidden, erased and merged people."""

import re

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries, DjangoCaptureOnCommitCallbacks

from clubs.members.services import member_create
from clubs.merges.services import guest_merge
from clubs.models import Member
from clubs.privacy.erasing import member_erase
from tests.factories import TESTS, ClubFactory, correct_deal, table
from tests.load.big_club import Size, big_club_make
from tests.tournaments.one_round import before, one_deal
from tests.tournaments.public_pages import get, speak_english, words
from tournaments.models import Evening, Season
from tournaments.seasons.services import season_create

pytestmark = pytest.mark.django_db

PAGE = "/clubs/vrolijke-boer/records/"
BLOCK = re.compile(r"<h2>(.*?)</h2>(.*?)</section>", re.DOTALL)
LINE = re.compile(r"<li>(.*?)</li>", re.DOTALL)


@pytest.fixture
def season() -> Season:
    season = season_create(club=ClubFactory.create(), name="2026", actor=TESTS)
    one_deal(season, 0, "1234", ns=90)
    one_deal(season, 1, "1324", ns=130)
    return season


def records(client: Client) -> dict[str, list[str]]:
    """The lines of each record by its title."""
    page = get(client, PAGE).content.decode()
    return {
        words(title): [words(line) for line in LINE.findall(block)]
        for title, block in BLOCK.findall(page)
    }


@pytest.mark.full
def test_who_and_when(client: Client, season: Season) -> None:
    before(season, "2025-01-04,Jan Bakker,5012,", "2025-01-04,Mia van der Meer,4100,")
    assert records(client) == {
        "Hoogste boompje ooit": [
            "130 Jan Bakker en Mia van der Meer 28 november 2026",
            "90 Jan Bakker en Piet Visser 21 november 2026",
            "72 Mia van der Meer en Truus de Vries 21 november 2026",
        ],
        "Hoogste avond ooit": [
            "5.012 Jan Bakker 4 januari 2025",
            "4.100 Mia van der Meer 4 januari 2025",
            "130 Jan Bakker en Mia van der Meer 28 november 2026",
        ],
        "De meeste avonden": [
            "3 Jan Bakker en Mia van der Meer",
            "2 Piet Visser en Truus de Vries",
        ],
        "Meeste avonden achter elkaar erbij": [
            "3 Jan Bakker en Mia van der Meer tot en met 28 november 2026",
            "2 Piet Visser en Truus de Vries tot en met 28 november 2026",
        ],
        "Vaakst de meeste punten van de avond": ["3 Jan Bakker"],
    }


@pytest.mark.full
def test_the_clubs_page_leads_there(client: Client, season: Season) -> None:
    assert f'href="{PAGE}"' in get(client, "/clubs/vrolijke-boer/").content.decode()


@pytest.mark.full
def test_before_the_first_evening_it_says_so(client: Client) -> None:
    season_create(club=ClubFactory.create(), name="2026", actor=TESTS)
    assert "Na de eerste avond staan hier records." in words(get(client, PAGE))


def test_who_is_hidden_has_no_name_and_is_in_nothing_that_is_added_up(
    client: Client, season: Season
) -> None:
    jan = Member.objects.get(number=1)
    Member.objects.filter(pk=jan.pk).update(public_as=Member.PublicAs.HIDDEN)
    told = records(client)
    assert told["Hoogste boompje ooit"][0] == ("130 Anoniem en Mia van der Meer 28 november 2026")
    assert told["De meeste avonden"] == ["2 Mia van der Meer , Piet Visser en Truus de Vries"]
    page = get(client, PAGE).content.decode()
    assert ("Bakker" in page, f"/players/{jan.pk}/" in page) == (False, False)


def test_who_was_erased_has_the_neutral_name(client: Client, season: Season) -> None:
    member_erase(member=Member.objects.get(number=1), actor=TESTS)
    told = records(client)
    assert told["Hoogste boompje ooit"][0] == ("130 Oud-lid 1 en Mia van der Meer 28 november 2026")
    assert "Oud-lid 1" not in " ".join(told["De meeste avonden"])


@pytest.mark.full
def test_the_evenings_of_a_guest_become_the_members(
    client: Client,
    season: Season,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    member = member_create(club=season.club, name="Karel Blijver", actor=TESTS)
    Member.objects.filter(number=3).update(kind="guest", number=None)
    guest = Member.objects.get(kind="guest")
    with django_capture_on_commit_callbacks(execute=True):
        guest_merge(guest=guest, member=member, actor=TESTS)
    assert records(client)["Hoogste boompje ooit"][1] == (
        "90 Jan Bakker en Karel Blijver 21 november 2026"
    )


def test_a_correction_of_a_closed_evening_counts_at_once(client: Client, season: Season) -> None:
    last = Evening.objects.latest("date")
    correct_deal(table(last), 1, ns=150, reason="verkeerd gelezen")
    assert records(client)["Hoogste boompje ooit"][0] == (
        "150 Jan Bakker en Mia van der Meer 28 november 2026"
    )


@pytest.mark.full
def test_it_speaks_english_to_who_asks(client: Client, season: Season) -> None:
    speak_english(client)
    told = records(client)
    assert told["Highest round ever"][0] == "130 Jan Bakker and Mia van der Meer 28 November 2026"
    assert told["Most evenings without missing one"][0].endswith(
        "up to and including 28 November 2026"
    )


@pytest.mark.full
@pytest.mark.django_db(transaction=True)
def test_what_is_kept_follows_a_change_of_one_evening(client: Client) -> None:
    season = season_create(club=ClubFactory.create(), name="2026", actor=TESTS)
    for week in range(2):
        one_deal(season, week, "1234", ns=90)
    assert records(client)["Hoogste boompje ooit"][0].startswith("90 Jan Bakker en Piet Visser")
    correct_deal(table(Evening.objects.latest("date")), 1, ns=150, reason="verkeerd gelezen")
    after = records(client)["Hoogste boompje ooit"]
    assert [line.split()[0] for line in after] == ["150", "90", "72"]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("evenings", [3, 6])
def test_more_evenings_cost_no_more_queries(
    django_assert_num_queries: DjangoAssertNumQueries, evenings: int
) -> None:
    slug = f"zaal-{evenings}"
    big_club_make(slug, Size(members=12, evenings=evenings, rounds=1, deals=4))
    page = f"/clubs/{slug}/records/"
    # With something after it the page is not one that is shared by all visitors.
    with django_assert_num_queries(6):
        first = words(get(Client(), f"{page}?x=1"))
    with django_assert_num_queries(4):
        assert words(get(Client(), f"{page}?x=1")) == first
    assert words(get(Client(), page)) == first
    with django_assert_num_queries(1):
        assert words(get(Client(), page)) == first
