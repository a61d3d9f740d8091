"""The season booklet: what is in it, and that it is made in the background."""

import datetime as dt
import logging
import re
import time
import uuid
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from clubs.models import Club, Member
from clubs.profile.services import logo_choose
from tests.clubs.profile.test_logo import picture
from tests.concurrency import at_once
from tests.factories import TESTS, ClubFactory, director_of, organiser_of, scorekeeper_of
from tests.pdfs import fonts, page_texts, sizes, words_off_the_page
from tests.tournaments.desk import desk_of, text
from tests.tournaments.season_papers import PRINTS, season_of
from tournaments.models import Cup, CupWin, Evening, Season, SeasonFile, SeasonRule
from tournaments.printing.booklet_pdf import folding_order
from tournaments.printing.booklets import BOOKLET, booklet_form
from tournaments.printing.booklets import season_booklet as booklet_made
from tournaments.season_files.services import season_file_progress, season_file_start

pytestmark = pytest.mark.django_db

MAKE = f"{PRINTS}booklet/"
LONG_AGO = dt.timedelta(minutes=2)


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


def job_of(season: Season, **given: Any) -> SeasonFile:
    """A booklet that somebody asked for, in this state."""
    job, _is_new = season_file_start(season=season, what=BOOKLET)
    SeasonFile.objects.filter(pk=job.pk).update(**given)
    return SeasonFile.objects.get(pk=job.pk)


def season_booklet(season: Season, *, folded: bool = False) -> bytes:
    """The booklet as one opens it."""
    return booklet_form(booklet_made(season), folded=folded)


def wait_for(**state: Any) -> None:
    """Till a booklet that is being made is so."""
    until = time.monotonic() + 120
    while time.monotonic() < until and not SeasonFile.objects.filter(**state).exists():
        time.sleep(0.05)
    assert SeasonFile.objects.filter(**state).exists()


def page_of(season: Season, job: SeasonFile) -> str:
    return text(desk_of(season.club).get(f"{MAKE}{job.uuid}/"))


def test_a_small_season_from_cover_to_players(club: Club) -> None:
    season, _members = season_of(club, evenings=2, players=3)
    best = {"best_per_period": 1}
    SeasonRule.objects.create(season=season, position=1, name="Beste avond", settings=best)
    SeasonRule.objects.create(season=season, position=2, name="Alles", settings={})
    reports: list[int] = []
    content = booklet_form(booklet_made(season, on_progress=reports.append))
    assert reports == sorted(reports)
    assert (reports[0], reports[-1]) == (10, 100)
    cover, contents, *inside, back = page_texts(content)
    assert cover == (
        "♣ ♦ ♥ ♠ De Vrolijke Boer Seizoensboekje 2025-2026 "
        "6 september 2025 – 20 september 2025 2 avonden · 3 spelers"
    )
    assert contents.startswith(
        "Inhoud Beste avond 3 Alles 3 De winnaars 3 Alle avonden 3 "
        "zaterdag 6 september 2025 3 zaterdag 13 september 2025 4 Alle spelers 4 De Vrolijke Boer"
    )
    read = " ".join(inside)
    assert (
        "Beste avond plaats naam telt som achter avonden pit 1 Jan Bakker 4.990 9.979 2 0" in read
    )
    assert "Alles plaats naam telt som achter avonden pit 1 Jan Bakker 9.979 9.979 2 0" in read
    assert "zaterdag 6 september 2025 3 Jan Bakker 4.990" in read
    assert "Zaterdag 13 september 2025 1 4.989 Jan Bakker 2 4.979 Mia van der Meer" in read
    assert "Jan Bakker 6 sep 4.990 13 sep (4.989)" in re.sub(r"plaats \d .*? pit 0 ", "", read)
    assert "plaats 1 · telt 4.990 · som 9.979 · avonden 2 · pit 0" in read
    assert back.startswith(
        "Alle uitslagen van onze club, altijd bijgewerkt De Vrolijke Boer Afgedrukt"
    )


@pytest.mark.full
def test_it_is_folded_from_pages_of_a4(club: Club) -> None:
    season, _members = season_of(club, evenings=12, players=9)
    pages, halves = (page_texts(season_booklet(season, folded=folded)) for folded in (False, True))
    assert len(pages) % 4 == 0
    order = folding_order(len(pages))
    sheets = [f"{pages[left - 1]} {pages[right - 1]}" for left, right in batched(order)]
    assert halves == sheets
    assert set(sizes(season_booklet(season))) == {(420, 595)}
    assert set(sizes(season_booklet(season, folded=True))) == {(841, 595)}


def batched(order: list[int]) -> list[tuple[int, int]]:
    return list(zip(order[::2], order[1::2], strict=True))


def test_pages_of_a_folded_pile_come_in_order() -> None:
    """Sheet by sheet, front and back: folded, the first page is outside on the right."""
    assert folding_order(4) == [4, 1, 2, 3]
    assert folding_order(12) == [12, 1, 2, 11, 10, 3, 4, 9, 8, 5, 6, 7]


@pytest.mark.full
def test_cups_that_were_won_in_it_are_in_it(club: Club) -> None:
    season, (one, two) = season_of(club, evenings=1, players=2)
    cup = Cup.objects.create(club=club, name="Gouden Klaver")
    last = dt.date(2025, 9, 6)
    CupWin.objects.create(cup=cup, member=two, won_on=last, evening=season.evenings.get())
    CupWin.objects.create(cup=cup, member=one, won_on=dt.date(2024, 9, 7))
    pages = page_texts(season_booklet(season))
    assert "De winnaars 3 Wisselbekers 3 Alle avonden 3" in pages[1]
    assert "beker winnaar gewonnen op Gouden Klaver Mia van der Meer 6 september 2025" in pages[2]
    assert "2024" not in pages[2]


@pytest.mark.full
def test_a_long_season_says_on_which_page_everything_is(club: Club, tmp_path: Path) -> None:
    season, members = season_of(club, evenings=30, players=120)
    content = season_booklet(season)
    pages = page_texts(content)
    contents = "".join(page for page in pages[:3])
    said = re.findall(r"(zaterdag \d+ \w+ \d{4}|De winnaars|Alle \w+|Klassement) (\d+)", contents)
    assert len(said) == 30 + 4
    for title, number in said:
        assert title.lower() in pages[int(number) - 1].lower()
    for number, page in enumerate(pages[1:-1], start=2):
        assert page.endswith(f"De Vrolijke Boer · 2025-2026 ♣ ♦ ♥ ♠ {number}")
    read = " ".join(pages)
    winner, *others = members
    assert all(read.count(f" {member.name} ") == 1 + 30 + 1 for member in others)
    assert read.count(f" {winner.name} ") == 1 + 30 + 30 + 1
    assert words_off_the_page(content, tmp_path) == []
    assert all(fonts(content).values())


@pytest.mark.full
def test_an_evening_is_split_only_where_it_is_larger_than_a_page(club: Club) -> None:
    season, _members = season_of(club, evenings=2, players=40)
    pages = [page for page in page_texts(season_booklet(season)) if "Zaterdag " in page]
    assert [page.count("Zaterdag ") for page in pages] == [1, 1]
    season.evenings.all().delete()
    season.delete()
    large, members = season_of(club, evenings=1, players=130)
    pages = [page for page in page_texts(season_booklet(large)) if "Zaterdag " in page]
    assert "Zaterdag 6 september 2025, vervolg" in pages[1]
    assert all(f" {member.name} " in " ".join(pages) for member in members)


@pytest.mark.full
def test_the_club_s_logo_is_on_the_cover(club: Club) -> None:
    season, _members = season_of(club, evenings=1, players=1)
    logo_choose(club=club, content=picture(), actor=TESTS)
    club.refresh_from_db()
    season = Season.objects.select_related("club").get(pk=season.pk)
    content = season_booklet(season)
    assert "♣ ♦ ♥ ♠" not in page_texts(content)[0]
    assert content.count(b"/Subtype /Image") == 1


def test_who_is_not_named_in_public_is_not_named_in_it(club: Club) -> None:
    season, (hidden, shown, _other) = season_of(club, evenings=1, players=3)
    Member.objects.filter(pk=hidden.pk).update(public_as="hidden")
    Member.objects.filter(pk=shown.pk).update(public_as="initials")
    read = " ".join(page_texts(season_booklet(season)))
    assert "Jan Bakker" not in read
    assert "Mia van der Meer" not in read
    assert "Piet Visser" in read


@pytest.mark.django_db(transaction=True)
def test_it_is_made_in_the_background_and_then_there_to_open(club: Club) -> None:
    season, _members = season_of(club, evenings=2, players=4)
    client = desk_of(club)
    address = client.post(MAKE).headers["Location"]
    wait_for(done=100)
    job = season.files.get()
    assert (job.failed, job.done) == (False, 100)
    assert address == f"{MAKE}{job.uuid}/"
    page = text(client.get(address))
    assert "Het boekje is klaar" in page
    assert "hx-get" not in page
    response = client.get(f"{MAKE}{job.uuid}.pdf")
    assert response["Content-Disposition"] == (
        'inline; filename="de-vrolijke-boer-2025-2026-boekje.pdf"'
    )
    assert "Seizoensboekje" in page_texts(response.content)[0]
    folded = client.get(f"{MAKE}{job.uuid}.pdf?folded=1")
    assert "boekje-om-te-vouwen.pdf" in folded["Content-Disposition"]
    assert len(page_texts(response.content)) == 2 * len(page_texts(folded.content))
    assert f'href="{address}"' in text(client.get(PRINTS))


@pytest.mark.full
@pytest.mark.django_db(transaction=True)
def test_what_goes_wrong_is_shown_and_can_be_tried_again(
    club: Club, caplog: pytest.LogCaptureFixture
) -> None:
    season, _members = season_of(club, evenings=1, players=2)
    SeasonRule.objects.create(season=season, position=1, name="x", settings={"aggregate": "wrong"})
    client = desk_of(club)
    with caplog.at_level(logging.CRITICAL):
        address = client.post(MAKE).headers["Location"]
        wait_for(failed=True)
    page = text(client.get(address))
    assert "Het boekje is niet afgekomen" in page
    assert "Er ging iets mis tijdens het maken." in page
    assert "Boekje opnieuw maken" in page
    season.rules.all().delete()
    again = client.post(MAKE).headers["Location"]
    assert again != address
    wait_for(done=100)
    assert "Het boekje is klaar" in text(client.get(again))


@pytest.mark.full
def test_while_it_is_made_the_page_says_how_far_and_asks_again(club: Club) -> None:
    season, _members = season_of(club, evenings=1, players=2)
    job = job_of(season, done=37)
    page = page_of(season, job)
    assert '<progress class="progress" id="how-far" value="37" max="100">' in page
    assert 'hx-trigger="every 1s"' in page
    assert '<noscript><p><a class="button" href="">Kijk hoe ver het nu is</a></p>' in page
    fragment = desk_of(club).get(f"{MAKE}{job.uuid}/", headers={"HX-Request": "true"})
    assert text(fragment).startswith('<div class="flow-tight" id="booklet"')
    assert "HX-Request" in fragment["Vary"]
    assert desk_of(club).get(f"{MAKE}{job.uuid}.pdf").status_code == 404


@pytest.mark.full
def test_asking_twice_makes_one(club: Club) -> None:
    season, _members = season_of(club, evenings=1, players=2)
    first, is_new = season_file_start(season=season, what=BOOKLET)
    second, is_new_again = season_file_start(season=season, what=BOOKLET)
    assert (first, is_new, is_new_again) == (second, True, False)


@pytest.mark.django_db(transaction=True)
def test_two_servers_that_are_asked_at_once_make_one(club: Club) -> None:
    season, _members = season_of(club, evenings=1, players=2)
    answers = at_once([lambda: season_file_start(season=season, what=BOOKLET)] * 2)
    job = season.files.get()
    assert sorted(answers, key=str) == sorted([(job, True), (job, False)], key=str)


@pytest.mark.full
def test_a_server_that_went_silent_is_shown_and_replaced(club: Club) -> None:
    season, _members = season_of(club, evenings=1, players=2)
    job = job_of(season, done=37, touched_at=timezone.now() - LONG_AGO)
    page = page_of(season, job)
    assert "Het programma dat het maakte, is gestopt." in page
    assert "hx-get" not in page
    _second, is_new = season_file_start(season=season, what=BOOKLET)
    assert is_new
    season_file_progress(file_id=job.pk, done=50)
    assert SeasonFile.objects.count() == 1
    assert desk_of(club).get(f"{MAKE}{job.uuid}/").status_code == 404


@pytest.mark.full
def test_old_booklets_are_thrown_away(club: Club) -> None:
    season, _members = season_of(club, evenings=1, players=2)
    other = Season.objects.create(club=club, name="Oud", slug="oud")
    old = job_of(other, content=b"x", touched_at=timezone.now() - dt.timedelta(days=2))
    kept = job_of(Season.objects.create(club=club, name="Nieuw", slug="nieuw"), content=b"x")
    before = job_of(season, content=b"x")
    job = job_of(season)
    assert set(SeasonFile.objects.all()) == {kept, job}
    assert {old, before} & set(SeasonFile.objects.all()) == set()


@pytest.mark.full
def test_a_season_that_was_not_played_makes_none(club: Club) -> None:
    season, _members = season_of(club, evenings=1, players=2)
    Evening.objects.update(state="cancelled")
    assert desk_of(club).post(MAKE).headers["Location"] == PRINTS
    assert not season.files.exists()


@pytest.mark.full
def test_only_who_directs_at_this_club_makes_and_reads_it(club: Club) -> None:
    season, _members = season_of(club, evenings=1, players=2)
    job = job_of(season, content=booklet_made(season), done=100)
    addresses = (f"{MAKE}{job.uuid}/", f"{MAKE}{job.uuid}.pdf")
    cast = {
        director_of(club): 200,
        scorekeeper_of(club): 403,
        organiser_of(ClubFactory.create()): 403,
    }
    for user, status in cast.items():
        client = Client()
        client.force_login(user)
        assert [client.get(address).status_code for address in addresses] == [status] * 2
    assert [Client().get(address).status_code for address in addresses] == [302] * 2
    assert Client().post(MAKE).status_code == 302
    client = desk_of(club)
    assert client.get(MAKE).status_code == 405
    assert client.get(f"{MAKE}{uuid.uuid4()}/").status_code == 404
    Season.objects.create(club=club, name="Ander", slug="ander")
    assert client.get(addresses[0].replace("2025-2026", "ander")).status_code == 404
