"""Lists of results as clubs have them: chosen or pasted, asked about, mended, read in, taken back.

What must come out of each list stands beside it, typed by hand.
"""

import json
import re
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from clubs.models import Club, Member, Upload
from tests.clubs.lists.test_reading import xlsx
from tests.factories import ClubFactory, MemberFactory
from tests.tournaments.desk import desk_of, text
from tests.tournaments.files import DATA, everything
from tests.tournaments.public_pages import words
from tournaments.models import CompetitorResult, Evening, PastResult, Season

pytestmark = pytest.mark.django_db

LISTS = DATA / "lists" / "results"
RESULTS = "/clubs/vrolijke-boer/desk/import/results/"
SEASON = {"season": "new", "season_name": "2025-2026"}


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


@pytest.fixture
def desk(club: Club) -> Client:
    return desk_of(club)


def choose(desk: Client, path: Path, **chosen: str) -> Any:
    """Choose a file; the answer is the page that this leads to."""
    file = SimpleUploadedFile(path.name, path.read_bytes())
    return desk.post(RESULTS, {**SEASON, **chosen, "file": file}, follow=True)


def paste(desk: Client, pasted: str, **chosen: str) -> Any:
    return desk.post(RESULTS, {**SEASON, **chosen, "text": pasted}, follow=True)


def send(desk: Client, page: Any, **answers: Any) -> Any:
    """Press a button of the page, with what it shows and these answers."""
    seen = re.search(r'name="seen" value="(\w*)"', page.content.decode())
    assert seen
    path = page.request["PATH_INFO"]
    return desk.post(path, {"seen": seen[1], **answers}, follow=True)


def stored() -> dict[str, dict[str, Any]]:
    """The scores by date and name: of the whole evening, or of its rounds."""
    rows: dict[str, dict[str, Any]] = defaultdict(dict)
    results = PastResult.objects.filter(absence="").select_related("evening", "member")
    for result in results.order_by("round"):
        own = rows[result.evening.date.isoformat()]
        if result.round is None:
            own[result.member.name] = result.score
        else:
            own.setdefault(result.member.name, []).append(result.score)
    return dict(rows)


def statement(path: Path) -> Any:
    return json.loads(path.with_suffix(".expected.json").read_text())


FILES = sorted(path for path in LISTS.iterdir() if not path.name.endswith(".json"))


EACH_LIST = pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)


@pytest.mark.each_case
@EACH_LIST
def test_each_list_is_read_in(club: Club, desk: Client, path: Path) -> None:
    expected = statement(path)
    MemberFactory.create(club=club, name="Piet van der Berg")
    page = _ready(desk, path, expected)
    assert PastResult.objects.count() == 0
    _imported(page, desk, expected)


@pytest.mark.full
@EACH_LIST
def test_what_is_taken_back_is_read_in_again(club: Club, desk: Client, path: Path) -> None:
    expected = statement(path)
    MemberFactory.create(club=club, name="Piet van der Berg")
    _imported(_ready(desk, path, expected), desk, expected)
    upload = Upload.objects.get(done_at__isnull=False)
    desk.post(f"/clubs/vrolijke-boer/desk/import/{upload.uuid}/undo/")
    assert (PastResult.objects.count(), Evening.objects.count(), Season.objects.count()) == (0,) * 3
    assert [member.name for member in Member.objects.all()] == ["Piet van der Berg"]
    _imported(_ready(desk, path, expected), desk, expected)


def _ready(desk: Client, path: Path, expected: Any) -> Any:
    """The page of a list, with its questions answered and its faulty lines left out."""
    season = "2024-2025" if path.stem == "02-korte-datums" else "2025-2026"
    page = choose(desk, path, season_name=season)
    assert page.status_code == 200
    shown = words(page)
    for sums in expected["sums_that_differ"]:
        numbers = f"{sums['list']:,}".replace(",", "."), f"{sums['sum']:,}".replace(",", ".")
        assert "zegt {}, de punten komen op {}".format(*numbers) in shown
    answers: dict[str, Any] = {"do": "check"}
    for at, question in enumerate(expected["questions"]):
        [like] = question["like"]
        member = Member.objects.get(name=like)
        answers |= {f"name-{at}": question["name"], f"who-{at}": str(member.pk)}
    lines = [str(line["line"]) for line in expected["lines_to_mend"]]
    answers |= {"line": lines, "out": lines}
    return send(desk, page, **answers) if len(answers) > 3 or lines else page


def _imported(page: Any, desk: Client, expected: Any) -> None:
    out = {line["name"] for line in expected["lines_to_mend"]}
    scores = {
        evening["date"]: {who: own for who, own in evening["scores"].items() if who not in out}
        for evening in expected["results"]
    }
    done = send(desk, page, do="import")
    assert "is ingelezen" in words(done)
    assert stored() == scores
    absent = PastResult.objects.exclude(absence="").select_related("evening", "member")
    assert sorted((row.evening.date.isoformat(), row.member.name) for row in absent) == sorted(
        (row["date"], row["name"]) for row in expected["absent"]
    )


MATRIX = "Naam\t2-9-2025\t9-9-2025\tTotaal\nJan Bakker\t4.810\t4.9oo\t9710\nMia Kok\t\t4620\t4620\n"


def test_a_faulty_cell_is_mended_on_the_page(club: Club, desk: Client) -> None:
    page = paste(desk, MATRIX)
    assert "9-9-2025: '4.9oo' is geen heel getal" in words(page)
    assert "Ja, lees dit in" not in words(page)
    page = send(desk, page, do="check", line="2", **{"cell-2-1": "4.810", "cell-2-2": "4900"})
    send(desk, page, do="import")
    assert stored() == {
        "2025-09-02": {"Jan Bakker": 4810},
        "2025-09-09": {"Jan Bakker": 4900, "Mia Kok": 4620},
    }


@pytest.mark.full
def test_a_line_that_was_left_out_can_come_back(desk: Client) -> None:
    page = paste(desk, MATRIX)
    page = send(desk, page, do="check", line="2", out="2")
    assert "Weggelaten" in words(page)
    assert "Ja, lees dit in" in words(page)
    page = send(desk, page, do="check", line="2")
    assert "9-9-2025: '4.9oo' is geen heel getal" in words(page)


@pytest.mark.full
def test_a_doubtful_name_is_answered_on_the_page(club: Club, desk: Client) -> None:
    piet = MemberFactory.create(club=club, name="Piet van der Berg", number=7)
    page = paste(desk, "Datum;Naam;Punten\n2-9-2025;Piet v.d. Berg;4810\n9-9-2025;P. Bos;4700\n")
    assert "Zeg van 1 naam wie het is." in words(page)
    assert "Ja, lees dit in" not in words(page)
    before = everything()
    refused = send(desk, page, do="import")
    assert refused.status_code == 422
    assert everything() == before
    answer = {"name-0": "Piet v.d. Berg", "who-0": str(piet.pk)}
    page = send(desk, page, do="check", **answer)
    assert "Nieuwe gasten 1" in words(page)
    send(desk, page, do="import")
    assert stored() == {
        "2025-09-02": {"Piet van der Berg": 4810},
        "2025-09-09": {"P. Bos": 4700},
    }


@pytest.mark.full
def test_an_answer_may_be_another_name_of_the_list(desk: Client) -> None:
    page = paste(desk, "Datum;Naam;Punten\n2-9-2025;Piet Bos;4810\n9-9-2025;P. Bos;4700\n")
    page = send(desk, page, do="check", **{"name-0": "P. Bos", "who-0": "=Piet Bos"})
    send(desk, page, do="import")
    assert stored() == {"2025-09-02": {"Piet Bos": 4810}, "2025-09-09": {"Piet Bos": 4700}}


def test_namesakes_are_asked_about_and_their_number_answers(club: Club, desk: Client) -> None:
    jan, other = (
        MemberFactory.create(club=club, name="Jan de Vries", number=number) for number in (2, 24)
    )
    page = paste(desk, "Naam;2-9-2025;9-9-2025\nJan de Vries;4810;4700\n")
    assert "Jan de Vries (nummer 24)" in words(page)
    page = send(desk, page, do="check", **{"name-0": "Jan de Vries", "who-0": str(other.pk)})
    send(desk, page, do="import")
    assert set(PastResult.objects.values_list("member", flat=True)) == {other.pk}
    page = paste(desk, "Nr;Naam;16-9-2025;23-9-2025\n2;Jan de Vries;4810;4700\n")
    send(desk, page, do="import")
    assert set(PastResult.objects.values_list("member", flat=True)) == {jan.pk, other.pk}


@pytest.mark.full
def test_columns_that_say_nothing_are_assigned_by_hand(desk: Client) -> None:
    page = paste(desk, "a\tb\tc\nJan Bakker\t17\t4810\nMia Kok\t18\t4620\n")
    assert "Zeg in welke kolom de punten staan." in words(page)
    page = send(desk, page, do="check", **{"use-0-0": "name", "use-0-2": "of_evening"})
    assert "Vul de datum van de avond in." in words(page)
    page = send(desk, page, do="check", **{"date-0-2": "2025-09-02"})
    assert "de kolom b" in words(page)
    send(desk, page, do="import")
    assert stored() == {"2025-09-02": {"Jan Bakker": 4810, "Mia Kok": 4620}}


@pytest.mark.full
def test_the_date_of_one_evening_is_asked(desk: Client) -> None:
    page = paste(desk, "Naam;Ronde 1;Ronde 2;Totaal\nJan Bakker;1600;1700;3300\n")
    page = send(desk, page, do="check", **{"date-0-sheet": "2025-09-02"})
    assert "1 totaal in de lijst is vergeleken, en klopt." in words(page)
    send(desk, page, do="import")
    assert stored() == {"2025-09-02": {"Jan Bakker": [1600, 1700]}}


def test_what_is_changed_and_not_seen_is_not_read_in(desk: Client) -> None:
    page = paste(desk, "Naam;2-9-2025;9-9-2025\nJan Bakker;4810;4700\n")
    again = send(desk, page, do="import", **{"date-0-1": "2025-08-26"})
    assert "u hebt op deze pagina iets veranderd" in words(again)
    assert not PastResult.objects.exists()
    send(desk, again, do="import")
    assert stored() == {"2025-08-26": {"Jan Bakker": 4810}, "2025-09-09": {"Jan Bakker": 4700}}


@pytest.mark.full
def test_a_year_that_nobody_wrote_is_said(desk: Client) -> None:
    page = paste(desk, "Naam;2 sep;6 jan\nJan Bakker;4810;4700\n", season_name="Winter")
    assert "In de lijst staat niet van welk jaar de dagen zijn." in words(page)


@pytest.mark.full
def test_noughts_and_lines_without_scores_are_said(desk: Client) -> None:
    page = paste(desk, "Naam;2-9-2025;9-9-2025\nJan Bakker;4810;0\nMia Kok;;\n")
    assert "1 nul" in words(page)
    assert "regel 3: Mia Kok" in words(page)
    send(desk, page, do="import")
    assert stored() == {"2025-09-02": {"Jan Bakker": 4810}}


@pytest.mark.full
@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"\x89PNG\r\n\x1a\n", "Dit is een foto of plaatje."),
        (b"", "Er staat niets in dit bestand."),
        (b"PK\x03\x04 broken", "Dit bestand is beschadigd"),
    ],
)
def test_what_is_no_list_is_told_and_not_kept(desk: Client, content: bytes, said: str) -> None:
    file = SimpleUploadedFile("uitslagen.csv", content)
    page = desk.post(RESULTS, {**SEASON, "file": file})
    assert page.status_code == 422
    assert said in text(page)
    assert not Upload.objects.exists()


@pytest.mark.full
def test_evenings_by_number_get_their_dates_at_once(desk: Client) -> None:
    page = paste(desk, "Naam;Avond 1;2e avond;Avond 3;Totaal\nJan Bakker;4810;4700;;9510\n")
    assert "3 avonden hebben nog geen datum" in words(page)
    page = send(desk, page, do="check", first="2025-09-02", weeks="2", **{"date-0-2": "2025-09-09"})
    assert "1 totaal in de lijst is vergeleken, en klopt." in words(page)
    send(desk, page, do="import")
    assert stored() == {"2025-09-02": {"Jan Bakker": 4810}, "2025-09-09": {"Jan Bakker": 4700}}


@pytest.mark.full
def test_more_numbers_than_rounds_are_evenings(desk: Client) -> None:
    numbers = ";".join(map(str, range(1, 10)))
    page = paste(desk, f"Naam;{numbers}\nJan Bakker;4810{';' * 8}\n")
    assert "9 avonden hebben nog geen datum" in words(page)


@pytest.mark.full
def test_a_sheet_for_each_evening_by_number(desk: Client) -> None:
    rows: list[list[object]] = [["Naam", "Punten"], ["Jan Bakker", 4810]]
    book = xlsx(("Avond 1", rows), ("Avond 2", rows), ("Stand", [["Naam", "Totaal"], ["Jan", 1]]))
    file = SimpleUploadedFile("uitslag.xlsx", book)
    page = desk.post(RESULTS, {**SEASON, "file": file}, follow=True)
    page = send(desk, page, do="check", first="2025-09-02", weeks="1", sheet=["0", "1"])
    assert "het blad Stand" in words(page)
    send(desk, page, do="import")
    assert stored() == {"2025-09-02": {"Jan Bakker": 4810}, "2025-09-09": {"Jan Bakker": 4810}}


@pytest.mark.full
def test_the_sheet_and_the_line_with_the_headings_are_chosen(desk: Client) -> None:
    old: list[list[object]] = [["Naam", "2-9-2025", "9-9-2025"], ["Jan Bakker", 1, 2]]
    new: list[list[object]] = [
        ["Naam", "4-9-2025", "x"],
        ["Wie", "Speler", "Uitslag"],
        [1, "Mia Kok", 4620],
    ]
    file = SimpleUploadedFile("uitslag.xlsx", xlsx(("Oud", old), ("Nieuw", new)))
    page = desk.post(RESULTS, {**SEASON, "file": file}, follow=True)
    assert "het blad Nieuw" in words(page)
    page = send(desk, page, do="check", sheet="1")
    page = send(desk, page, do="check", sheet="1", **{"heading-1": "2"})
    send(desk, page, do="import", sheet="1")
    assert stored() == {"2025-09-04": {"Mia Kok": 4620}}


@pytest.mark.full
def test_days_above_the_other_headings(desk: Client) -> None:
    page = paste(
        desk, ";2-9-2025;;9-9-2025;\nNaam;Punten;Roem;Punten;Roem\nJan Bos;4810;60;4700;\n"
    )
    assert "de kolom Roem" in words(page)
    send(desk, page, do="import")
    assert stored() == {"2025-09-02": {"Jan Bos": 4810}, "2025-09-09": {"Jan Bos": 4700}}


@pytest.mark.full
def test_names_with_the_surname_first_and_american_days(desk: Client) -> None:
    rows = "VAN DEN BOS JAN;9/2/2025;4810\nKOK MIA;9/16/2025;4620\n"
    page = paste(desk, f"Lijst van Wim\nNaam;Datum;Punten\n{rows}")
    assert "regel 1: Lijst van Wim" in words(page)
    send(desk, page, do="import")
    assert stored() == {"2025-09-02": {"Jan van den Bos": 4810}, "2025-09-16": {"Mia Kok": 4620}}


@pytest.mark.full
def test_a_list_of_pairs_and_one_of_teams(desk: Client) -> None:
    """As `import_results` takes them; beside people a team is not read."""
    page = paste(
        desk,
        "Koppel;05-09-2025;12-09-2025\nAnn & Bob;4.320;4.300\nCor & Dik;4.270;afw\nTotaal;8590;",
    )
    assert [column.use for column in page.context["check"].sheets[0].columns] == [
        *("pair", "of_evening", "of_evening"),
    ]
    send(desk, page, do="import")
    results = CompetitorResult.objects.order_by("evening__date", "competitor__key")
    known = results.values_list("evening__date", "competitor__name", "score", "absence")
    assert [(f"{date:%m-%d}", *other) for date, *other in known] == [
        ("09-05", "Ann & Bob", 4320, ""),
        ("09-05", "Cor & Dik", 4270, ""),
        ("09-12", "Ann & Bob", 4300, ""),
        ("09-12", "Cor & Dik", None, "notice"),
    ]
    assert not Member.objects.exists()
    page = paste(desk, "Team;Datum;Punten\nDe Azen;19-09-2025;16480\nDe Boeren;19-09-2025;15900")
    send(desk, page, do="import")
    teams = CompetitorResult.objects.filter(competitor__kind="team").order_by("-score")
    assert list(teams.values_list("competitor__name", "score")) == [
        ("De Azen", 16480),
        ("De Boeren", 15900),
    ]
    page = paste(desk, "Naam;Team;Datum;Punten\nJan Bakker;De Azen;26-09-2025;4480")
    assert [column.use for column in page.context["check"].sheets[0].columns] == [
        *("name", "", "evening", "score"),
    ]


@pytest.mark.full
def test_what_is_wrong_in_a_list_of_pairs_is_said_beside_its_line(desk: Client) -> None:
    page = paste(desk, "Paar;Datum;Punten\nAnn & Bob;05-09-2025;4320\n;05-09-2025;4100")
    (line,) = page.context["check"].to_mend
    assert line.faults == ["Paar: de naam ontbreekt"]
    assert not CompetitorResult.objects.exists()
