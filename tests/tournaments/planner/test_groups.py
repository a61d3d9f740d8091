"""Groups that play at once in one hall: evenings of one day whose tables are numbered on."""

from typing import Any

import pytest
from django.test import Client

from clubs.models import Club, Member
from scoring.models import Regulation
from tests.factories import TESTS, ClubFactory, EveningFactory, MemberFactory, table, write_deal
from tests.tournaments.desk import EVENING, desk_of, messages_in
from tests.tournaments.entries import enter, open_entries
from tests.tournaments.hall import screen_held
from tests.tournaments.public_pages import rows, words
from tournaments.closing.services import evening_cancel, evening_close, members_not_seen
from tournaments.draw.changes import draw_adapt
from tournaments.draw.services import draw_make, draw_publish
from tournaments.entries.arrivals import (
    entered_arrive,
    entry_paid_set,
    person_arrive,
    person_leave,
)
from tournaments.evenings.services import evening_freeze
from tournaments.models import (
    EntryList,
    Evening,
    Placement,
    Registration,
    Table,
)
from tournaments.registration.check_in import presence_replace
from tournaments.registration.pairs import pair_make
from tournaments.rounds.services import round_close, round_start
from tournaments.seasons.services import season_create
from tournaments.table_links.services import table_links

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


@pytest.mark.full
def test_by_choice_people_move_until_the_draw(club: Club) -> None:
    planned(club, 8)
    a, b = split(club, how="choice")
    assert (str(a), str(b)) == ("Groep A", "Groep B")
    assert (people(a), people(b)) == ([1, 2, 3, 4, 5, 6, 7, 8], [])
    desk = desk_of(club)
    ids = dict(Member.objects.values_list("number", "pk"))
    wanted = {f"group_{ids[number]}_A": "B" for number in (2, 4, 6, 8)}
    assert messages_in(desk.post(GROUPS, wanted, follow=True)) == ["Bewaard; gewijzigd: 4."]
    assert (people(a), people(b)) == ([1, 3, 5, 7], [2, 4, 6, 8])
    draw_make(evening_id=b.pk, actor=TESTS)
    refused = desk.post(GROUPS, {f"group_{ids[2]}_B": "A"}, follow=True)
    assert messages_in(refused) == ["Groep B heeft al een loting. Maak die eerst ongedaan."]
    assert (people(a), people(b)) == ([1, 3, 5, 7], [2, 4, 6, 8])
    begin(a)
    assert (tables(a), tables(b)) == ([1], [3])


@pytest.mark.full
def test_fixed_pairs_stay_together(club: Club) -> None:
    evening = planned(club, 8, method="pairs")
    for place, entry in enumerate(evening.registrations.order_by("seeded")):
        entry.pair = place % 4 + 1
        entry.save()
    a, b = split(club)
    # Pairs 1 and 5, 2 and 6, and so on; pair 1 is the strongest.
    assert (people(a), people(b)) == ([1, 2, 5, 6], [3, 4, 7, 8])
    ids = dict(Member.objects.values_list("number", "pk"))
    desk_of(club).post(GROUPS, {f"group_{ids[3]}_B": "A"})
    assert (people(a), people(b)) == ([1, 2, 3, 5, 6, 7], [4, 8])
    pairs = a.registrations.order_by("pair").values_list("pair", flat=True)
    assert list(pairs) == [1, 1, 2, 2, 3, 3]


@pytest.mark.full
def test_one_evening_again(club: Club) -> None:
    planned(club, 12, name="Drive")
    split(club, 3)
    desk, join = desk_of(club), f"{GROUPS}join/"
    assert "Van de groepen weer één avond maken?" in words(desk.get(join))
    desk.post(join)
    whole = Evening.objects.get()
    assert (whole.name, whole.together, len(people(whole))) == ("Drive", None, 12)


@pytest.mark.full
def test_an_evening_that_was_drawn_is_named_by_its_day(club: Club) -> None:
    evening = planned(club, 8)
    draw_make(evening_id=evening.pk, actor=TESTS)
    page = desk_of(club).post(GROUPS, {"count": 2, "how": "strength"})
    assert page.status_code == 422
    assert page.context["form"].non_field_errors() == [
        "Zaterdag 21 november heeft al een loting. Maak die eerst ongedaan."
    ]


@pytest.mark.full
def test_three_groups_need_twelve_people(club: Club) -> None:
    planned(club, 8)
    refused = desk_of(club).post(GROUPS, {"count": 3, "how": "strength"})
    assert refused.status_code == 422
    assert "Voor 3 groepen zijn minstens 12 mensen nodig; er zijn er 8." in words(refused)
    assert Evening.objects.count() == 1


@pytest.mark.full
def test_who_plays_in_another_group_is_not_absent(club: Club) -> None:
    planned(club, 8, absence_found=True)
    away = MemberFactory.create(club=club)
    for group in split(club):
        assert members_not_seen(group) == [away]


@pytest.mark.full
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


def moved(club: Club, **to: str) -> list[str]:
    """Save on the page that these people, `n3_A` the third as shown in A, play in these groups."""
    ids = dict(Member.objects.values_list("number", "pk"))
    posted = {}
    for named, letter in to.items():
        number, seen = named.removeprefix("n").split("_")
        posted[f"group_{ids[int(number)]}_{seen}"] = letter
    return messages_in(desk_of(club).post(GROUPS, posted, follow=True))


def as_shown(club: Club) -> list[str]:
    """Save the page as it is shown; what it says."""
    page = desk_of(club).get(GROUPS)
    posted = {f"group_{entry.member_id}_{own}": own for entry, own in page.context["rows"]}
    return messages_in(desk_of(club).post(GROUPS, posted, follow=True))


def here(evening: Evening) -> list[int]:
    """The numbers of who is present."""
    found = evening.registrations.filter(present=True).values_list("member__number", flat=True)
    return sorted(number or 0 for number in found)


def came(evening: Evening, *numbers: int) -> None:
    members = Member.objects.filter(number__in=numbers)
    presence_replace(evening_id=evening.pk, members=list(members), actor=TESTS)


def absent_in_a_and_here_in_b(club: Club) -> tuple[Evening, Evening]:
    """Eight people in two groups, of whom 4 went from A to B by the lists of who is here."""
    planned(club, 8)
    a, b = split(club)
    a.registrations.filter(member__number=4).update(present=False, absence="none")
    came(b, 4, 5, 6, 7, 8)
    return a, b


@pytest.mark.full
def test_saving_unticks_nobody_who_is_here(club: Club) -> None:
    a, b = absent_in_a_and_here_in_b(club)
    b.registrations.filter(member__number=4).update(paid=250)
    assert as_shown(club) == ["Bewaard; gewijzigd: 0."]
    assert (here(a), here(b)) == ([1, 2, 3], [4, 5, 6, 7, 8])
    draw_make(evening_id=b.pk, actor=TESTS)
    assert as_shown(club) == ["Bewaard; gewijzigd: 0."]


@pytest.mark.full
def test_who_is_here_and_paid_in_one_group_is_so_in_the_one_evening(club: Club) -> None:
    a, b = absent_in_a_and_here_in_b(club)
    Registration.objects.create(evening=a, member=Member.objects.get(number=5), paid=250)
    b.registrations.filter(member__number=5).update(present=False)
    b.registrations.filter(member__number=4).update(paid=300)
    desk_of(club).post(f"{GROUPS}join/")
    # Money that was paid for B goes along with who paid it.
    whole = Evening.objects.get()
    assert here(whole) == [1, 2, 3, 4, 5, 6, 7, 8]
    paid = dict(whole.registrations.exclude(paid=None).values_list("member__number", "paid"))
    assert (paid, whole.first_table) == ({4: 300, 5: 250}, 1)


@pytest.mark.both
def test_a_pair_that_was_made_again_in_another_group_is_one_pair(club: Club) -> None:
    planned(club, 8, method="pairs")
    a, b = split(club)
    one, two, five, six = (Member.objects.get(number=number) for number in (1, 2, 5, 6))
    pair_make(evening_id=a.pk, one=one, two=two, actor=TESTS)
    pair_make(evening_id=b.pk, one=five, two=six, actor=TESTS)
    a.registrations.filter(member__in=[one, two]).update(present=False)
    came(b, 1, 2, 5, 6, 7, 8)
    pair_make(evening_id=b.pk, one=one, two=two, actor=TESTS)
    assert moved(club, n5_B="A") == ["Bewaard; gewijzigd: 2."]
    assert (here(a), here(b)) == ([3, 4, 5, 6], [1, 2, 7, 8])
    assert desk_of(club).post(f"{GROUPS}join/").status_code == 302
    whole = Evening.objects.get()
    assert here(whole) == [1, 2, 3, 4, 5, 6, 7, 8]
    pairs: dict[int, list[int]] = {}
    for row in whole.registrations.exclude(pair=None).select_related("member"):
        pairs.setdefault(row.pair or 0, []).append(row.member.number or 0)
    assert sorted(map(sorted, pairs.values())) == [[1, 2], [5, 6]]
    assert sorted(whole.evening_pairs.values_list("number", flat=True)) == sorted(pairs)


@pytest.mark.full
def test_a_page_from_before_puts_nobody_back(club: Club) -> None:
    planned(club, 12)
    a, b, c = split(club, 3)
    assert moved(club, n1_A="B") == ["Bewaard; gewijzigd: 1."]
    # Another desk saw 1 in A still.
    assert moved(club, n1_A="C", n2_A="A", n5_B="C") == ["Bewaard; gewijzigd: 1."]
    assert (here(a), here(b), here(c)) == ([2, 3, 4], [1, 6, 7, 8], [5, 9, 10, 11, 12])


def test_a_group_keeps_its_letter_when_another_is_called_off(club: Club) -> None:
    planned(club, 12)
    a, b, c = split(club, 3)
    evening_cancel(evening_id=b.pk, actor=TESTS)
    page = desk_of(club).get(GROUPS)
    assert [(str(group), letter) for group, letter, _people in page.context["counts"]] == [
        ("Groep A", "A"),
        ("Groep C", "C"),
    ]
    assert moved(club, n1_A="C") == ["Bewaard; gewijzigd: 1."]
    assert (here(a), here(c)) == ([2, 3, 4], [1, 9, 10, 11, 12])


@pytest.mark.full
@pytest.mark.parametrize(
    ("pairs", "first"),
    [
        # 3 goes down behind 4 and 5, since the next who is alone is far off.
        ([(1, 2), (4, 5), (6, 7)], [1, 2, 4, 5]),
        # 6 goes up beside 1, 2 and 3.
        ([(4, 5)], [1, 2, 3, 6]),
    ],
)
def test_who_plays_alone_fills_up_a_table_beside_pairs(
    club: Club, pairs: list[tuple[int, int]], first: list[int]
) -> None:
    evening = planned(club, 8)
    for number, pair in enumerate(pairs, start=1):
        evening.registrations.filter(member__number__in=pair).update(pair=number)
    a, b = split(club)
    assert here(a) == first
    assert len(here(b)) == 4


@pytest.mark.full
def test_people_enter_for_the_evening_that_was_announced(club: Club) -> None:
    evening = planned(club, 8, season=None)
    open_entries(evening, maximum=8)
    entry = enter(evening, "Wilma Zomer")
    regulation = evening.regulation
    assert regulation is not None
    newer = Regulation.objects.get(pk=regulation.pk)
    newer.pk, newer.version = None, regulation.version + 1
    newer.save(force_insert=True)
    a, b = split(club)
    assert (a.regulation, b.regulation) == (regulation, regulation)
    assert list(EntryList.objects.values_list("evening", flat=True)) == [a.pk]
    # Who entered plays in B: their entry is found there.
    wilma = MemberFactory.create(club=club, name="Wilma Zomer")
    entry.people.update(member=wilma)
    members = [row.member for row in b.registrations.select_related("member")]
    presence_replace(evening_id=b.pk, members=[*members, wilma], actor=TESTS)
    assert entry.people.get().arrived_at is not None


def test_who_entered_for_a_and_plays_in_b_pays_leaves_and_comes_back_there(club: Club) -> None:
    evening = planned(club, 8, season=None)
    Evening.objects.update(stake_guest=300)
    open_entries(evening, maximum=8)
    entry = enter(evening, "Wilma Zomer")
    person = entry.people.get()
    person_arrive(evening_id=evening.pk, person_id=person.pk, actor=TESTS)
    wilma = Member.objects.get(name="Wilma Zomer")
    a, b = split(club)
    assert b.registrations.filter(member=wilma, present=True).exists()
    # She is paid for at A's list, which is where she entered.
    entry_paid_set(entry=entry, paid=True, actor=TESTS)
    assert b.registrations.get(member=wilma).paid == 300
    entry_paid_set(entry=entry, paid=False, actor=TESTS)
    assert b.registrations.get(member=wilma).paid is None
    here = [b.registrations.filter(member=wilma, present=True).exists]
    person_leave(evening_id=a.pk, person_id=person.pk, actor=TESTS)
    person_leave(evening_id=a.pk, person_id=person.pk, actor=TESTS)
    assert (here[0](), entry.people.get().arrived_at) == (False, None)
    for _twice in range(2):
        person_arrive(evening_id=a.pk, person_id=person.pk, actor=TESTS)
    assert here[0]()
    person_leave(evening_id=a.pk, person_id=person.pk, actor=TESTS)
    entered_arrive(evening_id=a.pk, actor=TESTS)
    assert here[0]()
    assert not a.registrations.filter(member=wilma).exists()


def test_a_group_people_entered_for_is_not_thrown_away(club: Club) -> None:
    planned(club, 8)
    _a, b = split(club)
    enter(b, "Wilma Zomer")
    (said,) = messages_in(desk_of(club).post(f"{GROUPS}join/", follow=True))
    assert said.startswith("Er is voor een andere groep dan A ingeschreven")
    assert Evening.objects.count() == 2
    assert b.entries.count() == 1


@pytest.mark.full
def test_a_group_has_links_of_its_own_tables_only(club: Club) -> None:
    planned(club, 12, phones=True)
    a, b = split(club)
    for group in (a, b):
        begin(group)
        group.refresh_from_db()
    assert [link.number for link in table_links(a)] == tables(a)
    assert [link.number for link in table_links(b)] == tables(b)
    assert sorted(b.tokens.values_list("table_number", flat=True)) == tables(b)


@pytest.mark.full
def test_a_held_picture_follows_the_other_groups(club: Club) -> None:
    planned(club, 8)
    a, b = split(club)
    for group in (a, b):
        begin(group)
    screen_held(a, scene="standings")
    part, steering = f"{PUBLIC}/screen/?live=1", f"{EVENING}screen/live/"
    tags = []
    for act in (
        lambda: None,
        lambda: write_deal(table(b, 3), 1, points={"NS": 100}),
        lambda: evening_freeze(evening_id=b.pk, frozen=True, actor=TESTS),
    ):
        act()
        tags.append((Client().get(part)["ETag"], desk_of(club).get(steering)["ETag"]))
    assert [len(set(each)) for each in zip(*tags, strict=True)] == [3, 3]
