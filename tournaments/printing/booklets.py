"""Season booklets: their data, and making them in the background.

A booklet takes a while, so the server process that was asked makes it in a thread of its own. Its
progress is in the database, where every server process can read it.
"""

import datetime as dt
import logging
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from threading import Thread

from django.db import connections, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from clubs.models import Member, User
from clubs.profile.services import club_lock
from scoring.display.words import pit_word
from tournaments.models import CupWin, Evening, PaperJob, Season
from tournaments.printing.booklet_pdf import BookletEvening, CupWon, SeasonBook, booklet_pdf
from tournaments.printing.page import club_logo
from tournaments.printing.season_pdf import PaperStanding
from tournaments.releases.queries import by_pair, public_standings
from tournaments.seasons.standings import (
    Standing,
    evenings_counting,
    season_choices,
    season_results,
    standings_of,
)
from tournaments.seasons.texts import what_counts, what_else_counts
from tournaments.standings.core import METRICS, CountingRule, SeasonTable

logger = logging.getLogger(__name__)

SILENT = dt.timedelta(minutes=1)
"""A job without progress for this long was abandoned."""
KEEP_FOR = dt.timedelta(days=1)
PARTS = 100
GATHERED = 40
"""How many of the hundred parts are done once everything is read and only drawing is left."""
BETWEEN_REPORTS = 0.5

OnProgress = Callable[[int], None]
"""Called with how many of the hundred parts are done."""


def season_papers(season: Season, standings: Iterable[Standing]) -> Iterator[PaperStanding]:
    """These standings of the season, whose club is loaded; the results are read only once."""
    evenings = list(season.evenings.order_by("date", "sequence"))
    closed = [evening for evening in evenings if evening.state == Evening.State.CLOSED]
    results = season_results(closed)
    members = Member.objects.in_bulk({int(result.player_id) for result in results})
    names = {str(pk): member.shown_name for pk, member in members.items()}
    for standing in standings:
        table = standings_of(closed, standing.rule, results)
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


@transaction.atomic
def paper_job_start(*, season: Season, user: User | None) -> tuple[PaperJob, bool]:
    """The job for a season's booklet that is running, or a new one; and whether it is new.

    Earlier booklets are deleted: all of this season, those of others after a day.
    """
    club_lock(season.club_id)
    now = timezone.now()
    running = _being_made().filter(season=season, touched_at__gt=now - SILENT).first()
    if running:
        return running, False
    PaperJob.objects.filter(Q(season=season) | Q(touched_at__lt=now - KEEP_FOR)).delete()
    return PaperJob.objects.create(season=season, user=user, parts=PARTS), True


def paper_job_progress(*, job_id: int, done: int) -> None:
    """Record how many of the hundred parts are done; a deleted job stays deleted."""
    _being_made().filter(pk=job_id).update(done=min(done, PARTS), touched_at=timezone.now())


def paper_job_finish(*, job_id: int, pdf: bytes) -> None:
    """Store the finished booklet."""
    _being_made().filter(pk=job_id).update(pdf=pdf, done=PARTS, touched_at=timezone.now())


def paper_job_fail(*, job_id: int) -> None:
    """Record that the job failed."""
    _being_made().filter(pk=job_id).update(failed=True, touched_at=timezone.now())


def paper_job_has_stopped(job: PaperJob) -> bool:
    """Whether it failed, or the process that worked on it has stopped."""
    silent = job.pdf is None and job.touched_at < timezone.now() - SILENT
    return job.failed or silent


def _being_made() -> QuerySet[PaperJob]:
    return PaperJob.objects.filter(pdf=None, failed=False)


def booklet_start(*, season: Season, user: User, language: str) -> PaperJob:
    """Start making the booklet in this language, or return the job that is already running."""
    with transaction.atomic():
        job, is_new = paper_job_start(season=season, user=user)
        if is_new:
            work = Thread(target=_make, args=(job.pk, season.pk, language), daemon=True)
            transaction.on_commit(work.start)
    return job


def season_booklet(season: Season, *, on_progress: OnProgress = lambda done: None) -> bytes:
    """The booklet as a PDF; `season.club` is loaded."""
    book = _season_book(season, on_progress)
    drawing = PARTS - GATHERED
    return booklet_pdf(
        book, on_page=lambda page, pages: on_progress(GATHERED + drawing * page // pages)
    )


def _season_book(season: Season, on_progress: OnProgress) -> SeasonBook:
    choices = season_choices(season)
    closed = season.evenings.filter(state=Evening.State.CLOSED).order_by("date", "sequence")
    evenings = list(closed.select_related("club"))
    standings, results, parts = [], [], len(choices) + len(evenings)
    for standing in season_papers(season, choices):
        standings.append(standing)
        on_progress(GATHERED * len(standings) // parts)
    for evening in evenings:
        rows = by_pair(public_standings(evening))
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
    )


def _cups(season: Season) -> list[CupWon]:
    """The cups won in this season or on one of its evenings, by date."""
    won = CupWin.objects.filter(Q(season=season) | Q(evening__season=season))
    return [
        CupWon(win.cup.name, win.member.shown_name, win.won_on)
        for win in won.select_related("cup", "member")
    ]


def _make(job_id: int, season_id: int, language: str) -> None:
    """The thread's work, with database connections of its own."""
    try:
        with translation.override(language):
            season = Season.objects.select_related("club").get(pk=season_id)
            pdf = season_booklet(season, on_progress=_reporter(job_id))
        paper_job_finish(job_id=job_id, pdf=pdf)
    except Exception:
        logger.exception("The season booklet could not be made")
        paper_job_fail(job_id=job_id)
    finally:
        connections.close_all()


def _reporter(job_id: int) -> OnProgress:
    """Record the progress, but no more often than the page polls."""
    last = time.monotonic()

    def report(done: int) -> None:
        nonlocal last
        if time.monotonic() - last > BETWEEN_REPORTS:
            last = time.monotonic()
            paper_job_progress(job_id=job_id, done=done)

    return report
