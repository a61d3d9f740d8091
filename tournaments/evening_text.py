"""What there is to tell about an evening, in the club's words."""

from django.urls import reverse
from django.utils import translation
from django.utils.formats import date_format

from clubs.links import absolute_url
from clubs.models import Member
from clubs.words import number
from tournaments.evening_story import EveningStory, Line, names_in_words
from tournaments.prize_words import prize_lines
from tournaments.standard_wordings import NEWSPAPER, club_wording
from tournaments.standings.core import whole_mean
from tournaments.start_words import day_words
from tournaments.wording import wording_fill

TOP = 5
FOLLOWERS = (2, 3)


def evening_text(story: EveningStory, *, kind: str, language: str) -> str:
    """The text of a kind in a language, ready to be sent: in the club's wording or the standard."""
    wording = club_wording(story.evening.club, kind, language).text
    values = text_values(story, language)
    return wording_fill(wording, values, joined=kind == NEWSPAPER)


def text_values(story: EveningStory, language: str) -> dict[str, str]:
    """The fields of a wording by English name, as text in a language; empty where there is nothing
    to tell."""
    with translation.override(language):
        return {
            **_about(story),
            **_places(story),
            **_figures(story),
            **_season(story),
        }


def _about(story: EveningStory) -> dict[str, str]:
    evening = story.evening
    page = reverse("evening_page", args=[evening.club.slug, evening.slug])
    following = story.following
    return {
        "club": evening.club.name,
        "date": date_format(evening.date, "l j F Y"),
        "evening": evening.name,
        "players": str(len(story.rows)) if story.rows else "",
        "next": day_words(following) if following else "",
        "link": absolute_url(evening.club, page),
    }


def _places(story: EveningStory) -> dict[str, str]:
    lines = story.lines
    first = [line for line in lines if line.rank == 1]
    last = [line for line in lines if line.rank == story.last_place > 1]
    return {
        "winner": names_in_words([line.name for line in first]),
        "points": number(first[0].total) if first else "",
        "top": "\n".join(
            f"{line.rank}. {line.name} {number(line.total)}" for line in lines if line.rank <= TOP
        ),
        "runners_up": names_in_words(
            [_with_total(line) for line in lines if line.rank in FOLLOWERS]
        ),
        "results": ", ".join(f"{line.rank}. {_with_total(line)}" for line in lines),
        "last": names_in_words([line.name for line in last]),
        "last_points": number(last[0].total) if last else "",
    }


def _figures(story: EveningStory) -> dict[str, str]:
    totals, rounds = [row.total for row in story.rows], story.rounds
    highest = [one for one in rounds if one.score == rounds[0].score]
    lowest = [one for one in rounds if one.score == rounds[-1].score]
    sides = prize_lines(story.evening.club, story.side_awards)
    return {
        "average": number(whole_mean(totals)) if totals else "",
        "highest": number(rounds[0].score) if rounds else "",
        "highest_player": story.names(one.member_id for one in highest),
        "lowest": number(rounds[-1].score) if rounds else "",
        "lowest_player": story.names(one.member_id for one in lowest),
        "side_prizes": "\n".join(
            f"{one.title}: {names_in_words(one.names)} ({one.figure})" for one in sides
        ),
    }


def _season(story: EveningStory) -> dict[str, str]:
    leaders = story.leaders
    members = Member.objects.in_bulk([int(row.player_id) for row in leaders])
    named = [one.shown_name for one in members.values() if one.has_page]
    decimals = 2 if leaders and not isinstance(leaders[0].value, int) else None
    return {
        "season": story.evening.season.name if story.evening.season else "",
        "leader": names_in_words(named),
        "leader_points": number(leaders[0].value, decimals) if named else "",
    }


def _with_total(line: Line) -> str:
    return f"{line.name} ({number(line.total)})"
