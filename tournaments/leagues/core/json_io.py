"""The problems of `manage.py league` as JSON: every fault of one at once, and the answers."""

import json
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Final

from tournaments.draw.core.json_io import MOST, ProblemError, Reader, refuse_constant
from tournaments.leagues.core.fixtures import (
    FEWEST,
    MOST_CYCLES,
    MOST_TEAMS,
    Fixtures,
    make_fixtures,
)
from tournaments.leagues.core.ranking import (
    Division,
    EventResult,
    MeanRule,
    NextSeason,
    Ranked,
    rank_by_best,
    rank_by_mean,
    roll_over,
)
from tournaments.leagues.core.table import (
    SYSTEMS,
    TIES,
    Match,
    Penalty,
    Row,
    TableRule,
    WinPoints,
    explain,
    league_table,
    points_text,
)


def answer(text: str | bytes) -> str:
    """Solve the problem in this JSON object and return one line of JSON.

    Raises `ProblemError` with every fault of the problem.
    """
    try:
        given = json.loads(text, parse_constant=refuse_constant)
    except (ValueError, RecursionError):
        raise ProblemError(["not JSON in UTF-8"]) from None
    if not isinstance(given, dict):
        raise ProblemError(["not a JSON object"])
    reader = Reader(given)
    do = reader.choice("do", tuple(_PROBLEMS))
    if reader.faults:
        raise ProblemError(reader.faults)
    return json.dumps(_PROBLEMS[do](reader), ensure_ascii=False)


def _fixtures(reader: Reader) -> dict[str, Any]:
    teams = reader.names("teams")
    meeting = reader.choice("meeting", tuple(FEWEST))
    cycles = reader.whole("cycles", 1, MOST_CYCLES, default=1)
    apart = reader.pairs("apart")
    seed = reader.whole("seed", -(10**15), 10**15, default=0)
    fewest = FEWEST[meeting]  # type: ignore[index]
    if not reader.faults and not fewest <= len(teams) <= MOST_TEAMS:
        reader.fault("teams", f"there are {len(teams)}, and {fewest} to {MOST_TEAMS} can meet")
    for place, couple in enumerate(apart):
        _check_couple(reader, f"apart.{place}", couple, teams)
    reader.check()
    made = make_fixtures(
        teams,
        meeting=meeting,  # type: ignore[arg-type]
        cycles=cycles,
        apart=apart,
        seed=seed,
    )
    return _fixtures_json(made)


def _check_couple(
    reader: Reader, key: str, couple: tuple[str, str], teams: Collection[str]
) -> None:
    for name in couple:
        if name not in teams:
            reader.fault(key, f"{name} is not one of the teams")
    if couple[0] == couple[1]:
        reader.fault(key, f"{couple[0]} against itself")


def _fixtures_json(made: Fixtures) -> dict[str, Any]:
    return {
        "days": [
            {
                "day": day.number,
                "groups": [
                    {
                        "host": group.host,
                        "teams": list(group.teams),
                        "rounds": [[list(match) for match in round_] for round_ in group.rounds],
                    }
                    for group in day.groups
                ],
                "byes": list(day.byes),
            }
            for day in made.days
        ],
        "meetings": {"never": made.never, "once": made.once, "more": made.more},
    }


def _table(reader: Reader) -> dict[str, Any]:
    teams = reader.names("teams")
    rule = _rule(reader)
    by_group = rule.match == "rank_of_group"
    matches = [_match(inner, teams, by_group=by_group) for inner in reader.objects("matches")]
    penalties = [
        Penalty(_team(inner, teams), inner.decimal("points"), inner.name("reason", default=""))
        for inner in reader.objects("penalties", needed=False)
    ]
    _check_rounds(reader, matches)
    reader.check()
    rows = league_table(teams, matches, rule, penalties)
    return {
        "table": [_row_json(row, rule) for row in rows],
        "explanation": explain(rows, rule, penalties),
    }


def _rule(reader: Reader) -> TableRule:
    usual = TableRule()
    points = reader.object("points")
    win = WinPoints(
        points.decimal("win", default=2),
        points.decimal("draw", default=1),
        points.decimal("loss", default=0),
    )
    points.refuse_others()
    ties = reader.names("ties", default=usual.ties)
    for tie in ties:
        if tie not in TIES:
            reader.fault("ties", f"{tie} is none of {', '.join(TIES)}")
    return TableRule(
        reader.choice("match", SYSTEMS, default=usual.match),  # type: ignore[arg-type]
        win,
        ties,
        reader.whole("deals", 1, 99, default=usual.deals),
    )


def _team(reader: Reader, teams: Collection[str]) -> str:
    team = reader.name("team")
    if team and team not in teams:
        reader.fault("team", f"{team} is not one of the teams")
    return team


def _match(reader: Reader, teams: Collection[str], *, by_group: bool) -> Match:
    met = reader.pair("teams")
    if met:
        _check_couple(reader, "teams", met, teams)
    tables = tuple(reader.scores("tables"))
    day = reader.whole_if_given("day")
    group = reader.whole("group", 1) if by_group else reader.whole_if_given("group")
    round_ = reader.whole("round", 1) if by_group else reader.whole_if_given("round")
    return Match(met or ("", ""), tables, day, group, round_)


def _check_rounds(reader: Reader, matches: Sequence[Match]) -> None:
    """Nobody plays two matches in one round of a day."""
    played = Counter(
        (match.day, match.round, team)
        for match in matches
        if match.day is not None and match.round is not None
        for team in match.teams
        if team
    )
    for (day, round_, team), times in played.items():
        if times > 1:
            reader.fault("matches", f"{team} plays {times} matches in round {round_} of day {day}")


def _row_json(row: Row, rule: TableRule) -> dict[str, Any]:
    return {
        "place": row.place,
        "team": row.team,
        "played": row.played,
        "won": row.won,
        "drawn": row.drawn,
        "lost": row.lost,
        "points": points_text(row.points, rule.match),
        "for": row.scored,
        "against": row.conceded,
        "difference": row.difference,
    }


def _roll_over(reader: Reader) -> dict[str, Any]:
    divisions = [
        Division(inner.name("name"), inner.names("table"), inner.whole("size", 1, MOST_TEAMS))
        for inner in reader.objects("divisions")
    ]
    exchange = reader.whole("exchange", 0, MOST_TEAMS)
    entering = [
        (inner.name("division"), inner.name("team"))
        for inner in reader.objects("entering", needed=False)
    ]
    withdrawn = reader.names("withdrawn", default=())
    _check_divisions(reader, divisions, entering, withdrawn)
    for division in divisions:
        if exchange > division.size:
            reader.fault("exchange", f"division {division.name} has {division.size} teams")
    reader.check()
    return _next_json(roll_over(divisions, exchange, entering=entering, withdrawn=withdrawn))


def _check_divisions(
    reader: Reader,
    divisions: Sequence[Division],
    entering: Sequence[tuple[str, str]],
    withdrawn: Sequence[str],
) -> None:
    names = [division.name for division in divisions]
    teams = [team for division in divisions for team in division.table]
    if not divisions and isinstance(reader.given.get("divisions"), list):
        reader.fault("divisions", "is empty")
    for name, times in Counter(names).items():
        if name and times > 1:
            reader.fault("divisions", f"{name} is there more than once")
    for team, times in Counter([*teams, *(team for _division, team in entering)]).items():
        if team and times > 1:
            reader.fault("divisions", f"{team} is there more than once")
    for division, _team_name in entering:
        if division and division not in names:
            reader.fault("entering", f"{division} is not one of the divisions")
    for team in withdrawn:
        if team not in teams:
            reader.fault("withdrawn", f"{team} is in no division")


def _next_json(made: NextSeason) -> dict[str, Any]:
    return {
        "divisions": [{"name": name, "teams": list(teams)} for name, teams in made.divisions],
        "moves": [
            {"team": move.team, "from": move.origin, "to": move.target, "why": move.why}
            for move in made.moves
        ],
    }


def _ranking(reader: Reader) -> dict[str, Any]:
    if reader.choice("system", ("mean", "best_of")) == "mean":
        return _mean(reader)
    return _best_of(reader)


def _mean(reader: Reader) -> dict[str, Any]:
    usual = MeanRule()
    event = reader.object("event")
    rule = MeanRule(
        reader.whole("months", 1, 1200, default=usual.months),
        reader.whole("minimum_rounds", 1, default=usual.minimum_rounds),
        event.whole("players", 0, default=usual.players),
        event.whole("rounds", 0, default=usual.rounds),
    )
    event.refuse_others()
    on = reader.day("on")
    results = [
        EventResult(
            inner.name("event"),
            inner.day("date"),
            inner.whole("players", 1),
            inner.whole("rounds", 1),
            inner.name("player"),
            inner.whole("total", -MOST),
        )
        for inner in reader.objects("results")
    ]
    for (event_name, player), times in Counter((r.event, r.player) for r in results).items():
        if event_name and player and times > 1:
            reader.fault("results", f"{player} has {times} results of {event_name}")
    reader.check()
    ranked, short = rank_by_mean(results, rule, on)
    return {
        "ranking": [
            {**_ranked_json(line), "rounds": line.rounds, "events": line.events} for line in ranked
        ],
        "unranked": [{"player": player, "rounds": rounds} for player, rounds in short],
    }


def _best_of(reader: Reader) -> dict[str, Any]:
    full = reader.whole("full", 0)
    half = reader.whole("half", 0)
    seasons = reader.decimals("seasons")
    results = [
        (inner.name("season"), inner.name("player"), inner.decimal("points"))
        for inner in reader.objects("results")
    ]
    reader.check()
    ranked = rank_by_best(results, full=full, half=half, seasons=seasons)
    return {"ranking": [_ranked_json(line) for line in ranked]}


def _ranked_json(line: Ranked) -> dict[str, Any]:
    return {"place": line.place, "player": line.player, "value": f"{line.value:.2f}"}


_PROBLEMS: Final[Mapping[str, Callable[[Reader], dict[str, Any]]]] = {
    "fixtures": _fixtures,
    "table": _table,
    "roll_over": _roll_over,
    "ranking": _ranking,
}
