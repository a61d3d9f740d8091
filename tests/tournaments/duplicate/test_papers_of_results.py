"""What came of folders on paper, in files and in words to send: as published, by percentage."""

from pathlib import Path

import pytest
from django.test import Client

from clubs.models import Member
from tests.factories import TESTS
from tests.pdfs import page_texts, smallest_type, words_off_the_page
from tests.tournaments.desk import desk_of
from tests.tournaments.duplicate.played import play_all, started
from tests.tournaments.public_pages import get, words
from tournaments.closing.services import evening_close
from tournaments.duplicate.published import results_shown
from tournaments.duplicate.queries import Ranked
from tournaments.duplicate.services import ruling_give
from tournaments.models import Evening, FolderPlay
from tournaments.publicity.texts import EveningStory, evening_text

pytestmark = pytest.mark.django_db
DESK = "/clubs/vrolijke-boer/desk/evenings/2026-11-21/"
FOLDERS = "/clubs/vrolijke-boer/evenings/2026-11-21/folders/"


def over(pairs: int = 6, folders: int = 12) -> Evening:
    evening = play_all(started(pairs, folders=folders))
    evening_close(evening_id=evening.pk, actor=TESTS)
    return Evening.objects.get(pk=evening.pk)


def ranked(evening: Evening) -> list[Ranked]:
    return [row for line in results_shown(evening).ranking for row in line.rows]


def percent(row: Ranked) -> str:
    return f"{row.worth.percentage}%".replace(".", ",")


def paper(evening: Evening, name: str) -> bytes:
    answer = desk_of(evening.club).get(f"{DESK}{name}")
    assert answer.headers["Content-Type"] == "application/pdf"
    return answer.content


def corrected(evening: Evening) -> None:
    best = ranked(evening)[0].key
    ruling_give(
        evening_id=evening.pk,
        play_id=FolderPlay.objects.filter(pair=best).order_by("pk")[0].pk,
        percent=0,
        reason="x",
        fouled=False,
        actor=TESTS,
    )


def test_each_folder_on_paper_has_its_cards_and_every_table(tmp_path: Path) -> None:
    evening = over()
    content = paper(evening, "folders/boards.pdf")
    pages = page_texts(content)
    assert [page.count("Map ") for page in pages] == [3] * 4
    result = results_shown(evening).of_folder[1][0]
    assert str((result.score or (0, 0))[0]) in pages[0]
    assert "♠" in pages[0]
    assert words_off_the_page(content, tmp_path) == []
    assert smallest_type(content)[0] >= 8


def test_each_pair_has_its_own_list(tmp_path: Path) -> None:
    evening = over()
    content = paper(evening, "folders/pairs.pdf")
    pages = page_texts(content)
    assert len(pages) == 3
    for row in ranked(evening):
        (page,) = [page for page in pages if f"Paar {row.key} " in page]
        assert f"plaats {row.place} · {percent(row)}" in page
        for member in row.pairs[0].people:
            assert member.name in page
    assert words_off_the_page(content, tmp_path) == []


@pytest.mark.full
@pytest.mark.parametrize(("pairs", "folders"), [(4, 6), (26, 26)])
def test_many_tables_fit_on_the_paper(pairs: int, folders: int, tmp_path: Path) -> None:
    evening = over(pairs, folders)
    for name in ("boards", "pairs", "results"):
        assert words_off_the_page(paper(evening, f"folders/{name}.pdf"), tmp_path) == []


def test_paper_with_cards_waits_for_the_end_of_the_evening() -> None:
    evening = play_all(started(4, folders=6))
    for name in ("boards", "pairs"):
        answer = desk_of(evening.club).get(f"{DESK}folders/{name}.pdf", follow=True)
        assert "Hier staan de kaarten op" in words(answer)
    assert paper(evening, "folders/results.pdf")


def test_paper_of_a_result_that_was_corrected_says_so() -> None:
    evening = over()
    before = page_texts(paper(evening, "folders/results.pdf"))
    corrected(evening)
    after = page_texts(paper(evening, "folders/results.pdf"))
    assert [page.replace(": er volgt een nieuwe uitslag", "") for page in after] == before
    assert after != before


def test_certificates_go_by_percentage() -> None:
    evening = over()
    pages = page_texts(paper(evening, "print/certificates.pdf"))
    best = max(ranked(evening), key=lambda row: row.worth.percentage or 0)
    winner = next(page for page in pages if "Winnaar" in page)
    assert percent(best) in winner
    assert best.pairs[0].names(lambda member: member.desk_name) in winner
    assert "punten" not in winner


def test_a_file_has_what_every_table_made_of_each_folder(client: Client) -> None:
    evening = over(4, 6)
    lines = client.get(f"{FOLDERS}?by=folder&format=csv").content.decode().splitlines()
    assert lines[0] == (
        '"folder","round","table","ns","ew","declarer","trump","points_ns","points_ew",'
        '"worth_ns","worth_ew","percentage_ns","percentage_ew"'
    )
    assert len(lines) == 1 + len(results_shown(evening).tables)
    assert [int(line.split(",")[0].strip('"')) for line in lines[1:]] == sorted(
        result.folder for result in results_shown(evening).tables
    )


class TestWordsToSend:
    @pytest.mark.full
    def test_the_winners_of_both_lines_with_percentages(self) -> None:
        evening = over()
        text = evening_text(EveningStory(evening), kind="message", language="nl")
        for row in ranked(evening):
            names = row.pairs[0].names(lambda member: member.shown_name)
            assert f"{row.place}. {names} {percent(row)}" in text
        first = [row for row in ranked(evening) if row.place == 1]
        assert "Gewonnen door" in text
        for row in first:
            assert (
                f"{row.pairs[0].names(lambda member: member.shown_name)} ({percent(row)})" in text
            )
        assert "punten" not in text
        english = evening_text(EveningStory(evening), kind="newspaper", language="en")
        assert "North-South: 1." in english

    def test_who_is_hidden_is_not_named(self) -> None:
        evening = over()
        member = ranked(evening)[0].pairs[0].people[0]
        Member.objects.filter(pk=member.pk).update(public_as="hidden")
        for kind in ("message", "newspaper"):
            text = evening_text(EveningStory(evening), kind=kind, language="nl")
            assert member.name not in text
            assert "Anoniem" not in text

    def test_as_published_until_the_correction_is(self) -> None:
        evening = over()
        before = evening_text(EveningStory(evening), kind="message", language="nl")
        corrected(evening)
        story = EveningStory(Evening.objects.get(pk=evening.pk))
        assert not story.is_current
        assert evening_text(story, kind="message", language="nl") == before

    @pytest.mark.full
    def test_the_desk_shows_them_and_offers_no_wording_of_points(self) -> None:
        evening = over(4, 6)
        page = get(desk_of(evening.club), f"{DESK}text/")
        assert percent(ranked(evening)[0]) in words(page)
        assert "texts/message" not in page.content.decode()
