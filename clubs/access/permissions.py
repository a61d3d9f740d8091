"""Who may do what: callers, actions with their permissions, and the guards of pages and the API.

The language of a page is decided here too: the reader's choice, else the club's, else Dutch.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, wraps
from typing import Concatenate, ParamSpec, Protocol, TypeVar
from urllib.parse import urlsplit, urlunsplit

import rules
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.db.models import ForeignKey, Model, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone, translation
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from rest_framework import exceptions
from rest_framework.request import Request

from clubs.audit.services import Actor
from clubs.databases.replica import read_for
from clubs.models import ApiToken, AuditEvent, Club, Role, User, has_second_factor


class LanguageMiddleware:
    """Activates the language of the reader's cookie, else the default.

    The browser's preference is ignored: many Dutch volunteers have an English browser.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        language = chosen_language(request) or settings.LANGUAGE_CODE
        request.LANGUAGE_CODE = language
        # To activate what is active already takes longer than all the rest of this.
        before = translation.get_language()
        if before != language:
            translation.activate(language)
        # It raises nothing: Django makes an answer of every error below.
        response = self.get_response(request)
        spoken = translation.get_language()
        response.headers.setdefault("Content-Language", spoken or language)
        if spoken != before:
            translation.activate(before or settings.LANGUAGE_CODE)
        return response


def chosen_language(request: HttpRequest) -> str | None:
    """The language this reader chose with the switch, or None."""
    chosen = request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME)
    return chosen if chosen and chosen in dict(settings.LANGUAGES) else None


# Callers, actions and permissions, built on `rules` predicates.


class OfClub(Protocol):
    """Anything that belongs to one club."""

    @property
    def club(self) -> Club: ...


Target = Club | OfClub
V = TypeVar("V", bound=Callable[..., object])


@dataclass(slots=True, kw_only=True)
class Caller:
    """The sender of a request: a user, perhaps with a token limited to some `scopes` and to the
    club with the id `only_club`, or the holder of a `link`. Their role at each club is looked up
    once."""

    user: User | AnonymousUser = field(default_factory=AnonymousUser)
    scopes: frozenset[str] | None = None
    only_club: int | None = None
    link: object | None = None
    roles: dict[int, str | None] = field(default_factory=dict)

    def role_at(self, club: Club) -> str | None:
        """Their role at this club, or None: with a token for one club they have none at others, and
        an organiser has none as long as they are held up.

        At a practice club it is the one at the club that it is of, but nobody organises there:
        whom they would invite or erase is not made up.
        """
        if club.practice_of is not None:
            role = self.role_at(club.practice_of)
            return Role.Kind.DIRECTOR if role == Role.Kind.ORGANISER else role
        if not isinstance(self.user, User) or self.only_club not in (None, club.pk):
            return None
        if club.pk not in self.roles:
            kind = _kind_at(club, self.user)
            self.roles[club.pk] = None if self._lacks_factor(club, kind) else kind
        return self.roles[club.pk]

    def is_held_up(self, club: Club) -> bool:
        """Whether they organise this club, but may do nothing before they set up the second factor
        that it asks for."""
        club = club.practice_of or club
        if not club.asks_second_factor or not isinstance(self.user, User):
            return False
        return self._lacks_factor(club, _kind_at(club, self.user))

    def _lacks_factor(self, club: Club, kind: str | None) -> bool:
        """Tokens are not asked: each was made by somebody who was logged in."""
        is_asked = club.asks_second_factor and kind == Role.Kind.ORGANISER and self.scopes is None
        return is_asked and isinstance(self.user, User) and not has_second_factor(self.user)

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
            raise exceptions.NotAuthenticated
        raise exceptions.PermissionDenied(
            _("This is not your task at this club."), code="not_allowed"
        )
    if not caller.has_scope(needed.scope):
        message = _("This token is not for that: it lacks “%(scope)s”.") % {"scope": needed.scope}
        raise exceptions.PermissionDenied(message, code="scope_missing")


def caller_of(request: HttpRequest | Request) -> Caller:
    """The caller of this request, the same object for the whole request."""
    new = _caller(_real(request.user), getattr(request, "auth", None))
    known: Caller | None = getattr(request, "caller", None)
    limits = new.user, new.scopes, new.only_club
    if known is None or (known.user, known.scopes, known.only_club) != limits:
        known = new
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


def _kind_at(club: Club, user: User) -> str | None:
    return Role.objects.filter(user=user, club=club).values_list("kind", flat=True).first()


def _caller(user: User | AnonymousUser, token: object) -> Caller:
    if not isinstance(token, ApiToken):
        return Caller(user=user)
    return Caller(user=user, scopes=frozenset(token.scopes), only_club=token.club_id)


# Lookups of rows by club. Every query goes through here, so that no club sees another's data.

M = TypeVar("M", bound=Model)


def owned(club: Club, model: type[M]) -> QuerySet[M]:
    """The rows of `model` that belong to this club, over any number of foreign keys."""
    return model._default_manager.filter(**{club_path(model): club})


def of_club(club: Club, source: type[M] | QuerySet[M], **lookup: object) -> M:
    """The row of this club that the lookup names; Http404 for none, or another club's."""
    rows = source._default_manager.all() if isinstance(source, type) else source
    return get_object_or_404(rows.filter(**{club_path(rows.model): club}), **lookup)


@cache
def club_path(model: type[Model]) -> str:
    """The shortest lookup from a model to its club. Raises LookupError where there is none."""
    ways: list[tuple[str, type[Model]]] = [("", model)]
    seen = {model}
    for path, here in ways:
        for parent in _parents(here):
            onward = f"{path}{parent.name}"
            if parent.related_model is Club:
                return onward
            if parent.related_model not in seen:
                seen.add(parent.related_model)
                ways.append((f"{onward}__", parent.related_model))
    raise LookupError(f"{model.__name__} is of no club")


def _parents(model: type[Model]) -> list["ForeignKey[Model]"]:
    fields = model._meta.concrete_fields
    # What happened in a league is in no club, and stands in no club's trail.
    return [
        field
        for field in fields
        if isinstance(field, ForeignKey) and (not field.null or field.model is AuditEvent)
    ]


# The actions of a club itself, and the decorators that guard its pages.

P = ParamSpec("P")
ClubView = Callable[Concatenate[HttpRequest, Club, P], HttpResponse]
SlugView = Callable[..., HttpResponse]


@predicate("operates this server")
def is_operator(caller: Caller, _target: Target) -> bool:
    """Whether they are named in `OPERATORS`, and showed that the address is theirs."""
    user = caller.user
    if not isinstance(user, User) or user.email_proved_at is None:
        return False
    return user.email.casefold() in settings.OPERATORS


OPERATE = action(
    "clubs.operate",
    "see how large the clubs of this server are, suspend and delete them",
    is_operator,
    scope="operate",
)
"""Of no club, and of no token: there is none with that scope."""
READ_DESK = action("clubs.read_desk", "open the desk", is_scorekeeper, scope="read")
READ_MEMBERS = action(
    "clubs.read_members", "read the members with their details", is_organiser, scope="read"
)
MANAGE_MEMBERS = action(
    "clubs.manage_members",
    "add, change, merge, import and erase members",
    is_organiser,
    scope="members",
)
MANAGE_CLUB = action(
    "clubs.manage_club", "settings, team, logo, seasons, regulations", is_organiser, scope="members"
)
KEEP_MONEY = action(
    "clubs.keep_money",
    "keep membership fees, packages of evenings and the pot",
    is_organiser,
    scope="members",
)
MAIL_MEMBERS = action(
    "clubs.mail_members", "send mail to members, see whom it reached", is_organiser, scope="members"
)
KEEP_COPIES = action(
    "clubs.keep_copies",
    "download everything of the club, put a copy back, have copies made",
    is_organiser,
    scope="members",
)
READ_TRAIL = action("clubs.read_trail", "read the club's trail", is_organiser, scope="read")
SEE_TRAIL = action(
    "clubs.see_trail",
    "see what happened to a deal or a table, to somebody or by them",
    is_director,
    scope="read",
)


def is_alone(club: Club) -> bool:
    """Whether this is a computer of this club alone, where its organisers may use folders. On a
    server with a public address, or with other clubs, whoever runs it makes copies."""
    others = Club.objects.listed().filter(is_demo=False).exclude(pk=club.pk)
    return not settings.PUBLIC_URL and not others.exists()


def desk_view(
    needed: Action, *, while_suspended: bool = False
) -> Callable[[ClubView[P]], SlugView]:
    """A view of a club's desk: it gets the club in place of its slug, and is open to those whose
    role allows `needed`. Whether that can be done now is up to the view.

    Without a login it redirects to the login page, after a write with the page it came from as the
    next one; without the role it answers 403, and 404 for an unknown club. An organiser who
    lacks the second factor that the club asks for is led to where they set it up. Of a club that is
    suspended only what is opened `while_suspended`.
    """

    def decorate(view: ClubView[P]) -> SlugView:
        @wraps(view)
        def guarded(
            request: HttpRequest, slug: str, *args: P.args, **kwargs: P.kwargs
        ) -> HttpResponse:
            club = _club(request, slug)
            if not request.user.is_authenticated:
                return _login_first(request)
            caller = caller_of(request)
            if caller.is_held_up(club):
                return redirect("account_security")
            if not needed.role.test(caller, club):
                raise PermissionDenied
            if club.suspended_at is not None and not while_suspended:
                return render(request, "clubs/hosting/suspended.html", {"club": club}, status=403)
            response = view(request, club, *args, **kwargs)
            response.headers.setdefault("Cache-Control", "private, no-cache")
            return response

        return opens_for(needed, guarded)

    return decorate


def public_view(view: ClubView[P]) -> SlugView:
    """A public page of a club: it gets the club in place of its slug."""

    @wraps(view)
    def shown(request: HttpRequest, slug: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        def read() -> HttpResponse:
            club = _club(request, slug)
            if club.suspended_at is not None:
                raise Http404
            return view(request, club, *args, **kwargs)

        return read_for(request, read)

    return opens_for(None, shown)


def operator_view(view: Callable[Concatenate[HttpRequest, P], HttpResponse]) -> SlugView:
    """A page for whoever operates this server: the login page for others, 403 once logged in."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if not request.user.is_authenticated:
            return _login_first(request)
        if not OPERATE.role.test(caller_of(request), None):
            raise PermissionDenied
        response = view(request, *args, **kwargs)
        response.headers.setdefault("Cache-Control", "private, no-cache")
        return response

    return opens_for(OPERATE, guarded)


def actor_of(request: HttpRequest) -> Actor:
    """The logged-in user as an actor of the trail. Only inside a `desk_view`."""
    if not isinstance(request.user, User):
        raise PermissionDenied
    return Actor.of_user(request.user)


def _login_first(request: HttpRequest) -> HttpResponse:
    if request.method in ("GET", "HEAD"):
        return redirect_to_login(request.get_full_path())
    if "text/html" in request.headers.get("Accept", ""):
        message = _("You are logged out, so nothing was saved. Log in and try again.")
        messages.warning(request, message)
    came_from = request.headers.get("Referer", "")
    if not url_has_allowed_host_and_scheme(came_from, {request.get_host()}):
        return redirect_to_login(request.get_full_path())
    page = urlsplit(came_from)
    return redirect_to_login(urlunsplit(("", "", page.path, page.query, "")))


def _club(request: HttpRequest, slug: str) -> Club:
    club = get_object_or_404(Club, slug=slug)
    if club.practice_until is not None and club.practice_until <= timezone.now():
        raise Http404
    request.club = club  # type: ignore[attr-defined]
    speak_clubs_language(request, club)
    return club


def speak_clubs_language(request: HttpRequest, club: Club) -> None:
    """Use the club's language, unless the reader chose one."""
    if chosen_language(request) is None:
        translation.activate(club.language)
