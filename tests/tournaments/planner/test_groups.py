"""Groups that play at once in one hall: evenings of one day whose tables are numbered on."""

from typing import Any

import pytest
from django.test import Client

from clubs.models import Club, Member
from tests.factories import TESTS, ClubFactory, EveningFactory, MemberFactory, table, write_deal
from tests.tournaments.desk import EVENING, desk_of, messages_in
from tests.tournaments.public_pages import rows, words
from tournaments.closing.services import evening_close, members_not_seen
from tournaments.draw.changes import draw_adapt
from tournaments.draw.services import draw_make, draw_publish
from tournaments.models import Evening, Placement, Registration, Table
from tournaments.registration.services import presence_replace
from tournaments.rounds.services import round_close, round_start
from tournaments.seasons.services import season_create

pytestmark = pytest.mark.django_db

GROUPS = f"{EVENING}groups/"
PUBLIC = "/clubs/vrolijke-boer/evenings/2026-11-21"


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


def planned(club: Club, people: int, **plan: Any) -> Evening:
    """An evening of one round of one deal; each brings their place in an earlier standing."""
    asked = {"rounds_planned": 1, "deals_per_round": 1, "method": "lottery"} | plan
    evening = EveningFactory.create(club=club, **asked)
    members = [MemberFactory.create(club=club) for _ in range(people)]
    presence_replace(evening_id=evening.pk, members=members, actor=TESTS)
    for place, member in enumerate(members, start=1):
        Registration.objects.filter(evening=evening, member=member).update(seeded=place)
    return evening


def split(club: Club, count: int = 2, how: str = "strength") -> list[Evening]:
    """The groups, made on the page."""
    answer = desk_of(club).post(GROUPS, {"count": count, "how": how})
    assert answer.status_code == 302, answer.context["form"].errors
    return list(Evening.objects.order_by("sequence"))


def people(evening: Evening) -> list[int]:
    """The numbers of who is on the list."""
    numbers = Member.objects.filter(registrations__evening=evening).values_list("number", flat=True)
    return sorted(number or 0 for number in numbers)


def begin(evening: Evening) -> None:
    draw_make(evening_id=evening.pk, actor=TESTS)
    draw_publish(evening_id=evening.pk, actor=TESTS)
    round_start(round_id=evening.rounds.get().pk, actor=TESTS)


def end(evening: Evening) -> None:
    round_close(round_id=evening.rounds.get().pk, actor=TESTS)
    evening_close(evening_id=evening.pk, actor=TESTS)


def tables(evening: Evening) -> list[int]:
    found = Table.objects.filter(round__evening=evening).order_by("number")
    return list(found.values_list("number", flat=True))


@pytest.mark.both
def test_by_strength_each_group_has_a_draw_a_standing_and_prizes_of_its_own(club: Club) -> None:
    season = season_create(club=club, name="Winter", actor=TESTS)
    planned(club, 13, season=season, name="Kerstdrive")
    a, b = split(club)
    assert [str(a), str(b)] == ["Kerstdrive, groep A", "Kerstdrive, groep B"]
    assert (a.slug, b.slug, b.season) == ("2026-11-21", "2026-11-21-2", season)
    # Whole tables, the best first; the last group has who is left over.
    assert (people(a), people(b)) == ([1, 2, 3, 4, 5, 6, 7, 8], [9, 10, 11, 12, 13])
    for group in (a, b):
        begin(group)
    assert (tables(a), tables(b)) == ([1, 2], [4])
    for group, number, points in ((a, 1, 100), (a, 2, 90), (b, 4, 162)):
        write_deal(table(group, number), 1, points={"NS": points})
    hall = " ".join(words(Client().get(f"{PUBLIC}/screen/?turn={turn}")) for turn in range(9))
    assert "Kerstdrive, groep" in hall
    for group in (a, b):
        end(group)
    first, second = (rows(Client().get(f"{PUBLIC}{more}/")) for more in ("", "-2"))
    assert [row[:1] + row[2:3] for row in first] == [
        ["1", "100"], ["1", "100"], ["3", "90"], ["3", "90"],
        ["5", "72"], ["5", "72"], ["7", "62"], ["7", "62"],
    ]  # fmt: skip
    assert len(second) == 5
    page = Client().get(f"{PUBLIC}/").content.decode()
    assert f'href="{PUBLIC}-2/"' in page
    # One season standing over all.
    assert len(rows(Client().get(f"/clubs/{club.slug}/seasons/winter/"))) == 13
    for more in ("", "-2"):
        given = desk_of(club).get(EVENING.replace("21/", f"21{more}/") + "close/")
        assert "De winnaar" in words(given)


def test_by_choice_people_move_until_the_draw(club: Club) -> None:
    planned(club, 8)
    a, b = split(club, how="choice")
    assert (str(a), str(b)) == ("Groep A", "Groep B")
    assert (people(a), people(b)) == ([1, 2, 3, 4, 5, 6, 7, 8], [])
    desk = desk_of(club)
    ids = dict(Member.objects.values_list("number", "pk"))
    wanted = {f"group_{ids[number]}": "B" for number in (2, 4, 6, 8)}
    assert messages_in(desk.post(GROUPS, wanted, follow=True)) == ["Bewaard; gewijzigd: 4."]
    assert (people(a), people(b)) == ([1, 3, 5, 7], [2, 4, 6, 8])
    draw_make(evening_id=b.pk, actor=TESTS)
    refused = desk.post(GROUPS, {f"group_{ids[2]}": "A"}, follow=True)
    assert messages_in(refused) == ["Groep B heeft al een loting. Maak die eerst ongedaan."]
    assert (people(a), people(b)) == ([1, 3, 5, 7], [2, 4, 6, 8])
    begin(a)
    assert (tables(a), tables(b)) == ([1], [3])


def test_fixed_pairs_stay_together(club: Club) -> None:
    evening = planned(club, 8, method="pairs")
    for place, entry in enumerate(evening.registrations.order_by("seeded")):
        entry.pair = place % 4 + 1
        entry.save()
    a, b = split(club)
    # Pairs 1 and 5, 2 and 6, and so on; pair 1 is the strongest.
    assert (people(a), people(b)) == ([1, 2, 5, 6], [3, 4, 7, 8])
    ids = dict(Member.objects.values_list("number", "pk"))
    desk_of(club).post(GROUPS, {f"group_{ids[3]}": "A"})
    assert (people(a), people(b)) == ([1, 2, 3, 5, 6, 7], [4, 8])
    pairs = a.registrations.order_by("pair").values_list("pair", flat=True)
    assert list(pairs) == [1, 1, 2, 2, 3, 3]


def test_one_evening_again(club: Club) -> None:
    planned(club, 12, name="Drive")
    split(club, 3)
    desk, join = desk_of(club), f"{GROUPS}join/"
    assert "Van de groepen weer één avond maken?" in words(desk.get(join))
    desk.post(join)
    whole = Evening.objects.get()
    assert (whole.name, whole.together, len(people(whole))) == ("Drive", None, 12)


@pytest.mark.parametrize(
    ("count", "plan", "said"),
    [
        (3, {}, "Voor 3 groepen zijn minstens 12 mensen nodig; er zijn er 8."),
        (2, {"ranks": "team"}, "Teams spelen samen in één groep."),
    ],
)
def test_what_cannot_be_split(club: Club, count: int, plan: dict[str, Any], said: str) -> None:
    planned(club, 8, **plan)
    refused = desk_of(club).post(GROUPS, {"count": count, "how": "strength"})
    assert refused.status_code == 422
    assert said in words(refused)
    assert Evening.objects.count() == 1


def test_who_plays_in_another_group_is_not_absent(club: Club) -> None:
    planned(club, 8, absence_found=True)
    away = MemberFactory.create(club=club)
    for group in split(club):
        assert members_not_seen(group) == [away]


def test_who_comes_later_gets_a_table_of_their_group(club: Club) -> None:
    planned(club, 8)
    _a, b = split(club)
    draw_make(evening_id=b.pk, actor=TESTS)
    draw_publish(evening_id=b.pk, actor=TESTS)
    here = [entry.member for entry in b.registrations.select_related("member")]
    late = [MemberFactory.create(club=club) for _ in range(4)]
    presence_replace(evening_id=b.pk, members=[*here, *late], actor=TESTS)
    draw_adapt(evening_id=b.pk, actor=TESTS)
    assert tables(b) == [3, 4]
    seated = Placement.objects.filter(round__evening=b, table__isnull=False)
    assert seated.count() == 8
