"""Settings, the address for phones, the team and the trail."""

import re

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries
from pytest_django.fixtures import Settings

from clubs.accounts.invitations import invitation_make
from clubs.http.network import absolute_url, lan_urls
from clubs.models import AuditEvent, Club, Role
from clubs.privacy.erasing import member_erase
from clubs.profile.services import address_choose, role_grant
from tests.factories import (
    TESTS,
    ClubFactory,
    MemberFactory,
    evening_with_draw,
    organiser_of,
    scorekeeper_of,
    table,
    write_deal,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def club(client: Client) -> Club:
    """A club whose organiser has logged in."""
    club: Club = ClubFactory.create()
    client.force_login(organiser_of(club))
    return club


def url(name: str, club: Club, *args: object) -> str:
    return reverse(name, args=[club.slug, *args])


def test_the_settings_are_changed(client: Client, club: Club) -> None:
    new = {"name": "Het Aas", "language": "en", "pit_word": "mars", "sit_out_word": "joker"}
    response = client.post(url("club_settings", club), new, follow=True)
    club.refresh_from_db()
    assert {field: getattr(club, field) for field in new} == new
    assert "The settings are saved." in response.content.decode()


def test_letters_for_roem_are_kept_and_every_wrong_one_is_named(client: Client, club: Club) -> None:
    page = url("club_settings", club)
    known = {"name": "Het Aas", "language": "nl", "pit_word": "pit", "sit_out_word": "joker"}
    refused = client.post(page, known | {"roem_letters": "V=50 W=20 dd=20 V=20 s=30"})
    assert refused.context["form"].errors == {
        "roem_letters": [
            "W kan niet: die toets gaat naar de roem van een partij.",
            "“DD=20”: schrijf een letter, = en 20, 40, 50, 70, 100 of 200.",
            "V staat er twee keer.",
            "“S=30”: schrijf een letter, = en 20, 40, 50, 70, 100 of 200.",
        ]
    }
    client.post(page, known | {"roem_letters": "v=50, d=20"})
    club.refresh_from_db()
    assert club.roem_letters == "v=50, d=20"


class TestOwnWords:
    """A club types a word that is not among the usual ones."""

    TYPED = {
        "name": "Het Aas",
        "language": "nl",
        "pit_word": "other",
        "pit_word_typed": " alle  slagen ",
        "sit_out_word": "other",
        "sit_out_word_typed": "reserve",
    }

    def test_are_kept_and_shown(self, client: Client, club: Club) -> None:
        assert client.post(url("club_settings", club), self.TYPED).status_code == 302
        club.refresh_from_db()
        assert (club.get_pit_word_display(), club.get_sit_out_word_display()) == (
            "alle slagen",
            "reserve",
        )
        form = client.get(url("club_settings", club)).context["form"]
        shown = {name: form[name].value() for name in self.TYPED if "word" in name}
        assert shown == {
            "pit_word": "other",
            "pit_word_typed": "alle slagen",
            "sit_out_word": "other",
            "sit_out_word_typed": "reserve",
        }

    def test_give_way_to_a_usual_one(self, client: Client, club: Club) -> None:
        client.post(url("club_settings", club), self.TYPED)
        client.post(url("club_settings", club), self.TYPED | {"pit_word": "mars"})
        club.refresh_from_db()
        assert (club.pit_word, club.sit_out_word) == ("mars", "reserve")

    @pytest.mark.parametrize("typed", ["", "  ", "x" * 21])
    def test_must_be_typed(self, client: Client, club: Club, typed: str) -> None:
        response = client.post(url("club_settings", club), self.TYPED | {"pit_word_typed": typed})
        assert response.status_code == 422
        assert list(response.context["form"].errors) == ["pit_word_typed"]
        club.refresh_from_db()
        assert club.pit_word == "pit"


@pytest.mark.full
def test_a_club_without_a_name_is_refused(client: Client, club: Club) -> None:
    new = {"name": "", "language": "xx", "pit_word": "pit", "sit_out_word": "joker"}
    response = client.post(url("club_settings", club), new)
    assert response.status_code == 422
    assert "Er is nog niets bewaard" in response.content.decode()
    club.refresh_from_db()
    assert (club.name, club.language) == ("De Vrolijke Boer", "nl")


def test_the_address_is_the_clubs_then_the_public_one_then_the_halls(
    club: Club, settings: Settings
) -> None:
    settings.PUBLIC_URL = ""
    assert absolute_url(club, "/x/") == f"{lan_urls()[0]}/x/"
    settings.PUBLIC_URL = "https://klaver.example"
    assert absolute_url(club, "/x/") == "https://klaver.example/x/"
    club.address = "http://192.0.2.9:8000/"
    assert absolute_url(club, "/x/") == "http://192.0.2.9:8000/x/"


@pytest.mark.full
@pytest.mark.parametrize(
    ("typed", "address"),
    [
        ({"choice": ""}, ""),
        ({"choice": "https://klaver.example"}, "https://klaver.example"),
        ({"choice": "other", "other": "http://192.0.2.9:8000/"}, "http://192.0.2.9:8000"),
        ({"choice": "other", "other": "192.0.2.9:8000"}, "http://192.0.2.9:8000"),
    ],
)
def test_an_address_is_chosen_or_typed(
    client: Client, club: Club, settings: Settings, typed: dict[str, str], address: str
) -> None:
    settings.PUBLIC_URL = "https://klaver.example"
    assert client.post(url("club_address", club), typed).status_code == 302
    club.refresh_from_db()
    assert club.address == address
    page = client.get(url("club_address", club)).content.decode()
    assert f"<strong>{address or 'https://klaver.example'}</strong>" in page


@pytest.mark.parametrize(
    ("choice", "other"),
    [
        ("other", ""),
        ("other", "javascript:alert(1)"),
        ("other", "ftp://x.example"),
        ("nonsense", ""),
    ],
)
def test_an_address_that_cannot_be(client: Client, club: Club, choice: str, other: str) -> None:
    response = client.post(url("club_address", club), {"choice": choice, "other": other})
    assert response.status_code == 422
    club.refresh_from_db()
    assert club.address == ""


@pytest.mark.full
def test_the_team_is_listed(
    client: Client, club: Club, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(6):
        client.get(url("club_team", club))
    role_grant(club=club, email="wim@example.org", kind="director", name="Wim", actor=TESTS)
    role_grant(club=club, email="lies@example.org", kind="scorekeeper", actor=TESTS)
    for number in range(3):
        email = f"guest{number}@example.org"
        invitation_make(club=club, email=email, kind="director", actor=TESTS)
    with django_assert_num_queries(6):
        page = client.get(url("club_team", club)).content.decode()
    assert page.count("nog geen wachtwoord") == 2
    assert page.count("nog geen antwoord") == 3
    for words in ("organisator", "wedstrijdleider", "schrijver", "wim@example.org"):
        assert words in page


def link_asked_for(client: Client, role: Role) -> str:
    """The page that shows the link, or says why there is none."""
    made = client.post(url("team_link", role.club, role.pk), follow=True)
    return made.content.decode()


@pytest.mark.full
def test_somebody_of_the_team_gets_in_with_a_link(client: Client, club: Club) -> None:
    role = role_grant(club=club, email="wim@example.org", kind="director", actor=TESTS)
    link = re.search(r'value="(http[^"]+)"', link_asked_for(client, role))
    assert link is not None
    assert link[1].startswith(f"{lan_urls()[0]}/password/set/")
    stranger = Client()
    opened = stranger.get(link[1].removeprefix(lan_urls()[0]), follow=True)
    assert "Voortaan logt u in met wim@example.org" in opened.content.decode()


def test_no_link_into_another_club(client: Client, club: Club) -> None:
    user = organiser_of(ClubFactory.create())
    page = link_asked_for(
        client, role_grant(club=club, email=user.email, kind="director", actor=TESTS)
    )
    assert "heeft ook een taak bij een andere club" in page
    assert "/password/set/" not in page


@pytest.mark.full
def test_a_link_into_two_clubs_has_the_address_of_neither(client: Client, club: Club) -> None:
    """Who organises both may make it; another organiser of this one may have chosen its address."""
    role = role_grant(club=club, email="wim@example.org", kind="director", actor=TESTS)
    other = ClubFactory.create()
    for email in (club.roles.get(kind="organiser").user.email, "wim@example.org"):
        role_grant(club=other, email=email, kind="organiser", actor=TESTS)
    address_choose(club=club, address="http://evil.example", actor=TESTS)
    page = link_asked_for(client, role)
    assert f'value="{lan_urls()[0]}/password/set/' in page


def test_a_task_is_changed_and_taken_away(client: Client, club: Club) -> None:
    role = Role.objects.get(user=scorekeeper_of(club))
    client.post(url("team_change", club, role.pk), {"kind": "director"})
    role.refresh_from_db()
    assert role.kind == "director"
    asked = client.get(url("team_revoke", club, role.pk)).content.decode()
    assert "uit het team halen?" in asked
    client.post(url("team_revoke", club, role.pk))
    assert club.roles.count() == 1


@pytest.mark.full
def test_the_last_organiser_stays(client: Client, club: Club) -> None:
    role = club.roles.get()
    page = client.post(url("team_revoke", club, role.pk), follow=True).content.decode()
    assert "Een club heeft minstens één organisator nodig." in page
    changed = client.post(url("team_change", club, role.pk), {"kind": "scorekeeper"})
    assert "Een club heeft minstens één organisator nodig." in changed.content.decode()
    role.refresh_from_db()
    assert role.kind == "organiser"


def sentences(client: Client, club: Club) -> list[str]:
    """What the trail tells, newest first, without its markup."""
    page = client.get(url("club_trail", club)).content.decode()
    cells = re.findall(r"<tr[^>]*>\s*<td.*?</td>\s*<td[^>]*>(.*?)</td>", page, re.DOTALL)
    return [re.sub(r"<[^>]+>", " ", cell).strip() for cell in cells]


@pytest.mark.full
def test_the_trail_tells_what_happened_in_words(client: Client, club: Club) -> None:
    MemberFactory.create(club=club, name="Jan Bos")
    role_grant(club=club, email="wim@example.org", kind="director", name="Wim", actor=TESTS)
    assert sentences(client, club)[:2] == [
        "Wim is nu wedstrijdleider",
        "Jan Bos is op de lijst gezet",
    ]


@pytest.mark.full
def test_the_trail_tells_of_an_evening_and_its_tables(client: Client, club: Club) -> None:
    evening = evening_with_draw(club=club, players=4)
    write_deal(table(evening), 1)
    message = sentences(client, club)
    assert message[0].split() == (
        "Spel 1 is geschreven 90–72 · wij, harten "
        "avond van 21 november 2026, ronde 1, tafel 1".split()
    )
    assert message[1].split() == "Ronde 1 is gestart avond van 21 november 2026".split()


@pytest.mark.full
def test_every_action_has_a_sentence(client: Client, club: Club) -> None:
    evening = evening_with_draw(club=club, players=5)
    write_deal(table(evening), 1)
    page = " ".join(sentences(client, club))
    for action in AuditEvent.objects.values_list("action", flat=True):
        if "_" in action:
            assert action not in page


@pytest.mark.full
def test_the_trail_comes_in_pages(
    client: Client, club: Club, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for _number in range(60):
        MemberFactory.create(club=club)
    assert "pagina 1 van 2" in client.get(url("club_trail", club)).content.decode()
    assert client.get(url("club_trail", club), {"page": "nonsense"}).status_code == 200
    with django_assert_num_queries(8):
        client.get(url("club_trail", club), {"page": "2"})


def test_an_erased_text_leaves_dots(client: Client, club: Club) -> None:
    role_grant(club=club, email="ans@example.org", kind="organiser", actor=TESTS)
    AuditEvent.objects.filter(action="role_granted").latest("number").texts.all().delete()
    assert sentences(client, club)[0] == "… is nu organisator"


def test_who_was_erased_has_the_name_that_is_left(client: Client, club: Club) -> None:
    member_erase(member=MemberFactory.create(club=club, name="Jan Bos"), actor=TESTS)
    assert sentences(client, club)[:2] == [
        "De gegevens van Oud-lid 1 zijn gewist",
        "Oud-lid 1 is op de lijst gezet",
    ]
