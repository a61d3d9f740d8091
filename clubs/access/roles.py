"""Who asks, what they want to do, and whether they may: named actions over `rules` predicates.

An action says whose task it is (`who`) and when it can be done (`when`). A person for whom it is
no task is refused before anything else; that it cannot be done now is for the service to say, in
words, and `may` knows both, so that no page offers what would be refused.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

import rules
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.utils.translation import gettext as _
from rest_framework.exceptions import NotAuthenticated, PermissionDenied
from rest_framework.request import Request

from clubs.models import ApiToken, Club, Role, User


class OfClub(Protocol):
    """Anything that is of one club."""

    @property
    def club(self) -> Club: ...


Target = Club | OfClub
V = TypeVar("V", bound=Callable[..., object])


@dataclass(slots=True, kw_only=True)
class Caller:
    """Who asks: a person, perhaps through a program with a token that is for some `scopes` only,
    or whoever holds a `link`. His role at each club is looked up once."""

    user: User | AnonymousUser = field(default_factory=AnonymousUser)
    scopes: frozenset[str] | None = None
    link: object | None = None
    roles: dict[int, str | None] = field(default_factory=dict)

    def role_at(self, club: Club) -> str | None:
        """His role at this club, or None."""
        if not isinstance(self.user, User):
            return None
        if club.pk not in self.roles:
            mine = Role.objects.filter(user=self.user, club=club)
            self.roles[club.pk] = mine.values_list("kind", flat=True).first()
        return self.roles[club.pk]

    def has_scope(self, scope: str) -> bool:
        """Whether their token covers `scope`; a login covers all, and what is public has none."""
        return not scope or self.scopes is None or scope in self.scopes


Check = Callable[[Caller, Target], bool]


@dataclass(frozen=True, slots=True)
class Action:
    """Something that is done at a club. A token must have `scope` for it; `about` says in English
    what it is, for the matrix in the docs."""

    name: str
    about: str
    who: rules.Predicate
    when: rules.Predicate
    scope: str


def action(
    name: str,
    about: str,
    who: rules.Predicate,
    *,
    scope: str,
    when: rules.Predicate = rules.always_true,
) -> Action:
    """A new action, which from now on is a permission of `rules` under its name as well."""
    made = Action(name, about, who, when, scope)
    rules.add_perm(name, who & when & _for_scope(scope))
    ACTIONS[name] = made
    return made


ACTIONS: dict[str, Action] = {}
"""Every action by its name, in the order in which they are told."""


def predicate(words: str) -> Callable[[Check], rules.Predicate]:
    """Makes a predicate of `rules` of a function, told in these words."""

    def made_of(check: Check) -> rules.Predicate:
        return rules.Predicate(check, words)

    return made_of


def by_role(*kinds: Role.Kind) -> rules.Predicate:
    """Whether the caller has one of these roles at the club it is about."""

    @predicate(f"is {' or '.join(kinds)}")
    def has_role(caller: Caller, target: Target) -> bool:
        return caller.role_at(club_of(target)) in kinds

    return has_role


is_organiser = by_role(Role.Kind.ORGANISER)
is_director = by_role(Role.Kind.ORGANISER, Role.Kind.DIRECTOR)
is_scorekeeper = by_role(Role.Kind.ORGANISER, Role.Kind.DIRECTOR, Role.Kind.SCOREKEEPER)


def may(who: Caller | HttpRequest | Request, asked: Action, target: Target) -> bool:
    """Whether who asks may do this, and it can be done now; of a whole club: at some time."""
    caller = who if isinstance(who, Caller) else caller_of(who)
    return bool(rules.has_perm(asked.name, caller, target))


def require(request: HttpRequest | Request, asked: Action, target: Target) -> None:
    """Let nobody through whose task this is not. That it cannot be done now is not looked at: the
    service says so.

    Raises NotAuthenticated (401) for who is not logged in and PermissionDenied (403), with code
    `not_allowed`, or `scope_missing` where their token is for other things.
    """
    caller = caller_of(request)
    if not asked.who.test(caller, target):
        if not isinstance(caller.user, User):
            raise NotAuthenticated
        raise PermissionDenied(_("This is not your task at this club."), code="not_allowed")
    if not caller.has_scope(asked.scope):
        message = _("This token is not for that: it lacks “%(scope)s”.") % {"scope": asked.scope}
        raise PermissionDenied(message, code="scope_missing")


def caller_of(request: HttpRequest | Request) -> Caller:
    """Who asks this, the same Caller for the whole request."""
    user, scopes = _real(request.user), _scopes(getattr(request, "auth", None))
    known: Caller | None = getattr(request, "caller", None)
    if known is None or (known.user, known.scopes) != (user, scopes):
        known = Caller(user=user, scopes=scopes)
        request.caller = known  # type: ignore[union-attr]
    return known


def opens_for(asked: Action | None, view: V) -> V:
    """The view, which now tells in `opens_for` whose it is: for whom this is a task, or with None
    anybody's. It is what docs/access.md is made of; the view itself lets in or refuses."""
    view.opens_for = asked  # type: ignore[attr-defined]
    return view


def club_of(target: Target) -> Club:
    """The club itself, or whose this is."""
    return target if isinstance(target, Club) else target.club


def _for_scope(scope: str) -> rules.Predicate:
    @predicate(f"asks with {scope}")
    def has_scope(caller: Caller, target: Target) -> bool:
        return caller.has_scope(scope)

    return has_scope


def _real(user: object) -> User | AnonymousUser:
    return user if isinstance(user, User) else AnonymousUser()


def _scopes(token: object) -> frozenset[str] | None:
    return frozenset(token.scopes) if isinstance(token, ApiToken) else None
