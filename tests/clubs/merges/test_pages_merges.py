"""The pages on which a guest and a member are made one person, and taken apart again."""

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from clubs.merges.services import guest_merge
from clubs.models import Club, Member, MemberMerge
from tests.factories import (
    TESTS,
    ClubFactory,
    EveningFactory,
    MemberFactory,
    director_of,
    organiser_of,
)
from tests.tournaments.desk import messages_in, text
from tournaments.models import Registration

pytestmark = pytest.mark.django_db


@pytest.fixture
def club(client: Client) -> Club:
    """A club whose organiser has logged in."""
    club: Club = ClubFactory.create()
    client.force_login(organiser_of(club))
    return club


def couple(club: Club, name: str = "Jan Baker") -> tuple[Member, Member]:
    """A guest, and the member he may be."""
    member = MemberFactory.create(club=club, name="Jan Bakker")
    return MemberFactory.create(club=club, kind="guest", name=name), member


def merges(club: Club) -> str:
    return reverse("merge_list", args=[club.slug])


def undo(merge: MemberMerge) -> str:
    return reverse("merge_undo", args=[merge.club.slug, merge.uuid])


@pytest.mark.full
def test_who_may_be_the_same_leads_to_what_would_move(client: Client, club: Club) -> None:
    guest, member = couple(club)
    page = text(client.get(merges(club)))
    look = f"/clubs/vrolijke-boer/desk/members/{guest.pk}/merge/?member={member.pk}"
    assert look in page
    assert "Is gast Jan Baker dezelfde als Jan Bakker?" in text(client.get(look))


def test_nobody_looks_like_anybody(client: Client, club: Club) -> None:
    couple(club, name="Piet Visser")
    assert "Geen gast heeft bijna dezelfde naam als iemand anders." in text(
        client.get(merges(club))
    )


def test_who_were_there_together_are_not_suggested(client: Client, club: Club) -> None:
    evening = EveningFactory.create(club=club)
    for who in couple(club):
        Registration.objects.create(evening=evening, member=who)
    page = text(client.get(merges(club)))
    assert "Geen gast heeft bijna dezelfde naam als iemand anders." in page


@pytest.mark.full
def test_who_were_there_together_is_told_before_anything_is_asked(
    client: Client, club: Club
) -> None:
    guest, member = couple(club)
    evening = EveningFactory.create(club=club)
    for who in (guest, member):
        Registration.objects.create(evening=evening, member=who)
    url = reverse("member_merge", args=[club.slug, guest.pk])
    page = text(client.get(url, {"member": member.pk}))
    assert "Jan Baker en Jan Bakker stonden op de lijst van dezelfde avond." in page
    assert "Ja, dezelfde" not in page


@pytest.mark.full
def test_the_two_are_taken_apart_again(client: Client, club: Club) -> None:
    guest, member = couple(club)
    merge = guest_merge(guest=guest, member=member, actor=TESTS)
    assert undo(merge) in text(client.get(merges(club)))
    asked = text(client.get(undo(merge)))
    assert "Zijn Jan Baker en Jan Bakker toch twee mensen?" in asked
    assert Member.objects.of(club).filter(name="Jan Baker").count() == 0
    response = client.post(undo(merge), follow=True)
    assert messages_in(response) == ["Jan Baker en Jan Bakker zijn weer twee mensen."]
    assert response.redirect_chain[-1][0].endswith(f"/members/{guest.pk}/")
    page = text(client.get(merges(club)))
    assert "uit elkaar gehaald op" in page
    assert "Geen gast heeft bijna dezelfde naam als iemand anders." in page
    assert undo(merge) not in page
    assert client.post(undo(merge)).status_code == 404


@pytest.mark.full
def test_the_members_page_leads_there(client: Client, club: Club) -> None:
    guest, member = couple(club)
    merge = guest_merge(guest=guest, member=member, actor=TESTS)
    page = reverse("member_edit", args=[club.slug, member.pk])
    assert "Stond tot" in text(client.get(page))
    assert f'href="{undo(merge)}"' in text(client.get(page))
    client.post(undo(merge))
    assert undo(merge) not in text(client.get(page))


def test_another_clubs_merge_is_not_there(client: Client, club: Club) -> None:
    guest, member = couple(ClubFactory.create())
    merge = guest_merge(guest=guest, member=member, actor=TESTS)
    address = reverse("merge_undo", args=[club.slug, merge.uuid])
    assert client.post(address).status_code == 404


@pytest.mark.full
def test_only_who_manages_members_may(client: Client, club: Club) -> None:
    guest, member = couple(club)
    merge = guest_merge(guest=guest, member=member, actor=TESTS)
    client.force_login(director_of(club))
    assert [client.get(page).status_code for page in (merges(club), undo(merge))] == [403, 403]


@pytest.mark.full
@pytest.mark.parametrize("people", [1, 3])
def test_more_people_ask_no_more_questions(
    client: Client, club: Club, people: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(people):
        guest, member = couple(club, name=f"Jan Baker{number}")
        guest_merge(guest=guest, member=member, actor=TESTS)
        couple(club, name="J. Bakker")
    with django_assert_num_queries(9):
        client.get(merges(club))
