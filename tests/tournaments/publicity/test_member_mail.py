"""Mail to members: to whom, each by itself, what became of it; and links only for the hall."""

import datetime as dt
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from django.core import mail
from django.test import Client

from clubs.accounts.services import outbox
from clubs.http.network import private_links
from clubs.limits.table import MEMBERS_MAILED
from clubs.models import AuditEvent, Club, Member
from tests.factories import (
    TESTS,
    ClubFactory,
    EveningFactory,
    MemberFactory,
    director_of,
    evening_with_draw,
    table,
    write_deal,
)
from tests.tournaments.desk import EVENING, desk_of, text
from tournaments.closing.services import evening_close
from tournaments.models import Evening, MailReceiver, MemberMail, Season
from tournaments.publicity.mailing import own_mails
from tournaments.registration.check_in import presence_update
from tournaments.rounds.services import round_close
from tournaments.seasons.services import season_create

pytestmark = pytest.mark.django_db(transaction=True)

MAIL = "/clubs/vrolijke-boer/desk/mail/"
KEY = "0b8f6a8e-1b5f-4e55-9a44-0d9d2c7d9b11"


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


@pytest.fixture
def people(club: Club) -> list[Member]:
    """Jan and Mia have an address, Kees has none; Aylin is a guest with one."""
    return [
        MemberFactory.create(club=club, name="Jan Bakker", number=1, email="jan@example.org"),
        MemberFactory.create(club=club, name="Mia Visser", number=2, email="mia@example.org"),
        MemberFactory.create(club=club, name="Kees Zwart", number=3, email=""),
        MemberFactory.create(
            club=club,
            name="Aylin Demir",
            number=None,
            kind=Member.Kind.GUEST,
            email="aylin@example.org",
        ),
    ]


def written(**others: object) -> dict[str, Any]:
    answers = {
        "to": "all",
        "subject": "Nieuws",
        "text": "Beste {voornaam}, tot dinsdag.",
        "key": KEY,
    }
    return answers | others


def names(page: Any) -> tuple[list[str], list[str]]:
    receivers = page.context["receivers"]
    return [m.name for m in receivers.people], [m.name for m in receivers.unreached]


def sent() -> list[tuple[list[str], str]]:
    assert outbox.settle(10)
    return [(message.recipients(), str(message.body)) for message in mail.outbox]


@pytest.mark.full
def test_a_preview_says_who_gets_it_and_how_each_reads_it(club: Club, people: list[Member]) -> None:
    desk = desk_of(club)
    page = desk.post(MAIL, written(preview=""))
    assert names(page) == (["Jan Bakker", "Mia Visser"], ["Kees Zwart"])
    assert page.context["preview"] == "Beste Jan, tot dinsdag."
    other = desk.post(MAIL, written(preview=str(people[1].pk)))
    assert other.context["preview"] == "Beste Mia, tot dinsdag."
    assert sent() == []


def test_each_gets_a_message_of_their_own(club: Club, people: list[Member]) -> None:
    desk = desk_of(club)
    for _twice in range(2):
        page = desk.post(MAIL, written(send="1"))
        assert page.headers["Location"] == f"{MAIL}{KEY}/"
    assert sent() == [
        (["jan@example.org"], "Beste Jan, tot dinsdag."),
        (["mia@example.org"], "Beste Mia, tot dinsdag."),
    ]
    (organiser,) = {tuple(message.reply_to) for message in mail.outbox}
    assert organiser == (club.roles.get(kind="organiser").user.email,)
    assert "2 van de 2 zijn verstuurd." in text(desk.get(f"{MAIL}{KEY}/"))
    event = AuditEvent.objects.get(action="members_mailed")
    assert (event.data["count"], event.texts.get(field="subject").text) == (2, "Nieuws")


def test_whom_it_did_not_reach_is_named_and_tried_again(
    club: Club, people: list[Member], settings: Any
) -> None:
    desk = desk_of(club)
    settings.EMAIL_BACKEND = "tests.tournaments.publicity.test_member_mail.RefusingBackend"
    desk.post(MAIL, written(send="1"))
    assert outbox.settle(10)
    page = desk.get(f"{MAIL}{KEY}/")
    assert [m.email for m in page.context["progress"].failed] == ["mia@example.org"]
    assert "mia@example.org" in text(page)
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    desk.post(f"{MAIL}{KEY}/again/")
    assert sent() == [(["mia@example.org"], "Beste Mia, tot dinsdag.")]
    assert set(MailReceiver.objects.values_list("state", flat=True)) == {"sent"}


class RefusingBackend:
    """A mail server that takes no mail for Mia."""

    def __init__(self, **_options: object) -> None:
        pass

    def send_messages(self, messages: list[Any]) -> int:
        if any("mia@example.org" in message.to for message in messages):
            raise OSError
        return len(messages)


def test_a_club_sends_so_much_a_day(club: Club, people: list[Member]) -> None:
    MEMBERS_MAILED.spend(f"members mailed by {club.uuid}", MEMBERS_MAILED.most)
    page = desk_of(club).post(MAIL, written(send="1"))
    assert page.context["form"].errors == {
        "__all__": ["De club heeft vandaag zo veel mail verstuurd als mag. Ga morgen verder."]
    }
    assert not MemberMail.objects.exists()


def test_to_who_was_there_who_owes_or_who_is_ticked(club: Club, people: list[Member]) -> None:
    _jan, mia, _kees, aylin = people
    season: Season = season_create(club=club, name="2026-2027", actor=TESTS, fee=4500)
    evening = EveningFactory.create(club=club, season=season, date=dt.date(2026, 11, 21))
    presence_update(evening_id=evening.pk, arrived=[mia, aylin], left=(), actor=TESTS)
    Evening.objects.update(state=Evening.State.RUNNING)
    season.fee_payments.create(member=mia, paid=4500, paid_on=dt.date(2026, 9, 1))
    desk = desk_of(club)
    there = desk.post(MAIL, written(to="there", preview=""))
    assert names(there) == (["Aylin Demir", "Mia Visser"], [])
    owing = desk.post(f"{MAIL}?season=2026-2027", written(to="unpaid", preview=""))
    assert names(owing) == (["Jan Bakker"], ["Kees Zwart"])
    ticked = desk.post(MAIL, written(to="chosen", people=[aylin.pk], preview=""))
    assert names(ticked) == (["Aylin Demir"], [])
    nobody = desk.post(MAIL, written(to="chosen", preview=""))
    assert nobody.context["form"].errors == {"people": ["Vink minstens één persoon aan."]}


def test_ones_own_mail_program_gets_them_as_blind_copies(club: Club) -> None:
    people = [Member(name=f"Lid {n}", email=f"lid{n:03}@voorbeeld.example") for n in range(100)]
    mails = own_mails(people, "Nieuws & meer", "Beste {naam},\nTot dinsdag.")
    assert [(part.first, part.last, part.fits) for part in mails] == [
        (1, 40, True),
        (41, 80, True),
        (81, 100, True),
    ]
    read = parse_qs(urlsplit(mails[0].url).query)
    assert read["bcc"] == [",".join(member.email for member in people[:40])]
    assert (urlsplit(mails[0].url).path, read["subject"]) == ("", ["Nieuws & meer"])
    assert read["body"] == ["Beste allemaal,\nTot dinsdag."]
    assert {part.fits for part in own_mails(people, "Nieuws", "x" * 1500)} == {False}
    assert all(len(part.url) <= 2_000 for part in mails)


def test_a_director_sends_no_mail(club: Club) -> None:
    desk = Client()
    desk.force_login(director_of(club))
    assert (desk.get(MAIL).status_code, desk.post(MAIL, written()).status_code) == (403, 403)


@pytest.mark.parametrize(
    ("words", "private"),
    [
        ("Kijk op http://192.168.1.7:8000/x.", ["http://192.168.1.7:8000/x"]),
        (
            "http://hal.local en http://localhost:8000/",
            ["http://hal.local", "http://localhost:8000/"],
        ),
        ("http://[::1]:8000/ of http://[geen", ["http://[::1]:8000/"]),
        ("https://klaver.example.nl/clubs/x/ en geen link", []),
    ],
)
def test_links_that_only_open_in_the_hall_are_found(words: str, private: list[str]) -> None:
    assert private_links(words) == private


@pytest.mark.full
def test_a_mail_with_such_a_link_warns(club: Club, people: list[Member]) -> None:
    answers = written(text="http://10.0.0.7:8000/clubs/x/", preview="")
    page = text(desk_of(club).post(MAIL, answers))
    assert "Deze link opent alleen in de zaal" in page
    assert "Deze link opent alleen in de zaal" not in text(desk_of(club).post(MAIL, written()))


def test_the_result_goes_out_with_one_press(club: Club, settings: Any) -> None:
    evening = evening_with_draw(club=club, players=4, rounds=1, deals_per_round=1)
    write_deal(table(evening), 1)
    round_close(round_id=evening.rounds.get().pk, actor=TESTS)
    desk = desk_of(club)
    texts = f"{EVENING}text/"
    assert desk.get(f"{EVENING}whatsapp/").headers["Location"] == texts
    evening_close(evening_id=evening.pk, actor=TESTS)
    settings.PUBLIC_URL = "https://klaver.example"
    sent_to = unquote(desk.get(f"{EVENING}whatsapp/").headers["Location"])
    assert sent_to.startswith("https://wa.me/?text=*De Vrolijke Boer, zaterdag 21 november 2026*")
    assert "https://klaver.example/clubs/vrolijke-boer/evenings/2026-11-21/" in sent_to
    form = desk.get(f"{MAIL}?evening=2026-11-21").context["form"]
    assert form["subject"].value() == "De Vrolijke Boer, zaterdag 21 november 2026"
    assert form["text"].value().startswith("De Vrolijke Boer, zaterdag 21 november 2026\n")
    settings.PUBLIC_URL = ""
    assert desk.get(f"{EVENING}whatsapp/").headers["Location"] == texts
