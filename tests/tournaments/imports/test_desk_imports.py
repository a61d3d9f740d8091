"""Reading in results and evenings at the desk: chosen, looked at, said yes to, found again."""

import datetime as dt
import re
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
import time_machine
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from clubs.audit.services import chain_faults
from clubs.members.imports import upload_keep, upload_source
from clubs.merges.services import guest_merge
from clubs.models import Club, Member, Upload
from scoring.deals.services import deal_write
from scoring.models import Deal, Scoresheet
from tests.concurrency import at_once, outcomes
from tests.factories import (
    TESTS,
    ClubFactory,
    EveningFactory,
    MemberFactory,
    director_of,
    scorekeeper_of,
)
from tests.tournaments.desk import desk_of, messages_in, text
from tests.tournaments.files import DATA, evening_text, everything, xlsx
from tournaments.imports.results import results_plan
from tournaments.imports.uploads import results_import_undo, uploaded_results_import
from tournaments.models import Evening, PastResult, Registration, Season

pytestmark = pytest.mark.django_db

IMPORT = "/clubs/vrolijke-boer/desk/import/"
RESULTS = "datum;speler;punten\n2025-01-06;Jan Bakker;4.810\n2025-01-06;Mia Kok;4620\n"
TWELVE = (DATA / "evening-12-players.csv").read_text()


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


@pytest.fixture
def desk(club: Club) -> Client:
    return desk_of(club)


def send(desk: Client, kind: str, content: str | bytes, **chosen: str) -> Any:
    """Choose a file; the answer is the page that this leads to."""
    raw = content.encode() if isinstance(content, str) else content
    usual = {"results": {"season": "new", "season_name": "2024-2025"}}
    usual["evening"] = {"preset": "rotterdam", "season": ""}
    file = SimpleUploadedFile("uitslagen.csv", raw)
    form = {**usual[kind], **chosen, "file": file}
    return desk.post(f"{IMPORT}{kind}/", form, follow=True)


def seen_in(page: Any) -> str:
    found = re.search(r'name="seen" value="(\w+)"', page.content.decode())
    assert found
    return found[1]


def say_yes(desk: Client, page: Any, **other: str) -> Any:
    """Press the button of a preview."""
    path = page.request["PATH_INFO"]
    return desk.post(path, {"seen": seen_in(page)} | other, follow=True)


class TestResults:
    def test_are_looked_at_and_then_read_in(self, club: Club, desk: Client) -> None:
        jan = MemberFactory.create(club=club, name="Jan Bakker")
        page = send(desk, "results", RESULTS)
        shown = text(page)
        assert "Uit uitslagen.csv, in het seizoen 2024-2025. Dat seizoen wordt gemaakt." in shown
        assert "<dt>Nieuwe uitslagen</dt><dd>2</dd>" in shown
        assert "<p>Mia Kok</p>" in shown
        assert not Season.objects.exists()
        assert not PastResult.objects.exists()
        done = text(say_yes(desk, page))
        assert "uitslagen.csv is ingelezen" in done
        assert 'href="/clubs/vrolijke-boer/evenings/2025-01-06/"' in done
        assert 'href="/clubs/vrolijke-boer/seasons/2024-2025/"' in done
        mia = Member.objects.get(name="Mia Kok")
        assert f'href="/clubs/vrolijke-boer/desk/members/{mia.pk}/"' in done
        assert dict(PastResult.objects.values_list("member", "score")) == {
            jan.pk: 4810,
            mia.pk: 4620,
        }

    @pytest.mark.full
    def test_the_file_goes_once_it_is_read_in_and_what_it_came_to_stays(
        self, club: Club, desk: Client
    ) -> None:
        page = send(desk, "results", RESULTS)
        say_yes(desk, page)
        upload = Upload.objects.get()
        assert bytes(upload.content) == b""
        assert upload.outcome.pop("undo")["made_season"] is True
        assert upload.outcome == {
            "season": Season.objects.get().pk,
            "added": 2,
            "changed": 0,
            "unchanged": 0,
            "evenings": [Evening.objects.get().pk],
            "made": [Evening.objects.get().pk],
            "guests": list(Member.objects.order_by("pk").values_list("pk", flat=True)),
        }
        assert f'href="{IMPORT}{upload.uuid}/"' in text(desk.get(IMPORT))
        assert desk.get(page.request["PATH_INFO"]).status_code == 404

    def test_every_fault_is_named_where_it_can_be_mended(self, desk: Client) -> None:
        bad = "datum;speler;punten\n2025-01-06;Ann;53811\n6 januaar;Bob;abc\n"
        page = send(desk, "results", bad)
        legends = re.findall(r"<legend>(.*?)</legend>", text(page))
        assert legends == ["regel 2: 2025-01-06 · Ann · 53811", "regel 3: 6 januaar · Bob · abc"]
        assert re.findall(r"<li>((?:datum|punten): .*?)</li>", text(page)) == [
            "punten: 53811 is meer dan spellen ooit kunnen opleveren",
            "datum: schrijf de datum als 2026-09-05",
            "punten: &#x27;abc&#x27; is geen heel getal",
        ]
        before = everything()
        assert desk.post(page.request["PATH_INFO"], {"seen": ""}).status_code == 422
        assert everything() == before

    def test_what_looks_like_a_slip_is_said_and_may_be_read_in(self, desk: Client) -> None:
        lines = [f"2025-01-06;{name};{4500 + at}" for at, name in enumerate("ABCDE")]
        page = send(desk, "results", "\n".join(["datum;speler;punten", *lines, "2025-01-06;F;461"]))
        assert (
            "regel 7: punten: 461 is een tiende van wat anderen hebben (rond 4502): een cijfer te"
            " weinig?"
        ) in text(page)
        say_yes(desk, page)
        assert PastResult.objects.filter(score=461).exists()

    def test_what_was_looked_at_is_what_is_written(self, club: Club, desk: Client) -> None:
        """Between looking and yes somebody of that name comes on the list."""
        page = send(desk, "results", RESULTS)
        MemberFactory.create(club=club, name="Mia Kok")
        before = everything()
        again = say_yes(desk, page)
        assert again.status_code == 409
        assert "de club is veranderd sinds u keek" in text(again)
        assert "<dt>Nieuwe gasten</dt><dd>1</dd>" in text(again)
        assert everything() == before
        assert "is ingelezen" in text(say_yes(desk, again))
        assert Member.objects.filter(name="Mia Kok").count() == 1

    def test_without_having_looked_nothing_is_written(self, desk: Client) -> None:
        page = send(desk, "results", RESULTS)
        assert say_yes(desk, page, seen="").status_code == 409
        assert desk.post(page.request["PATH_INFO"]).status_code == 409
        assert not PastResult.objects.exists()

    def test_pressing_twice_reads_in_once(self, desk: Client) -> None:
        page = send(desk, "results", RESULTS)
        say_yes(desk, page)
        again = desk.post(page.request["PATH_INFO"], {"seen": seen_in(page)})
        assert again.status_code == 404
        assert PastResult.objects.count() == 2

    @pytest.mark.full
    def test_a_spreadsheet(self, desk: Client, tmp_path: Path) -> None:
        lines: list[list[object]] = [
            ["Datum", "Naam", "Totaal", "Pitten"],
            [dt.date(2025, 1, 6), "Ann", 4810.0, 2],
        ]
        path = xlsx(tmp_path / "x.xlsx", lines)
        say_yes(desk, send(desk, "results", path.read_bytes()))
        assert list(PastResult.objects.values_list("score", "pits")) == [(4810, 2)]

    def test_too_large_a_file(self, desk: Client) -> None:
        page = send(desk, "results", b"x" * 5_000_001)
        assert page.status_code == 422
        assert "Het bestand is groter dan 5 MB." in text(page)

    @pytest.mark.full
    @pytest.mark.parametrize(
        ("chosen", "said"),
        [
            ({"season": "new", "season_name": " "}, "Vul de naam van het seizoen in."),
            ({"season": ""}, "Kies een seizoen."),
        ],
    )
    def test_no_season(self, desk: Client, chosen: dict[str, str], said: str) -> None:
        page = send(desk, "results", RESULTS, **chosen)
        assert page.status_code == 422
        assert said in text(page)

    def test_a_file_waits_a_day(self, desk: Client) -> None:
        page = send(desk, "results", RESULTS)
        path = page.request["PATH_INFO"]
        with time_machine.travel(dt.datetime.now(dt.UTC) + dt.timedelta(hours=25), tick=False):
            desk = desk_of(Club.objects.get())
            assert desk.get(path).status_code == 404
            send(desk, "results", RESULTS)
            assert Upload.objects.count() == 1

    @pytest.mark.parametrize("people", [1, 3])
    def test_more_lines_ask_no_more_questions(
        self, club: Club, desk: Client, people: int, django_assert_num_queries: Any
    ) -> None:
        lines = [f"2025-01-06;Naam {at};4500" for at in range(people)]
        page = send(desk, "results", "\n".join(["datum;speler;punten", *lines]))
        with django_assert_num_queries(14):
            desk.get(page.request["PATH_INFO"])


class TestEvening:
    @pytest.mark.full
    def test_another_evening_that_day_makes_way_when_it_is_said(self, desk: Client) -> None:
        say_yes(desk, send(desk, "evening", evening_text([{}])))
        page = send(desk, "evening", evening_text([{"points_ns": 100}]))
        assert "Er is al een avond op die datum." in text(page)
        say_yes(desk, page)
        assert Evening.objects.get().releases.count() == 2
        assert "Er verandert niets." in text(
            send(desk, "evening", evening_text([{"points_ns": 100}]))
        )

    @pytest.mark.full
    def test_a_faulty_file(self, desk: Client) -> None:
        page = send(desk, "evening", evening_text([{"points_ns": 163}]))
        assert page.status_code == 422
        assert "regel 2" in text(page)

    def test_what_was_looked_at_is_what_is_written(self, desk: Client) -> None:
        page = send(desk, "evening", evening_text([{"points_ns": 100}]))
        say_yes(desk, send(desk, "evening", evening_text([{}])))
        again = say_yes(desk, page)
        assert again.status_code == 409
        assert "Er is al een avond op die datum." in text(again)

    def test_an_evening_that_began_meanwhile_is_left_alone(self, club: Club, desk: Client) -> None:
        page = send(desk, "evening", evening_text([{}]))
        EveningFactory.create(club=club, date=dt.date(2026, 10, 10))
        Evening.objects.update(state=Evening.State.RUNNING)
        again = desk.get(page.request["PATH_INFO"], follow=True)
        assert again.redirect_chain == [(IMPORT, 302)]
        assert messages_in(again) == [
            "De avond van 2026-10-10 wordt nu gespeeld; sluit die af voordat u hem vervangt."
        ]

    @pytest.mark.full
    def test_a_name_that_two_people_have_by_now_is_a_fault(self, club: Club, desk: Client) -> None:
        MemberFactory.create(club=club, name="Ann")
        page = send(desk, "evening", evening_text([{}]))
        MemberFactory.create(club=club, name="Ann")
        again = desk.get(page.request["PATH_INFO"])
        assert again.status_code == 422
        assert re.findall(r"<li>(regel.*?)</li>", text(again)) == [
            "regel 2: n: meer dan één persoon heet &#x27;Ann&#x27;: geef het nummer"
        ]


@pytest.mark.full
@pytest.mark.parametrize("path", ["", "results/", "evening/"])
def test_only_the_organiser_reads_in(club: Club, path: str) -> None:
    for role in (director_of, scorekeeper_of):
        client = Client()
        client.force_login(role(club))
        assert client.get(IMPORT + path).status_code == 403


def test_another_clubs_file_is_not_there(club: Club, desk: Client) -> None:
    page = send(desk, "results", RESULTS)
    path = page.request["PATH_INFO"]
    other = desk_of(ClubFactory.create())
    assert other.get(path.replace("vrolijke-boer", "club-2")).status_code == 404


def test_it_is_found_from_the_seasons(desk: Client) -> None:
    assert f'href="{IMPORT}"' in text(desk.get("/clubs/vrolijke-boer/desk/seasons/"))


@pytest.mark.parametrize("files", [1, 3])
def test_more_files_ask_no_more_questions(
    desk: Client, files: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(files):
        say_yes(desk, send(desk, "results", RESULTS))
    with django_assert_num_queries(5):
        desk.get(IMPORT)


def undo(desk: Client) -> Any:
    """Press the button under what came of the last file."""
    upload = Upload.objects.filter(outcome__has_key="undo").order_by("-pk")[0]
    path = f"{IMPORT}{upload.uuid}/undo/"
    assert f'href="{path}"' in text(desk.get(f"{IMPORT}{upload.uuid}/"))
    assert "Ja, terugnemen" in text(desk.get(path))
    return desk.post(path, follow=True)


def everything_but(models: set[str]) -> dict[str, list[Any]]:
    """Every row, leaving out those of some models."""
    return everything() | {name: [] for name in models}


class TestTakingBackAnEvening:
    def test_it_is_looked_at_read_in_and_taken_back_but_for_the_trail_and_the_regulation(
        self, club: Club, desk: Client
    ) -> None:
        left = {"AuditEvent", "AuditText", "AuditHead", "Club", "Regulation", "Upload", "Session"}
        before = everything()
        page = send(desk, "evening", TWELVE)
        shown = text(page)
        assert "rondes: 3" in shown
        assert len(re.findall(r'<td class="num">\d+</td><th scope="row">', shown)) == 12
        assert everything_but({"Upload"}) == before | {"Upload": []}
        assert "is ingelezen" in text(say_yes(desk, page))
        evening = Evening.objects.get()
        assert (evening.state, evening.rounds.count()) == ("closed", 3)
        assert Scoresheet.objects.count() == 9
        upload = Upload.objects.get()
        assert upload.outcome["outcome"] == "imported"
        assert "De avond gaat weg, met alle spellen." in text(
            desk.get(f"{IMPORT}{upload.uuid}/undo/")
        )
        assert messages_in(undo(desk)) == ["Wat uit uitslagen.csv kwam, is weer weg."]
        assert everything_but(left) == before | {name: [] for name in left}
        club.refresh_from_db()
        assert chain_faults(club) == ()
        say_yes(desk, send(desk, "evening", TWELVE))
        assert Evening.objects.get().state == "closed"

    def test_an_evening_that_was_changed_since_stays(self, desk: Client) -> None:
        say_yes(desk, send(desk, "evening", evening_text([{}])))
        deal = Deal.objects.get()
        deal_write(
            sheet_id=deal.sheet_id,
            number=deal.number,
            seen_version=deal.version,
            uuid=uuid4(),
            written={"declarer": "NS", "trump": "H", "points": {"NS": 120}},
            actor=TESTS,
            reason="verkeerd gelezen",
            closed_too=True,
        )
        said = "Deze avond is veranderd nadat hij werd ingelezen, en blijft daarom staan."
        assert messages_in(undo(desk)) == [said]
        assert Evening.objects.count() == 1
        assert Upload.objects.get().outcome["undo"]["evening"] == Evening.objects.get().pk

    @pytest.mark.full
    def test_a_stake_that_was_paid_keeps_it(self, desk: Client) -> None:
        say_yes(desk, send(desk, "evening", evening_text([{}])))
        Registration.objects.filter(member__name="Ann").update(paid=250)
        undo(desk)
        assert Evening.objects.count() == 1

    def test_what_took_the_place_of_another_cannot_be_taken_back(self, desk: Client) -> None:
        say_yes(desk, send(desk, "evening", evening_text([{}])))
        say_yes(desk, send(desk, "evening", evening_text([{"points_ns": 100}])))
        newest = Upload.objects.order_by("-pk")[0]
        assert newest.outcome["outcome"] == "replaced"
        assert desk.get(f"{IMPORT}{newest.uuid}/undo/").status_code == 404


def about_results() -> dict[str, list[Any]]:
    """Every row that a file of results can change, but for what happened."""
    kept = {"Member", "Season", "Evening", "PastResult", "Registration", "Rating"}
    rows = {name: message for name, message in everything().items() if name in kept}
    rows["Evening"] = [{**row, "revision": 0, "version": 0} for row in rows["Evening"]]
    return rows


def read_in(club: Club, content: str, season: str = "2024-2025") -> None:
    """What choosing a file of results, looking and saying yes come to."""
    upload = upload_keep(
        club=club,
        kind=Upload.Kind.RESULTS,
        file=BytesIO(content.encode()),
        name="uitslagen.csv",
        details={"season": season},
        actor=TESTS,
    )
    plan = results_plan(club=club, season_name=season, source=upload_source(upload))
    uploaded_results_import(upload=upload, seen=plan.fingerprint, actor=TESTS)


def take_back(number: int | None = None) -> None:
    """What came of this file, counted from 0, else of the last one."""
    uploads = list(Upload.objects.order_by("pk"))
    results_import_undo(upload=uploads[-1 if number is None else number], actor=TESTS)


class TestTakingBack:
    def test_everything_is_as_before(self, club: Club, desk: Client) -> None:
        before = about_results()
        say_yes(desk, send(desk, "results", RESULTS))
        assert messages_in(undo(desk)) == ["Wat uit uitslagen.csv kwam, is weer weg."]
        assert about_results() == before
        upload = Upload.objects.get()
        assert "Dit is daarna teruggenomen." in text(desk.get(f"{IMPORT}{upload.uuid}/"))
        assert desk.post(f"{IMPORT}{upload.uuid}/undo/").status_code == 404
        club.refresh_from_db()
        assert chain_faults(club) == ()

    def test_what_stood_before_comes_back(self, club: Club) -> None:
        first = "datum;speler;ronde;punten\n2025-01-06;Ann;;4500\n2025-01-06;Bob;;4000\n"
        read_in(club, first)
        before = about_results()
        later = first.replace("Ann;;4500", "Ann;1;1500").replace("4000", "4100")
        read_in(club, later, "2025-2026")
        assert about_results() != before
        take_back()
        assert about_results() == before
        assert Evening.objects.get().releases.count() == 3

    def test_what_was_played_since_stays(self, club: Club) -> None:
        read_in(club, RESULTS)
        mia = Member.objects.get(name="Mia Kok")
        Registration.objects.create(evening=EveningFactory.create(club=club), member=mia)
        take_back()
        assert [member.name for member in Member.objects.all()] == ["Mia Kok"]
        assert not PastResult.objects.exists()

    def test_a_guest_who_became_a_member_since(self, club: Club) -> None:
        read_in(club, RESULTS)
        member = MemberFactory.create(club=club, name="Jan Bakkers")
        guest_merge(guest=Member.objects.get(name="Jan Bakker"), member=member, actor=TESTS)
        take_back()
        assert [one.name for one in Member.objects.all()] == ["Jan Bakkers"]
        assert not PastResult.objects.exists()

    @pytest.mark.full
    def test_rounds_that_a_whole_took_the_place_of_all_come_back(self, club: Club) -> None:
        rounds = "\n".join(f"2025-01-06;Ann;{number};15{number}0" for number in (1, 2, 3))
        read_in(club, f"datum;speler;ronde;punten\n{rounds}\n")
        before = about_results()
        read_in(club, "datum;speler;punten\n2025-01-06;Ann;4700\n")
        take_back()
        assert about_results() == before

    @pytest.mark.parametrize("taken_back", [0, 1])
    def test_a_result_that_changed_since_stays(self, club: Club, taken_back: int) -> None:
        for score in (4500, 4600, 4700):
            read_in(club, f"datum;speler;punten\n2025-01-06;Ann;{score}\n")
        take_back(taken_back)
        assert [(one.member.name, one.score) for one in PastResult.objects.all()] == [("Ann", 4700)]

    @pytest.mark.parametrize("later", ["Ann;;4600", "Ann;1;1500"])
    def test_what_stood_before_comes_back_to_the_member_a_guest_was(
        self, club: Club, later: str
    ) -> None:
        headings = "datum;speler;ronde;punten\n"
        read_in(club, f"{headings}2025-01-06;Ann;;4500\n")
        read_in(club, f"{headings}2025-01-06;{later}\n")
        member = MemberFactory.create(club=club, name="Annie Bos")
        guest_merge(guest=Member.objects.get(name="Ann"), member=member, actor=TESTS)
        take_back()
        results = [(one.member.name, one.round, one.score) for one in PastResult.objects.all()]
        assert results == [("Annie Bos", None, 4500)]

    def test_an_evening_that_went_to_another_season_since_stays_there(self, club: Club) -> None:
        first = "datum;speler;punten\n2025-01-06;Ann;4500\n"
        for season in ("2023-2024", "2024-2025", "2025-2026"):
            read_in(club, first, season)
        take_back(1)
        assert str(Evening.objects.get().season) == "2025-2026"


def test_no_club_fills_the_server_with_files_that_wait() -> None:
    mine, other = ClubFactory.create(), ClubFactory.create()
    for number, club in enumerate([other, *[mine] * 21]):
        upload_keep(
            club=club,
            kind=Upload.Kind.RESULTS,
            file=BytesIO(b"x"),
            name=f"{number}.csv",
            details={},
            actor=TESTS,
        )
    names = Upload.objects.order_by("pk").values_list("name", flat=True)
    assert list(names) == ["0.csv", *(f"{number}.csv" for number in range(2, 22))]


@pytest.mark.django_db(transaction=True)
def test_of_two_who_say_yes_at_once_one_reads_it_in() -> None:
    club = ClubFactory.create()
    upload = upload_keep(
        club=club,
        kind=Upload.Kind.RESULTS,
        file=BytesIO(RESULTS.encode()),
        name="oud.csv",
        details={"season": "2024-2025"},
        actor=TESTS,
    )
    plan = results_plan(club=club, season_name="2024-2025", source=upload_source(upload))
    yes = partial(uploaded_results_import, upload=upload, seen=plan.fingerprint, actor=TESTS)
    assert outcomes(at_once([yes, yes])) == {"ok": 1, "import_changed": 1}
    assert PastResult.objects.count() == 2
