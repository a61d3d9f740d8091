"""Addresses that no link of ours leads to: an answer, never a server error, on either database."""

import uuid

import pytest
from django.test import Client

from tests.factories import evening_with_draw, organiser_of, table, write_deal
from tests.tournaments.table_pages import link
from tournaments.models import Evening

pytestmark = pytest.mark.django_db

CLUB = "/clubs/vrolijke-boer/"
EVENING = f"{CLUB}evenings/2026-11-21/"
TONIGHT = f"{CLUB}desk/evenings/2026-11-21/"
ASKED_PUBLICLY = {
    "/": ["q"],
    EVENING: ["q", "show", "round", "release"],
    f"{EVENING}live/": ["q", "show", "round", "release"],
    f"{EVENING}screen/": ["live"],
    f"{CLUB}players/%(member)s/": ["season"],
    f"{CLUB}players/%(member)s/met/": ["season"],
}
ASKED_AT_THE_DESK = {
    f"{CLUB}desk/evenings/": ["sort", "page", "per_page"],
    f"{CLUB}desk/evenings/new/": ["like"],
    f"{CLUB}desk/members/": ["q", "sort", "page", "per_page", "show"],
    f"{CLUB}desk/members/%(guest)s/merge/": ["member"],
    f"{CLUB}desk/seasons/": ["sort", "page", "per_page"],
    f"{CLUB}desk/trail/": ["page"],
    f"{CLUB}desk/trail/members/%(member)s/": ["page", "show"],
    f"{TONIGHT}tables/1/trail/": ["page", "round", "only"],
    f"{TONIGHT}rounds/1/tables/1/deals/1/": ["page"],
    f"{TONIGHT}pairs/": ["one", "made"],
    f"{TONIGHT}text/": ["language", "anyway"],
    f"{TONIGHT}stake/": ["format"],
    f"{TONIGHT}board/": ["round", "order"],
    f"{TONIGHT}draw/change/": ["who"],
    f"{TONIGHT}board/live/": ["round", "order"],
    f"{TONIGHT}rounds/1/tables/1/": ["deal"],
    f"{TONIGHT}draw/": ["round", "one", "other"],
    f"{TONIGHT}draw/swap/": ["round", "who"],
    f"{TONIGHT}print/sheets/1.pdf": ["table", "filled"],
}
AT_THE_TABLE = ["round", "deal", "version"]
NASTY = [
    "%00",
    "a%00b",
    "%FF%FE",
    "%ED%A0%80",
    "abc",
    "evil,-name;drop",
    "-1",
    "0",
    "1.5",
    "%C2%B2",
    "%D9%A3",
    "999999999999999999999",
    "9" * 5000,
    "2026-02-30",
    "%27%22%3E%3Cscript%3E",
]
ODD = ["%00", "a%00b", "%FF", "a%2Fb", "a%20b", "%C5%81", "2026-02-30", "0000-00-00", "..."]
ODD_NUMBERS = ["9" * 30, "9" * 5000, "0", "-1", "%00", "%D9%A3"]


@pytest.fixture
def evening() -> Evening:
    return evening_with_draw(players=5)


@pytest.fixture
def organiser(evening: Evening) -> Client:
    client = Client()
    client.force_login(organiser_of(evening.club))
    return client


def _server_errors(client: Client, urls: list[str]) -> list[str]:
    client.raise_request_exception = False
    return [url[:90] for url in urls if client.get(url).status_code >= 500]


@pytest.mark.full
@pytest.mark.parametrize("nasty", NASTY)
def test_what_is_asked_behind_an_address_never_breaks_a_page(
    organiser: Client, evening: Evening, nasty: str
) -> None:
    people = evening.club.members.values_list("pk", flat=True)
    ids = {"member": people[0], "guest": people[1]}
    pages = ASKED_PUBLICLY | ASKED_AT_THE_DESK
    urls = [f"{page % ids}?{name}={nasty}" for page, names in pages.items() for name in names]
    state = f"{link(evening)}state/"
    urls += [f"{state}?{name}={nasty}" for name in AT_THE_TABLE]
    assert _server_errors(organiser, urls) == []


@pytest.mark.full
@pytest.mark.parametrize("odd", ODD)
def test_odd_names_in_an_address_are_not_found(organiser: Client, odd: str) -> None:
    urls = [
        f"/clubs/{odd}/",
        f"/clubs/{odd}/desk/",
        f"/clubs/{odd}/desk/members/",
        f"/clubs/{odd}/evenings/2026-11-21/",
        f"/clubs/{odd}/desk/evenings/2026-11-21/print/draw.pdf",
        f"{CLUB}evenings/{odd}/",
        f"{CLUB}evenings/{odd}/screen/",
        f"{CLUB}seasons/{odd}/",
        f"{CLUB}desk/evenings/{odd}/board/",
        f"{CLUB}desk/evenings/{odd}/print/draw.pdf",
        f"{CLUB}desk/seasons/{odd}/",
        f"{CLUB}desk/seasons/{odd}/prizes/",
        f"{CLUB}desk/texts/{odd}/nl/",
        f"{CLUB}desk/texts/message/{odd}/",
        f"/t/{odd}/",
        f"/t/{odd}/state/",
    ]
    organiser.raise_request_exception = False
    assert {url: organiser.get(url).status_code for url in urls} == dict.fromkeys(urls, 404)


@pytest.mark.parametrize("number", ODD_NUMBERS)
def test_odd_numbers_in_an_address_are_not_found(
    organiser: Client, evening: Evening, number: str
) -> None:
    urls = [
        f"/tv/{number}/",
        f"{CLUB}players/{number}/",
        f"{CLUB}desk/members/{number}/",
        f"{CLUB}desk/team/{number}/",
        f"{CLUB}desk/cups/{number}/",
        f"{EVENING}rounds/{number}/tables/1/",
        f"{EVENING}rounds/1/tables/{number}/",
        f"{TONIGHT}rounds/{number}/close/",
        f"{TONIGHT}rounds/1/tables/{number}/",
        f"{TONIGHT}print/sheets/{number}.pdf",
        f"{link(evening)}rounds/{number}/",
        f"{link(evening)}rounds/1/deals/{number}/",
    ]
    organiser.raise_request_exception = False
    assert {url: organiser.get(url).status_code for url in urls} == dict.fromkeys(urls, 404)


@pytest.mark.full
@pytest.mark.parametrize("number", ["9" * 30, "0"])
def test_odd_numbers_in_an_address_that_is_only_written_to(organiser: Client, number: str) -> None:
    organiser.raise_request_exception = False
    assert organiser.post(f"{CLUB}desk/cups/{number}/wins/1/remove/").status_code == 404


@pytest.mark.parametrize("odd", ODD)
def test_an_odd_link_to_choose_a_password_is_answered(client: Client, odd: str) -> None:
    urls = [f"/password/set/{odd}/set-password/", f"/password/set/MQ/{odd}/"]
    assert _server_errors(client, urls) == []


@pytest.mark.parametrize(
    ("place", "sent"),
    [
        ("deals/2/", {"uuid": str(uuid.UUID(int=2)), "seen_version": "0", "declarer": "NS"}),
        ("deals/1/undo/", {"uuid": str(uuid.UUID(int=3)), "seen_version": "1"}),
        ("deals/1/restore/", {"uuid": str(uuid.UUID(int=4)), "seen_version": "1", "revision": "0"}),
        ("confirm/", {"side": "EW"}),
        ("chair/", {"side": "E\0"}),
    ],
)
def test_a_character_that_no_database_keeps_breaks_no_write_at_the_table(
    client: Client, evening: Evening, place: str, sent: dict[str, str]
) -> None:
    entry = write_deal(table(evening), 1)
    nasty = {"points_ew": "65", "entry": f"1:{entry.pk}", "device": "a\0b", "why_else": "a\0b"}
    client.raise_request_exception = False
    headers = {"Accept": "application/json"}
    answer = client.post(f"{link(evening)}rounds/1/{place}", sent | nasty, headers=headers)
    assert answer.status_code < 500


@pytest.mark.parametrize("accept", ["text/html; a*=odd''b", "application/json;q=nan", ";,;", "/"])
def test_an_odd_accept_header_is_answered(client: Client, accept: str) -> None:
    client.raise_request_exception = False
    answer = client.post("/t/nobodys/rounds/1/deals/1/", headers={"Accept": accept})
    assert answer.status_code == 404


@pytest.mark.parametrize("odd", ["", "\x00", "٣", "-1", "9" * 30, "9" * 5000, "Jan", "1.5"])
def test_odd_numbers_in_a_form_are_answered(organiser: Client, evening: Evening, odd: str) -> None:
    organiser.raise_request_exception = False
    forms = {
        f"{TONIGHT}stake/": {"paid": odd, "paid_shown": odd},
        f"{TONIGHT}stake/tick/": {"member": odd, "paid": odd},
        f"{TONIGHT}stake/amounts/": {"stake_member": odd, "stake_guest": odd},
        f"{TONIGHT}stake/other/": {"who": odd, "paid": odd},
        f"{TONIGHT}prizes/edit/": {"kind": "given", "given": odd, "first": odd, "poedel": odd},
        f"{TONIGHT}cup/": {"cup": odd, "member": odd},
        f"{CLUB}desk/cups/": {"name": odd, "wins_to_keep": odd},
        f"{CLUB}desk/texts/message/nl/": {"wording": odd, "seen": odd},
    }
    statuses = {url: organiser.post(url, form).status_code for url, form in forms.items()}
    assert {url: status for url, status in statuses.items() if status >= 500} == {}
