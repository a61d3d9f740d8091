"""Who operates a server for many: sees numbers, closes a club, has its copy made, lets it go."""

import datetime as dt

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django.fixtures import Settings

from clubs.models import AuditEvent, Club, Member, Role, User
from clubs.profile.services import role_grant
from scoring.models import DealEntry
from tests.factories import TESTS, ClubFactory, UserFactory, organiser_of
from tests.load.hall import filled_in
from tests.tournaments.public_pages import evening_path, rows
from tests.tournaments.table_pages import link, playing
from tests.waiting import mail_settles, wait_until
from tournaments.models import Copy, Evening
from tournaments.transfer.replacing import clubs_gone_sweep

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both]

CLUBS = "/operator/"
OF_COPIES = "copy_make", "copy_send", "club_team"


@pytest.fixture
def evening() -> Evening:
    return playing()


@pytest.fixture
def desk(evening: Evening) -> Client:
    """The organiser of the club, logged in."""
    client = Client()
    client.force_login(organiser_of(evening.club))
    return client


@pytest.fixture
def operator(settings: Settings) -> Client:
    settings.OPERATORS = ["op@example.org"]
    client = Client()
    client.force_login(UserFactory.create(email="Op@example.org", email_proved_at=timezone.now()))
    return client


def do(operator: Client, club: Club, what: str, **more: str) -> int:
    page = reverse("operator_club", args=[club.slug])
    return operator.post(page, {"do": what, **more}).status_code


def test_only_an_operator_whose_address_is_proved_sees_it(
    evening: Evening, operator: Client, desk: Client
) -> None:
    assert operator.get(CLUBS).status_code == 200
    User.objects.filter(email="Op@example.org").update(email_proved_at=None)
    assert operator.get(CLUBS).status_code == 403
    assert desk.get(CLUBS).status_code == 403
    assert do(desk, evening.club, "suspend") == 403
    assert Client().get(CLUBS).status_code == 302


def test_the_pages_hold_numbers_and_nobody(evening: Evening, operator: Client) -> None:
    club = evening.club
    organiser = organiser_of(club)
    pages = [operator.get(CLUBS), operator.get(reverse("operator_club", args=[club.slug]))]
    assert rows(pages[0]) == [[club.name, "4", "1", "nooit", "open"]]
    names = [*Member.objects.values_list("name", flat=True), organiser.name, organiser.email]
    for page in pages:
        text = page.content.decode()
        assert [name for name in names if name and name in text] == []


def test_the_list_takes_as_many_queries_for_ten_clubs_as_for_one(
    operator: Client, django_assert_num_queries: object
) -> None:
    ClubFactory.create_batch(10)
    with django_assert_num_queries(6):  # type: ignore[operator]
        assert len(rows(operator.get(CLUBS))) == 10


def test_a_club_that_is_closed_is_gone_for_everybody_but_for_its_copy(
    evening: Evening, operator: Client, desk: Client
) -> None:
    club, table = evening.club, link(evening)
    public = [f"/clubs/{club.slug}/", evening_path(evening), f"{evening_path(evening)}live/"]
    api = f"/api/v1/clubs/{club.slug}/"
    guest = Client()
    assert [guest.get(page).status_code for page in (*public, api, table)] == [200] * 5

    assert do(operator, club, "suspend") == 302
    mail_settles()

    # What a hall polls is remembered for a moment.
    wait_until(lambda: guest.get(public[-1]).status_code == 404)
    assert [guest.get(page).status_code for page in (*public, api)] == [404] * 4
    assert club.name not in guest.get("/").content.decode()
    guest.post(f"{table}rounds/1/deals/1/", filled_in(40))
    assert not DealEntry.objects.exists()
    shut = desk.get(f"/clubs/{club.slug}/desk/")
    assert shut.status_code == 403
    assert "is voorlopig gesloten" in shut.content.decode()
    copies = desk.get(reverse("copy_home", args=[club.slug])).content.decode()
    assert [reverse(name, args=[club.slug]) in copies for name in OF_COPIES] == [True, False, False]
    assert desk.get(reverse("copy_send", args=[club.slug])).status_code == 403
    assert [message.subject for message in mail.outbox] == ["Uw club is voorlopig gesloten"]

    assert do(operator, club, "open") == 302
    assert [guest.get(page).status_code for page in (*public, api, table)] == [200] * 5
    actions = AuditEvent.objects.filter(club=club, action__startswith="club_").order_by("pk")
    assert [*actions.values_list("action", flat=True)][-2:] == ["club_suspended", "club_opened"]


def test_who_cannot_take_a_copy_is_not_sent_to_it(evening: Evening, operator: Client) -> None:
    club = evening.club
    do(operator, club, "go", name=club.name)
    copies = reverse("copy_home", args=[club.slug])
    for kind in Role.Kind.values:
        client = Client()
        client.force_login(UserFactory.create())
        role_grant(club=club, email=User.objects.latest("pk").email, kind=kind, actor=TESTS)
        page = client.get(f"/clubs/{club.slug}/desk/")
        offers, opens = copies in page.content.decode(), client.get(copies).status_code == 200
        assert (page.status_code, offers, opens) == (403, opens, kind == "organiser")


def test_a_club_goes_on_its_day_and_leaves_nothing(
    evening: Evening, operator: Client, desk: Client, settings: Settings
) -> None:
    settings.CLUB_KEPT_DAYS = 30
    club, other = evening.club, playing().club
    there = {model: model._default_manager.count() for model in (Evening, Member)}
    assert do(operator, club, "go", name="iets anders") == 422
    assert do(operator, club, "go", name=club.name) == 302
    club.refresh_from_db()
    assert club.goes_on == timezone.localdate() + dt.timedelta(days=30)
    clubs_gone_sweep()
    assert Club.objects.filter(pk=club.pk).exists()

    Club.objects.filter(pk=club.pk).update(goes_on=timezone.localdate())
    clubs_gone_sweep()

    assert [*Club.objects.all()] == [other]
    assert not AuditEvent.objects.filter(club=club.pk).exists()
    assert {model: model._default_manager.count() * 2 for model in (Evening, Member)} == there
    assert [*User.objects.values_list("email", flat=True)] == ["Op@example.org"]


def test_until_then_it_can_be_opened_again(evening: Evening, operator: Client) -> None:
    club = evening.club
    do(operator, club, "go", name=club.name)
    assert do(operator, club, "open") == 302
    Club.objects.filter(pk=club.pk).get()
    club.refresh_from_db()
    assert (club.suspended_at, club.goes_on) == (None, None)


def test_its_copy_is_for_its_organisers(evening: Evening, operator: Client, desk: Client) -> None:
    club = evening.club
    assert do(operator, club, "copy") == 302
    copy = Copy.objects.get(club=club)

    def is_made() -> bool:
        copy.refresh_from_db()
        return copy.state == Copy.State.READY

    wait_until(is_made)
    mail_settles()
    assert [message.subject for message in mail.outbox] == ["Een kopie van uw club"]
    file = reverse("copy_file", args=[club.slug, copy.uuid])
    assert desk.get(file).status_code == 200
    assert operator.get(file).status_code == 403


def test_a_club_without_an_organiser_has_nobody_to_give_it_to(
    evening: Evening, operator: Client
) -> None:
    evening.club.roles.all().delete()
    page = operator.post(
        reverse("operator_club", args=[evening.club.slug]), {"do": "copy"}, follow=True
    )
    assert "geen organisator" in page.content.decode()
    assert not Copy.objects.exists()
