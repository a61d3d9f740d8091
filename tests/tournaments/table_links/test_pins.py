"""A table's number and PIN in place of its code: right, wrong, and too often wrong."""

import datetime as dt

import pytest
import time_machine
from django.test import Client
from django.utils.crypto import salted_hmac
from pytest_django import Settings

from clubs.models import Club
from clubs.text.errors import DomainError
from tests.factories import TESTS, ClubFactory, EveningFactory, evening_with_draw
from tests.tournaments.table_pages import link, playing, words
from tournaments.models import Evening, PinGuard, TableToken
from tournaments.table_links.services import pin_try, token_pin, token_renew, tokens_ensure

pytestmark = pytest.mark.django_db

PAGE = "/clubs/vrolijke-boer/table/"
HALL, ELSEWHERE = "192.0.2.1", "198.51.100.7"
START = dt.datetime(2026, 11, 21, 20, 0, tzinfo=dt.UTC)


def token(evening: Evening, number: int = 1, side: str = "") -> TableToken:
    return evening.tokens.get(table_number=number, side=side, revoked_at=None)


def wrong(evening: Evening, number: int = 1) -> str:
    """Five digits that are not the PIN of this table."""
    pins = {token_pin(one) for one in evening.tokens.filter(table_number=number)}
    return next(pin for pin in ("11110", "22221", "33332", "44443") if pin not in pins)


def answer(club: Club, number: int, pin: str, client: str = HALL) -> object:
    """Where a PIN leads, such as `table 1`, else how it was refused: minutes to wait when the table
    hears none."""
    try:
        link = pin_try(club=club, table_number=number, pin=pin, client=client)
        return f"table {link.table_number}"
    except DomainError as error:
        return error.params.get("minutes", error.code)


def failures(table: int, client: str) -> list[int]:
    """What a client got wrong at a table in a row, on each evening."""
    digest = salted_hmac("tournaments.pin_guard", client, algorithm="sha256").hexdigest()
    guards = PinGuard.objects.filter(table_number=table, client=digest).order_by("evening")
    return [guard.failures for guard in guards]


class TestTheNumber:
    @pytest.mark.full
    def test_it_has_five_digits_and_every_table_its_own(self) -> None:
        evening = evening_with_draw(players=48)
        pins = [token_pin(one) for one in evening.tokens.all()]
        assert [len(pin) for pin in pins] == [5] * 12
        assert "".join(pins).isdecimal()
        assert len(set(pins)) > 9

    def test_a_new_link_has_a_new_one(self) -> None:
        evening = playing()
        old = token_pin(token(evening))
        token_renew(evening_id=evening.pk, table_number=1, actor=TESTS)
        assert token_pin(token(evening)) != old
        assert answer(evening.club, 1, old) == "pin_wrong"

    def test_another_servers_key_makes_another(self, settings: Settings) -> None:
        one = token(playing())
        pin = token_pin(one)
        settings.SECRET_KEY = "another"
        assert token_pin(one) != pin

    def test_those_of_two_sides_never_agree(self) -> None:
        evening = EveningFactory.create(writing="both")
        tokens_ensure(evening=evening, tables=200)
        last = {side: set[str]() for side in ("NS", "EW")}
        for one in evening.tokens.all():
            last[one.side].add(token_pin(one)[-1])
        assert last == {"NS": set("02468"), "EW": set("13579")}


class TestTrying:
    @pytest.mark.full
    def test_it_leads_to_its_table_and_side(self) -> None:
        evening = evening_with_draw(players=8, writing="both")
        for number in (1, 2):
            for side in ("NS", "EW"):
                one = token(evening, number, side)
                found = pin_try(
                    club=evening.club, table_number=number, pin=token_pin(one), client=HALL
                )
                assert found == one

    def test_that_of_another_table_or_club_leads_nowhere(self) -> None:
        evening = playing(players=8)
        pin = token_pin(token(evening, 1))
        assert answer(evening.club, 2, pin) == "pin_wrong"
        assert answer(evening.club, 3, pin) == "pin_wrong"
        assert answer(ClubFactory.create(), 1, pin) == "pin_wrong"

    @pytest.mark.parametrize("change", [{"state": "closed"}, {"phones": False}])
    def test_it_ends_with_the_evening(self, change: dict[str, object]) -> None:
        evening = playing()
        pin = token_pin(token(evening))
        Evening.objects.update(**change)
        assert answer(evening.club, 1, pin) == "pin_wrong"

    def test_of_two_evenings_at_once_each_has_its_own(self) -> None:
        first = playing()
        second = EveningFactory.create(club=first.club, date=first.date)
        tokens_ensure(evening=second, tables=1)
        for evening in (first, second):
            found = pin_try(
                club=first.club, table_number=1, pin=token_pin(token(evening)), client=HALL
            )
            assert found.evening == evening

    @pytest.mark.full
    def test_what_is_right_for_one_evening_is_not_wrong_for_the_other(self) -> None:
        first = playing()
        second = EveningFactory.create(club=first.club, date=first.date)
        tokens_ensure(evening=second, tables=1)
        for evening in (first, second) * 3:
            assert answer(first.club, 1, token_pin(token(evening))) == "table 1"
        assert failures(1, HALL) == [0, 0]
        rights = {token_pin(token(evening)) for evening in (first, second)}
        bad = next(pin for pin in ("11110", "22221", "33332") if pin not in rights)
        for _ in range(5):
            answer(first.club, 1, bad)
        assert failures(1, HALL) == [5, 5]


class TestGuessing:
    @pytest.mark.full
    def test_five_wrong_ones_close_the_table_for_five_minutes_then_for_ten(self) -> None:
        evening = playing(players=8)
        club, right, bad = evening.club, token_pin(token(evening)), wrong(evening)
        with time_machine.travel(START, tick=False) as clock:
            assert [answer(club, 1, bad) for _ in range(4)] == ["pin_wrong"] * 4
            assert [answer(club, 1, pin) for pin in (bad, bad, right)] == [5, 5, 5]
            clock.shift(dt.timedelta(minutes=4))
            assert answer(club, 1, right) == 1
            clock.shift(dt.timedelta(minutes=1))
            assert answer(club, 1, right) == "table 1"

    @pytest.mark.full
    def test_each_five_more_double_the_wait(self) -> None:
        evening = playing()
        club, right, bad = evening.club, token_pin(token(evening)), wrong(evening)
        waits = []
        with time_machine.travel(START, tick=False) as clock:
            for _ in range(9):
                given = [answer(club, 1, bad) for _ in range(5)]
                assert given[:4] == ["pin_wrong"] * 4
                waits.append(given[4])
                clock.shift(dt.timedelta(minutes=int(str(given[4])), seconds=1))
            assert waits == [5, 10, 20, 40, 80, 160, 320, 320, 320]
            assert failures(1, HALL) == [45]
            assert pin_try(club=club, table_number=1, pin=right, client=HALL) == token(evening)
            assert failures(1, HALL) == [0]

    @pytest.mark.full
    def test_one_table_that_is_closed_leaves_the_others_open(self) -> None:
        evening = playing(players=8)
        bad = wrong(evening)
        for _ in range(5):
            answer(evening.club, 1, bad)
        assert answer(evening.club, 2, token_pin(token(evening, 2))) == "table 2"

    def test_whoever_guesses_shuts_the_hall_for_nobody_else(self) -> None:
        """35 wrong PINs from one address closed all seven tables to everybody."""
        evening = playing(players=28)
        for number in range(1, 8):
            for _ in range(5):
                answer(evening.club, number, wrong(evening, number), ELSEWHERE)
        for number in range(1, 8):
            right = token_pin(token(evening, number))
            assert answer(evening.club, number, right) == f"table {number}"
        assert answer(evening.club, 1, token_pin(token(evening, 1)), ELSEWHERE) == 5

    def test_one_client_guesses_at_all_tables_twenty_times(self) -> None:
        evening = playing(players=28)
        given = [
            answer(evening.club, 1 + at % 7, wrong(evening, 1 + at % 7), ELSEWHERE)
            for at in range(24)
        ]
        assert given == ["pin_wrong"] * 19 + [5] * 5
        assert answer(evening.club, 7, token_pin(token(evening, 7)), ELSEWHERE) == 5

    def test_to_know_one_pin_does_not_help_with_the_others(self) -> None:
        evening = playing(players=28)
        known = token_pin(token(evening, 7))
        for at in range(20):
            assert answer(evening.club, 1 + at % 6, wrong(evening, 1 + at % 6)) in ("pin_wrong", 5)
            if at < 19:
                assert answer(evening.club, 7, known) == "table 7"
        assert answer(evening.club, 7, known) == 5

    @pytest.mark.full
    def test_after_a_hundred_wrong_ones_from_anywhere_a_table_accepts_none(self) -> None:
        evening = playing(players=8)
        bad = wrong(evening)
        for at in range(100):
            answer(evening.club, 1, bad, f"203.0.113.{at}")
        assert answer(evening.club, 1, token_pin(token(evening))) == 5
        assert answer(evening.club, 2, token_pin(token(evening, 2))) == "table 2"

    def test_a_right_one_forgets_the_wrong_ones(self) -> None:
        evening = playing()
        bad, right = wrong(evening), token_pin(token(evening))
        for _ in range(3):
            assert [answer(evening.club, 1, bad) for _ in range(4)] == ["pin_wrong"] * 4
            assert answer(evening.club, 1, right) == "table 1"

    @pytest.mark.full
    def test_a_new_link_opens_the_table_again(self) -> None:
        evening = playing()
        for _ in range(5):
            answer(evening.club, 1, wrong(evening))
        token_renew(evening_id=evening.pk, table_number=1, actor=TESTS)
        assert answer(evening.club, 1, token_pin(token(evening))) == "table 1"


class TestThePage:
    def test_the_right_pin_opens_the_table(self, client: Client) -> None:
        evening = playing(players=8)
        pin = token_pin(token(evening, 2))
        spaced = f" {pin[:2]} {pin[2:]} "
        response = client.post(PAGE, {"number": "2", "pin": spaced})
        assert (response.status_code, response.headers["Location"]) == (303, link(evening, 2))

    def test_a_phone_without_cookies_comes_in_as_well(self) -> None:
        evening = playing()
        client = Client(enforce_csrf_checks=True)
        response = client.post(PAGE, {"number": "1", "pin": token_pin(token(evening))})
        assert response.status_code == 303

    def test_every_fault_is_reported_at_once_and_what_was_typed_stays(self, client: Client) -> None:
        playing()
        response = client.post(PAGE, {"number": "vier", "pin": "12a45"})
        assert response.status_code == 422
        assert response.headers["Cache-Control"] == "no-store"
        shown = words(response)
        assert "Een pincode heeft vijf cijfers, zoals 40721." in shown
        assert "Voer een geheel getal in." in shown
        assert b'value="vier"' in response.content

    def test_a_wrong_pin_is_reported_and_a_closed_table_how_long(self, client: Client) -> None:
        evening = playing()
        sent = {"number": "1", "pin": wrong(evening)}
        response = client.post(PAGE, sent)
        assert response.status_code == 422
        assert "Dit tafelnummer en deze pincode horen niet bij elkaar." in words(response)
        for _ in range(4):
            response = client.post(PAGE, sent)
        assert response.status_code == 429
        assert (
            "Voor tafel 1 is te vaak een verkeerde pincode getypt. Probeer het over 5 minuten"
            " opnieuw, scan de code, of vraag de wedstrijdleider."
        ) in words(response)

    @pytest.mark.full
    @pytest.mark.parametrize("number", ["0", "-1", "1000", "9" * 5000])
    def test_a_number_that_no_table_has_is_refused(self, client: Client, number: str) -> None:
        playing()
        assert client.post(PAGE, {"number": number, "pin": "12345"}).status_code == 422

    @pytest.mark.full
    def test_where_nothing_is_played_it_says_so(self, client: Client) -> None:
        ClubFactory.create()
        assert "Er is nu geen avond bezig" in words(client.get(PAGE))
        assert "Er is nu geen avond bezig" in words(client.get("/t/"))

    @pytest.mark.full
    def test_the_short_address_leads_to_the_club_that_plays(self, client: Client) -> None:
        playing()
        assert client.get("/t/").headers["Location"] == PAGE
        assert client.get("/t").status_code == 301

    @pytest.mark.full
    def test_where_two_clubs_play_it_asks_which(self, client: Client) -> None:
        playing()
        other = ClubFactory.create(name="Klaver Vier", slug="klaver-vier")
        evening_with_draw(club=other, players=4)
        response = client.get("/t/")
        assert "Bij welke club speelt u?" in words(response)
        for slug in ("vrolijke-boer", "klaver-vier"):
            assert f'href="/clubs/{slug}/table/"' in response.content.decode()


class TestSites:
    @pytest.mark.full
    def test_networks_of_one_site_do_not_close_a_table_for_everybody(self) -> None:
        evening = evening_with_draw(players=8)
        pin, right = wrong(evening), token_pin(token(evening))
        with time_machine.travel(START, tick=False) as clock:
            for quarter in range(16):
                for number in range(30):
                    answer(evening.club, 1, pin, f"2001:db8:7:{30 * quarter + number:x}::")
                clock.shift(dt.timedelta(minutes=15))
            assert answer(evening.club, 1, right, "2001:db8:7:ffff::") != "table 1"
            assert answer(evening.club, 1, right, "2001:db8:8::") == "table 1"
            assert answer(evening.club, 1, right, HALL) == "table 1"

    @pytest.mark.full
    def test_twenty_at_a_table_then_an_hour(self) -> None:
        evening = evening_with_draw(players=8)
        pin = wrong(evening)
        with time_machine.travel(START, tick=False):
            answers = [
                answer(evening.club, 1, pin, f"2001:db8:7:{number:x}::") for number in range(21)
            ]
        assert answers == ["pin_wrong"] * 19 + [60] * 2
