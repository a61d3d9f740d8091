"""Mail to members: to whom, with what text, sent to each by itself or by their own mail program."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Final
from urllib.parse import quote, urlencode
from uuid import UUID

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from clubs.accounts.services import mail_goes_out, mail_now, outbox
from clubs.audit.services import Actor, event_append
from clubs.limits.table import MEMBERS_MAILED, mails_of
from clubs.models import Club, Member
from clubs.profile.services import club_lock
from clubs.text.errors import DomainError
from tournaments.models import Evening, MailReceiver, MemberMail
from tournaments.money.queries import FeePeriod, fee_list

ALL, THERE, UNPAID, CHOSEN = "all", "there", "unpaid", "chosen"
AT_ONCE: Final = 600
"""Receivers of one mail."""
LONGEST_LINK: Final = 2_000
"""The longest address that every mail program accepts; some accept less than browsers do."""
IN_ONE: Final = 40
"""Addresses in one mail of one's own program: mail servers refuse many."""
NAMES: Final = {"naam": "name", "name": "name", "voornaam": "first", "first_name": "first"}
_FIELD = re.compile(r"\{(" + "|".join(NAMES) + r")\}")

State = MailReceiver.State


@dataclass(frozen=True, slots=True)
class Receivers:
    """The people a mail is for: those with an address, by surname, and those without one."""

    people: Sequence[Member]
    unreached: Sequence[Member]

    @classmethod
    def of(cls, people: QuerySet[Member]) -> "Receivers":
        """These people. One query."""
        known = list(people.filter(erased_at=None).by_surname())  # type: ignore[attr-defined]
        return cls(
            [member for member in known if member.email],
            [member for member in known if not member.email],
        )


def receivers_of(
    club: Club,
    to: str,
    *,
    evening: Evening | None = None,
    fees_of: FeePeriod | None = None,
    chosen: Sequence[int] = (),
) -> Receivers:
    """All active members, those who are or were there on the evening, those who still owe the
    membership fee of a season or a year, or the chosen ones."""
    people = Member.objects.of(club)
    if to == THERE and evening is not None:
        listed = evening.registrations.filter(present=True)
        return Receivers.of(people.filter(pk__in=listed.values("member")))
    if to == UNPAID and fees_of is not None:
        owing = [row.member.pk for row in fee_list(fees_of).unpaid]
        return Receivers.of(people.filter(pk__in=owing))
    if to == CHOSEN:
        return Receivers.of(people.filter(pk__in=chosen))
    return Receivers.of(people.active().filter(kind=Member.Kind.MEMBER))


def text_for(text: str, member: Member | None) -> str:
    """The text as this person gets it, with their name; without one, for all at once."""
    if member is None:
        return _FIELD.sub(pgettext("everybody", "all"), text)
    names = {"name": member.name, "first": member.name.split()[0]}
    return _FIELD.sub(lambda found: names[NAMES[found[1]]], text)


@dataclass(frozen=True, slots=True)
class OwnMail:
    """A mail in one's own program: the address that opens it, who is in it as a blind copy, and
    whether the text fits in that address."""

    url: str
    addresses: str
    first: int
    last: int
    fits: bool


def own_mails(people: Sequence[Member], subject: str, text: str) -> list[OwnMail]:
    """The mails that reach these people by blind copies, so that nobody sees others' addresses."""
    addresses = list(dict.fromkeys(member.email for member in people))
    text = text_for(text, None)
    body = {"subject": subject, "body": text}
    fits = len(_mailto(addresses[:1], body)) <= LONGEST_LINK // 2
    with_it = body if fits else {"subject": subject}
    mails, start = [], 0
    while start < len(addresses):
        end = start + 1
        while end < min(len(addresses), start + IN_ONE):
            if len(_mailto(addresses[start : end + 1], with_it)) > LONGEST_LINK:
                break
            end += 1
        part = addresses[start:end]
        mails.append(OwnMail(_mailto(part, with_it), ", ".join(part), start + 1, end, fits))
        start = end
    return mails


def _mailto(addresses: Sequence[str], body: dict[str, str]) -> str:
    everything = {"bcc": ",".join(addresses), **body}
    return f"mailto:?{urlencode(everything, quote_via=quote, safe='@,')}"


@transaction.atomic
def mail_send(
    *, club: Club, key: UUID, people: Sequence[Member], subject: str, text: str, actor: Actor
) -> MemberMail:
    """Send a mail to each of these people by itself, aside; they answer to whoever sends it. The
    same `key` again is the same mail.

    Raises DomainError `no_mail` without a mail server, `nobody`, `too_many`, `mailed_enough` today,
    or `bad_mail`.
    """
    club = club_lock(club.pk)
    known = MemberMail.objects.filter(club=club, uuid=key).first()
    if known is not None:
        return known
    _require_sendable(club, people)
    mail = MemberMail(
        uuid=key, club=club, user=actor.user, subject=" ".join(subject.split()), text=text
    )
    try:
        mail.clean_fields(exclude=["club", "user"])
    except ValidationError as error:
        raise DomainError("bad_mail", " ".join(error.messages)) from error
    MemberMail.objects.filter(made_at__lt=timezone.now() - MemberMail.STAYS).delete()
    mail.save()
    MailReceiver.objects.bulk_create(MailReceiver(mail=mail, member=member) for member in people)
    event_append(
        chain=club,
        club=club,
        actor=actor,
        action="members_mailed",
        object_ref=f"club:{club.uuid}",
        data={"count": len(people), "mail": str(mail.uuid)},
        texts={"subject": mail.subject},
    )
    transaction.on_commit(partial(_go_on, mail.pk))
    return mail


@transaction.atomic
def mail_send_again(*, mail: MemberMail, actor: Actor) -> int:
    """Try once more with those whom it did not reach; returns how many. Raises DomainError as
    `mail_send` does."""
    club = club_lock(mail.club_id)
    missed = mail.receivers.exclude(state=State.SENT)
    if not is_overdue(mail):
        missed = missed.filter(state=State.FAILED)
    count = missed.count()
    if count:
        _require_sendable(club, [receiver.member for receiver in missed.select_related("member")])
        missed.update(state=State.UNDER_WAY)
        MemberMail.objects.filter(pk=mail.pk).update(made_at=timezone.now())
        transaction.on_commit(partial(_go_on, mail.pk))
    return count


def is_overdue(mail: MemberMail) -> bool:
    """Whether what is still under way can no longer come: the server was stopped."""
    patience = timedelta(minutes=5, seconds=20 * mail.receivers.count())
    return timezone.now() - mail.made_at > patience


def _require_sendable(club: Club, people: Sequence[Member]) -> None:
    if not mail_goes_out():
        raise DomainError("no_mail", _("This computer sends no mail. Use your own mail program."))
    if not people:
        raise DomainError("nobody", _("None of these people has an e-mail address."))
    if len(people) > AT_ONCE:
        message = _("A mail goes to at most %d people at once.") % AT_ONCE
        raise DomainError("too_many", message)
    limited = mails_of(club)
    if MEMBERS_MAILED.is_spent(limited):
        message = _("The club has sent as much mail as it may today. Go on tomorrow.")
        raise DomainError("mailed_enough", message)
    MEMBERS_MAILED.spend(limited, len(people))


def _go_on(mail_id: int) -> None:
    """Have the next one sent. One at a time, so that a link for a password waits for one mail."""
    outbox.add(partial(_send_next, mail_id), partial(_give_up, mail_id))


def _send_next(mail_id: int) -> None:
    under_way = MailReceiver.objects.filter(mail=mail_id, state=State.UNDER_WAY)
    receiver = under_way.select_related("mail__club", "mail__user", "member").order_by("pk").first()
    if receiver is None:
        return
    is_sent = _send(receiver.mail, receiver.member)
    state = State.SENT if is_sent else State.FAILED
    MailReceiver.objects.filter(pk=receiver.pk).update(state=state)
    _go_on(mail_id)


def _send(mail: MemberMail, member: Member) -> bool:
    if not member.email:
        return False
    with translation.override(mail.club.language):
        return mail_now(
            subject=mail.subject,
            text=text_for(mail.text, member),
            to=member.email,
            reply_to=mail.user.email if mail.user else "",
        )


def _give_up(mail_id: int) -> None:
    under_way = MailReceiver.objects.filter(mail=mail_id, state=State.UNDER_WAY)
    under_way.update(state=State.FAILED)


@dataclass(frozen=True, slots=True)
class MailProgress:
    """How far a mail is: how many it reached, whom it did not reach, how many are to come."""

    mail: MemberMail
    sent: int
    failed: Sequence[Member]
    under_way: int

    @property
    def of(self) -> int:
        """How many people it is for."""
        return self.sent + len(self.failed) + self.under_way


def mail_progress(mail: MemberMail) -> MailProgress:
    """How far it is; what can no longer come counts as failed."""
    by_state: dict[str, list[Member]] = {state: [] for state in State.values}
    for member, state in _states(mail):
        by_state[state].append(member)
    waiting, failed = by_state[State.UNDER_WAY], by_state[State.FAILED]
    if waiting and is_overdue(mail):
        waiting, failed = [], [*failed, *waiting]
    return MailProgress(mail, len(by_state[State.SENT]), failed, len(waiting))


def _states(mail: MemberMail) -> Iterator[tuple[Member, str]]:
    receivers = mail.receivers.select_related("member").order_by("member__sort_name", "pk")
    return ((receiver.member, receiver.state) for receiver in receivers)
