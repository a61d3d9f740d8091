"""Prints the tables of permissions in docs/access.md, from the predicates that decide them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.core.management.base import BaseCommand
from django.urls import URLPattern, URLResolver, get_resolver
from rules import Predicate

from clubs.access.permissions import ACTIONS, Action, Caller, is_operator, may
from clubs.api.resource import Resource
from clubs.models import Club, Role, User
from tournaments.leagues.permissions import is_asked_for_number, is_captain, leads
from tournaments.models import Evening, TableToken

State = Evening.State
CLUB = Club(pk=1)

STATES: Mapping[str, Evening] = {
    "planned": Evening(pk=1, club=CLUB, state=State.PLANNED),
    "running": Evening(pk=1, club=CLUB, state=State.RUNNING),
    "frozen": Evening(pk=1, club=CLUB, state=State.RUNNING, frozen=True),
    "closed": Evening(pk=1, club=CLUB, state=State.CLOSED),
    "cancelled": Evening(pk=1, club=CLUB, state=State.CANCELLED),
}
"""An evening in each of its states; a closed one is published."""


def _with_role(kind: Role.Kind | None) -> Caller:
    return Caller(user=User(pk=1), roles={CLUB.pk: kind})


CALLERS: Mapping[str, Caller] = {
    "organiser": _with_role(Role.Kind.ORGANISER),
    "director": _with_role(Role.Kind.DIRECTOR),
    "scorekeeper": _with_role(Role.Kind.SCOREKEEPER),
    "no task here": _with_role(None),
    "table link": Caller(link=TableToken(evening_id=1, table_number=1)),
    "nobody": Caller(user=AnonymousUser()),
}
"""The kinds of callers; people with a role at another club only have none here."""

BESIDE_CLUBS: Mapping[str, Predicate] = {
    "league leader": leads,
    "captain's link": is_captain,
    "link of a number": is_asked_for_number,
    "operator": is_operator,
}
"""The callers who are of no club, in leagues and on the server, with what makes them one."""

NOT_OF_A_CLUB: Mapping[str, str] = {
    "account_email_confirm": "who is logged in and has the link",
    "bring_page": "who sits at the computer itself",
    "bring_send": "who sits at the computer itself",
    "invitation": "who has the link",
    "login_link": "who has the link",
    "password_set": "who has the link",
    "sign_up_club": "who has the link",
}
"""Whom the pages are for that are not about a club; the others are for anybody, but for those of
one's own login."""

Row = Sequence[str]


def access_tables() -> str:
    """Every action by caller and state, every page and every operation of the API, as Markdown.

    Reads no database.
    """
    parts = (
        (
            "What is done, by whom and when",
            ("Action", *CALLERS, *BESIDE_CLUBS, "Token"),
            _action_rows(),
        ),
        ("Pages", ("Address", "For"), _page_rows()),
        ("The API", ("Method", "Address", "For"), _api_rows()),
    )
    return "\n".join(f"## {title}\n\n{_table(head, rows)}" for title, head, rows in parts)


def _action_rows() -> Iterator[Row]:
    for action in ACTIONS.values():
        cells = (_when(action, caller) for caller in CALLERS.values())
        beside = ("yes" if action.role is role else "–" for role in BESIDE_CLUBS.values())
        token = f"`{action.scope}`" if action.scope else ""
        yield f"`{action.name}`: {action.about}", *cells, *beside, token


def _when(action: Action, caller: Caller) -> str:
    """The states of an evening in which the caller may; yes or never for actions on a club."""
    states = [name for name, evening in STATES.items() if may(caller, action, evening)]
    if len(states) == len(STATES):
        return "yes"
    return ", ".join(states) or "–"


def _page_rows() -> Iterator[Row]:
    for path, pattern in _addresses():
        if _resource(pattern) is None:
            action = getattr(pattern.callback, "opens_for", None)
            others = "who is logged in" if _is_own(pattern.callback) else "anybody"
            yield f"`/{path}`", _for_whom(pattern.name or "", action, others)


def _is_own(view: Any) -> bool:
    """Whether it is a page of one's own login, perhaps behind another decorator."""
    return getattr(view, "is_own", False)


def _for_whom(name: str, action: Action | None, others: str = "anybody") -> str:
    return f"`{action.name}`" if action else NOT_OF_A_CLUB.get(name, others)


def _api_rows() -> Iterator[Row]:
    for path, pattern in _addresses():
        resource = _resource(pattern)
        for method, need in resource.needs.items() if resource else ():
            yield (
                method.upper(),
                f"`/{path}`",
                _for_whom("", need if isinstance(need, Action) else None),
            )


def _resource(pattern: URLPattern) -> type[Resource] | None:
    view = getattr(pattern.callback, "cls", None)
    return view if isinstance(view, type) and issubclass(view, Resource) else None


def _addresses() -> Iterator[tuple[str, URLPattern]]:
    """Every address with its pattern, in order of the address."""
    return iter(sorted(_below(get_resolver().url_patterns), key=lambda item: item[0]))


def _below(
    patterns: Iterable[URLPattern | URLResolver], before: str = ""
) -> Iterator[tuple[str, URLPattern]]:
    for pattern in patterns:
        path = f"{before}{pattern.pattern}"
        if isinstance(pattern, URLResolver):
            yield from _below(pattern.url_patterns, path)
        else:
            yield path, pattern


def _table(head: Row, rows: Iterable[Row]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


class Command(BaseCommand):
    """`manage.py access`: every action, page and operation of the API, and who may use it."""

    help = "Print who may do what, in tables, as the code decides it."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(access_tables(), ending="")
