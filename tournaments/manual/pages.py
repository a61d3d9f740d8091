"""The chapters of the manual as its templates have them, and which section is about which page."""

import html
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from django.template.loader import render_to_string
from django.utils.functional import Promise
from django.utils.html import strip_tags
from django.utils.translation import gettext_lazy as _

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
    "player/standing": "evening_player evening_table",
    "player/season": "season_page season_why season_next season_race",
    "player/person": "player_list player_page competitor_page player_met season_met ratings_page "
    "club_records",
    "player/league": "league_list league_page league_season_page league_division league_team_page",
    "player/ranking": "league_rankings league_ranking league_ranking_list league_person "
    "league_person_link",
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
    "director/swap": "draw_swap",
    "director/late": "draw_change",
    "director/phones": "print_links evening_phones link_renew side_link_renew",
    "director/board": "evening_board round_start round_close round_reopen",
    "director/grid": "table_grid table_totals table_totals_clear match_play_off "
    "match_play_off_clear",
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
    "league_team_withdraw match_day_desk match_day_change match_walkover match_clear",
    "organiser/rankings": "club_league_people rankings_desk ranking_desk ranking_preview",
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
    "organiser/first": "club_settings club_logo",
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
