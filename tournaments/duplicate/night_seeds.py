"""The seed of a night on its way to clubs on other servers: a document that the league signs once
the night is open, and that a club's server reads at the address that its file of the night has."""

import json
from collections.abc import Iterator
from datetime import timedelta
from http import HTTPStatus
from typing import Any

from django.utils import timezone, translation
from django.utils.translation import gettext as _

from clubs.audit.services import Actor
from clubs.text.errors import DomainError
from tournaments.duplicate.nights import night_unlock
from tournaments.duplicate.queries import duplicate_of
from tournaments.evenings.locking import require_state
from tournaments.leagues.event_documents import Json, is_signed, sign
from tournaments.leagues.pulling import Answer, Unread, fetch
from tournaments.models import DuplicateEvening, Evening, SharedNight

FORMAT = "klaverclub-night-seed"
ASKED_FOR = timedelta(days=60)
"""So long after an evening its seed is asked for by itself."""


# At the league.


def seed_document(night: SharedNight) -> Json:
    """The seed of an open night, signed. Raises DomainError `night_not_open`."""
    if night.opened_at is None:
        raise _not_open()
    return sign(
        night.league,
        {
            "format": FORMAT,
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


# At a club.


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
        is_seed = content["format"] == FORMAT and content["version"] == 1
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
