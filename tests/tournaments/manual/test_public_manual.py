"""Help: on every page, open to everybody, found by words, and true to the program."""

import html
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import pytest
from babel.messages.pofile import read_po
from django.conf import settings
from django.contrib.staticfiles import finders
from django.template import engines
from django.test import Client
from django.urls import reverse
from django.utils import translation
from django.utils.html import strip_tags

from tests.access.routes import routes
from tests.browser.manual_pictures import SHOTS
from tests.factories import ClubFactory, organiser_of
from tests.tournaments.public_pages import get, speak_english, words
from tests.tournaments.table_pages import link, playing
from tournaments.manual import pages
from tournaments.manual.pages import CHAPTERS, chapter_template, manual_search, sections

LANGUAGES: Final = ("nl", "en")
BOLD = re.compile(r"<b>(.*?)</b>", re.DOTALL)
LINK = re.compile(r'<a [^>]*href="([^"]*)"')
PLACEHOLDER = re.compile(r"%\(\w+\)s|%[sd]")
CATALOGUES = (
    "clubs/locale/nl/LC_MESSAGES/django.po",
    "scoring/locale/nl/LC_MESSAGES/django.po",
    "scoring/rules/locale/nl/LC_MESSAGES/rules.po",
    "tournaments/locale/nl/LC_MESSAGES/django.po",
)


def chapter_text(language: str, chapter: str) -> str:
    """The markup of a chapter, as its template makes it."""
    with translation.override(language):
        template = engines["django"].get_template(chapter_template(language, chapter))
        return template.render({})


def all_texts() -> Iterator[tuple[str, str, str]]:
    for language in LANGUAGES:
        for chapter in CHAPTERS:
            yield language, chapter.slug, chapter_text(language, chapter.slug)


@cache
def texts_of(language: str) -> list[re.Pattern[str]]:
    """Every text of the program in this language, with anything where something is filled in."""
    texts: set[str] = set()
    for path in CATALOGUES:
        with (Path(settings.BASE_DIR) / path).open("rb") as file:
            for message in read_po(file):
                source = message.string if language == "nl" else message.id
                texts.update([source] if isinstance(source, str) else source or ())
    return [_pattern(text) for text in texts if _has_words(text)]


def _has_words(text: str) -> bool:
    return any(letter.isalpha() for letter in PLACEHOLDER.sub("", text))


def _pattern(text: str) -> re.Pattern[str]:
    plain = html.unescape(strip_tags(text))
    return re.compile(r"(\S+(?: \S+)?)".join(re.escape(part) for part in PLACEHOLDER.split(plain)))


def reads(language: str, bold: str) -> bool:
    """Whether the program has this text somewhere: its own words at least half of it."""
    ways = {bold, bold[0].lower() + bold[1:]}
    matches = (pattern.fullmatch(way) for pattern in texts_of(language) for way in ways)
    return any(2 * sum(map(len, match.groups())) <= len(bold) for match in matches if match)


@pytest.mark.full
def test_each_bold_word_is_a_text_of_the_program() -> None:
    unknown = [
        f"{language}/{chapter}: {bold}"
        for language, chapter, text in all_texts()
        for bold in {html.unescape(strip_tags(found)) for found in BOLD.findall(text)}
        if not reads(language, bold)
    ]
    assert unknown == []


@pytest.mark.full
def test_both_languages_have_the_same_sections_links_and_pictures() -> None:
    dutch, english = (
        [(section.key, bool(section.title)) for section in sections(language)]
        for language in LANGUAGES
    )
    assert dutch == english
    for chapter in CHAPTERS:
        both = [chapter_text(language, chapter.slug) for language in LANGUAGES]
        links, steps = ([find(text) for text in both] for find in (LINK.findall, _steps))
        assert links[0] == links[1], chapter.slug
        assert steps[0] == steps[1], chapter.slug


def _steps(text: str) -> list[int]:
    """How many steps each list has."""
    return [part.count("<li>") for part in re.findall(r"<ol>.*?</ol>", text, re.DOTALL)]


def test_every_link_leads_to_a_section_that_is_there() -> None:
    keys = {section.key for section in sections("nl")}
    for language, chapter, text in all_texts():
        for address in LINK.findall(text):
            path, _hash, section = address.partition("#")
            here = path.removeprefix(reverse("manual_home")).strip("/") if path else chapter
            assert f"{here}/{section}" in keys, f"{language}/{chapter}: {address}"


def test_each_page_that_has_a_section_is_there_and_each_section_too() -> None:
    known = {route.partition("/")[0] for route in routes()}
    keys = {section.key for section in sections("nl")}
    assert {route for route in pages.SECTIONS if route not in known} == set()
    assert {key for key in pages.SECTIONS.values() if key not in keys} == set()


def test_each_page_that_people_open_has_a_section() -> None:
    lines = (Path(__file__).parents[2] / "access" / "routes.txt").read_text().splitlines()
    cells = [line.split() for line in lines if line and not line.startswith("#")]
    opened = {
        name.partition("/")[0]
        for name, get_answer, *_others in cells
        if get_answer.startswith("200") and not name.startswith("api_")
    }
    assert opened - pages.SECTIONS.keys() == WITHOUT_A_SECTION


WITHOUT_A_SECTION: Final = {
    # Files, pictures and parts of pages.
    *"board_live booklet_file club_card club_feed club_frame club_ical copy_file".split(),
    *"entries_live event_feed event_feed_document".split(),
    *"evening_card evening_live follow_worker healthz player_feed".split(),
    *"club_match_forms league_calendar league_feed league_day_live league_team_calendar".split(),
    *"league_table_pdf league_ranking_pdf league_night_pdf".split(),
    *"league_season_pdf match_day_forms".split(),
    *"logo_png player_now robots season_card table_state table_worker".split(),
    *"print_all_sheets print_draw print_fees print_year_fees print_follow".split(),
    *"print_links_pdf print_members".split(),
    *"print_numbers print_season print_season_certificates print_sheets print_spare".split(),
    *"print_standings sheet_photo_picture".split(),
    # The hall's screen, on which nothing is pressed; and the manual itself.
    *"evening_screen hall_live manual_home manual_chapter".split(),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_picture_is_there_and_the_manual_shows_no_other(language: str) -> None:
    written = json.loads(Path(pages.__file__).with_name("pictures.json").read_text())
    assert written[language].keys() == set(SHOTS)
    shown = {
        found
        for chapter in CHAPTERS
        for found in re.findall(
            rf"tournaments/manual/([a-z/-]+)\.{language}\.", chapter_text(language, chapter.slug)
        )
    }
    assert shown == set(SHOTS)
    assert all(finders.find(f"tournaments/manual/{key}.{language}.webp") for key in SHOTS)


def test_the_pictures_are_light() -> None:
    folder = Path(str(finders.find("tournaments/manual/manual.css"))).parent
    sizes = [path.stat().st_size for path in folder.rglob("*.webp")]
    assert sum(sizes) < 1_500_000
    assert len(sizes) == len(LANGUAGES) * len(SHOTS)


@pytest.mark.django_db
def test_anybody_reads_every_chapter(client: Client) -> None:
    assert "Wachtwoord vergeten" in words(get(client, "/help/"))
    for chapter in CHAPTERS:
        page = words(get(client, f"/help/{chapter.slug}/"))
        assert all(
            section.title in page for section in sections("nl") if section.chapter == chapter.slug
        )
    speak_english(client)
    assert "Password forgotten" in words(get(client, "/help/computer/"))
    assert client.get("/help/nobody/").status_code == 404


@pytest.mark.django_db
def test_a_page_leads_to_its_own_section(client: Client) -> None:
    club = ClubFactory.create()
    assert 'href="/help/player/#seat"' in get(client, f"/clubs/{club.slug}/").content.decode()
    assert 'href="/help/computer/#password"' in get(client, "/login/").content.decode()
    assert 'href="/help/"' in client.get("/nergens/").content.decode()
    client.force_login(organiser_of(club))
    desk = get(client, f"/clubs/{club.slug}/desk/members/").content.decode()
    assert 'href="/help/organiser/#members"' in desk


@pytest.mark.django_db
def test_the_phone_at_the_table_has_help_outside_the_pad(client: Client) -> None:
    page = get(client, link(playing())).content.decode()
    pad, rest = page.split('id="deal-rare"')
    assert "/help/" not in pad
    assert {"/help/table/#deal", "/help/table/#nat", "/help/table/#wifi"} <= set(LINK.findall(rest))


@pytest.mark.django_db
def test_the_link_asks_the_database_nothing(
    client: Client, django_assert_num_queries: object
) -> None:
    with django_assert_num_queries(0):  # type: ignore[operator]
        get(client, "/help/")
        get(client, "/help/table/")


@pytest.mark.django_db
def test_the_way_back_is_a_page_of_ours(client: Client) -> None:
    def back(referer: str) -> list[str]:
        page = client.get("/help/table/", headers={"referer": referer}).content.decode()
        return re.findall(r'class="back" href="([^"]*)"', page)

    assert back("http://testserver/clubs/azen/desk/?q=1") == ["/clubs/azen/desk/?q=1"]
    assert back("http://testserver/help/player/") == []
    assert back("http://elsewhere.example/clubs/") == []
    assert back("http://testserver//elsewhere.example/") == []
    assert back("") == []


def found(query: str, language: str = "nl") -> list[str]:
    return [hit.section.key for hit in manual_search(language, query)]


def test_words_are_found_without_accents_and_capitals() -> None:
    assert found("EEN MENS")[0] == "organiser/namesakes"
    assert found("één mens") == found("een mens")
    assert found("geluk")[0] == "player/person"


@pytest.mark.full
@pytest.mark.parametrize(
    ("query", "key"),
    [
        ("wachtwoord vergeten", "computer/password"),
        ("hoe weet ik mijn wachtwoord weer", "computer/password"),
        ("wifi weg", "table/wifi"),
        ("invaller", "director/substitute"),
        ("pincode", "table/pin"),
        ("verkeerd getal", "director/correct"),
        ("zelfde naam", "organiser/namesakes"),
        ("reservekopie", "computer/backup"),
        ("gelijk eindigen", "organiser/ties"),
        ("nat", "table/nat"),
        ("pin", "table/pin"),
        ("wachtwoord kwijt", "computer/password"),
        ("printer", "director/print"),
        ("te laat", "director/late"),
        ("nieuw lid", "organiser/members"),
        ("datum verzetten", "organiser/plan"),
        ("invalelr", "director/substitute"),
        ("wachtword", "computer/password"),
        ("verzaakd", "table/unusual"),
        ("club beginnen", "organiser/begin"),
        ("club gesloten", "organiser/closed"),
    ],
)
def test_what_people_look_for_comes_first(query: str, key: str) -> None:
    assert key in found(query)[:2]


def test_what_is_nowhere_finds_nothing() -> None:
    assert found("zeppelin") == []
    assert found("") == []
    assert found("???") == []


@pytest.mark.django_db
def test_a_search_shows_where_the_words_are_and_nothing_as_markup(client: Client) -> None:
    page = get(client, "/help/?q=invaller").content.decode()
    assert "<mark>invaller" in page
    assert "<b>x" not in get(client, "/help/?q=<b>x").content.decode()
    assert "Niets over" in words(get(client, "/help/?q=zeppelin"))
    get(client, "/help/?q=%00")
    get(client, "/help/?q=" + "a" * 5000)
