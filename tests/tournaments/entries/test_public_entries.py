"""Entering on the page of an evening: the form, the mail, the waiting list, the own page."""

import re
from datetime import date, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.core import mail
from django.test import Client
from django.utils import timezone
from django.utils.translation.trans_real import translation

from clubs.models import Club
from tests.factories import TESTS, ClubFactory, EveningFactory, MemberFactory
from tests.tournaments.desk import desk_of
from tests.tournaments.entries import LINK, enter, on_list, open_entries, send
from tests.tournaments.public_pages import evening_path, speak_english, words
from tests.waiting import mail_settles
from tournaments.entries.arrivals import person_arrive
from tournaments.entries.services import entries_sweep, entry_confirm, entry_withdraw
from tournaments.models import Entry, EntryPerson, Evening
from tournaments.registration.competitors import competitor_create

pytestmark = pytest.mark.django_db

TEXT = re.compile(r">([^<>]+)<")
LOCMEM = "django.core.mail.backends.locmem.EmailBackend"


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


@pytest.fixture
def evening(club: Club) -> Evening:
    return EveningFactory.create(club=club, date=date(2026, 12, 4))


@pytest.fixture
def mails(settings: Any) -> None:
    """A server that sends mail."""
    settings.EMAIL_BACKEND = LOCMEM
    settings.PUBLIC_URL = "https://klaver.example"


def test_without_a_decision_nobody_enters(client: Client, evening: Evening) -> None:
    page = client.get(evening_path(evening))
    assert "Inschrijven" not in words(page)
    answer = client.get(evening_path(evening, "enter/"))
    assert "U kunt zich op deze pagina niet inschrijven voor deze avond." in words(answer)


def test_the_page_of_the_evening_says_what_room_there_is_and_until_when(
    client: Client, evening: Evening
) -> None:
    deadline = timezone.make_aware(datetime(2026, 12, 3, 18, 0))  # noqa: DTZ001
    open_entries(evening, maximum=3, deadline=deadline)
    enter(evening, "Jan Bakker")
    page = words(client.get(evening_path(evening)))
    assert (
        "Er is nog plaats voor 2 spelers. Inschrijven kan tot donderdag 3 december, 18.00." in page
    )
    enter(evening, "Mia Kok")
    enter(evening, "Piet Smit")
    assert "Het is vol. U kunt zich inschrijven voor de wachtlijst." in words(
        client.get(evening_path(evening))
    )
    assert "Jan Bakker" not in page


@pytest.mark.full
@pytest.mark.usefixtures("mails")
def test_twenty_eight_enter_for_twenty_four_places_and_three_withdraw(
    client: Client, evening: Evening, django_capture_on_commit_callbacks: Any
) -> None:
    open_entries(evening, maximum=24)
    links = []
    for number in range(1, 29):
        with django_capture_on_commit_callbacks(execute=True):
            typed: dict[str, Any] = {
                "one": f"Speler {number}",
                "email": f"speler{number}@example.org",
            }
            answer = send(client, evening, **typed)
        assert (answer.status_code, answer.url) == (302, evening_path(evening, "enter/sent/"))
        mail_settles()
        link = LINK.search(str(mail.outbox[-1].body))
        assert link
        links.append(link[1])
        assert client.get(link[1]).status_code == 200
        assert on_list(evening, "asked") == [f"Speler {number}"]
        client.post(link[1], {"do": "confirm"})
    assert on_list(evening, "entered") == [f"Speler {n}" for n in range(1, 25)]
    assert on_list(evening, "waiting") == [f"Speler {n}" for n in range(25, 29)]
    assert "Het is vol. U bent nummer 4 op de wachtlijst." in words(client.get(links[27]))
    mail.outbox.clear()
    for place in (3, 0, 10):
        with django_capture_on_commit_callbacks(execute=True):
            client.post(links[place], {"do": "withdraw"})
    mail_settles()
    assert [message.to for message in mail.outbox] == [
        [f"speler{n}@example.org"] for n in (25, 26, 27)
    ]
    assert on_list(evening, "waiting") == ["Speler 28"]
    assert on_list(evening, "entered")[-3:] == ["Speler 25", "Speler 26", "Speler 27"]
    assert "U staat op de lijst." in words(client.get(links[24]))


@pytest.mark.full
@pytest.mark.usefixtures("mails")
def test_a_mail_holds_nothing_that_was_typed(
    client: Client, evening: Evening, django_capture_on_commit_callbacks: Any
) -> None:
    open_entries(evening)
    with django_capture_on_commit_callbacks(execute=True):
        send(
            client,
            evening,
            one="Koop http://evil.example",
            remark="http://evil.example",
            town="evil.example",
            email="slachtoffer@example.org",
        )
    mail_settles()
    assert "evil" not in f"{mail.outbox[0].subject} {mail.outbox[0].body}"
    assert "https://klaver.example/clubs/" in str(mail.outbox[0].body)


@pytest.mark.usefixtures("mails", "still_clock")
def test_one_address_gets_three_mails_an_hour(
    client: Client, evening: Evening, django_capture_on_commit_callbacks: Any
) -> None:
    open_entries(evening)
    for number in range(5):
        with django_capture_on_commit_callbacks(execute=True):
            send(client, evening, one=f"Speler {number}", email="een@example.org")
    mail_settles()
    assert len(mail.outbox) == 3


def test_without_mail_the_desk_confirms_and_the_page_gives_a_link_to_keep(
    client: Client, evening: Evening
) -> None:
    open_entries(evening)
    answer = send(client, evening, one="Jan Bakker", phone="06 12345678")
    own = client.get(answer.url)
    assert (
        "Deze inschrijving telt nog niet mee. De club kijkt ernaar en bevestigt de inschrijving."
        in words(own)
    )
    client.post(answer.url, {"do": "confirm"})
    assert on_list(evening, "asked") == ["Jan Bakker"]
    entry_confirm(entry=Entry.objects.get(), actor=TESTS)
    assert "Weet u zeker" not in words(own)
    assert "Komt u niet?" in words(client.get(answer.url, {"withdraw": 1}))
    assert on_list(evening, "entered") == ["Jan Bakker"]
    client.post(answer.url, {"do": "withdraw"})
    assert on_list(evening, "withdrawn") == ["Jan Bakker"]
    client.post(answer.url, {"do": "return"})
    assert on_list(evening, "entered") == ["Jan Bakker"]


def test_who_takes_back_what_was_never_confirmed_is_gone_and_does_not_come_back(
    client: Client, evening: Evening
) -> None:
    open_entries(evening)
    own = send(client, evening, one="Jan Bakker", phone="06 12345678").url
    assert client.post(own, {"do": "withdraw"})["Location"] == evening_path(evening)
    assert not evening.entries.exists()
    assert client.post(own, {"do": "return"}).status_code == 404


def test_the_code_of_another_entry_opens_nothing(client: Client, evening: Evening) -> None:
    open_entries(evening)
    one = send(client, evening, one="Jan Bakker", phone="06 12345678").url
    two = send(client, evening, one="Mia Kok", phone="06 22345678").url
    mixed = "/".join([*one.split("/")[:-2], two.split("/")[-2], ""])
    assert client.get(mixed).status_code == 404


@pytest.mark.parametrize(
    ("after", "said"),
    [
        (1, "Dat ging wel heel snel. Kijk of alles klopt en druk nog een keer."),
        (5 * 3600, "Deze pagina stond heel lang open. Kijk of alles klopt en druk nog een keer."),
    ],
)
def test_too_fast_or_too_late_is_said_and_what_was_typed_stays(
    client: Client, evening: Evening, after: float, said: str
) -> None:
    open_entries(evening)
    answer = send(client, evening, after=after, one="Jan Bakker", phone="06 12345678")
    assert answer.status_code == 422
    assert said in words(answer)
    assert 'value="Jan Bakker"' in answer.content.decode()
    assert not evening.entries.exists()


def test_a_form_without_a_stamp_or_of_another_evening_is_not_taken(
    client: Client, evening: Evening, club: Club
) -> None:
    open_entries(evening)
    other = EveningFactory.create(club=club, date=date(2026, 12, 11))
    open_entries(other)
    typed = {"one": "Jan Bakker", "phone": "06 12345678"}
    for stamp in ("", "onzin", "a:b:c"):
        answer = client.post(evening_path(evening, "enter/"), typed | {"stamp": stamp})
        assert answer.status_code == 422
    page = client.get(evening_path(other, "enter/")).content.decode()
    stamp = page.split('name="stamp" value="')[1].split('"')[0]
    with time_machine.travel(timezone.now() + timedelta(seconds=10)):
        answer = client.post(evening_path(evening, "enter/"), typed | {"stamp": stamp})
    assert answer.status_code == 422
    assert not Entry.objects.exists()


def test_the_field_that_nobody_sees_must_stay_empty(client: Client, evening: Evening) -> None:
    open_entries(evening)
    typed: dict[str, Any] = {"one": "Jan Bakker", "phone": "06 12345678"}
    answer = send(client, evening, website="http://spam.example", **typed)
    assert answer.status_code == 422
    assert "spam.example" not in answer.content.decode()
    assert 'value="Jan Bakker"' in answer.content.decode()
    assert not evening.entries.exists()


def test_all_faults_are_said_at_once(client: Client, evening: Evening) -> None:
    open_entries(evening, kind="pair")
    answer = send(client, evening, one="", two="Mia Kok", email="geen adres")
    page = words(answer)
    assert "Uw naam: Vul dit in." in page
    assert "E-mailadres: Voer een geldig e-mailadres in." in page
    answer = send(client, evening, one="Jan Bakker", two="jan  bakker")
    page = words(answer)
    assert "Twee keer dezelfde naam." in page
    assert "Vul een e-mailadres of een telefoonnummer in" in page
    assert not evening.entries.exists()


@pytest.mark.full
def test_a_pair_has_two_people_and_may_look_for_one(client: Client, evening: Evening) -> None:
    open_entries(evening, kind="pair")
    send(client, evening, one="Jan Bakker", two="Mia Kok", phone="06 12345678")
    send(client, evening, one="Piet Smit", phone="06 22345678")
    people = EntryPerson.objects.order_by("entry__number", "place")
    assert list(people.values_list("entry__number", "name")) == [
        (1, "Jan Bakker"),
        (1, "Mia Kok"),
        (2, "Piet Smit"),
    ]


@pytest.mark.full
def test_a_team_has_a_name_and_twenty_people_at_most(client: Client, evening: Evening) -> None:
    open_entries(evening, kind="team")
    names = "\n".join(f"Speler {n}" for n in range(21))
    answer = send(client, evening, name="De Azen", people=names, phone="06 12345678")
    assert "In een inschrijving staan hoogstens 20 mensen." in words(answer)
    send(client, evening, name="De Azen", people="Jan Bakker\n\nMia Kok", phone="06 12345678")
    entry = evening.entries.get()
    assert (entry.name, entry.people.count()) == ("De Azen", 2)


def test_after_the_deadline_or_once_closed_nobody_enters(client: Client, evening: Evening) -> None:
    open_entries(evening, deadline=timezone.now() + timedelta(hours=1))
    late = send(client, evening, after=3 * 3600, one="Jan Bakker", phone="06 12345678")
    assert late.status_code == 422
    assert "De inschrijving voor deze avond is gesloten." in words(late)
    assert 'value="Jan Bakker"' in late.content.decode()
    assert not evening.entries.exists()


def test_the_same_form_twice_is_one_entry(client: Client, evening: Evening) -> None:
    open_entries(evening)
    page = client.get(evening_path(evening, "enter/")).content.decode()
    stamp = page.split('name="stamp" value="')[1].split('"')[0]
    typed = {"stamp": stamp, "one": "Jan Bakker", "phone": "06 12345678"}
    with time_machine.travel(timezone.now() + timedelta(seconds=10)):
        urls = {client.post(evening_path(evening, "enter/"), typed)["Location"] for _ in range(3)}
        assert len(urls) == 1
        client.post(evening_path(evening, "enter/"), typed | {"one": "Mia Kok"})
    assert on_list(evening, "asked") == ["Jan Bakker", "Mia Kok"]


def test_who_is_on_the_list_does_not_get_the_link_of_that_entry(
    client: Client, evening: Evening
) -> None:
    open_entries(evening)
    send(client, evening, one="Jan Bakker", phone="06 12345678")
    again = send(client, evening, one="JAN  bakker", phone="0612345678")
    assert again.status_code == 422
    assert "U staat al op de lijst, met deze naam en dit nummer." in words(again)
    assert evening.entries.count() == 1


@pytest.mark.full
def test_two_people_of_one_name_are_two_entries(client: Client, evening: Evening) -> None:
    MemberFactory.create(club=evening.club, name="Jan de Vries", town="Edam")
    open_entries(evening)
    send(client, evening, one="Jan de Vries", town="Edam", phone="06 12345678")
    send(client, evening, one="Jan de Vries", town="Hoorn", phone="06 22345678")
    for entry in evening.entries.all():
        entry_confirm(entry=entry, actor=TESTS)
    known = EntryPerson.objects.order_by("entry__number").values_list("member__name", "counts")
    assert list(known) == [("Jan de Vries", True), (None, True)]


def test_from_one_address_thirty_an_hour(client: Client, evening: Evening) -> None:
    open_entries(evening)
    with time_machine.travel(timezone.now().replace(minute=5), tick=False):
        for number in range(31):
            answer = send(client, evening, one=f"Speler {number}", phone=f"06 1234{number:04}")
    assert answer.status_code == 429
    assert "Te veel inschrijvingen vanaf hier binnen een uur." in words(answer)
    assert 'value="Speler 30"' in answer.content.decode()
    assert evening.entries.count() == 30


def test_a_program_fills_no_more_than_two_hundred_rows(client: Client, evening: Evening) -> None:
    open_entries(evening)
    Entry.objects.bulk_create(
        Entry(evening=evening, kind="player", number=n, phone="06") for n in range(1, 201)
    )
    answer = send(client, evening, one="Jan Bakker", phone="06 12345678")
    assert "Er schrijven zich te veel mensen tegelijk in." in words(answer)
    assert evening.entries.count() == 200


@pytest.mark.usefixtures("mails")
def test_what_is_not_confirmed_goes_and_contact_details_after_the_days_set(
    evening: Evening,
) -> None:
    open_entries(evening, keep_days=3)
    came = enter(evening, "Jan Bakker", email="jan@example.org", phone="06", remark="rolstoel")
    person_arrive(evening_id=evening.pk, person_id=came.people.get().pk, actor=TESTS)
    Entry.objects.create(evening=evening, kind="player", number=2, email="x@example.org")
    Entry.objects.create(evening=evening, kind="player", number=3, phone="06 12345678")
    enter(evening, "Komt Niet", email="niet@example.org")
    with time_machine.travel(timezone.now() + timedelta(days=2, minutes=1)):
        entries_sweep()
        numbers = evening.entries.values_list("number", flat=True)
        assert list(numbers) == [1, 3, 4]
    with time_machine.travel("2026-12-07 12:00Z"):
        entries_sweep()
        kept = evening.entries.values_list("number", "email")
        assert list(kept) == [(1, "jan@example.org"), (4, "niet@example.org")]
    with time_machine.travel("2026-12-08 12:00Z"):
        entries_sweep()
        left = evening.entries.values_list("number", "email", "phone", "remark")
        assert list(left) == [(1, "", "", "")]


@pytest.mark.full
def test_who_only_looks_gets_no_cookie(client: Client, evening: Evening) -> None:
    open_entries(evening)
    answer = send(client, evening, one="Jan Bakker", phone="06 12345678")
    client.get(answer.url)
    assert not client.cookies


@pytest.mark.full
def test_one_who_withdrew_twice_stays_withdrawn(evening: Evening) -> None:
    entry = enter(evening, "Jan Bakker")
    entry_withdraw(entry=entry, actor=TESTS)
    before = Evening.objects.get(pk=evening.pk).revision
    entry_withdraw(entry=entry, actor=TESTS)
    assert Evening.objects.get(pk=evening.pk).revision == before


def dutch_words() -> set[str]:
    """Everything that only a Dutch page says, as it stands in the catalogue."""
    dutch: Any = translation("nl")
    catalogue: dict[Any, Any] = dict(dutch._catalog.items())  # noqa: SLF001
    english = {key if isinstance(key, str) else key[0] for key in catalogue}
    return {
        text
        for key, text in catalogue.items()
        if isinstance(text, str) and "%" not in text and text != key
    } - english


@pytest.mark.full
def test_in_english_the_pages_of_entries_pairs_and_teams_are_english(
    client: Client, evening: Evening
) -> None:
    Evening.objects.filter(pk=evening.pk).update(method="pairs")
    open_entries(evening, kind="pair", maximum=1)
    entry = enter(evening, "Jan Bakker", "Mia Kok")
    enter(evening, "Wil Ham")
    person_arrive(evening_id=evening.pk, person_id=entry.people.all()[0].pk, actor=TESTS)
    desk, club = desk_of(evening.club), f"/clubs/{evening.club.slug}/"
    pair = competitor_create(
        club=evening.club, kind="pair", name="Burgh", since=evening.date, actor=TESTS
    )
    night = f"{club}desk/evenings/2026-12-04/"
    at_the_desk = [
        *(f"{night}entries/{path}" for path in ("", "settings/", "add/", "list/", "door/")),
        *(f"{night}entries/{path}" for path in (f"{entry.pk}/", "arrive/", "throw-away/")),
        *(f"{night}{path}" for path in ("pairs/", "pairs/numbers/", "teams/", "next-session/")),
        *(f"{club}desk/{path}" for path in ("competitors/", f"competitors/{pair.pk}/", "kinds/")),
    ]
    in_public = [club, f"{club}calendar/", evening_path(evening), evening_path(evening, "enter/")]
    speak_english(client)
    speak_english(desk)
    dutch = dutch_words()
    assert "Wie hebben zich ingeschreven?" in dutch
    found = {}
    for reader, path in (*((desk, path) for path in at_the_desk),
                         *((client, path) for path in in_public)):  # fmt: skip
        page = reader.get(path)
        assert (path, page.status_code) == (path, 200)
        said = {" ".join(text.split()) for text in TEXT.findall(page.content.decode())}
        # The switch of the language says it in Dutch, for who reads that.
        if left := said & dutch - {"Nederlands"}:
            found[path] = left
    assert found == {}
