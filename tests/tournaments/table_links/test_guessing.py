"""Guessing PINs and passwords at servers in processes of their own: all of them count together."""

from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.contrib.auth.hashers import PBKDF2PasswordHasher

from clubs.models import User
from tests.factories import evening_with_draw, organiser_of
from tests.load.hall import Phone, Server, served
from tournaments.models import Evening, PinGuard
from tournaments.table_links.services import token_pin

pytestmark = pytest.mark.django_db(transaction=True)

SECRET = "a" * 32


def guesses(servers: list[Server], guess: Callable[[Phone], int], times: int) -> Counter[int]:
    """How often each status was the answer to so many guesses, eight at a time at all servers."""

    def one(number: int) -> int:
        with Phone(servers[number % len(servers)].port) as phone:
            phone.jar["csrftoken"] = SECRET
            return guess(phone)

    with ThreadPoolExecutor(8) as hall:
        return Counter(hall.map(one, range(times)))


def status(phone: Phone, path: str, **fields: str) -> int:
    answer = phone.send(path, {"csrfmiddlewaretoken": SECRET, **fields})
    assert answer is not None
    return answer.status


@pytest.fixture
def servers() -> Iterator[list[Server]]:
    with served(servers=2, workers=1) as servers:
        yield servers


@pytest.mark.full
def test_servers_count_wrong_pins_and_wrong_passwords_together(servers: list[Server]) -> None:
    evening: Evening = evening_with_draw(players=8)
    right, other = (token_pin(evening.tokens.get(table_number=table)) for table in (1, 2))
    wrong = "11110" if right != "11110" else "22221"

    def pin(table: int, digits: str) -> Callable[[Phone], int]:
        page = "/clubs/vrolijke-boer/table/"
        return lambda phone: status(phone, page, number=str(table), pin=digits)

    # The fifth says already that the table hears no more.
    assert guesses(servers, pin(1, wrong), 40) == {422: 4, 429: 36}
    assert guesses(servers, pin(1, right), 2) == {429: 2}
    assert guesses(servers, pin(2, other), 2) == {303: 2}
    wrong_here = PinGuard.objects.filter(table_number=1)
    assert [guard.failures for guard in wrong_here] == [5, 5]

    user: User = organiser_of(evening.club)
    user.password = PBKDF2PasswordHasher().encode("geheim", "salt", 1000)
    user.save()

    def log_in(email: str, password: str) -> Callable[[Phone], int]:
        return lambda phone: status(phone, "/login/", username=email, password=password)

    for _time in range(5):
        assert guesses(servers, log_in(user.email, "fout"), 1) == {200: 1}
    rest = guesses(servers, log_in(user.email.upper(), "fout"), 20)
    # Eight at once are looked at before the first of them is counted, and answered after the last.
    assert rest[200] <= 12
    assert rest[200] + rest[429] == 20
    assert guesses(servers, log_in(user.email, "geheim"), 2) == {429: 2}
    assert guesses(servers, log_in("x@example.org", "fout"), 1) == {200: 1}
