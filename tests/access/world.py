"""A club with something of everything in it, each thing carrying the club's own word."""

import datetime as dt
import uuid
from dataclasses import asdict, dataclass, field
from decimal import Decimal
from functools import partial
from io import BytesIO
from typing import Any

from PIL import Image

from clubs.accounts.invitations import invitation_make
from clubs.accounts.services import token_make
from clubs.members.imports import upload_keep, upload_source
from clubs.members.services import member_create
from clubs.merges.services import guest_merge
from clubs.models import Club, Invitation, Member, MemberMerge, Role, Upload, User
from clubs.profile.services import club_create, logo_choose, role_grant
from scoring.deals.services import deal_write
from scoring.disputes.submissions import deal_submit, sheet_answer
from scoring.models import DealClaim, Regulation
from tests.factories import TESTS, EveningFactory, regulation_of, table, type_in, write_deal
from tournaments.closing.services import evening_close
from tournaments.draw.services import draw_publish
from tournaments.duplicate.night_results import release_make
from tournaments.duplicate.nights import night_make
from tournaments.entries.arrivals import door_make
from tournaments.entries.services import entries_add
from tournaments.evenings.kinds import kind_add, start_of
from tournaments.imports.results import results_plan
from tournaments.imports.uploads import uploaded_results_import
from tournaments.leagues.lineups import captain_link_make, line_up_write
from tournaments.leagues.matches import fixtures_draw, results_write
from tournaments.leagues.people import (
    number_elsewhere_write,
    person_confirm,
    person_link_make,
)
from tournaments.leagues.pulling import pull_link_make, source_add
from tournaments.leagues.ranked_results import RankingRow
from tournaments.leagues.rankings import RULE as RANKING_RULE
from tournaments.leagues.rankings import list_seal
from tournaments.leagues.season_end import penalty_give
from tournaments.leagues.services import (
    about,
    league_audit,
    league_create,
    league_season_create,
)
from tournaments.leagues.teams import TeamLine, teams_add
from tournaments.models import (
    Competitor,
    Copy,
    CoupleRule,
    Cup,
    CupWin,
    Division,
    Evening,
    LeagueMatch,
    LeaguePlayer,
    LeagueRanking,
    MemberMail,
    Package,
    PotEntry,
    PrizeGiven,
    RankingList,
    SeasonFile,
    SeasonRule,
    SheetPhoto,
    TableToken,
)
from tournaments.models.entry import Wish
from tournaments.money.services import fee_note, fee_year_open, package_add, pot_entry_add
from tournaments.photos.services import photo_people, photo_show
from tournaments.prizes.given import cup_add, cup_win_add
from tournaments.ratings.services import ratings_make
from tournaments.registration.check_in import presence_replace
from tournaments.registration.competitors import competitor_create
from tournaments.registration.pairs import couple_rule_add
from tournaments.rounds.services import round_close, round_start
from tournaments.seasons.services import season_create, season_rule_add
from tournaments.sheet_photos.services import camera_make
from tournaments.table_links.devices import device_pair
from tournaments.table_links.services import links_ensure, token_secret

RULE = {"best_per_period": 4}


@dataclass
class World:
    """A club where `word` is part of every name: nine members, a season with an evening that is
    published, and one that is being played at two tables."""

    word: str
    date: dt.date
    club: Club = field(init=False)
    people: list[Member] = field(init=False)
    tonight: Evening = field(init=False)

    def __post_init__(self) -> None:
        self.club = club_create(slug=self.word, name=f"Club {self.word}", actor=TESTS)
        self.people = [self._member(f"Jan {self.word}{n}", n) for n in range(1, 10)]
        self.season = season_create(club=self.club, name=f"Seizoen {self.word}", actor=TESTS)
        self.rule = self._rule()
        self.past = self._past()
        self.tonight = self._evening(self.date, f"Avond {self.word}", rounds=2)
        self.token = self._link()
        self.claim = self._written()
        self.staff = {kind: self._user(kind) for kind in Role.Kind.values}
        self.role = Role.objects.get(user=self.staff["scorekeeper"])
        boss = self.staff["organiser"]
        made = token_make(user=boss, name=self.word, scopes=["read"], actor=TESTS)
        self.api_token = made.token
        self._club_things()
        self._entries()
        self._league(boss)

    def _user(self, kind: str) -> User:
        email = f"{kind}@{self.word}.example"
        role_grant(club=self.club, email=email, kind=kind, name=f"{kind} {self.word}", actor=TESTS)
        return User.objects.get(email=email)

    def _member(self, name: str, number: int | None = None, **more: Any) -> Member:
        email = f"{name.replace(' ', '.')}@{self.word}.example"
        return member_create(
            club=self.club, name=name, number=number, email=email, actor=TESTS, **more
        )

    def _rule(self) -> SeasonRule:
        return season_rule_add(
            season=self.season, name=f"Beste {self.word}", settings=RULE, actor=TESTS
        )

    def _evening(self, date: dt.date, name: str, rounds: int = 1) -> Evening:
        plan = {"season": self.season, "rounds_planned": rounds, "deals_per_round": 2}
        evening = EveningFactory.create(
            club=self.club, date=date, name=name, method=Evening.Method.TYPED_IN, **plan
        )
        presence_replace(evening_id=evening.pk, members=self.people, actor=TESTS)
        type_in(evening, self.people)
        draw_publish(evening_id=evening.pk, actor=TESTS)
        round_start(round_id=evening.rounds.get(number=1).pk, actor=TESTS)
        return Evening.objects.get(pk=evening.pk)

    def _past(self) -> Evening:
        past = self._evening(self.date - dt.timedelta(days=7), f"Vorige {self.word}")
        for number, deal in [(1, 1), (1, 2), (2, 1), (2, 2)]:
            write_deal(table(past, number), deal)
        round_close(round_id=past.rounds.get().pk, actor=TESTS)
        evening_close(evening_id=past.pk, actor=TESTS)
        ratings_make(club_id=self.club.pk)
        return past

    def _link(self) -> TableToken:
        links_ensure(evening=self.tonight)
        token = TableToken.objects.get(evening=self.tonight, table_number=1)
        device_pair(token=token, key="k" * 32, round_number=1, name=f"Telefoon {self.word}")
        return token

    def _written(self) -> DealClaim:
        """Table 1 is full and disputed, its deal 1 is claimed otherwise; table 2 has one deal."""
        one, two = table(self.tonight, 1), table(self.tonight, 2)
        write_deal(one, 1)
        write_deal(one, 2)
        write_deal(two, 1)
        say = partial(deal_submit, sheet_id=one.sheet_id, number=1, seen_version=0, actor=TESTS)
        other = {"declarer": "NS", "trump": "S", "points": {"NS": 100}}
        claim = say(uuid=uuid.uuid4(), written=other, device="t9").claim
        assert claim is not None
        deal_write(
            sheet_id=one.sheet_id,
            number=2,
            seen_version=1,
            uuid=uuid.uuid4(),
            written={"declarer": "EW", "trump": "C", "points": {"NS": 62}},
            reason=f"Verteld {self.word}",
            actor=TESTS,
        )
        one.sheet.refresh_from_db()
        self.dispute = sheet_answer(
            sheet_id=one.sheet_id,
            side="NS",
            seen_version=one.sheet.version,
            agrees=False,
            note=f"Nee {self.word}",
            actor=TESTS,
        )
        return claim

    def _club_things(self) -> None:
        self.pair: Competitor = competitor_create(
            club=self.club,
            kind="pair",
            name=f"Paar {self.word}",
            people=self.people[:2],
            since=dt.date(2026, 1, 3),
            actor=TESTS,
        )
        self.cup: Cup = cup_add(club=self.club, name=f"Beker {self.word}", actor=TESTS)
        self.win: CupWin = cup_win_add(
            cup=self.cup, member=self.people[0], won_on=dt.date(2026, 1, 3), actor=TESTS
        )
        self._money()
        one, two = self.people[0], self.people[8]
        self.couple = couple_rule_add(
            club=self.club, one=one, two=two, kind=CoupleRule.Kind.APART, actor=TESTS
        )
        self.guest = self._member(f"Gast {self.word}", kind=Member.Kind.GUEST)
        twin = self._member(f"Dubbel {self.word}", kind=Member.Kind.GUEST)
        self.merge: MemberMerge = guest_merge(guest=twin, member=self.people[8], actor=TESTS)
        self.invitation: Invitation = invitation_make(
            club=self.club, email=f"wim@{self.word}.example", kind="director", actor=TESTS
        )
        self.job = SeasonFile.objects.create(
            season=self.season, what="booklet", content=b"%PDF-1.4 " + bytes(self.word, "ascii")
        )
        # A press on "make" finds this one, which seems to be under way, and starts no thread.
        SeasonFile.objects.create(season=self.season, what="booklet")
        self.copy = Copy.objects.create(
            club=self.club, kind="made", state="ready", name=f"{self.word}.club", size=4
        )
        self.copy.pieces.create(number=0, content=b"copy")
        self.regulation: Regulation = regulation_of(self.club, "rotterdam")
        start = start_of(self.tonight)
        self.kind = kind_add(club=self.club, name=f"Soort {self.word}", start=start, actor=TESTS)
        self.series = uuid.uuid4()
        Evening.objects.filter(pk=self.past.pk).update(series=self.series)
        picture = BytesIO()
        Image.new("RGB", (40, 40), "red").save(picture, "PNG")
        logo_choose(club=self.club, content=picture.getvalue(), actor=TESTS)
        winner = photo_people(self.past)[0]
        photo_show(evening=self.past, content=picture.getvalue(), people=[winner.pk], actor=TESTS)
        self.camera = camera_make(evening_id=self.tonight.pk, actor=TESTS)
        self.photo = SheetPhoto.objects.create(
            evening=self.tonight,
            sheet=table(self.tonight, 2).sheet,
            page=1,
            content=picture.getvalue(),
            state="read",
        )
        self._uploads()

    def _entries(self) -> None:
        """Somebody of the club and somebody else entered for tonight; there is a door."""
        wishes = [
            Wish(people=[f"Jan {self.word}1"], remark=f"Later {self.word}"),
            Wish(people=[f"Vreemd {self.word}"], email=f"vreemd@{self.word}.example"),
        ]
        self.entry, _other = entries_add(evening_id=self.tonight.pk, wishes=wishes, actor=TESTS)
        self.entry_list = door_make(evening_id=self.tonight.pk, actor=TESTS)

    def _league(self, leader: User) -> None:
        """A league of this club's own teams, drawn; one of them has a player and a result."""
        self.league = league_create(name=f"Competitie {self.word}", leader=leader, actor=TESTS)
        name = f"Jaar {self.word}"
        season = league_season_create(league=self.league, name=name, actor=TESTS)
        self.division: Division = season.divisions.get()
        lines = [TeamLine(f"{self.word} {n}", self.club.name) for n in range(1, 5)]
        teams_add(division=self.division, lines=lines, actor=TESTS)
        fixtures_draw(division=self.division, seed=1, first=self.date, actor=TESTS)
        self.match = LeagueMatch.objects.select_related("day__division__season", "home").filter(
            day__division=self.division
        )[0]
        results_write(
            day=self.match.day,
            results={self.match.pk: [(1400, 1300), (1400, 1300)]},
            versions={self.match.pk: self.match.version},
            actor=TESTS,
        )
        LeaguePlayer.objects.create(team=self.match.home, name=f"Speler {self.word}")
        made = pull_link_make(club=self.club, league=self.league.slug, actor=TESTS)
        self.pull = made.path.split("/")[2]
        address = f"https://{self.word}.example/events/x/"
        self.source = source_add(league=self.league, address=address, actor=TESTS)
        self.night = night_make(
            league=self.league,
            name=f"Nacht {self.word}",
            date=dt.date(2026, 11, 21),
            clubs=2,
            actor=TESTS,
        )
        release_make(self.night, TESTS)
        self.penalty = penalty_give(
            team=self.match.home, points=Decimal(1), reason=f"Te laat {self.word}", actor=TESTS
        )
        self.captain_link = captain_link_make(team=self.match.home, actor=TESTS)
        coming = LeagueMatch.objects.select_related(
            "home__division", "away__division", "day__division__season__league"
        ).filter(scores=[], home=self.match.home)
        people = [f"{name} {self.word}" for name in ("Speler", "Twee", "Drie", "Vier")]
        self.line_up = line_up_write(
            match=coming[0], side="home", people=people, version=0, actor=TESTS
        )
        self._ranking()

    def _ranking(self) -> None:
        """Somebody of the club has a number of the league, and stands in an official list of it."""
        link = person_link_make(league=self.league, member=self.people[0], actor=TESTS)
        person = person_confirm(link=link, actor=TESTS)
        self.number_elsewhere = number_elsewhere_write(
            member=self.people[0], league="elders", number=9, code="ABCDE-FGHIJ", actor=TESTS
        )
        self.ranking = LeagueRanking.objects.create(
            league=self.league, name=f"Lijst {self.word}", slug="lijst", family="rotterdam-16"
        )
        row = RankingRow(str(person.uuid), 1, "1500.00", 36)
        rule = {column: getattr(self.ranking, column) for column in RANKING_RULE}
        made = RankingList(
            ranking=self.ranking, number=1, on=self.date, rule=rule, rows=[asdict(row)]
        )
        made.seal = list_seal(made)
        made.save(force_insert=True)
        league_audit(
            self.league,
            TESTS,
            "ranking_published",
            about(self.ranking),
            data={"number": 1, "on": self.date.isoformat(), "seal": made.seal},
            texts={"name": self.ranking.name},
        )

    def _money(self) -> None:
        """Words of this club in everything that is written about money and in a mail."""
        member, day = self.people[0], dt.date(2026, 1, 3)
        self.package: Package = package_add(
            club=self.club,
            member=member,
            evenings=10,
            price=4000,
            bought_on=day,
            remark=f"Kaart {self.word}",
            actor=TESTS,
        )
        self.pot_entry: PotEntry = pot_entry_add(
            season=self.season, booked_on=day, what=f"Bloemen {self.word}", cents=-500, actor=TESTS
        )
        self.fee_year = fee_year_open(club=self.club, year=2027, actor=TESTS)
        for period in (self.season, self.fee_year):
            fee_note(
                period=period,
                member=member,
                rate="usual",
                paid=2500,
                paid_on=day,
                remark=f"Contant {self.word}",
                actor=TESTS,
            )
        PrizeGiven.objects.create(
            club=self.club,
            evening=self.past,
            member=member,
            key="place-1",
            what=f"Ham {self.word}",
            cents=500,
        )
        self.mail = MemberMail.objects.create(
            club=self.club, subject=f"Nieuws {self.word}", text=f"Beste {self.word}"
        )
        self.mail.receivers.create(member=member, state="sent")

    def _uploads(self) -> None:
        self.members_file = self._upload(Upload.Kind.MEMBERS, f"naam\nNieuw {self.word}\n")
        results = f"evening,player,round,score\n2025-01-04,Oud {self.word},,4000\n"
        self.results_file = self._upload(Upload.Kind.RESULTS, results)
        self.evening_file = self._upload(Upload.Kind.EVENING, f"evening,{self.word}\n")
        self.done = self._upload(Upload.Kind.RESULTS, results.replace("2025", "2024"))
        name = f"Oud {self.word}"
        plan = results_plan(club=self.club, season_name=name, source=upload_source(self.done))
        uploaded_results_import(upload=self.done, seen=plan.fingerprint, actor=TESTS)

    def _upload(self, kind: Upload.Kind, text: str) -> Upload:
        return upload_keep(
            club=self.club,
            kind=kind,
            file=BytesIO(text.encode()),
            name=f"{self.word}.csv",
            details={"season": f"Oud {self.word}", "preset": "amsterdam"},
            actor=TESTS,
        )

    @property
    def secret(self) -> str:
        """The secret part of the link of table 1 tonight."""
        return token_secret(self.token)
