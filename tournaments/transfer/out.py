"""Writing a club to an archive for another server.

In an archive rows are numbered from 1 instead of having this server's ids, also inside JSON.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import IO, Any

from django.apps import apps
from django.db import models
from django.utils import timezone

from clubs.archives.container import (
    ArchivedRow,
    ArchiveWriter,
    Report,
    Unsound,
    unreported,
)
from clubs.archives.rows import Change, models_at, newest, rows_write
from clubs.archives.whole import snapshot
from clubs.models import Club, MemberMerge, User
from tournaments.models import PUBLISHED_AS, Release, published_as

KIND = "club"
MEMBER, MERGE = "clubs.member", "clubs.membermerge"
PEOPLE = "clubs.user"
PEOPLE_FIELDS = "uuid", "email", "name", "is_active"

OF_A_CLUB: Mapping[str, str] = {
    "clubs.club": "pk",
    "clubs.clublogo": "club",
    "clubs.member": "club",
    "clubs.role": "club",
    "clubs.auditevent": "club",
    "clubs.audittext": "event__club",
    "scoring.regulation": "club",
    "scoring.rulenote": "club",
    "scoring.scoresheet": "club",
    "scoring.seat": "sheet__club",
    "scoring.sidetotal": "sheet__club",
    "scoring.controltotal": "sheet__club",
    "scoring.confirmation": "sheet__club",
    "scoring.folder": "club",
    "scoring.deal": "sheet__club",
    "scoring.dealentry": "deal__sheet__club",
    "scoring.dealclaim": "deal__sheet__club",
    "scoring.dealconfirmation": "entry__deal__sheet__club",
    "tournaments.clubtext": "club",
    "tournaments.couplerule": "club",
    "tournaments.season": "club",
    "tournaments.eveningkind": "club",
    "tournaments.seasonrule": "season__club",
    "tournaments.evening": "club",
    "tournaments.competitor": "club",
    "tournaments.competitormember": "competitor__club",
    "tournaments.eveningpair": "evening__club",
    "tournaments.competitorresult": "evening__club",
    "tournaments.package": "club",
    "tournaments.registration": "evening__club",
    "tournaments.entrylist": "evening__club",
    "tournaments.entry": "evening__club",
    "tournaments.entryperson": "entry__evening__club",
    "tournaments.pastresult": "evening__club",
    "tournaments.playoffscore": "evening__club",
    "tournaments.personcorrection": "member__club",
    "tournaments.numberelsewhere": "member__club",
    "tournaments.competitorcorrection": "competitor__club",
    "tournaments.round": "evening__club",
    "tournaments.table": "round__evening__club",
    "tournaments.placement": "round__evening__club",
    "tournaments.tabletoken": "evening__club",
    "tournaments.tabledevice": "evening__club",
    "tournaments.duplicateevening": "evening__club",
    "tournaments.folderplay": "folder__club",
    "tournaments.release": "evening__club",
    "tournaments.rating": "evening__club",
    "tournaments.eveningphoto": "evening__club",
    "tournaments.photoperson": "photo__evening__club",
    "tournaments.feeyear": "club",
    "tournaments.feepayment": "member__club",
    "tournaments.potentry": "season__club",
    "tournaments.prizegiven": "club",
    "tournaments.cup": "club",
    "tournaments.cupwin": "cup__club",
    "clubs.membermerge": "club",
}
"""The path from each table to its club, in an order in which rows come after what they refer to."""

LEFT_BEHIND = {
    "clubs.apianswer": "recent answers to programs, on that server",
    "clubs.apicount": "how often somebody called that server",
    "clubs.apitoken": "opens that server, for one person",
    "clubs.codesecret": "logs one person in at that server",
    "clubs.cspreport": "what browsers reported to that server",
    "clubs.healthprobe": "what that server wrote to see whether it can",
    "clubs.invitation": "a link to that server",
    "clubs.loginsession": "who is logged in at that server",
    "clubs.passkey": "logs one person in at that server",
    "clubs.recoverycode": "logs one person in at that server",
    "clubs.upload": "a file that awaits confirmation, or its outcome",
    "clubs.user": "people go along by their e-mail address, without a password",
    "tournaments.division": "of a league, which is of no club and stays where it is run",
    "tournaments.league": "of no club: it stays where it is run",
    "tournaments.leagueleader": "who runs a league on that server",
    "tournaments.leaguematch": "of a league",
    "tournaments.leaguepenalty": "of a league",
    "tournaments.leagueperson": "whom a league on that server knows by a number",
    "tournaments.leagueplayer": "of a league; they know their member again by its UUID",
    "tournaments.leagueranking": "of a league",
    "tournaments.leagueseason": "of a league",
    "tournaments.leagueteam": "of a league; it knows its club again by its UUID",
    "tournaments.matchday": "of a league; it knows its evening again by its UUID",
    "tournaments.leagueevent": "of a league; it knows its club again by its UUID",
    "tournaments.sharednight": "of a league; it knows its evenings again by their UUID",
    "tournaments.eventsource": "where a league on that server gets events",
    "tournaments.pulllink": "a link to that server",
    "tournaments.cameralink": "a link to that server",
    "tournaments.captainlink": "a link to that server",
    "tournaments.lineup": "of a league",
    "tournaments.lineupseat": "of a league; it knows its member again by the UUID",
    "tournaments.matchanswer": "of a league",
    "tournaments.copy": "copies that stay where they were made or sent",
    "tournaments.copyfolder": "a folder of that computer",
    "tournaments.copypiece": "the content of those copies",
    "tournaments.follower": "a browser that knows that server by its key and its address",
    "tournaments.hallscreen": "what a screen shows at that moment",
    "tournaments.deletedevening": "can be put back for thirty days, where it was deleted",
    "tournaments.eveningsummary": "computed again from the sheets",
    "tournaments.mailreceiver": "whom a mail from that server reached",
    "tournaments.membermail": "what was mailed from that server, kept for a while",
    "tournaments.seasonfile": "made again on request",
    "tournaments.sheetphoto": "pictures of paper, kept for days by the club that took them",
    "tournaments.personlink": "a link to that server; it knows its member again by their UUID",
    "tournaments.rankedevening": "of a league; it knows its evening again by its UUID",
    "tournaments.nightrelease": "of a league",
    "tournaments.rankinglist": "of a league",
    "tournaments.pinguard": "counts wrong PINs of links to that server",
}
"""The tables that are left out, and why."""

Numbers = dict[str, Mapping[int, int]]
"""By table, the new number of each id."""
Model = type[models.Model]
Json = dict[str, Any]
Rewrite = Callable[[Json, Numbers], Json]
"""Replaces the ids inside the JSON fields of a row."""
Tables = dict[str, models.QuerySet[Any]]


def counted(ids: Iterable[int]) -> dict[int, int]:
    """Number these ids from 1."""
    return {pk: number for number, pk in enumerate(sorted(set(ids)), start=1)}


def is_numbered(model: Model) -> bool:
    """Whether the model's ids are assigned by the database, and are not UUIDs."""
    return isinstance(model._meta.pk, models.AutoField)


def renumber(model: Model, numbers: Numbers, *, own: bool = True) -> Change:
    """A change that renumbers a row of this model: its own id, if `own`, and its foreign keys."""
    label = model._meta.label_lower
    tables = {
        field.name: numbers.get(table, {})
        for field in model._meta.concrete_fields
        if not field.primary_key and (table := numbered_table(field)) is not None
    }
    own = own and is_numbered(model)

    def renumbered(row: ArchivedRow) -> ArchivedRow:
        fields = dict(row["fields"])
        for name, known in tables.items():
            if fields.get(name) is not None:
                fields[name] = number_of(known, fields[name], f"{label}.{name}")
        pk = number_of(numbers[label], row["pk"], label) if own else row["pk"]
        return {"model": label, "pk": pk, "fields": fields}

    return renumbered


def number_of(known: Mapping[int, int], pk: Any, what: str) -> int:
    """The number of an id. Raises Unsound if there is none."""
    try:
        return known[pk]
    except (KeyError, TypeError) as error:
        raise Unsound(f"{what}: {pk!r} is nobody and nothing of this club.") from error


def numbered_table(field: "models.Field[Any, Any]") -> str | None:
    """The table whose ids a column holds, if that table is numbered."""
    model: Any = field.related_model if isinstance(field, models.ForeignKey) else None
    if field.primary_key:
        model = field.model
    return model._meta.label_lower if model is not None and is_numbered(model) else None


def people_named(standings: Iterable[Collection[Json]], guests: Iterable[Json]) -> set[int]:
    """The ids of members in releases and merges, some of which are gone."""
    of_releases = {row["member"] for rows in standings for row in rows}
    return of_releases | {guest["id"] for guest in guests}


def release_renumbered(fields: Json, numbers: Numbers) -> Json:
    """The fields of a release renumbered. Each line keeps the id it was published with, which the
    hash in the trail covers."""
    return fields | {
        name: [
            line | {"member": numbers[MEMBER][line["member"]], PUBLISHED_AS: published_as(line)}
            for line in fields[name]
        ]
        for name in ("standings", "changes")
    }


def merge_renumbered(fields: Json, numbers: Numbers) -> Json:
    """The fields of a merge renumbered, without what is gone since."""
    log, guest = fields["handed_over"], fields["guest"]
    guest = guest | {"first_id": guest.get("first_id") or guest["id"]}
    return fields | {
        "guest": _whole_row(MEMBER, guest, numbers),
        "handed_over": {
            "moved": {
                label: _there(ids, numbers[label.rpartition(".")[0]])
                for label, ids in log["moved"].items()
            },
            "changed": [
                [
                    label,
                    numbers[label][pk],
                    _columns(label, before, numbers),
                    _columns(label, after, numbers),
                ]
                for label, pk, before, after in log["changed"]
                if pk in numbers[label]
            ],
            "dropped": [
                [label, _whole_row(label, columns, numbers)] for label, columns in log["dropped"]
            ],
            "evenings": _there(log["evenings"], numbers["tournaments.evening"]),
        },
    }


INSIDE: Mapping[str, Rewrite] = {
    "tournaments.release": release_renumbered,
    MERGE: merge_renumbered,
}
"""How to renumber the tables with ids inside JSON."""


def rewritten(row: ArchivedRow, numbers: Numbers) -> ArchivedRow:
    """A row with the ids inside its JSON renumbered. Raises Unsound if that is malformed."""
    name = row["model"]
    if name not in INSIDE:
        return row
    try:
        return {**row, "fields": INSIDE[name](row["fields"], numbers)}
    except (AttributeError, KeyError, LookupError, TypeError, ValueError) as error:
        raise Unsound(f"{name}: a row does not tell whose it is: {error!r}.") from error


def _there(ids: Iterable[int], known: Mapping[int, int]) -> list[int]:
    return [known[pk] for pk in ids if pk in known]


def _whole_row(label: str, columns: Json, numbers: Numbers) -> Json:
    """Renumber a row stored as columns, perhaps by an older version: it gets the columns that there
    are now."""
    fields = {field.attname: field for field in apps.get_model(label)._meta.concrete_fields}
    known = {name: columns.get(name, field.get_default()) for name, field in fields.items()}
    return _columns(label, known, numbers)


def _columns(label: str, columns: Json, numbers: Numbers) -> Json:
    """Renumber some columns of a row; an id that is gone becomes None."""
    fields = {field.attname: field for field in apps.get_model(label)._meta.concrete_fields}
    renumbered = dict(columns)
    for name in columns:
        if (table := numbered_table(fields[name])) is not None:
            renumbered[name] = numbers[table].get(columns[name])
    return renumbered


def club_write(
    club: Club, file: IO[bytes], report: Report = unreported, *, made_at: str = ""
) -> int:
    """Write a snapshot of everything of a club, while others go on writing, and `report` how far
    it is. It is of now, or was `made_at` another time. Returns the number of rows."""
    with snapshot():
        club.refresh_from_db()
        tables = _rows_of_club(club)
        numbers = _numbered(club, tables)
        gone = numbers[MEMBER].keys() - set(tables[MEMBER].values_list("pk", flat=True))
        about = {
            "made_at": made_at or timezone.now().isoformat(),
            "migrations": newest(),
            "club": {"uuid": str(club.uuid), "slug": club.slug, "name": club.name},
            "gone": sorted(numbers[MEMBER][pk] for pk in gone),
        }
        archive = ArchiveWriter(file, kind=KIND, about=about)
        people = User.objects.filter(pk__in=numbers[PEOPLE])
        with archive.part(PEOPLE) as stream:
            rows_write(people, stream, fields=PEOPLE_FIELDS, change=renumber(User, numbers))
        whole = sum(rows.count() for rows in tables.values())
        for name, rows in tables.items():
            with archive.part(name) as stream:
                rows_write(rows, stream, change=_portable(rows.model, numbers))
            report(archive.rows / (whole + len(people)))
    archive.finish()
    return archive.rows


def _rows_of_club(club: Club) -> Tables:
    known = models_at(newest())
    return {
        name: known[name]._default_manager.filter(**{path: club.pk})
        for name, path in OF_A_CLUB.items()
    }


def _numbered(club: Club, tables: Tables) -> Numbers:
    numbers: Numbers = {
        name: counted(rows.values_list("pk", flat=True))
        for name, rows in tables.items()
        if is_numbered(rows.model)
    }
    releases = Release.objects.filter(evening__club=club)
    guests = MemberMerge.objects.filter(club=club).values_list("guest", flat=True)
    named = people_named(
        [rows for both in releases.values_list("standings", "changes") for rows in both], guests
    )
    numbers[MEMBER] = counted(numbers[MEMBER].keys() | named)
    numbers[PEOPLE] = counted(_logins(tables))
    return numbers


def _logins(tables: Tables) -> Iterator[int]:
    """The users with a role at the club, or who wrote something there."""
    for rows in tables.values():
        if any(field.name == "user" for field in rows.model._meta.concrete_fields):
            users = rows.exclude(user=None).order_by().values_list("user", flat=True)
            yield from users.distinct()


def _portable(model: type[models.Model], numbers: Numbers) -> Change:
    """A change that prepares the rows of a table for another server."""
    renumbered = renumber(model, numbers)

    def changed(row: ArchivedRow) -> ArchivedRow:
        fields = row["fields"]
        if row["model"] == MEMBER:
            fields["first_id"] = fields["first_id"] or row["pk"]
        if row["model"] == "tournaments.tabletoken":
            fields["revoked_at"] = fields["revoked_at"] or fields["made_at"]
        if row["model"] == "tournaments.entrylist":
            fields["door_digest"] = ""
        return renumbered(rewritten(row, numbers))

    return changed
