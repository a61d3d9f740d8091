"""Clubs with rows of every kind, and the files and standings of a club."""

import datetime as dt
import io
from pathlib import Path

from django.core.management import call_command
from PIL import Image

from clubs.models import Club
from scoring.disputes.services import deal_confirm
from scoring.models import Scoresheet
from scoring.paper_check.services import PaperTotals, paper_totals_write
from scoring.regulations.services import NoteText, rule_notes_save
from scoring.sheets.side_totals import HandedIn, side_totals_write
from tests.access.world import World
from tests.factories import (
    TESTS,
    evening_with_draw,
    table,
)
from tests.scoring.disputes.test_submissions import HUNDRED, submit
from tests.tournaments.duplicate.played import started
from tournaments.entries.arrivals import door_make
from tournaments.entries.services import entries_add
from tournaments.evenings.kinds import kind_add, start_of
from tournaments.models import (
    CompetitorCorrection,
    CompetitorResult,
    Evening,
    EveningPair,
    NumberElsewhere,
    PersonCorrection,
    PlayOffScore,
    Season,
    TableToken,
)
from tournaments.models.entry import Wish
from tournaments.photos.services import photo_people, photo_show
from tournaments.publicity.wordings import wording_save
from tournaments.table_links.devices import device_pair


def said(command: str, *arguments: object, **options: object) -> list[str]:
    """What a command prints."""
    out = io.StringIO()
    call_command(command, *map(str, arguments), **options, stdout=out, stderr=out)
    return out.getvalue().splitlines()


def exported(club: Club, path: Path) -> Path:
    said("export_club", club.slug, path)
    return path


def standings(club: Club) -> list[list[str]]:
    """The standings of every season and evening of a club, as files."""
    seasons = [
        said("standings", club=club.slug, season=one.name)
        for one in Season.objects.filter(club=club).order_by("pk")
    ]
    return seasons + [
        said("standings", club=club.slug, evening=one.slug)
        for one in Evening.objects.filter(club=club).exclude(state="planned").order_by("pk")
    ]


def demo_with_everything() -> Club:
    """The demo club, and beside that of each kind of row that it has not."""
    said("demo")
    said("ratings")
    club = Club.objects.get()
    evening = Evening.objects.get(state="running")
    sheet = Scoresheet.objects.filter(
        table__round__evening=evening, state="open", deals_entered__gt=0
    )[0]
    submit(sheet, written=HUNDRED)
    _rest(evening, sheet)
    past = Evening.objects.filter(club=club, state="closed")[0]
    people = [photo_people(past)[0].pk]
    photo_show(evening=past, content=png("RGB", 40), people=people, actor=TESTS)
    kind_add(club=club, name="Soort", start=start_of(evening), actor=TESTS)
    token = TableToken.objects.filter(evening=evening)[0]
    device_pair(token=token, key="cookie", round_number=1, name="phone")
    _fee_of_a_year(club, past.date)
    _entered(evening)
    return club


def _fee_of_a_year(club: Club, day: dt.date) -> None:
    """Somebody paid it: the demo asks a fee for a season."""
    year = club.fee_years.create(year=2027, fee=4500)
    year.fee_payments.create(member=club.members.all()[0], paid=4500, paid_on=day)


def _entered(evening: Evening) -> None:
    """Somebody entered for the evening, by its door."""
    entries_add(evening_id=evening.pk, wishes=[Wish(people=["Jo Vreemd"])], actor=TESTS)
    door_make(evening_id=evening.pk, actor=TESTS)


def png(mode: str, side: int) -> bytes:
    """A picture that is all black."""
    file = io.BytesIO()
    Image.new(mode, (side, side)).save(file, "PNG", optimize=True)
    return file.getvalue()


def club_with_everything() -> Club:
    """A club with a little of everything, and an evening with a table of three."""
    world = World("roodhart", dt.date(2026, 11, 21))
    club = world.club
    _rest(world.tonight, table(world.tonight, 2).sheet)
    evening = evening_with_draw(
        players=7, rounds=2, deals_per_round=4, club=club, date="2026-11-28"
    )
    totals = {"NS": HandedIn(448, 70, 1), "EW": HandedIn(200)}
    side_totals_write(sheet_id=table(evening).sheet_id, totals=totals, actor=TESTS)
    notes = {"dealing": NoteText("Couperen hoort", "Cut the cards")}
    rule_notes_save(club=club, notes=notes, seen_version=club.rule_notes_version, actor=TESTS)
    wording_save(
        club=club, kind="message", language="nl", wording="Uitslag", seen_version=0, actor=TESTS
    )
    started(4, folders=6, club=club, date=dt.date(2026, 11, 29))
    return club


def _rest(evening: Evening, sheet: Scoresheet) -> None:
    """What neither of them has: more that is written of a deal, and extra deals."""
    entry = sheet.deals.get(number=1).current
    assert entry is not None
    deal_confirm(sheet_id=sheet.pk, number=1, entry_uuid=entry.pk, side="EW", actor=TESTS)
    paper_totals_write(sheet_id=sheet.pk, on_paper={"NS": PaperTotals(points=900)}, actor=TESTS)
    member = evening.club.members.all()[0]
    NumberElsewhere.objects.create(member=member, league="noord", number=17, code="AB12")
    PlayOffScore.objects.create(evening=evening, member=member, score=400)
    PersonCorrection.objects.create(evening=evening, member=member, points=-100, reason="Te laat")
    pair = evening.club.competitors.filter(kind="pair")[0]
    EveningPair.objects.create(evening=evening, number=1, competitor=pair)
    CompetitorResult.objects.create(evening=evening, competitor=pair, score=4000)
    CompetitorCorrection.objects.create(
        season=evening.club.seasons.all()[0], competitor=pair, points=-100, reason="Te laat"
    )
