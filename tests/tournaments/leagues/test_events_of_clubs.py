"""Events between servers: the signed document, its form, taking it in, and the links of clubs."""

import datetime as dt
import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone
from jsonschema import Draft202012Validator

from clubs.models import Club
from tests.factories import TESTS, ClubFactory
from tests.tournaments.desk import desk_of, messages_in
from tests.tournaments.leagues import leader_client
from tests.tournaments.leagues.test_evenings_of_leagues import play_round, ready
from tests.tournaments.public_pages import get, words
from tournaments.closing.services import evening_close
from tournaments.leagues.event_documents import (
    document_text,
    event_document,
    sign,
)
from tournaments.leagues.event_notes import notes_in_words
from tournaments.leagues.exchange import event_import
from tournaments.models import (
    Evening,
    EventSource,
    League,
    LeagueEvent,
    LeagueMatch,
    LeaguePlayer,
    LeagueTeam,
    MatchDay,
    Release,
)
from tournaments.releases.services import release_publish

pytestmark = pytest.mark.django_db
SCHEMA = Path(__file__).parents[3] / "docs" / "event.schema.json"
DOUBT = (
    "Dat speeldag 1 daar is gespeeld, zegt alleen deze avond. Vraag het de club voordat u de"
    " uitslagen bindend maakt."
)
Json = dict[str, Any]


def played() -> tuple[Club, MatchDay, Evening]:
    """A match day that was played as an evening of its host and published; the league has no
    result of it."""
    club, _division, day = ready()
    desk = desk_of(club)
    for number in (1, 2, 3):
        desk.post(f"/clubs/boeren/desk/leagues/{day.pk}/")
        play_round(Evening.objects.get(), number)
    evening = Evening.objects.get()
    evening_close(evening_id=evening.pk, actor=TESTS)
    MatchDay.objects.update(evening_uuid=None)
    LeagueMatch.objects.update(scores=[])
    return club, MatchDay.objects.get(), Evening.objects.get()


def the_league() -> League:
    return League.objects.get()


def document_of(evening: Evening) -> Json:
    return event_document(evening, the_league().slug)


def elsewhere(club: Club) -> None:
    """From now on the club is on another server: this one does not know it."""
    LeagueTeam.objects.update(club_uuid=None)
    LeaguePlayer.objects.update(member_uuid=None)
    Evening.objects.all().delete()
    Club.objects.filter(pk=club.pk).update(uuid="00000000-0000-4000-8000-000000000000")


def upload(document: object, league: League | None = None) -> Any:
    """What the leader gets who takes a file in."""
    league = league or the_league()
    text = document if isinstance(document, str) else document_text(document)  # type: ignore[arg-type]
    file = SimpleUploadedFile("avond.json", text.encode())
    url = f"/leagues/{league.slug}/desk/events/"
    return leader_client(league).post(url, {"upload": "1", "file": file}, follow=True)


def faults(page: Any) -> list[str]:
    assert page.status_code == 422
    return list(page.context["upload_form"].errors["file"])


@pytest.mark.both
def test_the_results_of_a_match_day_come_in_once() -> None:
    club, day, evening = played()
    document = document_of(evening)
    Draft202012Validator(json.loads(SCHEMA.read_text(encoding="utf-8"))).validate(document)
    assert [person["name"] for person in document["participants"]].count("Anoniem") == 1
    elsewhere(club)
    page = upload(document)
    assert messages_in(page) == ["De avond is binnen, met 6 uitslagen van wedstrijden.", DOUBT]
    assert [match.scores for match in LeagueMatch.objects.order_by("round", "pk")] == [
        [[1310, 1282], [1320, 1272]],
        [[1330, 1262], [1340, 1252]],
    ] * 3
    assert {*LeagueMatch.objects.values_list("binding", flat=True)} == {False}
    assert "4 december 2026, Boeren" in words(page)
    event = LeagueEvent.objects.get()
    assert (event.day, event.number, event.club) == (day, 1, "Boeren")
    assert "name" not in event.document["participants"][0]
    page = upload(document)
    assert messages_in(page) == ["Deze avond was er al; er is niets veranderd."]
    assert (LeagueEvent.objects.count(), EventSource.objects.count()) == (1, 1)
    trail = words(get(leader_client(the_league()), f"/leagues/{the_league().slug}/desk/trail/"))
    assert trail.count("De avond van Boeren op 4 december 2026 is binnengekomen") == 1


def test_a_later_publication_takes_the_place_of_an_earlier_one() -> None:
    _club, _day, evening = played()
    first = document_of(evening)
    release_publish(evening=evening, actor=TESTS, reason="Nog eens")
    second = document_of(Evening.objects.get())
    assert [each["event"]["number"] for each in (first, second)] == [1, 2]
    upload(second)
    assert faults(upload(first)) == ["Er is al een latere publicatie van deze avond: nummer 2."]
    assert LeagueEvent.objects.get().number == 2


def test_a_binding_result_stays() -> None:
    _club, _day, evening = played()
    match = LeagueMatch.objects.order_by("round", "pk")[0]
    LeagueMatch.objects.filter(pk=match.pk).update(scores=[[9, 1], [9, 1]], binding=True)
    page = upload(document_of(evening))
    assert messages_in(page) == [
        "De avond is binnen, met 5 uitslagen van wedstrijden.",
        f"Ronde 1, {match}: de uitslag is bindend en blijft dus staan.",
    ]
    match.refresh_from_db()
    assert match.scores == [[9, 1], [9, 1]]


def changed(document: Json, path: str, value: object) -> Json:
    """The document with another value at this place."""
    other: Any = deepcopy(document)
    *way, last = path.split(".")
    place = other
    for part in way:
        place = place[int(part) if isinstance(place, list) else part]
    place[last] = value
    return dict(other)


def test_a_changed_or_foreign_document_is_refused_with_every_fault() -> None:
    _club, _day, evening = played()
    document = document_of(evening)
    changed_words = (
        "Het zegel klopt niet: er is iets veranderd nadat Boeren dit heeft geëxporteerd."
    )
    told = {
        "one digit": upload(changed(document, "sessions.0.tables.0.points.NS", 1311)),
        "older": upload(changed(document, "version", 0)),
        "newer": upload(changed(document, "version", 3)),
        "other file": upload('{"a": 1}'),
        "no file": upload("x"),
        "form": upload(changed(changed(document, "event.number", "1"), "participants", 3)),
        "other league": upload(event_document(evening, "elders")),
        "stranger": upload(changed(document, "sessions.0.sit_out", [str(evening.uuid)])),
    }
    assert {name: faults(page) for name, page in told.items()} == {
        "one digit": [changed_words],
        "older": [
            (
                "Deze avond is geëxporteerd door een oudere versie. Exporteer hem opnieuw met een"
                " nieuwere."
            )
        ],
        "newer": ["Deze avond is geëxporteerd door een nieuwere versie dan deze server leest."],
        "other file": [
            "Dit is geen avond van een club: het is geen bestand dat een server heeft geëxporteerd."
        ],
        "no file": [
            "Dit is geen avond van een club: het is geen bestand dat een server heeft geëxporteerd."
        ],
        "form": [
            "event.number: dit is van de verkeerde soort.",
            "participants: dit is van de verkeerde soort.",
        ],
        "other league": [
            "Deze avond is voor de competitie “elders”, en dit is “competitie-noord”."
        ],
        "stranger": [
            f"Ronde 1: {evening.uuid} staat niet bij de deelnemers.",
            changed_words,
        ],
    }
    assert LeagueEvent.objects.count() == EventSource.objects.count() == 0
    assert LeagueMatch.objects.exclude(scores=[]).count() == 0


def test_who_signs_with_another_key_is_not_that_club(settings: Any) -> None:
    club, _day, evening = played()
    document = document_of(evening)
    settings.SECRET_KEY = "another"
    forged = document_of(evening)
    words_of_another = [
        (
            "Boeren ondertekent met een andere sleutel dan eerst. Vraag het de club; klopt het,"
            " haal de club dan eerst van de lijst."
        )
    ]
    settings.SECRET_KEY = "a third"
    assert faults(upload(forged)) == words_of_another  # a club of this very server
    elsewhere(club)
    upload(document)
    assert faults(upload(forged)) == words_of_another
    league, source = the_league(), EventSource.objects.get()
    url = f"/leagues/{league.slug}/desk/events/{source.pk}/remove/"
    page = leader_client(league).post(url, follow=True)
    assert messages_in(page) == ["Boeren is van de lijst."]
    LeagueEvent.objects.all().delete()
    assert messages_in(upload(forged))[0].startswith("De avond is binnen")


def test_a_player_for_two_clubs_is_refused() -> None:
    _club, day, evening = played()
    LeagueTeam.objects.filter(name="Boeren").update(club="Boeren")
    LeagueTeam.objects.filter(name="Negens").update(club="Negens")
    document = document_of(evening)
    player = LeaguePlayer.objects.filter(team__name="Boeren").exclude(member_uuid=None)[0]
    for person in document["participants"]:
        if person["id"] == str(player.member_uuid):
            person["team"] = "Negens"
    document = sign(evening.club, document)
    assert faults(upload(document)) == [
        (
            f"{player.name} speelt hier voor Negens, en dit seizoen voor Boeren, van een andere"
            " club (Boeren)."
        )
    ]
    assert day.matches.exclude(scores=[]).count() == 0


def test_an_evening_that_is_corrected_is_published_first() -> None:
    club, _day, evening = played()
    desk = desk_of(club)
    url = "/clubs/boeren/desk/events/file/"
    given = {"evening": evening.slug, "for_league": the_league().slug}
    assert desk.get(url, given).json() == document_of(evening)
    page = desk.get(url, {**given, "evening": "2026-01-01"}, follow=True)
    assert messages_in(page) == ["Kies een avond en vul de competitie in."]


@pytest.mark.full
def test_a_link_is_shown_once_and_can_be_withdrawn(client: Client) -> None:
    club, _day, evening = played()
    desk, league = desk_of(club), the_league()
    page = desk.post("/clubs/boeren/desk/events/", {"league": league.slug})
    address = page.context["address"]
    path = "/" + address.split("/", 3)[3]
    listed = client.get(path)
    (event,) = listed.json()["events"]
    assert event == {
        "id": str(evening.uuid),
        "number": 1,
        "date": "2026-12-04",
        "address": f"{path}{evening.uuid}/",
    }
    assert client.get(path, headers={"If-None-Match": listed["ETag"]}).status_code == 304
    answer = client.get(event["address"])
    assert answer.json() == document_of(evening)
    again = client.get(event["address"], headers={"If-None-Match": answer["ETag"]})
    assert again.status_code == 304
    page = desk.get("/clubs/boeren/desk/events/")
    assert "voor het laatst gelezen op" in words(page)
    assert path not in page.content.decode()
    (link,) = page.context["links"]
    page = desk.post(f"/clubs/boeren/desk/events/{link.pk}/end/", follow=True)
    assert messages_in(page) == ["De link voor “competitie-noord” opent niets meer."]
    assert client.get(path).status_code == client.get(event["address"]).status_code == 404


@pytest.mark.full
def test_a_link_opens_the_evenings_of_its_own_club_only(client: Client) -> None:
    _club, _day, evening = played()
    other = ClubFactory.create(slug="anders")
    page = desk_of(other).post("/clubs/anders/desk/events/", {"league": "x"})
    path = "/" + page.context["address"].split("/", 3)[3]
    assert client.get(path).json()["events"] == []
    assert client.get(f"{path}{evening.uuid}/").status_code == 404


@pytest.mark.parametrize("evenings", [1, 3])
def test_a_list_asks_no_more_for_more_evenings(
    evenings: int, client: Client, django_assert_num_queries: Any
) -> None:
    club, _day, evening = played()
    for week in range(1, evenings):
        date = evening.date - dt.timedelta(weeks=week)
        copy = Evening.objects.get(pk=evening.pk)
        copy.pk, copy.date, copy.uuid = None, date, Evening._meta.get_field("uuid").get_default()
        copy.save()
        Release.objects.create(evening=copy, number=1, standings=[], seal="0" * 64)
    page = desk_of(club).post("/clubs/boeren/desk/events/", {"league": "x"})
    path = "/" + page.context["address"].split("/", 3)[3]
    client.get(path)
    with django_assert_num_queries(2):
        listed = client.get(path)
    assert len(listed.json()["events"]) == evenings


def test_files_go_out_and_in_by_commands(tmp_path: Path, capsys: Any) -> None:
    club, _day, evening = played()
    league = the_league()
    call_command("export_event", club="boeren", date=evening.slug, league=league.slug)
    file = tmp_path / "avond.json"
    file.write_text(capsys.readouterr().out, encoding="utf-8")
    elsewhere(club)
    call_command("import_event", str(file), league=league.slug)
    call_command("import_event", str(file), league=league.slug)
    said = capsys.readouterr().out.splitlines()
    doubt = (
        "That match day 1 was played there, only this event says. Ask the club before you make the"
        " results binding."
    )
    assert said == [
        "Boeren, 2026-12-04: 6 results",
        doubt,
        "Boeren, 2026-12-04: nothing new",
    ]
    broken = tmp_path / "kapot.json"
    broken.write_text(file.read_text(encoding="utf-8").replace("1310", "1311"), encoding="utf-8")
    with pytest.raises(CommandError, match="The signature is not right"):
        call_command("import_event", str(broken), league=league.slug)


@pytest.mark.full
def test_an_event_of_no_match_day_is_kept_for_its_results() -> None:
    _club, _day, evening = played()
    MatchDay.objects.update(date=None)
    imported = event_import(league=the_league(), document=document_of(evening), actor=TESTS)
    assert (imported.results, imported.event.day) == (0, None)
    totals = [person["total"] for person in imported.event.document["participants"]]
    assert (len(totals), sum(totals)) == (16, 2 * 3 * 4 * 2592)


@pytest.mark.full
def test_an_event_that_came_before_its_match_day_brings_its_results_later() -> None:
    _club, day, evening = played()
    document = document_of(evening)
    MatchDay.objects.update(date=None)
    first = event_import(league=the_league(), document=document, actor=TESTS)
    again = event_import(league=the_league(), document=document, actor=TESTS)
    assert [(each.changed, each.results) for each in (first, again)] == [(True, 0), (False, 0)]
    MatchDay.objects.update(date=evening.date)
    match = LeagueMatch.objects.order_by("pk")[0]
    LeagueMatch.objects.update(written_at=None)
    match.answers.create(side="away", agrees=False, words="Fout", at=timezone.now())
    now = event_import(league=the_league(), document=document, actor=TESTS)
    assert (now.changed, now.results, now.event.day) == (True, 6, day)
    assert not match.answers.exists()
    assert not LeagueMatch.objects.filter(written_at=None).exists()


def test_no_club_writes_the_matches_of_another() -> None:
    _club, day, evening = played()
    document = document_of(evening)
    league = the_league()
    told = []
    for change in ({"club": "Negens"}, {"club": "", "evening_uuid": evening.club.uuid}):
        LeagueTeam.objects.update(club_uuid=None, club=change["club"])
        MatchDay.objects.update(evening_uuid=change.get("evening_uuid"))
        told.append(event_import(league=league, document=document, actor=TESTS).results)
    MatchDay.objects.update(evening_uuid=None, host=None)
    kept = LeagueEvent.objects.get()
    kept.pk, kept.club, kept.day = None, "Negens", day
    kept.event_uuid = evening.club.uuid
    kept.club_uuid = Club.objects.get(slug="negens").uuid
    kept.save()
    last = event_import(league=league, document=document, actor=TESTS)
    kept_words = ["Negens bracht eerder al een avond van speeldag 1; die uitslagen blijven staan."]
    assert (told, last.results, list(last.notes)) == ([0, 0], 0, kept_words)
    stays = LeagueEvent.objects.get(event_uuid=document["event"]["id"])
    assert notes_in_words(stays.notes) == kept_words


@pytest.mark.full
def test_a_table_that_is_not_in_an_event_is_said() -> None:
    _club, _day, evening = played()
    document = document_of(evening)
    table = document["sessions"][0]["tables"][0]
    table["points"] = None
    document = sign(evening.club, document)
    imported = event_import(league=the_league(), document=document, actor=TESTS)
    (said,) = imported.notes
    assert said.endswith(
        "er staat 1 van de 2 tafels in deze avond; er is dus geen uitslag overgenomen."
    )
    assert imported.results == 5


@pytest.mark.full
def test_a_later_publication_does_not_answer_what_is_to_be_asked() -> None:
    club, _day, evening = played()
    first = document_of(evening)
    release_publish(evening=evening, actor=TESTS, reason="Nog eens")
    second = document_of(Evening.objects.get())
    LeagueTeam.objects.filter(name="Boeren").update(club="Boeren")
    elsewhere(club)
    told = [
        event_import(league=the_league(), document=each, actor=TESTS).notes
        for each in (first, second)
    ]
    assert told == [[DOUBT], [DOUBT]]


def test_a_hostile_document_is_refused_in_words() -> None:
    _club, _day, evening = played()
    document = document_of(evening)
    deep: Any = []
    for _each in range(900):
        deep = [deep]
    unsound = ["In een tekst staat een teken dat niet bestaat."]
    wrong = "dit is van de verkeerde soort."
    assert faults(upload(changed(document, "event.name", "a\0"))) == unsound
    assert faults(upload(json.dumps(changed(document, "event.name", "\ud800")))) == unsound
    path = "sessions.0.tables.0.points.NS"
    assert faults(upload(changed(document, path, 1310.0))) == [f"{path}: {wrong}"]
    for path in ("signature", "club.key", "event.date", "event.id"):
        place = document
        for part in path.split("."):
            place = place[part]
        assert faults(upload(changed(document, path, f"{place}\n"))) == [f"{path}: dit is te lang."]
    assert faults(upload(changed(document, "event.name", deep)))
    many = faults(upload(changed(document, "sessions", [3] * 90 + [{}] * 9)))
    assert (len(many), many[-1]) == (21, "En nog 97 fouten.")
