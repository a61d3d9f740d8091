"""A photo of the winners: asked for, shown, and gone with whoever is in it."""

from io import BytesIO
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from PIL import Image

from clubs.audit.trail import trail_lines
from clubs.members.services import member_change
from clubs.merges.services import guest_merge
from clubs.models import AuditEvent, Member
from clubs.privacy.dossier import dossier_of
from clubs.privacy.erasing import member_erase
from tests.clubs.profile.test_logo import picture
from tests.factories import TESTS, ClubFactory, MemberFactory, director_of, organiser_of
from tests.tournaments.one_round import one_deal
from tests.tournaments.public_pages import words
from tournaments.closing.services import evening_reopen
from tournaments.models import Evening, EveningPhoto, PhotoPerson
from tournaments.photos.services import photo_show
from tournaments.seasons.services import season_create

pytestmark = pytest.mark.django_db


@pytest.fixture
def evening() -> Evening:
    """A closed evening of four people."""
    season = season_create(club=ClubFactory.create(), name="2026", actor=TESTS)
    return one_deal(season, 0, "1234", ns=100)


@pytest.fixture
def desk(evening: Evening) -> Client:
    client = Client()
    client.force_login(organiser_of(evening.club))
    return client


def address(name: str, evening: Evening) -> str:
    return reverse(name, args=[evening.club.slug, evening.slug])


def people() -> list[Member]:
    return list(Member.objects.order_by("number"))


def with_place() -> bytes:
    """A photo as a telephone makes it: on its side, with where it was taken."""
    exif = Image.Exif()
    exif[0x0112] = 6
    exif[0x010F] = "Camera of Jan"
    exif.get_ifd(0x8825)[1] = "N"
    return picture((1600, 1200), "JPEG", exif=exif)


def send(desk: Client, evening: Evening, content: bytes | None = None, **fields: Any) -> Any:
    both = [member.pk for member in people()[:2]]
    asked = {"people": both, "agreed": "on", **fields}
    asked["picture"] = SimpleUploadedFile("p.jpg", with_place() if content is None else content)
    return desk.post(address("photo_edit", evening), asked)


def shown(evening: Evening) -> Any:
    return Client().get(address("photo_jpeg", evening))


def shown_by_hand(evening: Evening) -> None:
    both = [member.pk for member in people()[:2]]
    photo_show(evening=evening, content=with_place(), people=both, actor=TESTS)


@pytest.mark.full
def test_it_stands_on_the_page_of_the_evening_with_public_names(
    desk: Client, evening: Evening
) -> None:
    assert shown(evening).status_code == 404
    Member.objects.filter(number=2).update(public_as="initials")
    assert send(desk, evening).status_code == 302
    page = Client().get(address("evening_page", evening))
    names = [member.shown_name for member in people()[:2]]
    assert set(names) == {member.shown_name for member in Member.objects.filter(number__lt=3)}
    assert f"{address('photo_jpeg', evening)}?v=" in page.content.decode()
    caption = page.content.decode().partition("<figcaption>")[2].partition("</figcaption>")[0]
    assert set(caption.split(", ")) == set(names)
    assert people()[1].name not in caption
    (event,) = AuditEvent.objects.filter(action="photo_shown")
    assert [line.what for line in trail_lines([event])] == [
        "Er kwam een foto van de winnaars op de pagina van de avond"
    ]


@pytest.mark.full
def test_it_is_drawn_anew_upright_and_without_where_it_was_taken(
    desk: Client, evening: Evening
) -> None:
    send(desk, evening)
    answer = shown(evening)
    drawn = Image.open(BytesIO(answer.content))
    assert (answer.headers["Content-Type"], drawn.size) == ("image/jpeg", (600, 800))
    assert dict(drawn.getexif()) == {}
    assert b"Camera of Jan" not in answer.content
    assert answer.headers["Cache-Control"] == "private, max-age=300"


@pytest.mark.parametrize(
    ("fields", "words_shown"),
    [
        ({"people": []}, "Vink aan wie er op de foto staat."),
        ({"agreed": ""}, "Vraag het hun eerst, en vink dit dan aan."),
    ],
)
def test_nothing_is_shown_unasked(
    fields: dict[str, Any], words_shown: str, desk: Client, evening: Evening
) -> None:
    answer = send(desk, evening, **fields)
    assert answer.status_code == 422
    assert words_shown in words(answer)
    assert not EveningPhoto.objects.exists()


@pytest.mark.full
@pytest.mark.parametrize("content", [b"", b"<svg/>", b"GIF89a", picture(kind="PNG")[:60]])
def test_what_is_no_picture_is_refused(content: bytes, desk: Client, evening: Evening) -> None:
    assert send(desk, evening, content).status_code == 422
    assert not EveningPhoto.objects.exists()


def test_people_who_were_not_there_or_are_hidden_cannot_be_in_it(
    desk: Client, evening: Evening
) -> None:
    other = organiser_of(ClubFactory.create(slug="other"))
    Member.objects.filter(number=1).update(public_as="hidden")
    assert send(desk, evening).status_code == 422
    assert people()[0].name not in desk.get(address("photo_edit", evening)).content.decode()
    desk.force_login(other)
    assert desk.get(address("photo_edit", evening)).status_code == 403
    assert not EveningPhoto.objects.exists()


@pytest.mark.full
def test_everybody_who_was_there_is_offered_once(desk: Client, evening: Evening) -> None:
    """With more evenings people stood there as often as they played."""
    assert evening.season is not None
    another = one_deal(evening.season, 1, "1235", ns=100)
    page = desk.get(address("photo_edit", another)).content.decode()
    offered = [page.count(f'value="{member.pk}"') for member in people()]
    assert offered == [1, 1, 1, 0, 1]


def test_a_director_may_and_one_click_takes_it_away(evening: Evening) -> None:
    client = Client()
    client.force_login(director_of(evening.club))
    assert send(client, evening).status_code == 302
    assert send(client, evening).status_code == 302
    assert EveningPhoto.objects.count() == 1
    assert client.post(address("photo_remove", evening)).status_code == 302
    client.post(address("photo_remove", evening))
    assert shown(evening).status_code == 404
    assert AuditEvent.objects.filter(action="photo_removed").count() == 1


def test_it_goes_when_somebody_in_it_is_hidden(evening: Evening) -> None:
    shown_by_hand(evening)
    member = people()[0]
    details: dict[str, Any] = {"name": member.name, "number": member.number, "kind": member.kind}
    member_change(member=member, seen_version=member.version, actor=TESTS, **details)
    assert shown(evening).status_code == 200
    member.refresh_from_db()
    hide = {**details, "public_as": "hidden"}
    member_change(member=member, seen_version=member.version, actor=TESTS, **hide)
    assert shown(evening).status_code == 404
    assert not PhotoPerson.objects.exists()


def test_it_goes_when_somebody_in_it_is_erased(evening: Evening) -> None:
    shown_by_hand(evening)
    member_erase(member=people()[3], actor=TESTS)
    assert shown(evening).status_code == 200
    member_erase(member=people()[1], actor=TESTS)
    assert not EveningPhoto.objects.exists()


@pytest.mark.full
def test_it_is_not_shown_while_the_evening_is_open_again(evening: Evening) -> None:
    shown_by_hand(evening)
    evening_reopen(evening_id=evening.pk, actor=TESTS)
    assert shown(evening).status_code == 404
    assert "<figure" not in Client().get(address("evening_page", evening)).content.decode()


def test_the_dossier_tells_of_it(evening: Evening) -> None:
    shown_by_hand(evening)
    first, second, third = people()[:3]
    sections = {
        member.pk: {section.key: section.rows for section in dossier_of(member)}.get("photos", [])
        for member in (first, third)
    }
    ((slug, others, _at),) = sections[first.pk]
    assert (slug, others) == (evening.slug, second.shown_name)
    assert list(sections[third.pk]) == []


def test_it_goes_when_a_guest_in_it_turns_out_to_be_somebody_hidden(
    desk: Client, evening: Evening
) -> None:
    send(desk, evening)
    guest = people()[0]
    Member.objects.filter(pk=guest.pk).update(kind=Member.Kind.GUEST)
    hidden = MemberFactory.create(club=evening.club, public_as="hidden")
    guest_merge(guest=guest, member=hidden, actor=TESTS)
    assert shown(evening).status_code == 404
