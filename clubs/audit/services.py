"""The audit trail: chains of events, each carrying the hash of the one before it.

The heads of chains are sealed with the server's key. A chain itself needs no key, so that it can be
followed on any server. Whoever has the database but not the key can write a chain anew, but cannot
seal it.
"""

import hashlib
import json
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC
from functools import cache

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac

from clubs.caches.shared import forget
from clubs.models import AuditChain, AuditEvent, AuditText, Club, User
from clubs.models.rows import row_update

Erased = dict[int | None, dict[str, dict[str, list[int]]]]
"""By club, chain and field, the numbers of the events whose texts went; None is for leagues."""
ERASING = "member_erased", "login_erased", "texts_erased"
"""The events whose data has the erased texts of their club, or of their league."""


def texts_erase(texts: QuerySet[AuditText], erased: Erased) -> None:
    """Delete these texts and add them to `erased`."""
    places = texts.order_by("event__chain", "event__number").values_list(
        "event__club", "event__chain", "field", "event__number"
    )
    for club_id, chain, field, number in places:
        of_chain = erased.setdefault(club_id, {}).setdefault(chain, {})
        of_chain.setdefault(field, []).append(number)
    texts.delete()


class ErasedTexts:
    """The texts that were erased according to the trail; each club is read once, when needed."""

    def __init__(self) -> None:
        self._of_club = cache(_erased_at)

    def has(self, event: AuditEvent, field: str) -> bool:
        """Whether this text of the event was erased."""
        return (event.chain, field, event.number) in self._of_club(event.club_id)

    def missing(self, event: AuditEvent, fields: Iterable[str]) -> list[str]:
        """The texts of the event that are neither among `fields` nor erased."""
        gone = sorted(event.commitments.keys() - set(fields))
        return [field for field in gone if not self.has(event, field)]


def _erased_at(club_id: int | None) -> set[tuple[str, str, int]]:
    """What was erased at a club; without one in leagues, of which their own trails tell, and
    formerly those of any club."""
    of_a_club = Q(chain__startswith="club:")
    if club_id is not None:
        of_a_club &= Q(club=club_id)
    else:
        of_a_club |= Q(chain__startswith="league:", club=None)
    erasures = AuditEvent.objects.filter(of_a_club, action__in=ERASING)
    return {
        (chain, field, number)
        for teller, data in erasures.values_list("chain", "data")
        for chain, fields in data.get("texts", {}).items()
        if teller == chain or teller.startswith("club:")
        for field, numbers in fields.items()
        for number in numbers
    }


def head_seal(chain: AuditChain) -> str:
    """The seal on a chain's head as it is now, as 64 hex digits."""
    head = f"{chain.chain_name} {chain.chain_length} {chain.chain_head}"
    return salted_hmac("clubs.audit.head", head, algorithm="sha256").hexdigest()


def is_sealed(chain: AuditChain) -> bool:
    """Whether this server's key sealed the head of the chain; one without events needs no seal."""
    return not chain.chain_length or constant_time_compare(chain.chain_seal, head_seal(chain))


def seal_anew(chains: Iterable[AuditChain]) -> int:
    """Seal the heads of these chains, where they have not moved since they were read. Returns how
    many."""
    count = 0
    for chain in [chain for chain in chains if chain.chain_length]:
        row = type(chain)._default_manager.filter(pk=chain.pk, chain_head=chain.chain_head)
        count += row.update(chain_seal=head_seal(chain))
    return count


HEAD = "chain_length", "chain_head", "chain_seal"


@dataclass(frozen=True, slots=True)
class Actor:
    """The author of an event: a user, a table's device, or the program itself.

    `ref` is opaque and goes into the trail; `label` is what the club reads.
    """

    ref: str
    label: str
    user: User | None = None

    @classmethod
    def of_user(cls, user: User) -> "Actor":
        return cls(ref=f"user:{user.uuid}", label=str(user), user=user)

    @classmethod
    def of_program(cls, name: str) -> "Actor":
        return cls(ref=f"program:{name}", label=name)


def event_append(
    *,
    chain: AuditChain,
    club: Club | None,
    actor: Actor,
    action: str,
    object_ref: str,
    data: Mapping[str, object] | None = None,
    texts: Mapping[str, str] | None = None,
    along: Mapping[str, object] | None = None,
) -> AuditEvent:
    """Append one event to `chain` and move its head; must run inside a transaction.

    `data` holds opaque ids and numbers only. `texts` (names, reasons) is stored separately, so
    that it can be erased; the event holds salted hashes of it. `club` is None in a league. `along`
    are columns of the chain's row that change with its head. Moving the head locks the row, so that
    two writers cannot follow the same event; a stale `chain` is read again.

    Of a practice club nothing is kept: only `along` is saved. The trail refuses to be deleted, and
    a practice evening leaves no trace.
    """
    if club is not None:
        forget(club.slug)
    personal = {**(texts or {}), "actor": actor.label}
    salted = {field: (secrets.token_hex(16), text) for field, text in personal.items() if text}
    event = AuditEvent(
        club=club,
        chain=chain.chain_name,
        actor=actor.ref,
        action=action,
        object_ref=object_ref,
        data=dict(data or {}),
        commitments={field: commitment(salt, text) for field, (salt, text) in salted.items()},
    )
    if club is not None and club.practice_of_id is not None:
        event.number = 0
        if along:
            type(chain)._default_manager.filter(pk=chain.pk).update(**along)
        return event
    while not _head_moved(chain, event, along or {}):
        chain.refresh_from_db(fields=HEAD)
    event.save(force_insert=True)
    AuditText.objects.bulk_create(
        AuditText(event=event, field=field, salt=salt, text=text)
        for field, (salt, text) in salted.items()
    )
    return event


def _head_moved(chain: AuditChain, event: AuditEvent, along: Mapping[str, object]) -> bool:
    """Make `event` the head of `chain`; False if another event came first.

    A head whose seal is broken passes the broken seal on: what happens next must not mend it.
    """
    event.number, event.previous = chain.chain_length + 1, chain.chain_head
    event.at = timezone.now()
    event.hash = event_hash(event)
    length, keeps_seal = chain.chain_length, is_sealed(chain)
    chain.chain_length, chain.chain_head = event.number, event.hash
    if keeps_seal:
        chain.chain_seal = head_seal(chain)
    columns = {name: getattr(chain, name) for name in HEAD}
    seen = {"id": chain.pk, "chain_length": length}
    return bool(row_update(type(chain), seen, {**columns, **along}))


def event_hash(event: AuditEvent) -> str:
    """SHA-256 over every column of the event but the hash itself, as 64 hex digits."""
    content = event_content(event)
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


def event_content(event: AuditEvent) -> dict[str, object]:
    """What the hash of an event is made of."""
    return {
        "club": str(event.club.uuid) if event.club else "",
        "chain": event.chain,
        "number": event.number,
        "at": event.at.astimezone(UTC).isoformat(),
        "actor": event.actor,
        "action": event.action,
        "object": event.object_ref,
        "data": event.data,
        "commitments": event.commitments,
        "previous": event.previous,
    }


def seal(chains: Iterable[AuditChain]) -> str:
    """One hash over the heads of several chains; printed on paper it commits to all of them."""
    return seal_of((chain.chain_name, chain.chain_length, chain.chain_head) for chain in chains)


def seal_of(heads: Iterable[tuple[str, int, str]]) -> str:
    """The same of heads as (name, length, hash)."""
    lines = sorted(f"{name} {length} {head}" for name, length, head in heads)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def chain_faults(chain: AuditChain, erased: ErasedTexts | None = None) -> tuple[str, ...]:
    """What is wrong with a chain: changed, missing or unknown events. Empty when it verifies.

    A caller with many chains can pass one `ErasedTexts` for all.
    """
    faults, number, last = _follow(chain.chain_name, erased or ErasedTexts())
    if (number, last) != (chain.chain_length, chain.chain_head):
        faults.append(f"{chain.chain_name}: the head is not event {number}")
    return tuple(faults)


def removed_chain_faults(name: str, erased: ErasedTexts | None = None) -> tuple[str, ...]:
    """Like `chain_faults`, for a chain whose row is deleted, such as a sheet of an undone draw."""
    return tuple(_follow(name, erased or ErasedTexts())[0])


def _follow(name: str, erased: ErasedTexts) -> tuple[list[str], int, str]:
    """The faults of a chain, the number of its unbroken events, and the hash of the last one."""
    faults: list[str] = []
    previous, number = "", 0
    events = AuditEvent.objects.filter(chain=name).order_by("number").select_related("club")
    for event in events.prefetch_related("texts"):
        if event.number != number + 1:
            faults.append(f"{name}: event {number + 1} is missing")
            break
        number += 1
        if event.previous != previous or event.hash != event_hash(event):
            faults.append(f"{name}: event {number} was changed")
        faults += _text_faults(event, erased)
        previous = event.hash
    return faults, number, previous


def _text_faults(event: AuditEvent, erased: ErasedTexts) -> list[str]:
    texts = {text.field: commitment(text.salt, text.text) for text in event.texts.all()}
    changed = [field for field in texts if event.commitments.get(field) != texts[field]]
    return [
        f"{event.chain}: the text '{field}' of event {event.number} {fault}"
        for fields, fault in (
            (changed, "was changed"),
            (erased.missing(event, texts), "is gone, and nobody was erased"),
        )
        for field in fields
    ]


def commitment(salt: str, text: str) -> str:
    """A hash that binds a text, and says nothing about it once the salt is erased."""
    return hashlib.sha256(f"{salt}:{text}".encode()).hexdigest()
