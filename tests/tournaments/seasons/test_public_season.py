"""The public standing of a season, and the season of one player."""

import datetime as dt
import re
from io import BytesIO

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from clubs.models import Club, Member
from tests.factories import (
    TESTS,
    ClubFactory,
    EveningFactory,
    MemberFactory,
    correct_deal,
    evening_with_draw,
    table,
    write_deal,
)
from tests.tournaments.public_pages import close_evening, get, rows, speak_english, words
from tournaments.closing.services import evening_cancel, evening_close, evening_reopen
from tournaments.draw.services import draw_make
from tournaments.evenings.services import EveningDetails, evening_details_change
from tournaments.imports.results import results_import
from tournaments.models import Evening, Season
from tournaments.registration.check_in import presence_replace, presence_set
from tournaments.releases.services import release_publish
from tournaments.seasons.services import season_create, season_rule_add
from tournaments.seasons.texts import what_counts, what_else_counts
from tournaments.standings.core.results import CountingRule
from tournaments.standings.core.rule_json import parse_season_rule

pytestmark = pytest.mark.django_db

PATH = "/clubs/vrolijke-boer/seasons/2026/"
SATURDAY = dt.date(2026, 11, 21)


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


@pytest.fixture
def season(club: Club) -> Season:
    return season_create(club=club, name="2026", actor=TESTS)


def played(season: Season, *points: int) -> list[Evening]:
    """Closed evenings of four people, a week apart from 21 November; NS took so many of 162."""
    evenings = []
    for week, ns in enumerate(points):
        evening = evening_with_draw(
            players=4,
            club=season.club,
            season=season,
            date=SATURDAY + dt.timedelta(weeks=week),
            method=Evening.Method.TYPED_IN,
        )
        close_evening(evening, ns=ns)
        evenings.append(evening)
    return evenings


def player_path(number: int, more: str = "") -> str:
    member = Member.objects.get(club__slug="vrolijke-boer", number=number)
    return f"/clubs/vrolijke-boer/players/{member.pk}/{more}"


@pytest.mark.full
def test_the_standing_shows_what_counts_and_what_is_dropped(client: Client, season: Season) -> None:
    season_rule_add(season=season, name="Klassement", settings={"best_per_period": 2}, actor=TESTS)
    played(season, 100, 85, 90)
    page = get(client, PATH)
    assert "De beste 2 van de 3 avonden tellen." in words(page)
    # place, name, counts, behind, plain sum, average, evenings, pits, then the evenings
    assert rows(page) == [
        [
            "1",
            "Jan Bakker",
            "190",
            "0",
            "275",
            "95",
            "3",
            "0",
            "100",
            "(85) telt niet mee",
            "90",
        ],
        [
            "1",
            "Piet Visser",
            "190",
            "0",
            "275",
            "95",
            "3",
            "0",
            "100",
            "(85) telt niet mee",
            "90",
        ],
        [
            "3",
            "Mia van der Meer",
            "149",
            "41",
            "211",
            "75",
            "3",
            "0",
            "(62) telt niet mee",
            "77",
            "72",
        ],
        [
            "3",
            "Truus de Vries",
            "149",
            "41",
            "211",
            "75",
            "3",
            "0",
            "(62) telt niet mee",
            "77",
            "72",
        ],
    ]
    assert "<s>(85)</s>" in page.content.decode()
    assert "21 nov 28 nov 5 dec" in words(page)


@pytest.mark.full
def test_evenings_to_come_are_counted_and_those_called_off_are_not(
    client: Client, season: Season
) -> None:
    season_rule_add(season=season, name="Klassement", settings={"best_per_period": 5}, actor=TESTS)
    for week in range(8):
        day = SATURDAY + dt.timedelta(weeks=week)
        evening = EveningFactory.create(club=season.club, season=season, date=day)
    evening_cancel(evening_id=evening.pk, actor=TESTS)
    page = get(client, PATH)
    assert "De beste 5 van de 7 avonden tellen." in words(page)
    assert "Van dit seizoen is nog geen avond gespeeld." in words(page)


@pytest.mark.full
def test_an_evening_being_played_is_not_in_the_season(client: Client, season: Season) -> None:
    evening = evening_with_draw(players=4, club=season.club, season=season)
    write_deal(table(evening), 1)
    assert rows(get(client, PATH)) == []


def test_an_absence_that_is_worth_points_is_called_that(client: Client, season: Season) -> None:
    season_rule_add(
        season=season, name="Klassement", settings={"absence": {"with_notice": 50}}, actor=TESTS
    )
    absent = MemberFactory.create_batch(5, club=season.club)[4]
    evening = evening_with_draw(
        players=4, club=season.club, season=season, method=Evening.Method.TYPED_IN
    )
    presence_set(evening_id=evening.pk, member=absent, present=False, absence="notice", actor=TESTS)
    close_evening(evening)
    page = get(client, PATH)
    assert "Wie zich heeft afgemeld krijgt 50 punten." in words(page)
    assert rows(page)[-1] == [
        *("5", "Kees Mulder", "50", "40", "0", "50", "0", "0", "50 afgemeld"),
    ]


@pytest.mark.full
def test_under_a_mean_the_average_comes_first(client: Client, season: Season) -> None:
    settings = {"aggregate": "mean_per_evening", "minimum_evenings": 3}
    season_rule_add(season=season, name="Klassement", settings=settings, actor=TESTS)
    played(season, 100, 85)
    page = get(client, PATH)
    assert "De plaats hangt af van uw gemiddelde per avond." in words(page)
    assert rows(page)[0][:6] == ["geen plaats –", "Jan Bakker", "92,50", "185", "–", "185"]


@pytest.mark.full
def test_each_standing_of_the_season_has_its_own_address(client: Client, season: Season) -> None:
    season_rule_add(season=season, name="Beste avond", settings={"best_per_period": 1}, actor=TESTS)
    season_rule_add(season=season, name="Pitten", settings={"rank_by": "pits"}, actor=TESTS)
    played(season, 100, 85)
    main, pits = get(client, PATH), get(client, f"{PATH}?standing=2")
    assert "De beste van de 2 avonden telt." in words(main)
    assert "De plaats hangt af van: het vaakst pit." in words(pits)
    # Place, name, what the place goes by: nobody had a pit, so everybody shares the first place.
    assert [row[:3] for row in rows(pits)] == [
        ["1", "Jan Bakker", "0"],
        ["1", "Mia van der Meer", "0"],
        ["1", "Piet Visser", "0"],
        ["1", "Truus de Vries", "0"],
    ]
    assert 'href="?standing=2">Pitten</a>' in main.content.decode()
    assert 'href="?standing=2" aria-current="page">Pitten</a>' in pits.content.decode()


@pytest.mark.full
@pytest.mark.parametrize("number", ["0", "2", "x", "-1"])
def test_a_standing_that_is_not_there_is_not_found(
    client: Client, season: Season, number: str
) -> None:
    assert client.get(f"{PATH}?standing={number}").status_code == 404


@pytest.mark.full
def test_what_the_place_goes_by_has_a_column_of_its_own(client: Client, season: Season) -> None:
    season_rule_add(
        season=season, name="Hoogste", settings={"rank_by": "best_evening"}, actor=TESTS
    )
    played(season, 100, 85)
    page = get(client, PATH)
    # place, name, best evening, counts, behind, plain sum, average, evenings, pits
    assert rows(page)[0][:9] == [
        *("1", "Jan Bakker", "100", "185", "0", "185", "93", "2", "0"),
    ]
    assert "De hoogste avond" in words(page)


@pytest.mark.full
def test_an_evening_that_was_corrected_is_named(client: Client, season: Season) -> None:
    first, _ = played(season, 100, 85)
    assert "Verbeterd na de uitslag" not in words(get(client, PATH))
    evening_reopen(evening_id=first.pk, actor=TESTS)
    evening_close(evening_id=first.pk, actor=TESTS)
    assert (
        "Verbeterd na de uitslag Op de pagina van de avond leest u wie er verschoof en waarom: "
        "21 november ."
    ) in words(get(client, PATH))


def correct(evening: Evening, *, ns: int) -> None:
    """The only deal of a closed evening turns out otherwise."""
    correct_deal(table(evening, 1), 1, ns=ns, reason="verkeerd gelezen")


@pytest.mark.full
def test_an_evening_that_is_to_be_published_again_is_named_on_three_pages(
    client: Client, season: Season
) -> None:
    first, second = played(season, 100, 85)
    member = Member.objects.get(number=1)
    pages = (PATH, f"{PATH}why/{member.pk}/", f"/clubs/vrolijke-boer/players/{member.pk}/")
    details = EveningDetails(season=season, name="Kerstdrive")
    evening_details_change(evening_id=second.pk, details=details, actor=TESTS)
    for page in pages:
        assert "nieuwe uitslag volgt" not in words(get(client, page))
    correct(first, ns=120)
    for page in pages:
        shown = words(get(client, page))
        assert shown.count("nieuwe uitslag volgt") == 1, page
        assert "21 nov : verbeterd, nieuwe uitslag volgt. Hier tellen de verbeterde punten" in shown
    release_publish(evening=first, actor=TESTS)
    for page in pages:
        assert "nieuwe uitslag volgt" not in words(get(client, page))


@pytest.mark.full
@pytest.mark.parametrize("evenings", [1, 3])
def test_to_name_what_was_corrected_costs_as_much_for_three_evenings_as_for_one(
    client: Client,
    season: Season,
    django_assert_num_queries: DjangoAssertNumQueries,
    evenings: int,
) -> None:
    for evening in played(season, *[90] * evenings):
        correct(evening, ns=120)
    with django_assert_num_queries(12):
        page = get(client, PATH)
    assert words(page).count("nieuwe uitslag volgt") == evenings


def many(season: Season, *, people: int, evenings: int) -> None:
    """History: each of so many people has 4000 and his number on each of so many evenings."""
    lines = ["evening,player,round,score"]
    for week in range(evenings):
        day = dt.date(2026, 1, 3) + dt.timedelta(weeks=week)
        lines += [f"{day},Speler {one:03},,{4000 + one}" for one in range(1, people + 1)]
    source = BytesIO("\n".join(lines).encode())
    results_import(club=season.club, season_name=season.name, source=source, actor=TESTS)


@pytest.mark.full
def test_a_long_standing_comes_in_pages_that_are_light(client: Client, season: Season) -> None:
    season_rule_add(season=season, name="Beste", settings={"best_per_period": 5}, actor=TESTS)
    many(season, people=60, evenings=30)
    first, second = get(client, PATH), get(client, f"{PATH}?page=2")
    assert (rows(first)[0][1], rows(second)[-1][1]) == ("Speler 060", "Speler 001")
    assert len(rows(first)) + len(rows(second)) == 60
    assert len(first.content) <= 150_000
    found = get(client, f"{PATH}?q=speler+007")
    # sixtieth has the most, so the seventh stands in place 54
    assert [row[:2] for row in rows(found)] == [["54", "Speler 007"]]
    assert "In dit klassement heet niemand “Truus”." in words(get(client, f"{PATH}?q=Truus"))


@pytest.mark.full
def test_public_names_only(client: Client, season: Season) -> None:
    played(season, 90)
    Member.objects.filter(number=1).update(public_name="J.", email="jan@thuis.example")
    for path in (PATH, player_path(1)):
        page = get(client, path).content.decode()
        assert "J." in words(page)
        assert re.search(r"\bJan\b", page) is None  # a form's token can hold these letters
        assert "thuis.example" not in page


@pytest.mark.parametrize(
    ("settings", "evenings", "sentences"),
    [
        ({}, 7, ["Alle avonden tellen mee."]),
        ({"best_per_period": 5}, 7, ["De beste 5 van de 7 avonden tellen."]),
        ({"best_per_period": 1}, 3, ["De beste van de 3 avonden telt."]),
        ({"best_per_period": 5}, 6, ["De beste 5 van de 6 avonden tellen."]),
        (
            {"best_per_period": 5},
            5,
            ["De beste 5 avonden tellen. Er staan er nu 5 in dit seizoen."],
        ),
        (
            {"best_per_period": 5},
            1,
            ["De beste 5 avonden tellen. Er staat er nu 1 in dit seizoen."],
        ),
        ({"best_per_period": 5}, 0, ["De beste 5 avonden tellen."]),
        ({"best_per_period": 1}, 0, ["De beste avond telt."]),
        (
            {
                "periods": [["2026-09-01", "2026-10-12"], ["2026-10-13", "2026-12-31"]],
                "best_per_period": 4,
                "best_periods": 1,
            },
            9,
            [
                "In elke periode tellen de beste 4 avonden. Van de 2 perioden telt de beste.",
                "De perioden: 1 september – 12 oktober, 13 oktober – 31 december.",
            ],
        ),
        (
            {"periods": [["2026-09-01", "2026-10-12"]], "best_per_period": 4},
            9,
            [
                "In elke periode tellen de beste 4 avonden.",
                "De perioden: 1 september – 12 oktober.",
            ],
        ),
        (
            {
                "aggregate": "mean_per_round",
                "minimum_evenings": 5,
                "excluded": ["2026-12-19"],
                "absence": {"with_notice": "lowest", "without_notice": -100},
                "tie_breaks": ["pits", "best_round"],
            },
            7,
            [
                "Alle avonden tellen mee.",
                "De plaats hangt af van uw gemiddelde per boompje.",
                "U krijgt een plaats als u 5 avonden hebt gespeeld.",
                "Niet mee tellen: 19 december.",
                "Wie zich heeft afgemeld krijgt de laagste score van die avond.",
                "Wie zonder bericht wegblijft krijgt −100 punten.",
                "Bij gelijke punten beslist achtereenvolgens: het vaakst mars, de hoogste ronde.",
            ],
        ),
    ],
)
def test_a_rule_is_said_in_words(
    settings: dict[str, object], evenings: int, sentences: list[str]
) -> None:
    rule: CountingRule = parse_season_rule(settings)
    assert [what_counts(rule, evenings), *what_else_counts(rule, "mars")] == sentences


@pytest.mark.full
def test_a_player_can_look_back_at_earlier_seasons(client: Client, season: Season) -> None:
    played(season, 100)
    newer = season_create(club=season.club, name="2027", starts=dt.date(2027, 1, 1), actor=TESTS)
    season_create(club=season.club, name="2028", starts=dt.date(2028, 1, 1), actor=TESTS)
    evening = evening_with_draw(players=4, club=season.club, season=newer, date=dt.date(2027, 1, 9))
    close_evening(evening)
    page = get(client, player_path(1))
    assert [row[0] for row in rows(page)] == ["9 jan 2027"]
    assert "Andere seizoenen 2026" in words(page)
    assert "2028" not in words(page)
    assert [row[0] for row in rows(get(client, player_path(1, "?season=2026")))] == ["21 nov 2026"]
    assert client.get(player_path(1, "?season=2028")).status_code == 404


@pytest.mark.full
def test_without_a_season_a_player_has_his_evenings_all_the_same(
    client: Client, club: Club
) -> None:
    close_evening(evening_with_draw(players=4, club=club, method=Evening.Method.TYPED_IN))
    assert rows(get(client, player_path(1))) == [["21 nov 2026", "1 van 4", "90", "81", "90", "0"]]


@pytest.mark.full
def test_an_evening_that_does_not_count_is_shown_as_dropped(client: Client, season: Season) -> None:
    season_rule_add(
        season=season, name="Klassement", settings={"excluded": ["2026-11-28"]}, actor=TESTS
    )
    played(season, 100, 85)
    points = [row[2] for row in rows(get(client, player_path(1)))]
    assert points == ["(85) telt niet mee", "100"]


@pytest.mark.full
def test_a_guest_has_a_page_and_is_called_a_guest(client: Client, season: Season) -> None:
    MemberFactory.create(club=season.club, kind=Member.Kind.GUEST, number=1, name="Jo Gast")
    played(season, 90)
    assert "Jo Gast 2026 · gast" in words(get(client, player_path(1)))


def test_who_was_never_on_a_public_page_has_none(client: Client, season: Season) -> None:
    evening = EveningFactory.create(club=season.club, season=season)
    people = MemberFactory.create_batch(5, club=season.club)
    presence_replace(evening_id=evening.pk, members=people[:4], actor=TESTS)
    draw_make(evening_id=evening.pk, actor=TESTS)
    for number in (1, 5):
        assert client.get(player_path(number)).status_code == 404


@pytest.mark.full
def test_drawn_and_not_played_yet_is_a_calm_page(client: Client, season: Season) -> None:
    evening_with_draw(players=4, club=season.club, season=season)
    assert "Nog geen avond met een uitslag." in words(get(client, player_path(1)))


@pytest.mark.full
def test_what_is_not_there_is_not_found(client: Client, season: Season) -> None:
    played(season, 90)
    other = ClubFactory.create()
    member = Member.objects.get(number=1)
    for path in (
        "/clubs/vrolijke-boer/seasons/2027/",
        f"/clubs/{other.slug}/seasons/2026/",
        f"/clubs/{other.slug}/players/{member.pk}/",
        "/clubs/vrolijke-boer/players/99999999999999999999/",
        player_path(1, "?season=nooit"),
    ):
        assert client.get(path).status_code == 404, path


@pytest.mark.full
def test_both_pages_speak_english_to_who_asks(client: Client, season: Season) -> None:
    played(season, 100, 85)
    speak_english(client)
    assert "Standings 2026 Every evening counts." in words(get(client, PATH))
    page = words(get(client, player_path(1)))
    assert "Place in the season 1 · leads the season What counts 185" in page


@pytest.mark.parametrize("evenings", [1, 3])
def test_more_evenings_and_standings_cost_no_more_queries(
    client: Client,
    season: Season,
    django_assert_num_queries: DjangoAssertNumQueries,
    evenings: int,
) -> None:
    for number in range(evenings):
        season_rule_add(season=season, name=f"Klassement {number}", settings={}, actor=TESTS)
    played(season, *[90] * evenings)
    with django_assert_num_queries(10):
        get(client, PATH)


def test_a_name_is_text_and_never_markup(client: Client, season: Season) -> None:
    played(season, 90)
    Member.objects.filter(number=1).update(name='<b onclick="x">Jan & Co</b>')
    page = get(client, PATH).content.decode()
    assert "&lt;b onclick=&quot;x&quot;&gt;Jan &amp; Co&lt;/b&gt;</a>" in page
    assert "<b " not in page
