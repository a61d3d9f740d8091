"""What must survive putting a copy back: what was there, what could not be put back, logins."""

import datetime as dt
import threading

import pytest
from django.apps import apps
from django.db import connections, models
from django.test import Client
from django.utils import timezone

from clubs.merges.services import guest_merge
from clubs.models import Club, MemberMerge, Role, User
from clubs.profile.services import address_choose, club_create, role_grant
from clubs.text.errors import DomainError
from scoring.audit.verify import faults
from scoring.models import DealEntry, Scoresheet
from tests.factories import TESTS, EveningFactory, MemberFactory, evening_with_draw, organiser_of
from tests.flushing import rows_delete
from tests.scoring.sheets import write
from tests.tournaments.copies import downloaded, sent, settled
from tests.tournaments.desk import desk_of
from tests.tournaments.public_pages import words
from tournaments.copies.services import copies_tidy
from tournaments.evenings.kinds import evening_delete
from tournaments.models import Copy, CopyPiece, DeletedEvening
from tournaments.practice.services import practice_make
from tournaments.transfer.out import LEFT_BEHIND, OF_A_CLUB
from tournaments.transfer.replacing import ONLY_HERE

pytestmark = pytest.mark.django_db(transaction=True)

COPIES = "/clubs/klaver-zes/desk/copies/"


@pytest.fixture
def club() -> Club:
    made = club_create(slug="klaver-zes", name="Klaver Zes", actor=TESTS)
    role_grant(club=made, email="een@example.org", kind="organiser", actor=TESTS)
    return made


def organiser(club: Club) -> Client:
    client = Client()
    client.force_login(Role.objects.get(club=club, kind="organiser").user)
    return client


def put_back(client: Client, file: bytes) -> str:
    """Send a file and put it back; the words of the page."""
    address = sent(client, f"{COPIES}send/", file)
    assert "Deze kopie is in orde" in words(settled(client, address))
    client.post(address, {"name": "Klaver Zes"})
    return words(settled(client, address))


@pytest.mark.both
@pytest.mark.full
def test_a_practice_evening_goes_and_hinders_nothing(club: Club) -> None:
    """Such a club is no other one: the folder can be chosen meanwhile."""
    client = organiser(club)
    file = downloaded(client, club.slug)
    practice_make(club=club, actor=TESTS)
    assert client.get(f"{COPIES}folder/").status_code == 200
    assert "De kopie is teruggezet" in put_back(client, file)
    assert [known.slug for known in Club.objects.all()] == ["klaver-zes"]


@pytest.mark.full
def test_of_what_was_replaced_the_last_five_are_kept(club: Club) -> None:
    client = organiser(club)
    file = downloaded(client, club.slug)
    Copy.objects.bulk_create(
        Copy(club=club, kind="before", state="ready", name=f"{number}.club") for number in range(6)
    )
    assert "De kopie is teruggezet" in put_back(client, file)
    kept = Copy.objects.filter(kind="before").order_by("pk")
    assert [copy.name for copy in kept] == [
        "2.club",
        "3.club",
        "4.club",
        "5.club",
        "klaver-zes.club",
    ]


@pytest.mark.full
def test_an_evening_that_was_deleted_does_not_hinder(club: Club) -> None:
    client = organiser(club)
    file = downloaded(client, club.slug)
    evening = EveningFactory.create(club=club)
    evening_delete(evening_id=evening.pk, actor=TESTS)
    assert club.deleted_evenings.count() == 1
    assert "De kopie is teruggezet" in put_back(client, file)
    assert DeletedEvening.objects.count() == 0


@pytest.mark.full
def test_logins_and_the_address_for_phones_stay(club: Club) -> None:
    """Also of who has another e-mail address since the copy."""
    client = organiser(club)
    file = downloaded(client, club.slug)
    User.objects.filter(email="een@example.org").update(email="anders@example.org")
    address_choose(club=club, address="http://192.0.2.9:8000", actor=TESTS)
    assert "De kopie is teruggezet" in put_back(client, file)
    assert [user.email for user in User.objects.all()] == ["anders@example.org"]
    assert Club.objects.get().address == "http://192.0.2.9:8000"
    assert list(faults()) == []


@pytest.mark.full
def test_what_could_not_be_put_back_is_kept_and_tried_again(club: Club) -> None:
    """Where one is about to be brought from elsewhere, the demo took its web name meanwhile."""
    file = downloaded(organiser(club), club.slug)
    rows_delete("default")
    local = Client(headers={"host": "localhost:8000"})
    address = sent(local, "/copy/", file)
    assert "Deze kopie is in orde" in words(settled(local, address))
    demo = Club.objects.create(slug=club.slug, name="Demo", is_demo=True)
    local.post(address)
    page = words(settled(local, address))
    assert "De kopie kon niet worden teruggezet. Er is niets veranderd." in page
    assert "Er is een andere club 'klaver-zes'" in page.replace("&#x27;", "'")
    demo.delete()
    local.post(address)
    assert "Klaver Zes staat nu op deze computer." in words(settled(local, address))


@pytest.mark.full
def test_who_was_putting_it_back_is_gone(club: Club) -> None:
    """The computer went off: the same copy can be put back, after a while."""
    client = organiser(club)
    file = downloaded(client, club.slug)
    address = sent(client, f"{COPIES}send/", file)
    settled(client, address)
    hour = timezone.now() - dt.timedelta(hours=2)
    Copy.objects.filter(kind="sent").update(state="placing", touched_at=hour)
    page = words(client.get(address))
    assert "Er is niets veranderd. Het werk is onderbroken." in page
    client.post(address, {"name": "Klaver Zes"})
    assert "De kopie is teruggezet" in words(settled(client, address))


def test_content_goes_after_a_day_and_what_was_replaced_after_thirty(club: Club) -> None:
    old = timezone.now() - dt.timedelta(days=2)
    for kind in ("made", "before"):
        copy = Copy.objects.create(club=club, kind=kind, state="ready", name="k.club")
        CopyPiece.objects.create(copy=copy, number=0, content=b"x")
    Copy.objects.update(started_at=old)
    copies_tidy()
    assert [piece.copy.kind for piece in CopyPiece.objects.all()] == ["before"]
    Copy.objects.update(started_at=old - dt.timedelta(days=29))
    copies_tidy()
    assert [copy.kind for copy in Copy.objects.all()] == ["made"]


@pytest.mark.full
def test_a_download_that_was_broken_off_is_none(club: Club) -> None:
    client = organiser(club)
    made = client.post(f"{COPIES}make/").headers["Location"]
    settled(client, made)
    answer = client.get(f"{made}file/")
    next(iter(answer.streaming_content))  # type: ignore[attr-defined]
    answer.close()
    assert "Hier is nog niets gedownload." in words(client.get(COPIES))
    assert b"".join(client.get(f"{made}file/").streaming_content)  # type: ignore[attr-defined]
    assert "Het laatst gedownload op" in words(client.get(COPIES))


@pytest.mark.full
def test_a_merge_of_before_a_column_was_added_goes_along(club: Club) -> None:
    client = organiser(club)
    guest = MemberFactory.create(club=club, kind="guest", name="Jo Gast")
    member = MemberFactory.create(club=club, name="Jo Gastman")
    guest_merge(guest=guest, member=member, actor=TESTS)
    merge = MemberMerge.objects.get()
    MemberMerge.objects.update(guest={k: v for k, v in merge.guest.items() if k != "birthday"})
    assert "De kopie is teruggezet" in put_back(client, downloaded(client, club.slug))
    assert MemberMerge.objects.get().guest["birthday"] is None


@pytest.mark.both
@pytest.mark.full
def test_no_deal_written_meanwhile_is_lost_unsaid() -> None:
    """Whatever a scorekeeper was told is written, is in the standing or in the file that is kept;
    otherwise the answer was no."""
    evening = evening_with_draw(players=8, rounds=1)
    club = evening.club
    organiser_of(club)
    client = desk_of(club)
    sheets = [*Scoresheet.objects.order_by("pk")]
    write(sheets[0], 1)
    file = downloaded(client, club.slug)
    written: list[str] = []
    over = threading.Event()
    writers = [threading.Thread(target=_write, args=[sheet, written, over]) for sheet in sheets]
    for writer in writers:
        writer.start()
    address = sent(client, f"/clubs/{club.slug}/desk/copies/send/", file)
    settled(client, address)
    client.post(address, {"name": club.name})
    page = words(settled(client, address))
    over.set()
    for writer in writers:
        writer.join()
    assert "De kopie is teruggezet" in page
    now = {str(pk) for pk in DealEntry.objects.values_list("pk", flat=True)}
    kept = Copy.objects.get(kind="before")
    again = f"/clubs/{club.slug}/desk/copies/{kept.uuid}/"
    client.post(again, {"name": club.name})
    settled(client, again)
    then = {str(pk) for pk in DealEntry.objects.values_list("pk", flat=True)}
    assert len(written) > 1
    assert set(written) - now - then == set()
    assert list(faults()) == []


def _write(sheet: Scoresheet, written: list[str], over: threading.Event) -> None:
    try:
        for number in range(2, 17):
            if over.is_set():
                return
            try:
                written.append(str(write(sheet, number).pk))
            except DomainError:
                # The sheet is gone, and they are told so.
                return
            over.wait(0.05)
    finally:
        connections.close_all()


def test_each_table_that_stays_behind_is_taken_away_when_its_club_is() -> None:
    """Otherwise the database refuses to put that club back."""
    club_tables = {apps.get_model(name) for name in OF_A_CLUB}
    pointing = {
        name
        for name in LEFT_BEHIND
        for field in apps.get_model(name)._meta.concrete_fields
        if isinstance(field, models.ForeignKey) and field.related_model in club_tables
    }
    assert pointing == {*ONLY_HERE, "tournaments.copy"}
