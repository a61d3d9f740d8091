"""What identifies a person in writing: names, addresses, telephone numbers."""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from django.db.models import Q

from clubs.models import AuditEvent, AuditText, Member, MemberMerge
from clubs.names import tidy_name


@dataclass(frozen=True, slots=True)
class Identifiers:
    """A person and the guests they were before: ids, and the `words` that identify them, which are
    full names in every spelling, public names, addresses and telephone numbers."""

    member: Member
    neutral_name: str
    ids: frozenset[int]
    uuids: frozenset[str]
    words: frozenset[str]

    def are_in(self, text: str) -> bool:
        """Whether this text holds a name, an address or a number of the person in full."""
        any_word = "|".join(re.escape(words) for words in sorted(self.words))
        return bool(re.search(rf"(?<!\w)(?:{any_word})(?!\w)", tidy_name(text), re.IGNORECASE))


def identifiers_of(member: Member, neutral_name: str) -> Identifiers:
    """Everything that somebody is known by at their club."""
    merges = MemberMerge.objects.filter(member=member, undone_at=None)
    guests = [merge.guest for merge in merges]
    uuids = {str(member.uuid), *_merged_uuids(member), *(guest["uuid"] for guest in guests)}
    contact = {member.email, member.phone, *_contact(guests)}
    return Identifiers(
        member=member,
        neutral_name=neutral_name,
        ids=frozenset({member.pk, *(guest["id"] for guest in guests)}),
        uuids=frozenset(uuids),
        words=frozenset(contact | _names(member, guests, uuids)) - {""},
    )


def merges_about(member: Member) -> list[MemberMerge]:
    """The merges into somebody, and those of the guest they were and are again."""
    merges = MemberMerge.objects.filter(club=member.club_id)
    own = str(member.uuid)
    return [
        merge for merge in merges if merge.member_id == member.pk or merge.guest.get("uuid") == own
    ]


def _merged_uuids(member: Member) -> set[str]:
    """The guests who turned out to be this member by the trail, but for those who are on the list
    again."""
    merged = AuditEvent.objects.filter(
        club=member.club, action="guest_merged", object_ref=f"member:{member.uuid}"
    )
    guests = {data["guest"] for data in merged.values_list("data", flat=True)}
    there = Member.objects.filter(uuid__in=guests).values_list("uuid", flat=True)
    return guests - set(map(str, there))


def _names(member: Member, guests: Iterable[dict[str, str]], uuids: Collection[str]) -> set[str]:
    """Every name they ever had here."""
    references = [f"member:{uuid}" for uuid in uuids]
    named = Q(field="name", event__object_ref__in=references)
    named |= Q(field="guest_name", event__data__guest__in=list(uuids))
    texts = AuditText.objects.filter(named, event__club=member.club)
    public = {guest["public_name"] for guest in guests} | {member.public_name}
    own = {guest["name"] for guest in guests} | {member.name}
    return {tidy_name(name) for name in own | public | set(texts.values_list("text", flat=True))}


def _contact(guests: Iterable[dict[str, str]]) -> set[str]:
    return {guest[field] for guest in guests for field in ("email", "phone")}
