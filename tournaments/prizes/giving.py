"""Prizes of an evening and of a season: chosen, who wins them, and what is read out."""

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from decimal import Decimal

from django.db import transaction
from django.db.models import Sum
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.audit.services import Actor
from clubs.models import Club
from clubs.text.numbers import money, number
from scoring.display.words import pit_word
from tournaments.evenings.services import evening_lock, evening_note, require_state
from tournaments.models import Evening, PrizeGiven, PrizesAndFees, Registration, Season
from tournaments.prizes.core import (
    Award,
    Content,
    InvalidPrizes,
    PrizeScheme,
    RankedEntry,
    Winner,
    parse_prizes,
    prize_giving,
)
from tournaments.registration.entry_fees import NOT_CANCELLED
from tournaments.releases.folders import FolderLine, folder_lines_now, placed_together
from tournaments.standings.competitors import (
    CompetitorsOf,
    competitor_people,
    entries_by,
    ranked_by,
)
from tournaments.standings.core.metrics import METRICS
from tournaments.standings.core.places import EveningRow, SidePlace, evening_side, season_side
from tournaments.standings.core.results import Percentage, PeriodScore, Points, SeasonTable, mean
from tournaments.standings.queries import StandingRow, evening_entries, unsplit_tables
from tournaments.standings.texts import metric_prize

SPLIT = {"roem", "pits"}
"""What is not known where a table handed in nothing but totals."""


@dataclass(frozen=True, slots=True)
class PrizeLine:
    """A moment of the prize-giving as it is read out: the title, the winners, their figure, what
    they get, and a note if they are tied. `key` names it for programs, such as `place-1`."""

    key: str
    title: str
    names: Sequence[str]
    figure: str
    note: str
    members: Sequence[int]
    place: int | None
    gets: str = ""


def prize_lines(
    club: Club, awards: Sequence[Award], scheme: PrizeScheme | None = None, pot: int = 0
) -> list[PrizeLine]:
    """The awards in words, in the same order; with the `scheme` also what they get, where `pot` is
    in the pot."""
    return [
        PrizeLine(
            key=award.name,
            title=_title(award, club),
            names=[winner.name for winner in award.people],
            figure=_figure(award),
            note=_note(award),
            members=[int(member_id) for winner in award.people for member_id in winner.ids],
            place=award.place,
            gets=contents_words(award.contents(scheme), pot) if scheme else "",
        )
        for award in awards
    ]


def contents_words(contents: Iterable[Content], pot: int) -> str:
    """What is won in words, such as "ham (€ 25,00)", with so much in the pot."""
    return " + ".join(content_words(content, pot) for content in contents)


def content_words(content: Content, pot: int | None = None) -> str:
    """One prize in words; without a pot a share of that stays a percentage."""
    if content.share is not None and pot is None:
        sum_ = _("%(n)s%% of the pot") % {"n": content.share}
    else:
        worth = content.worth(pot or 0)
        sum_ = "" if worth is None else money(worth)
    return f"{content.what} ({sum_})" if content.what and sum_ else content.what or sum_


def prize_title(key: str, club: Club) -> str:
    """The title of the award with this key, or of what can be won by it."""
    kind, _dash, rest = key.partition("-")
    if kind == "period" and not rest:
        return _("The best of each period")
    if kind == "period":
        return _("Place %(n)s of each period") % {"n": rest}
    if kind == "place":
        return _title(Award("place", (), place=int(rest)), club)
    return _title(Award(kind, (), key=rest), club)  # type: ignore[arg-type]


def side_prize_name(side: str, club: Club) -> str:
    """The title of a side prize."""
    return metric_prize(side, pit_word(club))


def scheme_words(scheme: PrizeScheme, club: Club) -> str:
    """What can be won, in a sentence or two."""
    sentences = [_places(scheme)]
    others = [side_prize_name(side, club) for side in scheme.sides]
    if scheme.periods and scheme.period_places > 1:
        first = _("the first %(n)s of each period") % {"n": scheme.period_places}
        others.append(first)
    elif scheme.periods:
        others.append(_("the best of each period"))
    if scheme.poedel:
        others.append(_("the booby prize"))
    if others:
        sentences.append(_("Also: %(prizes)s.") % {"prizes": _listed(others)})
    return " ".join(sentences)


def period_key(start: dt.date, end: dt.date) -> str:
    """The key of a period in a prize-giving."""
    return f"{start.isoformat()}/{end.isoformat()}"


def _listed(words: Sequence[str]) -> str:
    lowered = [word[:1].lower() + word[1:] for word in words]
    return ", ".join(lowered)


def _places(scheme: PrizeScheme) -> str:
    match scheme.kind:
        case "none":
            return _("No prizes for places.")
        case "first":
            return ngettext(
                "A prize for the winner.", "A prize for the first %(n)s places.", scheme.first
            ) % {"n": scheme.first}
        case "formula_of_four":
            return _("Prizes for places 1 to 4, and then 8, 12, 16 and so on.")
        case "given":
            places = ", ".join(str(place) for place in scheme.given)
            return _("Prizes for the places %(places)s.") % {"places": places}
        case "one_per_four":
            return _("One prize for every four players, for the highest places.")
        case "everybody":
            return _("A prize for everybody.")


def _title(award: Award, club: Club) -> str:
    match award.kind:
        case "poedel":
            return _("Booby prize")
        case "side":
            return side_prize_name(award.key, club)
        case "period":
            start, end, *place = award.key.split("/")
            first, last = dt.date.fromisoformat(start), dt.date.fromisoformat(end)
            days = {"start": date_format(first, "j F"), "end": date_format(last, "j F")}
            if place:
                words = _("Place %(place)s from %(start)s to %(end)s")
                return words % {**days, "place": place[0]}
            return _("Best from %(start)s to %(end)s") % days
        case "place":
            if award.place == 1:
                return _("The winner")
            return _("Place %(n)s") % {"n": award.place}


def _figure(award: Award) -> str:
    figure = award.people[0].figure
    if isinstance(figure, Percentage):
        return f"{number(figure, 2)}%"
    if award.kind == "side" and METRICS[award.key].is_count:
        return _("%(n)s times") % {"n": figure} if figure > 1 else _("once")
    points = number(figure, 2 if isinstance(figure, Decimal) else None)
    return _("%(points)s points") % {"points": points}


def _note(award: Award) -> str:
    people = len(award.people)
    if people == 1:
        return ""
    if not award.is_shared:
        return _("Equal: there is a prize for each of them.")
    text = ngettext(
        "Equal: %(n)s prize for %(people)s people. They share it or draw lots.",
        "Equal: %(n)s prizes for %(people)s people. They share them or draw lots.",
        award.prizes,
    )
    return text % {"n": award.prizes, "people": people}


def prizes_and_fees_of(evening: Evening) -> PrizesAndFees:
    """The prizes and entry fees of this evening, as the start of a new one."""
    values = {field.name: getattr(evening, field.name) for field in fields(PrizesAndFees)}
    return PrizesAndFees(**values)


@transaction.atomic
def evening_prizes_choose(*, evening_id: int, scheme: PrizeScheme, actor: Actor) -> Evening:
    """Choose which prizes there are on an evening. The same choice again changes nothing.

    Raises DomainError `evening_state` for a cancelled evening.
    """
    evening = evening_lock(evening_id)
    require_state(evening, *NOT_CANCELLED)
    wanted = scheme.as_json()
    if evening.prizes == wanted:
        return evening
    evening.prizes = wanted
    evening.save(update_fields=["prizes"])
    evening_note(evening, actor=actor, action="prizes_chosen", data={"prizes": scheme.unworded()})
    return evening


Winners = dict[str, Sequence[Winner]]


def scheme_of(prizes: object) -> PrizeScheme:
    """The stored scheme; the default one if it cannot be read."""
    try:
        return parse_prizes(prizes)
    except InvalidPrizes:
        return PrizeScheme()


def evening_awards(evening: Evening, rows: Sequence[StandingRow]) -> tuple[Award, ...]:
    """The prizes of an evening with this standing, in the order of handing out, of whom it ranks:
    the people of a pair or team win together."""
    scheme = scheme_of(evening.prizes)
    if placed := _placed_otherwise(evening):
        return prize_giving(scheme, placed, sides=_sides_of(evening, scheme))
    if evening.ranks != Evening.Ranks.PLAYER:
        of = CompetitorsOf(evening)
        if ranked := ranked_by(of, evening.ranks):
            return _of_competitors(scheme, of, ranked)
    return prize_giving(scheme, _ranked(rows), sides=_sides_of(evening, scheme))


def _placed_otherwise(evening: Evening) -> list[RankedEntry]:
    """The places of an evening of folders, which do not go by the points that were written: those
    of both lines together."""
    return folder_entries(folder_lines_now(evening))


def folder_entries(lines: Iterable[FolderLine]) -> list[RankedEntry]:
    """These places of an evening of folders, by full names."""
    return [
        RankedEntry(
            tuple(str(member.pk) for pair in line.pairs for member in pair.people),
            line.full,
            place,
            Percentage(line.figure) if line.is_percentage else line.figure,
        )
        for place, line in placed_together(lines)
    ]


def _sides_of(evening: Evening, scheme: PrizeScheme) -> Winners:
    entries = evening_entries(evening) if scheme.sides else []
    return {side: _first(evening_side(entries, side)) for side in scheme.sides}


def _of_competitors(
    scheme: PrizeScheme, of: CompetitorsOf, ranked: Sequence[EveningRow]
) -> tuple[Award, ...]:
    """The same of pairs or teams with these places."""
    kind = of.evening.ranks
    entries = entries_by(of, kind) if scheme.sides else []
    sides: Winners = {side: _first(evening_side(entries, side)) for side in scheme.sides}
    standing = [RankedEntry((row.player_id,), row.name, row.rank, row.total) for row in ranked]
    return _to_people(prize_giving(scheme, standing, sides=sides), of.people(kind))


def evening_prizes(evening: Evening, rows: Sequence[StandingRow]) -> list[PrizeLine]:
    """The awards of an evening in words, with what is won; those for roem or pits that nobody can
    have for want of figures are said to be unknown."""
    awards, scheme = evening_awards(evening, rows), scheme_of(evening.prizes)
    pot = evening_paid(evening) if divides_pot(scheme) else 0
    lines = prize_lines(evening.club, awards, scheme, pot)
    given = {award.key for award in awards if award.kind == "side"}
    missing = [side for side in scheme.sides if side in SPLIT - given]
    if not missing or not unsplit_tables(evening):
        return lines
    unknown = [
        PrizeLine(
            key=f"side-{side}",
            title=side_prize_name(side, evening.club),
            names=[_("unknown")],
            figure="",
            note="",
            members=[],
            place=None,
        )
        for side in missing
    ]
    return [*unknown, *lines]


def evening_paid(evening: Evening) -> int:
    """What was paid in on an evening, in cents. One query."""
    return evening.registrations.aggregate(sum=Sum("paid"))["sum"] or 0


def divides_pot(scheme: PrizeScheme) -> bool:
    """Whether a prize is a share of the pot."""
    return any(content.share is not None for _key, content in scheme.contents)


def season_awards(prizes: object, table: SeasonTable) -> tuple[Award, ...]:
    """The prizes of a season with this standing, for those who have a place in it."""
    scheme = scheme_of(prizes)
    placed = [row for row in table.rows if row.rank is not None]
    ranked = [
        RankedEntry((row.player_id,), row.name, row.rank, row.value) for row in placed if row.rank
    ]
    sides: Winners = {side: _first(season_side(placed, side)) for side in scheme.sides}
    awards = prize_giving(scheme, ranked, sides=sides, periods=_periods(table))
    if table.rule.ranks == "player":
        return awards
    return _to_people(awards, competitor_people(_winning(awards)))


def _winning(awards: Iterable[Award]) -> list[str]:
    return [key for award in awards for won in award.people for key in won.ids]


def _to_people(awards: Iterable[Award], people: Mapping[str, Sequence[int]]) -> tuple[Award, ...]:
    """These awards of pairs and teams, for their `people`, who win together."""
    return tuple(
        replace(
            award,
            people=tuple(
                replace(won, ids=tuple(str(pk) for key in won.ids for pk in people.get(key, ())))
                for won in award.people
            ),
        )
        for award in awards
    )


def season_prize_lines(season: Season, table: SeasonTable) -> list[PrizeLine]:
    """The awards of a season in words, with what is won."""
    scheme = scheme_of(season.prizes)
    pot = season_paid(season) if divides_pot(scheme) else 0
    return prize_lines(season.club, season_awards(season.prizes, table), scheme, pot)


def season_paid(season: Season) -> int:
    """What is in the pot of a season for its own prizes, in cents: entry fees and what else went
    in or out, less the prizes of the evenings. Three queries."""
    paid = Registration.objects.filter(evening__season=season).aggregate(sum=Sum("paid"))
    other = season.pot_entries.aggregate(sum=Sum("cents"))
    given = PrizeGiven.objects.filter(evening__season=season).aggregate(sum=Sum("cents"))
    return (paid["sum"] or 0) + (other["sum"] or 0) - (given["sum"] or 0)


def _ranked(rows: Sequence[StandingRow]) -> list[RankedEntry]:
    pairs: dict[int, list[StandingRow]] = {}
    for row in rows:
        if row.pair is not None:
            pairs.setdefault(row.pair.number, []).append(row)
    if not pairs:
        return [RankedEntry((str(row.member_id),), row.name, row.rank, row.total) for row in rows]
    lines = [_pair(both) for both in pairs.values()]
    return sorted(lines, key=lambda line: (line.rank, line.name.casefold()))


def _pair(both: Sequence[StandingRow]) -> RankedEntry:
    ordered = sorted(both, key=lambda row: row.name.casefold())
    pair = both[0].pair
    rank, total = (pair.rank, pair.total) if pair else (both[0].rank, both[0].total)
    rank = both[0].rank if rank is None else rank
    ids = tuple(str(row.member_id) for row in ordered)
    return RankedEntry(ids, " – ".join(row.name for row in ordered), rank, total)


def _first(places: Iterable[SidePlace]) -> list[Winner]:
    return [
        Winner((place.player_id,), place.name, place.figure) for place in places if place.rank == 1
    ]


def _periods(table: SeasonTable) -> Mapping[str, Sequence[Winner]]:
    """What everybody who has a place came to in each period."""
    people: dict[str, list[Winner]] = {period_key(*span): [] for span in table.rule.periods}
    for row in table.rows:
        for period in row.periods:
            if row.rank is not None and period.span and period.weight:
                winner = Winner((row.player_id,), row.name, _points(period, table))
                people[period_key(*period.span)].append(winner)
    return people


def _points(period: PeriodScore, table: SeasonTable) -> Points:
    if table.rule.aggregate == "sum":
        return period.points
    return mean(period.points, period.weight)
