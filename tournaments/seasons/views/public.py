"""The public page of a season's standing, its link preview and its file; and lists that take
seconds to make: how far such a one is, and then the file.

The requested standing (`chosen_standing`) is shared with the other pages of a season.
"""

import datetime as dt
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from django.core.paginator import Page, Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs.access.permissions import owned, public_view
from clubs.api.requests import content_hash
from clubs.files.exports import ListFile, list_bytes, list_file_response, list_format, list_response
from clubs.http.middleware import network_of
from clubs.limits.table import FILES_MADE
from clubs.limits.work import heavy_seconds_to_wait, wait_response, work_charged
from clubs.models import Club
from clubs.text.names import sort_key
from clubs.text.numbers import number
from scoring.display.words import pit_word
from tournaments.evenings.pages import PublicPerson, asked_number, evening_date, evening_page_url
from tournaments.models import Evening, Release, Season, SeasonFile
from tournaments.results.link_previews import (
    LINES,
    LinkPreview,
    TopLine,
    card_response,
    season_link_preview,
)
from tournaments.results.views.live import visitors_page
from tournaments.season_files.services import (
    season_file_content,
    season_file_has_stopped,
    season_file_make,
    season_file_present,
    season_file_start,
)
from tournaments.seasons.shown import Figures, SeasonStanding, chosen_standing, figures_of
from tournaments.standings.competitors import competitor_id_of
from tournaments.standings.core.results import SeasonCell, SeasonRow, SeasonTable
from tournaments.standings.texts import season_json, season_rows

POLLED_AFTER: Final = 1
FILES: Final = "files of"


def season_list_response(
    request: HttpRequest,
    season: Season,
    *,
    title: str,
    name: str,
    kind: str,
    version: str,
    make: Callable[[], ListFile],
) -> HttpResponse:
    """The list in the format `kind`, as it was made for whoever asked first. Until it is made, a
    page that says so and asks again (202).

    `version` changes whenever something else would stand in it.
    """
    language = get_language() or season.club.language
    what = f"{name} {kind} {language}"[:200]
    is_polling = bool(request.headers.get("HX-Request"))
    content = season_file_content(season=season, what=what, version=version)
    if content is not None and not is_polling:
        return list_file_response(content, name, kind)
    if content is not None:
        return _page_of_making(request, season, title, None)
    file = season_file_present(season=season, what=what, version=version)
    if file is None:
        network = network_of(request.META.get("REMOTE_ADDR", ""))
        if wait := _seconds_to_wait(network):
            return wait_response(request, wait)
        file, is_new = season_file_start(season=season, what=what, version=version)
        if is_new:
            FILES_MADE.spend_from(FILES, network, 1)
            season_file_make(file, language, lambda _report: _made(network, make, kind))
    return _page_of_making(request, season, title, file)


def _made(network: str, make: Callable[[], ListFile], kind: str) -> bytes:
    with work_charged(network):
        return list_bytes(make(), kind)


def _seconds_to_wait(network: str) -> int:
    """Until somebody of this network may have another file made; 0 when they may."""
    if FILES_MADE.is_spent_from(FILES, network):
        return FILES_MADE.wait
    return heavy_seconds_to_wait(network)


def _page_of_making(
    request: HttpRequest, season: Season, title: str, file: SeasonFile | None
) -> HttpResponse:
    """The page with the progress, or only what changes in it for a page that polls."""
    stopped = file is not None and season_file_has_stopped(file)
    context = {
        "club": season.club,
        "season": season,
        "title": title,
        "file": file,
        "stopped": stopped,
        "busy": file is not None and not stopped,
        "address": request.get_full_path(),
    }
    is_polling = bool(request.headers.get("HX-Request"))
    template = "making_live" if is_polling else "making"
    response = render(request, f"tournaments/season_files/{template}.html", context)
    if file is not None:
        response.status_code = 202
        response.headers["Retry-After"] = str(POLLED_AFTER)
    response.headers["Cache-Control"] = "no-store"
    patch_vary_headers(response, ["HX-Request"])
    return response


@require_safe
@public_view
def season_card(request: HttpRequest, club: Club, season_slug: str) -> HttpResponse:
    """The picture of a season's standing, the main one unless `?standing=` asks for another."""
    return card_response(club, standing_preview(chosen_standing(request, club, season_slug)))


def standing_preview(chosen: SeasonStanding) -> LinkPreview:
    """The preview of a page that shows one of the standings of a season."""
    top = [
        TopLine(row.rank, row.name, number(row.value))
        for row in chosen.table.rows
        if row.rank and row.rank <= LINES
    ]
    season, many = chosen.season, len(chosen.standings) > 1
    name = f"{season.name}, {chosen.standing.name}" if many else season.name
    picture = reverse("season_card", args=[chosen.club.slug, season.slug]) + chosen.query
    return season_link_preview(name, top, len(chosen.table.evenings), picture)


def season_file(chosen: SeasonStanding) -> ListFile:
    """The columns that `manage.py standings` writes; a dropped evening is in brackets."""
    headings, *rows = season_rows(chosen.table)
    labels = {
        "rank": _("Place"),
        "player": _("Name"),
        "pair": _("Name"),
        "team": _("Name"),
        "total": _("Plain sum"),
        "counted": _("Counts"),
        "evenings": _("Evenings"),
        "average": _("Average"),
        "pits": pit_word(chosen.club).capitalize(),
    }
    return ListFile(
        name=_file_name(chosen),
        columns={str(heading): labels.get(str(heading), str(heading)) for heading in headings},
        rows=rows,
        objects=season_json(chosen.table),
    )


def _file_name(chosen: SeasonStanding) -> str:
    return f"{chosen.club.name} {chosen.season.slug} {chosen.standing.name}"


def is_large(chosen: SeasonStanding) -> bool:
    """Whether a spreadsheet of it takes so long that it is made aside."""
    return len(chosen.table.rows) * len(chosen.table.evenings) > MOST_CELLS


def _file_made_aside(request: HttpRequest, chosen: SeasonStanding) -> HttpResponse:
    headings = [pit_word(chosen.club), chosen.standing.name, chosen.club.name]
    return season_list_response(
        request,
        chosen.season,
        title=chosen.standing.name,
        name=_file_name(chosen),
        kind="xlsx",
        version=content_hash([chosen.version, headings]),
        make=lambda: season_file(chosen),
    )


WHOLE = "all"
"""What `?columns=` says for all columns beside each other, whether they fit or not."""
MOST_CELLS = 2_500
"""A spreadsheet of more takes a tenth of a second."""
LINE_BYTES, CELL_BYTES, PAGE_BYTES = 650, 60, 110_000
"""The size of a line, of a cell, and of what a phone loads quickly."""


@dataclass(frozen=True, slots=True)
class EveningColumn:
    """An evening of the season."""

    slug: str
    date: dt.date
    url: str


@dataclass(frozen=True, slots=True)
class EveningCell:
    """A player's points of one evening, None if there are none. `absent` says that the points are
    for an evening they did not play, and `notice` that they signed off."""

    points: int | None
    dropped: bool
    absent: bool
    notice: bool = False


@dataclass(frozen=True, slots=True)
class SeasonLine:
    """A player in the standing. `why` is the address of the page that explains their place, empty
    if the player has no public page; `plain_sum` is None if every score counts, and `move` how many
    places they went up by the last evening."""

    rank: int | None
    move: int | None
    name: str
    url: str
    why: str
    figures: Sequence[str]
    plain_sum: int | None
    cells: Sequence[EveningCell]


@require_safe
@visitors_page
@public_view
def season_page(request: HttpRequest, club: Club, season_slug: str) -> HttpResponse:
    """One of the standings of a season over its closed evenings, with every evening's score.

    A long one comes in pages; `?q=` shows the players whose name matches, and `?columns=all` every
    evening and figure, where otherwise the width decides how many.
    """
    chosen = chosen_standing(request, club, season_slug)
    if list_format(request) == "xlsx" and is_large(chosen):
        return _file_made_aside(request, chosen)
    if file := list_response(request, lambda: season_file(chosen)):
        return file
    figures = figures_of(chosen.standing.rule, pit_word(club)).written_for(chosen.table.rows)
    wanted = request.GET.get("q", "").strip()
    page = _page(chosen.table, wanted, asked_number(request, "page") or 1)
    context = {
        "club": club,
        "season": chosen.season,
        "preview": standing_preview(chosen),
        "chosen": chosen,
        "headings": list(zip(figures.keys, figures.headings, strict=True)),
        "columns": list(columns(club, chosen.table)),
        "page": page,
        "made_aside": is_large(chosen),
        "wanted": wanted,
        "is_whole": request.GET.get("columns") == WHOLE,
        "lines": [_line(chosen, row, figures) for row in page],
        "corrected": _corrected(chosen),
        "stale_evenings": [column_of(club, evening) for evening in chosen.stale_evenings()],
    }
    return render(request, "tournaments/seasons/season.html", context)


def columns(club: Club, table: SeasonTable) -> Iterable[EveningColumn]:
    """The evenings that are part of the standing, in order."""
    for slug in table.evenings:
        yield EveningColumn(slug=slug, date=evening_date(slug), url=evening_page_url(club, slug))


def column_of(club: Club, evening: Evening) -> EveningColumn:
    """An evening with the address of its page."""
    return EveningColumn(evening.slug, evening.date, evening_page_url(club, evening.slug))


def cell(result: SeasonCell | None) -> EveningCell:
    """A player's evening as the page shows it."""
    if result is None:
        return EveningCell(points=None, dropped=False, absent=False)
    points = result.value if result.score is None else result.score
    return EveningCell(
        points=points,
        dropped=result.dropped,
        absent=result.score is None,
        notice=result.absence == "notice",
    )


def _page(table: SeasonTable, wanted: str, number: int) -> Page[SeasonRow]:
    """As many lines as a phone loads quickly; a number past the end gives the last page."""
    words = [sort_key(word) for word in wanted.split()]
    rows = [row for row in table.rows if all(word in sort_key(row.name) for word in words)]
    fitting = PAGE_BYTES // (LINE_BYTES + CELL_BYTES * len(table.evenings))
    return Paginator(rows, fitting).get_page(number)


def _line(chosen: SeasonStanding, row: SeasonRow, figures: Figures) -> SeasonLine:
    person: PublicPerson = chosen.people[row.player_id]
    pk = competitor_id_of(row.player_id) or row.player_id
    place = [chosen.club.slug, chosen.season.slug, pk]
    before = chosen.before.get(row.player_id)
    return SeasonLine(
        rank=row.rank,
        move=before - row.rank if before and row.rank else None,
        name=person.name,
        url=person.url,
        why=reverse("season_why", args=place) + chosen.query if person.url else "",
        figures=figures.of(row),
        plain_sum=row.total if row.total != row.counted else None,
        cells=[cell(row.by_evening.get(slug)) for slug in chosen.table.evenings],
    )


def _corrected(chosen: SeasonStanding) -> Iterator[EveningColumn]:
    """The evenings in this standing that were corrected after they were published, in order."""
    republished = set(
        owned(chosen.club, Release)
        .filter(evening__season=chosen.season, number__gt=1)
        .values_list("evening", flat=True)
    )
    for evening in chosen.evenings:
        if evening.pk in republished and evening.slug in chosen.table.evenings:
            yield column_of(chosen.club, evening)
