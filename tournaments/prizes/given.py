"""Where prizes went: who got what on an evening or over a season, as the desk recorded it; and the
club's challenge cups: who holds each, who may keep it, recording wins."""

import datetime as dt
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils.translation import gettext as _

from clubs.audit.services import Actor, event_append
from clubs.models import Club, Member
from clubs.profile.services import club_lock
from clubs.text.errors import DomainError
from clubs.text.names import name_key
from tournaments.evenings.services import evening_lock, evening_note, require_state
from tournaments.models import Cup, CupWin, Evening, PrizeGiven, Release, Season
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


# Challenge cups.


LONGEST_NAME = 60
MOST_WINS = 99


@dataclass(frozen=True, slots=True)
class CupRecord:
    """A cup with its wins in order of time.

    `held_by` has the last winner, or several who shared it, with how often each has won it;
    `final_win` is the win that let somebody keep the cup.
    """

    cup: Cup
    wins: Sequence[CupWin]
    held_by: Sequence[tuple[Member, int]]
    final_win: CupWin | None

    @property
    def goes_to_evenings(self) -> bool:
        """Whether it is played for on evenings, judging by the last win."""
        return not self.wins or self.wins[-1].season_id is None

    @property
    def goes_to_seasons(self) -> bool:
        """Whether it is played for over a season, judging by the last win."""
        return not self.wins or self.wins[-1].season_id is not None


@dataclass(frozen=True, slots=True)
class CupSuggestion:
    """A cup that a member may have won now; `times` counts their wins, this one included."""

    cup: Cup
    member: Member
    times: int

    @property
    def may_keep(self) -> bool:
        """Whether the member may keep it with this win."""
        return self.times >= self.cup.wins_to_keep


def cup_records(club: Club) -> list[CupRecord]:
    """Every cup of the club, in two queries."""
    cups = list(Cup.objects.filter(club=club))
    wins: dict[int, list[CupWin]] = {cup.pk: [] for cup in cups}
    for win in CupWin.objects.filter(cup__in=cups).select_related("member", "evening", "season"):
        wins[win.cup_id].append(win)
    return [cup_record(cup, wins[cup.pk]) for cup in cups]


def cup_record(cup: Cup, wins: Sequence[CupWin]) -> CupRecord:
    """The record of a cup with these wins, which are in order of time."""
    times = Counter(win.member_id for win in wins)
    last = [win for win in wins if win.won_on == wins[-1].won_on]
    held_by = [(win.member, times[win.member_id]) for win in last]
    return CupRecord(cup, wins, held_by, _final_win(cup, wins))


def cups_after_evening(evening: Evening, winners: Sequence[int]) -> list[CupSuggestion]:
    """The cups that these members (ids) may have won on this evening, except cups whose win is
    already recorded and those played for over a season."""
    return _suggested(
        [
            record
            for record in cup_records(evening.club)
            if record.goes_to_evenings
            and not any(win.evening_id == evening.pk for win in record.wins)
        ],
        winners,
    )


def cups_after_season(season: Season, winners: Sequence[int]) -> list[CupSuggestion]:
    """The cups that these members (ids) may have won over this season; none while it still has
    evenings to come."""
    suggested = _suggested(
        [
            record
            for record in cup_records(season.club)
            if record.goes_to_seasons and not any(win.season_id == season.pk for win in record.wins)
        ],
        winners,
    )
    to_come = season.evenings.filter(state__in=(Evening.State.PLANNED, Evening.State.RUNNING))
    return [] if suggested and to_come.exists() else suggested


def cups_of_former_winners(releases: Sequence[Release], winners: Collection[int]) -> list[CupWin]:
    """Recorded wins of members who won an evening by one of these results but are no longer among
    the `winners` (ids): somebody else may have won those cups."""
    former = {
        row["member"]
        for release in releases
        for row in release.standings
        if row["rank"] == 1 and row["member"] not in winners
    }
    wins = CupWin.objects.filter(evening__releases__in=releases, member__in=former)
    return list(wins.distinct().select_related("cup", "member")) if former else []


def _suggested(records: Iterable[CupRecord], winners: Sequence[int]) -> list[CupSuggestion]:
    open_records = [record for record in records if record.final_win is None]
    members = Member.objects.in_bulk(winners) if open_records else {}
    return [
        CupSuggestion(record.cup, member, 1 + sum(win.member_id == pk for win in record.wins))
        for record in open_records
        for pk, member in members.items()
    ]


def _final_win(cup: Cup, wins: Sequence[CupWin]) -> CupWin | None:
    times: Counter[int] = Counter()
    for win in wins:
        times[win.member_id] += 1
        if times[win.member_id] == cup.wins_to_keep:
            return win
    return None


@transaction.atomic
def cup_add(*, club: Club, name: str, actor: Actor, wins_to_keep: int = 3) -> Cup:
    """A new challenge cup, kept by the person who wins it `wins_to_keep` times.

    Raises DomainError `name_missing`, `name_too_long`, `cup_exists` or `cup_wins` (not 1 to 99).
    """
    club = club_lock(club.pk)
    cup = Cup(club=club, name=" ".join(name.split()), wins_to_keep=wins_to_keep)
    _require_sound(cup)
    cup.save()
    _audit(cup, actor, "cup_added")
    return cup


@transaction.atomic
def cup_change(*, cup: Cup, name: str, wins_to_keep: int, actor: Actor) -> Cup:
    """Change a cup's name, or after how many wins it is kept. Raises like `cup_add`."""
    cup.club = club_lock(cup.club_id)
    cup.name, cup.wins_to_keep = " ".join(name.split()), wins_to_keep
    _require_sound(cup)
    cup.save(update_fields=["name", "wins_to_keep"])
    _audit(cup, actor, "cup_changed")
    return cup


@transaction.atomic
def cup_remove(*, cup: Cup, actor: Actor) -> None:
    """Remove a cup that nobody has won. Raises DomainError `cup_was_won`."""
    cup.club = club_lock(cup.club_id)
    if cup.wins.exists():
        raise DomainError(
            "cup_was_won", _("This cup has been won. Remove the wins first, then the cup.")
        )
    _audit(cup, actor, "cup_removed")
    cup.delete()


@transaction.atomic
def cup_win_add(
    *,
    cup: Cup,
    member: Member,
    won_on: dt.date,
    actor: Actor,
    evening: Evening | None = None,
    season: Season | None = None,
) -> CupWin:
    """Record that somebody won the cup: on an evening, over a season, or on some other day.

    The same again is the same win. Raises DomainError `member_of_another_club`, or `cup_kept` if
    somebody could keep the cup by that day.
    """
    cup.club = club_lock(cup.club_id)
    if {member.club_id, *(owned.club_id for owned in (evening, season) if owned)} != {cup.club_id}:
        raise DomainError("member_of_another_club", _("This person belongs to another club."))
    known = cup.wins.filter(member=member, won_on=won_on).first()
    if known is not None:
        return known
    _require_not_kept(cup, won_on)
    win = CupWin.objects.create(
        cup=cup, member=member, won_on=won_on, evening=evening, season=season
    )
    _audit(cup, actor, "cup_won", member=str(member.uuid), won_on=won_on.isoformat())
    return win


@transaction.atomic
def cup_win_remove(*, win: CupWin, actor: Actor) -> None:
    """Remove a win; nothing happens if it is gone already."""
    win.cup.club = club_lock(win.cup.club_id)
    gone, _of_each = CupWin.objects.filter(pk=win.pk).delete()
    if gone:
        member_uuid, day = str(win.member.uuid), win.won_on.isoformat()
        _audit(win.cup, actor, "cup_win_removed", member=member_uuid, won_on=day)


def _require_sound(cup: Cup) -> None:
    if not cup.name:
        raise DomainError("name_missing", _("Fill in a name."))
    if len(cup.name) > LONGEST_NAME:
        raise DomainError("name_too_long", _("The name may have at most 60 characters."))
    if not 1 <= cup.wins_to_keep <= MOST_WINS:
        raise DomainError("cup_wins", _("A cup is kept after 1 to 99 wins."))
    others = Cup.objects.filter(club=cup.club_id).exclude(pk=cup.pk)
    same = next((other for other in others if name_key(other.name) == name_key(cup.name)), None)
    if same is not None:
        raise DomainError("cup_exists", _("There is already a cup called %s.") % same.name)


def _require_not_kept(cup: Cup, won_on: dt.date) -> None:
    final_win = cup_record(cup, list(cup.wins.select_related("member"))).final_win
    if final_win is not None and final_win.won_on <= won_on:
        message = _("%(name)s keeps this cup after %(n)s wins. Add a new cup for wins from now on.")
        words = {"name": final_win.member.desk_name, "n": cup.wins_to_keep}
        raise DomainError("cup_kept", message % words)


def _audit(cup: Cup, actor: Actor, action: str, **data: object) -> None:
    event_append(
        chain=cup.club,
        club=cup.club,
        actor=actor,
        action=action,
        object_ref=f"cup:{cup.pk}",
        data={"wins_to_keep": cup.wins_to_keep, **data},
        texts={"cup": cup.name},
    )
