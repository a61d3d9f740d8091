"""Headings and columns as they are found."""

from hypothesis import given
from hypothesis import strategies as st

from clubs.lists.core.layout import Field, best_sheet, guess_layout, repeats_headings, rows_of
from clubs.lists.core.sheet import Line, Sheet

FIELDS = [
    Field("number", ("nr", "lidnummer", "number"), "number"),
    Field("name", ("naam", "name"), "name"),
    Field("surname", ("achternaam",)),
    Field("email", ("e-mail", "e-mailadres", "mail"), "email"),
    Field("phone", ("tel", "telefoon", "mobiel"), "phone", shared=" / "),
]


def sheet(*lines: str, name: str = "") -> Sheet:
    numbered = enumerate(lines, 1)
    return Sheet(name, tuple(Line(at, tuple(line.split(";"))) for at, line in numbered if line))


def test_headings_below_a_title_with_an_empty_column_before_them() -> None:
    found = guess_layout(sheet("Ledenlijst 2025", "", ";Naam lid;Soort", ";Jan Bos;A"), FIELDS)
    assert (found.below, found.columns) == (2, (None, "name", None))


def test_two_lines_of_headings() -> None:
    found = guess_layout(sheet("Nr;Naam;Tel", ";(voluit);(mobiel)", "1;Jan;06"), FIELDS)
    assert (found.below, found.headings) == (2, ("Nr", "Naam (voluit)", "Tel (mobiel)"))


def test_headings_explained_in_brackets_and_more_of_them_below() -> None:
    found = guess_layout(
        sheet("Nr;Naam;Bereikbaar;", "(getal);(voluit);Tel;Mail", "1;Jan;06;"), FIELDS
    )
    assert (found.below, found.columns) == (2, ("number", "name", "phone", "email"))


def test_no_headings_columns_by_content() -> None:
    lines = "1;Jan Bos;0612345678;jan@x.nl", "2;Mia Kok;;mia@x.nl"
    found = guess_layout(sheet(*lines), FIELDS)
    assert (found.below, found.columns) == (0, ("number", "name", "phone", "email"))


def test_a_title_above_a_list_without_headings() -> None:
    found = guess_layout(sheet("Leden per 1 mei", "Jan Bos;0612345678", "Mia Kok;"), FIELDS)
    assert (found.below, found.columns) == (1, ("name", "phone"))


def test_a_heading_that_says_nothing_leaves_it_to_the_content() -> None:
    found = guess_layout(sheet("Naam;Kolom2;Kolom3", "Jan;j@x.nl;12", "Mia;m@x.nl;13"), FIELDS)
    assert found.columns == ("name", "email", None)


def test_headings_that_are_not_known() -> None:
    found = guess_layout(sheet("Wie;Sterkte;Bel", "Jan Bos;5;0612345678", "Mia;6;"), FIELDS)
    assert (found.below, found.columns) == (1, ("name", None, "phone"))


def test_a_field_is_taken_once_unless_it_is_shared() -> None:
    found = guess_layout(sheet("Naam;Naam partner;Tel;Mobiel", "Jan;Mia;020;06"), FIELDS)
    assert found.columns == ("name", None, "phone", "phone")
    rows = rows_of(sheet("Naam;Naam partner;Tel;Mobiel", "Jan;Mia;020;06"), found, FIELDS)
    assert [row["phone"] for row in rows] == ["020 / 06"]


def test_columns_assigned_by_hand() -> None:
    list_sheet = sheet("Wie;Wat", "Jan;x")
    found = guess_layout(list_sheet, FIELDS).assign({0: "name", 1: None})
    assert [row["name"] for row in rows_of(list_sheet, found, FIELDS)][-1] == "Jan"


def test_headings_again_on_the_next_page() -> None:
    list_sheet = sheet("Nr;Naam", "1;Jan", "Nr;Naam")
    found = guess_layout(list_sheet, FIELDS)
    assert [repeats_headings(line, found) for line in list_sheet.lines[1:]] == [False, True]


def test_the_sheet_with_the_list_among_many() -> None:
    covers = [sheet("Klaverjasclub", "Welkom", name=f"Blad{n}") for n in range(200)]
    members = sheet("Nr;Naam;Tel", "1;Jan;06", name="Leden")
    assert best_sheet([*covers[:120], members, *covers[120:]], FIELDS) == 120


@given(st.lists(st.lists(st.text(max_size=12), max_size=6), max_size=12))
def test_every_cell_of_an_assigned_column_comes_back(lines: list[list[str]]) -> None:
    cells = [Line(at, tuple(line)) for at, line in enumerate(lines, 1) if any(line)]
    any_sheet = Sheet("", tuple(cells))
    found = guess_layout(any_sheet, FIELDS)
    assert len(found.columns) == len(found.headings) == any_sheet.width
    rows = list(rows_of(any_sheet, found, FIELDS))
    assert [row.line for row in rows] == cells[found.below :]
    for at, key in enumerate(found.columns):
        if key is not None:
            assert all(row.line.cell(at) in row[key] for row in rows)
