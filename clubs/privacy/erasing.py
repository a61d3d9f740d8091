"""Erasing a person: their details go, results shared with others get a neutral name."""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Q
from django.dispatch import Signal
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from clubs.audit.services import Actor, event_append
from clubs.audit.trail import PEOPLE
from clubs.models import (
    ApiAnswer,
    AuditEvent,
    AuditText,
    CodeSecret,
    Invitation,
    Member,
    MemberMerge,
    Upload,
    User,
)
from clubs.profile.services import club_lock
from clubs.text.errors import DomainError
from clubs.text.names import tidy_name

member_erasing = Signal()
"""Sent inside the transaction of an erasure with `identifiers` (an Identifiers), before the
details go. Each app deletes what it stores about the person, and the free text of everything they
attended."""

erasing_considered = Signal()
"""Sent with `member` before erasing; receivers return sentences that say what prevents it."""


@dataclass(frozen=True, slots=True)
class Identifiers:
    """A person and the guests merged into them: ids, and the `words` that identify them (full names
    in every spelling, public names, addresses and telephone numbers)."""

    member: Member
    neutral_name: str
    ids: frozenset[int]
    uuids: frozenset[str]
    words: frozenset[str]

    def are_in(self, text: str) -> bool:
        """Whether this text contains a name, an address or a number of the person in full."""
        any_word = "|".join(re.escape(words) for words in sorted(self.words))
        return bool(re.search(rf"(?<!\w)(?:{any_word})(?!\w)", tidy_name(text), re.IGNORECASE))


@transaction.atomic
def member_erase(*, member: Member, actor: Actor) -> Member:
    """Erase somebody for ever; results shared with others stay under a neutral name, and every
    trail still verifies.

    Raises DomainError `member_erased` when that was done before, or `member_needed` (params: why)
    when something stands in the way.
    """
    club = club_lock(member.club_id)
    member = Member.objects.get(pk=member.pk)
    member.club = club
    if member.erased_at is not None:
        raise DomainError("member_erased", _("The details of this person are erased already."))
    if why := erasing_obstacles(member):
        raise DomainError("member_needed", " ".join(why), why=why)
    identifiers = identifiers_of(member, _neutral_name(member))
    member_erasing.send(sender=Member, identifiers=identifiers)
    _texts_erase(identifiers)
    _invitations_erase(member)
    _login_erase(member)
    _uploads_erase(identifiers)
    # Answers kept for programs that repeat a request may be about anybody.
    ApiAnswer.objects.filter(about__startswith=f"{club.uuid} ").delete()
    MemberMerge.objects.filter(pk__in=[merge.pk for merge in merges_about(member)]).delete()
    _details_erase(member, identifiers.neutral_name)
    _audit(member, actor)
    return member


def erasing_obstacles(member: Member) -> list[str]:
    """Sentences that say why somebody cannot be erased yet; empty when they can."""
    answers = erasing_considered.send(sender=Member, member=member)
    obstacles = [sentence for _receiver, sentences in answers for sentence in sentences or ()]
    login = login_of(member)
    if login is not None and login.roles.filter(club=member.club).exists():
        obstacles.append(
            _("%(name)s has a login with a task. Take that away first, under Settings, Team.")
            % {"name": member.name}
        )
    return obstacles


def login_of(member: Member) -> User | None:
    """The login with the e-mail address of this person, if it has or had a task at the club."""
    login = User.objects.filter(email__iexact=member.email).first() if member.email else None
    if login is None:
        return None
    tasks = AuditEvent.objects.filter(club=member.club, object_ref=f"user:{login.uuid}")
    return login if tasks.exists() else None


def identifiers_of(member: Member, neutral_name: str) -> Identifiers:
    """Everything that identifies somebody at their club."""
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
    """The merges into somebody, and the undone merges of somebody as a guest."""
    merges = MemberMerge.objects.filter(club=member.club_id)
    own = str(member.uuid)
    return [
        merge for merge in merges if merge.member_id == member.pk or merge.guest.get("uuid") == own
    ]


def _merged_uuids(member: Member) -> set[str]:
    """The guests merged into this member by the trail, without those on the list again."""
    merged = AuditEvent.objects.filter(
        club=member.club, action="guest_merged", object_ref=f"member:{member.uuid}"
    )
    guests = {data["guest"] for data in merged.values_list("data", flat=True)}
    there = Member.objects.filter(uuid__in=guests).values_list("uuid", flat=True)
    return guests - set(map(str, there))


def _names(member: Member, guests: Iterable[dict[str, str]], uuids: Collection[str]) -> set[str]:
    """Every name they ever had at the club."""
    references = [f"member:{uuid}" for uuid in uuids]
    named = Q(field="name", event__object_ref__in=references)
    named |= Q(field="guest_name", event__data__guest__in=list(uuids))
    texts = AuditText.objects.filter(named, event__club=member.club)
    public = {guest["public_name"] for guest in guests} | {member.public_name}
    own = {guest["name"] for guest in guests} | {member.name}
    return {tidy_name(name) for name in own | public | set(texts.values_list("text", flat=True))}


def _contact(guests: Iterable[dict[str, str]]) -> set[str]:
    return {guest[field] for guest in guests for field in ("email", "phone")}


def _neutral_name(member: Member) -> str:
    """Such as `Former member 3`: unique, and otherwise meaningless."""
    erased = Member.objects.of(member.club).exclude(erased_at=None).count()
    with translation.override(member.club.language):
        is_guest = member.kind == Member.Kind.GUEST
        words = _("Former guest %(n)s") if is_guest else _("Former member %(n)s")
        return words % {"n": erased + 1}


def _texts_erase(identifiers: Identifiers) -> None:
    """Delete the trail's texts about them, and every other text of it that names them."""
    club = identifiers.member.club
    texts = AuditText.objects.filter(event__club=club)
    about = Q(event__object_ref__in=[f"member:{uuid}" for uuid in identifiers.uuids])
    for key in PEOPLE:
        about |= Q(**{f"event__data__{key}__in": list(identifiers.uuids)})
    texts.filter(about, event__chain=club.chain_name).exclude(field="actor").delete()
    for text in texts.values_list("text", flat=True).distinct():
        if identifiers.are_in(text):
            texts.filter(text=text).delete()


def _uploads_erase(identifiers: Identifiers) -> None:
    """Delete unconfirmed files, which may name anybody, and file names that name the person."""
    uploads = Upload.objects.filter(club=identifiers.member.club)
    uploads.filter(done_at=None).delete()
    naming = [upload.pk for upload in uploads.only("name") if identifiers.are_in(upload.name)]
    Upload.objects.filter(pk__in=naming).update(name="")


def _login_erase(member: Member) -> None:
    """Empty the login, unless it has a role elsewhere."""
    login = login_of(member)
    if login is None or login.roles.exists():
        return
    about = f"user:{login.uuid}"
    AuditText.objects.filter(event__object_ref=about, field="who").delete()
    AuditText.objects.filter(field="actor", event__actor=about).delete()
    login.name, login.email = "", f"{login.uuid}@erased.invalid"
    login.is_active = False
    login.set_unusable_password()
    login.save()
    for rows in (login.api_tokens, login.sessions, login.passkeys, login.recovery_codes):
        rows.all().delete()
    CodeSecret.objects.filter(user=login).delete()


def _invitations_erase(member: Member) -> None:
    """Delete open invitations, and the names of accepted ones."""
    club, login = member.club, login_of(member)
    waiting = Invitation.objects.filter(club=club, email__iexact=member.email or "-")
    uuids = [str(invitation.uuid) for invitation in waiting]
    if login is not None:
        accepted = AuditEvent.objects.filter(object_ref=f"user:{login.uuid}", club=club)
        uuids += [event.data["invitation"] for event in accepted if "invitation" in event.data]
    references = [f"invitation:{uuid}" for uuid in uuids]
    AuditText.objects.filter(event__object_ref__in=references, field="who").delete()
    waiting.delete()


def _details_erase(member: Member, neutral_name: str) -> None:
    member.name, member.number, member.public_name = neutral_name, None, ""
    member.email = member.phone = ""
    member.public_as = Member.PublicAs.NAME
    member.is_active = member.keeps_table = False
    member.erased_at = timezone.now()
    member.version += 1
    member.save()


def _audit(member: Member, actor: Actor) -> None:
    event_append(
        chain=member.club,
        club=member.club,
        actor=actor,
        action="member_erased",
        object_ref=f"member:{member.uuid}",
        texts={"name": member.name},
    )
