"""Every named constraint of tournaments, by trying to break it in the database itself."""

import datetime as dt
from collections.abc import Callable
from functools import partial

import pytest
from django.utils import timezone

from clubs.models import Member
from scoring.sheets.services import sheets_create
from tests.constraints import constraint_names, not_refused
from tests.factories import (
    EveningFactory,
    MemberFactory,
    evening_with_draw,
    table,
)
from tournaments.models import (
    CameraLink,
    ClubText,
    Competitor,
    CompetitorCorrection,
    CompetitorMember,
    CompetitorResult,
    Copy,
    CopyFolder,
    CopyPiece,
    CoupleRule,
    Cup,
    CupWin,
    Evening,
    EveningKind,
    EveningPair,
    EveningPhoto,
    FeePayment,
    FeeYear,
    HallScreen,
    MailReceiver,
    MemberMail,
    Package,
    PastResult,
    PersonCorrection,
    PhotoPerson,
    PinGuard,
    Placement,
    PlayOffScore,
    PotEntry,
    PrizeGiven,
    Rating,
    Registration,
    Release,
    Round,
    Season,
    SeasonFile,
    SeasonRule,
    SheetPhoto,
    Table,
    TableDevice,
    TableToken,
)

pytestmark = [pytest.mark.django_db, pytest.mark.both]


def season(evening: Evening, slug: str = "x", **given: object) -> Season:
    return Season.objects.create(club=evening.club, name="x", slug=slug, **given)


def sheet_photo(evening: Evening, **given: object) -> SheetPhoto:
    row = {"evening": evening, "sha256": "a"} | given
    return SheetPhoto.objects.create(**row)


def first_round(evening: Evening) -> Round:
    return evening.rounds.get(number=1)


def sheetless(evening: Evening, number: int) -> Table:
    regulation = table(evening).sheet.regulation
    (sheet,) = sheets_create(club=evening.club, regulation=regulation, deals=1, seatings=[{}])
    return Table.objects.create(round=first_round(evening), number=number, sheet=sheet)


def placed(evening: Evening, **given: object) -> Placement:
    row = {"round": first_round(evening), "member": MemberFactory.create(club=evening.club)}
    return Placement.objects.create(**row | given)


def past(evening: Evening, **given: object) -> PastResult:
    row = {"evening": evening, "member": Member.objects.get(number=1), "score": 1}
    return PastResult.objects.create(**row | given)


def competitor(evening: Evening, name: str = "x", kind: str = "team") -> Competitor:
    return Competitor.objects.create(club=evening.club, kind=kind, name=name)


def of_team(evening: Evening, times: int = 1, **given: object) -> list[CompetitorMember]:
    team = competitor(evening)
    row = {"competitor": team, "member": first_member(), "since": dt.date(2026, 9, 5)} | given
    return [CompetitorMember.objects.create(**row) for _ in range(times)]


def team_result(evening: Evening, times: int = 1, **given: object) -> list[CompetitorResult]:
    row = {"evening": evening, "competitor": competitor(evening), "score": 1} | given
    return [CompetitorResult.objects.create(**row) for _ in range(times)]


def evening_pairs(evening: Evening, *numbers: int) -> list[EveningPair]:
    pairs = [competitor(evening, name, "pair") for name in "xy"]
    return [
        EveningPair.objects.create(evening=evening, number=number, competitor=pair)
        for number, pair in zip(numbers, pairs, strict=False)
    ]


def same_pair(evening: Evening, *numbers: int) -> None:
    pair = competitor(evening, kind="pair")
    for number in numbers:
        EveningPair.objects.create(evening=evening, number=number, competitor=pair)


def couple(one: int, two: int, kind: str = "apart") -> CoupleRule:
    people = [Member.objects.get(number=number) for number in (one, two)]
    return CoupleRule.objects.create(club=people[0].club, one=people[0], two=people[1], kind=kind)


def release(evening: Evening, number: int) -> Release:
    return Release.objects.create(evening=evening, number=number, standings=[])


def phone(evening: Evening, **given: object) -> TableDevice:
    row = {"round_number": 1, "digest": "x", "number": 1, "last_at": timezone.now()} | given
    return TableDevice.objects.create(evening=evening, table_number=1, **row)


def kind(evening: Evening, name: str = "x") -> EveningKind:
    regulation = evening.regulation
    assert regulation is not None
    return EveningKind.objects.create(club=evening.club, name=name, regulation=regulation)


def corrected(night: Evening, **given: object) -> PersonCorrection:
    row = {"evening": night, "member": Member.objects.get(number=1), "points": -100}
    return PersonCorrection.objects.create(**row | given)


def cup(evening: Evening, **given: object) -> Cup:
    return Cup.objects.create(club=evening.club, **{"name": "x"} | given)


def won(cup: Cup, day: dt.date = dt.date(2026, 6, 1)) -> CupWin:
    return CupWin.objects.create(cup=cup, member=Member.objects.get(number=1), won_on=day)


def club_text(evening: Evening, kind: str = "message", language: str = "nl") -> ClubText:
    return ClubText.objects.create(club=evening.club, kind=kind, language=language, wording="x")


def copy(evening: Evening, **given: int) -> Copy:
    return Copy.objects.create(club=evening.club, kind="made", name="x", **given)


def rating(evening: Evening, sigma: float = 1) -> Rating:
    member = Member.objects.get(number=1)
    return Rating.objects.create(evening=evening, member=member, mu=0, sigma=sigma)


def first_member() -> Member:
    return Member.objects.get(number=1)


def fee(evening: Evening, times: int = 1, **given: object) -> list[FeePayment]:
    each = season(evening)
    return [
        FeePayment.objects.create(season=each, member=first_member(), **given) for _ in range(times)
    ]


def fee_year(evening: Evening, year: int = 2027) -> FeeYear:
    return FeeYear.objects.create(club=evening.club, year=year)


def fee_of_year(evening: Evening, times: int = 1, **given: object) -> list[FeePayment]:
    year = fee_year(evening)
    return [
        FeePayment.objects.create(fee_year=year, member=first_member(), **given)
        for _ in range(times)
    ]


def package(evening: Evening, **given: object) -> Package:
    row = {"bought_on": DAY, "evenings": 10, "price": 4000}
    return Package.objects.create(club=evening.club, member=first_member(), **row | given)


def pot_entry(evening: Evening, **given: object) -> PotEntry:
    row = {"booked_on": DAY, "what": "x", "cents": 1}
    return PotEntry.objects.create(season=season(evening), **row | given)


def prize(here: Evening, times: int = 1, **given: object) -> list[PrizeGiven]:
    row = {"club": here.club, "member": first_member(), "key": "place-1", "what": "x"} | given
    return [PrizeGiven.objects.create(**row) for _ in range(times)]


def receivers(evening: Evening, times: int = 1, **given: object) -> list[MailReceiver]:
    sent = MemberMail.objects.create(club=evening.club, subject="x", text="x")
    return [sent.receivers.create(member=first_member(), **given) for _ in range(times)]


DAY = dt.date(2026, 9, 5)

BREAKS: dict[str, Callable[[Evening], object]] = {
    "season_slug_once_per_club": lambda evening: [season(evening), season(evening)],
    "season_ends_after_it_starts": lambda evening: season(
        evening, starts=dt.date(2026, 9, 2), ends=dt.date(2026, 9, 1)
    ),
    "season_starts_within_reach": lambda evening: season(evening, starts=dt.date(1899, 12, 31)),
    "season_ends_within_reach": lambda evening: season(evening, ends=dt.date(9999, 12, 31)),
    "season_rule_position_once": lambda evening: [
        SeasonRule.objects.create(season=each, name="x")
        for each in [season(evening)]
        for _ in range(2)
    ],
    "sheet_photo_once_per_evening": lambda evening: [sheet_photo(evening) for _ in range(2)],
    "sheet_photo_one_of_a_page": lambda evening: [
        sheet_photo(evening, sha256=name, sheet=table(evening).sheet, page=1, state="read")
        for name in "ab"
    ],
    "sheet_photo_state_known": lambda evening: sheet_photo(
        evening, state="lost", sheet=table(evening).sheet, page=1
    ),
    "sheet_photo_refused_for_a_reason": lambda evening: sheet_photo(evening, state="refused"),
    "sheet_photo_read_of_a_page": lambda evening: sheet_photo(evening, state="read"),
    "photo_person_once": lambda evening: [
        PhotoPerson.objects.create(photo=photo, member=evening.club.members.all()[0])
        for photo in [EveningPhoto.objects.create(evening=evening, jpeg=b"", width=1, height=1)]
        for _ in range(2)
    ],
    "evening_kind_name_once": lambda evening: [kind(evening) for _ in range(2)],
    "evening_kind_has_a_name": lambda evening: kind(evening, name=""),
    "evening_once_per_club_and_date": lambda evening: [
        EveningFactory.create(club=evening.club),
        Evening.objects.update(sequence=1),
    ],
    "evening_date_within_reach": lambda _: Evening.objects.update(date=dt.date(9999, 12, 31)),
    "evening_sequence_1_to_99": lambda _: Evening.objects.update(sequence=100),
    "evening_state_known": lambda _: Evening.objects.update(state="lost"),
    "evening_method_known": lambda _: Evening.objects.update(method="dice"),
    "evening_leftover_known": lambda _: Evening.objects.update(leftover="home"),
    "evening_interim_known": lambda _: Evening.objects.update(interim="luck"),
    "evening_rounds_1_to_40": lambda _: Evening.objects.update(rounds_planned=41),
    "evening_table_from_1": lambda _: Evening.objects.update(first_table=0),
    "evening_pair_movement_known": lambda _: Evening.objects.update(pair_movement="x"),
    "evening_deals_1_to_99": lambda _: Evening.objects.update(deals_per_round=0),
    "evening_has_a_regulation_unless_history": lambda _: Evening.objects.update(regulation=None),
    "evening_target_162_to_5000": lambda _: Evening.objects.update(target=5_001),
    "evening_first_dealer_known": lambda _: Evening.objects.update(first_dealer="x"),
    "evening_roem_by_known": lambda _: Evening.objects.update(roem_by="x"),
    "evening_reneging_until_known": lambda _: Evening.objects.update(reneging_until="x"),
    "evening_writing_known": lambda _: Evening.objects.update(writing="x"),
    "evening_sit_out_as_known": lambda _: Evening.objects.update(sit_out_as="x"),
    "evening_sit_out_pits_at_most_16": lambda _: Evening.objects.update(sit_out_pits=17),
    "evening_leaving_known": lambda _: Evening.objects.update(leaving="x"),
    "season_rule_changed_for_a_reason": lambda evening: season(evening).rules.create(
        name="x", reason="x"
    ),
    "person_correction_of_evening_or_season": lambda evening: corrected(evening, evening=None),
    "person_correction_of_some_points": lambda evening: corrected(evening, points=0),
    "competitor_correction_of_some_points": lambda evening: CompetitorCorrection.objects.create(
        season=season(evening), competitor=competitor(evening), points=0
    ),
    "evening_tie_known": lambda _: Evening.objects.update(tie="x"),
    "play_off_score_once_per_member": lambda evening: [
        PlayOffScore.objects.create(evening=evening, member=Member.objects.get(number=1), score=100)
        for _ in range(2)
    ],
    "registration_once_per_evening": lambda evening: Registration.objects.create(
        evening=evening, member=Member.objects.get(number=1)
    ),
    "registration_absence_known": lambda _: Registration.objects.update(
        present=False, absence="ill"
    ),
    "registration_present_or_absent": lambda _: Registration.objects.update(absence="notice"),
    "registration_pair_from_1": lambda _: Registration.objects.update(pair=0),
    "registration_package_is_paid": lambda evening: Registration.objects.update(
        package=package(evening), paid=None
    ),
    "fee_payment_once_a_year": lambda evening: fee_of_year(evening, 2),
    "fee_payment_of_season_or_year": lambda evening: fee_of_year(evening, season=season(evening)),
    "fee_year_once": lambda evening: [fee_year(evening), fee_year(evening)],
    "fee_year_within_reach": lambda evening: fee_year(evening, 1899),
    "fee_payment_once": lambda evening: fee(evening, 2),
    "fee_payment_rate_known": lambda evening: fee(evening, rate="x"),
    "fee_payment_on_a_day": lambda evening: fee(evening, paid=100),
    "package_evenings_1_to_200": lambda evening: package(evening, evenings=0),
    "package_within_reach": lambda evening: package(evening, bought_on=dt.date(2200, 1, 1)),
    "pot_entry_in_or_out": lambda evening: pot_entry(evening, cents=0),
    "pot_entry_says_what": lambda evening: pot_entry(evening, what=""),
    "pot_entry_within_reach": lambda evening: pot_entry(evening, booked_on=dt.date(2200, 1, 1)),
    "prize_of_evening_given_once": lambda evening: prize(evening, 2, evening=evening),
    "prize_of_season_given_once": lambda evening: prize(evening, 2, season=season(evening)),
    "prize_of_evening_or_season": prize,
    "prize_given_says_what": lambda evening: prize(evening, evening=evening, what=""),
    "mail_receiver_once": lambda evening: receivers(evening, 2),
    "mail_receiver_state_known": lambda evening: receivers(evening, state="x"),
    "past_result_once_per_round": lambda evening: [past(evening, round=1) for _ in range(2)],
    "past_result_once_per_evening": lambda evening: [past(evening) for _ in range(2)],
    "past_result_score_or_absence": lambda evening: past(evening, absence="notice"),
    "competitor_name_once": lambda evening: [competitor(evening, name) for name in ("Éva", "éva")],
    "competitor_kind_known": lambda evening: competitor(evening, kind="club"),
    "competitor_has_a_name": lambda evening: competitor(evening, ""),
    "competitor_member_once_at_a_time": lambda evening: of_team(evening, 2),
    "competitor_member_until_after_since": lambda evening: of_team(
        evening, until=dt.date(2026, 9, 4)
    ),
    "competitor_member_within_reach": lambda evening: of_team(evening, since=dt.date(1899, 1, 1)),
    "competitor_result_once_per_round": lambda evening: team_result(evening, 2, round=1),
    "competitor_result_once_per_evening": lambda evening: team_result(evening, 2),
    "competitor_result_score_or_absence": lambda evening: team_result(evening, absence="none"),
    "evening_pair_number_once": lambda evening: evening_pairs(evening, 1, 1),
    "evening_pair_competitor_once": lambda evening: same_pair(evening, 1, 2),
    "evening_pair_from_1": lambda evening: evening_pairs(evening, 0),
    "evening_ranks_known": lambda _: Evening.objects.update(ranks="club"),
    "evening_team_best_from_1": lambda _: Evening.objects.update(team_best=0),
    "couple_rule_once_per_couple": lambda _: [couple(1, 2) for _ in range(2)],
    "couple_rule_lower_id_first": lambda _: couple(2, 1),
    "couple_rule_kind_known": lambda _: couple(1, 2, kind="x"),
    "rating_once_per_evening": lambda evening: [rating(evening) for _ in range(2)],
    "rating_never_certain": lambda evening: rating(evening, sigma=0),
    "cup_name_once_per_club": lambda evening: [cup(evening) for _ in range(2)],
    "cup_kept_from_1_win": lambda evening: cup(evening, wins_to_keep=0),
    "cup_won_once_a_day": lambda evening: [won(each) for each in [cup(evening)] for _ in range(2)],
    "cup_won_within_reach": lambda evening: won(cup(evening), dt.date(2200, 1, 1)),
    "club_text_once_per_kind_and_language": lambda evening: [club_text(evening) for _ in range(2)],
    "club_text_kind_known": lambda evening: club_text(evening, kind="letter"),
    "club_text_language_known": lambda evening: club_text(evening, language="fr"),
    "release_number_once": lambda evening: [release(evening, 1) for _ in range(2)],
    "release_number_from_1": lambda evening: release(evening, 0),
    "round_once_per_evening": lambda evening: Round.objects.create(evening=evening, number=1),
    "round_state_known": lambda _: Round.objects.update(state="lost"),
    "round_drawn_by_known": lambda _: Round.objects.update(drawn_by="dice"),
    "round_number_from_1": lambda evening: Round.objects.create(evening=evening, number=0),
    "table_number_once_per_round": lambda evening: sheetless(evening, 1),
    "table_number_from_1": lambda evening: sheetless(evening, 0),
    "placement_once_per_round": lambda evening: placed(
        evening, member=Member.objects.get(number=1)
    ),
    "placement_seat_once": lambda evening: placed(evening, table=table(evening), seat="N"),
    "placement_at_a_seat_or_out": lambda evening: placed(evening, seat="N"),
    "table_token_one_valid_per_side": lambda evening: TableToken.objects.create(
        evening=evening, table_number=1, generation=2, digest="x"
    ),
    "table_token_side_known": lambda _: TableToken.objects.update(side="N"),
    "table_device_once_per_round": lambda evening: [phone(evening, number=n) for n in (1, 2)],
    "table_device_number_once": lambda evening: [phone(evening, digest=key) for key in "xy"],
    "table_device_side_known": lambda evening: phone(evening, side="N"),
    "table_device_number_from_1": lambda evening: phone(evening, number=0),
    "season_file_done_of_all": lambda evening: SeasonFile.objects.create(
        season=season(evening), done=2, parts=1
    ),
    "copy_done_of_a_hundred": lambda evening: copy(evening, done=101),
    "copy_piece_number_once": lambda evening: [
        CopyPiece.objects.create(copy=each, number=0, content=b"x")
        for each in [copy(evening)]
        for _ in range(2)
    ],
    "copy_folder_at_most_one": lambda _: CopyFolder.objects.create(pk=2, path="/x"),
    "hall_scene_known": lambda evening: HallScreen.objects.create(evening=evening, scene="x"),
    "hall_clock_minutes_1_to_300": lambda evening: HallScreen.objects.create(
        evening=evening, clock_minutes=0
    ),
    "hall_clock_runs_or_stands": lambda evening: HallScreen.objects.create(
        evening=evening, clock_ends_at=timezone.now(), clock_left=60
    ),
    "hall_end_of_a_message": lambda evening: HallScreen.objects.create(
        evening=evening, message_until=timezone.now()
    ),
    "pin_guard_once_per_table": lambda evening: [
        PinGuard.objects.create(evening=evening, table_number=1) for _ in range(2)
    ],
}


def test_the_database_holds() -> None:
    evening = evening_with_draw(players=4, rounds=1, method="typed_in")
    breaks = {name: partial(act, evening) for name, act in BREAKS.items()}
    assert not_refused(breaks) == []


def test_every_constraint_is_tried() -> None:
    models = (
        *(Season, SeasonRule, EveningKind, Evening, Registration, PastResult, Release),
        *(ClubText, CoupleRule, Cup, CupWin, SeasonFile, PlayOffScore, PersonCorrection, Rating),
        *(CameraLink, EveningPhoto, PhotoPerson, HallScreen, SheetPhoto),
        *(Competitor, CompetitorCorrection, CompetitorMember, CompetitorResult, EveningPair),
        *(FeePayment, FeeYear, Package, PotEntry, PrizeGiven, MailReceiver),
        *(Copy, CopyFolder, CopyPiece),
        *(Round, Table, Placement, TableToken, TableDevice, PinGuard),
    )
    assert constraint_names(*models) == set(BREAKS)
