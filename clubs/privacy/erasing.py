"""Erasing a person: their details go, results shared with others get a neutral name.

What is erased goes from the file beside an SQLite database too, where erased rows stand in full.
"""

import re
import time
from collections.abc import Collection, Iterable
from contextlib import closing
from dataclasses import dataclass, field
from typing import Final

from django.db import connection, transaction
from django.db.models import Q
from django.dispatch import Signal
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from clubs.audit.services import Actor, Erased, event_append, texts_erase
from clubs.audit.trail import PEOPLE
from clubs.models import (
    ApiAnswer,
    AuditEvent,
    AuditText,
    Club,
    CodeSecret,
    Invitation,
    Member,
    MemberMerge,
    Upload,
    User,
)
from clubs.namesakes.services import namesakes_follow
from clubs.profile.services import club_lock
from clubs.text.errors import DomainError
from clubs.text.names import names_alone, plain_key, tidy_name

member_erasing = Signal()
"""Sent inside the transaction of an erasure with `identifiers` (an Identifiers), before the
details go. Each app deletes what it stores about the person, and the free text of everything they
attended."""

REMARKS = "reason", "note", "corrections"
"""The fields of the trail with what people wrote; the others hold names."""

league_texts_erased = Signal()
"""Sent with `texts` (what went from chains that are of no club, by chain and field) and `actor`;
receivers let those chains tell it."""

own_texts_searched = Signal()
"""Sent with `identifiers`; receivers return where a text that the club wrote itself names the
person: those are not erased."""

erasing_considered = Signal()
"""Sent with `member` before erasing; receivers return sentences that say what prevents it."""


@dataclass(frozen=True, slots=True)
class Identifiers:
    """A person and the guests merged into them: ids, and the `words` that identify them (full names
    in every spelling, public names, addresses and telephone numbers). `alone` are the first names
    and surnames that nobody else at the club has. What goes from the trail is added to `erased`."""

    member: Member
    neutral_name: str
    ids: frozenset[int]
    uuids: frozenset[str]
    words: frozenset[str]
    alone: frozenset[str]
    erased: Erased = field(default_factory=dict, compare=False)

    def are_in(self, text: str) -> bool:
        """Whether this text contains a name, an address or a number of the person in full."""
        return _is_word_of(self.words, text)

    def are_meant_in(self, remark: str) -> bool:
        """Whether this remark names the person, perhaps by first name or surname alone. Of a text
        that holds a name that is too much: other people have names too."""
        return _is_word_of(self.words | self.alone, remark)


def _is_word_of(words: Collection[str], text: str) -> bool:
    """Whether one of these is in the text, whatever the capitals and accents, or with an s."""
    any_word = "|".join(re.escape(key) for key in sorted(map(plain_key, words)) if key)
    return bool(any_word and re.search(rf"(?<!\w)(?:{any_word})(?:['’]?s)?(?!\w)", plain_key(text)))


@transaction.atomic
def member_erase(*, member: Member, actor: Actor) -> Member:
    """Erase somebody for ever; results shared with others stay under a neutral name, and every
    trail still verifies.

    Raises DomainError `member_erased` when that was done before, or `member_needed` (params: why)
    when something stands in the way.
    """
    for club_id in sorted(_clubs_that_name(member)):
        club_lock(club_id)
    member = Member.objects.select_related("club").get(pk=member.pk)
    club = member.club
    if member.erased_at is not None:
        raise DomainError("member_erased", _("The details of this person are erased already."))
    if why := erasing_obstacles(member):
        raise DomainError("member_needed", " ".join(why), why=why)
    identifiers = identifiers_of(member, _neutral_name(member))
    member_erasing.send(sender=Member, identifiers=identifiers)
    _texts_erase(identifiers)
    _invitations_erase(identifiers)
    _login_erase(identifiers)
    _uploads_erase(identifiers)
    # Answers kept for programs that repeat a request may be about anybody.
    ApiAnswer.objects.filter(about__startswith=f"{club.uuid} ").delete()
    MemberMerge.objects.filter(pk__in=[merge.pk for merge in merges_about(member)]).delete()
    _details_erase(member, identifiers.neutral_name)
    namesakes_follow(club)
    _audit(identifiers, actor)
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
    if login is not None and login.leagues_led.exists():
        obstacles.append(
            _("%(name)s leads a league. Let somebody else lead it first, and take this name off.")
            % {"name": member.name}
        )
    return obstacles


def texts_that_stay(member: Member) -> list[str]:
    """Where the club itself wrote the name of this person: that is for the club to change."""
    answers = own_texts_searched.send(sender=Member, identifiers=identifiers_of(member, ""))
    return [place for _receiver, places in answers for place in places or ()]


def login_of(member: Member) -> User | None:
    """The login with the e-mail address of this person, if it has or had a task at the club, or
    leads or led a league and has a task at no other club."""
    login = User.objects.filter(email__iexact=member.email).first() if member.email else None
    if login is None:
        return None
    events = AuditEvent.objects.filter(object_ref=f"user:{login.uuid}")
    if events.filter(club=member.club).exists():
        return login
    led = login.leagues_led.exists() or events.filter(club=None).exists()
    return login if led and not login.roles.exists() else None


def identifiers_of(member: Member, neutral_name: str) -> Identifiers:
    """Everything that identifies somebody at their club."""
    merges = MemberMerge.objects.filter(member=member, undone_at=None)
    guests = [merge.guest for merge in merges]
    uuids = {str(member.uuid), *_merged_uuids(member), *(guest["uuid"] for guest in guests)}
    contact = {member.email, member.phone, member.street, *_contact(guests)}
    words = frozenset(contact | _names(member, guests, uuids)) - {""}
    return Identifiers(
        member=member,
        neutral_name=neutral_name,
        ids=frozenset({member.pk, *(guest["id"] for guest in guests)}),
        uuids=frozenset(uuids),
        words=words,
        alone=_alone(member, words - contact, uuids),
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


def _alone(member: Member, names: Iterable[str], uuids: Collection[str]) -> frozenset[str]:
    """The first names and surnames of theirs that are in the name of nobody else at the club."""
    own = {word for name in names for word in names_alone(name)}
    others = Member.objects.of(member.club).exclude(uuid__in=uuids)
    for name in others.values_list("name", flat=True).iterator():
        key = plain_key(name)
        own = {word for word in own if not _is_word_of([word], key)}
    return frozenset(own)


def _contact(guests: Iterable[dict[str, str]]) -> set[str]:
    return {guest[field] for guest in guests for field in ("email", "phone", "street")}


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
    about_them = texts.filter(about, event__chain=club.chain_name).exclude(field="actor")
    texts_erase(about_them, identifiers.erased)
    remarks, names = texts.filter(field__in=REMARKS), texts.exclude(field__in=REMARKS)
    for kept, naming in ((remarks, identifiers.are_meant_in), (names, identifiers.are_in)):
        for text in kept.values_list("text", flat=True).distinct():
            if naming(text):
                texts_erase(kept.filter(text=text), identifiers.erased)


def _uploads_erase(identifiers: Identifiers) -> None:
    """Delete unconfirmed files, which may name anybody, file names that name the person, and what
    a list of members changed of them."""
    uploads = Upload.objects.filter(club=identifiers.member.club)
    uploads.filter(done_at=None).delete()
    for upload in uploads.filter(kind=Upload.Kind.MEMBERS, outcome__has_key="undo"):
        undo = upload.outcome["undo"]
        undo["changed"] = [row for row in undo["changed"] if row[0] not in identifiers.ids]
        upload.save(update_fields=["outcome"])
    naming = [upload.pk for upload in uploads.only("name") if identifiers.are_meant_in(upload.name)]
    Upload.objects.filter(pk__in=naming).update(name="")


def _clubs_that_name(member: Member) -> set[int]:
    """The member's club, and those whose trails tell of their login: all must be locked, in order
    of id."""
    login = login_of(member)
    if login is None:
        return {member.club_id}
    about = f"user:{login.uuid}"
    events = AuditEvent.objects.filter(Q(object_ref=about) | Q(actor=about)).order_by()
    clubs = events.exclude(club=None).values_list("club", flat=True)
    return {member.club_id, *clubs.distinct()}


def _login_erase(identifiers: Identifiers) -> None:
    """Empty the login, unless it has a role elsewhere."""
    login = login_of(identifiers.member)
    if login is None or login.roles.exists():
        return
    about = f"user:{login.uuid}"
    names = Q(field="who", event__object_ref=about) | Q(field="actor", event__actor=about)
    texts_erase(AuditText.objects.filter(names), identifiers.erased)
    login.name, login.email = "", f"{login.uuid}@erased.invalid"
    login.email_wanted, login.email_proved_at = "", None
    login.is_active = False
    login.set_unusable_password()
    login.save()
    for rows in (login.api_tokens, login.sessions, login.passkeys, login.recovery_codes):
        rows.all().delete()
    CodeSecret.objects.filter(user=login).delete()


def _invitations_erase(identifiers: Identifiers) -> None:
    """Delete open invitations, and the names of accepted ones."""
    member = identifiers.member
    club, login = member.club, login_of(member)
    waiting = Invitation.objects.filter(club=club, email__iexact=member.email or "-")
    uuids = [str(invitation.uuid) for invitation in waiting]
    if login is not None:
        accepted = AuditEvent.objects.filter(object_ref=f"user:{login.uuid}", club=club)
        uuids += [event.data["invitation"] for event in accepted if "invitation" in event.data]
    references = [f"invitation:{uuid}" for uuid in uuids]
    names = AuditText.objects.filter(event__object_ref__in=references, field="who")
    texts_erase(names, identifiers.erased)
    waiting.delete()


def _details_erase(member: Member, neutral_name: str) -> None:
    member.name, member.number, member.public_name = neutral_name, None, ""
    member.email = member.phone = member.addition = ""
    member.street = member.postcode = member.town = ""
    member.birthday = member.member_since = None
    member.mark = member.public_mark = ""
    member.public_as = Member.PublicAs.NAME
    member.is_active = member.keeps_table = False
    member.erased_at = timezone.now()
    member.version += 1
    member.save()


def _audit(identifiers: Identifiers, actor: Actor) -> None:
    """An event at the member's club, and one at each other club and league whose trail lost a
    text."""
    member, of_leagues = identifiers.member, identifiers.erased.pop(None, {})
    for club in Club.objects.filter(pk__in={member.club_id, *identifiers.erased}).order_by("pk"):
        is_own = club.pk == member.club_id
        event_append(
            chain=club,
            club=club,
            actor=actor,
            action="member_erased" if is_own else "login_erased",
            object_ref=f"member:{member.uuid}" if is_own else "login",
            data={"texts": identifiers.erased.get(club.pk, {})},
            texts={"name": identifiers.neutral_name} if is_own else {},
        )
    league_texts_erased.send(sender=Member, texts=of_leagues, actor=actor)


WIPED_LATER: Final = gettext_noop(
    "For a moment the name is still in a file beside the database, because somebody was reading."
    " It goes when the server is started again."
)
TRIES, PAUSE = 10, 0.2


def erased_rows_wipe() -> bool:
    """Have SQLite move its log (WAL) into the database and empty it; call this after the commit.

    Waits up to two seconds for those who read from the log; returns whether it is empty then.
    PostgreSQL has no such file: its own log is not for the rows of one club.
    """
    if connection.vendor != "sqlite" or connection.in_atomic_block:
        return True
    for attempt in range(TRIES):
        if attempt:
            time.sleep(PAUSE)
        if _emptied():
            return True
    return False


def _emptied() -> bool:
    with closing(connection.cursor()) as cursor:
        cursor.execute("PRAGMA busy_timeout")
        (before,) = cursor.fetchone()
        # Without a limit one try would wait as long as a write may.
        cursor.execute("PRAGMA busy_timeout=0")
        try:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            busy, _in_log, _moved = cursor.fetchone()
        finally:
            cursor.execute(f"PRAGMA busy_timeout={int(before)}")
    return not busy
