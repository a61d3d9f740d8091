"""`import_evening` and `export_evening`, as contract.md section 3 has them."""

import datetime as dt
import uuid
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clubs.models import Club, Member
from scoring.deals.entries import sheet_changed
from scoring.deals.services import deal_write
from scoring.models import DealEntry, Scoresheet
from tests.factories import (
    TESTS,
    ClubFactory,
    EveningFactory,
    MemberFactory,
    evening_with_draw,
    table,
    write_deal,
)
from tests.scoring.rules.dealing import SUITS, play
from tests.tournaments.files import DATA, HEADINGS, Files, evening_text, everything, rows, xlsx
from tournaments.closing.services import evening_cancel, evening_close
from tournaments.models import Evening, Placement, Registration, Release
from tournaments.registration.check_in import presence_set
from tournaments.rounds.services import round_close

pytestmark = pytest.mark.django_db

SAMPLE = DATA / "evening-12-players.csv"
STANDINGS = DATA / "evening-12-players.standings.csv"
DATE = "2026-09-05"
SAME = f"{DATE}: the same 144 deals were there already, nothing changed\n"


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(ClubFactory.create(), tmp_path)


@pytest.mark.full
def test_the_sample_comes_to_its_standings_and_out_as_it_went_in(
    files: Files, tmp_path: Path
) -> None:
    """And however its cells are kept, it is the same evening."""
    printed = files.evening(SAMPLE, regulation="rotterdam")
    assert printed == f"{DATE}: 144 deals imported, 12 new guests\n"
    assert files.standings(evening=DATE).encode() == STANDINGS.read_bytes()
    assert files.export(DATE).encode() == SAMPLE.read_bytes()
    before = everything()
    book = xlsx(tmp_path / "evening.xlsx", _cells(SAMPLE.read_text()))
    sources: list[str | Path] = [*_spellings(SAMPLE.read_bytes().decode()), book]
    for source in sources:
        assert files.evening(source, regulation="rotterdam") == SAME
        assert everything() == before
    # With other rules it is another evening.
    assert files.refused("import_evening", SAMPLE)


def _spellings(text: str) -> list[str]:
    """The text as other programs write it, and with its lines in another order."""
    first, *lines = text.splitlines()
    semicolons = text.replace(",", ";")
    return [
        text.replace("\r\n", "\n"),
        "\ufeff" + text,
        semicolons,
        "\ufeff" + semicolons.replace(";", " ; "),
        text + "\r\n,,,\r\n",
        text.replace("reneged", "reneged,remarks").replace(",,\r\n", ",,,fine\r\n"),
        "\n".join([first, *(line.upper() for line in reversed(lines))]),
    ]


def _cells(text: str) -> list[list[object]]:
    """The lines with numbers and a date where a spreadsheet has them."""
    headings, *lines = rows(text)
    cells: list[list[object]] = [
        [int(cell) if cell.isdecimal() else cell or None for cell in line] for line in lines
    ]
    date = dt.date.fromisoformat(DATE)
    return [list[object](headings), *([date, *line[1:]] for line in cells)]


@pytest.mark.full
def test_an_imported_evening_is_closed_and_published(files: Files) -> None:
    files.evening(SAMPLE, season="2026-2027")
    evening = Evening.objects.get()
    assert (evening.state, evening.is_history, str(evening.season)) == (
        "closed",
        False,
        "2026-2027",
    )
    assert (evening.rounds_planned, evening.deals_per_round) == (3, 16)
    assert [(r.number, r.state, len(r.seal)) for r in evening.rounds.all()] == [
        (1, "closed", 64),
        (2, "closed", 64),
        (3, "closed", 64),
    ]
    release = Release.objects.get()
    assert (release.number, release.changes) == (1, [])
    assert [row["name"] for row in release.standings] == [
        line[1] for line in rows(files.standings(evening=DATE))[1:]
    ]
    assert evening.registrations.filter(present=True).count() == 12
    assert set(Scoresheet.objects.values_list("state", flat=True)) == {"closed"}


@pytest.mark.full
def test_the_same_file_again_changes_nothing_but_the_season_that_is_named(files: Files) -> None:
    files.evening(SAMPLE, season="2026")
    before = everything()
    assert files.evening(SAMPLE) == SAME
    files.evening(SAMPLE, season=" 2026 ")
    files.evening(SAMPLE, replace=True)
    assert everything() == before
    printed = files.evening(SAMPLE, season="2027")
    assert printed == f"{DATE}: the same 144 deals were there already, now in 2027\n"
    assert str(Evening.objects.get().season) == "2027"
    assert Release.objects.count() == 1


@pytest.mark.parametrize("options", [{}, {"season": "2027"}])
def test_other_deals_on_that_date_need_replace(files: Files, options: dict[str, str]) -> None:
    files.evening(evening_text([{}, {}]))
    refused = files.refused("import_evening", evening_text([{}, {"points_ns": 91}]), **options)
    assert refused == [
        "There already is another evening on 2026-10-10; use --replace to replace it."
    ]


@pytest.mark.full
def test_replace_publishes_the_next_release(files: Files) -> None:
    files.evening(evening_text([{}, {}]), season="2026")
    printed = files.evening(
        evening_text([{"points_ns": 120, "w": "Eva"}], evening="2026-10-10"), replace=True
    )
    assert printed == "2026-10-10: replaced by 1 deals, 1 new guests\n"
    assert rows(files.standings(evening="2026-10-10"))[1:] == [
        ["1", "Ann", "120", "120", "0"],
        ["1", "Cor", "120", "120", "0"],
        ["3", "Bob", "42", "42", "0"],
        ["3", "Eva", "42", "42", "0"],
    ]
    evening = Evening.objects.get()
    assert (str(evening.season), evening.deals_per_round) == ("2026", 1)
    newest = Release.objects.order_by("-number")[0]
    assert newest.number == 2
    assert {(row["name"], *row["total"]) for row in newest.changes} >= {
        ("Ann", 180, 120),
        ("Eva", None, 42),
    }
    assert Scoresheet.objects.count() == 1


def test_replace_of_corrected_deals_takes_their_history_off(files: Files) -> None:
    files.evening(evening_text([{}]))
    sheet = Scoresheet.objects.get()
    deal_write(
        sheet_id=sheet.pk,
        number=1,
        seen_version=1,
        uuid=uuid.uuid4(),
        written={"declarer": "N", "trump": "H", "points": {"NS": 100}},
        actor=TESTS,
        reason="counted anew",
        closed_too=True,
    )
    files.evening(evening_text([{"points_ns": 100}, {}]), replace=True)
    assert DealEntry.objects.count() == 2


@pytest.mark.full
def test_what_a_file_cannot_tell_stays_known(files: Files) -> None:
    evening = _played_evening(files.club, players=5)
    away = MemberFactory.create(club=files.club)
    Evening.objects.filter(pk=evening.pk).update(state="running")
    presence_set(evening_id=evening.pk, member=away, present=False, absence="notice", actor=TESTS)
    Evening.objects.filter(pk=evening.pk).update(state="closed")
    out = Placement.objects.get(table=None)
    text = files.export("2026-11-21")
    files.evening(text.replace(",H,90,", ",H,91,"), replace=True)
    kept = Placement.objects.get(table=None)
    assert (kept.member, kept.round.number) == (out.member, 1)
    assert Registration.objects.get(member=away).absence == "notice"
    assert Registration.objects.filter(present=True).count() == 5
    standing = rows(files.standings(evening="2026-11-21"))
    assert [out.member.name, "1600"] in [row[1:3] for row in standing]


def test_an_evening_that_is_being_played_is_left_alone(files: Files) -> None:
    evening = evening_with_draw(club=files.club, players=4)
    write_deal(table(evening), 1)
    text = evening_text([{}], evening=evening.slug)
    message = "The evening of 2026-11-21 is being played now; close it before replacing it."
    assert files.refused("import_evening", text) == [message]
    assert files.refused("import_evening", text, replace=True) == [message]


@pytest.mark.full
@pytest.mark.parametrize("cancelled", [False, True])
def test_an_evening_that_was_only_planned_can_be_replaced(files: Files, cancelled: bool) -> None:
    evening = evening_with_draw(club=files.club, players=5, started=False)
    if cancelled:
        evening_cancel(evening_id=evening.pk, actor=TESTS)
    text = evening_text([{}], evening=evening.slug)
    assert files.refused("import_evening", text) == [
        "There already is another evening on 2026-11-21; use --replace to replace it."
    ]
    files.evening(text, replace=True)
    assert [(one.slug, one.state) for one in Evening.objects.all()] == [("2026-11-21", "closed")]


def test_a_second_evening_on_a_day(files: Files) -> None:
    files.evening(evening_text([{}]))
    files.evening(evening_text([{"points_ns": 100}], evening="2026-10-10-2"))
    assert [row[2] for row in rows(files.standings(evening="2026-10-10"))[1:]] == (
        ["90", "90", "72", "72"]
    )
    assert [row[2] for row in rows(files.standings(evening="2026-10-10-2"))[1:]] == (
        ["100", "100", "62", "62"]
    )
    assert rows(files.export("2026-10-10-2"))[1][0] == "2026-10-10-2"


@pytest.mark.full
def test_the_number_of_a_later_evening_is_kept_when_it_comes_first(files: Files) -> None:
    files.evening(evening_text([{}], evening="2026-10-10-3"))
    EveningFactory.create(club=files.club, date=dt.date(2026, 10, 10))
    assert sorted(one.slug for one in Evening.objects.all()) == ["2026-10-10-3", "2026-10-10-4"]


@pytest.mark.full
def test_players_by_number_or_by_name_however_it_is_spelt(files: Files) -> None:
    MemberFactory.create(club=files.club, number=7, name="Jan van der Meer")
    MemberFactory.create(club=files.club, number=12, name="Anna Łuczak")
    text = evening_text([{}, {"n": "JAN  VAN DER meer"}], n="07", s="  anna łuczak ", e="Bob\tB")
    assert files.evening(text) == "2026-10-10: 2 deals imported, 2 new guests\n"
    players = [row[3:7] for row in rows(files.export("2026-10-10"))[1:]]
    assert players == [["Jan van der Meer", "Bob B", "Anna Łuczak", "Dik"]] * 2
    kinds = dict(Member.objects.values_list("name", "kind"))
    assert (kinds["Bob B"], kinds["Anna Łuczak"]) == ("guest", "member")


@pytest.mark.full
def test_a_shared_name_is_written_as_a_number(files: Files) -> None:
    MemberFactory.create(club=files.club, number=1, name="Jan Bos")
    MemberFactory.create(club=files.club, number=2, name="jan bos")
    text = evening_text([{}], n="1", s="2")
    files.evening(text)
    assert rows(files.export("2026-10-10"))[1][3:7] == ["1", "Bob", "2", "Dik"]
    before = everything()
    files.evening(files.export("2026-10-10"))
    assert everything() == before


def test_another_clubs_people_are_strangers(files: Files) -> None:
    MemberFactory.create(name="Ann", number=1)
    files.evening(evening_text([{}]))
    assert Member.objects.filter(name="Ann").count() == 2


def test_a_substitute_scores_from_the_deal_he_came_in(files: Files) -> None:
    deals: list[dict[str, object]] = [
        {"points_ns": 100},
        {"points_ns": 90, "n": "Eva"},
        {"points_ew": 0, "pit": "NS", "n": "Eva"},
        {"points_ns": 82},
    ]
    text = evening_text(deals)
    files.evening(text)
    # Ann 100 + 82, Eva 90 + 162 + 100, Cor everything; the others 62 + 72 + 0 + 80.
    assert rows(files.standings(evening="2026-10-10"))[1:] == [
        ["1", "Cor", "534", "534", "1"],
        ["2", "Eva", "352", "352", "1"],
        ["3", "Bob", "214", "214", "0"],
        ["3", "Dik", "214", "214", "0"],
        ["5", "Ann", "182", "182", "0"],
    ]
    assert files.export("2026-10-10") == text
    placed = Placement.objects.values_list("member__name", "seat", "substitute")
    assert ("Eva", "N", True) in placed
    assert ("Ann", "N", False) in placed
    assert len(placed) == 5


@pytest.mark.full
def test_what_deals_seldom_need_has_columns_when_they_do(files: Files) -> None:
    rare = "accused_wrongly_by,nil,replayed,replays,corrections,dealer,seats"
    lines = [
        'N,H,90,,,,,,,,,,,"[{""points"": -50, ""reason"": ""laat"", ""seat"": ""E""}]",W,',
        "E,,,,,,,,W,,,,,,,",
        "N,H,,,,,,,,,,1,,,,",
        "N,S,90,,,,,,,N,,,2,,,",
    ]
    text = "\r\n".join(
        [
            f"{HEADINGS},{rare}",
            *(f"2026-10-10,1,1,Ann,Bob,Cor,Dik,{n},{line}" for n, line in enumerate(lines, 1)),
            "",
        ]
    )
    files.evening(text)
    found = rows(files.export("2026-10-10"))
    assert found[0] == f"{HEADINGS},accused_wrongly_by,replayed,replays,corrections,dealer".split(
        ","
    )
    by_heading = [dict(zip(found[0], line, strict=True)) for line in found[1:]]
    wanted = rows(text)
    assert by_heading == [
        {key: cell for key, cell in zip(wanted[0], line, strict=True) if key in found[0]}
        for line in wanted[1:]
    ]
    standing = {row[1]: row[2] for row in rows(files.standings(evening="2026-10-10"))[1:]}
    # 90, then 162 + 100 for the opponents' reneging, nothing, and 90 again; Bob 50 less.
    assert standing == {"Ann": "442", "Cor": "442", "Bob": "94", "Dik": "144"}
    before = everything()
    files.evening(files.export("2026-10-10"))
    assert everything() == before


def test_every_fault_of_a_file_is_named_at_once(files: Files) -> None:
    MemberFactory.create(club=files.club, number=1, name="Jan Bos")
    MemberFactory.create(club=files.club, number=2, name="Jan Bos")
    lines = [
        "2026-10-10,1,1,Ann,Bob,Cor,Dik,1,N,H,abc,,,,,,",
        "2026-10-10,x,0,,Bob,Cor,Dik,2,N,H,90,71,,,,,",
        "2026-10-11,1,1,Ann,ann,Cor,Jan Bos,3,Q,H,90,,10 2x,,,2,",
        "2026-10-10,1,1,Ann,Bob,99,Dik,4,N,H,,,,,,,",
        "2026-10-10,1,1,Ann,Bob,Cor,Dik,5,N,H,161,,10,,,,",
        "2026-10-10,1,1,Ann,Bob,Cor,Dik,5,N,H,90,,,,,,",
        "2026-10-10,1,2,Eva,Bob,Fie,Gé,1,N,H,90,,,,,,",
    ]
    assert files.refused("import_evening", "\n".join([HEADINGS, *lines]), season="2026") == [
        "line 2: points_ns: 'abc' is not a whole number",
        "line 3: round: 'x' is not a whole number",
        "line 3: table: give a number from 1 to 200",
        "line 3: n: the player is missing",
        "line 3: points_ns: Together it must be 162; now it is 161.",
        "line 4: evening: a file holds one evening",
        "line 4: e: 'ann' sits twice",
        "line 4: w: more than one person is called 'Jan Bos': give the number",
        "line 4: nat: write 1, or nothing",
        "line 4: roem_ns: '2x' is not a whole number",
        "line 5: s: nobody has number 99",
        "line 5: points_ns: Fill in the points of one side, or mark the deal as nat or pit.",
        "line 6: points_ns: Exactly 161 cannot be: no side ever has 1 or 161 points.",
        "line 6: roem_ns: There is no roem of 10. It can be: 20, 40, 50, 70, 100, 200.",
        "line 7: deal: this deal is on line 6 too",
        "line 8: e: 'Bob' sits at table 1 too",
    ]


@pytest.mark.parametrize(
    ("cells", "fault"),
    [
        ({"evening": "10-10-2026"}, "line 2: evening: write the date as 2026-09-05"),
        ({"evening": "2026-02-30"}, "line 2: evening: write the date as 2026-09-05"),
        ({"n": "x" * 101}, "line 2: n: a name has at most 100 characters"),
        ({"n": "Ann", "s": "ANN"}, "line 2: s: 'ANN' sits twice"),
        ({"roem_ns": "9" * 5000}, f"line 2: roem_ns: '{'9' * 40}' is not a whole number"),
        ({"declarer": "Q"}, "line 2: declarer: “Q” is not one of the possible values."),
        ({"trump": "X"}, "line 2: trump: “X” is not one of the possible values."),
        ({"deal": "100"}, "line 2: deal: give a number from 1 to 99"),
    ],
)
def test_one_fault(files: Files, cells: dict[str, object], fault: str) -> None:
    text = evening_text([cells])
    assert files.refused("import_evening", text) == [fault]


@pytest.mark.full
@pytest.mark.parametrize("cell", ["[", "[" * 100_000, '"\\ud800"', '["\\u0000"]'])
def test_corrections_that_cannot_be_read(files: Files, cell: str) -> None:
    quoted = cell.replace('"', '""')
    line = f'2026-10-10,1,1,Ann,Bob,Cor,Dik,1,N,H,90,,,,,,,"{quoted}"'
    refused = files.refused("import_evening", f"{HEADINGS},corrections\n{line}\n")
    assert refused == ["line 2: corrections: this cannot be read"]


@pytest.mark.full
def test_a_number_and_a_name_can_be_one_person(files: Files) -> None:
    MemberFactory.create(club=files.club, number=1, name="Jan Bos")
    assert files.refused("import_evening", evening_text([{}], n="Jan Bos", e="1")) == [
        "line 2: e: '1' sits twice"
    ]
    elsewhere = {"table": 2, "n": "1", "e": "Eva", "s": "Fie", "w": "Gé"}
    two_tables = evening_text([{}, elsewhere], n="Jan Bos")
    assert files.refused("import_evening", two_tables) == [
        "line 3: n: 'Jan Bos' sits at table 1 too"
    ]


@pytest.mark.full
@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "the file is empty"),
        (HEADINGS, "there is nothing below the headings"),
        ("a,b\n1,2\n", "line 1: evening: there is no column with this heading, only: a, b"),
    ],
)
def test_a_file_that_is_no_evening(files: Files, text: str, fault: str) -> None:
    assert files.refused("import_evening", text)[0] == fault


@pytest.mark.full
def test_a_file_that_is_not_there(files: Files, tmp_path: Path) -> None:
    assert files.refused("import_evening", tmp_path / "nowhere.csv") == [
        "the file cannot be opened"
    ]


def test_whatever_goes_wrong_halfway_nothing_is_written(files: Files) -> None:
    def fail(**_news: object) -> None:
        raise OSError("the disk is full")

    before = everything()
    sheet_changed.connect(fail)
    try:
        with pytest.raises(OSError, match="the disk is full"):
            files.evening(SAMPLE, season="2026")
    finally:
        sheet_changed.disconnect(fail)
    assert everything() == before


def test_what_was_played_here_goes_elsewhere_and_comes_back(files: Files, tmp_path: Path) -> None:
    _played_evening(files.club, players=9)
    text = files.export("2026-11-21")
    assert len(rows(text)) == 1 + 2 * 16
    before = everything()
    files.evening(text)
    assert everything() == before
    elsewhere = Files(ClubFactory.create(), tmp_path)
    elsewhere.evening(text)
    assert elsewhere.export("2026-11-21") == text


@st.composite
def evenings(draw: st.DrawFn) -> str:
    """A file of one to three tables and one or two rounds, whose deals were really played."""
    lines = []
    for table_number in range(1, draw(st.integers(1, 3)) + 1):
        names = [f"{name} {table_number}" for name in ("=Ann", "Łucja 't Hart", "Đặng", "Öz")]
        for round_number in range(1, draw(st.integers(1, 2)) + 1):
            seats = draw(st.permutations(names))
            for number in sorted(draw(st.sets(st.integers(1, 16), min_size=1, max_size=5))):
                cells = {"round": round_number, "table": table_number, "deal": number}
                lines.append({**cells, **dict(zip("nesw", seats, strict=True)), **draw(deals())})
    return evening_text(lines)


@st.composite
def deals(draw: st.DrawFn) -> dict[str, object]:
    """The cells of a deal: counted by one side or by both, a pit, a nat, or a reneging."""
    trump = draw(st.sampled_from(SUITS))
    played = play(draw(st.integers(0, 10_000)), trump)
    declarer = draw(st.sampled_from(["N", "E", "S", "W", "NS", "EW"]))
    if draw(st.integers(0, 9)) == 0:
        return {"declarer": declarer, "trump": "", "reneged": draw(st.sampled_from("NESW"))}
    cells: dict[str, object] = {"declarer": declarer, "trump": trump}
    for side, column in (("NS", "ns"), ("EW", "ew")):
        cells[f"roem_{column}"] = " ".join(map(str, played.roem[side]))
        cells[f"points_{column}"] = played.points[side]
    pits = [side for side in ("NS", "EW") if played.tricks[side] == 8]
    if pits:
        cells["pit"] = pits[0]
    uncounted = draw(st.sampled_from([None, "points_ns", "points_ew"]))
    return {key: cell for key, cell in cells.items() if key != uncounted}


@pytest.mark.once
@settings(
    max_examples=settings().max_examples // 8,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(text=evenings())
def test_any_evening_comes_out_as_it_went_in(tmp_path: Path, text: str) -> None:
    here, elsewhere = (Files(ClubFactory.create(), tmp_path) for _ in range(2))
    here.evening(text)
    assert here.export("2026-10-10") == text
    elsewhere.evening(here.export("2026-10-10"))
    assert elsewhere.export("2026-10-10") == text
    assert elsewhere.standings(evening="2026-10-10") == here.standings(evening="2026-10-10")


def _played_evening(club: Club, players: int) -> Evening:
    """An evening of one round that was played, closed and published here."""
    evening = evening_with_draw(club=club, players=players, rounds=1)
    round_ = evening.rounds.get()
    for at_table in round_.tables.all():
        for number in range(1, 17):
            write_deal(at_table, number, declarer="NESW"[number % 4])
    round_close(round_id=round_.pk, actor=TESTS)
    evening_close(evening_id=evening.pk, actor=TESTS)
    return Evening.objects.get(pk=evening.pk)
