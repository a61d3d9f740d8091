"""Season booklets: their data, and making them in the background."""

import datetime as dt
import logging
from collections.abc import Iterable, Iterator, Mapping
from io import BytesIO
from zipfile import ZipFile, is_zipfile

from django.db.models import Q
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from clubs.http.network import absolute_url
from clubs.models import User
from scoring.display.words import pit_word
from tournaments.evenings.pages import shown_competitors, shown_people
from tournaments.models import CupWin, Evening, Season, SeasonFile
from tournaments.printing.booklet_pdf import BookletEvening, CupWon, SeasonBook, booklet_pdf
from tournaments.printing.page import club_logo
from tournaments.printing.season_pdf import PaperStanding
from tournaments.releases.lines import public_lines
from tournaments.season_files.services import PARTS, OnProgress, season_file_make, season_file_start
from tournaments.seasons.standings import (
    Standing,
    evenings_counting,
    season_choices,
    season_results,
    standings_of,
)
from tournaments.seasons.texts import what_counts, what_else_counts
from tournaments.standings.core.metrics import METRICS
from tournaments.standings.core.results import CountingRule, EveningResult, SeasonTable

logger = logging.getLogger(__name__)

BOOKLET = "booklet"
TO_READ, TO_FOLD = "read.pdf", "fold.pdf"
GATHERED = 40
"""How many of the hundred parts are done once everything is read and only drawing is left."""


def season_papers(season: Season, standings: Iterable[Standing]) -> Iterator[PaperStanding]:
    """These standings of the season, whose club is loaded; the results are read only once."""
    evenings = list(season.evenings.order_by("date", "sequence"))
    closed = [evening for evening in evenings if evening.state == Evening.State.CLOSED]
    persons: list[EveningResult] | None = None
    for standing in standings:
        results = None
        if standing.rule.ranks == "player":
            results = persons = season_results(closed, season) if persons is None else persons
        table = standings_of(closed, standing.rule, results)
        ids = [row.player_id for row in table.rows]
        shown = shown_competitors if results is None else shown_people
        names = {key: person.name for key, person in shown(season.club, ids).items()}
        total = evenings_counting(evenings, standing.rule)
        yield _paper(standing, table, names, total, pit_word(season.club))


def _paper(
    standing: Standing, table: SeasonTable, names: Mapping[str, str], total: int, pit: str
) -> PaperStanding:
    rule = standing.rule
    by_average = rule.aggregate != "sum" and not rule.rank_by
    return PaperStanding(
        name=standing.name,
        table=table,
        names=names,
        evenings=[(slug, short_date(slug)) for slug in table.evenings],
        sentences=[what_counts(rule, total), *what_else_counts(rule, pit)],
        figure=_figure(rule, by_average=by_average),
        decimals=2 if by_average else None,
        counted=rule.rank_by is not None and METRICS[rule.rank_by].is_count,
        pit_word=pit,
    )


def short_date(slug: str) -> str:
    """The day of the evening with this key, in short: 21 nov."""
    return date_format(dt.date.fromisoformat(slug[:10]), "j b")


def _figure(rule: CountingRule, *, by_average: bool) -> str:
    if rule.rank_by:
        return _("score")
    return _("average") if by_average else _("counts")


def booklet_start(*, season: Season, user: User, language: str) -> SeasonFile:
    """Start making the booklet in this language, or return the one that is being made."""
    booklet, is_new = season_file_start(season=season, what=BOOKLET, user=user)
    if is_new:
        season_file_make(
            booklet, language, lambda report: season_booklet(season, on_progress=report)
        )
    return booklet


def season_booklet(season: Season, *, on_progress: OnProgress = lambda done: None) -> bytes:
    """The booklet in both forms, to be read by `booklet_form`; `season.club` is loaded."""
    book = _season_book(season, on_progress)
    drawing = PARTS - GATHERED
    kept = BytesIO()
    with ZipFile(kept, "w") as file:
        for before, name in enumerate((TO_READ, TO_FOLD)):
            content = booklet_pdf(
                book,
                folded=name == TO_FOLD,
                on_page=lambda page, pages, before=before: on_progress(  # type: ignore[misc]
                    GATHERED + drawing * (before * pages + page) // (2 * pages)
                ),
            )
            file.writestr(name, content)
    return kept.getvalue()


def booklet_form(content: bytes, *, folded: bool = False) -> bytes:
    """The booklet as a PDF: pages of A5 in order, or `folded` two on each page of A4. One that an
    earlier version made, and which is kept for a day, has one form."""
    if not is_zipfile(BytesIO(content)):
        return content
    with ZipFile(BytesIO(content)) as file:
        return file.read(TO_FOLD if folded else TO_READ)


def _season_book(season: Season, on_progress: OnProgress) -> SeasonBook:
    choices = season_choices(season)
    closed = season.evenings.filter(state=Evening.State.CLOSED).order_by("date", "sequence")
    evenings = list(closed.select_related("club"))
    standings, results, parts = [], [], len(choices) + len(evenings)
    for standing in season_papers(season, choices):
        standings.append(standing)
        on_progress(GATHERED * len(standings) // parts)
    for evening in evenings:
        rows = public_lines(evening)
        results.append(BookletEvening(evening.date, evening.name, rows))
        on_progress(GATHERED * (len(standings) + len(results)) // parts)
    return SeasonBook(
        club=season.club,
        name=season.name,
        starts=season.starts,
        ends=season.ends,
        logo=club_logo(season.club),
        standings=standings,
        evenings=results,
        cups=_cups(season),
        link=absolute_url(
            season.club, reverse("season_page", args=[season.club.slug, season.slug])
        ),
    )


def _cups(season: Season) -> list[CupWon]:
    """The cups won in this season or on one of its evenings, by date."""
    won = CupWin.objects.filter(Q(season=season) | Q(evening__season=season))
    return [
        CupWon(win.cup.name, win.member.shown_name, win.won_on)
        for win in won.select_related("cup", "member")
    ]
