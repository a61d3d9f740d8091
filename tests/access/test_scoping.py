"""What is of a club is looked up through that club: no view and no part of the API forgets it."""

import ast
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TypeGuard

import pytest
from django.apps import apps
from django.db.models import Model
from django.http import Http404

from clubs.access.permissions import club_path, of_club, owned
from clubs.models import AuditText, Club, Member, User
from scoring.models import DealConfirmation, DealEntry
from tests.factories import ClubFactory, MemberFactory
from tournaments.models import EveningSummary, Placement, Table, TableToken

HOUSE = Path(__file__).parents[2]
ANSWERS = re.compile(r"/(\w+_)?(views|api)(_base)?(/\w+)?\.py$")
FILES = sorted(
    path
    for app in ("clubs", "scoring", "tournaments")
    for path in (HOUSE / app).rglob("*.py")
    if ANSWERS.search(path.as_posix())
)
OF_ROWS_IN_HAND = {
    "tournaments/desk/views/public.py": 1,
    "tournaments/duplicate/views/desk.py": 4,
    "tournaments/leagues/views/public.py": 1,
    "tournaments/leagues/views/rankings.py": 1,
    "tournaments/planner/api.py": 3,
    "tournaments/planner/views.py": 2,
    "tournaments/players/views/encounters.py": 2,
    "tournaments/players/views/player.py": 2,
    "tournaments/printing/views.py": 2,
    "tournaments/scoresheets/views/access.py": 1,
    "tournaments/sheet_photos/views.py": 2,
}
"""Lines by module that ask for the rows of an evening or a draw already looked up in the club, or
of a league, or for whom a secret link is."""

OWN_APPS = {"clubs", "scoring", "tournaments"}


def _is_owned(model: type[Model]) -> bool:
    try:
        club_path(model)
    except LookupError:
        return False
    return True


OWNED = {
    model.__name__
    for model in apps.get_models()
    if model._meta.app_label in OWN_APPS and _is_owned(model)
}


def forgetful_lines(source: str) -> list[int]:
    """The lines that ask for rows of a club-owned model without saying of which club.

    `Model.objects.of(club)`, `owned(club, Model)`, `of_club(club, Model)` and `filter(club=club)`
    do say it; a subquery (OuterRef) is tied to the rows around it, and `none()` asks for no rows.
    """
    tree = ast.parse(source)
    outside = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    asked = (node for node in ast.walk(tree) if _asks(node))
    return sorted({node.lineno for node in asked if not _says_club(node, outside)})


def _asks(node: ast.AST) -> TypeGuard[ast.expr]:
    if isinstance(node, ast.Attribute):
        return node.attr in ("objects", "_default_manager") and _names_owned(node.value)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        shortcut = node.func.id in ("get_object_or_404", "get_list_or_404")
        return shortcut and bool(node.args) and _names_owned(node.args[0])
    return False


def _names_owned(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id in OWNED


def _says_club(node: ast.AST, outside: Mapping[ast.AST, ast.AST]) -> bool:
    """Whether the chain of calls on this does: `.select_related(…).filter(club=club)`."""
    while isinstance(node, ast.Attribute | ast.Call):
        if isinstance(node, ast.Attribute) and node.attr in ("of", "none"):
            return True
        if isinstance(node, ast.Call) and not _excludes(node) and any(map(_ties, node.keywords)):
            return True
        around = outside[node]
        if isinstance(around, ast.Call) and around.func is not node:
            return False
        node = around
    return False


def _excludes(node: ast.Call) -> bool:
    return isinstance(node.func, ast.Attribute) and node.func.attr == "exclude"


def _ties(keyword: ast.keyword) -> bool:
    of_club = keyword.arg in ("club", "club__slug")
    outer = isinstance(keyword.value, ast.Call) and ast.unparse(keyword.value.func) == "OuterRef"
    return of_club or outer


def test_every_view_says_of_which_club() -> None:
    lines = {
        path.relative_to(HOUSE).as_posix(): len(forgetful_lines(path.read_text(encoding="utf-8")))
        for path in FILES
    }
    assert len(lines) > 60
    assert {path: count for path, count in lines.items() if count} == OF_ROWS_IN_HAND


def test_a_view_that_forgets_is_noticed() -> None:
    lines = [
        "get_object_or_404(Evening, pk=pk)",
        "Member.objects.get(pk=pk)",
        "DealEntry.objects.filter(deal__number=1).first()",
        "Placement.objects.select_related('member')",
        "Season._default_manager.all()",
        "shown(Member.objects.all(), club=club)",
        "Member.objects.exclude(club=club)",
    ]
    assert forgetful_lines("\n".join(lines)) == [1, 2, 3, 4, 5, 6, 7]


def test_what_says_it_is_let_through() -> None:
    lines = [
        "of_club(club, Evening, pk=pk)",
        "Member.objects.of(club).get(pk=pk)",
        "owned(club, DealEntry).first()",
        "Placement.objects.filter(member=OuterRef('pk'))",
        "Club.objects.filter(slug=slug)",
        "User.objects.all()",
        "Cup.objects.select_related('season').filter(pk=1, club=club)",
    ]
    assert forgetful_lines("\n".join(lines)) == []


@pytest.mark.parametrize(
    ("model", "path"),
    [
        (Member, "club"),
        (AuditText, "event__club"),
        (DealEntry, "deal__sheet__club"),
        (DealConfirmation, "entry__deal__sheet__club"),
        (Table, "sheet__club"),
        (Placement, "member__club"),
        (TableToken, "evening__club"),
        (EveningSummary, "evening__club"),
    ],
)
def test_the_way_to_the_club(model: type[Model], path: str) -> None:
    assert club_path(model) == path


@pytest.mark.parametrize("model", [Club, User])
def test_what_is_of_no_club(model: type[Model]) -> None:
    with pytest.raises(LookupError):
        club_path(model)


@pytest.mark.django_db
@pytest.mark.both
def test_another_clubs_is_not_there() -> None:
    own, other = ClubFactory.create(), ClubFactory.create()
    member = MemberFactory.create(club=own)
    theirs = MemberFactory.create(club=other)
    assert of_club(own, Member, pk=member.pk) == member
    assert of_club(own, Member.objects.filter(is_active=True), pk=member.pk) == member
    assert list(owned(own, Member)) == [member]
    with pytest.raises(Http404):
        of_club(own, Member, pk=theirs.pk)
    with pytest.raises(Http404):
        of_club(own, Member.objects.all(), pk=theirs.pk)
