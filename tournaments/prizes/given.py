"""Where prizes went: who got what on an evening or over a season, as the desk recorded it."""

import datetime as dt
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils.translation import gettext as _

from clubs.audit.services import Actor, event_append
from clubs.models import Club, Member
from clubs.profile.services import club_lock
from clubs.text.errors import DomainError
from tournaments.evenings.locking import evening_lock, evening_note, require_state
from tournaments.models import Evening, PrizeGiven, Season
from tournaments.prizes.core import Award, Content, PrizeScheme, divided
from tournaments.prizes.giving import prize_lines, prize_title
from tournaments.registration.entry_fees import NOT_CANCELLED


@dataclass(frozen=True, slots=True)
class GivenPrize:
    """Somebody gets, or got, a prize; `cents` is what it cost or came to."""

    key: str
    title: str
    member_id: int
    name: str
    what: str
    cents: int | None
    note: str = ""


@dataclass(frozen=True, slots=True)
class PrizeWent:
    """A prize that somebody got, on an evening or, without one, of a season."""

    evening: Evening | None
    title: str
    member: Member
    what: str
    cents: int | None

    @property
    def day(self) -> dt.date | None:
        """The day of the evening."""
        return self.evening.date if self.evening else None


def prizes_expected(
    club: Club, awards: Sequence[Award], scheme: PrizeScheme, pot: int = 0
) -> list[GivenPrize]:
    """Who gets what by these awards, a line for each person, with so much in the pot: sums are
    divided among those who share, and of other prizes each gets the next one."""
    expected = []
    lines = prize_lines(club, awards)
    people = Member.objects.filter(pk__in=[pk for line in lines for pk in line.members])
    names = people.desk_names()
    for award, line in zip(awards, lines, strict=True):
        contents = award.contents(scheme)
        sums = _sums(contents, len(line.members), pot)
        for turn, member_id in enumerate(line.members):
            expected.append(
                GivenPrize(
                    key=line.key,
                    title=line.title,
                    member_id=member_id,
                    name=names[member_id],
                    what=_whats(contents, len(line.members), turn),
                    cents=sums[turn],
                    note=line.note,
                )
            )
    return expected


def _sums(contents: Sequence[Content], people: int, pot: int) -> Sequence[int | None]:
    worths = [worth for content in contents if (worth := content.worth(pot)) is not None]
    return divided(sum(worths), people) if worths else [None] * people


def _whats(contents: Sequence[Content], people: int, turn: int) -> str:
    """What the person whose turn it is gets of what is in words: all of it who is alone, else the
    next, while there is one; a single thing is written for all, to be crossed out after the lot."""
    whats = [content.what for content in contents if content.what]
    if people == 1 or len(whats) <= 1:
        return " + ".join(whats)
    return whats[turn] if turn < len(whats) else ""


def prizes_to_record(
    club: Club, expected: Sequence[GivenPrize], recorded: Sequence[PrizeGiven]
) -> list[GivenPrize]:
    """The lines of the form: as they were recorded, else as they are expected. Once anything was
    recorded, nothing more is expected of the others."""
    known = {(given.key, given.member_id): given for given in recorded}
    lines = []
    for prize in expected:
        given = known.pop((prize.key, prize.member_id), None)
        if given is not None:
            lines.append(replace(prize, what=given.what, cents=given.cents))
        else:
            lines.append(prize if not recorded else replace(prize, what="", cents=None))
    others = [
        GivenPrize(
            given.key,
            prize_title(given.key, club),
            given.member_id,
            given.member.desk_name,
            given.what,
            given.cents,
            _("Did not win this any more after a correction."),
        )
        for given in known.values()
    ]
    return [*lines, *others]


@transaction.atomic
def evening_prizes_record(*, evening_id: int, given: Sequence[GivenPrize], actor: Actor) -> Evening:
    """Record who got which prize of an evening, in place of what was recorded. The same again
    changes nothing.

    Raises DomainError `evening_state` for a cancelled evening, or `member_of_another_club`.
    """
    evening = evening_lock(evening_id)
    require_state(evening, *NOT_CANCELLED)
    if _replace(evening.club, evening.prizes_given.all(), given, evening=evening):
        evening_note(evening, actor=actor, action="prizes_given", data=_about(given))
    return evening


@transaction.atomic
def season_prizes_record(*, season: Season, given: Sequence[GivenPrize], actor: Actor) -> Season:
    """The same for the prizes of a season as a whole."""
    club = club_lock(season.club_id)
    if _replace(club, season.prizes_given.all(), given, season=season):
        event_append(
            chain=club,
            club=club,
            actor=actor,
            action="season_prizes_given",
            object_ref=f"season:{season.pk}",
            data=_about(given),
        )
    return season


def _about(given: Sequence[GivenPrize]) -> dict[str, object]:
    return {"prizes": len(given), "cents": sum(prize.cents or 0 for prize in given)}


def _replace(
    club: Club,
    before: QuerySet[PrizeGiven],
    given: Sequence[GivenPrize],
    *,
    evening: Evening | None = None,
    season: Season | None = None,
) -> bool:
    """Replace what was recorded, if it differs; whether it did."""
    people = {prize.member_id for prize in given}
    if Member.objects.of(club).filter(pk__in=people).count() != len(people):
        raise DomainError("member_of_another_club", _("This person belongs to another club."))
    wanted = [(prize.key, prize.member_id, prize.what, prize.cents) for prize in given]
    if [*before.values_list("key", "member_id", "what", "cents")] == wanted:
        return False
    before.delete()
    PrizeGiven.objects.bulk_create(
        PrizeGiven(
            club=club,
            evening=evening,
            season=season,
            key=prize.key,
            member_id=prize.member_id,
            what=prize.what,
            cents=prize.cents,
        )
        for prize in given
    )
    return True


def prizes_went(season: Season) -> list[PrizeWent]:
    """Every prize that was recorded of a season, in order of time, those of the season last. One
    query."""
    given = PrizeGiven.objects.filter(Q(evening__season=season) | Q(season=season))
    ordered = given.select_related("evening", "member").order_by(
        F("evening__date").asc(nulls_last=True), "evening__sequence", "pk"
    )
    return list(_went(season.club, ordered))


def _went(club: Club, given: Iterable[PrizeGiven]) -> Iterator[PrizeWent]:
    for prize in given:
        if prize.evening:
            prize.evening.club = club
        yield PrizeWent(
            prize.evening, prize_title(prize.key, club), prize.member, prize.what, prize.cents
        )
