"""A sheet of three as people read and write it: names in place of sides, who plays first."""

from typing import Any

import pytest

from clubs.models import Club
from scoring.deals.director_forms import DirectorDealForm
from scoring.deals.forms import DealForm
from scoring.deals.services import deal_preview
from scoring.display.sheet_view import SheetCell, SheetView, SideLine, line_in_words
from scoring.display.words import DealRefused
from scoring.models import Scoresheet
from scoring.rules import line_of_three
from scoring.sheets.services import sheets_create
from tests.factories import ClubFactory, MemberFactory, regulation_of
from tests.scoring.sheets import deal, write

pytestmark = pytest.mark.django_db

EAST_MADE: dict[str, Any] = {
    "declarer": "E",
    "trump": "H",
    "points": {"NS": 100},
    "roem": {"NS": [20]},
}
SOUTH_NAT: dict[str, Any] = {"declarer": "S", "trump": "C", "points": {"EW": 90}}
"""NS is who plays. East gets 120 and the others 62; then South 0 and the others 162."""


@pytest.fixture
def sheet() -> Scoresheet:
    """Jan, Mia and Piet at North, East and South; Mia deals the first of four deals."""
    return _sheet()


def _sheet(preset: str = "amsterdam") -> Scoresheet:
    club = Club.objects.first() or ClubFactory.create()
    seating = dict(zip("NES", MemberFactory.create_batch(3, club=club), strict=True))
    regulation = regulation_of(club, preset)
    (sheet,) = sheets_create(club=club, regulation=regulation, deals=4, seatings=[seating])  # type: ignore[list-item]
    return sheet


def view_of(sheet: Scoresheet) -> SheetView:
    return SheetView(Scoresheet.objects.select_related("regulation", "club").get(pk=sheet.pk))


def typed(sheet: Scoresheet, **fields: str) -> DealForm:
    version = str(deal(sheet, 1).version)
    data = {"seen_version": version, "uuid": "8b7b2d5e-0c1f-4d2a-9c3b-1f2e3d4c5b6a", **fields}
    return DirectorDealForm(data, view=view_of(sheet), number=1)


class TestLines:
    @pytest.mark.full
    def test_who_plays_comes_first_wherever_he_sits(self, sheet: Scoresheet) -> None:
        write(sheet, 1, written=line_of_three(EAST_MADE))
        write(sheet, 2, written=line_of_three(SOUTH_NAT))
        first, second, third, _fourth = view_of(sheet).rows
        assert (first.declarer, first.ns, first.ew) == (
            "Mia",
            SheetCell(points=100, roem=20),
            SheetCell(points=62, roem=0),
        )
        assert (second.declarer, second.ns, second.ew) == (
            "Piet",
            SheetCell(roem=0, mark="nat", nat=True),
            SheetCell(points=162, roem=0),
        )
        assert [row.people for row in (first, second, third)] == [
            (62, 120, 62),
            (224, 282, 62),
            (None, None, None),
        ]
        assert (third.dealer, third.now) == ("Jan", True)

    @pytest.mark.full
    def test_a_deal_in_a_few_words(self, sheet: Scoresheet) -> None:
        write(sheet, 1, written=line_of_three(EAST_MADE))
        current = deal(sheet, 1).current
        assert current is not None
        assert line_in_words(current, sheet) == "120–62"

    @pytest.mark.full
    def test_the_three_and_how_far_one_is_ahead(self, sheet: Scoresheet) -> None:
        write(sheet, 1, written=line_of_three(EAST_MADE))
        view = view_of(sheet)
        assert view.people == ["Jan", "Mia", "Piet"]
        assert view.sides == [
            SideLine("N", "Jan", 62, leads=False, lead=58),
            SideLine("E", "Mia", 120, leads=True, lead=58),
            SideLine("S", "Piet", 62, leads=False, lead=58),
        ]

    @pytest.mark.full
    def test_two_who_are_level_do_not_lead(self, sheet: Scoresheet) -> None:
        write(sheet, 1, written=line_of_three(SOUTH_NAT))
        assert [(line.total, line.leads) for line in view_of(sheet).sides] == [
            (162, False),
            (162, False),
            (0, False),
        ]


class TestWords:
    @pytest.mark.full
    @pytest.mark.parametrize(
        ("found", "lines"),
        [
            (EAST_MADE, ["Mia 100 + 20 roem = 120, Jan en Piet elk 62: gehaald"]),
            (SOUTH_NAT, ["Piet 72, Jan en Mia elk 90: nat", "Jan en Mia elk 162, Piet 0"]),
            (
                {"declarer": "N", "trump": "D", "reneged": "S"},
                ["Piet heeft verzaakt: Jan 162 + 100 roem = 262, Mia en Piet elk 0"],
            ),
            (
                EAST_MADE | {"corrections": [{"seat": "S", "points": -50, "reason": "telefoon"}]},
                [
                    "Mia 100 + 20 roem = 120, Jan en Piet elk 62: gehaald",
                    "Piet: correctie −50 (telefoon)",
                ],
            ),
        ],
    )
    def test_what_a_deal_comes_to(
        self, sheet: Scoresheet, found: dict[str, Any], lines: list[str]
    ) -> None:
        view = view_of(sheet)
        result = deal_preview(sheet=view.sheet, number=1, written=line_of_three(found))
        assert list(view.deal_in_words(result, view.short_names(1))) == lines


class TestForm:
    @pytest.mark.full
    @pytest.mark.parametrize(
        ("fields", "line"),
        [
            (
                {"declarer": "E", "trump": "H", "points_ew": "62", "roem_ns": "20"},
                {
                    "declarer": "E",
                    "trump": "H",
                    "points": {"NS": 62},
                    "roem": {"EW": [20]},
                    "seats": ["N", "E", "S"],
                },
            ),
            (
                {"declarer": "N", "pit": "EW", "reneged": "S"},
                {
                    "declarer": "N",
                    "trump": None,
                    "pit": "EW",
                    "reneged": "W",
                    "seats": ["N", "E", "W"],
                },
            ),
        ],
    )
    def test_the_columns_are_who_plays_and_the_others(
        self, sheet: Scoresheet, fields: dict[str, str], line: dict[str, Any]
    ) -> None:
        form = typed(sheet, **fields)
        assert form.is_valid()
        assert form.written() == line

    @pytest.mark.full
    def test_a_written_deal_is_filled_in_as_it_was_typed(self, sheet: Scoresheet) -> None:
        correction = {"seat": "N", "points": -10, "reason": "telefoon"}
        found = EAST_MADE | {"reneged": "N", "corrections": [correction]}
        write(sheet, 1, written=line_of_three(found))
        form = DirectorDealForm(view=view_of(sheet), number=1)
        names = "declarer points_ns points_ew roem_ns roem_ew reneged correction_to"
        assert [form[name].value() for name in names.split()] == [
            "E",
            100,
            None,
            "20",
            None,
            "N",
            "N",
        ]

    def test_it_asks_for_people_not_for_sides(self, sheet: Scoresheet) -> None:
        form = DirectorDealForm(view=view_of(sheet), number=1)
        asked = {
            name: [str(label) for _value, label in form.fields[name].choices]  # type: ignore[attr-defined]
            for name in ("declarer", "pit", "reneged", "correction_to")
        }
        assert asked == {
            "declarer": ["Jan", "Mia", "Piet"],
            "pit": ["geen pit", "pit speler", "pit tegen"],
            "reneged": ["niemand", "Jan", "Mia", "Piet"],
            "correction_to": ["–", "Speler", "Tegen", "Jan", "Mia", "Piet"],
        }

    @pytest.mark.full
    def test_the_reasons_know_no_sides(self, sheet: Scoresheet) -> None:
        write(sheet, 1, written=line_of_three(EAST_MADE))
        form = DealForm(view=view_of(sheet), number=1)
        assert "sides" not in dict(form.fields["why"].choices)  # type: ignore[attr-defined]

    @pytest.mark.full
    def test_a_fault_stands_at_the_field_it_is_about(self, sheet: Scoresheet) -> None:
        form = typed(sheet, declarer="E", points_ns="163")
        assert form.is_valid()
        with pytest.raises(DealRefused) as refused:
            write(sheet, 1, written=form.written())
        form.add_refusal(refused.value)
        assert list(form.errors) == ["points_ns"]

    def test_forehand_of_the_three_is_filled_in_where_he_must_play(self) -> None:
        form = DealForm(view=view_of(_sheet("utrecht")), number=2)
        assert form["declarer"].value() == "N"
        assert form.folds_declarer
