"""The pure rule: what stands behind the names of people who share one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clubs.text.names import Named, marks, name_key, named, with_mark

JAN = "Jan de Vries"


def people(*rows: tuple[str | list[str], list[str | int | None]]) -> list[Named]:
    return [
        named(pk, [names] if isinstance(names, str) else names, tellers)
        for pk, (names, tellers) in enumerate(rows, start=1)
    ]


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([(JAN, ["Edam", 2]), ("Mia Kok", ["Edam", 3])], {}),
        ([(JAN, ["Edam", 2]), (JAN, ["Volendam", 24])], {1: "Edam", 2: "Volendam"}),
        # A town that both have tells nobody apart.
        ([(JAN, ["Edam", 2]), (JAN, ["edam", 24])], {1: "2", 2: "24"}),
        ([(JAN, ["sr.", "Edam", 2]), (JAN, ["", "Edam", 24])], {1: "sr.", 2: "24"}),
        ([("JAN  de vries", ["", 2]), (JAN, [None])], {1: "2", 2: "a"}),
        ([(JAN, []), (JAN, []), (JAN, ["b"])], {1: "a", 2: "c", 3: "b"}),
        # Who is called by the name with the mark has it already.
        ([(JAN, ["Edam", 2]), (JAN, [3]), (f"{JAN} (Edam)", [4])], {1: "2", 2: "3"}),
        # Alike in the hall only, where one goes by another name.
        ([([JAN, "Janus"], [2]), (["Piet Bos", "janus"], [3])], {1: "2", 2: "3"}),
        ([(JAN, ["(Edam)"]), (JAN, ["Edam"])], {1: "a", 2: "b"}),
    ],
)
def test_the_first_that_fits_nobody_else(
    rows: list[tuple[str | list[str], list[str | int | None]]], expected: dict[int, str]
) -> None:
    assert marks(people(*rows)) == expected


def test_a_fixed_name_stays_and_the_other_is_told_from_it() -> None:
    assert marks([named(1, ["Oud-lid 1"], [], fixed=True), named(2, ["oud-lid 1"], [])]) == {2: "a"}


words = st.sampled_from(["Jan", "jan ", "Jan (a)", "Jan (2)", "Jan (Edam)", "Jan (a) (2)", "Mia"])
tellers = st.lists(st.sampled_from(["", "a", "A", "b", "2", "Edam", "(Edam)", "x) (y"]), max_size=3)
clubs = st.lists(st.tuples(st.lists(words, min_size=1, max_size=2), tellers), max_size=8)


@given(clubs)
def test_no_two_people_read_alike(rows: list[tuple[list[str], list[str | int | None]]]) -> None:
    there = people(*rows)
    marked = marks(there)
    shown = [
        {name_key(with_mark(reading, marked.get(person.id, ""))) for reading in person.readings}
        for person in there
    ]
    assert sum(map(len, shown)) == len(set().union(*shown))


@given(clubs)
def test_nobody_is_marked_whose_names_are_their_own(
    rows: list[tuple[list[str], list[str | int | None]]],
) -> None:
    there = people(*rows)
    alike = {
        person.id
        for person in there
        for other in there
        if person != other and person.readings & other.readings
    }
    assert marks(there).keys() == alike
