"""Public pages: the race of a season, the records of a club, and a player's card as a picture."""

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from clubs.access.permissions import public_view
from clubs.models import Club, MemberName
from clubs.text.names import sort_key
from clubs.text.numbers import number
from scoring.display.words import pit_word
from tournaments.evenings.pages import (
    PublicPerson,
    asked_number,
    evening_date,
    evening_page_url,
    evening_view,
    member_url,
)
from tournaments.models import Evening, Season
from tournaments.players.charts import RaceDrawing, Runner, race_drawing
from tournaments.players.views.player import public_people
from tournaments.results.link_previews import png_response
from tournaments.results.views.live import visitors_page
from tournaments.seasons.shown import Figures, Kept, SeasonStanding, chosen_standing, figures_of
from tournaments.seasons.views.public import standing_preview
from tournaments.standings.core.results import SeasonRow
from tournaments.story.core.records import Holder, Record, race_places
from tournaments.story.queries import records_of
from tournaments.story.texts import player_card, player_card_png, record_note, record_title

RUNNERS = 8
LETTERS = "ABCDEFGHI"
FEWEST_STOPS = 2

_races: Kept[tuple[list[str], dict[str, list[int | None]]]] = Kept(most=8)


@require_safe
@evening_view
def player_card_picture(request: HttpRequest, evening: Evening, pk: int) -> HttpResponse:
    """The card of somebody's evening. Http404 before the result is published, and for people
    without a public page or a line in it."""
    member = get_object_or_404(public_people(evening.club), pk=pk)
    card = player_card(evening, member)
    if card is None:
        raise Http404
    return png_response(player_card_png(evening.club, card))


@dataclass(frozen=True, slots=True)
class RunnerLine:
    """Somebody in the race as the key and the table show them."""

    letter: str
    rank: int | None
    person: PublicPerson
    value: str
    places: Sequence[int | None]


@require_safe
@visitors_page
@public_view
def season_race(request: HttpRequest, club: Club, season_slug: str) -> HttpResponse:
    """How the first eight of a standing came there, evening by evening, and `?player=` beside
    them. Http404 for somebody who is not in it or has no public page."""
    chosen = chosen_standing(request, club, season_slug)
    rule = chosen.standing.rule
    stops, places = _races.get(
        chosen.version, lambda: race_places(chosen.results, rule, chosen.table.evenings)
    )
    lines = _runner_lines(chosen, places, _asked(request, chosen))
    begun = _begun(lines, len(stops))
    lines = [replace(line, places=line.places[begun:]) for line in lines]
    days = [evening_date(stop) for stop in stops[begun:]]
    drawing = _drawing(lines, days)
    context = {
        "club": club,
        "season": chosen.season,
        "chosen": chosen,
        "preview": replace(standing_preview(chosen), title=_race_title(chosen.season)),
        "lines": lines,
        "days": days,
        "drawing": drawing,
        "said": _said(lines, len(chosen.table.evenings)) if drawing else "",
        "every_evening": len(stops) == len(chosen.table.evenings),
        "people": sorted(
            (
                (row.player_id, person.name)
                for row in chosen.table.rows
                if row.rank and (person := chosen.people[row.player_id]).url
            ),
            key=lambda choice: sort_key(choice[1]),
        ),
        "asked": request.GET.get("player", ""),
    }
    return render(request, "tournaments/story/race.html", context)


def _race_title(season: Season) -> str:
    return _("The race of %(name)s") % {"name": season.name}


def _asked(request: HttpRequest, chosen: SeasonStanding) -> str:
    pk = asked_number(request, "player")
    if pk is None:
        return ""
    person = chosen.people.get(str(pk))
    if person is None or not person.url:
        raise Http404
    return str(pk)


def _runner_lines(
    chosen: SeasonStanding, places: Mapping[str, list[int | None]], asked: str
) -> list[RunnerLine]:
    ranked = [row for row in chosen.table.rows if row.rank]
    first = ranked[:RUNNERS]
    others = [row for row in ranked if row.player_id == asked and row not in first]
    pit = pit_word(chosen.club)
    figures = figures_of(chosen.standing.rule, pit).written_for(chosen.table.rows)
    return [
        _runner_line(chosen, row, letter, places, figures)
        for letter, row in zip(LETTERS, [*first, *others], strict=False)
    ]


def _runner_line(
    chosen: SeasonStanding,
    row: SeasonRow,
    letter: str,
    places: Mapping[str, list[int | None]],
    figures: Figures,
) -> RunnerLine:
    """The last place is that of the standing, where lots and who met whom decide too."""
    return RunnerLine(
        letter,
        row.rank,
        chosen.people[row.player_id],
        figures.of(row)[0],
        [*places[row.player_id][:-1], row.rank],
    )


def _begun(lines: Sequence[RunnerLine], stops: int) -> int:
    """The first stop at which any of them has a place."""
    some = (at for at in range(stops) if any(line.places[at] for line in lines))
    return next(some, 0)


def _drawing(lines: Sequence[RunnerLine], days: Sequence[dt.date]) -> RaceDrawing | None:
    if len(days) < FEWEST_STOPS or not lines:
        return None
    return race_drawing([Runner(line.letter, line.places) for line in lines], days)


def _said(lines: Iterable[RunnerLine], stops: int) -> str:
    """The race in words: who was where at first and is where now."""
    moves = [
        _("%(name)s from place %(first)s to place %(last)s")
        % {"name": line.person.name, "first": first, "last": line.rank}
        for line in lines
        if (first := next((place for place in line.places if place), None))
    ]
    after = ngettext("After %(n)s evening", "After %(n)s evenings", stops) % {"n": stops}
    return f"{after}: {'; '.join(moves)}."


@dataclass(frozen=True, slots=True)
class RecordLine:
    """Who has a record, how high it is, and when that was, with its page."""

    people: Sequence[PublicPerson]
    figure: str
    when: str
    url: str


@dataclass(frozen=True, slots=True)
class RecordBlock:
    """A record with the places after it."""

    title: str
    note: str
    lines: Sequence[RecordLine]


@require_safe
@visitors_page
@public_view
def club_records_page(request: HttpRequest, club: Club) -> HttpResponse:
    """The best there ever was at a club: rounds, evenings, seasons and people."""
    records, names = records_of(club)
    seasons = club.seasons.in_bulk()
    pit = pit_word(club)
    context = {
        "club": club,
        "records": [_record_block(club, record, names, seasons, pit) for record in records],
    }
    return render(request, "tournaments/story/records.html", context)


def _record_block(
    club: Club,
    record: Record,
    names: Mapping[int, MemberName],
    seasons: Mapping[int, Season],
    pit: str,
) -> RecordBlock:
    return RecordBlock(
        record_title(record.kind, pit),
        record_note(record.kind),
        [_record_line(club, record, holder, names, seasons) for holder in record.holders],
    )


def _record_line(
    club: Club,
    record: Record,
    holder: Holder,
    names: Mapping[int, MemberName],
    seasons: Mapping[int, Season],
) -> RecordLine:
    people = [
        PublicPerson(names[pk].shown_name, member_url(club, names[pk]))
        for pk in holder.people
        if pk in names
    ]
    figure = number(holder.figure, 0) if record.kind == "season_average" else number(holder.figure)
    if holder.evening:
        day = date_format(evening_date(holder.evening), "j F Y")
        until = record.kind == "in_a_row"
        when = _("up to and including %(day)s") % {"day": day} if until else day
        return RecordLine(people, figure, when, evening_page_url(club, holder.evening))
    season = seasons.get(holder.season or 0)
    if season is not None:
        return RecordLine(
            people, figure, season.name, reverse("season_page", args=[club.slug, season.slug])
        )
    return RecordLine(people, figure, "", "")
