"""Pairs and teams of an evening are published with its people: what is corrected later shows at the
desk first, and what was published stays."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from clubs.models import Club, Member
from clubs.privacy.erasing import member_erase
from clubs.text.errors import DomainError
from scoring.audit.verify import faults
from tests.factories import TESTS, ClubFactory, correct_deal, table
from tests.made_once import evening_made_once
from tests.other_databases import migrated, sqlite_file
from tests.pdfs import page_texts
from tests.tournaments.competitor_files import side_table, text_of
from tests.tournaments.desk import desk_of
from tests.tournaments.files import DATA, Files
from tests.tournaments.public_pages import words
from tests.tournaments.transfer.whole_clubs import exported, said
from tournaments.models import Competitor, Evening, Registration, Release
from tournaments.registration.competitors import competitor_remove
from tournaments.releases.lines import competitors_published
from tournaments.releases.queries import release_rows
from tournaments.releases.services import (
    correction_publish,
    release_is_current,
    release_publish,
)

pytestmark = pytest.mark.django_db

PAGE = "/clubs/{}/evenings/2026-09-05/"
TEAMS = {"pair_ns": "Ann & Bob", "pair_ew": "Cor & Dik", "team_ns": "Shell", "team_ew": "KLM"}


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(ClubFactory.create(), tmp_path)


@pytest.fixture
def evening(files: Files) -> Evening:
    """Two teams of two at one table: Shell has 240, KLM 84."""
    return evening_made_once("two teams", lambda: imported(files))


def imported(files: Files, **names: str) -> Evening:
    lines = side_table(
        "2026-09-05", 1, 1, ["Ann", "Cor", "Bob", "Dik"], 240, names or TEAMS, deals=2
    )
    files.evening(text_of(lines))
    return Evening.objects.get()


def correct(evening: Evening) -> Evening:
    """Of the first deal Shell had 42 only."""
    correct_deal(table(evening), 1, ns=42, reason="Verkeerd geteld")
    return Evening.objects.get()


def page(club: Club, query: str = "") -> Any:
    return Client().get(PAGE.format(club.slug) + query).json()


def api(club: Club, path: str) -> Any:
    return Client().get(f"/api/v1/clubs/{club.slug}/evenings/2026-09-05/{path}").json()


def totals(rows: list[dict[str, object]]) -> list[tuple[object, ...]]:
    return [(row["rank"], row["player"], row["total"]) for row in rows]


def of_teams(*totals: tuple[int, str, int]) -> list[dict[str, object]]:
    return [
        {"rank": rank, "team": name, "total": total, "round_1": total, "pits": 0}
        for rank, name, total in totals
    ]


@pytest.mark.both
def test_a_correction_shows_once_it_is_published(evening: Evening) -> None:
    club = evening.club
    then = of_teams((1, "Shell", 240), (2, "KLM", 84))
    assert page(club, "?format=json") == then
    evening = correct(evening)
    assert page(club, "?format=json") == then
    for by in ("team", "pair"):
        rows = api(club, f"standing/?by={by}")["rows"]
        assert [row["total"] for row in rows] == [240, 84]
    shown = words(Client().get(PAGE.format(club.slug)))
    assert "Stand van de teams" in shown
    assert "240" in shown
    desk = words(desk_of(club).get(f"/clubs/{club.slug}/desk/evenings/2026-09-05/prizes/"))
    assert "240" not in desk

    correction_publish(evening=evening, actor=TESTS)
    now = page(club, "?format=json")
    assert now != then
    assert page(club, "?release=1&format=json") == then
    assert totals(api(club, "releases/1/")["teams"]) == [(1, "Shell", 240), (2, "KLM", 84)]
    assert totals(api(club, "releases/1/")["pairs"]) == [
        (1, "Ann & Bob", 240),
        (2, "Cor & Dik", 84),
    ]
    assert totals(api(club, "releases/2/")["teams"]) == [
        (row["rank"], row["team"], row["total"]) for row in now
    ]
    assert list(faults()) == []


def test_whom_it_ranks_is_changed_for_the_public_by_publishing(evening: Evening) -> None:
    club = evening.club
    Evening.objects.update(ranks="player", revision=99)
    assert page(club, "?format=json") == of_teams((1, "Shell", 240), (2, "KLM", 84))
    correction_publish(evening=Evening.objects.get(), actor=TESTS)
    people = ["Ann", "Bob", "Cor", "Dik"]
    assert [row["player"] for row in page(club, "?format=json")] == people
    assert page(club, "?release=1&format=json") == of_teams((1, "Shell", 240), (2, "KLM", 84))


def test_their_people_have_a_file_beside_it(evening: Evening) -> None:
    rows = page(evening.club, "?by=player&format=json")
    assert totals(rows) == [(1, "Ann", 240), (1, "Bob", 240), (3, "Cor", 84), (3, "Dik", 84)]


def test_a_pair_without_its_people_is_published_too(files: Files) -> None:
    files.results("evening,pair,score\n2026-09-05,Ann & Bob,4320\n2026-09-05,Cor & Dik,4270\n")
    assert page(files.club, "?format=json") == [
        {"rank": 1, "pair": "Ann & Bob", "total": 4320, "pits": 0},
        {"rank": 2, "pair": "Cor & Dik", "total": 4270, "pits": 0},
    ]


def test_its_results_from_before_are_of_nobody_else(files: Files) -> None:
    """A pair without people has not those who were there without a pair."""
    files.results("evening,pair,score\n2026-09-05,Ann & Bob,4320\n2026-09-05,Cor & Dik,4270\n")
    files.results("evening,name,score\n2026-09-05,Els,4100\n2026-09-05,Fie,4000\n")
    release = Release.objects.first()
    assert release is not None
    rows = release_rows(release)
    assert [row.name for row in rows] == ["Els", "Fie"]
    lines = competitors_published(release, "pair", rows)
    assert [(line.name, line.people) for line in lines] == [("Ann & Bob", ()), ("Cor & Dik", ())]


def test_certificates_of_people_published_before_pairs_were_kept(evening: Evening) -> None:
    Evening.objects.update(ranks="player")
    Release.objects.update(competitors=None)
    place = f"/clubs/{evening.club.slug}/desk/evenings/{evening.slug}/print/certificates.pdf"
    first, *_others = page_texts(desk_of(evening.club).get(place).content)
    assert "Ann" in first


def test_what_was_published_stays(files: Files) -> None:
    """Also after its results are of another team."""
    imported(files)
    team = Competitor.objects.get(name="Shell")
    other = Competitor.objects.create(club=files.club, kind="team", name="Esso", key="esso")
    Registration.objects.filter(team=team).update(team=other)
    with pytest.raises(DomainError) as refused:
        competitor_remove(competitor=team, actor=TESTS)
    assert refused.value.code == "competitor_played"


@pytest.mark.full
def test_what_moved_of_the_teams(evening: Evening) -> None:
    correct_deal(table(evening), 1, ns=10, reason="Verkeerd geteld")
    correct_deal(table(evening), 2, ns=10, reason="Verkeerd geteld")
    correction_publish(evening=Evening.objects.get(), actor=TESTS)
    shown = words(Client().get(PAGE.format(evening.club.slug)))
    assert "Shell : van plaats 1 naar 2, van 240 naar 0 punten" in shown
    assert "KLM : van plaats 2 naar 1, van 84 naar 324 punten" in shown


def test_the_desk_sees_before_and_after_what_moves_of_pairs_and_teams(evening: Evening) -> None:
    correct_deal(table(evening), 1, ns=10, reason="Verkeerd geteld")
    correct_deal(table(evening), 2, ns=10, reason="Verkeerd geteld")
    desk = desk_of(evening.club)
    closing = f"/clubs/{evening.club.slug}/desk/evenings/{evening.slug}/close/"
    up = ["KLM", "Cor & Dik", "Cor", "Dik"]
    down = ["Shell", "Ann & Bob", "Ann", "Bob"]
    expected = {(name, 2, 1, 84, 324) for name in up[:2]} | {
        (name, 1, 2, 240, 0) for name in down[:2]
    }
    expected |= {(name, 3, 1, 84, 324) for name in up[2:]}
    expected |= {(name, 1, 3, 240, 0) for name in down[2:]}

    def moves(name: str) -> list[Any]:
        found = desk.get(closing).context[name]
        return [(m.name, m.old_rank, m.rank, m.old_total, m.total) for m in found]

    before = moves("moves")
    assert set(before) == expected
    assert [name for name, *_figures in before][:2] == ["KLM", "Shell"]
    correction_publish(evening=Evening.objects.get(), actor=TESTS)
    assert (moves("moves"), set(moves("changed"))) == ([], expected)


@pytest.mark.full
@pytest.mark.each_case
@pytest.mark.parametrize("field", ["total", "rank", "name", "competitor", "number", "ranked"])
def test_a_line_that_was_changed_after_it_was_published(evening: Evening, field: str) -> None:
    assert list(faults()) == []
    release = evening.releases.get()
    line = release.lists[2][0]
    line[field] = f"{line[field]}x" if isinstance(line[field], str) else (line[field] or 0) + 1
    release.save()
    [fault] = faults()
    assert fault.endswith("what was published as number 1 was changed")


@pytest.mark.full
@pytest.mark.parametrize("lines", [[], None])
def test_lines_that_were_taken_away(evening: Evening, lines: list[object] | None) -> None:
    evening.releases.update(competitors=lines)
    [fault] = faults()
    assert fault.endswith("what was published as number 1 was changed")


def test_who_is_erased_is_in_no_name_of_a_pair_that_was_published(evening: Evening) -> None:
    member_erase(member=Member.objects.get(name="Ann"), actor=TESTS)
    release = Release.objects.get()
    assert "Ann" not in json.dumps(release.competitors)
    assert "Ann" not in json.dumps(api(evening.club, "releases/1/"))
    assert list(faults()) == []
    assert release_is_current(release)


@pytest.mark.full
def test_a_renamed_team_has_its_new_name_everywhere(evening: Evening) -> None:
    team = Competitor.objects.get(name="Shell")
    team.name = "Shell Pernis"
    team.save()
    assert page(evening.club, "?format=json")[0]["team"] == "Shell Pernis"
    assert list(faults()) == []


def test_they_move_to_another_server(files: Files, tmp_path: Path) -> None:
    evening = correct(imported(files))
    correction_publish(evening=evening, actor=TESTS)
    then = [api(files.club, f"releases/{number}/")["teams"] for number in (1, 2)]
    archive = exported(files.club, tmp_path / "archive")
    with migrated(sqlite_file(tmp_path / "other.sqlite3")):
        said("import_club", archive)
        club = Club.objects.get()
        now = [api(club, f"releases/{number}/")["teams"] for number in (1, 2)]
        assert [totals(rows) for rows in now] == [totals(rows) for rows in then]
        assert list(faults()) == []


# Before pairs and teams were competitors.


def published(club: Club) -> dict[str, object]:
    """Every release and every standing of a club, as pages, API and commands give it."""
    client, place = Client(), f"/clubs/{club.slug}"
    evenings = f"/api/v1{place}/evenings"
    figures: dict[str, object] = {}
    for release in Release.objects.filter(evening__club=club).order_by("evening__date", "number"):
        slug, number = release.evening.slug, release.number
        answer = client.get(f"{evenings}/{slug}/releases/{number}/").json()
        file = client.get(f"{place}/evenings/{slug}/?release={number}&format=json")
        wanted = {key: answer[key] for key in ("rows", "moves", "seal")}
        figures[f"{slug} {number}"] = {"page": file.json(), **wanted}
    for evening in Evening.objects.filter(club=club, state="closed"):
        rows = client.get(f"{evenings}/{evening.slug}/standing/").json()["rows"]
        now = said("standings", club=club.slug, evening=evening.slug)
        figures[evening.slug] = {"rows": rows, "now": now}
    for season in club.seasons.all():
        file = client.get(f"{place}/seasons/{season.slug}/?format=json")
        now = said("standings", club=club.slug, season=season.name)
        figures[season.slug] = {"page": file.json(), "now": now}
    return figures


def as_far_as(then: object, now: object) -> object:
    """What there is now, without the keys that there were not yet; people have other ids here."""
    if isinstance(then, dict) and isinstance(now, dict):
        return {
            key: then[key]
            if key == "member" and then[key] and now.get(key)
            else as_far_as(then[key], now.get(key))
            for key in then
        }
    if isinstance(then, list) and isinstance(now, list) and len(then) == len(now):
        return [as_far_as(*both) for both in zip(then, now, strict=True)]
    return now


@pytest.mark.full
def test_what_was_published_before_there_were_competitors_is_as_it_was() -> None:
    """`before-competitors.klaverclub` is a club as the version of 24 November 2026, 10.56, moved
    it, before pairs and teams: people with ties and one who sat out, pairs that were published
    twice, pairs of which a correction is not published yet, results from before; one of them is
    erased, one hidden. The JSON beside it is what that version published."""
    then = json.loads((DATA / "before-competitors.json").read_text())
    said("import_club", DATA / "before-competitors.klaverclub")
    club = Club.objects.get()
    now = published(club)
    assert now.keys() == then.keys()
    for what, figures in then.items():
        assert as_far_as(figures, now[what]) == figures, what
    assert not Competitor.objects.exists()
    assert not Release.objects.exclude(competitors=None).exists()
    assert list(faults()) == []
    # Published again it is the same, with a line for each pair.
    evening = Evening.objects.get(date="2026-10-10")
    release = evening.releases.get(number=2)
    assert release_is_current(release)
    again = release_publish(evening=evening, actor=TESTS)
    figures = ("rank", "total", "rounds", "pits")
    pairs = {row["pair"]["number"]: row["pair"] for row in release.standings}
    assert {line["number"]: {key: line[key] for key in figures} for line in again.lists[2]} == {
        number: {key: pair[key] for key in figures} for number, pair in pairs.items()
    }
    assert list(faults()) == []
