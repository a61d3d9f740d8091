"""Who may open which page about a club: one cast of people against every page."""

import pytest
from django.test import Client
from django.urls import reverse

from clubs.accounts.invitations import invitation_make
from clubs.models import Club, Invitation, Member, Role, User
from tests.factories import (
    TESTS,
    ClubFactory,
    MemberFactory,
    director_of,
    organiser_of,
    scorekeeper_of,
)

pytestmark = [pytest.mark.django_db, pytest.mark.once]

PAGES = [
    "member_list",
    "member_add",
    "member_import",
    "member_edit",
    "member_merge",
    "member_activate",
    "member_deactivate",
    "club_settings",
    "club_address",
    "club_team",
    "team_invite",
    "team_invitation",
    "team_invitation_withdraw",
    "team_change",
    "team_revoke",
    "team_link",
    "club_trail",
]
NOT_WRITTEN = {"member_list", "club_team", "team_invitation", "club_trail"}
WRITES = [page for page in PAGES if page not in NOT_WRITTEN]


class Cast:
    """A club with a guest and a second organiser, and everybody who might come along."""

    def __init__(self) -> None:
        self.club: Club = ClubFactory.create()
        self.organiser: User = organiser_of(self.club)
        self.director: User = director_of(self.club)
        self.scorekeeper: User = scorekeeper_of(self.club)
        self.other_organiser: User = organiser_of(ClubFactory.create())
        self.guest: Member = MemberFactory.create(
            club=self.club, name="Piet Gast", kind=Member.Kind.GUEST
        )
        self.invitation: Invitation = invitation_make(
            club=self.club, email="wim@example.org", kind="director", actor=TESTS
        )
        self.role = Role.objects.get(user=self.scorekeeper)

    def url(self, page: str) -> str:
        args: list[object] = [self.club.slug]
        if page in {"team_change", "team_revoke", "team_link"}:
            args.append(self.role.pk)
        elif page.startswith("team_invitation"):
            args.append(self.invitation.uuid)
        elif page in {"member_edit", "member_merge", "member_activate", "member_deactivate"}:
            args.append(self.guest.pk)
        return reverse(page, args=args)


@pytest.fixture
def cast() -> Cast:
    return Cast()


@pytest.mark.full
@pytest.mark.parametrize("page", PAGES)
def test_the_organiser_opens_every_page(client: Client, cast: Cast, page: str) -> None:
    client.force_login(cast.organiser)
    assert client.get(cast.url(page)).status_code == 200


@pytest.mark.full
@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("who", ["director", "scorekeeper", "other_organiser"])
def test_others_with_a_login_are_refused(client: Client, cast: Cast, page: str, who: str) -> None:
    client.force_login(getattr(cast, who))
    assert client.get(cast.url(page)).status_code == 403


@pytest.mark.parametrize("page", PAGES)
def test_without_a_login_one_is_asked_to_log_in(client: Client, cast: Cast, page: str) -> None:
    url = cast.url(page)
    response = client.get(url)
    assert (response.status_code, response.headers["Location"]) == (302, f"/login/?next={url}")


@pytest.mark.parametrize(
    ("came_from", "back"),
    [
        ("http://testserver/clubs/x/desk/members/?show=all", "/clubs/x/desk/members/%3Fshow%3Dall"),
        ("http://elsewhere.example/clubs/x/", None),
        ("", None),
    ],
)
def test_who_is_logged_out_while_writing_comes_back_to_the_page_it_was_on(
    client: Client, cast: Cast, came_from: str, back: str | None
) -> None:
    url = cast.url(WRITES[0])
    response = client.post(url, headers={"referer": came_from, "accept": "text/html,*/*;q=0.8"})
    assert response.headers["Location"] == f"/login/?next={back or url}"
    message = client.get(response.headers["Location"]).content.decode()
    assert "U bent uitgelogd, dus er is niets bewaard." in message


def test_a_script_that_is_logged_out_tells_it_by_itself(client: Client, cast: Cast) -> None:
    response = client.post(cast.url(WRITES[0]), headers={"accept": "*/*"})
    assert "U bent uitgelogd" not in client.get(response.headers["Location"]).content.decode()


@pytest.mark.parametrize("page", WRITES)
@pytest.mark.parametrize("who", ["director", "other_organiser", None])
def test_nobody_else_writes(client: Client, cast: Cast, page: str, who: str | None) -> None:
    if who:
        client.force_login(getattr(cast, who))
    before = list(Member.objects.values()), list(Role.objects.values()), list(Club.objects.values())
    response = client.post(cast.url(page), {"name": "X", "kind": "guest", "email": "x@example.org"})
    assert response.status_code == (403 if who else 302)
    assert before == (
        list(Member.objects.values()),
        list(Role.objects.values()),
        list(Club.objects.values()),
    )


@pytest.mark.each_case
@pytest.mark.parametrize(
    "page", ["member_edit", "member_merge", "member_deactivate", "team_revoke"]
)
def test_people_of_another_club_are_not_found(client: Client, cast: Cast, page: str) -> None:
    client.force_login(cast.organiser)
    stranger = MemberFactory.create(club=ClubFactory.create(), kind=Member.Kind.GUEST)
    elsewhere = Role.objects.get(user=cast.other_organiser)
    pk = elsewhere.pk if page == "team_revoke" else stranger.pk
    assert client.get(reverse(page, args=[cast.club.slug, pk])).status_code == 404


@pytest.mark.full
def test_a_club_that_is_not_there(client: Client, cast: Cast) -> None:
    client.force_login(cast.organiser)
    assert client.get("/clubs/nowhere/desk/members/").status_code == 404
