"""Uploaded files: imported exactly as previewed, and taken back."""

import datetime as dt
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.audit.services import Actor
from clubs.files.reading import Source
from clubs.members.imports import require_as_seen, upload_done, upload_source
from clubs.merges.services import Noted, ids_today
from clubs.models import Club, Member, Upload
from clubs.profile.services import club_lock
from clubs.text.errors import DomainError
from scoring.deals.entries import sheets_lock
from scoring.models import Scoresheet
from tournaments.evenings.services import evening_touch
from tournaments.imports.evenings import EveningImported, Outcome, evening_import
from tournaments.imports.results import FIGURES, ResultsImported, results_import
from tournaments.imports.results_list import ListChoices, list_of
from tournaments.models import Evening, PastResult, Season
from tournaments.ratings.services import ratings_follow
from tournaments.registration.check_in import guests_away
from tournaments.releases.services import release_publish
from tournaments.standings.queries import StandingRow, evening_standings


@dataclass(frozen=True, slots=True)
class EveningImportPreview:
    """What importing an evening would do: whether it is new, its deals and rounds, the new guests,
    and its standings. `revision` is that of the present evening, 0 if there is none."""

    slug: str
    date: dt.date
    outcome: Outcome
    deals: int
    rounds: int
    guests: Sequence[str]
    standings: Sequence[StandingRow]
    revision: int

    @property
    def fingerprint(self) -> str:
        """The same for two previews of the same result."""
        rows = [(row.name, row.total) for row in self.standings]
        content = (self.slug, self.outcome, self.deals, self.guests, rows, self.revision)
        return hashlib.sha256(repr(content).encode()).hexdigest()


def evening_import_preview(
    *, club: Club, source: Source, regulation: str, season_name: str
) -> EveningImportPreview:
    """What importing this evening would do; it is done and rolled back.

    Raises FileFaults with everything that is wrong with the file, and DomainError
    `evening_running`.
    """
    with transaction.atomic():
        revisions = dict(club.evenings.values_list("pk", "revision"))
        known = set(club.members.values_list("pk", flat=True))
        done = evening_import(
            club=club,
            source=source,
            regulation=regulation,
            season_name=season_name,
            replace=True,
            actor=Actor.of_program("preview"),
        )
        guests = Member.objects.of(club).exclude(pk__in=known).order_by("pk")
        preview = EveningImportPreview(
            slug=done.evening.slug,
            date=done.evening.date,
            outcome=done.outcome,
            deals=done.deals,
            rounds=done.evening.rounds.count(),
            guests=list(guests.values_list("name", flat=True)),
            standings=evening_standings(Evening.objects.get(pk=done.evening.pk)),
            revision=revisions.get(done.evening.pk, 0),
        )
        transaction.set_rollback(True)
    return preview


@transaction.atomic
def uploaded_evening_import(
    *, upload: Upload, seen: str, actor: Actor, public_as: str | None = None
) -> EveningImported:
    """Import an evening as it was previewed.

    Raises what `evening_import` raises, VersionConflict when the result would now differ from the
    one that was `seen`, and DomainError `upload_gone` when it was imported already.
    """
    club = club_lock(upload.club_id)
    details = {"regulation": upload.details["preset"], "season_name": upload.details["season"]}
    preview = evening_import_preview(club=club, source=upload_source(upload), **details)
    require_as_seen(preview, seen)
    known = set(club.members.values_list("pk", flat=True))
    done = evening_import(
        club=club,
        source=upload_source(upload),
        replace=True,
        actor=actor,
        public_as=public_as,
        **details,
    )
    made = club.members.exclude(pk__in=known).order_by("pk").values_list("pk", flat=True)
    outcome = {"evenings": [done.evening.pk], "guests": list(made), "deals": done.deals}
    undo = {"undo": _undo(done.evening)} if done.outcome == "imported" else {}
    upload_done(upload=upload, outcome={**outcome, "outcome": done.outcome, **undo})
    return done


def _undo(evening: Evening) -> dict[str, int]:
    """What undoing the import of a new evening needs: which it is, and its revision."""
    evening.refresh_from_db(fields=["revision"])
    return {"evening": evening.pk, "revision": evening.revision}


def list_choices_save(*, upload: Upload, choices: ListChoices, public_as: str) -> None:
    """Store what was chosen and mended on the page of a list, while it waits."""
    upload.details |= {"choices": choices.as_json(), "public_as": public_as}
    Upload.objects.filter(pk=upload.pk, done_at=None).update(details=upload.details)


def uploaded_results_import(
    *, upload: Upload, seen: str, actor: Actor, public_as: str | None = None
) -> ResultsImported:
    """Import results as they were previewed. Raises as `results_import` does."""
    return results_import(
        club=upload.club,
        season_name=upload.details["season"],
        source=list_of(upload),
        actor=actor,
        seen=seen,
        upload=upload,
        public_as=public_as,
    )


# Undoing the import of an evening or of results.


@transaction.atomic
def evening_import_undo(*, upload: Upload, actor: Actor) -> None:
    """Delete the evening that a file brought, and the guests it brought if they have nothing else.

    Raises DomainError `upload_undone` if that was done already, and `evening_changed` if the
    evening was changed since.
    """
    club = club_lock(upload.club_id)
    upload = Upload.objects.select_for_update().get(pk=upload.pk)
    undo = upload.outcome.pop("undo", None)
    if undo is None:
        raise DomainError("upload_undone", _("This has already been undone."))
    upload.outcome["undone"] = True
    upload.save(update_fields=["outcome"])
    _evening_away(club, undo["evening"], undo["revision"], actor)
    guests = Member.objects.of(club).filter(pk__in=upload.outcome["guests"], kind="guest")
    guests_away(club=club, guests=guests, actor=actor)


def _evening_away(club: Club, evening_id: int, revision: int, actor: Actor) -> None:
    of_evening = Scoresheet.objects.filter(table__round__evening=evening_id)
    sheets = [sheet.pk for sheet in sheets_lock(*of_evening.values_list("pk", flat=True))]
    evening = Evening.objects.of(club).filter(pk=evening_id, revision=revision).first()
    if evening is None or _has_money_or_cup(evening):
        message = _("This evening has been changed since the import, so it stays.")
        raise DomainError("evening_changed", message)
    evening_touch(evening, actor=actor, action="evening_taken_back", data={"evening": evening.slug})
    following = club.evenings.filter(rounds__isnull=False, date__gte=evening.date)
    later = following.exclude(pk=evening.pk).order_by("date", "sequence").first()
    evening.rounds.all().delete()
    Scoresheet.objects.filter(pk__in=sheets).delete()
    evening.delete()
    if later is not None:
        ratings_follow(later)


def _has_money_or_cup(evening: Evening) -> bool:
    """Whether something was recorded that does not raise the evening's revision."""
    paid = evening.registrations.filter(paid__isnull=False)
    return paid.exists() or evening.cupwin_set.exists()


@transaction.atomic
def results_import_undo(*, upload: Upload, actor: Actor) -> None:
    """Remove what a file of results brought, and put back what it replaced.

    Whatever was changed since stays. An evening, guest or season that the file brought is deleted
    if nothing else belongs to it; other evenings are published again. Raises DomainError
    `upload_undone` if that was done already, or cannot be done.
    """
    club = club_lock(upload.club_id)
    upload = Upload.objects.select_for_update().get(pk=upload.pk)
    undo = upload.outcome.pop("undo", None)
    if undo is None:
        raise DomainError("upload_undone", _("This has already been undone."))
    _results_back(undo)
    upload.outcome["undone"] = True
    upload.save(update_fields=["outcome"])
    for evening in Evening.objects.of(club).filter(pk__in=upload.outcome["evenings"]):
        _evening_back(evening, upload.outcome, undo["seasons"], actor)
    guests = Member.objects.of(club).filter(pk__in=upload.outcome["guests"], kind="guest")
    guests_away(club=club, guests=guests, actor=actor)
    if undo["made_season"]:
        empty = Season.objects.filter(club=club, pk=upload.outcome["season"], evenings=None)
        empty.filter(cupwin=None).delete()


def _results_back(undo: dict[str, Any]) -> None:
    added = _as_read_in(undo["added"])
    PastResult.objects.filter(pk__in=[result.pk for result in added]).delete()
    before = {columns["id"]: columns for columns, _after in undo["changed"]}
    changed = _as_read_in([after for _columns, after in undo["changed"]])
    for result in changed:
        for name in FIGURES:
            setattr(result, name, before[result.pk][name])
    PastResult.objects.bulk_update(changed, FIGURES)
    _put_again([PastResult(**columns) for columns in undo["removed"]])


def _as_read_in(rows: list[Noted]) -> list[PastResult]:
    """The results that are still as imported, even if they belong to another person by now."""
    stored = PastResult.objects.in_bulk([columns["id"] for columns in rows])
    pairs = [(stored.get(columns["id"]), columns) for columns in rows]
    return [
        result
        for result, columns in pairs
        if result and all(getattr(result, name) == columns[name] for name in FIGURES)
    ]


def _put_again(removed: list[PastResult]) -> None:
    """Put back what the file removed, unless something else has taken its place since."""
    today = ids_today(result.member_id for result in removed)
    for result in removed:
        result.member_id = today.get(result.member_id, result.member_id)
    people = Member.objects.in_bulk({result.member_id for result in removed})
    evenings = Evening.objects.in_bulk({result.evening_id for result in removed})
    standing = PastResult.objects.filter(evening__in=evenings, member__in=people)
    taken = set(standing.values_list("evening_id", "member_id"))
    PastResult.objects.bulk_create(
        result
        for result in removed
        if result.evening_id in evenings
        and result.member_id in people
        and (result.evening_id, result.member_id) not in taken
    )


def _evening_back(
    evening: Evening, outcome: Noted, seasons: dict[str, int | None], actor: Actor
) -> None:
    empty = Evening.objects.filter(
        pk=evening.pk,
        past_results=None,
        competitor_results=None,
        registrations=None,
        rounds=None,
    )
    gone = evening.pk in outcome["made"] and empty.exists()
    data = {"evening": evening.slug, "gone": gone}
    evening_touch(evening, actor=actor, action="results_taken_back", data=data)
    if gone:
        evening.delete()
        return
    if evening.pk not in outcome["made"] and evening.season_id == outcome["season"]:
        evening.season = Season.objects.filter(pk=seasons[str(evening.pk)] or 0).first()
        evening.save_changes("season")
    release_publish(evening=evening, actor=actor)
