"""The form of a deal as data in, content out: the same for a table's phone and the desk."""

import uuid
from typing import Any

import pytest
from django.utils.translation import override

from scoring.deals.director_forms import DirectorDealForm
from scoring.deals.forms import DealForm
from scoring.deals.phone import preview_of
from scoring.deals.services import deal_preview
from scoring.display.sheet_view import SheetView
from scoring.display.words import DealRefused
from scoring.models import Scoresheet
from scoring.rules import Side
from tests.factories import ClubFactory, evening_with_draw, regulation_of, table, write_deal

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def sheet_of(preset: str = "amsterdam", **settings: Any) -> Scoresheet:
    """Jan and Piet (wij) against Mia and Truus (zij); Mia deals the first deal, Piet leads."""
    club = ClubFactory.create()
    regulation = regulation_of(club, preset)
    if settings:
        regulation.settings |= settings
        regulation.save()
    evening = evening_with_draw(
        players=4, rounds=1, method="typed_in", club=club, regulation=regulation
    )
    return table(evening).sheet


def filled(
    sheet: Scoresheet, number: int = 1, form: type[DealForm] = DealForm, **typed: str
) -> Any:
    version = sheet.deals.get(number=1).version
    data = {"seen_version": str(version), "uuid": str(uuid.uuid4()), "declarer": "NS"} | typed
    return form(data, view=SheetView(sheet), number=1)


def written(sheet: Scoresheet, **typed: Any) -> dict[str, object]:
    form = filled(sheet, **typed)
    assert form.errors == {}
    content: dict[str, object] = form.written()
    return content


@pytest.mark.parametrize(
    ("typed", "content"),
    [
        ({"points_ns": "90"}, {"points": {"NS": 90}}),
        ({"points_ns": "0"}, {"points": {"NS": 0}}),
        ({"points_ns": "97", "points_ew": "65"}, {"points": {"NS": 97, "EW": 65}}),
        ({"trump": "H", "points_ew": "65"}, {"trump": "H", "points": {"EW": 65}}),
        ({"roem_ns": "20 50"}, {"roem": {"NS": [20, 50]}}),
        ({"roem_ew": "20+50, 100"}, {"roem": {"EW": [20, 50, 100]}}),
        ({"pit": "EW"}, {"pit": "EW"}),
        ({"nat": "on"}, {"nat": True}),
        ({"reneged": "E"}, {"reneged": "E"}),
        ({"replayed": "on"}, {"replayed": True}),
    ],
)
def test_what_is_typed_becomes_the_contracts_sheet_line(
    typed: dict[str, Any], content: dict[str, object]
) -> None:
    assert written(sheet_of(), **typed) == {"declarer": "NS", "trump": None} | content


@pytest.mark.full
def test_who_plays_must_be_said() -> None:
    assert list(filled(sheet_of(), declarer="", points_ns="90").errors) == ["declarer"]


@pytest.mark.full
@pytest.mark.parametrize("bidding_seat", [("utrecht", "S"), ("amsterdam", None)])
def test_who_must_play_is_filled_in(bidding_seat: tuple[str, str | None]) -> None:
    preset, seat = bidding_seat
    form = DealForm(view=SheetView(sheet_of(preset)), number=1)
    assert form["declarer"].value() == seat
    assert form.folds_declarer == (seat is not None)


@pytest.mark.full
def test_under_dealer_must_the_dealer_plays() -> None:
    form = DealForm(view=SheetView(sheet_of(bidding="dealer_must")), number=1)
    assert form["declarer"].value() == "E"


@pytest.mark.full
def test_a_forced_player_may_still_be_somebody_else() -> None:
    assert written(sheet_of("utrecht"), declarer="N", points_ns="90")["declarer"] == "N"


@pytest.mark.full
@pytest.mark.parametrize(
    ("preset", "settings", "asked"),
    [
        ("amsterdam", {}, {"nat": True, "nil": False, "accused_wrongly_by": False}),
        ("gezelligheid", {}, {"nat": False, "nil": False, "accused_wrongly_by": False}),
        ("amsterdam", {"nil_bonus": 50}, {"nat": True, "nil": True, "accused_wrongly_by": False}),
        ("new-zealand", {}, {"nat": True, "nil": False, "accused_wrongly_by": True}),
    ],
)
def test_only_what_the_regulation_plays_is_asked(
    preset: str, settings: dict[str, Any], asked: dict[str, bool]
) -> None:
    form = DealForm(view=SheetView(sheet_of(preset, **settings)), number=1)
    assert {name: name in form.fields for name in asked} == asked


@pytest.mark.full
@pytest.mark.parametrize(
    ("preset", "suits"), [("amsterdam", "C D H S"), ("thousand-and-one", "C D H S NT")]
)
def test_no_trump_is_offered_where_it_is_played(preset: str, suits: str) -> None:
    form = DealForm(view=SheetView(sheet_of(preset)), number=1)
    assert [value for value, _name in form.fields["trump"].choices] == suits.split()  # type: ignore[attr-defined]


@pytest.mark.full
@pytest.mark.parametrize(
    ("settings", "keys"),
    [
        ({}, [(20, "20"), (50, "50"), (100, "100"), (200, "200"), (20, "stuk")]),
        ({"four_jacks": 100}, [(20, "20"), (50, "50"), (100, "100"), (20, "stuk")]),
    ],
)
def test_the_roem_keys_are_the_regulations(
    settings: dict[str, Any], keys: list[tuple[int, str]]
) -> None:
    form = DealForm(view=SheetView(sheet_of(**settings)), number=1)
    assert [(key["points"], key["label"]) for key in form.roem_keys] == keys


@pytest.mark.full
@pytest.mark.parametrize(
    ("language", "keys"),
    [("nl", ["geen pit", "pit wij", "pit zij"]), ("en", ["no pit", "our pit", "their pit"])],
)
@pytest.mark.parametrize("chair", ["NS", "EW"])
def test_the_keys_of_a_pit_speak_from_the_chair(
    language: str, keys: list[str], chair: Side
) -> None:
    sheet = sheet_of()
    sheet.chair = chair
    with override(language):
        pit = DealForm(view=SheetView(sheet), number=1).fields["pit"]
        assert [str(words) for _value, words in pit.choices] == keys  # type: ignore[attr-defined]
        assert [value for value, _words in pit.choices][1] == chair  # type: ignore[attr-defined]


@pytest.mark.full
def test_every_fault_lands_at_its_field() -> None:
    form = filled(sheet_of(), points_ns="161", roem_ns="20", roem_ew="20 30")
    assert form.is_valid()
    with pytest.raises(DealRefused) as refused:
        deal_preview(sheet=form.view.sheet, number=form.number, written=form.written())
    form.add_refusal(refused.value)
    assert sorted(form.errors) == ["points_ns", "roem_ew"]


@pytest.mark.parametrize("roem", ["stuk", "-20", "٢٠", "9" * 5000])
def test_roem_that_is_no_number_is_refused(roem: str) -> None:
    form = filled(sheet_of(), points_ns="90", roem_ns=roem)
    assert not form.is_valid()
    assert list(form.errors) == ["roem_ns"]


@pytest.mark.full
def test_the_preview_tells_what_is_missing_from_what_is_wrong() -> None:
    sheet = sheet_of()
    assert preview_of(filled(sheet)).wanted != ()
    assert preview_of(filled(sheet)).faults == ()
    assert preview_of(filled(sheet, points_ns="163")).wanted == ()
    assert preview_of(filled(sheet, points_ns="163")).faults == (
        "Punten liggen tussen 0 en 162; hier staat 163.",
    )


@pytest.mark.full
def test_an_unlikely_deal_is_doubted_but_not_refused() -> None:
    preview = preview_of(filled(sheet_of(), points_ns="162"))
    assert preview.lines == ("Wij 162, zij 0: gehaald",)
    assert preview.doubts == ("Eén partij heeft 0 punten, maar er staat geen pit. Klopt dat?",)


def test_the_digest_names_the_content_and_nothing_else() -> None:
    sheet = sheet_of()
    first, again = filled(sheet, points_ns="90"), filled(sheet, points_ns=" 90 ", device="x")
    other = filled(sheet, points_ns="91")
    assert all(form.is_valid() for form in (first, again, other))
    assert first.digest() == again.digest()
    assert first.digest() != other.digest()


@pytest.mark.full
def test_the_directors_correction_goes_to_one_player_or_to_a_side() -> None:
    sheet = sheet_of()
    for to, key in (("E", "seat"), ("NS", "side")):
        form = filled(
            sheet,
            form=DirectorDealForm,
            points_ns="90",
            correction_to=to,
            correction_points="-50",
            correction_reason="seinen",
        )
        assert form.errors == {}
        assert form.written()["corrections"] == [{key: to, "points": -50, "reason": "seinen"}]


@pytest.mark.parametrize(
    ("typed", "missing"),
    [
        ({"correction_points": "-50", "correction_reason": "seinen"}, "correction_to"),
        ({"correction_to": "E", "correction_reason": "seinen"}, "correction_points"),
        ({"correction_to": "E", "correction_points": "-50"}, "correction_reason"),
    ],
)
def test_half_a_correction_is_none(typed: dict[str, Any], missing: str) -> None:
    form = filled(sheet_of(), form=DirectorDealForm, points_ns="90", **typed)
    assert list(form.errors) == [missing]


@pytest.mark.full
def test_a_correction_that_is_taken_away_leaves_the_others() -> None:
    sheet = sheet_of()
    first = {"seat": "E", "points": -50, "reason": "seinen"}
    second = {"side": "NS", "points": 10, "reason": "telfout"}
    write_deal(sheet.table, 1, corrections=[first, second])
    form = filled(sheet, form=DirectorDealForm, points_ns="90", correction_to="", why="miscounted")
    assert form.errors == {}
    assert form.written()["corrections"] == [second]


@pytest.mark.full
def test_a_sheet_has_no_deal_beyond_its_last() -> None:
    with pytest.raises(LookupError):
        DealForm(view=SheetView(sheet_of()), number=17)
