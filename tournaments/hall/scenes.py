"""The pictures of the hall's screen: the standings in pages, where to sit, tables, climbers, pits,
the code to follow, and the prizes one by one.

Letters on the screen have one size (`hall.css`), legible at ten metres, so what fits is counted in
lines: fewer with an announcement below.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.http.network import absolute_url, base_url, qr_svg
from clubs.text.numbers import number
from scoring.display.words import pit_word
from tournaments.evenings.pages import evening_page_url
from tournaments.hall.pictures import (
    COLUMNS,
    MOST_NAMES,
    PODIUM,
    STEPS,
    WINNERS,
    Picture,
    PlaceLine,
    folder_places,
    folder_tables,
    folder_winners,
    in_columns,
    on_step,
    some_names,
)
from tournaments.hall.screen import (
    PRIZES,
    HallName,
    cut_name,
    hall_name,
    in_one_line,
    in_parts,
    last_pits,
    message_now,
    seat_columns,
    seat_lines,
    team_lines,
    turn_now,
)
from tournaments.models import Evening, HallScreen, Round, Table
from tournaments.prizes.giving import evening_awards, prize_lines
from tournaments.releases.lines import competitors_now, public_lines
from tournaments.releases.queries import (
    PublicRow,
    running_rounds,
    visible_rounds,
)
from tournaments.releases.services import stale_release
from tournaments.results.standing import any_points, places_by
from tournaments.results.views.evening import current_round
from tournaments.standings.competitors import PLAYER, TEAM
from tournaments.standings.core.results import Running, together
from tournaments.standings.queries import evening_standings
from tournaments.standings.texts import playing_words

Scene = HallScreen.Scene
RUNNING, DRAWN = Round.State.RUNNING, Round.State.DRAWN
LINES, LINES_ABOVE_MESSAGE = 10, 7
TILES_ACROSS, TILES_DOWN, TILES_DOWN_ABOVE_MESSAGE = 4, 5, 3
FEW_TABLES = 6
"""So few are drawn larger."""
LARGE_HALL = 96
"""With more names than this people would wait too long for theirs, so there is a third column."""
MOST_WINNERS = 10
"""So many share a prize, in two columns."""
CLIMBERS = 6


@dataclass(frozen=True, slots=True)
class Climber:
    """Who rose: somebody, or a pair."""

    name: HallName
    up: int
    rank: int


@dataclass(frozen=True, slots=True)
class Shown:
    """What the screen shows now: a picture, which of how many it is, and what goes with it."""

    picture: Picture
    number: int
    of: int
    round: Round | None
    message: str


def shown_now(evening: Evening, hall: HallScreen) -> Shown:
    """What the screen of this evening shows now."""
    rounds = visible_rounds(evening)
    message = message_now(hall)
    turn = turn_now(hall)
    maker = Pictures(evening, rounds, has_message=bool(message))
    if hall.scene == PRIZES:
        picture = maker.prizes(turn)
        return Shown(picture, picture.page, picture.pages, maker.round, message)
    pictures = list(_of_all_groups(maker, hall.scene))
    number = turn % len(pictures)
    return Shown(pictures[number], number + 1, len(pictures), maker.round, message)


def _of_all_groups(own: "Pictures", scene: str) -> Iterator[Picture]:
    """The pictures of an evening; where groups play at once in the hall, of one group after the
    other, each under its name."""
    groups = own.evening.groups
    if not groups:
        yield from own.of_scene(scene) if scene else own.turning()
        return
    calm: list[Picture] = []
    shows = False
    for group in groups:
        maker = Pictures(group, visible_rounds(group), has_message=own.lines == LINES_ABOVE_MESSAGE)
        for picture in maker.of_scene(scene) if scene else maker.turning():
            if not picture.scene or (picture.scene == Scene.CODE and group.pk != own.evening.pk):
                calm.append(picture)
                continue
            shows = True
            yield replace(picture, title=f"{group.name}: {picture.title}")
    if not shows:
        yield calm[0]


class Pictures:
    """Makes the pictures of an evening as it is now."""

    def __init__(self, evening: Evening, rounds: Sequence[Round], *, has_message: bool) -> None:
        self.evening, self.rounds = evening, rounds
        self.round = current_round(rounds)
        self.lines = LINES_ABOVE_MESSAGE if has_message else LINES
        self.tiles = TILES_ACROSS * (TILES_DOWN_ABOVE_MESSAGE if has_message else TILES_DOWN)
        for round_ in rounds:
            round_.evening = evening

    def of_scene(self, scene: str) -> Iterator[Picture]:
        """The pictures of one scene; at least one, if only to say that there is nothing yet."""
        made = list(self._of_scene(scene))
        is_secret = self.evening.is_frozen and scene in (Scene.MOVERS, Scene.PITS)
        content = {"secret": True} if is_secret else {"nothing": self._nothing(scene)}
        yield from made or [Picture(scene, str(Scene(scene).label), content)]

    def turning(self) -> Iterator[Picture]:
        """The pictures that take turns by themselves at this stage of the evening."""
        made = [picture for scene in self._scenes() for picture in self._of_scene(scene)]
        if all(picture.scene == Scene.CODE for picture in made):
            yield Picture("", "", {"calm": True})
        yield from made

    def _scenes(self) -> Sequence[str]:
        evening = self.evening
        if evening.state == Evening.State.CANCELLED:
            return ()
        is_played = any(round_.state == RUNNING for round_ in self.rounds)
        if not is_played and any(round_.state == DRAWN for round_ in self.rounds):
            return (Scene.SEATS,)
        if is_played:
            return Scene.STANDINGS, Scene.TABLES, Scene.MOVERS, Scene.PITS, Scene.CODE
        if evening.state == Evening.State.CLOSED:
            return WINNERS, Scene.STANDINGS, Scene.MOVERS, Scene.CODE
        return Scene.STANDINGS, Scene.MOVERS, Scene.CODE

    def _of_scene(self, scene: str) -> Iterator[Picture]:
        makers: Mapping[str, Callable[[], Iterator[Picture]]] = {
            WINNERS: self._winners,
            Scene.SEATS: self._seats,
            Scene.STANDINGS: self._standings,
            Scene.TABLES: self._tables,
            Scene.MOVERS: self._movers,
            Scene.PITS: self._pits,
            Scene.CODE: self._code,
        }
        return makers[scene]()

    def _nothing(self, scene: str) -> str:
        match scene:
            case Scene.SEATS:
                return _("The draw will appear here as soon as it is made.")
            case Scene.PITS:
                return _("Nobody made a %(pit)s yet.") % {"pit": pit_word(self.evening.club)}
            case Scene.MOVERS:
                return _("When a second round is over you see here who climbed.")
            case Scene.TABLES:
                return _("No round is being played.")
        return _("The first points appear here as soon as a table writes a deal.")

    # The scenes, one by one.

    def _standings(self) -> Iterator[Picture]:
        evening = self.evening
        is_closed = evening.state == Evening.State.CLOSED
        title = _("Final standings") if is_closed else self._interim_title()
        if evening.is_frozen:
            if any(round_.state != DRAWN for round_ in self.rounds):
                yield Picture(Scene.STANDINGS, title, {"secret": True})
            return
        stale = is_closed and bool(stale_release(evening))
        if evening.plays_folders:
            yield from folder_places(evening, title, lines=self.lines, stale=stale)
            return
        lines = place_lines(self._rows, by_average=self._by_average)
        parts = in_columns(lines, self.lines)
        for page, columns in enumerate(parts, 1):
            content = {
                "columns": columns,
                "stale": stale,
                "placed": any(line.rank for line in lines),
                "by_average": self._by_average,
            }
            yield Picture(Scene.STANDINGS, title, content, page, len(parts))

    @property
    def _by_average(self) -> bool:
        """Whether places go by the average per deal, as long as a round stands apart."""
        by = places_by(self.evening, self._rows)
        return bool(running_rounds(self._rows)) and by == "average"

    def _interim_title(self) -> str:
        rows = self._rows
        playing = running_rounds(rows)
        if not playing:
            return _("Standings so far")
        if self._by_average:
            return _("Standings by points per deal")
        over = {number for row in rows for number in row.rounds}
        if over:
            return _("Standings after round %(n)s") % {"n": max(over)}
        return _("%(playing)s No places yet.") % {"playing": playing_words(playing)}

    @cached_property
    def _rows(self) -> list[PublicRow]:
        rows = public_lines(self.evening)
        return rows if any_points(rows) else []

    def _movers(self) -> Iterator[Picture]:
        """Who climbed in the last round that is over, also while the next one is played."""
        over = [round_.number for round_ in self.rounds if round_.state == Round.State.CLOSED]
        # Points of other cards, or of one line, say nothing about who climbed.
        if self.evening.is_frozen or len(over) < 2 or self.evening.plays_folders:
            return
        rows = self._rows
        before, after = _ranks(rows, over[:-1]), _ranks(rows, over)
        climbers = [
            Climber(
                in_one_line(_people(row)),
                before[row.member_id] - after[row.member_id],
                after[row.member_id],
            )
            for row in rows
            if row.member_id in before and before[row.member_id] > after[row.member_id]
        ]
        if climbers:
            climbers.sort(key=lambda climber: (-climber.up, climber.rank))
            title = _("The climbers of round %(n)s") % {"n": over[-1]}
            yield Picture(Scene.MOVERS, title, {"climbers": climbers[: min(CLIMBERS, self.lines)]})

    def _tables(self) -> Iterator[Picture]:
        for round_ in self.rounds:
            if round_.state != RUNNING:
                continue
            tables = list(Table.objects.filter(round=round_).select_related("sheet"))
            ready = sum(table.sheet.is_full for table in tables)
            title = ngettext(
                "%(ready)s of %(tables)s table ready",
                "%(ready)s of %(tables)s tables ready",
                len(tables),
            ) % {"ready": ready, "tables": len(tables)}
            # Points of the leading side would tell who leads.
            counts = not (self.evening.is_frozen and self.evening.target)
            parts = in_parts(tables, self.tiles)
            for page, part in enumerate(parts, 1):
                content = {"tables": part, "counts": counts, "few": len(tables) <= FEW_TABLES}
                yield Picture(Scene.TABLES, title, content, page, len(parts))

    def _pits(self) -> Iterator[Picture]:
        pits = [] if self.evening.is_frozen else last_pits(self.evening, self.lines // 2)
        if pits:
            title = _("Who made a %(pit)s?") % {"pit": pit_word(self.evening.club)}
            yield Picture(Scene.PITS, title, {"pits": pits})

    def _code(self) -> Iterator[Picture]:
        club = self.evening.club
        url = absolute_url(club, evening_page_url(club, self.evening.slug))
        address = base_url(club).partition("://")[2]
        content = {"code": qr_svg(url), "address": address}
        yield Picture(Scene.CODE, _("Follow along on your phone"), content)

    def _seats(self) -> Iterator[Picture]:
        if self.round is None:
            return
        lines = seat_lines(self.round)
        beside = COLUMNS + (len(lines) > LARGE_HALL)
        columns = seat_columns(lines, self.lines - 1, beside=beside)
        parts = in_parts(columns, beside)
        for page, part in enumerate(parts, 1):
            yield Picture(Scene.SEATS, _("Where do I sit?"), {"seats": part}, page, len(parts))
        if self.evening.plays_folders:
            yield from folder_tables(self.round, self.lines)

    def _winners(self) -> Iterator[Picture]:
        """The podium of a closed evening; of folders that of each line."""
        if self.evening.plays_folders:
            yield from folder_winners(self.evening)
            return
        first = [row for row in self._rows if row.rank is not None and row.rank <= PODIUM]
        steps = {place: [row for row in first if row.rank == place] for place in STEPS}
        podium = {place: on_step([_people(row) for row in rows]) for place, rows in steps.items()}
        totals = {place: number(rows[0].total) for place, rows in steps.items() if rows}
        if totals and not stale_release(self.evening):
            content = {"podium": podium, "totals": totals}
            yield Picture(WINNERS, _("The winners"), content)

    def prizes(self, revealed: int) -> Picture:
        """The prize that was revealed last, those of the podium revealed so far, and for the desk
        the next one."""
        rows = evening_standings(self.evening)
        names = {str(row.member_id): row.shown_name for row in rows}
        teams = self._teams()
        awards = evening_awards(self.evening, rows)
        lines = prize_lines(self.evening.club, awards)
        won = [
            [
                [teams[winner.ids]]
                if winner.ids in teams
                else [names[pk] for pk in winner.ids if pk in names]
                for winner in award.people
            ]
            for award in awards
        ]
        seen = list(zip(lines, won, strict=True))[:revealed]
        podium = {line.place: people for line, people in seen if line.place in STEPS}
        newest = seen[-1:]
        content = {
            "prize": newest[0][0] if newest else None,
            "winners": [
                name
                for _line, winners in newest
                for name in _read_out(winners, MOST_NAMES if podium else MOST_WINNERS)
            ],
            "podium": {place: on_step(podium.get(place, [])) for place in STEPS} if podium else {},
            "count": len(lines),
            "next": next(iter(lines[len(seen) :]), None),
        }
        return Picture(PRIZES, _("The prizes"), content, len(seen), len(lines))

    def _teams(self) -> dict[tuple[str, ...], str]:
        """By the ids of its people, what each team is called in public, of an evening that ranks
        those."""
        if self.evening.ranks != Evening.Ranks.TEAM:
            return {}
        lines = competitors_now(self.evening, Evening.Ranks.TEAM)
        return {tuple(str(pk) for pk in line.people): cut_name(line.name) for line in lines}


def place_lines(rows: Sequence[PublicRow], *, by_average: bool = False) -> list[PlaceLine]:
    """The lines of the standings, with who rose and fell in the last round that counts for the
    places; `by_average` since the last one that is over."""
    numbers = sorted({number for row in rows for number in row.rounds})
    before = _ranks(rows, numbers if by_average else numbers[:-1])
    return [_place_line(row, before.get(row.member_id), by_average=by_average) for row in rows]


def _place_line(row: PublicRow, before: int | None, *, by_average: bool) -> PlaceLine:
    running = together(row.running.values())
    if row.rank is None:
        figure, deals = number(running and running.points), _far(running)
    else:
        figure, deals = number(row.average, 2) if by_average else number(row.total), ""
    return PlaceLine(
        id=row.member_id,
        rank=row.rank,
        names=team_lines(row.name)
        if row.kind == TEAM
        else [hall_name(name) for name in _people(row)],
        figure=figure,
        up=before - row.rank if before and row.rank else None,
        deals=deals,
    )


def _far(running: Running | None) -> str:
    if running is None:
        return ""
    return str(running.deals) if running.of is None else f"{running.deals}/{running.of}"


def _people(row: PublicRow) -> list[str]:
    """The names on a line of the standings: of one person, of both of a pair, or of a team."""
    if row.kind == TEAM:
        return [cut_name(row.name)]
    if row.pair:
        return row.name.split(" – ")
    return [row.name] if row.kind == PLAYER else row.name.split(" & ")


def _ranks(rows: Sequence[PublicRow], numbers: Sequence[int]) -> dict[int, int]:
    """The places after these rounds, of everybody who played one of them; ties share a place."""
    totals = {
        row.member_id: sum(row.rounds.get(number, 0) for number in numbers)
        for row in rows
        if any(number in row.rounds for number in numbers)
    }
    ordered = sorted(totals.values(), reverse=True)
    places: dict[int, int] = {}
    for place, total in enumerate(ordered, 1):
        places.setdefault(total, place)
    return {member: places[total] for member, total in totals.items()}


def _read_out(winners: Sequence[Sequence[str]], most: int) -> list[HallName]:
    """Who wins a prize, in large letters: in full, unless there are many."""
    if len(winners) == 1:
        return [HallName(name) for name in winners[0]]
    if len(winners) <= MOST_NAMES and all(len(winner) == 1 for winner in winners):
        return [HallName(name) for winner in winners for name in winner]
    return some_names([in_one_line(winner) for winner in winners], most)
