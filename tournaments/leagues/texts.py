"""Leagues in words: the rule of a season, why a team has its place, and the trail."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.formats import get_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from clubs.audit.trail import describe
from clubs.text.numbers import number
from tournaments.leagues.core.ranking import Move
from tournaments.leagues.core.table import Row, TableRule, points_text, victory_points
from tournaments.leagues.core.what_if import Outlook
from tournaments.leagues.lineup_queries import FIXED_HIGHER, HIGHER_TEAM, OTHER_CLUB, TOO_OFTEN
from tournaments.leagues.queries import DivisionTable, TableLine
from tournaments.leagues.ranked_results import family_words
from tournaments.models import LeagueRanking, LeagueSeason

TIE_NAMES: Mapping[str, Any] = {
    "difference": gettext_lazy("the difference between points for and against"),
    "for": gettext_lazy("the points for"),
    "wins": gettext_lazy("the matches won"),
    "quotient": gettext_lazy("points for divided by points against"),
    "head_to_head": gettext_lazy("the match points against each other"),
    "head_to_head_balance": gettext_lazy("the difference against each other"),
    "lot": gettext_lazy("the lot"),
}
MARK_WORDS: Mapping[str, Any] = {
    OTHER_CLUB: gettext_lazy("plays for another club in this season"),
    HIGHER_TEAM: gettext_lazy("plays in a higher team: that is a turn"),
    FIXED_HIGHER: gettext_lazy("is a fixed player of a higher team"),
    TOO_OFTEN: gettext_lazy("has no turn left in a higher team"),
}
"""What is said of somebody in a line-up."""
OUTCOMES: Mapping[str, tuple[Any, Any]] = {
    "won": (pgettext_lazy("outcome", "W"), gettext_lazy("won")),
    "drawn": (pgettext_lazy("outcome", "D"), gettext_lazy("drawn")),
    "lost": (pgettext_lazy("outcome", "L"), gettext_lazy("lost")),
}
"""The letter and the word of each outcome."""


def match_points(points: Any, rule: TableRule) -> str:
    """Match points as they are written, with a comma where the language has one."""
    return _decimal(points_text(points, rule.match)).replace("-", "−")


def _decimal(text: str) -> str:
    return text.replace(".", get_format("DECIMAL_SEPARATOR"))


def rule_words(season: LeagueSeason) -> list[str]:
    """How a season is played and counted, in sentences."""
    sentences = [_meeting(season), _points(season), ties_words(season)]
    if season.exchange:
        sentences.append(
            ngettext(
                "From each division %(n)s team goes down, and %(n)s comes up from the next one.",
                "From each division %(n)s teams go down, and %(n)s come up from the next one.",
                season.exchange,
            )
            % {"n": season.exchange}
        )
    sentences.append(
        _("Who does not appear scores 0; the other team gets the mean of its own matches.")
    )
    sentences.append(
        ngettext(
            "Results are in within %(n)s hour after the match day.",
            "Results are in within %(n)s hours after the match day.",
            season.deadline_hours,
        )
        % {"n": season.deadline_hours}
    )
    sentences += _captains(season)
    sentences.append(
        _("The rules of the league are played by.")
        if season.played_by == LeagueSeason.Rules.LEAGUE
        else _("The rules of the club that hosts are played by.")
    )
    return sentences


def _captains(season: LeagueSeason) -> list[str]:
    said = ngettext(
        "For %(n)s hour the visitors can confirm a result or object to it.",
        "For %(n)s hours the visitors can confirm a result or object to it.",
        season.answer_hours,
    )
    sentences = [said % {"n": season.answer_hours}]
    if season.higher_turns is not None:
        sentences.append(
            ngettext(
                "Somebody of a lower team plays in a higher one on at most %(n)s match day.",
                "Somebody of a lower team plays in a higher one on at most %(n)s match days.",
                season.higher_turns,
            )
            % {"n": season.higher_turns}
        )
    return sentences


def ties_words(season: LeagueSeason) -> str:
    """What decides between teams with as many match points."""
    if not season.ties:
        return _("Teams with as many match points share the place.")
    ties = _(", then ").join(str(TIE_NAMES[tie]) for tie in season.ties)
    if "lot" in season.ties:
        return _("Equal match points: first %(ties)s decides.") % {"ties": ties}
    said = _("Equal match points: first %(ties)s; who is equal then shares the place.")
    return said % {"ties": ties}


def _meeting(season: LeagueSeason) -> str:
    tables = ngettext("%(n)s table", "%(n)s tables", season.tables) % {"n": season.tables}
    words = {"tables": tables, "deals": _deals(season.deals), "n": season.cycles}
    if season.meeting == LeagueSeason.Meeting.FOUR:
        said = _(
            "Four teams meet on a match day. In three rounds everybody there plays everybody, at"
            " %(tables)s a match, %(deals)s each."
        )
    else:
        said = _("Two teams meet on a match day, at home and away, at %(tables)s of %(deals)s.")
    often = ngettext(
        "Everybody meets everybody once.", "Everybody meets everybody %(n)s times.", season.cycles
    )
    return f"{said % words} {often % words}"


def _deals(count: int) -> str:
    return ngettext("%(n)s deal", "%(n)s deals", count) % {"n": count}


def _points(season: LeagueSeason) -> str:
    kinds = LeagueSeason.Points
    if season.points == kinds.TABLES_AND_TOTAL:
        return _("A match: 1 point for each table won and 1 for the total; half each when equal.")
    if season.points == kinds.RANK_OF_GROUP:
        return _(
            "A round: 3 points for the highest total of the four teams, then 2, 1 and 0; equal"
            " totals share."
        )
    if season.points == kinds.VICTORY_POINTS:
        deals = season.deals * season.tables
        won = _decimal(str(victory_points(200, deals)))
        return _(
            "A match: 20 points are shared by the margin. Equal is 10 each; a margin of 200 over"
            " %(deals)s is %(won)s for the winner."
        ) % {"deals": _deals(deals), "won": won}
    rule = TableRule()
    worth = {name: match_points(getattr(season, name), rule) for name in ("win", "draw", "loss")}
    return _("A match: %(win)s for winning, %(draw)s for a draw, %(loss)s for losing.") % worth


def place_words(table: DivisionTable, line: TableLine) -> str:
    """Why a team has its place, in one sentence."""
    row, rows = line.row, table.rows
    words: dict[str, object] = {
        "place": row.place,
        "team": row.team,
        "points": match_points(row.points, table.rule),
        "n": row.played,
    }
    said = [
        ngettext(
            "%(place)s. %(team)s: %(points)s match points from %(n)s match",
            "%(place)s. %(team)s: %(points)s match points from %(n)s matches",
            row.played,
        )
        % words
    ]
    said += [
        _("after %(points)s off (%(why)s)")
        % {"points": match_points(penalty.points, table.rule), "why": penalty.reason}
        for penalty in table.penalties
        if penalty.team_id == line.team.pk
    ]
    equal = [other.team for other in rows if other.points == row.points and other is not row]
    if equal:
        said.append(_("as many as %(teams)s") % {"teams": ", ".join(equal)})
        said += _decided(row, rows)
    return ", ".join(said) + "."


def _decided(row: Row, rows: Sequence[Row]) -> list[str]:
    said = []
    if row.decided_by:
        ties = _(", then ").join(str(TIE_NAMES[tie]) for tie in row.decided_by)
        said.append(_("decided by %(ties)s") % {"ties": ties})
        if "difference" in row.decided_by:
            said[-1] += f" ({number(row.difference)})"
    shared = [other.team for other in rows if other.place == row.place and other is not row]
    if shared:
        said.append(_("shares the place with %(teams)s") % {"teams": ", ".join(shared)})
    return said


def penalty_words(table: DivisionTable) -> list[str]:
    """What was taken off teams, and why, each in a sentence."""
    return [
        _("%(name)s: match points off: %(points)s. %(why)s")
        % {
            "name": penalty.team.name,
            "points": match_points(penalty.points, table.rule),
            "why": penalty.reason,
        }
        for penalty in table.penalties
    ]


def move_words(move: Move | None, names: Mapping[str, str]) -> str:
    """Why a team is in its division next season. `names` are those of the divisions by id."""
    if move is None:
        return _("stays")
    words = {
        "origin": names.get(move.origin or "", ""),
        "target": names.get(move.target or "", ""),
        "n": move.exchange,
    }
    if move.kind == "first":
        return (
            ngettext(
                "comes up from %(origin)s: it was first there",
                "comes up from %(origin)s: it was among the first %(n)s there",
                move.exchange,
            )
            % words
        )
    if move.kind == "last":
        return (
            ngettext(
                "comes down from %(origin)s: it was last there",
                "comes down from %(origin)s: it was among the last %(n)s there",
                move.exchange,
            )
            % words
        )
    return str(_MOVES[move.kind] % words)


_MOVES: Mapping[str, Any] = {
    "withdrew": gettext_lazy("stops"),
    "enters": gettext_lazy("is new in the league"),
    "fills": gettext_lazy("comes up from %(origin)s: there was a place free"),
    "more": gettext_lazy(
        "comes down from %(origin)s: one more than usual, because others came down from above or"
        " are new"
    ),
}


def outlook_words(table: DivisionTable) -> list[str]:
    """What can still become of each team, in sentences; empty unless few matches are left."""
    return [_outlook(table, outlook) for outlook in table.outlooks]


def _outlook(table: DivisionTable, outlook: Outlook) -> str:
    words: dict[str, object] = {"team": outlook.team, "n": outlook.left}
    if outlook.best == outlook.worst:
        said = _("%(team)s ends at place %(places)s, whatever happens.")
        said %= words | {"places": outlook.best}
    elif outlook.left == 0:
        said = _("%(team)s plays no more, and ends at place %(places)s.")
        said %= words | {"places": _places(outlook.best, outlook.worst)}
    else:
        by_matches = table.rule.match == "win_draw"
        if not by_matches:
            asked = _(
                "%(team)s: with all points that are left place %(gain)s; with none of them place"
                " %(none)s."
            )
        else:
            asked = ngettext(
                "If %(team)s wins, place %(gain)s; if it loses, place %(none)s.",
                "If %(team)s wins all %(n)s matches, place %(gain)s; if it loses them, place"
                " %(none)s.",
                outlook.left,
            )
        words["gain"] = _places(outlook.gain_best, outlook.gain_worst)
        words["none"] = _places(outlook.none_best, outlook.none_worst)
        said = asked % words
    return " ".join([said, *_certain(table, outlook)])


def ranking_words(ranking: LeagueRanking) -> list[str]:
    """How a ranking is worked out, in sentences."""
    words: dict[str, object] = {
        "months": ranking.months,
        "rounds": ranking.minimum_rounds,
        "players": ranking.event_players,
        "event_rounds": ranking.event_rounds,
        "full": ranking.full,
        "half": ranking.half,
        "weights": ", ".join(f"{weight} %" for weight in ranking.weights),
        "discipline": ranking.get_ranks_display(),
        "rules": family_words(ranking.family),
    }
    systems = LeagueRanking.System
    takes = ngettext(
        "A place takes %(rounds)s round.",
        "A place takes %(rounds)s rounds.",
        ranking.minimum_rounds,
    )
    if ranking.half:
        best = ngettext(
            "Of each season the best counts in full and of those after it at most %(half)s for"
            " half; a season is from September to August and counts once it is over.",
            "Of each season the %(full)s best count in full and of those after it at most %(half)s"
            " for half; a season is from September to August and counts once it is over.",
            ranking.full,
        )
    else:
        best = ngettext(
            "Of each season the best counts; a season is from September to August and counts once"
            " it is over.",
            "Of each season the %(full)s best count; a season is from September to August and"
            " counts once it is over.",
            ranking.full,
        )
    said = {
        systems.MEAN: [
            ngettext(
                "The mean of points per round over the last month.",
                "The mean of points per round over the last %(months)s months.",
                ranking.months,
            ),
            takes,
            ngettext(
                "An evening counts if it had %(players)s players and %(event_rounds)s round or"
                " more; a match day counts with any number of players.",
                "An evening counts if it had %(players)s players and %(event_rounds)s rounds or"
                " more; a match day counts with any number of players.",
                ranking.event_rounds,
            ),
        ],
        systems.BEST_OF: [
            _(
                "Of each evening counts which part of the players there somebody beat, in percent,"
                " ties by half."
            ),
            best,
            _("Seasons count for %(weights)s, the latest first."),
        ],
        systems.STRENGTH: [
            _("An estimate in points per round from who won at each table, against whom."),
            takes,
        ],
    }[systems(ranking.system)]
    said.append(_("Counted are results of: %(discipline)s. Rules: %(rules)s."))
    said.append(
        _("In it is whoever confirmed a league number. Who is hidden at a club is hidden here.")
    )
    return [sentence % words for sentence in said]


def _places(best: int, worst: int) -> str:
    if best == worst:
        return str(best)
    return _("%(best)s to %(worst)s") % {"best": best, "worst": worst}


def _certain(table: DivisionTable, outlook: Outlook) -> list[str]:
    """Whether it is certain by now that the team wins, goes up or goes down."""
    exchange, position = table.division.season.exchange, table.division.position
    if position == 1 and outlook.worst == 1:
        return [_("It is champion.")]
    if position > 1 and outlook.worst <= exchange:
        return [_("It goes up for certain.")]
    if position < table.divisions and outlook.best > len(table.lines) - exchange:
        return [_("It goes down for certain.")]
    return []


describe(
    {
        "league_penalty_given": gettext_lazy("Match points off for %(name)s: %(points)s"),
        "league_penalty_taken_back": gettext_lazy(
            "Match points given back to %(name)s: %(points)s"
        ),
        "league_rolled_over": gettext_lazy(
            "The season %(next)s was made of %(name)s; number of teams: %(teams)s"
        ),
        "league_roll_over_undone": gettext_lazy("The season %(name)s was taken away again"),
        "league_created": gettext_lazy("The league “%(name)s” was made"),
        "league_changed": gettext_lazy("The league is now called “%(name)s”"),
        "league_leader_added": gettext_lazy("%(who)s leads the league too"),
        "league_leader_removed": gettext_lazy("%(who)s leads the league no longer"),
        "league_season_added": gettext_lazy("The season %(name)s was made"),
        "league_rule_changed": gettext_lazy("How the season %(name)s is played was changed"),
        "division_added": gettext_lazy("The division %(name)s was added"),
        "division_renamed": gettext_lazy("A division is now called %(name)s"),
        "division_removed": gettext_lazy("The division %(name)s was removed"),
        "league_team_added": gettext_lazy("The team %(name)s was added"),
        "league_team_changed": gettext_lazy("The team %(name)s was changed"),
        "league_team_removed": gettext_lazy("The team %(name)s was removed"),
        "league_team_withdrawn": gettext_lazy("The team %(name)s withdrew"),
        "league_team_reinstated": gettext_lazy("The team %(name)s plays on after all"),
        "fixtures_drawn": gettext_lazy(
            "The fixtures of %(name)s were drawn, with number %(seed)s; match days: %(days)s"
        ),
        "fixtures_taken_back": gettext_lazy("The fixtures of %(name)s were taken back"),
        "match_day_moved": gettext_lazy(
            "Match day %(number)s of %(name)s was moved from %(before)s to %(date)s (%(host)s)"
        ),
        "match_day_dated": gettext_lazy(
            "Match day %(number)s of %(name)s is on %(date)s (%(host)s)"
        ),
        "match_day_undated": gettext_lazy(
            "Match day %(number)s of %(name)s has no date (%(host)s)"
        ),
        "match_written": gettext_lazy("%(home)s – %(away)s: the result was written"),
        "match_corrected": gettext_lazy("%(home)s – %(away)s: the result was corrected"),
        "match_walkover": gettext_lazy("%(home)s – %(away)s: %(absent)s did not appear"),
        "match_taken_away": gettext_lazy("%(home)s – %(away)s: the result was taken away"),
        "match_confirmed": gettext_lazy("%(home)s – %(away)s: %(team)s says the result is right"),
        "match_objected": gettext_lazy("%(home)s – %(away)s: %(team)s objects to the result"),
        "captain_link_made": gettext_lazy("The captain of %(name)s got a link"),
        "captain_link_renewed": gettext_lazy(
            "The captain of %(name)s got another link; the one before works no more"
        ),
        "captain_link_withdrawn": gettext_lazy("The link of the captain of %(name)s was ended"),
        "line_up_written": gettext_lazy(
            "Match day %(number)s, round %(round)s: %(team)s plays with %(who)s"
        ),
        "line_up_allowed": gettext_lazy(
            "Match day %(number)s, round %(round)s: the line-up of %(team)s is allowed"
        ),
        "line_up_not_allowed": gettext_lazy(
            "Match day %(number)s, round %(round)s: the line-up of %(team)s is not allowed"
        ),
        "match_day_binding": gettext_lazy("The results of match day %(number)s are binding"),
        "person_link_made": gettext_lazy("A link for a league number was made"),
        "person_confirmed": gettext_lazy("Somebody confirmed league number %(number)s"),
        "person_link_ended": gettext_lazy("A link for a league number was ended"),
        "ranking_added": gettext_lazy("The ranking %(name)s was made"),
        "ranking_changed": gettext_lazy("The ranking %(name)s was changed"),
        "ranking_published": gettext_lazy("List %(number)s of the ranking %(name)s was published"),
        "ranked_evening_entered": gettext_lazy(
            "%(club)s has its evening of %(date)s count for the rankings"
        ),
        "ranked_evening_taken_back": gettext_lazy(
            "The evening of %(date)s of %(club)s counts no more for the rankings"
        ),
        "match_day_evening": gettext_lazy("An evening was made of match day %(number)s"),
        "match_day_taken_over": gettext_lazy(
            "The results of match day %(number)s were taken over from the evening"
        ),
    }
)
