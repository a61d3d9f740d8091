"""People known across the clubs of a league: each has a number that the league gives.

Nobody is matched by name. A club makes a link for one of its members; whoever opens it asks for a
number, or says with the code of their own link which number is theirs already. A league names them
no more than the strictest of their clubs does, and shows nobody whom a club shows under another
name: the results would tell who that is.
"""

import base64
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.accounts.services import mail_soon
from clubs.audit.services import Actor, event_append
from clubs.audit.trail import describe
from clubs.http.network import mailed_url
from clubs.models import Club, Member
from clubs.profile.services import club_lock
from clubs.text.errors import DomainError
from clubs.text.names import name_key
from tournaments.entries.texts import secret_of
from tournaments.leagues.event_notes import Note, note
from tournaments.leagues.services import league_audit, league_lock
from tournaments.models import League, LeaguePerson, LeaguePlayer, NumberElsewhere, PersonLink

CODE_LENGTH = 10
HOLDER = Actor.of_program("league")
"""Whoever has a link; who that is, is nobody's business."""
MOST_WAITING = 200
"""Numbers that were given and are not used yet."""
MOST_NUMBER = 1_000_000
LONGEST_WEB_NAME = 50


def link_code(link: PersonLink) -> str:
    """The secret of a link: 160 bits from the server's key, stored nowhere."""
    return secret_of("tournaments.person_link", str(link.uuid))


def link_path(link: PersonLink) -> str:
    """The address that a club hands out to one member."""
    return reverse("league_person_link", args=[link.league.slug, link.uuid, link_code(link)])


def link_find(league: League, link_uuid: UUID, code: str) -> PersonLink | None:
    """The link of this address; None if there is none, or it was ended."""
    link = league.person_links.select_related("league", "person").filter(uuid=link_uuid).first()
    return link if link and constant_time_compare(link_code(link), code) else None


def person_code(person: LeaguePerson) -> str:
    """What somebody types at another club to show that the number is theirs: 50 bits."""
    made = salted_hmac("tournaments.league_person", str(person.uuid), algorithm="sha256").digest()
    code = base64.b32encode(made).decode()[:CODE_LENGTH]
    return f"{code[:5]}-{code[5:]}"


def is_code_of(person: LeaguePerson, code: str) -> bool:
    """Whether this code, as somebody typed it, goes with the number of this person."""
    made = person_code(person).replace("-", "")
    return constant_time_compare(made.encode(), _as_typed(code).encode())


def _as_typed(code: str) -> str:
    return "".join(char for char in code.upper() if char.isalnum())


# Links: what a club does, and what whoever has the link does.


@transaction.atomic
def person_link_make(*, league: League, member: Member, actor: Actor) -> PersonLink:
    """The link for a member of a club that plays in the league; the one there is, if there is.

    Raises DomainError `not_in_the_league` or `person_gone`.
    """
    league = league_lock(league.pk)
    if member.erased_at is not None:
        raise DomainError("person_gone", _("This person is no longer on the list."))
    require_plays(league, member.club)
    link, is_new = PersonLink.objects.get_or_create(
        league=league, member_uuid=member.uuid, defaults={"club_uuid": member.club.uuid}
    )
    if is_new:
        league_audit(league, actor, "person_link_made", f"personlink:{link.uuid}")
    return link


def require_plays(league: League, club: Club) -> None:
    """Raises DomainError `not_in_the_league` where no team of the club ever played in it."""
    if not league.seasons.filter(divisions__teams__club_uuid=club.uuid).exists():
        message = _("%(club)s has no team in %(league)s.")
        names = {"club": club.name, "league": league.name}
        raise DomainError("not_in_the_league", message % names)


@transaction.atomic
def person_confirm(
    *, link: PersonLink, actor: Actor, number: int | None = None, code: str = ""
) -> LeaguePerson:
    """Somebody confirms by their link that the league may know them: under a new number, or under
    the one they have, which its code shows. The same again changes nothing.

    Raises DomainError `link_ended`, `number_missing` of a code without its number, `wrong_code`,
    `club_twice`, or `other_number` where the link was confirmed with another one before.
    """
    league = league_lock(link.league_id)
    found = PersonLink.objects.select_related("person").filter(pk=link.pk).first()
    if found is None:
        raise DomainError("link_ended", _("This link is no longer valid. Ask your club for one."))
    if code and number is None:
        raise DomainError("number_missing", _("Fill in the number that this code belongs to."))
    if found.person is not None:
        return _same_person(found.person, number)
    person = _new_person(league) if number is None else _known_person(league, found, number, code)
    PersonLink.objects.filter(pk=found.pk).update(person=person, confirmed_at=timezone.now())
    data = {"number": person.number, "new": number is None}
    league_audit(league, actor, "person_confirmed", f"leagueperson:{person.uuid}", data=data)
    return person


def _same_person(person: LeaguePerson, number: int | None) -> LeaguePerson:
    if number not in (None, person.number):
        message = _(
            "With this link you have number %(n)s already. Is that not yours? End it first, and ask"
            " your club for a new link."
        )
        raise DomainError("other_number", message % {"n": person.number})
    return person


def _new_person(league: League) -> LeaguePerson:
    # Not its version: a leader who is changing the league's name need not know of it.
    number = league.numbers_given + 1
    League.objects.filter(pk=league.pk).update(numbers_given=number)
    return LeaguePerson.objects.create(league=league, number=number)


def _known_person(league: League, link: PersonLink, number: int, code: str) -> LeaguePerson:
    person = league.people.filter(number=number).first()
    if person is None or not is_code_of(person, code):
        message = _(
            "This number and this code do not belong together. Both are on the page of your link"
            " from the other club."
        )
        raise DomainError("wrong_code", message)
    if person.links.filter(club_uuid=link.club_uuid).exists():
        message = _("Somebody of this club has this number already.")
        raise DomainError("club_twice", message)
    return person


@transaction.atomic
def person_link_end(*, link: PersonLink, actor: Actor) -> None:
    """A member of a club is no longer known to the league: their results there count no more. The
    number goes with the last link. Doing it twice is harmless."""
    league = league_lock(link.league_id)
    found = PersonLink.objects.select_related("person").filter(pk=link.pk).first()
    if found is None:
        return
    person = found.person
    found.delete()
    data = {"number": person.number} if person else None
    league_audit(league, actor, "person_link_ended", f"personlink:{found.uuid}", data=data)
    if person and not person.links.exists():
        person.delete()


def people_forget(uuids: Collection[str]) -> None:
    """Somebody is erased: the leagues that know one of these members know them no longer, at no
    club. Published lists have a UUID, which then leads to nobody."""
    links = PersonLink.objects.filter(member_uuid__in=uuids)
    LeaguePerson.objects.filter(links__in=links).delete()
    PersonLink.objects.filter(member_uuid__in=uuids).delete()


def person_link_mail(*, link: PersonLink, member: Member, club: Club) -> None:
    """Mail somebody their own link, in the language of their club."""
    league = link.league
    with translation.override(club.language):
        text = _(
            "Hello %(name)s,\n\n%(league)s would like to know you across clubs, for its rankings."
            " Open this page to say yes or to read more:\n\n%(url)s\n\nThe link is yours alone:"
            " do not forward it.\n\n%(club)s"
        ) % {
            "name": member.name,
            "league": league.name,
            "url": mailed_url(club, link_path(link)),
            "club": club.name,
        }
        mail_soon(subject=_("Your number in %s") % league.name, text=text, to=member.email)


# How they are shown.


@dataclass(frozen=True, slots=True)
class ShownPerson:
    """Somebody of a league as everybody may read them; `number` is None of who is hidden."""

    name: str
    number: int | None = None


def people_shown(league: League, uuids: Iterable[str] | None = None) -> dict[str, ShownPerson]:
    """These people by UUID, or everybody, as the strictest of their clubs shows them; who is no
    longer known is left out. Two queries."""
    links = PersonLink.objects.filter(league=league).exclude(person=None).select_related("person")
    if uuids is not None:
        links = links.filter(person__uuid__in=set(uuids))
    by_person: dict[LeaguePerson, list[PersonLink]] = defaultdict(list)
    for link in links:
        if link.person:
            by_person[link.person].append(link)
    wanted = [link.member_uuid for own in by_person.values() for link in own]
    members = {member.uuid: member for member in Member.objects.filter(uuid__in=wanted)}
    return {
        str(person.uuid): _shown(
            person, [_name_at(link, members.get(link.member_uuid)) for link in own]
        )
        for person, own in by_person.items()
    }


def nobody() -> ShownPerson:
    """Somebody whom nobody may know."""
    return ShownPerson(Member(public_as=Member.PublicAs.HIDDEN).shown_name)


def _name_at(link: PersonLink, member: Member | None) -> str:
    """What somebody's club calls them to everybody; empty where nobody may know who it is."""
    if member is None:
        return link.name
    is_shown = member.erased_at is None and shows_own_name(member)
    return member.shown_name if is_shown else ""


def _shown(person: LeaguePerson, names: Sequence[str]) -> ShownPerson:
    """By the name that says least: initials are shorter than what they are of."""
    return ShownPerson(min(names, key=len), person.number) if all(names) else nobody()


def shows_own_name(member: Member) -> bool:
    """Whether a club tells everybody who this is: not hidden, nor shown under another name."""
    other = bool(member.public_name) and name_key(member.public_name) != name_key(member.name)
    return member.public_as != Member.PublicAs.HIDDEN and not other


# What a club sees.


@dataclass(frozen=True, slots=True)
class ClubPerson:
    """A member of a club in a league, and their link."""

    member: Member
    link: PersonLink | None

    @property
    def address(self) -> str:
        """The address to hand out; empty without a link."""
        return link_path(self.link) if self.link else ""


def club_people(league: League, club: Club) -> list[ClubPerson]:
    """The members of a club that play for its teams or have a link, by surname. Three queries."""
    players = LeaguePlayer.objects.filter(
        team__division__season__league=league, team__club_uuid=club.uuid
    )
    playing = {player.member_uuid for player in players if player.member_uuid}
    own = Member.objects.of(club).filter(erased_at=None)
    linked = PersonLink.objects.filter(league=league, member_uuid__in=own.values("uuid"))
    links: Mapping[UUID, PersonLink] = {
        link.member_uuid: link for link in linked.select_related("person", "league")
    }
    members = own.filter(uuid__in=playing | links.keys())
    return [ClubPerson(member, links.get(member.uuid)) for member in members.by_surname()]


# Of clubs on other servers. There is no link for their people: the leader gives a number with a
# code, by which the events of their club show that it is theirs.


@transaction.atomic
def person_number_give(*, league: League, actor: Actor) -> LeaguePerson:
    """A number for somebody of a club on another server, who is known once an event has it.

    Raises DomainError `too_many_numbers`.
    """
    league = league_lock(league.pk)
    if league.people.filter(links=None).count() >= MOST_WAITING:
        message = _("%(n)s numbers were given and not used yet; take some back first.")
        raise DomainError("too_many_numbers", message % {"n": MOST_WAITING})
    person = _new_person(league)
    data = {"number": person.number}
    league_audit(league, actor, "person_number_given", f"leagueperson:{person.uuid}", data=data)
    return person


@transaction.atomic
def person_number_take_back(*, person: LeaguePerson, actor: Actor) -> None:
    """Somebody of clubs on other servers is known no longer; doing it twice is harmless.

    Raises DomainError `known_here` of whom a club on this server has a link: they end it.
    """
    league = league_lock(person.league_id)
    links = PersonLink.objects.filter(person=person)
    here = Club.objects.filter(uuid__in=links.values("club_uuid"))
    if here.exists():
        raise DomainError("known_here", _("Somebody of a club here ends it by their own link."))
    gone, _of_each = LeaguePerson.objects.filter(pk=person.pk).delete()
    if gone:
        about, data = f"leagueperson:{person.uuid}", {"number": person.number}
        league_audit(league, actor, "person_number_taken_back", about, data=data)


@dataclass(frozen=True, slots=True)
class PersonElsewhere:
    """Whom a league knows at clubs on other servers only; without a club the number is given and
    not used yet."""

    person: LeaguePerson
    clubs: Sequence[str]
    name: str

    @property
    def code(self) -> str:
        """What goes with the number."""
        return person_code(self.person)


def people_elsewhere(league: League) -> list[PersonElsewhere]:
    """Them all, by number. Four queries at most."""
    here = set(Club.objects.values_list("uuid", flat=True))
    clubs = dict(league.sources.exclude(club_uuid=None).values_list("club_uuid", "club"))
    people = [
        (person, list(person.links.all()))
        for person in league.people.prefetch_related("links").order_by("number")
    ]
    return [
        PersonElsewhere(
            person,
            [clubs.get(link.club_uuid, "?") for link in links],
            (min((link.name for link in links), key=len) or nobody().name) if links else "",
        )
        for person, links in people
        if not any(link.club_uuid in here for link in links)
    ]


def numbers_follow(*, league: League, document: Mapping[str, Any], actor: Actor) -> list[Note]:
    """Whoever has a number in an event of a club on another server, with its code, is that person
    from now on; how the club shows them follows. What could not be used is returned.

    For a service that holds the lock of the league.
    """
    club = UUID(document["club"]["id"])
    if Club.objects.filter(uuid=club).exists():
        return []
    members = [UUID(each["id"]) for each in document["participants"]]
    known = league.person_links.filter(Q(club_uuid=club) | Q(member_uuid__in=members))
    links = {link.member_uuid: link for link in known}
    of_others = {uuid for uuid, link in links.items() if link.club_uuid != club}
    of_others |= set(Member.objects.filter(uuid__in=members).values_list("uuid", flat=True))
    numbers = [int(each["number"]) for each in document["participants"] if each["number"]]
    by_number = {person.number: person for person in league.people.filter(number__in=numbers)}
    taken = {link.person_id: uuid for uuid, link in links.items() if uuid not in of_others}
    notes = []
    for uuid, each in zip(members, document["participants"], strict=True):
        link = links.get(uuid)
        person = by_number.get(int(each["number"])) if each["number"] else None
        if uuid in of_others:
            if each["number"]:
                notes.append(note("number_elsewhere", number=each["number"]))
            continue
        is_theirs = person is not None and is_code_of(person, each["code"] or "")
        if each["number"] and not is_theirs:
            notes.append(note("number_wrong", number=each["number"]))
        elif person is not None and taken.setdefault(person.pk, uuid) != uuid:
            notes.append(note("number_taken", number=each["number"]))
        elif person is not None and (link is None or link.person_id != person.pk):
            _known_elsewhere(league, link or PersonLink(member_uuid=uuid), club, person)
            data = {"number": person.number, "new": False}
            about = f"leagueperson:{person.uuid}"
            league_audit(league, actor, "person_confirmed", about, data=data)
        if link is None and not is_theirs:
            continue
        shown = each["name"] if is_theirs else ""
        PersonLink.objects.filter(league=league, club_uuid=club, member_uuid=uuid).exclude(
            name=shown
        ).update(name=shown)
    return notes


def _known_elsewhere(league: League, link: PersonLink, club: UUID, person: LeaguePerson) -> None:
    link.league, link.club_uuid = league, club
    link.person, link.confirmed_at = person, timezone.now()
    link.save()


# The numbers that people of a club here have in leagues on other servers.


@transaction.atomic
def number_elsewhere_write(
    *, member: Member, league: str, number: int, code: str, actor: Actor
) -> NumberElsewhere:
    """Note the number that somebody has in a league on another server: it goes there with the
    club's evenings. The same again changes nothing.

    Raises DomainError `league_missing`, `wrong_code`, `person_gone` or `number_taken`.
    """
    club = club_lock(member.club_id)
    league = league_name(league)
    typed = _as_typed(code)
    if len(typed) != CODE_LENGTH or not typed.isascii() or not 0 < number < MOST_NUMBER:
        message = _("A code has ten letters and digits, and a number six digits at most.")
        raise DomainError("wrong_code", message)
    if member.erased_at is not None:
        raise DomainError("person_gone", _("This person is no longer on the list."))
    of_club = NumberElsewhere.objects.filter(member__club=club, league=league)
    other = of_club.filter(number=number).exclude(member=member).select_related("member").first()
    if other is not None:
        message = _("%(name)s has number %(n)s of that league already.")
        raise DomainError("number_taken", message % {"name": other.member.desk_name, "n": number})
    columns = {"number": number, "code": f"{typed[:5]}-{typed[5:]}"}
    if (same := of_club.filter(member=member, **columns).first()) is not None:
        return same
    row, _new = NumberElsewhere.objects.update_or_create(
        member=member, league=league, defaults=columns
    )
    _audit_number(row, actor, "number_elsewhere_noted")
    return row


@transaction.atomic
def number_elsewhere_remove(*, row: NumberElsewhere, actor: Actor) -> None:
    """A number goes with no evening any more. Doing it twice is harmless."""
    club_lock(row.member.club_id)
    gone, _of_each = NumberElsewhere.objects.filter(pk=row.pk).delete()
    if gone:
        _audit_number(row, actor, "number_elsewhere_removed")


def _audit_number(row: NumberElsewhere, actor: Actor, action: str) -> None:
    club = row.member.club
    event_append(
        chain=club,
        club=club,
        actor=actor,
        action=action,
        object_ref=f"member:{row.member.uuid}",
        data={"number": row.number},
        texts={"league": row.league},
    )


def league_name(typed: str) -> str:
    """The web name of a league on another server. Raises DomainError `league_missing`."""
    name = typed.strip().lower()
    if not name or len(name) > LONGEST_WEB_NAME:
        message = _("Fill in the web name of the league: its leader sees it on the page for this.")
        raise DomainError("league_missing", message)
    return name


describe(
    {
        "person_number_given": gettext_lazy("Number %(number)s was given to somebody"),
        "person_number_taken_back": gettext_lazy("Number %(number)s was taken back"),
        "number_elsewhere_noted": gettext_lazy(
            "Number %(number)s of the league “%(league)s” was noted"
        ),
        "number_elsewhere_removed": gettext_lazy(
            "Number %(number)s of the league “%(league)s” was removed"
        ),
    }
)
