"""An evening that was made by mistake is deleted, unless something was played or paid."""

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from clubs.models import AuditEvent, Club, Member
from clubs.text.errors import DomainError
from scoring.audit.verify import faults
from scoring.models import Scoresheet
from tests.api.caller import Caller
from tests.factories import (
    TESTS,
    ClubFactory,
    EveningFactory,
    MemberFactory,
    evening_with_draw,
    organiser_of,
    table,
    write_deal,
)
from tests.tournaments.desk import EVENING, desk_of, messages_in, text
from tests.tournaments.public_pages import close_evening, words
from tournaments.closing.services import evening_cancel, evening_reopen
from tournaments.evenings.kinds import evening_delete
from tournaments.models import DeletedEvening, Evening, Registration
from tournaments.prizes.given import cup_add, cup_win_add
from tournaments.registration.check_in import presence_replace
from tournaments.seasons.services import season_create

pytestmark = pytest.mark.django_db

DELETED = "/clubs/vrolijke-boer/desk/evenings/deleted/"


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


@pytest.mark.full
def test_a_mistaken_evening_is_deleted_from_its_own_page(club: Club) -> None:
    evening = EveningFactory.create(club=club)
    people = [MemberFactory.create(club=club) for _ in range(2)]
    presence_replace(evening_id=evening.pk, members=people, actor=TESTS)
    desk = desk_of(club)
    assert f'href="{EVENING}delete/"' in text(desk.get(f"{EVENING}edit/"))
    question = words(desk.get(f"{EVENING}delete/"))
    assert "De avond van zaterdag 21 november wissen?" in question
    assert "Er zijn 2 mensen aangevinkt; ook dat verdwijnt." in question
    page = desk.post(f"{EVENING}delete/", follow=True)
    assert messages_in(page) == ["De avond van zaterdag 21 november is gewist."]
    assert page.redirect_chain == [("/clubs/vrolijke-boer/desk/evenings/", 302)]
    assert (Evening.objects.count(), Member.objects.count()) == (0, 2)


@pytest.mark.full
def test_a_cancelled_evening_vanishes_from_the_calendar(club: Club) -> None:
    evening = EveningFactory.create(club=club, date=dt.date(2030, 11, 21))
    evening_cancel(evening_id=evening.pk, actor=TESTS)
    desk, here = desk_of(club), f"/clubs/vrolijke-boer/desk/evenings/{evening.slug}/"
    calendar = "/clubs/vrolijke-boer/calendar/"
    assert "Do 21 nov 2030" in words(desk.get(calendar))
    assert f'href="{here}delete/"' in text(desk.get(f"{here}restore/"))
    desk.post(f"{here}delete/")
    assert "21 nov 2030" not in words(desk.get(calendar))


def test_a_draw_on_which_nothing_was_written_goes_along_and_the_trail_is_sound(club: Club) -> None:
    evening_with_draw(club=club)
    desk_of(club).post(f"{EVENING}delete/")
    assert (Evening.objects.count(), Scoresheet.objects.count()) == (0, 0)
    (event,) = AuditEvent.objects.filter(action="evening_deleted")
    assert event.data == {"evening": "2026-11-21", "date": "2026-11-21", "state": "running"}
    page = words(desk_of(club).get(reverse("club_trail", args=[club.slug])))
    assert "De avond van 2026-11-21 is gewist; er was niets gespeeld" in page
    assert list(faults(club)) == []


def test_a_deleted_evening_is_put_back_as_it_was_planned(club: Club) -> None:
    season = season_create(club=club, name="2026-2027", actor=TESTS)
    made = EveningFactory.create(
        club=club,
        season=season,
        name="Kerstdrive",
        starts_at=dt.time(19, 45),
        method="lottery",
        rounds_planned=4,
        tie="play_off",
    )
    Evening.objects.update(stake_member=250, revision=7)
    before: dict[str, Any] = dict(Evening.objects.values().get())
    desk = desk_of(club)
    assert "terugzetten" not in text(desk.get("/clubs/vrolijke-boer/desk/evenings/"))
    desk.post(f"{EVENING}delete/")
    assert "Een gewiste avond terugzetten" in words(desk.get("/clubs/vrolijke-boer/desk/evenings/"))
    assert "za 21 november 2026 · Kerstdrive · 2026-2027" in words(desk.get(DELETED))
    kept = DeletedEvening.objects.get()
    page = desk.post(DELETED, {"evening": [kept.pk]}, follow=True)
    assert messages_in(page) == ["1 avond is terug."]
    changed = {"id", "version", "revision"}
    after: dict[str, Any] = dict(Evening.objects.values().get())
    assert {name: after[name] for name in after.keys() - changed} == {
        name: before[name] for name in before.keys() - changed
    }
    assert after["revision"] > before["revision"], "calendars and caches take the newer"
    assert (DeletedEvening.objects.count(), list(faults(club))) == (0, [])
    again = desk.post(DELETED, {"evening": [kept.pk, "x"]}, follow=True)
    assert (messages_in(again), Evening.objects.count()) == (["0 avonden zijn terug."], 1)
    trail = words(desk.get(reverse("club_trail", args=[club.slug])))
    assert "De avond van 2026-11-21, die gewist was, is terug" in trail
    assert made.uuid == after["uuid"]


def test_a_called_off_evening_comes_back_called_off_beside_what_was_made_since(club: Club) -> None:
    evening = EveningFactory.create(club=club)
    evening_cancel(evening_id=evening.pk, actor=TESTS)
    evening_delete(evening_id=evening.pk, actor=TESTS)
    EveningFactory.create(club=club)
    desk_of(club).post(DELETED, {"evening": [DeletedEvening.objects.get().pk]})
    found = [(evening.slug, evening.state) for evening in Evening.objects.order_by("sequence")]
    assert found == [("2026-11-21", "planned"), ("2026-11-21-2", "cancelled")]


def test_after_thirty_days_and_for_another_club_nothing_comes_back(club: Club) -> None:
    other = EveningFactory.create(club=ClubFactory.create(slug="ander", name="Ander"))
    evening_delete(evening_id=other.pk, actor=TESTS)
    desk, kept = desk_of(club), DeletedEvening.objects.get()
    desk.post(DELETED, {"evening": [kept.pk]})
    assert "geen avond gewist" in words(desk.get(DELETED))
    old = timezone.now() - dt.timedelta(days=31)
    DeletedEvening.objects.update(club=club, deleted_at=old)
    desk.post(DELETED, {"evening": [kept.pk]})
    assert Evening.objects.count() == 0
    evening_delete(evening_id=EveningFactory.create(club=club).pk, actor=TESTS)
    assert kept not in DeletedEvening.objects.all()


def _written(evening: Evening) -> None:
    write_deal(table(evening), 1)


def _paid(evening: Evening) -> None:
    Registration.objects.filter(evening=evening, member__number=1).update(paid=200)


def _cup(evening: Evening) -> None:
    cup = cup_add(club=evening.club, name="Beker", actor=TESTS)
    member = evening.club.members.get(number=1)
    cup_win_add(cup=cup, member=member, won_on=evening.date, evening=evening, actor=TESTS)


def _published(evening: Evening) -> None:
    close_evening(evening)
    evening_reopen(evening_id=evening.pk, actor=TESTS)


@pytest.mark.each_case
@pytest.mark.parametrize("act", [_written, _paid, _cup, _published])
def test_what_was_played_paid_or_won_stays(club: Club, act: Callable[[Evening], None]) -> None:
    evening = evening_with_draw(club=club, rounds=1, players=4)
    act(evening)
    page = desk_of(club).post(f"{EVENING}delete/", follow=True)
    (message,) = messages_in(page)
    assert message.startswith("Van deze avond is iets geschreven:")
    with pytest.raises(DomainError) as refused:
        evening_delete(evening_id=evening.pk, actor=TESTS)
    assert refused.value.code == "evening_played"
    assert Evening.objects.get().rounds.count() == 1


@pytest.mark.full
def test_a_program_deletes_an_evening_once(club: Club) -> None:
    empty = EveningFactory.create(club=club, date=dt.date(2026, 11, 28))
    evening = evening_with_draw(club=club)
    write_deal(table(evening), 1)
    api = Caller(organiser_of(club), "/api/v1/clubs/vrolijke-boer/evenings/")
    assert api.send("DELETE", f"{empty.slug}/").status_code == 204
    assert api.send("DELETE", f"{empty.slug}/").status_code == 404
    refused = api.ask("DELETE", f"{evening.slug}/", status=409)
    assert (refused["code"], Evening.objects.get()) == ("evening_played", evening)
