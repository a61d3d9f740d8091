"""The manual, which everybody may read and search: its chapters as their templates have them, and
which section is about which page."""

import html
import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from urllib.parse import urlsplit

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.html import strip_tags
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from clubs.text.names import plain_key

_SECTION = re.compile(
    r'<section id="([a-z-]+)"(?: data-words="([^"]*)")?>(.*?)</section>', re.DOTALL
)
_TITLE = re.compile(r"<h2>(.*?)</h2>", re.DOTALL)
_FIGURE = re.compile(r"<figure.*?</figure>", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter for one kind of person."""

    slug: str
    title: str | Promise
    about: str | Promise


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a chapter in one language: what is read there, and `words` that people may look
    for although the text says it otherwise."""

    chapter: str
    slug: str
    title: str
    text: str
    words: str

    @property
    def key(self) -> str:
        """What templates and the list of pages call it, such as `table/roem`."""
        return f"{self.chapter}/{self.slug}"


CHAPTERS = (
    Chapter("player", _("For players"), _("Where do I sit, how do I stand, what do people see.")),
    Chapter("table", _("At the table"), _("For who writes the deals, on a phone or on paper.")),
    Chapter("director", _("Running an evening"), _("From ticking who is here to the prizes.")),
    Chapter("organiser", _("Running the club"), _("Members, seasons, rules, and who may do what.")),
    Chapter("computer", _("The laptop and the wifi"), _("Starting it, phones, copies, passwords.")),
)


def chapter_template(language: str, chapter: str) -> str:
    """The template with the text of a chapter."""
    return f"tournaments/manual/{language}/{chapter}.html"


@cache
def sections(language: str) -> tuple[Section, ...]:
    """All sections in this language, in the order of the manual; read once by each process.

    Under `runserver` titles and search results of a chapter that is being edited stay as they were
    until it starts again.
    """
    return tuple(
        section for chapter in CHAPTERS for section in _sections_of(language, chapter.slug)
    )


def sections_of(language: str, chapter: str) -> list[Section]:
    """The sections of one chapter."""
    return [section for section in sections(language) if section.chapter == chapter]


def section_title(language: str, key: str) -> str:
    """The title of the section with this key. Raises KeyError if there is none."""
    return _titles(language)[key]


@cache
def _titles(language: str) -> dict[str, str]:
    return {section.key: section.title for section in sections(language)}


def _sections_of(language: str, chapter: str) -> list[Section]:
    markup = render_to_string(chapter_template(language, chapter))
    return [
        Section(
            chapter,
            slug,
            _plain(_title(inside)),
            _plain(_TITLE.sub("", inside)),
            html.unescape(words or ""),
        )
        for slug, words, inside in _SECTION.findall(markup)
    ]


def _title(inside: str) -> str:
    title = _TITLE.search(inside)
    if title is None:
        raise ValueError(f"a section of the manual has no title: {inside[:60]}")
    return title[1]


def _plain(markup: str) -> str:
    """What is read of this markup, pictures left out."""
    words = strip_tags(_FIGURE.sub(" ", markup).replace("<", " <"))
    plain = " ".join(html.unescape(words).split())
    return re.sub(r" ([.,;:)])", r"\1", plain)


_PAGES_OF: Mapping[str, str] = {
    "player/seat": "club_page evening_page home",
    "player/standing": "evening_player evening_table folders_page folder_page folder_pair "
    "season_folders",
    "player/season": "season_page season_why season_next season_race",
    "player/person": "player_list player_page competitor_page player_met season_met ratings_page "
    "club_records",
    "player/league": "league_list league_page league_season_page league_division league_team_page "
    "league_day",
    "player/ranking": "league_rankings league_ranking league_ranking_list league_person "
    "league_person_link league_nights league_night league_night_release",
    "player/calendar": "club_calendar",
    "player/follow": "follow_page",
    "player/enter": "entry_new entry_sent entry_own entry_door",
    "player/rules": "rules_page",
    "table/deal": "table_page table_round",
    "table/pin": "pin club_pin",
    "table/paper": "table_hand_in table_play_off",
    "table/confirm": "table_chair table_confirm",
    "table/full": "table_dispute table_object table_answer",
    "table/wrong": "table_deal",
    "director/evening": "desk evening_list evening_new evening_edit evening_rules evening_desk "
    "evening_cancel evening_restore",
    "director/present": "evening_present present_list present_guest present_sign_off evening_pairs "
    "pair_numbers",
    "director/entries": "evening_entries entries_settings entry_add entry_edit entries_list "
    "entries_arrive entries_throw_away entry_withdraw entries_door",
    "director/out": "evening_sit_out play_twice",
    "director/draw": "evening_draw couple_rules draw_type_in draw_type_in_letters "
    "draw_type_in_lots draw_undo",
    "director/folders": "evening_folders folder_cards folder_results folder_ruling "
    "folder_ruling_remove",
    "director/night": "folder_night nights_desk night_desk",
    "director/swap": "draw_swap",
    "director/late": "draw_change",
    "director/phones": "print_links evening_phones link_renew side_link_renew",
    "director/board": "evening_board round_start round_close round_reopen",
    "director/grid": "table_grid table_totals table_totals_clear match_play_off "
    "match_play_off_clear",
    "director/photos": "sheet_photos sheet_photo sheet_camera table_camera photo_camera",
    "director/correct": "table_sheet deal_trail table_trail table_swap table_move "
    "evening_corrections evening_correction_remove season_corrections season_correction_remove",
    "director/dispute": "evening_claims table_cards table_cards_found",
    "director/substitute": "table_substitute",
    "director/screen": "hall_desk",
    "director/print": "evening_prints season_prints booklet_page",
    "director/close": "evening_close evening_reopen evening_prizes evening_prizes_given "
    "evening_texts photo_edit",
    "organiser/list": "member_import member_import_preview",
    "organiser/plan": "planner series_page evening_delete evenings_deleted later_evenings",
    "organiser/sessions": "next_session",
    "organiser/groups": "evening_groups evening_groups_join",
    "organiser/teams": "competitor_list competitor_edit competitor_remove evening_teams",
    "organiser/leagues": "club_leagues league_desk league_settings league_leader_add "
    "league_leader_remove league_trail league_season_desk league_rule division_desk division_edit "
    "division_take_away league_fixtures league_fixtures_undo league_team_edit league_team_remove "
    "league_team_withdraw match_day_desk match_day_change match_walkover match_clear "
    "league_penalty_new league_penalty_remove league_club_leaves league_next_season "
    "league_next_season_undo",
    "organiser/servers": "club_exchange league_exchange event_source_remove",
    "organiser/captains": "club_match_day club_line_up club_team_absent captain_page "
    "captain_line_up line_up_verdict",
    "organiser/rankings": "club_league_people rankings_desk ranking_desk ranking_preview "
    "league_number_take_back",
    "organiser/kinds": "kind_list kind_new kind_edit kind_delete",
    "organiser/practice": "practice",
    "organiser/outside": "club_outside",
    "computer/backup": "copy_home copy_page copy_send copy_folder",
    "computer/move": "bring_send bring_page",
    "organiser/members": "member_list member_add member_edit member_activate "
    "member_deactivate member_trail",
    "organiser/namesakes": "member_merge merge_list merge_undo",
    "organiser/season": "season_list season_new season_edit standing_new standing_raise "
    "standing_remove",
    "organiser/best": "standing_edit standing_compare",
    "organiser/old-results": "import_home import_results import_results_preview import_evening "
    "import_evening_preview import_done import_undo",
    "organiser/rules": "regulation_list regulation_new regulation_edit rule_notes",
    "organiser/first": "club_settings club_logo club_sheets",
    "organiser/begin": "sign_up sign_up_club",
    "organiser/team": "club_team team_invite team_change team_link team_revoke team_invitation "
    "team_invitation_withdraw invitation",
    "organiser/prizes": "evening_stake evening_prizes_edit evening_prizes_contents season_prizes "
    "season_prizes_edit season_prizes_contents season_prizes_given season_prizes_went "
    "cup_list cup_page wording_edit wording_reset",
    "organiser/money": "season_fees season_fee season_pot package_list season_attendance "
    "fee_periods year_fees year_fee",
    "organiser/mail": "mail_write mail_sent",
    "organiser/privacy": "member_data member_erase",
    "organiser/trail": "club_trail user_trail",
    "computer/address": "club_address",
    "computer/password": "login password_reset password_set login_link login_link_ask login_step",
    "computer/security": "account account_email account_email_confirm account_password "
    "account_logout account_security login_codes login_codes_off login_session_end "
    "login_sessions_end_others passkey_new passkey_delete recovery_codes club_second_factor "
    "token_add token_withdraw",
}

SECTIONS: Mapping[str, str] = {
    route: key for key, routes in _PAGES_OF.items() for route in routes.split()
}
"""By the name of a route, the section about its page."""


MOST_WORDS = 12
"""So many words of what somebody typed are looked for."""
MOST_HITS = 8
AROUND = 14
"""So many words are shown on either side of the first that was found."""

SHORT = 3
"""Words of so many letters or fewer are only found as whole words: "pin", not "spin"."""
ALIKE = 0.8
"""How much a known word must be like one that is nowhere."""
PASSED_OVER: Mapping[str, str] = {
    "nl": "de het een en of ik u je we wij mijn ons is zijn er dat die te van in op met voor aan"
    " naar om niet hoe wat waar wie wanneer kan moet mag doe doen heb",
    "en": "the a an and or i you we my our is are there that this to of in on with for at from not"
    " how what where who when can must may do does have it",
}
"""Words that say nothing of what is looked for."""

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Hit:
    """A section that was found, with a part of its text: pieces, and whether each was looked
    for."""

    section: Section
    pieces: tuple[tuple[str, bool], ...]


def manual_search(language: str, query: str) -> list[Hit]:
    """The sections that have any of these words, the best first: a rare word counts for more, and
    so does one in the title. Instead of a word that is nowhere, the one most like it."""
    texts = _texts(language)
    wanted = [_known(language, word) for word in _wanted(language, query)]
    rarity = {word: 1 / (sum(text.has(word) for _section, text in texts) or 1) for word in wanted}
    scored = [
        (sum(rarity[word] * text.worth(word) for word in wanted), section)
        for section, text in texts
    ]
    best = sorted((hit for hit in scored if hit[0]), key=lambda hit: hit[0], reverse=True)
    return [Hit(section, _pieces(section.text, wanted)) for _score, section in best[:MOST_HITS]]


@dataclass(frozen=True, slots=True)
class _Texts:
    """A section in small letters without accents."""

    title: str
    words: str
    text: str

    @classmethod
    def of(cls, section: Section) -> "_Texts":
        return cls(plain_key(section.title), plain_key(section.words), plain_key(section.text))

    def has(self, word: str) -> bool:
        return any(_found(word, part) for part in (self.title, self.words, self.text))

    def worth(self, word: str) -> int:
        """A word by itself counts for twice as much as one in another word."""
        title, words, text = (_found(word, part) for part in (self.title, self.words, self.text))
        return 4 * title + 2 * words + text


@cache
def _texts(language: str) -> list[tuple[Section, _Texts]]:
    return [(section, _Texts.of(section)) for section in sections(language)]


@cache
def _vocabulary(language: str) -> list[str]:
    """The longer words of the manual."""
    texts = (f"{text.title} {text.words} {text.text}" for _section, text in _texts(language))
    return sorted({word for text in texts for word in _WORD.findall(text) if len(word) > SHORT})


def _found(word: str, text: str) -> int:
    """2 if the text has the word by itself, 1 if it is part of another word, else 0."""
    if word not in text:
        return 0
    if re.search(rf"\b{re.escape(word)}\b", text):
        return 2
    return int(len(word) > SHORT)


def _wanted(language: str, query: str) -> list[str]:
    words = _WORD.findall(plain_key(query))[:MOST_WORDS]
    return [word for word in words if word not in PASSED_OVER[language].split()] or words


def _known(language: str, word: str) -> str:
    """This word if the manual has it, else the one most like it, if any is."""
    if len(word) <= SHORT or any(text.has(word) for _section, text in _texts(language)):
        return word
    return next(iter(get_close_matches(word, _vocabulary(language), 1, ALIKE)), word)


def _pieces(text: str, wanted: list[str]) -> tuple[tuple[str, bool], ...]:
    """The words around the first that was looked for, each with whether it was."""
    words = [(word, any(_found(part, plain_key(word)) for part in wanted)) for word in text.split()]
    first = next((place for place, (_word, is_wanted) in enumerate(words) if is_wanted), 0)
    begin, end = max(0, first - AROUND), first + AROUND
    shown = words[begin:end]
    before = [("…", False)] if begin else []
    after = [("…", False)] if end < len(words) else []
    return (*before, *shown, *after)


LONGEST_QUERY = 200


@require_safe
def manual_home(request: HttpRequest) -> HttpResponse:
    """The chapters with their sections; with `q`, where these words are found."""
    language = get_language() or "nl"
    query = request.GET.get("q", "").replace("\0", "")[:LONGEST_QUERY].strip()
    contents = [(chapter, sections_of(language, chapter.slug)) for chapter in CHAPTERS]
    hits = manual_search(language, query)
    context = {"contents": contents, "query": query, "hits": hits, "chapters": CHAPTERS}
    return render(request, "tournaments/manual/home.html", context | {"back": _came_from(request)})


@require_safe
def manual_chapter(request: HttpRequest, chapter: str) -> HttpResponse:
    """One chapter, to read and to print."""
    language = get_language() or "nl"
    here = next((known for known in CHAPTERS if known.slug == chapter), None)
    if here is None:
        raise Http404
    context = {
        "chapter": here,
        "text": chapter_template(language, here.slug),
        "sections": sections_of(language, here.slug),
        "chapters": CHAPTERS,
        "back": _came_from(request),
    }
    return render(request, "tournaments/manual/chapter.html", context)


def _came_from(request: HttpRequest) -> str:
    """The page of ours that led here, unless it is the manual itself; else empty."""
    address = urlsplit(request.headers.get("Referer", ""))
    path = f"{address.path}?{address.query}" if address.query else address.path
    is_ours = address.netloc == request.get_host() and path.startswith("/")
    if not is_ours or path.startswith(reverse("manual_home")):
        return ""
    return path if url_has_allowed_host_and_scheme(path, allowed_hosts=None) else ""
