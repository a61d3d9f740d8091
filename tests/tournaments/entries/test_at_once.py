"""Many who enter, withdraw and come in at the same moment, on either database."""

import uuid
from collections.abc import Callable, Sequence
from functools import partial

import pytest

from clubs.models import Member
from tests.concurrency import at_once, outcomes
from tests.factories import TESTS, EveningFactory, MemberFactory
from tests.tournaments.entries import enter, on_list, open_entries
from tournaments.entries.arrivals import person_arrive, walk_in
from tournaments.entries.services import entry_ask, entry_confirm, entry_withdraw
from tournaments.models import Entry, EntryPerson, Evening
from tournaments.models.entry import Wish

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both]
Act = Callable[[], object]


def in_turn(acts: Sequence[Act]) -> list[object]:
    """Eight of them at once, as many as a server has connections, and then the next eight."""
    eights = [acts[first : first + 8] for first in range(0, len(acts), 8)]
    return [answer for eight in eights for answer in at_once(eight)]


def numbers_of(evening: Evening) -> list[int]:
    return list(evening.entries.order_by("number").values_list("number", flat=True))


def test_of_twelve_who_confirm_at_once_eight_are_in_and_four_wait_in_their_order() -> None:
    evening = EveningFactory.create()
    open_entries(evening, maximum=8)
    asks: list[Act] = [
        partial(
            entry_ask,
            evening_id=evening.pk,
            wish=Wish(people=[f"Speler {n}"], phone=f"06 1234567{n}"),
            key=uuid.uuid4(),
        )
        for n in range(12)
    ]
    assert outcomes(in_turn(asks)) == {"ok": 12}
    assert numbers_of(evening) == list(range(1, 13))
    confirms: list[Act] = [
        partial(entry_confirm, entry=entry, actor=TESTS) for entry in evening.entries.all()
    ]
    assert outcomes(in_turn([*confirms, *confirms])) == {"ok": 24}
    assert len(on_list(evening, "entered")) == 8
    assert len(on_list(evening, "waiting")) == 4


def test_places_that_come_free_at_once_go_to_the_first_who_wait() -> None:
    evening = EveningFactory.create()
    open_entries(evening, maximum=6)
    entries = [enter(evening, f"Speler {n}") for n in range(1, 13)]
    acts: list[Act] = [
        partial(entry_withdraw, entry=entry, actor=TESTS) for entry in (*entries[:2], *entries[:2])
    ]
    acts += [partial(enter, evening, f"Later {n}") for n in range(4)]
    assert outcomes(at_once(acts)) == {"ok": 8}
    assert on_list(evening, "entered") == [f"Speler {n}" for n in range(3, 9)]
    assert on_list(evening, "waiting")[:4] == [f"Speler {n}" for n in range(9, 13)]
    assert len(on_list(evening, "waiting")) == 8
    assert len(set(numbers_of(evening))) == 16


def test_one_form_sent_by_eight_at_once_is_one_entry() -> None:
    evening = EveningFactory.create()
    open_entries(evening)
    ask: Act = partial(
        entry_ask,
        evening_id=evening.pk,
        wish=Wish(people=["Jan Bakker"], phone="06 12345678"),
        key=uuid.UUID(int=1),
    )
    answers = at_once([ask] * 8)
    assert outcomes(answers) == {"ok": 8}
    assert Entry.objects.count() == 1


def test_a_member_whom_eight_enter_at_once_is_on_the_list_once() -> None:
    evening = EveningFactory.create()
    MemberFactory.create(club=evening.club, name="Jan Bakker")
    at_once([partial(enter, evening, "Jan Bakker") for _ in range(8)])
    known = EntryPerson.objects.filter(evening=evening, member__isnull=False, counts=True)
    assert known.count() == 1


def test_who_is_ticked_by_four_tablets_at_once_is_here_once() -> None:
    evening = EveningFactory.create()
    open_entries(evening, walk_ins=True, maximum=9)
    people = [enter(evening, f"Speler {n}").people.get() for n in range(8)]
    arrive = partial(person_arrive, evening_id=evening.pk, actor=TESTS, by_desk=False)
    acts: list[Act] = [partial(arrive, person_id=person.pk) for person in people for _ in range(2)]
    walk: Act = partial(
        walk_in, evening_id=evening.pk, name="Nieuwe Gast", actor=TESTS, by_desk=False
    )
    answers = in_turn([*acts, *[walk] * 4])
    assert outcomes(answers) == {"ok": 17, "name_known": 3}
    assert evening.registrations.filter(present=True).count() == 9
    assert Member.objects.of(evening.club).count() == 9


def test_the_last_place_at_the_door_is_given_once() -> None:
    evening = EveningFactory.create()
    open_entries(evening, walk_ins=True, maximum=1)
    walks: list[Act] = [
        partial(walk_in, evening_id=evening.pk, name=f"Gast {n}", actor=TESTS, by_desk=False)
        for n in range(8)
    ]
    assert outcomes(at_once(walks)) == {"ok": 1, "evening_full": 7}
    assert evening.registrations.filter(present=True).count() == 1
