"""Nights on which several clubs of a league play the same cards.

The league draws the seed and shows its commitment. Each club gets a file with the cards and no
seed, and keeps cards and results to itself until the league opens the night: once as many clubs as
play have brought their evening. Then everybody may have the seed, by which cards can be checked and
a club on another server opens its own evening, and the common ranking is published. The seed goes
there as a document that the league signs, and that a club's server reads at the address that its
file of the night has.
"""

import datetime as dt
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any
from uuid import UUID, uuid4

from django.db import transaction
from django.dispatch import receiver
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.dateparse import parse_date
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from clubs.audit.services import Actor
from clubs.audit.trail import describe
from clubs.http.network import server_url
from clubs.text.errors import DomainError
from scoring.models import Folder
from tournaments.duplicate.core.dealing import (
    commitment_of,
    dealt,
    hands_json,
    read_hands,
    seed_draw,
)
from tournaments.duplicate.core.scoring import AVERAGE, COMPARISONS
from tournaments.duplicate.night_results import clubs_in, night_moved_on, release_make
from tournaments.duplicate.queries import duplicate_of
from tournaments.duplicate.services import decide, decided, folders_ensure, folders_lock, typed_drop
from tournaments.duplicate.texts import hand_fault_words
from tournaments.evenings.services import evening_touch, require_state
from tournaments.leagues.event_documents import Json, is_signed, public_key, sign
from tournaments.leagues.exchange import event_judged
from tournaments.leagues.pulling import LONGEST_ADDRESS, Answer, Unread, fetch
from tournaments.leagues.services import league_audit, league_lock
from tournaments.models import (
    DuplicateEvening,
    Evening,
    League,
    SharedNight,
)

FORMAT = "klaverclub-night"
SEED_FORMAT = "klaverclub-night-seed"
ASKED_FOR = dt.timedelta(days=60)
"""So long after an evening its seed is asked for by itself."""
_HASH = re.compile(r"[0-9a-f]{64}")


# At the league.


@transaction.atomic
def night_make(*, league: League, actor: Actor, **columns: Any) -> SharedNight:
    """A new night, with its seed drawn by lot and the commitment of it."""
    league = league_lock(league.pk)
    uuid, seed = uuid4(), seed_draw()
    night = SharedNight.objects.create(
        league=league, uuid=uuid, seed=seed, commitment=commitment_of(seed, str(uuid)), **columns
    )
    _audit(night, actor, "night_made", {"commitment": night.commitment, "clubs": night.clubs})
    return night


@transaction.atomic
def night_file(*, night: SharedNight, actor: Actor) -> str:
    """The file with the cards for the clubs. That somebody took it is in the trail: who reads it
    should not play."""
    league_lock(night.league_id)
    _audit(night, actor, "night_file_taken", {})
    hands = {number: dealt(night.seed, number) for number in range(1, night.folders + 1)}
    return hands_json(
        hands,
        commitment=night.commitment,
        seed="",
        format=FORMAT,
        night=str(night.uuid),
        league=night.league.slug,
        name=night.name,
        date=night.date.isoformat(),
        compare=night.compare,
        net=night.net,
        address=server_url() + reverse("night_seed", args=[night.league.slug, night.pk]),
        key=public_key(night.league),
    )


@transaction.atomic
def night_open(*, night: SharedNight, seen: int, actor: Actor, anyway: bool = False) -> SharedNight:
    """Let everybody read the seed, the cards and the results; the evenings of clubs on this server
    are opened along, and the common ranking is published.

    Raises DomainError `night_not_over` while clubs are missing, unless the night is opened
    `anyway`, and VersionConflict for another version than `seen`.
    """
    league_lock(night.league_id)
    night = SharedNight.objects.select_related("league").get(pk=night.pk)
    if night.opened_at is not None:
        return night
    there = len(clubs_in(night))
    missing = night.clubs - there
    if missing > 0 and not anyway:
        message = ngettext(
            "%(n)s club has not sent its evening yet, and may still be playing. Does it not come"
            " any more? Then tick that.",
            "%(n)s clubs have not sent their evening yet, and may still be playing. Do they not"
            " come any more? Then tick that.",
            missing,
        )
        raise DomainError("night_not_over", message % {"n": missing})
    if not night.update_if(seen, opened_at=timezone.now()):
        raise night_moved_on()
    _audit(night, actor, "night_opened", {"clubs": there})
    if there:
        release_make(night, actor)
    waiting = DuplicateEvening.objects.filter(
        night=night.uuid, seed="", evening__state=Evening.State.CLOSED
    )
    for evening_id in [*waiting.values_list("evening", flat=True)]:
        night_unlock(evening_id=evening_id, seed=night.seed, actor=actor)
    return night


def _audit(night: SharedNight, actor: Actor, action: str, data: Mapping[str, object]) -> None:
    league_audit(
        night.league,
        actor,
        action,
        f"sharednight:{night.pk}",
        data=data,
        texts={"name": night.name},
    )


@receiver(event_judged)
def night_faults(league: League, document: dict[str, Any], **_kwargs: object) -> list[str]:
    """What is wrong with an evening of a club as one of a night of this league."""
    folders = document.get("folders")
    if folders is None:
        return []
    night = league.nights.filter(uuid=folders["night"]).first()
    if night is None:
        return [_("This evening is of a night that this league does not have.")]
    return [*_night_faults(night, document)]


def _night_faults(night: SharedNight, document: Mapping[str, Any]) -> Iterator[str]:
    club, event = document["club"]["name"], document["event"]
    if event["date"] != night.date.isoformat():
        words = {"club": club, "day": date_format(night.date, "j F Y")}
        yield _("%(club)s played on another day than %(day)s.") % words
    if event["published_at"][:10] < night.date.isoformat():
        words = {"club": club, "day": date_format(night.date, "j F Y")}
        yield _("%(club)s published this before the night of %(day)s was played.") % words
    for board in document["folders"]["boards"]:
        words = {"club": club, "n": board["folder"]}
        if board["folder"] > night.folders:
            yield _("Folder %(n)s: this night has no such folder.") % words
        elif board["hands"] != dealt(night.seed, board["folder"]):
            yield _("Folder %(n)s: %(club)s played other cards than were dealt.") % words
        if night.compare != DuplicateEvening.Comparison.MATCHPOINTS and any(
            percent != AVERAGE for each in board["results"] for percent in each["rulings"].values()
        ):
            yield _("Folder %(n)s: compared by differences only the average can be given.") % words


# At a club.


@dataclass(frozen=True, slots=True)
class NightFile:
    """What a file of a night says, or every fault of it."""

    night: UUID | None = None
    date: dt.date | None = None
    commitment: str = ""
    compare: str = ""
    net: bool = False
    hands: Mapping[int, str] = field(default_factory=dict)
    address: str = ""
    key: str = ""
    faults: tuple[str, ...] = ()


def night_file_read(text: str) -> NightFile:
    """The file of a league for one of its nights."""
    try:
        content = json.loads(text)
        if content["format"] != FORMAT:
            raise ValueError
        night, day = UUID(content["night"]), parse_date(content["date"])
        commitment, compare, net = content["commitment"], content["compare"], content["net"]
        address, key = content["address"], content["key"]
        hashes = all(_HASH.fullmatch(each) for each in (commitment, key))
        known = hashes and compare in COMPARISONS and len(address) <= LONGEST_ADDRESS
        if day is None or not known or not isinstance(net, bool) or not isinstance(address, str):
            raise ValueError
    except (AttributeError, KeyError, TypeError, ValueError, RecursionError):
        return NightFile(faults=(_("This is no file of a night of a league."),))
    read = read_hands(text)
    faults = [hand_fault_words(fault) for fault in read.faults]
    if not faults and sorted(read.folders) != [*range(1, len(read.folders) + 1)]:
        faults = [_("Folders are missing in this file.")]
    return NightFile(
        night, day, commitment, compare, net, read.folders, address, key, tuple(faults)
    )


@transaction.atomic
def night_take(
    *, evening_id: int, text: str, actor: Actor, drop_typed: bool = False
) -> DuplicateEvening:
    """Play the folders of a night, from the file of its league: its cards, how many there are and
    how they are compared.

    Raises DomainError `bad_night` with every fault, `evening_state`, `no_folders`, `folders_drawn`
    or `folders_typed`.
    """
    evening = folders_lock(evening_id)
    require_state(evening, Evening.State.PLANNED)
    if evening.rounds.exists():
        raise DomainError("folders_drawn", _("Undo the draw first, then change this."))
    file = night_file_read(text)
    faults = [*file.faults]
    if not faults and file.date != evening.date:
        words = {
            "night": date_format(file.date or evening.date, "j F Y"),
            "evening": date_format(evening.date, "j F Y"),
        }
        faults.append(_("This file is of %(night)s, and this evening is on %(evening)s.") % words)
    if faults:
        raise DomainError("bad_night", " ".join(faults), lines=faults)
    duplicate = decided(evening)
    typed_drop(evening, Folder.objects.filter(pack=evening.uuid), actor, meant=drop_typed)
    decide(
        duplicate,
        None,
        seed="",
        commitment=file.commitment,
        night=file.night,
        night_address=file.address,
        night_key=file.key,
        compare=file.compare,
        net=file.net,
        folders=len(file.hands),
    )
    for folder in folders_ensure(evening, duplicate):
        folder.hands, folder.typed = file.hands[folder.number], False
        folder.save(update_fields=["hands", "typed"])
    evening_touch(
        evening,
        actor=actor,
        action="night_taken",
        data={"count": duplicate.folders, "commitment": file.commitment},
    )
    return duplicate


@transaction.atomic
def night_unlock(*, evening_id: int, seed: str, actor: Actor) -> DuplicateEvening:
    """Let everybody read the cards and results of this evening now that the league showed the
    seed; the same again changes nothing.

    Raises DomainError `no_folders`, `no_night`, `seed_wrong` if it is not the one that the
    commitment is of, or `evening_state` before the evening is closed here.
    """
    evening = folders_lock(evening_id)
    duplicate, seed = decided(evening), seed.strip().lower()
    if duplicate.night is None:
        raise DomainError("no_night", _("No other clubs play the cards of this evening."))
    if duplicate.seed == seed:
        return duplicate
    if commitment_of(seed, str(duplicate.night)) != duplicate.commitment:
        raise DomainError("seed_wrong", _("This is not the seed of this night."))
    require_state(evening, Evening.State.CLOSED)
    decide(duplicate, None, seed=seed)
    evening_touch(evening, actor=actor, action="night_unlocked", data={"seed": seed})
    return duplicate


describe(
    {
        "night_made": gettext_lazy(
            "The night %(name)s was made for %(clubs)s clubs, with the commitment %(commitment)s"
        ),
        "night_file_taken": gettext_lazy("The cards of the night %(name)s were downloaded"),
        "night_opened": gettext_lazy("The night %(name)s was opened with %(clubs)s clubs"),
        "night_taken": gettext_lazy(
            "%(count)s folders of a night of several clubs were taken over, with the commitment"
            " %(commitment)s"
        ),
        "night_unlocked": gettext_lazy("The cards may be read now, with the seed %(seed)s"),
    }
)


# The seed, at the league and at a club.


def seed_document(night: SharedNight) -> Json:
    """The seed of an open night, signed. Raises DomainError `night_not_open`."""
    if night.opened_at is None:
        raise _not_open()
    return sign(
        night.league,
        {
            "format": SEED_FORMAT,
            "version": 1,
            "league": night.league.slug,
            "night": str(night.uuid),
            "commitment": night.commitment,
            "seed": night.seed,
            "opened_at": night.opened_at.isoformat(),
        },
    )


def _not_open() -> DomainError:
    message = _("The league has not opened this night yet: other clubs may still be playing.")
    return DomainError("night_not_open", message)


def seed_pull(*, evening: Evening, actor: Actor) -> DuplicateEvening:
    """Read the seed at the league and let everybody read the cards and results; the same again
    changes nothing.

    Raises DomainError `no_night`, `evening_state`, `night_not_open` while other clubs may play, or
    `bad_seed` with every fault of what the league's server answers; then nothing was written.
    """
    duplicate = duplicate_of(evening)
    if duplicate.night is None:
        raise DomainError("no_night", _("No other clubs play the cards of this evening."))
    if not duplicate.is_locked:
        return duplicate
    require_state(evening, Evening.State.CLOSED)
    here = SharedNight.objects.filter(uuid=duplicate.night).select_related("league").first()
    seed = seed_document(here)["seed"] if here else _seed_there(duplicate)
    return night_unlock(evening_id=evening.pk, seed=seed, actor=actor)


def seeds_pull(actor: Actor) -> Iterator[tuple[Evening, list[str]]]:
    """Do so for all closed evenings that wait for a seed: each that got it or could not be read,
    with what was wrong in the language of its club."""
    waiting = Evening.objects.filter(
        state=Evening.State.CLOSED,
        date__gte=timezone.localdate() - ASKED_FOR,
        duplicate__night__isnull=False,
        duplicate__seed="",
    )
    for evening in waiting.select_related("club").order_by("club", "date", "pk"):
        with translation.override(evening.club.language):
            try:
                seed_pull(evening=evening, actor=actor)
            except DomainError as error:
                if error.code != "night_not_open":
                    lines = error.params.get("lines")
                    yield evening, lines if isinstance(lines, list) else [error.message]
            else:
                yield evening, []


def _seed_there(duplicate: DuplicateEvening) -> str:
    try:
        answer = fetch(duplicate.night_address, {})
    except Unread as error:
        raise _bad_seed([str(error)]) from error
    document = _document(answer)
    if faults := [*_seed_faults(duplicate, document)]:
        raise _bad_seed(faults)
    return str(document["seed"])


def _document(answer: Answer) -> Json:
    """What the league's server answers, as an object with texts where they belong."""
    try:
        content: Any = json.loads(answer.content)
        if answer.status == HTTPStatus.CONFLICT and content["code"] == "night_not_open":
            raise _not_open()
        texts = [content[name] for name in ("night", "commitment", "seed", "signature")]
        is_seed = content["format"] == SEED_FORMAT and content["version"] == 1
    except (ValueError, RecursionError, LookupError, TypeError):
        texts, is_seed = [], False
    if answer.status == HTTPStatus.NOT_FOUND:
        raise _bad_seed([_("The league's server has no such night any more.")])
    if answer.status != HTTPStatus.OK:
        words = {"status": answer.status}
        raise _bad_seed([_("The server answers with %(status)s.") % words])
    if not is_seed or not all(isinstance(text, str) for text in texts):
        raise _bad_seed([_("What is at the address of this night is no seed of a night.")])
    return content  # type: ignore[no-any-return]


def _seed_faults(duplicate: DuplicateEvening, document: Json) -> Iterator[str]:
    if document["night"] != str(duplicate.night):
        yield _("This seed is of another night.")
    if document["commitment"] != duplicate.commitment:
        yield _("This seed is for another commitment than stood in the file of the league.")
    if not is_signed(document, duplicate.night_key):
        yield _("The signature is not right: the league that made the file did not sign this.")


def _bad_seed(faults: list[str]) -> DomainError:
    return DomainError("bad_seed", " ".join(faults), lines=faults)
