"""What prizes are, in words, money or a share of the pot; who got them, and where they went."""

import pytest
from django.test import Client

from clubs.models import AuditEvent, Club, Member
from tests.factories import TESTS, ClubFactory, director_of, evening_with_draw, table, write_deal
from tests.tournaments.desk import EVENING, desk_of, messages_in, text
from tests.tournaments.files import csv_lines_of
from tournaments.closing.services import evening_close
from tournaments.models import Evening, PrizeGiven, Season
from tournaments.prizes.core import Content, InvalidPrizes, PrizeScheme, divided, parse_prizes
from tournaments.prizes.giving import evening_prizes_choose
from tournaments.registration.entry_fees import entry_fee_pay
from tournaments.rounds.services import round_close
from tournaments.seasons.services import season_create

pytestmark = pytest.mark.django_db

PRIZES = f"{EVENING}prizes/"
CONTENTS = f"{PRIZES}contents/"
GIVEN = f"{PRIZES}given/"
WENT = "/clubs/vrolijke-boer/desk/seasons/2026-2027/prizes/went/"


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


@pytest.fixture
def season(club: Club) -> Season:
    return season_create(club=club, name="2026-2027", actor=TESTS)


@pytest.fixture
def played(club: Club, season: Season) -> Evening:
    """Nine people, one round; Wim sits out and wins with 1.600. Henk and Kees share place 2 with
    262, Annie and Riet are last with 0."""
    evening = evening_with_draw(
        club=club, players=9, rounds=1, deals_per_round=1, method="typed_in", season=season
    )
    write_deal(table(evening, 1), 1, points={"NS": 120})
    write_deal(table(evening, 2), 1, points={"NS": 162}, pit="NS")
    round_close(round_id=evening.rounds.get().pk, actor=TESTS)
    return Evening.objects.get(pk=evening.pk)


def contents(**known: Content) -> tuple[tuple[str, Content], ...]:
    return tuple((key.replace("_", "-"), content) for key, content in known.items())


def gets(desk: Client) -> dict[str, str]:
    """What each award comes to, as it is read out."""
    return {line.key: line.gets for line in desk.get(PRIZES).context["lines"]}


def fields(desk: Client, address: str) -> dict[str, object]:
    """What stands in the boxes of a form about prizes."""
    form = desk.get(address).context["form"]
    return {name: form[name].value() for name in form.fields}


@pytest.mark.full
def test_a_director_says_what_the_prizes_are(club: Club, played: Evening) -> None:
    desk = Client()
    desk.force_login(director_of(club))
    answers = {
        "what-place-1": " Rollade ",
        "worth-place-1": "€ 25",
        "worth-place-2": "12,50",
        "what-poedel": "Doos eieren",
    }
    page = desk.post(CONTENTS, answers, follow=True)
    assert messages_in(page) == ["De prijzen zijn bewaard."]
    assert Evening.objects.get().prizes["contents"] == {
        "place-1": {"what": "Rollade", "cents": 2500},
        "place-2": {"cents": 1250},
        "poedel": {"what": "Doos eieren"},
    }
    assert gets(desk) == {
        "poedel": "Doos eieren",
        "place-2": "€\N{NO-BREAK SPACE}12,50",
        "place-1": "Rollade (€\N{NO-BREAK SPACE}25,00)",
    }
    assert "Rollade (€ 25,00)" in text(desk.get(f"{EVENING}close/"))


@pytest.mark.full
def test_the_trail_does_not_keep_what_a_prize_is_called(club: Club, played: Evening) -> None:
    scheme = PrizeScheme(contents=contents(place_1=Content("Ham van Jan Bakker", cents=100)))
    evening_prizes_choose(evening_id=played.pk, scheme=scheme, actor=TESTS)
    event = AuditEvent.objects.get(action="prizes_chosen")
    assert event.data["prizes"]["contents"] == {"place-1": {"cents": 100}}


@pytest.mark.full
def test_a_share_of_the_pot_follows_the_pot(club: Club, played: Evening) -> None:
    scheme = PrizeScheme(contents=contents(place_1=Content(share=50), place_2=Content(share=33)))
    evening_prizes_choose(evening_id=played.pk, scheme=scheme, actor=TESTS)
    for member in Member.objects.filter(registrations__evening=played)[:3]:
        entry_fee_pay(evening_id=played.pk, member=member, cents=335, actor=TESTS)
    assert gets(desk_of(club))["place-1"] == "€\N{NO-BREAK SPACE}5,02"
    assert gets(desk_of(club))["place-2"] == "€\N{NO-BREAK SPACE}3,31"


@pytest.mark.parametrize(
    ("answers", "errors"),
    [
        (
            {"worth-place-1": "veel"},
            {"worth-place-1": ["Schrijf een bedrag in euro’s, zoals 2,50."]},
        ),
        (
            {"worth-place-1": "101%", "worth-place-2": "x"},
            {
                "worth-place-1": ["Een deel van de pot is 1% tot en met 100%."],
                "worth-place-2": ["Schrijf een bedrag in euro’s, zoals 2,50."],
            },
        ),
        (
            {"worth-place-1": "60%", "worth-place-2": "50%"},
            {"__all__": ["Samen is dit meer dan de hele pot."]},
        ),
    ],
)
def test_what_makes_no_sense_is_refused(
    club: Club, played: Evening, answers: dict[str, str], errors: dict[str, list[str]]
) -> None:
    page = desk_of(club).post(CONTENTS, answers)
    assert page.status_code == 422
    assert dict(page.context["form"].errors) == errors
    assert "contents" not in Evening.objects.get().prizes


@pytest.mark.full
def test_choosing_other_prizes_keeps_what_they_are(club: Club, played: Evening) -> None:
    scheme = PrizeScheme(contents=contents(place_1=Content("Rollade")))
    evening_prizes_choose(evening_id=played.pk, scheme=scheme, actor=TESTS)
    desk_of(club).post(f"{PRIZES}edit/", {"kind": "first", "first": "1", "poedel": "no"})
    assert Evening.objects.get().prizes["contents"] == {"place-1": {"what": "Rollade"}}


def test_who_share_a_place_are_expected_to_share_the_money(club: Club, played: Evening) -> None:
    scheme = PrizeScheme(
        first=2,
        poedel=False,
        contents=contents(place_1=Content("Ham", cents=2500), place_2=Content("Worst", cents=1001)),
    )
    evening_prizes_choose(evening_id=played.pk, scheme=scheme, actor=TESTS)
    lines = desk_of(club).get(GIVEN).context["form"].lines
    assert [(line.name, line.what.value(), line.worth.value()) for line in lines] == [
        ("Henk Bos", "Worst", "5,01"),
        ("Kees Mulder", "Worst", "5,00"),
        ("Wim Łuczak", "Ham", "25,00"),
    ]


def test_who_got_which_prize_is_noted_and_found_again(
    club: Club, season: Season, played: Evening
) -> None:
    scheme = PrizeScheme(
        first=2, poedel=False, contents=contents(place_1=Content("Ham", cents=900))
    )
    evening_prizes_choose(evening_id=played.pk, scheme=scheme, actor=TESTS)
    evening_close(evening_id=played.pk, actor=TESTS)
    desk = desk_of(club)
    assert [evening.slug for evening in desk.get(WENT).context["unrecorded"]] == [played.slug]
    kees = Member.objects.get(name="Kees Mulder")
    answers = fields(desk, GIVEN) | {f"what-place-2-{kees.pk}": "Fles wijn"}
    for _twice in range(2):
        page = desk.post(GIVEN, {name: value or "" for name, value in answers.items()}, follow=True)
        assert messages_in(page) == ["Genoteerd wie welke prijs kreeg."]
    assert list(PrizeGiven.objects.values_list("key", "member__name", "what", "cents")) == [
        ("place-2", "Kees Mulder", "Fles wijn", None),
        ("place-1", "Wim Łuczak", "Ham", 900),
    ]
    assert AuditEvent.objects.filter(action="prizes_given").count() == 1
    assert csv_lines_of(desk.get(f"{WENT}?format=csv").content) == [
        "date,for,player,prize,amount",
        f"{played.slug},Plaats 2,Kees Mulder,Fles wijn,",
        f"{played.slug},De winnaar,Wim Łuczak,Ham,9.00",
    ]
    assert desk.get(WENT).context["unrecorded"] == []
    pot = desk.get(f"{EVENING}stake/").context["fees"]
    assert (pot.pot, pot.given, pot.remainder) == (0, 900, -900)


def test_the_prizes_of_a_season_have_contents_and_are_given(
    club: Club, season: Season, played: Evening
) -> None:
    evening_close(evening_id=played.pk, actor=TESTS)
    desk, address = desk_of(club), "/clubs/vrolijke-boer/desk/seasons/2026-2027/prizes/"
    desk.post(f"{address}contents/", {"what-place-1": "Beker", "worth-place-1": "15"})
    lines = {line.key: line.gets for line in desk.get(address).context["lines"]}
    assert lines["place-1"] == "Beker (€\N{NO-BREAK SPACE}15,00)"
    answers = {name: value or "" for name, value in fields(desk, f"{address}given/").items()}
    desk.post(f"{address}given/", answers)
    given = PrizeGiven.objects.get()
    assert (given.season, given.evening, given.what, given.cents) == (season, None, "Beker", 1500)


def test_sums_are_divided_in_whole_cents() -> None:
    assert divided(1000, 3) == [334, 333, 333]
    assert sum(divided(1001, 4)) == 1001


@pytest.mark.parametrize(
    "contents",
    [
        {"place-0": {"cents": 1}},
        {"place-1": {}},
        {"place-1": {"what": ""}},
        {"place-1": {"cents": 0}},
        {"place-1": {"cents": 1, "share": 1}},
        {"place-1": {"share": 101}},
        {"place-1": {"cents": True}},
        {"place-1": {"what": "x" * 81}},
        {"side-unknown": {"cents": 1}},
        {"winner": {"cents": 1}},
        {"place-1": {"cents": 1, "more": 1}},
    ],
)
def test_contents_that_cannot_be_read_are_refused(contents: object) -> None:
    with pytest.raises(InvalidPrizes) as refused:
        parse_prizes({"contents": contents})
    assert refused.value.faults == (("contents", "not_a_content"),)


def test_contents_are_read_as_they_are_written() -> None:
    scheme = PrizeScheme(contents=contents(place_1=Content("Ham", 1), period=Content(share=5)))
    assert parse_prizes(scheme.as_json()) == scheme
