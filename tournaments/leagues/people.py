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
from uuid import UUID

from django.db import transaction
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import gettext as _

from clubs.accounts.services import mail_soon
from clubs.audit.services import Actor
from clubs.http.network import mailed_url
from clubs.models import Club, Member
from clubs.text.errors import DomainError
from clubs.text.names import name_key
from tournaments.entries.texts import secret_of
from tournaments.leagues.services import league_audit, league_lock
from tournaments.leagues.teams import STRICTNESS
from tournaments.models import League, LeaguePerson, LeaguePlayer, PersonLink

CODE_LENGTH = 10


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

    Raises DomainError `link_ended`, `wrong_code` or `club_twice`.
    """
    league = league_lock(link.league_id)
    found = PersonLink.objects.select_related("person").filter(pk=link.pk).first()
    if found is None:
        raise DomainError("link_ended", _("This link is no longer valid. Ask your club for one."))
    if found.person is not None:
        return found.person
    person = _known_person(league, found, number, code) if number else _new_person(league)
    PersonLink.objects.filter(pk=found.pk).update(person=person, confirmed_at=timezone.now())
    data = {"number": person.number, "new": not number}
    league_audit(league, actor, "person_confirmed", f"leagueperson:{person.uuid}", data=data)
    return person


def _new_person(league: League) -> LeaguePerson:
    # Not its version: a leader who is changing the league's name need not know of it.
    number = league.numbers_given + 1
    League.objects.filter(pk=league.pk).update(numbers_given=number)
    return LeaguePerson.objects.create(league=league, number=number)


def _known_person(league: League, link: PersonLink, number: int, code: str) -> LeaguePerson:
    person = league.people.filter(number=number).first()
    typed = "".join(char for char in code.upper() if char.isalnum())
    if person is None or not constant_time_compare(
        person_code(person).replace("-", "").encode(), typed.encode()
    ):
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
    by_person: dict[LeaguePerson, list[UUID]] = defaultdict(list)
    for link in links:
        if link.person:
            by_person[link.person].append(link.member_uuid)
    wanted = [uuid for own in by_person.values() for uuid in own]
    members = {member.uuid: member for member in Member.objects.filter(uuid__in=wanted)}
    return {
        str(person.uuid): _shown(person, [members.get(uuid) for uuid in own])
        for person, own in by_person.items()
    }


def nobody() -> ShownPerson:
    """Somebody whom nobody may know."""
    return ShownPerson(Member(public_as=Member.PublicAs.HIDDEN).shown_name)


def _shown(person: LeaguePerson, members: Sequence[Member | None]) -> ShownPerson:
    present = [member for member in members if member and member.erased_at is None]
    is_hidden = len(present) < len(members) or any(
        member.public_as == Member.PublicAs.HIDDEN or _has_another_name(member)
        for member in present
    )
    if is_hidden or not present:
        return nobody()
    strictest = max(present, key=lambda member: STRICTNESS.index(member.public_as))
    return ShownPerson(strictest.shown_name, person.number)


def _has_another_name(member: Member) -> bool:
    return bool(member.public_name) and name_key(member.public_name) != name_key(member.name)


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
    links: Mapping[UUID, PersonLink] = {
        link.member_uuid: link
        for link in PersonLink.objects.filter(league=league, club_uuid=club.uuid).select_related(
            "person", "league"
        )
    }
    members = Member.objects.of(club).filter(uuid__in=playing | links.keys(), erased_at=None)
    return [ClubPerson(member, links.get(member.uuid)) for member in members.by_surname()]
