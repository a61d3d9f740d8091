"""Season booklets: gathered, drawn, and made in the background by the server that was asked."""

import logging
import time
from collections.abc import Callable
from threading import Thread

from django.db import connections, transaction
from django.db.models import Q
from django.utils import translation

from clubs.models import User
from tournaments.models import CupWin, Evening, PaperJob, Season
from tournaments.pdf.booklet import SeasonBook, booklet_pdf
from tournaments.pdf.booklet_evenings import CupWon, EveningResult
from tournaments.pdf.page import club_logo
from tournaments.published import by_pair, public_standings
from tournaments.season_choice import season_choices
from tournaments.season_paper import season_papers
from tournaments.services.papers import (
    paper_job_fail,
    paper_job_finish,
    paper_job_progress,
    paper_job_start,
)

logger = logging.getLogger(__name__)

GATHERED = 40
"""How many of the hundred parts are done once everything is read and only drawing is left."""
BETWEEN_SIGNS = 0.5

Told = Callable[[int], None]


def booklet_start(*, season: Season, user: User, language: str) -> PaperJob:
    """Begin to make the booklet in this language, or go on with the one that is being made."""
    with transaction.atomic():
        job, is_new = paper_job_start(season=season, user=user)
        if is_new:
            work = Thread(target=_make, args=(job.pk, season.pk, language), daemon=True)
            transaction.on_commit(work.start)
    return job


def season_booklet(season: Season, *, told: Told = lambda done: None) -> bytes:
    """The booklet as a PDF; `season` has its club at hand. `told` hears how much of a hundred is
    done."""
    book = _season_book(season, told)
    drawing = 100 - GATHERED
    return booklet_pdf(book, told=lambda page, pages: told(GATHERED + drawing * page // pages))


def _season_book(season: Season, told: Told) -> SeasonBook:
    choices = season_choices(season)
    closed = season.evenings.filter(state=Evening.State.CLOSED).order_by("date", "sequence")
    evenings = list(closed.select_related("club"))
    standings, results, parts = [], [], len(choices) + len(evenings)
    for standing in season_papers(season, choices):
        standings.append(standing)
        told(GATHERED * len(standings) // parts)
    for evening in evenings:
        rows = by_pair(public_standings(evening))
        results.append(EveningResult(evening.date, evening.name, rows))
        told(GATHERED * (len(standings) + len(results)) // parts)
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
    """The cups of this season or of one of its evenings, in order of days."""
    won = CupWin.objects.filter(Q(season=season) | Q(evening__season=season))
    return [
        CupWon(one.cup.name, one.member.shown_name, one.won_on)
        for one in won.select_related("cup", "member")
    ]


def _make(job_id: int, season_id: int, language: str) -> None:
    """The work itself, in a thread of its own with connections of its own."""
    try:
        with translation.override(language):
            season = Season.objects.select_related("club").get(pk=season_id)
            pdf = season_booklet(season, told=_signs_of(job_id))
        paper_job_finish(job_id=job_id, pdf=pdf)
    except Exception:
        logger.exception("The season booklet could not be made")
        paper_job_fail(job_id=job_id)
    finally:
        connections.close_all()


def _signs_of(job_id: int) -> Told:
    """Write how far it is, not more often than is looked at."""
    last = time.monotonic()

    def told(done: int) -> None:
        nonlocal last
        if time.monotonic() - last > BETWEEN_SIGNS:
            last = time.monotonic()
            paper_job_progress(job_id=job_id, done=done)

    return told
