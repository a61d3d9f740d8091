"""Two at a table, one a side: from the draw by hand to the standing, on screen and on paper."""

import csv
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from clubs.models import Club, Member
from clubs.text.errors import DomainError
from scoring.models import Scoresheet
from scoring.rules import line_of_three
from tests.factories import TESTS, ClubFactory, EveningFactory, MemberFactory, table, write_deal
from tests.pdfs import page_texts
from tests.tournaments.desk import EVENING, desk_of, text
from tests.tournaments.table_pages import fields_of, link, words
from tournaments.closing.services import evening_close
from tournaments.draw.changes import draw_adapt
from tournaments.draw.services import draw_make, draw_publish, draw_type_in
from tournaments.models import Evening, Table
from tournaments.registration.check_in import presence_replace, presence_set
from tournaments.rounds.services import round_close, round_start
from tournaments.standings.queries import evening_standings

pytestmark = pytest.mark.django_db

TYPED = f"{EVENING}draw/type-in/"


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


def five_here(club: Club, **plan: Any) -> Evening:
    given = {"method": "typed_in", "leftover": "three_handed", "rounds_planned": 1}
    evening = EveningFactory.create(club=club, **given | {"deals_per_round": 2} | plan)
    people = [MemberFactory.create(club=club) for _ in range(5)]
    presence_replace(evening_id=evening.pk, members=people, actor=TESTS)
    return evening


def person(number: int) -> Member:
    return Member.objects.get(number=number)


def drawn(evening: Evening) -> Evening:
    """1, 2 and 3 at table 1; 4 against 5 at table 2."""
    tables = [
        {"N": person(1), "E": person(2), "S": person(3)},
        {"N": person(4), "E": person(5)},
    ]
    draw_type_in(evening_id=evening.pk, tables=tables, sit_out=[], actor=TESTS)
    draw_publish(evening_id=evening.pk, actor=TESTS)
    return Evening.objects.get(pk=evening.pk)


@pytest.fixture
def evening(club: Club) -> Evening:
    evening = drawn(five_here(club))
    round_start(round_id=evening.rounds.get().pk, actor=TESTS)
    return Evening.objects.get()


@pytest.fixture
def two(evening: Evening) -> Table:
    return table(evening, 2)


def totals(evening: Evening) -> dict[int | None, int]:
    numbers = dict(Member.objects.values_list("pk", "number"))
    return {numbers[row.member_id]: row.total for row in evening_standings(evening)}


class TestTheDraw:
    def test_five_people_are_typed_in_as_three_and_two(self, club: Club) -> None:
        evening = five_here(club)
        names = {number: person(number).name for number in range(1, 6)}
        seats = {"table_1_N": 1, "table_1_S": 2, "table_1_E": 3, "table_2_S": 4, "table_2_W": 5}
        desk = desk_of(club)
        asked = words(desk.get(TYPED))
        assert "Er zijn 5 spelers: een tafel van drie en een van twee." in asked
        assert "Aan een tafel van twee blijven er twee leeg." in asked
        response = desk.post(TYPED, {field: names[n] for field, n in seats.items()})
        assert response.status_code == 302
        placed = evening.rounds.get().placements.filter(table__number=2)
        assert dict(placed.values_list("seat", "member__number")) == {"N": 4, "E": 5}
        assert words(desk.get(f"{EVENING}draw/"))

    @pytest.mark.full
    def test_one_person_alone_has_no_table(self, club: Club) -> None:
        evening = five_here(club)
        tables: list[dict[str, Member]] = [
            {"N": person(1), "E": person(2), "S": person(3), "W": person(4)},
            {"N": person(5)},
        ]
        with pytest.raises(DomainError) as caught:
            draw_type_in(evening_id=evening.pk, tables=tables, sit_out=[], actor=TESTS)
        assert caught.value.params["faults"] == ["Aan tafel 2 horen vier mensen."]

    @pytest.mark.full
    def test_the_program_says_that_it_can_be_done_by_hand(self, club: Club) -> None:
        evening = five_here(club, method="lottery")
        with pytest.raises(DomainError, match="loot met de hand"):
            draw_make(evening_id=evening.pk, actor=TESTS)

    @pytest.mark.full
    def test_it_makes_a_sheet_of_two(self, evening: Evening) -> None:
        sheets = Scoresheet.objects.order_by("table__number")
        assert [(one.three_handed, one.two_handed) for one in sheets] == [
            (True, False),
            (False, True),
        ]
        assert sheets[1].people == ("N", "E")

    @pytest.mark.full
    def test_they_deal_in_turn(self, two: Table) -> None:
        assert [two.sheet.dealer(number) for number in (1, 2, 3)] == ["E", "N", "E"]
        assert two.sheet.forehand(1) == "N"


class TestPlay:
    def test_a_deal_on_the_phone(self, client: Client, evening: Evening, two: Table) -> None:
        url = f"{link(evening, 2)}rounds/1/"
        four, five = person(4).name, person(5).name
        shown = words(client.get(url))
        assert four.split()[0] in shown
        assert five.split()[0] in shown
        assert "blinde" not in shown
        deal = f"{url}deals/1/"
        typed = {"declarer": "NS", "trump": "H", "points_ew": "62", "roem_ns": "20"}
        check = client.post(deal, fields_of(client.get(deal), deal) | typed)
        assert client.post(deal, fields_of(check, deal)).status_code == 303
        assert totals(evening) == {1: 0, 2: 0, 3: 0, 4: 120, 5: 62}
        entry = two.sheet.deals.get(number=1).current
        assert entry is not None
        assert (entry.written or {})["seats"] == ["N", "E"]

    @pytest.mark.full
    def test_a_nat_and_a_pit(self, evening: Evening, two: Table) -> None:
        write_deal(two, 1, declarer="NS", points={"NS": 70})
        write_deal(two, 2, declarer="EW", points={}, pit="EW")
        rows = {row.name: (row.total, row.pits) for row in evening_standings(evening)}
        assert rows[person(4).name] == (0, 0)
        assert rows[person(5).name] == (162 + 262, 1)


class TestWhereItIsSeen:
    @pytest.fixture
    def played(self, evening: Evening, two: Table) -> Evening:
        three = {"trump": "H", "points": {"NS": 100}}
        write_deal(table(evening, 1), 1, **line_of_three({"declarer": "N"} | three))
        write_deal(table(evening, 1), 2, **line_of_three({"declarer": "E"} | three))
        write_deal(two, 1, points={"NS": 90})
        write_deal(two, 2, points={"NS": 100})
        return evening

    @pytest.mark.full
    @pytest.mark.parametrize(
        "page",
        [
            "board/",
            "draw/",
            "present/",
            "rounds/1/tables/2/",
            "rounds/1/tables/2/grid/",
            "rounds/1/tables/2/trail/",
            "close/",
            "late/",
        ],
    )
    def test_the_desk(self, club: Club, played: Evening, page: str) -> None:
        response = desk_of(club).get(f"{EVENING}{page}")
        assert response.status_code in (200, 404, 302)
        assert "blinde" not in text(response) or page != "rounds/1/tables/2/"

    def test_the_public_pages(self, client: Client, played: Evening) -> None:
        base = f"/clubs/{played.club.slug}/evenings/{played.slug}/"
        for page in ("", "?show=names", "?show=tables", "screen/", "rounds/1/tables/2/"):
            assert client.get(f"{base}{page}").status_code == 200
        shown = words(client.get(f"{base}rounds/1/tables/2/"))
        assert "blinde" not in shown
        assert "190" in shown

    @pytest.mark.full
    def test_nobody_sits_opposite_them(self, client: Client, played: Evening) -> None:
        base = f"/clubs/{played.club.slug}/evenings/{played.slug}/"
        tables = client.get(f"{base}?show=tables").context["tables"]
        assert [[seat.side for seat in one.seats] for one in tables] == [[""] * 4, ["NS", "EW"]]
        names = client.get(f"{base}?show=names").context["names"]
        assert {line.partner for line in names if line.table == 2} == {"niemand"}

    @pytest.mark.full
    def test_the_papers(self, club: Club, played: Evening) -> None:
        desk = desk_of(club)
        for paper in ("draw.pdf", "standings.pdf", "sheets/1.pdf"):
            response = desk.get(f"{EVENING}print/{paper}")
            assert response.status_code == 200, paper
        by_name, by_table = page_texts(desk.get(f"{EVENING}print/draw.pdf").content)
        assert f"tegen {person(5).name}" in by_name
        assert by_table.count("met een blinde") == 1
        sheets = page_texts(desk.get(f"{EVENING}print/sheets/1.pdf?filled=1").content)
        assert person(4).name in sheets[1]
        assert person(5).name in sheets[1]

    @pytest.mark.full
    def test_it_goes_out_and_comes_back_in(
        self, club: Club, played: Evening, tmp_path: Any, capsys: pytest.CaptureFixture[str]
    ) -> None:
        round_close(round_id=played.rounds.get().pk, actor=TESTS)
        evening_close(evening_id=played.pk, actor=TESTS)
        before = totals(played)
        call_command("export_evening", club=club.slug, date=str(played.date))
        exported = capsys.readouterr().out
        lines = [row for row in csv.DictReader(StringIO(exported)) if row["table"] == "2"]
        assert {(row["s"], row["w"]) for row in lines} == {("", "")}
        file = tmp_path / "evening.csv"
        file.write_text(exported)
        call_command("import_evening", str(file), club=club.slug, replace=True)
        assert totals(Evening.objects.get()) == before
        call_command("verify")


class TestSomebodyComesOrLeaves:
    """After a final draw of three and two, before the round starts: the draw is done anew."""

    @pytest.mark.full
    @pytest.mark.parametrize("comes", [True, False])
    def test_the_tables_are_drawn_again(self, club: Club, comes: bool) -> None:
        evening = drawn(five_here(club))
        who = MemberFactory.create(club=club) if comes else person(5)
        presence_set(evening_id=evening.pk, member=who, present=comes, actor=TESTS)
        with pytest.raises(DomainError) as caught:
            draw_adapt(evening_id=evening.pk, members=[], actor=TESTS)
        assert caught.value.code == "two_need_a_new_draw"
        desk = desk_of(club)
        assert desk.get(f"{EVENING}present/").status_code == 200
        shown = desk.get(f"{EVENING}draw/change/", follow=True)
        assert "moet er opnieuw geloot worden" in words(shown)
