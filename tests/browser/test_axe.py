"""The pages keep nobody out, in light and in dark: axe finds nothing on any of them.

What shows only after something is pressed is looked at where that is tested.
"""

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page
from pytest_django.fixtures import Settings
from pytest_django.live_server_helper import LiveServer

from clubs.accounts.invitations import invitation_make
from clubs.accounts.logins import address_links, login_links
from clubs.members.services import member_change
from clubs.models import Club, Member, User
from clubs.sign_up.services import sign_up_code
from scoring.disputes.submissions import sheet_answer
from scoring.models import Scoresheet
from tests.browser.login import log_in
from tests.factories import (
    TESTS,
    ClubFactory,
    EveningFactory,
    MemberFactory,
    evening_with_draw,
    organiser_of,
    table,
    write_deal,
)
from tests.tournaments.entries import enter, open_entries
from tests.tournaments.public_pages import close_evening
from tests.tournaments.table_pages import link
from tournaments.closing.services import competitor_correct
from tournaments.draw.extra_tables import extra_table_make
from tournaments.entries.arrivals import door_make, person_arrive
from tournaments.entries.services import entry_withdraw
from tournaments.entries.texts import MAILED, door_path, entry_path
from tournaments.evenings.kinds import kind_add, start_of
from tournaments.hosting.services import club_let_go, club_suspend
from tournaments.manual.pages import CHAPTERS
from tournaments.models import CoupleRule, Entry, Evening, Season
from tournaments.planner.services import PlannedEvening, evenings_plan
from tournaments.registration.check_in import presence_replace, presence_set
from tournaments.registration.competitors import competitor_create
from tournaments.registration.pairs import couple_rule_add, pair_make
from tournaments.seasons.services import season_create

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

CLUB = "/clubs/vrolijke-boer/"
LIVE = "evenings/2026-11-21/"
CLOSED = "evenings/2026-11-14/"
PLANNED = "evenings/2026-11-28/"
PUBLIC = [
    "/",
    "/login/",
    CLUB,
    f"{CLUB}{LIVE}",
    f"{CLUB}{LIVE}rounds/1/tables/1/",
    f"{CLUB}{LIVE}screen/",
    f"{CLUB}{CLOSED}",
    f"{CLUB}seasons/2026-2027/",
]
"""One page of each kind, looked at in the gate."""
MORE_PUBLIC = [
    "/login/link/",
    f"{CLUB}{LIVE}?show=names",
    f"{CLUB}{LIVE}?show=tables",
    f"{CLUB}calendar/",
    f"{CLUB}players/",
    f"{CLUB}follow/",
    "/password/",
    "/t",
    f"{CLUB}seasons/2026-2027/met/",
    f"{CLUB}seasons/2026-2027/race/",
    f"{CLUB}records/",
    f"{CLUB}rules/",
    # With the evening that is being played it loads itself anew, which axe takes for a fault.
    f"{CLUB}frame/?show=season",
]
DESK = [
    f"{CLUB}desk/{path}"
    for path in (
        "",
        "evenings/",
        "evenings/new/",
        "planner/?weekday=1&often=week-1&starts_at=20:00&first=2026-12-01&last=2027-01-31",
        "evenings/deleted/",
        f"{PLANNED}later/",
        "kinds/",
        "kinds/new/",
        "kinds/{kind}/",
        "kinds/{kind}/delete/",
        "planner/{series}/",
        "practice/",
        "outside/",
        "import/",
        "import/results/",
        f"{LIVE}present/list/",
        f"{CLOSED}photo/",
        f"{PLANNED}edit/",
        f"{PLANNED}delete/",
        f"{LIVE}present/",
        f"{LIVE}draw/",
        f"{LIVE}board/",
        f"{LIVE}rounds/1/tables/1/",
        f"{LIVE}rounds/1/tables/2/?deal=1",
        f"{LIVE}rounds/1/tables/2/totals/",
        f"{LIVE}rounds/1/tables/2/grid/",
        f"{LIVE}rounds/1/tables/2/substitute/",
        f"{LIVE}rounds/1/close/",
        f"{LIVE}links/",
        f"{LIVE}close/",
        f"{CLOSED}close/",
        "couples/",
        f"{PLANNED}pairs/",
        f"{PLANNED}sit-out/",
        f"{LIVE}print/",
        f"{LIVE}phones/",
        f"{LIVE}stake/",
        f"{LIVE}screen/",
        "seasons/",
        "seasons/new/",
        "seasons/2026-2027/",
        "seasons/2026-2027/standings/new/",
        "seasons/2026-2027/fees/",
        "seasons/2026-2027/pot/",
        "seasons/2026-2027/prizes/",
        "seasons/2026-2027/prizes/edit/",
        "seasons/2026-2027/prizes/went/",
        "seasons/2026-2027/attendance/",
        f"{CLOSED}prizes/",
        f"{CLOSED}prizes/contents/",
        f"{CLOSED}prizes/given/",
        "fees/",
        "packages/",
        "mail/",
        "cups/",
        "regulations/",
        "regulations/new/",
        "rules/",
    )
]
PEOPLE = [
    "desk",
    "copy_home",
    "copy_folder",
    "copy_send",
    "practice",
    "club_logo",
    "club_second_factor",
    "merge_list",
    "club_outside",
    "evening_new",
    "planner",
    "kind_list",
    "member_list",
    "member_add",
    "member_import",
    "club_settings",
    "club_address",
    "club_team",
    "team_invite",
    "club_trail",
]
OWN = [
    "account",
    "account_email",
    "account_password",
    "account_logout",
    "account_security",
    "login_codes",
    "passkey_new",
    "token_add",
]

HELP = ["/help/", "/help/?q=roem", *(f"/help/{chapter.slug}/" for chapter in CHAPTERS)]

Check = Callable[[Page], None]


@pytest.fixture
def club(live_server: LiveServer) -> Club:
    """One evening is closed; in the next one table is full and not agreed, one is half way; in
    the last, in fixed pairs, four people are here and two of them are a pair. Two people of one
    table share their name."""
    club = ClubFactory.create()
    season = season_create(club=club, name="2026-2027", actor=TESTS)
    plan: dict[str, Any] = {"players": 9, "club": club, "season": season, "deals_per_round": 2}
    close_evening(evening_with_draw(**plan, date=dt.date(2026, 11, 14)))
    evening = evening_with_draw(**plan)
    for number, deal in ((1, 1), (1, 2), (2, 1)):
        write_deal(table(evening, number), deal)
    sheet = Scoresheet.objects.get(pk=table(evening).sheet_id)
    sheet_answer(
        sheet_id=sheet.pk,
        side="EW",
        seen_version=sheet.version,
        agrees=False,
        actor=TESTS,
        note="Spel 2 klopt niet.",
    )
    pairs_planned(club)
    one, other = Member.objects.of(club)[:2]
    member_change(
        member=other, seen_version=other.version, name=one.name, town="Volendam", actor=TESTS
    )
    return club


def pairs_planned(club: Club) -> None:
    evening = EveningFactory.create(club=club, date=dt.date(2026, 11, 28), method="pairs")
    one, two, three, four = Member.objects.of(club)[:4]
    presence_replace(evening_id=evening.pk, members=[one, two, three, four], actor=TESTS)
    pair_make(evening_id=evening.pk, one=one, two=two, actor=TESTS)
    kind = CoupleRule.Kind.APART
    couple_rule_add(club=club, one=one, two=three, kind=kind, actor=TESTS)


def test_everybody_can_read_the_public_pages(phone: Page, axe: Check, club: Club) -> None:
    player = Member.objects.earliest("pk").pk
    look(phone, axe, [*PUBLIC, f"{CLUB}players/{player}/"])
    second = link(Evening.objects.get(date=dt.date(2026, 11, 21)), 2)
    look(phone, axe, [second, f"{second}rounds/1/deals/1/"])
    look(phone, axe, ["/nergens/"], status=404)


@pytest.mark.full
def test_everybody_can_read_the_other_public_pages(phone: Page, axe: Check, club: Club) -> None:
    player = Member.objects.earliest("pk").pk
    evening = Evening.objects.get(date=dt.date(2026, 11, 21))
    players = [f"{CLUB}players/{player}/met/", f"{CLUB}{LIVE}players/{player}/"]
    look(phone, axe, [*MORE_PUBLIC, *players])
    first, second = link(evening, 1), link(evening, 2)
    look(phone, axe, [first, f"{second}rounds/1/dispute/NS/"])
    look(phone, axe, ["/t/onbekend/"], status=404)


@pytest.mark.full
def test_everybody_can_work_at_the_desk(
    desktop: Page, axe: Check, club: Club, live_server: LiveServer
) -> None:
    log_in(desktop, club, live_server.url)
    planned = Evening.objects.get(date=dt.date(2026, 11, 28))
    kind = kind_add(club=club, name="Koppel", start=start_of(planned), actor=TESTS)
    day = PlannedEvening(
        date=dt.date(2026, 12, 5), starts_at=None, season=None, start=start_of(planned)
    )
    series = evenings_plan(club=club, evenings=[day], actor=TESTS)
    look(desktop, axe, [path.format(kind=kind.pk, series=series) for path in DESK])


@pytest.mark.full
def test_everybody_can_manage_members_and_their_own_account(
    phone: Page, axe: Check, live_server: LiveServer
) -> None:
    club = ClubFactory.create()
    jan = MemberFactory.create(club=club, name="Jan van der Meer")
    MemberFactory.create(club=club, name="Piet Gast", kind=Member.Kind.GUEST)
    invitation = invitation_make(club=club, email="w@example.org", kind="director", actor=TESTS)
    log_in(phone, club, live_server.url)
    pages = [reverse(name, args=[club.slug]) for name in PEOPLE]
    about_jan = ("member_edit", "member_data", "member_erase")
    pages += [reverse(name, args=[club.slug, jan.pk]) for name in about_jan]
    pages += [reverse("team_invitation", args=[club.slug, invitation.uuid])]
    pages += [*(reverse(name) for name in OWN), *HELP]
    User.objects.update(email_wanted="ans@new.example")
    user = User.objects.get()
    pages += [
        reverse("account_email_confirm", args=[address_links.code(user)]),
        reverse("login_link", args=[login_links.code(user)]),
    ]
    look(phone, axe, pages)


@pytest.mark.full
def test_everybody_can_start_a_club_and_run_a_server_of_them(
    phone: Page, axe: Check, live_server: LiveServer, settings: Settings
) -> None:
    settings.SIGN_UP, settings.TERMS, settings.PRIVACY = True, "Wees aardig.", "Niets."
    club = ClubFactory.create()
    shut = ClubFactory.create(slug="dicht", name="De Dichte Boer")
    club_let_go(club=shut, actor=TESTS)
    known = organiser_of(club).email
    links = [reverse("sign_up_club", args=[sign_up_code(to)]) for to in ("w@example.org", known)]
    look(phone, axe, ["/", "/start/", "/terms/", "/privacy/", *links])
    look(phone, axe, ["/start/onzin/"], status=410)

    log_in(phone, club, live_server.url)
    look(phone, axe, [links[0]])
    settings.OPERATORS = [*User.objects.values_list("email", flat=True)]
    User.objects.update(email_proved_at=timezone.now())
    look(phone, axe, ["/operator/", "/operator/vrolijke-boer/", "/operator/dicht/"])
    club_suspend(club=club, actor=TESTS)
    look(phone, axe, [f"{CLUB}desk/"], status=403)
    look(phone, axe, [reverse("copy_home", args=[club.slug])])


@pytest.mark.full
def test_everybody_can_change_a_draw_and_fill_a_table(
    phone: Page, axe: Check, live_server: LiveServer
) -> None:
    evening = evening_with_draw(players=11, method="typed_in", started=False, deals_per_round=1)
    log_in(phone, evening.club, live_server.url)
    desk = f"{CLUB}desk/{LIVE}"
    look(phone, axe, [f"{desk}rounds/1/twice/"])
    second = Member.objects.get(number=2)
    extra_table_make(evening_id=evening.pk, round_number=1, twice=[second], actor=TESTS)
    look(phone, axe, [f"{desk}draw/"])
    leaving = Member.objects.get(number=3)
    late = MemberFactory.create(club=evening.club, name="Zeno Zwart")
    for member, present in ((leaving, False), (late, True)):
        presence_set(evening_id=evening.pk, member=member, present=present, actor=TESTS)
    changed = ["draw/change/", f"draw/change/?who={leaving.pk}", "draw/", "present/"]
    look(phone, axe, [f"{desk}{path}" for path in changed])
    evening.rounds.update(state="draft")
    look(phone, axe, [f"{desk}draw/"])


def entered(club: Club) -> Evening:
    """Pairs enter for an evening: one is in and half of it here, one waits, one withdrew, one is
    not confirmed; a team of the club plays on it."""
    evening = EveningFactory.create(club=club, date=dt.date(2026, 12, 4), method="pairs")
    open_entries(evening, kind="pair", maximum=1)
    first = enter(evening, "Jan Bakker", "Mia Kok", email="jan@example.org", remark="rolstoel")
    enter(evening, "Piet Smit", "Riet Bos")
    entry_withdraw(entry=enter(evening, "Wil Ham"), actor=TESTS)
    Entry.objects.create(evening=evening, kind="pair", number=9, phone="0612345678")
    person = first.people.get(place=1)
    person_arrive(evening_id=evening.pk, person_id=person.pk, actor=TESTS)
    door_make(evening_id=evening.pk, actor=TESTS)
    return evening


PAIRS_PATHS = ["competitors/", "competitors/{pair}/", "competitors/{pair}/remove/"]
SEASON_PATHS = ["seasons/2026-2027/corrections/", f"{CLOSED}corrections/", f"{CLOSED}next-session/"]
ENTRY_PATHS = [
    f"evenings/2026-12-04/{path}"
    for path in (
        *("entries/", "entries/?show=withdrawn", "entries/settings/", "entries/add/"),
        *("entries/list/", "entries/door/", "entries/arrive/", "entries/throw-away/"),
        *("entries/{entry}/", "entries/{entry}/withdraw/", "pairs/", "pairs/numbers/", "teams/"),
    )
]


@pytest.mark.full
def test_everybody_can_enter_and_play_in_pairs_and_teams(
    phone: Page, axe: Check, club: Club, live_server: LiveServer
) -> None:
    evening = entered(club)
    night = f"{CLUB}evenings/2026-12-04/"
    entry = evening.entries.get(number=1)
    evening.refresh_from_db()
    own = [entry_path(entry, MAILED), f"{entry_path(entry, MAILED)}?withdraw"]
    door = door_path(evening.entry_list)
    look(phone, axe, [CLUB, night, f"{night}enter/", f"{night}enter/sent/", *own])
    look(phone, axe, [door, f"{door}?q=bakker", f"{CLUB}calendar/"])
    pair = competitor_create(
        club=club,
        kind="pair",
        name="De Buren van de Dorpsstraat",
        people=list(Member.objects.of(club)[:2]),
        since=dt.date(2026, 9, 1),
        actor=TESTS,
    )
    season = Season.objects.get()
    competitor_correct(season=season, competitor=pair, points=-50, reason="te laat", actor=TESTS)
    log_in(phone, club, live_server.url)
    desk = [
        f"{CLUB}desk/{path.format(pair=pair.pk, entry=entry.pk)}"
        for path in (*ENTRY_PATHS, *PAIRS_PATHS, *SEASON_PATHS)
    ]
    look(phone, axe, [*desk, f"{CLUB}competitors/{pair.pk}/"])


def look(page: Page, axe: Check, paths: list[str], *, status: int = 200) -> None:
    """Open every page; the faults of all of them together are the failure."""
    faults = {}
    for path in paths:
        response = page.goto(path)
        assert response is not None
        assert (path, response.status) == (path, status)
        try:
            axe(page)
        except AssertionError as error:
            faults[path] = str(error)
        assert page.viewport_size is not None
        if page.evaluate("document.documentElement.scrollWidth") > page.viewport_size["width"]:
            faults[path] = f"{faults.get(path, '')} It is wider than the screen."
    assert faults == {}
