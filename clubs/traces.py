"""By what somebody can be told in free text, so that it can be found and taken away."""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from django.db.models import Q

from clubs.models import AuditEvent, AuditText, Member, MemberMerge
from clubs.names import tidy_name

SHORTEST_ALONE = 3
"""A surname or first name of fewer letters says too little to be looked for by itself."""


@dataclass(frozen=True, slots=True)
class Traces:
    """Somebody and the guests he was before: ids, names, and what else only he is called by.

    `whole` are full names in every spelling he was known by, addresses and telephone numbers;
    `surnames` only those that nobody else of the club has; `first_names` say something only where
    he sat at the table.
    """

    member: Member
    neutral_name: str
    ids: frozenset[int]
    uuids: frozenset[str]
    whole: frozenset[str]
    surnames: frozenset[str]
    first_names: frozenset[str]

    def tells(self, text: str, *, at_his_table: bool = False) -> bool:
        """Whether this text names him. `at_his_table` says that it is about a table he sat at."""
        alone = self.surnames | self.first_names if at_his_table else self.surnames
        return _has_words(text, self.whole, re.IGNORECASE) or _has_words(text, alone)


def traces_of(member: Member, neutral_name: str) -> Traces:
    """Everything that somebody is known by at his club."""
    merges = MemberMerge.objects.filter(member=member, undone_at=None)
    guests = [merge.guest for merge in merges]
    uuids = {str(member.uuid), *_merged_uuids(member), *(guest["uuid"] for guest in guests)}
    names = {name for name in _names(member, guests, uuids) if name}
    contact = {member.email, member.phone, *_contact(guests)}
    return Traces(
        member=member,
        neutral_name=neutral_name,
        ids=frozenset({member.pk, *(guest["id"] for guest in guests)}),
        uuids=frozenset(uuids),
        whole=frozenset({text for text in contact if text} | names),
        surnames=frozenset(_surnames(names) - _surnames(_others(member))),
        first_names=frozenset(_long(name.split()[0] for name in names)),
    )


def merges_about(member: Member) -> list[MemberMerge]:
    """The merges that brought somebody anything, and those whose guest he was and is again."""
    merges = MemberMerge.objects.filter(club=member.club_id)
    own = str(member.uuid)
    return [one for one in merges if one.member_id == member.pk or one.guest.get("uuid") == own]


def _merged_uuids(member: Member) -> set[str]:
    """The guests he turned out to be by the trail, but for those who are people again."""
    merged = AuditEvent.objects.filter(
        club=member.club, action="guest_merged", object_ref=f"member:{member.uuid}"
    )
    guests = {data["guest"] for data in merged.values_list("data", flat=True)}
    there = Member.objects.filter(uuid__in=guests).values_list("uuid", flat=True)
    return guests - set(map(str, there))


def _names(member: Member, guests: Iterable[dict[str, str]], uuids: Collection[str]) -> set[str]:
    """Every name he ever had here."""
    references = [f"member:{uuid}" for uuid in uuids]
    named = Q(field="name", event__object_ref__in=references)
    named |= Q(field="guest_name", event__data__guest__in=list(uuids))
    audit_texts = AuditText.objects.filter(named, event__club=member.club)
    public = {guest["public_name"] for guest in guests} | {member.public_name}
    own = {guest["name"] for guest in guests} | {member.name}
    return {
        tidy_name(name) for name in own | public | set(audit_texts.values_list("text", flat=True))
    }


def _contact(guests: Iterable[dict[str, str]]) -> set[str]:
    return {guest[field] for guest in guests for field in ("email", "phone")}


def _others(member: Member) -> list[str]:
    others = Member.objects.of(member.club).exclude(pk=member.pk)
    return list(others.values_list("name", flat=True))


def _surnames(names: Iterable[str]) -> set[str]:
    """The last word of each name of several."""
    return _long(name.split()[-1] for name in names if " " in name)


def _long(words: Iterable[str]) -> set[str]:
    return {word for word in words if len(word.strip(".")) >= SHORTEST_ALONE}


def _has_words(text: str, wanted: Iterable[str], flags: int = 0) -> bool:
    found = "|".join(re.escape(words) for words in sorted(wanted))
    spaced = tidy_name(text)
    return bool(found and re.search(rf"(?<!\w)(?:{found})(?!\w)", spaced, flags))
