"""Erasing a person: what is theirs alone goes, what others share stays under a neutral name."""

from collections.abc import Iterable

from django.db import transaction
from django.db.models import Q
from django.dispatch import Signal
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from clubs.audit import Actor, event_append
from clubs.errors import DomainError
from clubs.models import (
    ApiAnswer,
    AuditEvent,
    AuditText,
    Club,
    Invitation,
    Member,
    MemberMerge,
    Upload,
    User,
)
from clubs.services.clubs import club_lock
from clubs.traces import Traces, merges_about, traces_of
from clubs.trail import PEOPLE

member_erasing = Signal()
"""Sent inside the transaction of an erasure with `traces` (a Traces), while the details are still
there; whoever keeps anything about the person takes their name out of it."""

erasing_asked = Signal()
"""Sent with `member` when erasing is considered; receivers return why it cannot be done yet, a
sentence each."""


@transaction.atomic
def member_erase(*, member: Member, actor: Actor) -> Member:
    """Erase what is kept about somebody, for ever; results they share with others stay under a
    neutral name, and every trail still verifies.

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
    traces = traces_of(member, _neutral_name(member))
    member_erasing.send(sender=Member, traces=traces)
    _texts_erase(traces)
    _invitations_erase(member)
    _login_erase(member)
    _uploads_erase(traces)
    # What programs were answered may tell of anybody; it is only for who asks the same once more.
    ApiAnswer.objects.filter(about__startswith=f"{club.uuid} ").delete()
    MemberMerge.objects.filter(pk__in=[merge.pk for merge in merges_about(member)]).delete()
    _details_erase(member, traces.neutral_name)
    _audit(member, actor)
    return member


def erasing_obstacles(member: Member) -> list[str]:
    """Why somebody cannot be erased yet, a sentence each; empty when they can."""
    answers = erasing_asked.send(sender=Member, member=member)
    found = [sentence for _receiver, sentences in answers for sentence in sentences or ()]
    login = login_of(member)
    if login is not None and login.roles.filter(club=member.club).exists():
        found.append(
            _("%(name)s has a login with a task. Take that away first, under Settings, Team.")
            % {"name": member.name}
        )
    return found


def login_of(member: Member) -> User | None:
    """The login with the e-mail address of this person, if it has or had a task at his club."""
    login = User.objects.filter(email__iexact=member.email).first() if member.email else None
    if login is None:
        return None
    tasks = AuditEvent.objects.filter(club=member.club, object_ref=f"user:{login.uuid}")
    return login if tasks.exists() else None


def _neutral_name(member: Member) -> str:
    """Former member 3: a number that says nothing, and that nobody else has."""
    erased = Member.objects.of(member.club).exclude(erased_at=None).count()
    with translation.override(member.club.language):
        is_guest = member.kind == Member.Kind.GUEST
        words = _("Former guest %(n)s") if is_guest else _("Former member %(n)s")
        return words % {"n": erased + 1}


def _texts_erase(traces: Traces) -> None:
    """Take away what the trail tells of him in words; who did it stays, unless that was he."""
    texts = AuditText.objects.filter(event__club=traces.member.club)
    about = Q(event__object_ref__in=[f"member:{uuid}" for uuid in traces.uuids])
    for key in PEOPLE:
        about |= Q(**{f"event__data__{key}__in": list(traces.uuids)})
    of_the_club = texts.filter(event__chain=traces.member.club.chain_name)
    of_the_club.filter(about).exclude(field="actor").delete()
    telling = filter(traces.tells, texts.values_list("text", flat=True).distinct().iterator())
    texts_take_away(traces.member.club, telling)


def texts_take_away(club: Club, texts: Iterable[str]) -> None:
    """Erase these texts wherever they stand in the trails of a club."""
    for text in set(texts):
        AuditText.objects.filter(event__club=club, text=text).delete()


def _uploads_erase(traces: Traces) -> None:
    """Files that wait for a yes may hold anybody; of those read in only what they were called is
    left."""
    uploads = Upload.objects.filter(club=traces.member.club)
    uploads.filter(done_at=None).delete()
    called = [upload.pk for upload in uploads.only("name") if traces.tells(upload.name)]
    Upload.objects.filter(pk__in=called).update(name="")


def _login_erase(member: Member) -> None:
    """Of a login that has no task anywhere nothing is left but that there was one."""
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
    login.api_tokens.all().delete()


def _invitations_erase(member: Member) -> None:
    """Nothing is left of an invitation without an answer, and of others no name."""
    club, login = member.club, login_of(member)
    waiting = Invitation.objects.filter(club=club, email__iexact=member.email or "-")
    asked = [str(invitation.uuid) for invitation in waiting]
    if login is not None:
        accepted = AuditEvent.objects.filter(object_ref=f"user:{login.uuid}", club=club)
        asked += [event.data["invitation"] for event in accepted if "invitation" in event.data]
    references = [f"invitation:{uuid}" for uuid in asked]
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
