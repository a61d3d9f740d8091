"""What was published of folders stays as it was, and a correction is a new result that says why."""

from typing import Any

import pytest
from django.test import Client

from clubs.models import Member
from tests.factories import TESTS
from tests.scoring.audit.test_verify import verify
from tests.tournaments.audit.test_verify import SOUND
from tests.tournaments.duplicate.played import play_all, started
from tests.tournaments.public_pages import get, rows, words
from tournaments.closing.services import evening_close
from tournaments.duplicate.published import results_shown
from tournaments.duplicate.queries import duplicate_of, duplicate_results
from tournaments.duplicate.services import folders_type_in, ruling_give
from tournaments.models import Evening, FolderPlay, Release
from tournaments.releases.folders import FolderMove
from tournaments.releases.services import correction_preview, correction_publish, release_is_current
from tournaments.seasons.services import season_create
from tournaments.transfer.columns import COLUMNS

pytestmark = pytest.mark.django_db
EVENING = "/clubs/vrolijke-boer/evenings/2026-11-21/"
FOLDERS = f"{EVENING}folders/"
API = f"/api/v1{FOLDERS}"
SEASON = "/clubs/vrolijke-boer/seasons/2026-2027/folders/"


def over(**plan: Any) -> Evening:
    evening = play_all(started(4, folders=6, **plan))
    evening_close(evening_id=evening.pk, actor=TESTS)
    return Evening.objects.get(pk=evening.pk)


def ruled(evening: Evening, percent: int = 0) -> FolderPlay:
    """The best pair of North-South gets so little for its first folder."""
    best = results_shown(evening).ranking[0].rows[0].key
    play = FolderPlay.objects.filter(pair=best).order_by("pk")[0]
    ruling_give(
        evening_id=evening.pk,
        play_id=play.pk,
        percent=percent,
        reason="in de verkeerde volgorde",
        fouled=False,
        actor=TESTS,
    )
    return play


def desk_name(member: Member) -> str:
    return member.desk_name


def figures(evening: Evening) -> list[tuple[object, ...]]:
    """The places, and what each table got."""
    results = results_shown(evening)
    return [
        *(
            (line.line, row.place, row.worth, row.played)
            for line in results.ranking
            for row in line.rows
        ),
        *((each.folder, each.table, each.score, each.worth, each.top) for each in results.tables),
    ]


def pages(client: Client) -> list[Any]:
    """Everything that the public reads of it."""
    table = rows(get(client, FOLDERS))
    folder, pair = rows(get(client, f"{FOLDERS}1/")), rows(get(client, f"{FOLDERS}pairs/1/"))
    files = [client.get(f"{FOLDERS}?format={kind}").content for kind in ("csv", "json")]
    api = [
        client.get(f"{API}{path}").json()["lines" if not path else "tables"] for path in ("", "1/")
    ]
    return [table, rows(get(client, EVENING)), folder, pair, files, api, rows(get(client, SEASON))]


@pytest.mark.parametrize("compare", ["matchpoints", "mean_difference", "cross"])
def test_what_is_published_is_what_came_of_it(compare: str) -> None:
    evening = over(compare=compare)
    shown = figures(evening)
    now = duplicate_results(evening, duplicate_of(evening))
    assert [row[2] for row in shown if row[0] in ("NS", "EW")] == [
        row.worth for line in now.ranking for row in line.rows
    ]
    assert results_shown(evening).pairs == now.pairs
    assert [row[2:] for row in shown if row[0] not in ("NS", "EW")] == [
        (each.score, each.worth, each.top) for each in now.tables
    ]
    assert release_is_current(evening.releases.get())


def test_nothing_public_moves_before_the_correction_is_published(client: Client) -> None:
    evening = over()
    Evening.objects.update(season=season_create(club=evening.club, name="2026-2027", actor=TESTS))
    before = pages(client)
    ruled(evening)
    assert pages(client) == before
    page = get(client, FOLDERS)
    assert "Na deze uitslag is nog iets gewijzigd" in words(page)
    correction_publish(evening=evening, reason="Map 1 verkeerd gespeeld", actor=TESTS)
    after = pages(client)
    assert [old == new for old, new in zip(before, after, strict=True)] == [False] * 7
    assert "Na deze uitslag is nog iets gewijzigd" not in words(get(client, FOLDERS))


def test_a_correction_says_why_and_who_moved(client: Client) -> None:
    evening = over()
    ruled(evening)
    correction_publish(evening=evening, reason="Map 1 verkeerd gespeeld", actor=TESTS)
    page = get(client, EVENING)
    moved = words(page).partition("Wat er in uitslag 2 is veranderd")[2]
    assert "Map 1 verkeerd gespeeld" in moved
    old, new = (release.folders for release in evening.releases.order_by("number"))
    places = [
        {row["pairs"][0]: (row["place"], row["percentage"]) for row in line["places"]}
        for line in [*old["lines"], *new["lines"]]
    ]
    was, is_now = places[0] | places[1], places[2] | places[3]
    changed = [pair for pair in is_now if was[pair] != is_now[pair]]
    assert moved.count("%") == 2 * len(changed)
    for pair in changed:
        assert is_now[pair][1].replace(".", ",") in moved


@pytest.mark.full
def test_an_earlier_result_can_still_be_read(client: Client) -> None:
    evening = over()
    before = [row for table in (0, 1) for row in rows(get(client, EVENING), table=table)]
    ruled(evening)
    correction_publish(evening=evening, reason="x", actor=TESTS)
    first = get(client, f"{EVENING}?release=1")
    assert [row for table in (0, 1) for row in rows(first, table=table)] == before
    assert rows(get(client, EVENING)) != before[: len(rows(get(client, EVENING)))]


@pytest.mark.full
def test_cards_typed_in_later_wait_for_a_new_result(client: Client) -> None:
    evening = over()
    before = words(get(client, f"{FOLDERS}1/"))
    cards = evening.releases.get().folders["boards"][1]["hands"]
    folders_type_in(
        evening_id=evening.pk, hands={1: cards}, instead=True, reason="mixed", actor=TESTS
    )
    assert words(get(client, f"{FOLDERS}1/")) == before
    assert not release_is_current(evening.releases.get())
    correction_publish(evening=evening, reason="Map 1", actor=TESTS)
    assert words(get(client, f"{FOLDERS}1/")) != before


def test_a_release_has_its_places_for_programs(client: Client) -> None:
    evening = over()
    shown = [row for line in results_shown(evening).ranking for row in line.rows]
    ruled(evening)
    correction_publish(evening=evening, reason="x", actor=TESTS)
    places = client.get(f"/api/v1{EVENING}releases/1/").json()["folders"]
    assert [(row["place"], *row["pairs"], row["percentage"]) for row in places] == [
        (row.place, row.key, f"{row.worth.percentage}") for row in shown
    ]
    assert [row["name"] for row in places] == [
        row.pairs[0].names(lambda member: member.shown_name) for row in shown
    ]


def test_a_corrected_deal_says_beforehand_which_pairs_move() -> None:
    evening = over()
    best = results_shown(evening).ranking[0].rows[0]
    moves = correction_preview(evening=evening, correct=lambda: ruled(evening))
    pairs = [move for move in moves if isinstance(move, FolderMove)]
    (own,) = [move for move in pairs if move.name == best.pairs[0].names(desk_name)]
    assert own.old_rank == 1
    assert own.old_figure == f"{best.worth.percentage}%".replace(".", ",")
    assert own.figure != own.old_figure
    assert release_is_current(evening.releases.get())


def test_somebody_who_wants_to_be_hidden_is_so_in_what_was_published(client: Client) -> None:
    evening = over()
    member = evening.club.members.get(number=1)
    assert member.name in words(get(client, FOLDERS))
    Member.objects.filter(pk=member.pk).update(public_as="hidden")
    assert member.name not in words(get(client, FOLDERS))
    assert "Anoniem" in words(get(client, FOLDERS))


def test_the_trail_knows_what_was_published() -> None:
    evening = over()
    assert verify()[-1].endswith(SOUND)
    release = evening.releases.get()
    release.folders["lines"][0]["places"][0]["percentage"] = "99.99"
    Release.objects.filter(pk=release.pk).update(folders=release.folders)
    assert (
        f"evening vrolijke-boer {evening.slug}: what was published as number 1 was changed"
        in verify()
    )


def test_what_is_as_it_was_asks_for_no_new_result() -> None:
    evening = over()
    Evening.objects.update(revision=evening.revision + 1)
    assert release_is_current(evening.releases.get())


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("kind",), "whist"),
        (("lines", 0, "places", 0, "points"), "1/0"),
        (("lines", 0, "places", 0, "percentage"), "veel"),
        (("boards", 0, "hands"), "NNNN"),
        (("boards", 0, "tables", 0, "score"), [1]),
        (("boards", 0, "tables", 0, "worth"), {"XX": "2"}),
    ],
)
def test_a_club_that_moves_brings_only_what_can_be_read(path: Any, value: object) -> None:
    check = COLUMNS["tournaments.release", "folders"]
    kept = over().releases.get().folders
    check(kept)
    *way, last = path
    inside = kept
    for step in way:
        inside = inside[step]
    inside[last] = value
    with pytest.raises(ValueError, match=r".+"):
        check(kept)
