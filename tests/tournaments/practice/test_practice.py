"""A practice evening: played as a real one, noticed by nobody, and gone without a trace."""

import datetime as dt
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import time_machine
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone

from clubs.models import AuditEvent, Club, Member
from clubs.profile.services import practice_sweep
from scoring.audit.verify import faults
from scoring.models import DealEntry
from scoring.rules import PRESETS
from tests.factories import (
    TESTS,
    ClubFactory,
    MemberFactory,
    director_of,
    evening_with_draw,
    organiser_of,
    regulation_of,
)
from tests.tournaments.desk import desk_of, messages_in, text
from tests.tournaments.files import everything
from tests.tournaments.one_round import one_deal
from tests.tournaments.transfer.whole_clubs import exported
from tournaments.closing.services import evening_close
from tournaments.models import Evening, TableToken
from tournaments.practice.services import PEOPLE, practice_make, practice_play
from tournaments.seasons.services import season_create
from tournaments.table_links.services import links_ensure, token_secret

pytestmark = pytest.mark.django_db

PRACTICE = "/clubs/vrolijke-boer/desk/practice/"
NOW = dt.datetime(2026, 11, 21, 19, 30, tzinfo=dt.UTC)


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(NOW, tick=False) as traveller:
        yield traveller


def played_evening() -> Evening:
    """The only evening of the club, played and published."""
    season = season_create(club=ClubFactory.create(), name="2026-2027", actor=TESTS)
    return one_deal(season, 0, "1234", ns=90)


def played_to_the_end(evening: Evening, most: int = 200) -> list[str]:
    """What each press of the button played, until there is nothing more."""
    played: list[str] = []
    while len(played) < most:
        evening.refresh_from_db()
        played.append(practice_play(evening=evening, actor=TESTS))
        if played[-1] == "nothing":
            break
    return played


@pytest.mark.full
def test_one_button_makes_an_evening_that_can_be_drawn() -> None:
    club = ClubFactory.create()
    client = desk_of(club)

    page = client.post(PRACTICE, follow=True)

    practice = Club.objects.get(practice_of=club)
    assert page.redirect_chain == [(f"/clubs/{practice.slug}/desk/", 302)]
    assert practice.name == "Oefenavond · De Vrolijke Boer"
    assert "Naar de loting: 5 tafels, 2 zitten stil" in text(page)
    assert set(practice.members.values_list("name", flat=True)) == set(PEOPLE)
    assert client.post(PRACTICE).url == f"/clubs/{practice.slug}/desk/"  # type: ignore[attr-defined]
    assert Club.objects.count() == 2


@pytest.mark.full
def test_it_plays_by_itself_a_round_in_half_a_minute() -> None:
    evening = practice_make(club=ClubFactory.create(), actor=TESTS)

    played = played_to_the_end(evening)

    assert [step for step in played if step != "deals"] == ["step"] * 7 + ["nothing"]
    assert played[:2] == ["step", "step"]
    per_round = played[2 : played.index("step", 2)]
    assert 13 <= len(per_round) <= 18, "asked every two seconds"
    evening_close(evening_id=evening.pk, actor=TESTS)
    entries = DealEntry.objects.filter(deal__sheet__club__practice_of__isnull=False)
    assert entries.count() == 3 * 5 * 16
    assert AuditEvent.objects.filter(club__practice_of__isnull=False).count() == 0
    assert list(faults()) == []


@pytest.mark.full
@pytest.mark.parametrize("preset", [*PRESETS])
def test_it_plays_by_the_rules_of_the_club(preset: str) -> None:
    club = ClubFactory.create()
    rules = regulation_of(club, preset)
    evening = practice_make(club=club, actor=TESTS)

    for _press in range(4):
        practice_play(evening=Evening.objects.get(pk=evening.pk), actor=TESTS)

    assert evening.regulation is not None
    assert evening.regulation.settings == rules.settings
    assert DealEntry.objects.count() > 8


@pytest.mark.postgres
def test_nothing_is_left_and_the_clubs_file_is_the_same(
    tmp_path: Path, clock: time_machine.Traveller
) -> None:
    club = played_evening().club
    client = desk_of(club)
    before, file = everything(), exported(club, tmp_path / "before.zip").read_bytes()

    client.post(PRACTICE)
    evening = Evening.objects.get(club__practice_of=club)
    during = exported(club, tmp_path / "during.zip").read_bytes()
    played_to_the_end(evening)
    links_ensure(evening=evening)
    token = TableToken.objects.filter(evening=evening).first()
    assert token is not None
    Client().get(f"/t/{token_secret(token)}/")
    evening_close(evening_id=evening.pk, actor=TESTS)
    page = client.post(f"{PRACTICE}clear/", follow=True)

    assert messages_in(page) == ["De oefenavond is opgeruimd. Er is niets van over."]
    assert everything() == before
    assert during == file
    assert exported(club, tmp_path / "after.zip").read_bytes() == file


def test_it_goes_by_itself_after_a_day(clock: time_machine.Traveller) -> None:
    club = ClubFactory.create()
    client = desk_of(club)
    before = everything()
    client.post(PRACTICE)
    practice = Club.objects.get(practice_of=club)

    clock.shift(dt.timedelta(hours=23))
    assert client.get(f"/clubs/{practice.slug}/desk/").status_code == 200
    clock.shift(dt.timedelta(hours=1))
    assert client.get(f"/clubs/{practice.slug}/desk/").status_code == 404
    practice_sweep()

    assert everything() == before


@pytest.mark.full
def test_no_list_and_no_count_has_it() -> None:
    club = ClubFactory.create()
    MemberFactory.create(club=club)
    client = desk_of(club)
    pages = ["/", "/api/v1/clubs/", "/clubs/vrolijke-boer/", "/clubs/vrolijke-boer/calendar/"]
    pages += [f"/clubs/vrolijke-boer/desk/{page}/" for page in ("members", "evenings", "seasons")]
    pages += ["/account/", "/account/security/", "/account/tokens/add/"]
    before = {page: _without_tokens(client.get(page)) for page in pages}

    evening = practice_make(club=club, actor=TESTS)
    played_to_the_end(evening)

    assert {page: _without_tokens(client.get(page)) for page in pages} == before
    assert Club.objects.listed().count() == 1


def _without_tokens(response: object) -> str:
    return re.sub(r'(csrf[^>]*value=|X-CSRFToken[^:]*: )"?[A-Za-z0-9]+', "", text(response))


@pytest.mark.full
def test_every_page_of_it_says_so() -> None:
    club = ClubFactory.create()
    client = desk_of(club)
    evening = practice_make(club=club, actor=TESTS)
    for _press in range(4):
        practice_play(evening=Evening.objects.get(pk=evening.pk), actor=TESTS)
    links_ensure(evening=evening)
    token = TableToken.objects.filter(evening=evening).first()
    assert token is not None
    home = f"/clubs/{evening.club.slug}/"
    desk, public = f"{home}desk/evenings/{evening.slug}/", f"{home}evenings/{evening.slug}/"
    pages = [home, f"{home}desk/", public, f"{public}screen/", f"/t/{token_secret(token)}/"]
    pages += [f"{desk}{page}/" for page in ("present", "draw", "board", "close")]

    for page in pages:
        answer = client.get(page)
        assert answer.status_code == 200, page
        assert '<section class="practice-banner"' in text(answer), page
        assert '<meta name="robots" content="noindex">' in text(answer), page
    assert '<section class="practice-banner"' not in text(client.get("/clubs/vrolijke-boer/desk/"))


def test_who_helps_may_practise_and_nobody_else() -> None:
    club, other = ClubFactory.create(), ClubFactory.create(slug="ander", name="Ander")
    evening = practice_make(club=club, actor=TESTS)
    desk = f"/clubs/{evening.club.slug}/desk/"
    asked = {}
    for who, user in (
        ("organiser", organiser_of(club)),
        ("director", director_of(club)),
        ("elsewhere", organiser_of(other)),
    ):
        client = Client()
        client.force_login(user)
        pages = [desk, f"{desk}evenings/{evening.slug}/draw/", f"{desk}members/", f"{desk}team/"]
        play = client.post(f"{desk}evenings/{evening.slug}/practice/")
        answers = [client.get(page).status_code for page in pages]
        asked[who] = [play.status_code, *answers, client.post(PRACTICE).status_code]

    assert asked == {
        "organiser": [204, 200, 200, 403, 403, 302],
        "director": [204, 200, 200, 403, 403, 403],
        "elsewhere": [403, 403, 403, 403, 403, 403],
    }


@pytest.mark.full
def test_a_real_evening_does_not_play_by_itself() -> None:
    evening = played_evening()
    client = desk_of(evening.club)

    played = client.post(f"/clubs/vrolijke-boer/desk/evenings/{evening.slug}/practice/")

    assert played.status_code == 404


def test_the_board_is_shown_anew_when_more_than_deals_changed() -> None:
    club = ClubFactory.create()
    client = desk_of(club)
    evening = practice_make(club=club, actor=TESTS)
    desk = f"/clubs/{evening.club.slug}/desk/evenings/{evening.slug}/"
    said = [client.post(f"{desk}practice/").headers.get("HX-Redirect") for _press in range(3)]

    assert said == [f"{desk}board/?play=1", f"{desk}board/?play=1", None]
    assert 'hx-trigger="load delay:1s, every 2s"' in text(client.get(f"{desk}board/?play=1"))
    assert "Speel vanzelf" in text(client.get(f"{desk}board/"))


@pytest.mark.full
def test_a_club_has_one_practice_club_with_an_end() -> None:
    club = ClubFactory.create()
    practice_make(club=club, actor=TESTS)
    for fields in ({"practice_of": club, "practice_until": timezone.now()}, {"practice_of": club}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Club.objects.create(slug="nog-een", name="Nog een", **fields)
    assert Member.objects.filter(club=club).count() == 0


def test_a_real_club_made_to_look_like_one_is_noticed() -> None:
    real = played_evening().club
    other = ClubFactory.create(slug="ander", name="Ander")
    assert list(faults()) == []
    Club.objects.filter(pk=other.pk).update(practice_of=real, practice_until=timezone.now())

    assert list(faults()) == ["club ander: a practice club with a trail"]


def test_a_pin_leads_to_who_plays_not_to_who_practises() -> None:
    practice = practice_make(club=ClubFactory.create(), actor=TESTS)
    for _press in range(2):
        practice_play(evening=Evening.objects.get(pk=practice.pk), actor=TESTS)
    links_ensure(evening=practice)
    alone = Client().get("/t/")
    real = evening_with_draw(club=ClubFactory.create(slug="ander", name="Ander"))
    links_ensure(evening=real)

    assert alone.headers["Location"] == f"/clubs/{practice.club.slug}/table/"
    assert Client().get("/t/").headers["Location"] == "/clubs/ander/table/"


@pytest.mark.full
def test_an_evening_that_was_deleted_is_made_anew() -> None:
    club = ClubFactory.create()
    first = practice_make(club=club, actor=TESTS)
    first.delete()

    again = practice_make(club=club, actor=TESTS)

    assert (again.club.slug != first.club.slug, Club.objects.count()) == (True, 2)
