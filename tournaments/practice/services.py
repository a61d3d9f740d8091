"""Making a practice evening, and playing a bit of it as people at the tables would."""

import random
import secrets
import uuid
from datetime import timedelta
from math import ceil
from typing import Literal

from django.db import transaction
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from clubs.audit.services import Actor
from clubs.members.services import member_create
from clubs.models import Club
from clubs.profile.services import club_lock, practice_club, practice_remove
from clubs.text.errors import DomainError
from scoring.deals.evaluation import Written
from scoring.deals.services import deal_write
from scoring.models import Deal, Regulation, full_sheets
from scoring.regulations.services import regulation_from_preset, regulation_save
from scoring.rules import InvalidDeal, RuleSet, evaluate
from tournaments.draw.services import draw_make, draw_publish
from tournaments.evenings.services import EveningPlan, evening_create
from tournaments.evenings.workflow import EveningProgress, evening_progress
from tournaments.models import Evening, Round
from tournaments.registration.check_in import presence_replace
from tournaments.rounds.services import round_close, round_start

PEOPLE = (
    "Anna Aas",
    "Bert Boer",
    "Carla Klaver",
    "Dirk Driekaart",
    "Els Hartenvrouw",
    "Frits Forceer",
    "Greet Troef",
    "Henk Heer",
    "Ida Introef",
    "Joop Jas",
    "Karin Kaart",
    "Leo Laatste Slag",
    "Mien Mars",
    "Nico Nel",
    "Olga Opgooi",
    "Piet Pit",
    "Riet Ruiten",
    "Sjaak Schoppen",
    "Tineke Twintig",
    "Ubbo Uitkomst",
    "Vera Vierkaart",
    "Wim Wenk",
)


STAYS = timedelta(days=1)
ROUND_SECONDS, EVERY_SECONDS = 30, 2
USUAL_RULES = "amsterdam"

Played = Literal["deals", "step", "nothing"]
"""What was played: some deals, a step of the evening such as the draw, or nothing: it is over."""


@transaction.atomic
def practice_make(*, club: Club, actor: Actor) -> Evening:
    """The evening of the club's practice club: the one that is there, or a new one on which all the
    made-up people are here. It is played by the club's newest rules.

    Raises DomainError `practice_of_practice` at a practice club.
    """
    if club.practice_of_id is not None:
        raise DomainError("practice_of_practice", _("This is a practice evening already."))
    club = club_lock(club.pk)
    known = practice_club(club)
    evening = known and known.evenings.order_by("date", "sequence").first()
    if evening:
        return evening
    practice_remove(club=club)
    practice = _club_make(club)
    people = [
        member_create(club=practice, name=name, number=number, actor=actor)
        for number, name in enumerate(PEOPLE, start=1)
    ]
    plan = EveningPlan(
        date=timezone.localdate(), regulation=_regulation_copy(club, practice, actor)
    )
    made = evening_create(club=practice, plan=plan, actor=actor)
    presence_replace(evening_id=made.pk, members=people, actor=actor)
    return made


def _club_make(club: Club) -> Club:
    """A practice club that speaks as this one does, under a name that nobody guesses."""
    with translation.override(club.language):
        name = _("Practice evening · %(club)s") % {"club": club.name}
    alike = "language", "pit_word", "sit_out_word", "roem_letters", "address"
    return Club.objects.create(
        name=name[:100],
        slug=f"oefenavond-{secrets.token_hex(4)}",
        practice_of=club,
        practice_until=timezone.now() + STAYS,
        **{field: getattr(club, field) for field in alike},
    )


def _regulation_copy(club: Club, practice: Club, actor: Actor) -> Regulation:
    newest = club.regulations.current().order_by("-pk").first()
    if newest is None:
        return regulation_from_preset(club=practice, preset=USUAL_RULES, actor=actor)
    return regulation_save(club=practice, name=newest.name, settings=newest.settings, actor=actor)


def practice_play(*, evening: Evening, actor: Actor) -> Played:
    """Play a bit: some deals of the round that is on, else what comes before the next ones: the
    draw, a round that starts, one that is closed. Raises DomainError where that cannot be.

    Where two people watch, both ask for the same step: what the other did meanwhile is done.
    """
    before = evening_progress(evening)
    try:
        return _play(evening, before, actor)
    except DomainError:
        now = evening_progress(Evening.objects.get(pk=evening.pk))
        if _states(now) == _states(before):
            raise
        return "step"


def _states(progress: EveningProgress) -> list[str]:
    return [progress.evening.state, *(round_.state for round_ in progress.rounds)]


def _play(evening: Evening, progress: EveningProgress, actor: Actor) -> Played:
    if evening.state not in (Evening.State.PLANNED, Evening.State.RUNNING) or progress.all_played:
        return "nothing"
    running = progress.running
    if running and not running.is_full:
        _deals_play(evening.rounds.get(number=running.number), actor)
        return "deals"
    if running:
        round_close(round_id=evening.rounds.get(number=running.number).pk, actor=actor)
    elif progress.unplayed and progress.unplayed.state == Round.State.DRAWN:
        round_start(round_id=evening.rounds.get(number=progress.unplayed.number).pk, actor=actor)
    else:
        if progress.unplayed is None:
            draw_make(evening_id=evening.pk, actor=actor)
        draw_publish(evening_id=evening.pk, actor=actor)
    return "step"


def _deals_play(round_: Round, actor: Actor) -> None:
    """As many deals as make a round last half a minute, each at a table that is not ready."""
    tables = round_.tables.exclude(full_sheets("sheet__"))
    blank = Deal.objects.filter(sheet__table__in=tables, current=None).order_by("number")
    to_play: dict[int, list[Deal]] = {}
    for deal in blank.select_related("sheet__regulation"):
        to_play.setdefault(deal.sheet_id, []).append(deal)
    whole = round_.tables.count() * round_.evening.deals_per_round
    for _number in range(ceil(whole * EVERY_SECONDS / ROUND_SECONDS)):
        if not to_play:
            return
        sheet_id = random.choice(list(to_play))  # noqa: S311 — nothing is at stake
        _deal_play(to_play[sheet_id].pop(0), actor)
        if not to_play[sheet_id]:
            del to_play[sheet_id]


def _deal_play(deal: Deal, actor: Actor) -> None:
    """Write a deal that can be, unless somebody wrote it meanwhile, or the sheet needs no more."""
    try:
        deal_write(
            sheet_id=deal.sheet_id,
            number=deal.number,
            seen_version=deal.version,
            uuid=uuid.uuid4(),
            written=_made_up(deal.sheet.regulation.rules),
            actor=actor,
        )
    except DomainError:
        return


def _made_up(rules: RuleSet) -> Written:
    """A deal that can be by these rules: mostly a plain one, now and then with roem, nat or pit."""
    for _attempt in range(20):
        written = _dealt()
        try:
            evaluate(written, rules)
        except InvalidDeal:
            continue
        return written
    return {"declarer": "N", "trump": "H", "points": {"EW": 62}}


def _dealt() -> Written:
    chance = random.random  # nothing is at stake
    seat = random.choice("NESW")  # noqa: S311
    side, other = ("NS", "EW") if seat in "NS" else ("EW", "NS")
    written: dict[str, object] = {"declarer": seat, "trump": random.choice("CDHS")}  # noqa: S311
    if chance() < 0.03:
        return written | {"pit": side}
    points = min(130, max(10, round(random.gauss(62, 22))))
    written["points"] = {other: points}
    if chance() < 0.35:
        roem = random.choice(([20], [20], [20], [50], [20, 20]))  # noqa: S311
        written["roem"] = {random.choice((side, side, other)): roem}  # noqa: S311
    return written
