"""The desk's pages of folders: from the plan to the rulings, and the papers."""

import io
import json

import pytest
from django.test import Client
from pypdf import PdfReader

from clubs.models import AuditEvent
from scoring.models import Folder
from scoring.rules import card_typed
from scoring.rules.cards import DECK
from scoring.rules.hands import hands_of
from tests.factories import TESTS, MemberFactory, write_deal
from tests.tournaments.desk import EVENING, desk_of, messages_in
from tests.tournaments.duplicate.played import (
    play_all,
    play_round,
    started,
    tables_of,
    with_pairs,
)
from tests.tournaments.public_pages import get, rows, words
from tournaments.closing.services import evening_close
from tournaments.duplicate.core.dealing import dealt
from tournaments.duplicate.queries import duplicate_of, duplicate_results
from tournaments.duplicate.services import folders_deal, folders_type_in, version_seen
from tournaments.models import Evening, FolderPlay
from tournaments.prizes.giving import evening_awards
from tournaments.registration.check_in import presence_set
from tournaments.standings.queries import evening_standings

pytestmark = pytest.mark.django_db
FOLDERS = f"{EVENING}folders/"


def paper(client: Client, path: str) -> str:
    """What is printed on a PDF of the desk."""
    response = get(client, path)
    assert response.headers["Content-Type"] == "application/pdf"
    pages = PdfReader(io.BytesIO(response.content)).pages
    return " ".join(" ".join(page.extract_text() for page in pages).split())


def test_the_draw_of_folders_is_the_movement() -> None:
    evening = with_pairs(6, folders=12)
    desk = desk_of(evening.club)
    assert desk.get(f"{EVENING}draw/").headers["Location"] == FOLDERS
    page = get(desk, FOLDERS)
    assert "3 rondes van 4 spellen." in words(page)
    assert "Stuur 6 paren naar hun tafel" in words(page)
    assert rows(page)[0] == ["1", "1", "4", "1–4"]


@pytest.mark.full
def test_planned_previewed_and_started() -> None:
    evening = with_pairs(6, folders=12)
    desk = desk_of(evening.club)
    plan = {"action": "plan", "folders": "20", "kind": "howell", "compare": "matchpoints"}
    plan["seen"] = str(version_seen(duplicate_of(evening)))
    assert desk.post(FOLDERS, plan).status_code == 302
    assert (duplicate_of(evening).folders, duplicate_of(evening).kind) == (20, "howell")
    page = get(desk, f"{FOLDERS}?rounds=4")
    assert "4 rondes van 5 spellen." in words(page)
    seen = duplicate_of(evening).version
    done = desk.post(FOLDERS, {"action": "start", "rounds": "4", "seen": seen}, follow=True)
    assert messages_in(done) == ["De paren hebben hun tafels. De zaal ziet ze nu."]
    assert Evening.objects.get().rounds.count() == 4


@pytest.mark.full
def test_what_is_wrong_with_a_plan() -> None:
    evening = with_pairs(4, folders=12)
    plan = {"action": "plan", "folders": "100", "kind": "x", "compare": "matchpoints"}
    page = desk_of(evening.club).post(FOLDERS, plan)
    assert page.status_code == 422
    assert sorted(page.context["plan"].errors) == ["folders", "kind"]


def test_who_decides_by_an_old_page_is_told() -> None:
    evening = with_pairs(4, folders=12)
    desk, seen = desk_of(evening.club), version_seen(duplicate_of(evening))
    plan = {"action": "plan", "kind": "howell", "compare": "matchpoints", "seen": str(seen)}
    desk.post(FOLDERS, {**plan, "folders": "16"})
    answer = desk.post(FOLDERS, {**plan, "folders": "20"}, follow=True)
    assert messages_in(answer) == ["Dit is intussen gewijzigd. Zo is het nu."]
    dealt = desk.post(f"{FOLDERS}cards/", {"action": "deal", "seen": str(seen)}, follow=True)
    assert messages_in(dealt) == ["Dit is intussen gewijzigd. Zo is het nu."]
    assert duplicate_of(evening).folders == 16


def test_typed_cards_go_when_that_is_ticked() -> None:
    evening = with_pairs(4, folders=12)
    cards = {12: dealt("5e" * 32, 12)}
    folders_type_in(evening_id=evening.pk, hands=cards, actor=TESTS)
    desk, seen = desk_of(evening.club), str(version_seen(duplicate_of(evening)))
    plan = {"action": "plan", "kind": "howell", "compare": "matchpoints", "seen": seen}
    page = desk.post(FOLDERS, {**plan, "folders": "8"})
    assert (page.status_code, [*page.context["plan"].errors]) == (422, ["drop_typed"])
    assert "De kaarten van map 12 zijn ingetypt" in words(page)
    desk.post(FOLDERS, {**plan, "folders": "8", "drop_typed": "on"})
    assert Folder.objects.count() == 8


@pytest.mark.parametrize("number", ["1e999", "9" * 30, "-1", "1.5", "٣"])
def test_numbers_that_are_none(number: str) -> None:
    evening = started(5, folders=9)
    desk = desk_of(evening.club)
    play = FolderPlay.objects.filter(folder__number=1).first()
    assert play is not None
    ruling = desk.post(f"{FOLDERS}rulings/{play.pk}/", {"percent": number, "reason": "x"})
    assert [*ruling.context["form"].errors] == ["percent"]
    late = desk.post(f"{FOLDERS}late/", {"one": number, "two": number}, follow=True)
    assert messages_in(late) == ["Kies twee mensen die er zijn en nog geen plaats hebben."]
    assert desk.get(f"{FOLDERS}results/?folder={number}").status_code == 200
    assert desk.get(f"{FOLDERS}?rounds={number}").status_code == 200
    assert desk.get(f"{FOLDERS}rulings/{'9' * 30}/").status_code == 404
    text = f'{{"boards": [{{"board": {number}, "hands": {{}}}}]}}'
    page = desk.post(f"{FOLDERS}cards/", {"text": text})
    assert (page.status_code, [*page.context["form"].errors]) == (422, ["text"])


def test_too_few_pairs_are_told() -> None:
    evening = with_pairs(3, folders=12)
    page = get(desk_of(evening.club), FOLDERS)
    assert "Portefeuille wordt gespeeld door 4 tot 64 paren; hier zijn er 3." in words(page)


def test_dealt_and_printed_which_is_in_the_trail() -> None:
    evening = with_pairs(4, folders=6)
    desk = desk_of(evening.club)
    deal = {"action": "deal", "seen": version_seen(duplicate_of(evening))}
    done = desk.post(f"{FOLDERS}cards/", deal, follow=True)
    assert messages_in(done) == ["6 mappen zijn gedeeld."]
    assert duplicate_of(evening).commitment in words(done)
    assert duplicate_of(evening).seed not in words(done)
    printed = desk.post(f"{FOLDERS}cards/print/", {"kind": "pdf"})
    text = " ".join(page.extract_text() for page in PdfReader(io.BytesIO(printed.content)).pages)
    assert [f"Map {number}" in text for number in range(1, 8)] == [True] * 6 + [False]
    given = json.loads(desk.post(f"{FOLDERS}cards/print/", {"kind": "json"}).content)
    assert (len(given["boards"]), given["seed"]) == (6, "")
    kinds = AuditEvent.objects.filter(action="folders_printed").order_by("number")
    assert [event.data for event in kinds] == [{"kind": "pdf"}, {"kind": "json"}]


@pytest.mark.full
def test_every_fault_of_typed_cards_is_shown() -> None:
    evening = with_pairs(4, folders=6)
    text = "1 N sa sa s9\n9 N x1"
    page = desk_of(evening.club).post(f"{FOLDERS}cards/", {"text": text})
    assert page.status_code == 422
    assert page.context["form"].errors["text"] == [
        "Map 1: ♠A ligt er twee keer.",
        "Map 1: Noord heeft 3 kaarten, en niet 8.",
        "Map 1: Oost heeft 0 kaarten, en niet 8.",
        "Map 1: Zuid heeft 0 kaarten, en niet 8.",
        "Map 1: West heeft 0 kaarten, en niet 8.",
        *(
            fault
            for fault in page.context["form"].errors["text"]
            if "van de 32 kaarten" in fault or "Map 9" in fault
        ),
    ]
    assert not Folder.objects.exclude(hands="").exists()


def test_papers_of_the_evening() -> None:
    evening = started(5, folders=9)
    desk = desk_of(evening.club)
    assert "Noord geeft" in paper(desk, f"{FOLDERS}labels.pdf")
    slips = paper(desk, f"{FOLDERS}slips.pdf")
    assert [f"Map {number}" in slips for number in range(1, 11)] == [True] * 9 + [False]
    guides = paper(desk, f"{FOLDERS}guides.pdf")
    assert [f"Paar {number}" in guides for number in range(1, 7)] == [True] * 5 + [False]
    assert "zit stil" in guides
    play_round(evening, 1)
    assert "Jan Bakker" in paper(desk, f"{FOLDERS}results.pdf")
    assert desk.get(f"{FOLDERS}other.pdf").status_code == 404


def test_a_late_pair_at_the_desk() -> None:
    evening = started(5, folders=9)
    desk = desk_of(evening.club)
    late = [MemberFactory.create(club=evening.club) for _ in range(2)]
    for member in late:
        presence_set(evening_id=evening.pk, member=member, present=True, actor=TESTS)
    assert "Een paar dat te laat kwam" in words(get(desk, FOLDERS))
    assert f"{EVENING}draw/undo/" not in get(desk, FOLDERS).content.decode()
    both = {"one": late[0].pk, "two": late[1].pk}
    done = desk.post(f"{FOLDERS}late/", both, follow=True)
    assert messages_in(done) == ["Zij zijn paar 6 en spelen vanaf nu mee."]


def test_a_ruling_given_and_taken_back() -> None:
    evening = started(4, folders=6)
    play_round(evening, 1)
    desk = desk_of(evening.club)
    play = FolderPlay.objects.filter(folder__number=1, line="NS").first()
    assert play is not None
    page = desk.post(f"{FOLDERS}rulings/{play.pk}/", {"percent": "40"})
    assert page.context["form"].errors == {"reason": ["Zeg in een paar woorden waarom."]}
    desk.post(f"{FOLDERS}rulings/{play.pk}/", {"percent": "40", "reason": "verkeerde map"})
    shown = words(get(desk, f"{FOLDERS}results/?folder=1"))
    assert f"Map 1, paar {play.pair} (N/Z): 40% · verkeerde map" in shown
    desk.post(f"{FOLDERS}rulings/{play.pk}/remove/")
    assert "verkeerde map" not in words(get(desk, f"{FOLDERS}results/?folder=1"))


CARDS = f"{EVENING}rounds/1/tables/1/cards/1/"


@pytest.mark.full
def test_the_cards_of_a_folder_are_not_read_while_people_play() -> None:
    evening = started(4, folders=6)
    play_round(evening, 1)
    desk = desk_of(evening.club)
    assert CARDS not in get(desk, f"{FOLDERS}results/?folder=1").content.decode()
    page = get(desk, f"{CARDS}?trump=C&declarer=N&leader=E&cards=")
    assert "Wat ieder nog heeft" not in words(page)


def test_prizes_go_by_percentage() -> None:
    evening = play_all(started(6, folders=9))
    evening_close(evening_id=evening.pk, actor=TESTS)
    results = duplicate_results(evening, duplicate_of(evening))
    rows = [row for ranking in results.ranking for row in ranking.rows]
    best = sorted(rows, key=lambda row: -(row.worth.percentage or 0))
    awards = evening_awards(evening, evening_standings(evening))
    winners = {award.place: award.people[0] for award in awards if award.place}
    # Of equal ones the place after them is nobody's.
    assert {place: winner.figure for place, winner in winners.items()} == {
        place: best[place - 1].worth.percentage for place in winners
    }
    first = [row.pairs[0] for row in best if row.worth.percentage == best[0].worth.percentage]
    assert {
        int(pk) for award in awards if award.place == 1 for w in award.people for pk in w.ids
    } == {member.pk for pair in first for member in pair.people}
    page = words(get(desk_of(evening.club), f"{EVENING}prizes/"))
    assert f"{best[0].worth.percentage}%".replace(".", ",") in page


def test_what_was_written_too_early_is_held_against_the_cards_at_the_desk() -> None:
    evening = started(4, folders=6)
    table = tables_of(evening)[0]
    hands = Folder.objects.get(number=2).hands
    other = "EW" if hands[DECK.index("JC")] in "NS" else "NS"
    write_deal(table, 2, declarer="NS", trump="C", pit=other, points={})
    doubt, desk = "met deze kaarten kan dit niet", desk_of(evening.club)
    assert doubt in words(get(desk, f"{FOLDERS}results/?folder=2"))
    assert doubt not in words(get(desk, f"{FOLDERS}results/?folder=1"))


def test_after_the_evening_a_folder_is_played_through_card_by_card() -> None:
    evening = play_all(started(4, folders=6))
    evening_close(evening_id=evening.pk, actor=TESTS)
    desk = desk_of(evening.club)
    assert f'href="{CARDS}"' in get(desk, f"{FOLDERS}results/?folder=1").content.decode()
    hands = hands_of(Folder.objects.get(number=1).hands)
    own, other = hands["E"][0], hands["N"][0]
    settings = "trump=C&declarer=E&leader=E&cards="
    page = get(desk, f"{CARDS}?{settings}")
    free = {key.word for _suit, keys in page.context["picker"] for key in keys if key.is_free}
    assert free == {card_typed(card, "nl") for card in hands["E"]}
    left = get(desk, f"{CARDS}?{settings}{card_typed(own, 'nl')}").context["view"].hands
    assert [hand.seat for hand in left if hand.is_next] == ["S"]
    assert [sum(len(ranks.split()) for _suit, ranks in hand.suits) for hand in left] == [8, 7, 8, 8]
    page = get(desk, f"{CARDS}?{settings}{card_typed(other, 'nl')}")
    assert "is neergelegd voor Oost, maar lag bij Noord." in words(page)


@pytest.mark.parametrize(("pairs", "folders"), [(4, 6), (12, 24)])
def test_the_results_take_as_few_queries_for_many_tables(
    pairs: int, folders: int, django_assert_num_queries: object
) -> None:
    evening = started(pairs, folders=folders)
    play_round(evening, 1)
    desk = desk_of(evening.club)
    get(desk, f"{FOLDERS}results/")
    with django_assert_num_queries(13):  # type: ignore[operator]
        get(desk, f"{FOLDERS}results/")


@pytest.mark.full
def test_other_evenings_have_no_folders() -> None:
    evening = with_pairs(4, folders=6)
    folders_deal(evening_id=evening.pk, actor=TESTS)
    Evening.objects.update(pair_movement="by_program")
    assert desk_of(evening.club).get(FOLDERS).status_code == 404
