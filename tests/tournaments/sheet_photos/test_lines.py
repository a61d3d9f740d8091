"""Lines of pictures at the desk: blank ones, roem, spare sheets, two sheets on a page."""

import uuid
from random import Random
from typing import Any

import pytest
from django.test import Client

from clubs.models import AuditEvent, Club
from scoring.models import Deal, DealEntry, Folder, Regulation
from scoring.regulations.services import regulation_save
from tests.factories import TESTS, table, write_deal
from tests.scoring.reading.photographs import scan
from tests.tournaments.desk import EVENING, messages_in
from tests.tournaments.public_pages import get, words
from tests.tournaments.sheet_photos import TYPED, as_read, fill_in, printed, spare
from tests.tournaments.sheet_photos.at_the_desk import (
    line,
    page_of,
    read_all,
    roem_written,
    said,
    send,
    small,
)
from tournaments.models import Evening, SheetPhoto

pytestmark = pytest.mark.django_db


def with_no_trump(club: Club) -> Regulation:
    settings = {"preset": "amsterdam", "no_trump": True}
    return regulation_save(club=club, name="Met troefloos", settings=settings, actor=TESTS)


def three_at_the_second(club: Club) -> Evening:
    """An evening with four people at the first table and three at the second."""
    Club.objects.update(paper_sheet="reading")
    return Evening.objects.get(pk=small(club, players=7, leftover="three_handed").pk)


class TestBlankLines:
    """A line with nothing on it was not played, unless something is written on a later one."""

    @pytest.mark.full
    def test_after_the_last_one_they_were_not_played(self, club: Club, desk: Client) -> None:
        photo = as_read(table(small(club)), {1: TYPED})
        page = get(desk, page_of(photo))
        assert page.context["look"] == []
        assert words(page).count("niet gespeeld: op het papier staat niets") == 3
        assert said(desk) == [
            "Tafel 1, ronde 1: Alle regels waren goed te lezen. 3 regels zijn leeg."
        ]
        desk.post(page_of(photo), line(1))
        photo.refresh_from_db()
        assert photo.state == "written"

    @pytest.mark.full
    def test_between_others_one_is_open_until_it_is_decided(self, club: Club, desk: Client) -> None:
        photo = as_read(table(small(club)), {1: TYPED, 3: TYPED})
        page = get(desk, page_of(photo))
        assert [form.number for form in page.context["look"]] == [2]
        assert "Hier staat niets, en op een regel erna wel." in words(page)
        assert said(desk) == ["Tafel 1, ronde 1: 1 regel moet u zelf bekijken. 2 regels zijn leeg."]
        nothing: dict[str, Any] = dict.fromkeys(
            ("declarer", "trump", "points_ns", "points_ew", "roem_ns"), ""
        )
        sent = line(1) | line(3)
        desk.post(page_of(photo), sent | line(2, take="", **nothing))
        photo.refresh_from_db()
        assert (photo.state, photo.decided) == ("read", [1, 3])
        desk.post(page_of(photo), line(2, take="leave", **nothing))
        photo.refresh_from_db()
        assert (photo.state, photo.decided) == ("written", [1, 2, 3])
        assert DealEntry.objects.count() == 2

    @pytest.mark.full
    def test_the_list_counts_what_the_page_asks(self, club: Club, desk: Client) -> None:
        evening = small(club)
        photo = as_read(table(evening), {1: TYPED, 4: TYPED})
        says = "Tafel 1, ronde 1: %s. 2 regels zijn leeg."
        assert said(desk) == [says % "2 regels moet u zelf bekijken"]
        write_deal(table(evening), 2)
        page = get(desk, page_of(photo))
        assert [form.number for form in page.context["look"]] == [3]
        assert said(desk) == [says % "1 regel moet u zelf bekijken"]
        desk.post(page_of(photo), line(3, take="leave"))
        assert get(desk, page_of(photo)).context["look"] == []
        assert said(desk) == [says % "Alle regels waren goed te lezen"]

    def test_it_can_be_filled_in_here(self, club: Club, desk: Client) -> None:
        evening = small(club)
        photo = as_read(table(evening), {1: TYPED, 3: TYPED})
        desk.post(page_of(photo), line(1) | line(2) | line(3))
        assert table(evening).sheet.deals_entered == 3

    @pytest.mark.full
    def test_what_the_sheet_has_for_it_is_said(self, club: Club, desk: Client) -> None:
        evening = small(club)
        write_deal(table(evening), 2)
        photo = as_read(table(evening), {1: TYPED, 3: TYPED})
        page = get(desk, page_of(photo))
        assert page.context["look"] == []
        text = "op het papier staat niets; op de lijst staat 90–72 · wij, harten"
        assert text in words(page)

    @pytest.mark.once
    def test_a_sheet_with_nothing_on_it_is_said_and_gives_way_to_the_one_with_deals(
        self, club: Club, desk: Client
    ) -> None:
        evening = small(club)
        (page,) = printed(evening)
        send(desk, scan(page, Random(1)))
        read_all()
        assert said(desk) == ["Tafel 1, ronde 1: Op deze tellijst staat niets."]
        (blank,) = SheetPhoto.objects.all()
        text = words(get(desk, page_of(blank)))
        assert "Op deze tellijst staat niets." in text
        assert "Alles op deze foto staat op de lijst." not in text
        send(desk, scan(fill_in(page, table(evening), {1: TYPED}), Random(2)))
        read_all()
        assert list(SheetPhoto.objects.values_list("state", "problem")) == [
            ("refused", "twice"),
            ("read", ""),
        ]

    @pytest.mark.full
    def test_what_was_written_by_phone_meanwhile_is_done_with_one_key(
        self, club: Club, desk: Client
    ) -> None:
        evening = small(club)
        photo = as_read(table(evening), {1: TYPED})
        write_deal(table(evening), 1, points={"NS": 100}, roem={"NS": [20]})
        assert "Klaar, naar de volgende" in words(get(desk, page_of(photo)))
        desk.post(page_of(photo))
        photo.refresh_from_db()
        assert photo.state == "written"


def test_a_nat_written_as_what_it_comes_to_is_entered_without_points(
    club: Club, desk: Client
) -> None:
    """With roem of 50 nobody took none; those who write so mean that they lost what they had."""
    evening = small(club)
    nat = TYPED | {"points": {"NS": 0, "EW": 162}, "roem": {"NS": [50], "EW": []}, "nat": True}
    photo = as_read(table(evening), {1: nat})
    (form,) = get(desk, page_of(photo)).context["sure"]
    boxes = {name: form[name].value() for name in ("points_ns", "points_ew", "roem_ns", "mark")}
    assert boxes == {"points_ns": None, "points_ew": None, "roem_ns": "50", "mark": "nat"}
    sent = line(1, points_ns="", points_ew="", roem_ns="50", mark="nat")
    desk.post(page_of(photo), sent)
    assert table(evening).sheet.score_ew == 212


class TestRoem:
    """The paper has one number for the roem of a side; the deal has announcements."""

    @pytest.mark.full
    def test_the_box_has_the_number_of_the_paper(self, club: Club, desk: Client) -> None:
        evening = small(club)
        sixty = TYPED | {"roem": {"NS": [20, 20, 20], "EW": []}}
        photo = as_read(table(evening), {1: sixty}, doubtful={1: "unclear"})
        (form,) = get(desk, page_of(photo)).context["look"]
        assert (form["roem_ns"].value(), form.alternatives[0][1]["roem_ns"]) == ("60", "60")
        desk.post(page_of(photo), line(1, roem_ns="60"))
        assert roem_written() == {"NS": [20, 20, 20]}

    def test_it_is_compared_as_a_sum(self, club: Club, desk: Client) -> None:
        evening = small(club)
        write_deal(table(evening), 1, points={"NS": 100}, roem={"NS": [40, 20]})
        photo = as_read(table(evening), {1: TYPED | {"roem": {"NS": [20, 20, 20], "EW": []}}})
        (same, *_blank) = get(desk, page_of(photo)).context["settled"]
        assert same.kind == "same"

    @pytest.mark.full
    def test_known_cards_only_have_to_give_the_sum(self, club: Club, desk: Client) -> None:
        evening = small(club)
        # Each rank is in one hand, so that no trick has four of a kind; two runs of four give 100.
        folder = Folder.objects.create(
            club=club, pack=uuid.uuid4(), number=1, hands="NESWNESW" * 4, typed=True
        )
        Deal.objects.filter(sheet=table(evening).sheet, number=1).update(folder=folder)
        photo = as_read(table(evening), {1: TYPED}, doubtful={1: "unclear"})
        desk.post(page_of(photo), line(1, roem_ns="100"))
        assert roem_written() == {"NS": [100]}


@pytest.mark.once
class TestSpareSheets:
    """A sheet without names, on which people write of which table it is; the desk says so too."""

    @pytest.fixture
    def evening(self, club: Club) -> Evening:
        Club.objects.update(paper_sheet="reading")
        return Evening.objects.get(pk=small(club, players=8).pk)

    def sent(self, desk: Client, evening: Evening, number: int = 2) -> SheetPhoto:
        page = spare(evening, table_number=number, round_number=1, line=TYPED)
        send(desk, scan(page, Random(1)))
        read_all()
        return SheetPhoto.objects.latest("pk")

    def test_it_is_of_the_table_that_the_desk_says(self, desk: Client, evening: Evening) -> None:
        photo = self.sent(desk, evening)
        assert said(desk)[0] == "Een foto: Dit is een losse tellijst. Zeg van welke tafel hij is."
        assert photo.read["named"] == {"table": 2, "round": 1}
        assert desk.get(f"{page_of(photo)}picture.jpg").status_code == 200
        assert desk.get(page_of(photo)).status_code == 404
        desk.post(f"{page_of(photo)}use/", {"table": "2", "round": "1"})
        assert said(desk)[0] == (
            "Tafel 2, ronde 1: Alle regels waren goed te lezen. 3 regels zijn leeg."
        )
        desk.post(page_of(photo), line(1))
        assert table(evening, 2).sheet.score_ns == 120

    @pytest.mark.parametrize("halved", [True, False])
    def test_one_for_three_has_them_in_the_order_of_the_draw(
        self, club: Club, desk: Client, *, halved: bool
    ) -> None:
        evening, meant = three_at_the_second(club), TYPED | {"declarer": "E"}
        page = spare(evening, table_number=2, round_number=1, line=meant, three=True, halved=halved)
        send(desk, scan(page, Random(1)))
        read_all()
        photo = SheetPhoto.objects.get()
        assert photo.read["named"] == {"table": 2, "round": 1}
        desk.post(f"{page_of(photo)}use/", {"table": "2", "round": "1"})
        shown = get(desk, page_of(photo))
        names = shown.context["view"].people
        assert " ".join(f"{n} {name}" for n, name in enumerate(names, start=1)) in words(shown)
        desk.post(page_of(photo), line(1, declarer="E"))
        seats = table(evening, 2).sheet.seats.exclude(member=None)
        assert {seat.seat: seat.score for seat in seats} == {"N": 62, "E": 120, "S": 62}

    def test_the_totals_of_three_are_compared_by_name(self, club: Club, desk: Client) -> None:
        evening = three_at_the_second(club)
        lines = {1: TYPED | {"declarer": "E"}, 2: TYPED | {"declarer": "S"}}
        totals = {"N": 124, "E": 182, "S": 181}
        photo = as_read(table(evening, 2), lines, totals=totals)
        view = get(desk, page_of(photo)).context
        first, second, third = view["view"].people
        assert view["totals"] == [(first, 124, 124), (second, 182, 182), (third, 181, 182)]

    def test_one_for_three_is_of_no_table_of_four(self, club: Club, desk: Client) -> None:
        evening, meant = three_at_the_second(club), TYPED | {"declarer": "N"}
        page = spare(evening, table_number=1, round_number=1, line=meant, three=True)
        send(desk, scan(page, Random(1)))
        read_all()
        photo = SheetPhoto.objects.get()
        answer = desk.post(f"{page_of(photo)}use/", {"table": "1", "round": "1"}, follow=True)
        (told,) = messages_in(answer)
        assert told == (
            "Deze tafel heeft een ander soort lijst: een ander aantal spellen of spelers. Typ deze "
            "over."
        )

    def test_of_two_on_a_page_it_is_read_as_well(self, desk: Client, evening: Evening) -> None:
        page = spare(evening, table_number=2, round_number=1, line=TYPED, halved=True)
        send(desk, scan(page, Random(1)))
        read_all()
        photo = SheetPhoto.objects.get()
        assert photo.read["named"] == {"table": 2, "round": 1}
        desk.post(f"{page_of(photo)}use/", {"table": "2", "round": "1"})
        desk.post(page_of(photo), line(1))
        assert table(evening, 2).sheet.score_ns == 120

    @pytest.mark.parametrize(
        ("sent", "told"),
        [
            ({"table": "9", "round": "1"}, "Ronde 1 heeft geen tafel 9."),
            ({"table": "1e999", "round": "-1"}, "Ronde 0 heeft geen tafel 0."),
            ({}, "Ronde 0 heeft geen tafel 0."),
        ],
    )
    def test_a_table_that_is_not_there_is_told(
        self, desk: Client, evening: Evening, sent: dict[str, str], told: str
    ) -> None:
        photo = self.sent(desk, evening)
        answer = desk.post(f"{page_of(photo)}use/", sent, follow=True)
        assert messages_in(answer) == [told]

    def test_a_table_with_a_picture_already_keeps_it(self, desk: Client, evening: Evening) -> None:
        as_read(table(evening, 2), {1: TYPED})
        photo = self.sent(desk, evening)
        desk.post(f"{page_of(photo)}use/", {"table": "2", "round": "1"})
        assert said(desk)[0] == "Tafel 2, ronde 1: Deze tellijst stond al op een eerdere foto."

    def test_other_plans_make_another_sheet(self, desk: Client, evening: Evening) -> None:
        page = spare(evening, table_number=1, round_number=1, line=TYPED)
        Evening.objects.update(deals_per_round=5)
        send(desk, scan(page, Random(1)))
        read_all()
        assert "met een ander aantal spellen" in said(desk)[0]

    def test_other_rules_make_another_sheet(
        self, club: Club, desk: Client, evening: Evening
    ) -> None:
        """With no-trump there is a box more, and all that follow stand elsewhere."""
        page = spare(evening, table_number=1, round_number=1, line=TYPED)
        Evening.objects.update(regulation=with_no_trump(club))
        send(desk, scan(page, Random(1)))
        read_all()
        assert "of andere spelregels" in said(desk)[0]

    @pytest.mark.full
    def test_one_without_deals_makes_way(self, desk: Client, evening: Evening) -> None:
        early = as_read(table(evening, 2), {})
        photo = self.sent(desk, evening)
        desk.post(f"{page_of(photo)}use/", {"table": "2", "round": "1"})
        early.refresh_from_db()
        photo.refresh_from_db()
        assert (early.problem, photo.problem) == ("twice", "")
        event = AuditEvent.objects.filter(action="sheet_photo_placed").get()
        assert event.data == {"photo": photo.sha256, "round": 1, "table": 2}

    @pytest.mark.full
    def test_what_waits_for_a_decision_is_kept_and_counted(
        self, desk: Client, evening: Evening, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("tournaments.sheet_photos.queue.MOST_REFUSED", 0)
        monkeypatch.setattr("tournaments.sheet_photos.queue.MOST_OF_AN_EVENING", 1)
        photo = self.sent(desk, evening)
        assert send(desk, b"another").status_code == 422
        assert SheetPhoto.objects.get() == photo


@pytest.mark.once
def test_the_sheets_of_two_on_a_page_are_read(club: Club, desk: Client) -> None:
    """One scan of the page has those of two tables, of four people and of three."""
    three_at_the_second(club)
    content = desk.get(f"{EVENING}print/sheets/1.pdf?halved=1").content
    send(desk, content)
    read_all()
    assert said(desk) == [
        "Tafel 2, ronde 1: Op deze tellijst staat niets.",
        "Tafel 1, ronde 1: Op deze tellijst staat niets.",
    ]
