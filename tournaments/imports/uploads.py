"""Importing uploaded files after their preview was confirmed, exactly as previewed."""

import datetime as dt
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction

from clubs.audit.services import Actor
from clubs.files.reading import Source
from clubs.members.uploads import require_as_seen, upload_done, upload_source
from clubs.models import Club, Member, Upload
from clubs.profile.services import club_lock
from tournaments.imports.evenings import EveningImported, Outcome, evening_import
from tournaments.imports.results import ResultsImported, results_import
from tournaments.models import Evening
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
    *, club: Club, source: Source, preset: str, season_name: str
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
            preset=preset,
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
def uploaded_evening_import(*, upload: Upload, seen: str, actor: Actor) -> EveningImported:
    """Import an evening as it was previewed.

    Raises what `evening_import` raises, VersionConflict when the result would now differ from the
    one that was `seen`, and DomainError `upload_gone` when it was imported already.
    """
    club = club_lock(upload.club_id)
    details = {"preset": upload.details["preset"], "season_name": upload.details["season"]}
    preview = evening_import_preview(club=club, source=upload_source(upload), **details)
    require_as_seen(preview, seen)
    known = set(club.members.values_list("pk", flat=True))
    done = evening_import(
        club=club, source=upload_source(upload), replace=True, actor=actor, **details
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


def uploaded_results_import(*, upload: Upload, seen: str, actor: Actor) -> ResultsImported:
    """Import results as they were previewed. Raises as `results_import` does."""
    return results_import(
        club=upload.club,
        season_name=upload.details["season"],
        source=upload_source(upload),
        actor=actor,
        seen=seen,
        upload=upload,
    )
