"""The order of names where points leave a tie, and places that are shared."""

from collections.abc import Iterable, Iterator, Sized
from typing import Protocol, TypeVar


class Named(Protocol):
    """Somebody with a name and an id."""

    @property
    def name(self) -> str: ...

    @property
    def player_id(self) -> str: ...


Group = TypeVar("Group", bound=Sized)


def name_order(person: Named) -> tuple[str, str, str]:
    """A sort key: names by casefolded code points; the id settles namesakes."""
    return (person.name.casefold(), person.name, person.player_id)


def shared_places(groups: Iterable[Group]) -> Iterator[tuple[int, Group]]:
    """Each group of equals with its place: 1, 2, 2, 4 for groups of one, two and one."""
    place = 1
    for group in groups:
        yield place, group
        place += len(group)
