"""The pages on which a club keeps its regulations."""

import re

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from clubs.models import AuditEvent, Club, User
from scoring.models import Regulation
from scoring.regulations.services import regulation_add, regulation_save
from tests.factories import (
    TESTS,
    ClubFactory,
    director_of,
    evening_with_draw,
    organiser_of,
    scorekeeper_of,
)
from tests.tournaments.desk import desk_of, messages_in, text
from tests.tournaments.regulation_pages import (
    planned,
    play,
    post_regulation,
    regulation_url,
    shown,
    version,
)
from tournaments.models import Evening

pytestmark = pytest.mark.django_db

LIST = "/clubs/vrolijke-boer/desk/regulations/"
NEW = f"{LIST}new/"


@pytest.fixture
def club() -> Club:
    club: Club = ClubFactory.create()
    return club


@pytest.fixture
def desk(club: Club) -> Client:
    return desk_of(club)


@pytest.fixture
def own(club: Club) -> Regulation:
    """A regulation of the club that was never played by."""
    return regulation_add(club=club, name="Ons huis", preset="amsterdam", actor=TESTS)


class TestPermission:
    """One cast of people against every page."""

    def pages(self, regulation: Regulation) -> list[str]:
        return [
            LIST,
            NEW,
            regulation_url(regulation),
            regulation_url(regulation, "regulation_effects"),
        ]

    def statuses(self, user: User | None, own: Regulation, method: str) -> list[int]:
        client = Client()
        if user:
            client.force_login(user)
        return [getattr(client, method)(page).status_code for page in self.pages(own)]

    @pytest.mark.full
    def test_the_organiser_opens_all_of_them(self, own: Regulation) -> None:
        user = organiser_of(own.club)
        assert self.statuses(user, own, "get") == [200, 200, 200, 405]
        assert self.statuses(user, own, "post") == [405, 422, 422, 200]

    @pytest.mark.full
    @pytest.mark.each_case
    @pytest.mark.parametrize("who", [director_of, scorekeeper_of])
    @pytest.mark.parametrize("method", ["get", "post"])
    def test_nobody_else_of_the_team_does(self, own: Regulation, who: object, method: str) -> None:
        assert callable(who)
        assert self.statuses(who(own.club), own, method) == [403] * 4

    @pytest.mark.full
    @pytest.mark.parametrize("method", ["get", "post"])
    def test_nor_who_organises_elsewhere(self, own: Regulation, method: str) -> None:
        stranger = organiser_of(ClubFactory.create())
        assert self.statuses(stranger, own, method) == [403] * 4

    @pytest.mark.full
    @pytest.mark.parametrize("method", ["get", "post"])
    def test_nor_who_has_not_logged_in(self, own: Regulation, method: str) -> None:
        assert self.statuses(None, own, method) == [302] * 4

    def test_another_clubs_regulation_is_not_found(self, own: Regulation) -> None:
        other = ClubFactory.create()
        desk = desk_of(other)
        for name in ("regulation_edit", "regulation_effects"):
            url = reverse(name, args=[other.slug, own.pk])
            assert desk.post(url, shown(own)).status_code == 404
        assert desk.get(f"/clubs/{other.slug}/desk/regulations/{'9' * 30}/").status_code == 404


class TestList:
    @pytest.mark.full
    def test_a_club_without_any_is_shown_the_way(self, desk: Client) -> None:
        page = text(desk.get(LIST))
        assert "U hebt nog geen eigen reglement." in page
        assert f'href="{NEW}"' in page

    def test_it_tells_where_each_is_played(self, desk: Client, own: Regulation) -> None:
        play(own, 7, 14)
        planned(own)
        page = text(desk.get(LIST))
        assert "2 avonden, laatst op 14 november 2026 · gepland: 28 november" in page
        assert "Precies Amsterdams." in page

    @pytest.mark.full
    def test_it_tells_what_differs_from_the_preset(self, desk: Client, own: Regulation) -> None:
        post_regulation(desk, own, four_jacks="100")
        page = text(desk.get(LIST))
        assert "Amsterdams, maar: vier boeren: 100 punten" in page
        assert "nog niet mee gespeeld" in page

    def test_older_versions_are_there_to_look_at(self, desk: Client, own: Regulation) -> None:
        play(own, 7)
        post_regulation(desk, own, four_jacks="100")
        play(version(2), 14)
        page = text(desk.get(LIST))
        assert "2 avonden, laatst op 14 november 2026" in page
        assert "1 oudere versie" in page
        assert "Versie 2, die nu geldt: 1 avond, op 14 november 2026" in page
        assert f'<a href="{LIST}{own.pk}/">Versie 1</a>: 1 avond, op 7 november 2026' in page
        old = text(desk.get(f"{LIST}{own.pk}/"))
        assert "Ons huis, versie 1" in old
        assert "vier boeren: 100 punten – was 200 punten" in old
        assert "<form" not in old.partition("<main")[2].partition("</main>")[0]

    def test_it_takes_as_many_queries_for_three_as_for_one(
        self, desk: Client, own: Regulation, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        play(own, 7)
        with django_assert_num_queries(7):
            desk.get(LIST)
        for name in ("Zomer", "Toernooi"):
            play(regulation_add(club=own.club, name=name, preset="rotterdam", actor=TESTS), 14)
        planned(own)
        with django_assert_num_queries(7):
            desk.get(LIST)

    @pytest.mark.full
    def test_the_settings_lead_to_it(self, desk: Client) -> None:
        page = text(desk.get("/clubs/vrolijke-boer/desk/settings/"))
        assert f'<a href="{LIST}">Reglementen</a>' in page


class TestAdding:
    def test_a_preset_and_a_name(self, desk: Client, club: Club) -> None:
        response = desk.post(NEW, {"preset": "rotterdam", "name": " Ons  huis "}, follow=True)
        added = Regulation.objects.get()
        assert (added.name, added.rules.must_trump) == ("Ons huis", "rotterdam")
        assert response.redirect_chain == [(f"{LIST}{added.pk}/", 302)]
        assert messages_in(response) == ["Ons huis staat erbij. Wijzig wat bij uw club anders is."]

    @pytest.mark.full
    def test_without_a_name_it_is_called_after_the_preset(self, desk: Client) -> None:
        desk.post(NEW, {"preset": "gezelligheid", "name": ""})
        assert Regulation.objects.get().name == "Op de gezelligheid"

    @pytest.mark.parametrize(
        ("typed", "fault"),
        [
            ({"preset": "", "name": "Nieuw"}, "Kies de regels om van uit te gaan."),
            ({"preset": "groningen", "name": "Nieuw"}, "Selecteer een geldige keuze."),
            ({"preset": "utrecht", "name": "ONS HUIS"}, "Er is al een reglement met die naam."),
            ({"preset": "utrecht", "name": "x" * 61}, "60 tekens"),
        ],
    )
    def test_what_cannot_be(
        self, desk: Client, own: Regulation, typed: dict[str, str], fault: str
    ) -> None:
        response = desk.post(NEW, typed)
        assert response.status_code == 422
        assert fault in text(response)
        assert Regulation.objects.count() == 1

    @pytest.mark.full
    def test_every_preset_is_described(self, desk: Client) -> None:
        page = text(desk.get(NEW))
        assert "<strong>Nieuw-Zeeland</strong><br>Als Rotterdams, maar de gever begint" in page
        assert len(re.findall(r'name="preset"', page)) == 6


class TestChanging:
    def test_before_it_is_played_the_change_takes_its_place(
        self, desk: Client, own: Regulation
    ) -> None:
        evening = planned(own)
        page = text(desk.get(regulation_url(own)))
        assert "Met dit reglement is nog niet gespeeld." in page
        assert "Ze geldt ook voor wat ermee gepland is: 28 november." in page
        assert "Bewaar dit reglement" in page
        post_regulation(desk, own, four_jacks="100")
        evening.refresh_from_db()
        assert evening.regulation == own
        assert version(1).rules.four_jacks == 100

    def test_once_played_the_page_says_what_a_change_does(
        self, desk: Client, own: Regulation
    ) -> None:
        play(own, 7, 14)
        page = text(desk.get(regulation_url(own)))
        assert (
            "Dit reglement is op 2 avonden gebruikt. Uw wijziging wordt versie 2 en geldt vanaf de "
            "volgende avond; oude avonden houden versie 1." in page
        )
        assert "Bewaar als versie 2" in page

    def test_the_page_takes_as_many_queries_whatever_is_planned(
        self, desk: Client, own: Regulation, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        play(own, 7)
        with django_assert_num_queries(10):
            desk.get(regulation_url(own))
        for day in (28, 29, 30):
            planned(own, day)
        with django_assert_num_queries(10):
            desk.get(regulation_url(own))

    @pytest.mark.full
    def test_what_was_played_keeps_its_version(self, desk: Client, own: Regulation) -> None:
        play(own, 14)
        evening = Evening.objects.get()
        response = desk.post(regulation_url(own), shown(own) | {"four_jacks": "100"}, follow=True)
        assert messages_in(response) == ["Ons huis is bewaard als versie 2."]
        evening.refresh_from_db()
        assert evening.regulation == own
        assert [version(n).rules.four_jacks for n in (1, 2)] == [200, 100]

    @pytest.mark.full
    def test_a_version_that_was_not_played_is_changed_itself(
        self, desk: Client, own: Regulation
    ) -> None:
        play(own, 14)
        post_regulation(desk, own, four_jacks="100")
        page = text(desk.get(regulation_url(version(2))))
        assert "Met versie 2 is nog niet gespeeld. Uw wijziging komt dus in de plaats" in page
        post_regulation(desk, version(2), four_jacks="150")
        assert [version(n).rules.four_jacks for n in (1, 2)] == [200, 150]
        assert not Regulation.objects.filter(version=3).exists()

    @pytest.mark.full
    def test_the_same_again_makes_no_version(self, desk: Client, own: Regulation) -> None:
        play(own, 14)
        response = desk.post(regulation_url(own), shown(own), follow=True)
        assert messages_in(response) == ["In Ons huis is niets gewijzigd."]
        assert not Regulation.objects.filter(version=2).exists()

    def test_everything_wrong_is_reported_at_once_and_nothing_kept(
        self, desk: Client, own: Regulation
    ) -> None:
        response = post_regulation(
            desk,
            own,
            four_jacks="veel",
            pit_bonus="",
            shutout_bonus="10001",
            nat="misschien",
            nil="true",
            nil_bonus="",
        )
        assert response.status_code == 422
        assert set(response.context["form"].errors) == {
            "four_jacks",
            "pit_bonus",
            "shutout_bonus",
            "nat",
            "nil_bonus",
        }
        own.refresh_from_db()
        assert own.rules.as_settings() == own.settings

    @pytest.mark.parametrize("seen", ["", "nonsense", '{"four_jacks": "veel"}', "[" * 1500])
    def test_a_page_that_was_tampered_with_is_refused(
        self, desk: Client, own: Regulation, seen: str
    ) -> None:
        response = post_regulation(desk, own, four_jacks="100", seen_settings=seen)
        assert response.status_code == 422
        assert version(1).rules.four_jacks == 200

    @pytest.mark.full
    def test_without_a_script_a_button_shows_what_it_does(
        self, desk: Client, own: Regulation
    ) -> None:
        response = post_regulation(desk, own, four_jacks="100", show="1")
        assert response.status_code == 200
        page = text(response)
        assert "Wij 97 + 100 roem = 197, zij 65: gehaald" in page
        assert "vier boeren: 100 punten – was 200 punten" in page
        assert version(1).rules.four_jacks == 200

    @pytest.mark.full
    def test_that_button_is_only_there_without_a_script(
        self, desk: Client, own: Regulation
    ) -> None:
        page = text(desk.get(regulation_url(own)))
        assert '<noscript><button type="submit" class="button" name="show" value="1">' in page

    def test_values_that_do_not_matter_now_are_kept(self, desk: Client, own: Regulation) -> None:
        post_regulation(desk, own, nat_roem="lost")
        own.refresh_from_db()
        post_regulation(desk, version(1), nat="false")
        kept = version(1).rules
        assert (kept.nat, kept.nat_roem) == (False, "lost")


class TestPlannedEvenings:
    def test_take_the_change_over_where_they_are_ticked(
        self, desk: Client, own: Regulation
    ) -> None:
        play(own, 14)
        first, second = planned(own, 28), planned(own, 29)
        page = text(desk.get(regulation_url(own)))
        assert f'name="evening" value="{first.pk}" checked' in page
        response = desk.post(
            regulation_url(own),
            shown(own) | {"four_jacks": "100", "evening": [str(first.pk)]},
            follow=True,
        )
        assert messages_in(response) == [
            "Ons huis is bewaard als versie 2.",
            "Hiermee wordt gespeeld op 28 november.",
        ]
        newest = version(2)
        assert Evening.objects.get(pk=first.pk).regulation == newest
        assert Evening.objects.get(pk=second.pk).regulation == own
        event = AuditEvent.objects.get(action="evening_changed")
        assert event.data == {"date": "2026-11-28", "regulation": [own.pk, newest.pk]}

    @pytest.mark.full
    def test_that_play_by_it_already_are_left_alone(self, desk: Client, own: Regulation) -> None:
        play(own, 14)
        evening = planned(own)
        assert post_regulation(desk, own, evening=[str(evening.pk)]).status_code == 302
        assert not AuditEvent.objects.filter(action="evening_changed").exists()

    @pytest.mark.full
    def test_not_once_there_is_a_draw(self, desk: Client, own: Regulation) -> None:
        drawn = evening_with_draw(club=own.club, regulation=own, players=4, started=False)
        page = text(desk.get(regulation_url(own)))
        assert "Al geloot, en dus blijft het daar zoals het is: 21 november." in page
        assert 'name="evening"' not in page
        post_regulation(desk, own, four_jacks="100", evening=[str(drawn.pk)])
        assert Evening.objects.get(pk=drawn.pk).regulation == own

    def test_nor_those_of_another_club_or_another_regulation(
        self, desk: Client, own: Regulation
    ) -> None:
        play(own, 14)
        other = regulation_add(club=own.club, name="Zomer", preset="utrecht", actor=TESTS)
        elsewhere = regulation_add(
            club=ClubFactory.create(), name="Ons huis", preset="utrecht", actor=TESTS
        )
        evenings = [planned(other, 28), planned(elsewhere, 28)]
        ticked = [str(one.pk) for one in evenings] + ["x", "9" * 30]
        assert post_regulation(desk, own, four_jacks="100", evening=ticked).status_code == 302
        found = [Evening.objects.get(pk=one.pk).regulation for one in evenings]
        assert found == [other, elsewhere]


class TestTwoOrganisers:
    def test_the_second_is_shown_and_loses_nothing(self, desk: Client, own: Regulation) -> None:
        play(own, 14)
        post_regulation(desk, own, four_jacks="100", nat_roem="lost")
        response = post_regulation(desk, own, pit_bonus="50", nat_roem="opponents")
        page = text(response)
        assert response.status_code == 409
        assert "Iemand anders heeft dit reglement intussen gewijzigd." in page
        assert "vier boeren: 100 punten – was 200 punten" in page
        newest = version(2)
        assert f'action="{regulation_url(newest)}"' in page
        form = response.context["form"]
        filled = {name: form[name].value() for name in ("four_jacks", "nat_roem", "pit_bonus")}
        assert filled == {"four_jacks": "100", "nat_roem": "lost", "pit_bonus": "50"}
        assert newest.rules.pit_bonus == 100
        again = {name: form[name].value() for name in form.fields}
        assert desk.post(regulation_url(newest), again).status_code == 302
        rules = Regulation.objects.latest("version").rules
        assert (rules.four_jacks, rules.nat_roem, rules.pit_bonus) == (100, "lost", 50)

    @pytest.mark.full
    def test_before_it_is_played_too(self, desk: Client, own: Regulation) -> None:
        post_regulation(desk, own, four_jacks="100")
        assert post_regulation(desk, own, pit_bonus="50").status_code == 409
        assert version(1).rules.pit_bonus == 100

    def test_even_where_the_other_changed_what_does_not_matter_now(
        self, desk: Client, own: Regulation
    ) -> None:
        post_regulation(desk, own, nat="false")
        seen = version(1)
        post_regulation(desk, seen, nat_roem="lost")
        response = post_regulation(desk, seen, pit_bonus="50")
        assert response.status_code == 409
        assert "Iemand anders heeft dit reglement intussen gewijzigd." in text(response)
        assert response.context["form"]["nat_roem"].value() == "lost"

    @pytest.mark.full
    def test_who_wanted_the_same_is_not_bothered_with_what_is_done(
        self, desk: Client, own: Regulation
    ) -> None:
        post_regulation(desk, own, four_jacks="100")
        response = post_regulation(desk, own, four_jacks="100")
        assert response.status_code == 409
        assert response.context["form"]["four_jacks"].value() == "100"
        assert response.context["view"].changes == ()


class TestEffects:
    def ask(self, desk: Client, own: Regulation, about: str, **chosen: str) -> str:
        url = regulation_url(own, "regulation_effects")
        return text(desk.post(f"{url}?about={about}", shown(own) | chosen))

    def test_change_as_one_chooses_and_nothing_is_saved(
        self, desk: Client, own: Regulation
    ) -> None:
        page = self.ask(desk, own, "four_jacks", four_jacks="100")
        assert page.startswith("Wij spelen, halen 97 punten en melden vier boeren. Wij 97 + 100")
        assert 'id="effect-four_jacks" hx-swap-oob="true"' in page
        assert version(1).rules.four_jacks == 200
        assert AuditEvent.objects.filter(action="regulation_saved").count() == 1

    @pytest.mark.full
    def test_what_does_not_matter_any_more_is_left_out(self, desk: Client, own: Regulation) -> None:
        page = self.ask(desk, own, "must_trump", must_trump="rotterdam", nat="false")
        moot = re.findall(r'setting-moot" id="effect-(\w+)"', page)
        assert moot == "undertrump nat_counts_roem nat_roem reneging_fine bid_needed".split()

    @pytest.mark.full
    @pytest.mark.parametrize("chosen", [{"four_jacks": "veel"}, {"nat": ""}, {"nil": "true"}])
    def test_half_filled_in_it_shows_what_it_was(
        self, desk: Client, own: Regulation, chosen: dict[str, str]
    ) -> None:
        page = self.ask(desk, own, "nonsense", **chosen)
        assert "Wij 97 + 200 roem = 297, zij 65: gehaald" in page
        assert "Dat kan niet: ledig wordt niet gespeeld." in page

    @pytest.mark.full
    def test_the_club_reads_its_own_word(self, desk: Client, own: Regulation) -> None:
        Club.objects.update(pit_word="mars")
        page = self.ask(desk, own, "pit_bonus")
        assert "Mars: wij 162 + 100 mars = 262, zij 0" in page
        assert "Wat is tegenmars extra waard?" in text(desk.get(regulation_url(own)))


def test_the_trail_tells_of_it(desk: Client, own: Regulation) -> None:
    regulation_save(club=own.club, name=own.name, settings={"nat": False}, actor=TESTS)
    page = text(desk.get("/clubs/vrolijke-boer/desk/trail/"))
    assert page.count("Ons huis") == 2


class TestEveningForm:
    NEW = "/clubs/vrolijke-boer/desk/evenings/new/"

    @pytest.mark.full
    def test_a_new_evening_gets_the_newest_version_and_says_so(
        self, desk: Client, own: Regulation
    ) -> None:
        play(own, 14)
        assert "sindsdien gewijzigd" not in text(desk.get(self.NEW))
        post_regulation(desk, own, four_jacks="100")
        page = text(desk.get(self.NEW))
        assert "Ons huis is sindsdien gewijzigd. Deze avond krijgt versie 2." in page
        assert f'<option value="{version(2).pk}" selected>Ons huis, versie 2</option>' in page
        assert f'<option value="{own.pk}"' not in page

    @pytest.mark.full
    def test_a_planned_evening_keeps_its_own_until_somebody_chooses(
        self, desk: Client, own: Regulation
    ) -> None:
        play(own, 14)
        planned(own)
        post_regulation(desk, own, four_jacks="100")
        page = text(desk.get("/clubs/vrolijke-boer/desk/evenings/2026-11-28/edit/"))
        assert f'<option value="{own.pk}" selected>Ons huis</option>' in page
        assert "Ons huis, versie 2" in page

    @pytest.mark.full
    def test_the_organiser_goes_from_there_to_the_rules(
        self, desk: Client, own: Regulation
    ) -> None:
        planned(own)
        director = Client()
        director.force_login(director_of(own.club))
        for address in (self.NEW, "/clubs/vrolijke-boer/desk/evenings/2026-11-28/edit/"):
            link = f'<a class="button button-quiet" href="{LIST}">Regels bekijken of wijzigen</a>'
            assert link in text(desk.get(address))
            assert "Regels bekijken of wijzigen" not in text(director.get(address))
