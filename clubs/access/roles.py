"""Callers, actions and permissions, built on `rules` predicates.

An action says which `role` it needs and `when` it can be done. A caller without the role is refused
before anything else. That it cannot be done now is up to the service, which says why. `may` checks
both, so that no page offers what would be refused.
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
    """Anything that belongs to one club."""

    @property
    def club(self) -> Club: ...


Target = Club | OfClub
V = TypeVar("V", bound=Callable[..., object])


@dataclass(slots=True, kw_only=True)
class Caller:
    """The sender of a request: a user, perhaps with a token limited to some `scopes`, or the holder
    of a `link`. Their role at each club is looked up once."""

    user: User | AnonymousUser = field(default_factory=AnonymousUser)
    scopes: frozenset[str] | None = None
    link: object | None = None
    roles: dict[int, str | None] = field(default_factory=dict)

    def role_at(self, club: Club) -> str | None:
        """Their role at this club, or None."""
        if not isinstance(self.user, User):
            return None
        if club.pk not in self.roles:
            mine = Role.objects.filter(user=self.user, club=club)
            self.roles[club.pk] = mine.values_list("kind", flat=True).first()
        return self.roles[club.pk]

    def has_scope(self, scope: str) -> bool:
        """Whether their token covers `scope`; a login covers all, and public actions have none."""
        return not scope or self.scopes is None or scope in self.scopes


Check = Callable[[Caller, Target], bool]


@dataclass(frozen=True, slots=True)
class Action:
    """Something that is done at a club. A token must have `scope` for it; `about` says in English
    what it is, for the matrix in the docs."""

    name: str
    about: str
    role: rules.Predicate
    when: rules.Predicate
    scope: str


ACTIONS: dict[str, Action] = {}
"""Every action by name, in order of definition."""


def action(
    name: str,
    about: str,
    role: rules.Predicate,
    *,
    scope: str,
    when: rules.Predicate = rules.always_true,
) -> Action:
    """Define an action; it becomes a permission of `rules` under its name too."""
    made = Action(name, about, role, when, scope)
    rules.add_perm(name, role & when & _for_scope(scope))
    ACTIONS[name] = made
    return made


def may(source: Caller | HttpRequest | Request, needed: Action, target: Target) -> bool:
    """Whether the caller has the role and it can be done now; for a whole club: at some time."""
    caller = source if isinstance(source, Caller) else caller_of(source)
    return bool(rules.has_perm(needed.name, caller, target))


def require(request: HttpRequest | Request, needed: Action, target: Target) -> None:
    """Refuse callers without the role. Whether it can be done now is not checked: the service
    does that.

    Raises NotAuthenticated (401) without a login, and PermissionDenied (403) with code
    `not_allowed`, or `scope_missing` where the token lacks the scope.
    """
    caller = caller_of(request)
    if not needed.role.test(caller, target):
        if not isinstance(caller.user, User):
            raise NotAuthenticated
        raise PermissionDenied(_("This is not your task at this club."), code="not_allowed")
    if not caller.has_scope(needed.scope):
        message = _("This token is not for that: it lacks “%(scope)s”.") % {"scope": needed.scope}
        raise PermissionDenied(message, code="scope_missing")


def caller_of(request: HttpRequest | Request) -> Caller:
    """The caller of this request, the same object for the whole request."""
    user, scopes = _real(request.user), _scopes(getattr(request, "auth", None))
    known: Caller | None = getattr(request, "caller", None)
    if known is None or (known.user, known.scopes) != (user, scopes):
        known = Caller(user=user, scopes=scopes)
        request.caller = known  # type: ignore[union-attr]
    return known


def opens_for(needed: Action | None, view: V) -> V:
    """Note on the view which action opens it; None for a public one. docs/access.md is generated
    from this; the view itself does the check."""
    view.opens_for = needed  # type: ignore[attr-defined]
    return view


def club_of(target: Target) -> Club:
    """The club itself, or the club it belongs to."""
    return target if isinstance(target, Club) else target.club


def predicate(words: str) -> Callable[[Check], rules.Predicate]:
    """Turn a function into a predicate of `rules`, described by these words."""

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


def _for_scope(scope: str) -> rules.Predicate:
    @predicate(f"asks with {scope}")
    def has_scope(caller: Caller, target: Target) -> bool:
        return caller.has_scope(scope)

    return has_scope


def _real(user: object) -> User | AnonymousUser:
    return user if isinstance(user, User) else AnonymousUser()


def _scopes(token: object) -> frozenset[str] | None:
    return frozenset(token.scopes) if isinstance(token, ApiToken) else None
