"""Pictures of score sheets at the desk: sent, told what they are, gone through, written."""

import datetime as dt
import hashlib
from io import BytesIO
from random import Random
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.utils import timezone
from PIL import Image
from pytest_django import DjangoAssertNumQueries

from clubs.audit.services import Actor
from clubs.audit.trail import trail_lines
from clubs.models import AuditEvent, Club
from clubs.privacy.dossier import dossier_of
from clubs.privacy.erasing import member_erase
from clubs.profile.services import club_sheets_choose
from scoring.models import DealEntry
from tests.factories import (
    TESTS,
    ClubFactory,
    scorekeeper_of,
    table,
    write_deal,
)
from tests.scoring.reading.photographs import scan
from tests.tournaments.desk import desk_of, messages_in
from tests.tournaments.public_pages import close_evening, get, words
from tests.tournaments.sheet_photos import TYPED, as_read, fill_in, printed
from tests.tournaments.sheet_photos.at_the_desk import (
    KNOWN,
    NO_PICTURE,
    PHOTOS,
    file,
    line,
    page_of,
    read_all,
    said,
    send,
    small,
)
from tournaments.copies.worker import begin_what_waits
from tournaments.models import Evening, SheetPhoto
from tournaments.sheet_photos.queue import (
    MOST_BYTES,
    photo_read_next,
    photo_send,
)
from tournaments.sheet_photos.services import (
    sheet_photos_sweep,
)

pytestmark = pytest.mark.django_db


@pytest.mark.both
@pytest.mark.once
def test_from_paper_to_the_sheet(club: Club, desk: Client) -> None:
    evening = small(club, players=8)
    one, two = printed(evening)
    filled = fill_in(two, table(evening, 2), {1: TYPED, 2: TYPED}, spoil=2)
    pictures = [scan(filled, Random(1)), scan(one, Random(2)), scan(filled, Random(3))]
    sent = send(desk, *pictures, NO_PICTURE)
    assert (sent.status_code, sent.json()["message"], len(sent.json()["photos"])) == (200, "", 4)
    assert said(desk) == ["Een foto: De foto wordt gelezen."] * 4
    read_all()
    assert said(desk) == [
        "Een foto: Dit bestand is kapot, of geen foto.",
        "Tafel 2, ronde 1: Deze tellijst stond al op een eerdere foto.",
        "Tafel 1, ronde 1: Op deze tellijst staat niets.",
        "Tafel 2, ronde 1: 1 regel moet u zelf bekijken. 2 regels zijn leeg.",
    ]
    photo = SheetPhoto.objects.get(sheet=table(evening, 2).sheet, state="read")
    page = get(desk, page_of(photo))
    assert [form.number for form in page.context["look"]] == [2]
    assert [form.number for form in page.context["sure"]] == [1]
    assert not DealEntry.objects.exists()
    answer = desk.post(page_of(photo), line(1, take="") | line(2) | {"all_sure": "1"}, follow=True)
    assert "Tafel 2, ronde 1 is opgeschreven." in messages_in(answer)
    sheet = table(evening, 2).sheet
    assert (sheet.score_ns, sheet.score_ew, sheet.deals_entered) == (240, 124, 2)
    device = f"photo:{hashlib.sha256(pictures[0]).hexdigest()[:40]}"
    assert set(DealEntry.objects.values_list("device", flat=True)) == {device}
    events = AuditEvent.objects.filter(action="deal_written")
    assert {event.data["entries"][0]["device"] for event in events} == {device}
    assert desk.get(f"{page_of(photo)}picture.jpg").content[:3] == b"\xff\xd8\xff"


class TestSending:
    @pytest.mark.full
    def test_the_same_file_again_is_the_same_picture(self, club: Club, desk: Client) -> None:
        small(club)
        first, second = (send(desk, NO_PICTURE).json() for _ in range(2))
        assert first["photos"] == second["photos"]
        assert [first["message"], second["message"]] == ["", KNOWN]
        assert SheetPhoto.objects.count() == 1
        answer = desk.post(PHOTOS, {"pictures": [file(NO_PICTURE), file(b"new")]}, follow=True)
        assert messages_in(answer) == ["1 foto is verstuurd.", KNOWN]

    @pytest.mark.once
    def test_of_a_pdf_sent_again_only_what_is_missing_is_read(
        self, club: Club, desk: Client
    ) -> None:
        pages = [Image.fromarray(page) for page in printed(small(club, players=8))]
        made = BytesIO()
        pages[0].save(made, "PDF", save_all=True, append_images=pages[1:])
        content = made.getvalue()
        send(desk, content)
        read_all()
        first, second = SheetPhoto.objects.order_by("number")
        assert (first.sheet, second.sheet) == tuple(
            table(Evening.objects.get(), number).sheet for number in (1, 2)
        )
        assert send(desk, content).json()["message"] == KNOWN
        desk.post(f"{page_of(second)}remove/")
        assert send(desk, content).json()["message"] == ""
        read_all()
        kept, anew = SheetPhoto.objects.order_by("number")
        assert (kept.pk, anew.sheet, anew.state) == (first.pk, second.sheet, "written")
        assert send(desk, content).json()["message"] == KNOWN

    def test_without_a_script_it_is_a_form(self, club: Club, desk: Client) -> None:
        small(club)
        answer = desk.post(PHOTOS, {"pictures": [file(b"1"), file(b"2")]}, follow=True)
        assert messages_in(answer) == ["2 foto’s zijn verstuurd."]
        assert desk.post(PHOTOS, {}).status_code == 422

    def test_what_is_too_large_is_told_and_the_others_are_taken(
        self, club: Club, desk: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        small(club)
        monkeypatch.setattr("tournaments.sheet_photos.queue.MOST_BYTES", 10)
        answer = send(desk, b"small", b"much too large")
        assert answer.status_code == 422
        assert answer.json()["message"] == (
            "Foto 2: Deze foto is groter dan 15 MB. Bewaar hem als JPEG, of maak hem kleiner."
        )
        assert len(answer.json()["photos"]) == 1
        assert send(desk, b"%PDF-1.7 and more").json()["message"] == (
            "Deze PDF is groter dan 15 MB. Scan in grijs met 200 punten per inch, of maak er twee "
            "bestanden van, elk met de helft van de bladzijden."
        )
        assert MOST_BYTES == 15_000_000

    @pytest.mark.full
    def test_there_can_be_too_many(
        self, club: Club, desk: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        small(club)
        monkeypatch.setattr("tournaments.sheet_photos.queue.MOST_WAITING", 1)
        assert send(desk, b"1", b"2").json()["message"] == (
            "Foto 2: Er zijn te veel foto’s. Gooi er een paar weg, of wacht tot ze gelezen zijn."
        )

    def test_what_could_not_be_used_counts_for_nobody(
        self, club: Club, desk: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Whoever has a bad camera may go on; the oldest of their pictures go."""
        monkeypatch.setattr("tournaments.sheet_photos.queue.MOST_OF_AN_EVENING", 1)
        monkeypatch.setattr("tournaments.sheet_photos.queue.MOST_REFUSED", 2)
        small(club)
        for number in range(5):
            assert send(desk, b"blurred %d" % number).status_code == 200
            read_all()
        assert list(SheetPhoto.objects.values_list("state", flat=True)) == ["refused"] * 3
        assert send(desk, b"good").status_code == 200
        assert send(desk, b"one more").status_code == 422

    @pytest.mark.full
    def test_only_while_the_evening_is_played(self, club: Club, desk: Client) -> None:
        small(club, started=False)
        Evening.objects.update(state="planned")
        assert send(desk, NO_PICTURE).status_code == 422
        assert not SheetPhoto.objects.exists()

    def test_no_name_and_no_file_is_kept_of_what_cannot_be_read(
        self, club: Club, desk: Client
    ) -> None:
        small(club)
        send(desk, NO_PICTURE)
        read_all()
        photo = SheetPhoto.objects.get()
        assert (photo.content, photo.problem) == (None, "no_picture")
        assert "Jan" not in str(SheetPhoto.objects.values().get())

    def test_who_breaks_the_reader_twice_is_not_tried_again(self, club: Club) -> None:
        evening = small(club)
        photo, _is_known = photo_send(evening=evening, content=NO_PICTURE, actor=TESTS)
        long_ago = timezone.now() - dt.timedelta(hours=1)
        SheetPhoto.objects.update(tries=2, claimed_at=long_ago)
        read_all()
        photo.refresh_from_db()
        assert (photo.state, photo.problem) == ("refused", "too_long")

    def test_what_a_server_that_stopped_left_is_read_by_the_next(self, club: Club) -> None:
        evening = small(club)
        photo, _is_known = photo_send(evening=evening, content=NO_PICTURE, actor=TESTS)
        now = timezone.now()
        SheetPhoto.objects.update(tries=1, claimed_at=now)
        read_all()
        photo.refresh_from_db()
        assert photo.state == "waiting"
        with time_machine.travel(now + dt.timedelta(minutes=4)):
            read_all()
        photo.refresh_from_db()
        assert (photo.state, photo.problem) == ("refused", "no_picture")

    def test_who_sent_what_hangs_waits_for_the_others(self, club: Club) -> None:
        evening = small(club)
        slow = Actor.of_program("slow")
        as_read(table(evening), {}, state="refused", problem="too_long", sent_by=slow.ref)
        for content, actor in ((b"1", slow), (b"2", TESTS)):
            photo_send(evening=evening, content=content, actor=actor)
        photo_read_next()
        waiting = SheetPhoto.objects.filter(state="waiting")
        assert list(waiting.values_list("sent_by", flat=True)) == [slow.ref]

    def test_a_server_that_begins_takes_up_what_waits(
        self, club: Club, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Nobody looks at a page or sends anything."""
        photo, _is_known = photo_send(evening=small(club), content=NO_PICTURE, actor=TESTS)
        monkeypatch.setattr("tournaments.sheet_photos.queue._aside.put", lambda job: job())
        monkeypatch.setattr("tournaments.copies.worker._aside.put", lambda _job: True)
        begin_what_waits()
        photo.refresh_from_db()
        assert photo.state == "refused"


@pytest.mark.once
def test_sheets_of_others_are_told_and_never_read(club: Club, desk: Client, settings: Any) -> None:
    evening = small(club, date=dt.date(2026, 11, 14))
    elsewhere = scan(printed(evening)[0], Random(1))
    here = small(club)
    key, settings.SECRET_KEY = settings.SECRET_KEY, "another"
    forged = scan(printed(here)[0], Random(1))
    settings.SECRET_KEY = key
    send(desk, elsewhere, forged)
    read_all()
    first, second = said(desk)
    assert first.startswith("Een foto: Deze tellijst komt niet van deze club, of hoort bij")
    assert second == "Een foto: Deze tellijst is van een andere avond."
    assert not DealEntry.objects.exists()


class TestGoingThrough:
    def test_nothing_is_written_that_was_not_accepted(self, club: Club, desk: Client) -> None:
        evening = small(club)
        photo = as_read(table(evening), {1: TYPED, 2: TYPED}, doubtful={2: "unclear"})
        answer = desk.post(page_of(photo), line(1, take="") | line(2, take=""), follow=True)
        assert messages_in(answer) == ["Bewaard. De regels hieronder wachten nog op u."]
        assert not DealEntry.objects.exists()
        desk.post(page_of(photo), line(1, take="") | line(2, take="") | {"all_sure": "1"})
        assert list(DealEntry.objects.values_list("deal__number", flat=True)) == [1]
        photo.refresh_from_db()
        assert (photo.state, photo.decided) == ("read", [1])

    @pytest.mark.full
    def test_lines_to_look_at_come_first_with_what_they_can_be(
        self, club: Club, desk: Client
    ) -> None:
        evening = small(club)
        photo = as_read(table(evening), {1: TYPED, 3: TYPED}, doubtful={3: "crossed_out"})
        page = get(desk, page_of(photo))
        text = words(page)
        assert text.index("Kijk naar deze 2 regels") < text.index("1 regel was goed te lezen")
        assert "Er is iets doorgehaald, of overheen geschreven." in text
        _open, form = page.context["look"]
        assert [choice[0] for choice in form.alternatives] == [
            "120–62 · wij, harten, roem 20–0",
            "119–63 · wij, harten, roem 20–0",
        ]
        assert form.alternatives[1][1]["points_ns"] == "99"
        assert [line.kind for line in page.context["settled"]] == ["blank"]

    @pytest.mark.full
    def test_a_corrected_line_is_written_as_it_was_typed(self, club: Club, desk: Client) -> None:
        evening = small(club)
        photo = as_read(table(evening), {1: TYPED}, doubtful={1: "unclear"})
        desk.post(page_of(photo), line(1, points_ns=90, points_ew=72, roem_ns=""))
        photo.refresh_from_db()
        sheet = table(evening).sheet
        assert (sheet.score_ns, sheet.score_ew, photo.state) == (90, 72, "written")

    def test_all_faults_show_and_nothing_is_written(self, club: Club, desk: Client) -> None:
        evening = small(club)
        photo = as_read(table(evening), dict.fromkeys((1, 2, 3), TYPED))
        sent = line(1) | line(2, points_ew=63) | line(3, roem_ns="30")
        page = desk.post(page_of(photo), sent)
        assert page.status_code == 422
        assert [form.number for form in page.context["faulty"]] == [2, 3]
        assert not DealEntry.objects.exists()

    @pytest.mark.full
    @pytest.mark.parametrize(
        "name", ["points_ns", "points_ew", "roem_ns", "roem_ew", "seen_version", "uuid"]
    )
    @pytest.mark.parametrize("text", ["1e999", "9" * 40, "-1", "NaN", "²", "\x00"])
    def test_what_is_no_number_is_a_fault(
        self, club: Club, desk: Client, name: str, text: str
    ) -> None:
        photo = as_read(table(small(club)), {1: TYPED})
        answer = desk.post(page_of(photo), line(1) | {f"deal1-{name}": text})
        assert answer.status_code in (409, 422)
        assert not DealEntry.objects.exists()

    @pytest.mark.full
    def test_totals_are_compared(self, club: Club, desk: Client) -> None:
        evening = small(club)
        photo = as_read(table(evening), {1: TYPED, 2: TYPED}, totals={"NS": 240, "EW": 126})
        page = get(desk, page_of(photo))
        assert page.context["totals"] == [("Wij", 240, 240), ("Zij", 126, 124)]
        assert "op het papier staat 126, de regels komen op 124" in words(page)


class TestWhatStandsAlready:
    def test_the_same_needs_nothing(self, club: Club, desk: Client) -> None:
        evening = small(club)
        write_deal(table(evening), 1, points={"NS": 100}, roem={"NS": [20]})
        photo = as_read(table(evening), {1: TYPED})
        page = get(desk, page_of(photo))
        assert [line.kind for line in page.context["settled"]] == [
            "same",
            "blank",
            "blank",
            "blank",
        ]
        assert "Alles op deze foto staat op de lijst." in words(page)

    @pytest.mark.full
    def test_something_else_stays_until_it_is_chosen(self, club: Club, desk: Client) -> None:
        evening = small(club)
        write_deal(table(evening), 1)
        photo = as_read(table(evening), {1: TYPED})
        text = words(get(desk, page_of(photo)))
        assert "Op de lijst staat iets anders: 90–72 · wij, harten" in text
        desk.post(page_of(photo), line(1, version=1, take="") | {"all_sure": "1"})
        assert table(evening).sheet.score_ns == 90
        desk.post(page_of(photo), line(1, version=1, take="leave"))
        photo.refresh_from_db()
        assert (table(evening).sheet.score_ns, photo.state) == (90, "written")

    @pytest.mark.full
    def test_the_picture_can_be_chosen_with_a_reason(self, club: Club, desk: Client) -> None:
        evening = small(club)
        write_deal(table(evening), 1)
        photo = as_read(table(evening), {1: TYPED})
        desk.post(page_of(photo), line(1, version=1, why="miscounted"))
        assert table(evening).sheet.score_ns == 120
        assert DealEntry.objects.get(revision=2).reason == "verkeerd geteld"

    def test_what_a_phone_writes_meanwhile_is_seen_first(self, club: Club, desk: Client) -> None:
        evening = small(club)
        photo = as_read(table(evening), {1: TYPED, 2: TYPED})
        write_deal(table(evening), 1)
        page = desk.post(page_of(photo), line(1) | line(2))
        assert page.status_code == 409
        assert "Er is intussten iets op deze lijst geschreven." not in words(page)
        assert "Op de lijst staat iets anders: 90–72 · wij, harten" in words(page)
        assert DealEntry.objects.count() == 1
        (form,) = page.context["look"]
        assert (form.number, form.taken, form.deal.version) == (1, "", 1)

    def test_a_second_picture_is_used_when_it_is_chosen(self, club: Club, desk: Client) -> None:
        evening = small(club)
        as_read(table(evening), {1: TYPED})
        second = as_read(table(evening), {2: TYPED}, state="refused", problem="twice")
        desk.post(f"{page_of(second)}use/")
        photo = SheetPhoto.objects.get()
        assert (photo.pk, photo.state, photo.problem) == (second.pk, "read", "")

    def test_a_closed_round_takes_nothing(self, club: Club, desk: Client) -> None:
        evening = small(club)
        photo = as_read(table(evening), {1: TYPED})
        close_evening(evening)
        assert "Op deze lijst kan nu niets worden geschreven" in words(get(desk, page_of(photo)))
        before = DealEntry.objects.count()
        desk.post(page_of(photo), line(1, version=1))
        assert DealEntry.objects.count() == before


class TestWhoSeesIt:
    @pytest.mark.full
    def test_only_those_of_the_desk_of_this_club(self, club: Club) -> None:
        evening = small(club)
        photo = as_read(table(evening), {1: TYPED})
        picture = f"{page_of(photo)}picture.jpg"
        keeper, stranger = Client(), desk_of(ClubFactory.create(slug="elders"))
        keeper.force_login(scorekeeper_of(club))
        assert [client.get(picture).status_code for client in (keeper, stranger, Client())] == [
            200,
            403,
            302,
        ]
        other = page_of(photo).replace("vrolijke-boer", "elders")
        assert stranger.get(other).status_code == 404

    @pytest.mark.full
    def test_thrown_away_it_is_gone_and_the_trail_says_so(self, club: Club, desk: Client) -> None:
        photo = as_read(table(small(club)), {1: TYPED})
        for _ in range(2):
            desk.post(f"{page_of(photo)}remove/")
        assert not SheetPhoto.objects.exists()
        events = AuditEvent.objects.filter(action="sheet_photo_gone")
        assert [event.data for event in events] == [{"photo": photo.sha256}]
        assert "Een foto van een tellijst is weggegooid" in str(trail_lines(list(events))[0])

    def test_it_is_in_the_dossier_and_goes_with_whoever_is_erased(self, club: Club) -> None:
        evening = small(club)
        as_read(table(evening), {1: TYPED})
        sections = {section.key: section for section in dossier_of(club.members.all()[0])}
        assert [row[:3] for row in sections["sheet_photos"].rows] == [("2026-11-21", 1, 1)]
        close_evening(evening)
        member_erase(member=club.members.all()[0], actor=TESTS)
        assert not SheetPhoto.objects.exists()

    @pytest.mark.full
    def test_it_goes_after_the_days_of_the_club(self, club: Club) -> None:
        evening = small(club)
        as_read(table(evening), {1: TYPED})
        club_sheets_choose(club=club, paper_sheet="reading", sheet_photo_days=3, actor=TESTS)
        sheet_photos_sweep()
        close_evening(evening)
        now = timezone.now()
        for days, left in ((2, 1), (4, 0)):
            with time_machine.travel(now + dt.timedelta(days=days)):
                sheet_photos_sweep()
            assert SheetPhoto.objects.count() == left

    def test_of_an_evening_nobody_closes_it_goes_too(self, club: Club) -> None:
        as_read(table(small(club)), {1: TYPED})
        with time_machine.travel(dt.datetime(2027, 1, 20, tzinfo=dt.UTC)):
            sheet_photos_sweep()
        assert not SheetPhoto.objects.exists()


def test_the_list_asks_as_much_for_three_as_for_one(
    club: Club, desk: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    evening = small(club, players=12)
    for number in (1, 2, 3):
        as_read(table(evening, number), {1: TYPED})
        with django_assert_num_queries(12):
            desk.get(PHOTOS)


def test_the_club_chooses_its_sheet(club: Club, desk: Client) -> None:
    address = f"/clubs/{club.slug}/desk/settings/sheets/"
    assert desk.post(address, {"paper_sheet": "x", "sheet_photo_days": 400}).status_code == 422
    answer = desk.post(address, {"paper_sheet": "reading", "sheet_photo_days": 0}, follow=True)
    assert messages_in(answer) == ["De instellingen zijn bewaard."]
    club.refresh_from_db()
    assert (club.paper_sheet, club.sheet_photo_days) == ("reading", 0)
