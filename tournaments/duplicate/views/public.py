"""The public pages of folders: places, each folder with its cards, and the list of a pair."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs.access.permissions import public_view
from clubs.files.exports import ListFile, list_response
from clubs.models import Club, Member
from clubs.text.numbers import SEAT_NAMES
from scoring.rules import SEATS, Seat
from scoring.rules.hands import hands_of
from tournaments.duplicate.core.dealing import (
    dealer_of_folder,
    hand_in_suits,
    hands_json,
    hands_text,
)
from tournaments.duplicate.core.scoring import LINES
from tournaments.duplicate.published import SeasonPercentage, results_shown, season_percentages
from tournaments.duplicate.queries import DuplicateResults, Ranked, TableResult
from tournaments.duplicate.texts import (
    COMPARING,
    pair_rows,
    percent_words,
    play_rows,
    points_words,
    ranks_words,
)
from tournaments.evenings.pages import PublicPerson, evening_view, member_url
from tournaments.models import DuplicateEvening, Evening, Season
from tournaments.releases.folders import LINE_WORDS, NamedPair
from tournaments.releases.services import stale_release
from tournaments.results.views.live import visitors_page


@dataclass(frozen=True, slots=True)
class RankingRow:
    """A line of the places as a page shows it."""

    place: int
    key: int
    number: str
    people: tuple[PublicPerson, ...]
    team: str
    points: str
    percent: str
    played: int


@dataclass(frozen=True, slots=True)
class RankingTable:
    """The places of one line."""

    title: str
    rows: tuple[RankingRow, ...]


@dataclass(frozen=True, slots=True)
class ShownHand:
    """The cards of a seat by suit."""

    seat: Seat
    name: str
    suits: Sequence[tuple[str, str]]


@require_safe
@evening_view
def folders_page(request: HttpRequest, evening: Evening) -> HttpResponse:
    """The places of a portefeuille evening; `?format=` downloads them, after the evening also what
    every table made of each folder (`?by=folder`) and the hands (`?hands=json` or `pbn`)."""
    results = _of(evening)
    duplicate = results.duplicate
    if wanted := request.GET.get("hands"):
        return hands_file(evening, results, wanted)
    shown, is_closed = evening.shows_scores, evening.state == Evening.State.CLOSED
    tables = ranking_tables(evening.club, results) if shown else []
    by_folder = request.GET.get("by") == "folder" and _is_open(evening, results)
    file_of = boards_file if by_folder else ranking_file
    file = list_response(request, partial(file_of, evening, results))
    return (file if shown else None) or render(
        request,
        "tournaments/duplicate/folders.html",
        {
            "club": evening.club,
            "evening": evening,
            "duplicate": duplicate,
            "tables": tables,
            "by_points": duplicate.compare != DuplicateEvening.Comparison.MATCHPOINTS,
            "comparing": COMPARING[duplicate.compare],
            "numbers": sorted(results.of_folder) if _is_open(evening, results) else [],
            "is_over": _is_open(evening, results),
            "locked": is_closed and duplicate.is_locked,
            "stale": stale_release(evening) is not None if is_closed else False,
            "has_hands": any(folder.hands for folder in results.folders.values()),
        },
    )


@require_safe
@evening_view
def folder_page(request: HttpRequest, evening: Evening, number: int) -> HttpResponse:
    """A folder after the evening: its cards, and what everybody made of it."""
    results = _of(evening)
    folder = results.folders.get(number)
    if folder is None:
        raise Http404
    numbers = sorted(results.of_folder)
    context: dict[str, object] = {
        "club": evening.club,
        "evening": evening,
        "number": number,
        "is_over": _is_open(evening, results),
        "locked": evening.state == Evening.State.CLOSED and results.duplicate.is_locked,
        "dealer": SEAT_NAMES[dealer_of_folder(number)],
        "before": max((each for each in numbers if each < number), default=None),
        "after": min((each for each in numbers if each > number), default=None),
    }
    if _is_open(evening, results):
        played = results.of_folder.get(number, [])
        context |= {
            "hands": shown_hands(folder.hands) if folder.hands else {},
            "rows": play_rows(evening.club, results, played),
            "by_points": results.duplicate.compare != DuplicateEvening.Comparison.MATCHPOINTS,
        }
    return render(request, "tournaments/duplicate/folder.html", context)


@require_safe
@evening_view
def folder_pair(request: HttpRequest, evening: Evening, number: int) -> HttpResponse:
    """The folders of one pair, in the order in which it played them. There is no such page before
    the pairs have their tables: who plays with whom is still the desk's."""
    results = _of(evening)
    pair = results.pairs.get(number)
    if pair is None or not results.of_pair(number):
        raise Http404
    return render(
        request,
        "tournaments/duplicate/pair.html",
        {
            "club": evening.club,
            "evening": evening,
            "number": number,
            "people": _people(evening.club, pair),
            "names": pair.names(_public),
            "is_over": _is_open(evening, results),
            "locked": evening.state == Evening.State.CLOSED and results.duplicate.is_locked,
            "rows": pair_rows(evening.club, results, number) if _is_open(evening, results) else [],
            "by_points": results.duplicate.compare != DuplicateEvening.Comparison.MATCHPOINTS,
        },
    )


@require_safe
@visitors_page
@public_view
def season_folders(request: HttpRequest, club: Club, season_slug: str) -> HttpResponse:
    """The standing of percentages of a season; `?format=` downloads it."""
    season = get_object_or_404(club.seasons, slug=season_slug)
    rows = season_percentages(season)
    file = list_response(request, partial(_season_file, season, rows))
    return file or render(
        request,
        "tournaments/duplicate/season.html",
        {
            "club": club,
            "season": season,
            "rows": [
                (
                    row.place,
                    PublicPerson(row.member.shown_name, member_url(club, row.member)),
                    percent_words(row.mean),
                    len(row.by_evening),
                )
                for row in rows
            ],
        },
    )


def _season_file(season: Season, rows: Sequence[SeasonPercentage]) -> ListFile:
    columns = {"place": _("Place"), "player": _("Name"), "percentage": _("Percentage")}
    evenings = sorted({evening for row in rows for evening in row.by_evening})
    return ListFile(
        name=f"{season.name} portefeuille",
        columns={**columns, **{evening: evening for evening in evenings}},
        rows=[
            [
                row.place,
                row.member.shown_name,
                float(row.mean),
                *(
                    float(row.by_evening[each]) if each in row.by_evening else None
                    for each in evenings
                ),
            ]
            for row in rows
        ],
    )


def ranking_tables(club: Club, results: DuplicateResults) -> list[RankingTable]:
    """The places of each line, by public names."""
    return [
        RankingTable(
            str(LINE_WORDS[ranking.line]), tuple(_ranking_row(club, row) for row in ranking.rows)
        )
        for ranking in results.ranking
    ]


def ranking_file(evening: Evening, results: DuplicateResults) -> ListFile:
    """The places as a list to download."""
    columns = {
        "line": _("Line"),
        "place": _("Place"),
        "pair": _("Pair"),
        "players": _("Names"),
        "points": _("Points"),
        "percentage": _("Percentage"),
        "folders": _("Folders"),
    }
    rows = [
        [
            str(LINE_WORDS[ranking.line]),
            row.place,
            ", ".join(str(pair.number) for pair in row.pairs),
            ", ".join(pair.names(_public) for pair in row.pairs),
            float(row.worth.points),
            None if row.worth.percentage is None else float(row.worth.percentage),
            row.played,
        ]
        for ranking in results.ranking
        for row in ranking.rows
    ]
    return ListFile(name=f"{evening.slug} portefeuille", columns=columns, rows=rows)


def boards_file(evening: Evening, results: DuplicateResults) -> ListFile:
    """What every table made of each folder, as a list to download."""
    columns = {
        "folder": _("Folder"),
        "round": _("Round"),
        "table": _("Table"),
        "ns": _("N/S"),
        "ew": _("E/W"),
        "declarer": _("Plays"),
        "trump": _("Trump"),
        "points_ns": _("Points N/S"),
        "points_ew": _("Points E/W"),
        "worth_ns": _("Worth N/S"),
        "worth_ew": _("Worth E/W"),
        "percentage_ns": _("Percentage N/S"),
        "percentage_ew": _("Percentage E/W"),
    }
    rows = [
        _board_row(result)
        for number in sorted(results.of_folder)
        for result in results.of_folder[number]
    ]
    return ListFile(name=f"{evening.slug} portefeuille per map", columns=columns, rows=rows)


def _board_row(result: TableResult) -> list[str | int | float | None]:
    written, percents = result.written or {}, [result.percent(line) for line in LINES]
    return [
        *(result.folder, result.round, result.table, result.sides["NS"], result.sides["EW"]),
        *(written.get("declarer", ""), written.get("trump") or ""),
        *(result.score or (None, None)),
        *(float(result.worth[line]) if line in result.worth else None for line in LINES),
        *(None if percent is None else float(percent) for percent in percents),
    ]


def shown_hands(holders: str) -> dict[str, ShownHand]:
    """The four hands of a folder, by seat."""
    hands = hands_of(holders)
    return {
        seat: ShownHand(
            seat,
            str(SEAT_NAMES[seat]),
            [(suit, ranks_words(ranks)) for suit, ranks in hand_in_suits(hands[seat])],
        )
        for seat in SEATS
    }


def hands_file(evening: Evening, results: DuplicateResults, kind: str) -> HttpResponse:
    """The hands as a file for programs; Http404 before the evening is over."""
    hands = {number: folder.hands for number, folder in results.folders.items() if folder.hands}
    if not _is_open(evening, results) or kind not in ("json", "pbn"):
        raise Http404
    return hands_answer(evening, results.duplicate, hands, kind, seed=results.duplicate.seed)


def hands_answer(
    evening: Evening, duplicate: DuplicateEvening, hands: Mapping[int, str], kind: str, *, seed: str
) -> HttpResponse:
    """These hands as JSON or PBN."""
    if kind == "json":
        content = hands_json(hands, commitment=duplicate.commitment, seed=seed)
        answer = HttpResponse(content, content_type="application/json")
    else:
        answer = HttpResponse(hands_text(hands), content_type="text/plain; charset=utf-8")
    name = f"portefeuille-{evening.slug}.{kind}"
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


def _of(evening: Evening) -> DuplicateResults:
    """What everybody may read of the folders; Http404 of an evening without."""
    if not evening.plays_folders:
        raise Http404
    return results_shown(evening)


def _is_open(evening: Evening, results: DuplicateResults) -> bool:
    """Whether cards may be read: everybody has played every folder, at all clubs that have them."""
    return evening.state == Evening.State.CLOSED and not results.duplicate.is_locked


def _public(member: Member) -> str:
    return member.shown_name


def _people(club: Club, pair: NamedPair) -> tuple[PublicPerson, ...]:
    return tuple(
        PublicPerson(member.shown_name, member_url(club, member)) for member in pair.people
    )


def _ranking_row(club: Club, row: Ranked) -> RankingRow:
    return RankingRow(
        place=row.place,
        key=row.key,
        number=" + ".join(str(pair.number) for pair in row.pairs),
        people=tuple(person for pair in row.pairs for person in _people(club, pair)),
        team=row.pairs[0].public_team,
        points=points_words(row.worth.points),
        percent=percent_words(row.worth.percentage),
        played=row.played,
    )
