"""The document of an event: one signed JSON object of a published evening, made by a club's server
and read by a league's.

The form is that of `docs/event.schema.json`. A document is signed with the club's seal: a key that
follows from the server's own, so that nothing more has to be kept.
"""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.conf import settings
from django.utils import translation
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from clubs.models import Club, Member
from clubs.text.errors import DomainError
from clubs.text.names import is_sound
from tournaments.evenings.pages import public_name
from tournaments.leagues.people import shows_own_name
from tournaments.leagues.ranked_results import evening_family
from tournaments.models import (
    Competitor,
    DuplicateEvening,
    Evening,
    League,
    NumberElsewhere,
    Placement,
    Release,
    published_as,
)
from tournaments.releases.folders import pairs_published
from tournaments.releases.services import release_is_current

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

Json = dict[str, Any]
FORMAT = "klaverclub-event"
VERSION, WITH_FOLDERS = 1, 2
"""A document has the version from which on it can be read."""
MOST_BYTES = 2_000_000
MOST_FAULTS = 20
MOST_READ = 500
"""Faults that are looked for before a document is given up."""
MOST_SEATS = 2
"""A substitute has one seat besides their own."""
_LEFT_OUT = re.compile("'([^']+)'")


# The document, as the club's server makes it.


def event_document(evening: Evening, league: str) -> Json:
    """What the league with this web name may know of a published evening, signed. It is the same
    whoever asks: in the language of the club.

    Raises DomainError `not_published`, or `correction_waits` where the result was corrected since.
    """
    release = evening.releases.first()
    if evening.state != Evening.State.CLOSED or release is None:
        raise DomainError("not_published", _("This evening is not published yet."))
    if not release_is_current(release):
        message = _("This evening was corrected after it was published. Publish it anew first.")
        raise DomainError("correction_waits", message)
    with translation.override(evening.club.language):
        document = _document(evening, release, league)
    return sign(evening.club, document)


def _document(evening: Evening, release: Release, league: str) -> Json:
    club = evening.club
    people: dict[int, Member] = {}
    document = {
        "format": FORMAT,
        "version": VERSION,
        "league": league,
        "club": {"id": str(club.uuid), "name": club.name, "key": public_key(club)},
        "event": {
            "id": str(evening.uuid),
            "number": release.number,
            "name": evening.name,
            "date": evening.date.isoformat(),
            "published_at": release.published_at.isoformat(),
            "rounds": evening.rounds_planned,
            "deals": evening.deals_per_round,
            "regulation": evening.regulation.name if evening.regulation else "",
            "family": evening_family(evening),
            "discipline": evening.ranks,
            "seal": release.seal,
        },
        "sessions": list(_sessions(evening, people)),
    }
    document["participants"] = _participants(evening, release, people, league)
    if (night := _night_of(evening)) and release.folders is not None:
        _add_folders(document, release, night)
    return document


def _night_of(evening: Evening) -> UUID | None:
    """The night of several clubs on which this evening's folders were played. A query where it has
    folders."""
    if not evening.plays_folders:
        return None
    nights = DuplicateEvening.objects.filter(evening=evening).values_list("night", flat=True)
    return nights.first()


def _add_folders(document: Json, release: Release, night: UUID) -> None:
    """What was made of each folder, by the numbers of pairs, and whose these are."""
    document["version"] = WITH_FOLDERS
    pairs = {
        str(member.uuid): pair.number
        for pair in pairs_published(release).values()
        for member in pair.people
    }
    for person in document["participants"]:
        person["pair"] = pairs.get(person["id"])
    document["folders"] = {
        "night": str(night),
        "boards": [
            {
                "folder": board["folder"],
                "hands": board["hands"],
                "results": [_result(table) for table in board["tables"]],
            }
            for board in release.folders["boards"]
            if board["tables"]
        ],
    }


def _result(table: Mapping[str, Any]) -> Json:
    score = table["score"]
    return {
        "ns": table["pairs"]["NS"],
        "ew": table["pairs"]["EW"],
        "points": score and {"NS": score[0], "EW": score[1]},
        "rulings": table["rulings"],
    }


def _sessions(evening: Evening, people: dict[int, Member]) -> Iterator[Json]:
    """Who sat where in each round, and the points of each table; `people` gets who they are."""
    placed = Placement.objects.filter(round__evening=evening).exclude(round__state="draft")
    rounds: dict[int, list[Placement]] = defaultdict(list)
    for each in placed.select_related("round", "table__sheet", "member").order_by("pk"):
        people[each.member_id] = each.member
        rounds[each.round.number].append(each)
    for number, places in sorted(rounds.items()):
        tables: dict[int, Json] = {}
        for each in places:
            if each.table is None:
                continue
            sheet = each.table.sheet
            points = None if sheet.three_handed else [sheet.score_ns, sheet.score_ew]
            line = tables.setdefault(
                each.table.number,
                {
                    "table": each.table.number,
                    "players": {},
                    "points": points and {"NS": points[0], "EW": points[1]},
                },
            )
            line["players"][each.seat] = str(each.member.uuid)
        out = sorted(str(each.member.uuid) for each in places if each.table is None)
        yield {
            "number": number,
            "tables": [tables[table] for table in sorted(tables)],
            "sit_out": out,
        }


def _participants(
    evening: Evening, release: Release, people: dict[int, Member], league: str
) -> list[Json]:
    """Everybody who was there as their club shows them, with the number of this league of whom it
    shows by their own name: a number tells who somebody is."""
    rows = {published_as(row): row for row in release.standings}
    known = Member.objects.in_bulk(set(rows) - set(people))
    people |= {pk: known[pk] for pk in sorted(known)}
    listed = evening.registrations.exclude(team=None)
    teams = dict(listed.values_list("member_id", "team_id"))
    names = {
        team.pk: public_name(team)
        for team in Competitor.objects.filter(pk__in=set(teams.values())).prefetch_related(
            "people__member"
        )
    }
    numbers = {
        each.member_id: each
        for each in NumberElsewhere.objects.filter(league=league, member__in=people)
        if shows_own_name(people[each.member_id])
    }
    return [
        {
            "id": str(member.uuid),
            "name": member.shown_name,
            "number": str(numbers[pk].number) if pk in numbers else None,
            "code": numbers[pk].code if pk in numbers else None,
            "team": names.get(teams.get(pk, 0)),
            "total": rows[pk]["total"] if pk in rows else 0,
            "rounds": len(rows[pk]["rounds"]) if pk in rows else 0,
        }
        for pk, member in people.items()
    ]


def _signing_key(owner: Club | League) -> "Ed25519PrivateKey":
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    seed = salted_hmac("tournaments.leagues.exchange", str(owner.uuid), algorithm="sha256").digest()
    return Ed25519PrivateKey.from_private_bytes(seed)


def public_key(owner: Club | League) -> str:
    """The public half of the key with which this server signs for a club or a league, in
    hexadecimal."""
    return _signing_key(owner).public_key().public_bytes_raw().hex()


def sign(owner: Club | League, document: Json) -> Json:
    """The document with the signature of its club or league."""
    return {**document, "signature": _signing_key(owner).sign(signed_part(document)).hex()}


def signed_part(document: Json) -> bytes:
    """What is signed: the document without its signature, always written alike."""
    content = {name: value for name, value in document.items() if name != "signature"}
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return text.encode()


def document_text(document: Json) -> str:
    """The document as a file."""
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


# Reading one.


def document_read(content: bytes) -> Json:
    """The document in a file. Raises DomainError `bad_event`."""
    if len(content) > MOST_BYTES:
        raise bad_event([_("This file is too large to be an event.")])
    try:
        document = json.loads(content.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        document = None
    if not isinstance(document, dict):
        raise bad_event([_("This is no event of a club: it is not a file that a server exported.")])
    return document


def document_faults(document: Json) -> list[str]:
    """What is wrong with the form of a document, each in a sentence that names the place."""
    if not is_sound(document):
        return [_("A text in it holds a character that is none.")]
    if document.get("format") != FORMAT:
        return [_("This is no event of a club: it is not a file that a server exported.")]
    version = document.get("version")
    if type(version) is int and version not in (VERSION, WITH_FOLDERS):
        message = (
            _("This event was exported by an older version. Export it anew from a newer one.")
            if version < VERSION
            else _("This event was exported by a newer version than this server reads.")
        )
        return [message]
    try:
        # Each holds what it is about: of a whole document of faults they would take all memory.
        faults = list(islice(_validator().iter_errors(document), MOST_READ))
        faults.sort(key=lambda fault: list(map(str, fault.path)))
        return named_faults(map(_fault_words, faults))
    except RecursionError:
        return [_("This is no event of a club: it is not a file that a server exported.")]


def named_faults(faults: Iterable[str]) -> list[str]:
    """The first of these, and how many there are more, as far as they are read."""
    found = list(islice(faults, MOST_READ))
    named = found[:MOST_FAULTS]
    if len(found) > MOST_FAULTS:
        more = len(found) - MOST_FAULTS
        named.append(
            ngettext("And %(n)s fault more.", "And %(n)s faults more.", more) % {"n": more}
        )
    return named


@cache
def _validator() -> Any:
    from jsonschema import Draft202012Validator
    from jsonschema.validators import extend

    path = settings.FILES_DIR / "docs" / "event.schema.json"
    # To JSON Schema 1386.0 is an integer; as a score it would be written as it is.
    whole = Draft202012Validator.TYPE_CHECKER.redefine("integer", _is_integer)
    kind = extend(Draft202012Validator, type_checker=whole)
    return kind(json.loads(path.read_text(encoding="utf-8")))


def _is_integer(_checker: object, value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


_WRONG = {
    "required": gettext_lazy("“%(name)s” is missing."),
    "additionalProperties": gettext_lazy("“%(name)s” means nothing here."),
    "type": gettext_lazy("this is of the wrong kind."),
    "minimum": gettext_lazy("this is too low."),
    "maximum": gettext_lazy("this is too high."),
    "maxItems": gettext_lazy("there are too many."),
    "maxLength": gettext_lazy("this is too long."),
    "minLength": gettext_lazy("this is empty."),
}


def _fault_words(fault: Any) -> str:
    place = ".".join(str(part) for part in fault.absolute_path) or _("the document")
    found = _LEFT_OUT.search(fault.message)
    words = str(_WRONG.get(fault.validator, _("this cannot be read.")))
    name = found.group(1)[:60] if found else ""
    return f"{place}: {words % {'name': name} if '%' in words else words}"


def is_signed(document: Json, by: str) -> bool:
    """Whether nothing in it was changed since the owner of this public key signed it."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(by))
        key.verify(bytes.fromhex(document["signature"]), signed_part(document))
    except (InvalidSignature, ValueError):
        return False
    return True


def content_faults(document: Json) -> Iterator[str]:
    """Ids that nobody has, seats that somebody has twice, and a date that is none."""
    try:
        date.fromisoformat(document["event"]["date"])
    except ValueError:
        yield _("event.date: this is no day.")
    people = document["participants"]
    names = {person["id"]: person["name"] for person in people}
    for person, count in Counter(person["id"] for person in people).items():
        if count > 1:
            yield _("%(name)s is among the participants twice.") % {"name": names[person]}
    for number, count in Counter(each["number"] for each in people if each["number"]).items():
        if count > 1:
            yield _("The league number %(number)s is of two participants.") % {"number": number}
    for session in document["sessions"]:
        yield from _seat_faults(session, names)
    yield from _folder_faults(document)


def _folder_faults(document: Json) -> Iterator[str]:
    """Folders that are there twice, and pairs that play one twice, or that are nobody."""
    known = {person.get("pair") for person in document["participants"]}
    boards = document.get("folders", {}).get("boards", [])
    for folder, count in Counter(board["folder"] for board in boards).items():
        if count > 1:
            yield _("Folder %(n)s stands there twice.") % {"n": folder}
    for board in boards:
        seated = Counter(pair for each in board["results"] for pair in (each["ns"], each["ew"]))
        for pair, count in seated.items():
            words = {"n": board["folder"], "pair": pair}
            if count > 1:
                yield _("Folder %(n)s: pair %(pair)s plays it twice.") % words
            elif pair not in known:
                yield _("Folder %(n)s: nobody is pair %(pair)s.") % words


def _seat_faults(session: Json, names: Mapping[str, str]) -> Iterator[str]:
    seated: Counter[str] = Counter(session["sit_out"])
    for table in session["tables"]:
        seated.update(table["players"].values())
    for person, count in seated.items():
        words = {"n": session["number"], "name": names.get(person, person)}
        if person not in names:
            yield _("Round %(n)s: %(name)s is not among the participants.") % words
        elif count > MOST_SEATS:
            yield _("Round %(n)s: %(name)s sits at more than two places.") % words


def bad_event(faults: Sequence[str]) -> DomainError:
    """The refusal of a document with every fault."""
    return DomainError("bad_event", " ".join(faults), lines=list(faults))
