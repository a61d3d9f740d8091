"""The table page where both sides have a say, on phones without JavaScript."""

import re
import uuid

import pytest
from django.test import Client

from clubs.audit.services import Actor
from scoring.deals.services import deal_write
from scoring.models import Confirmation, DealClaim, DealConfirmation, DealEntry, Scoresheet
from scoring.regulations.services import regulation_save
from tests.factories import TESTS, ClubFactory, UserFactory, table
from tests.tournaments.table_pages import (
    fields_of,
    link,
    playing,
    playing_three,
    table_data,
    write,
)
from tests.tournaments.table_sides import HUNDRED, NINETY, couples, held, said, side_link, submit
from tournaments.models import Evening
from tournaments.scoresheets.page import state_tag

pytestmark = pytest.mark.django_db


def standing(evening: Evening, number: int = 1) -> DealEntry:
    entry = table(evening).sheet.deals.get(number=number).current
    assert entry is not None
    return entry


class TestEachDealConfirmed:
    @pytest.fixture
    def evening(self) -> Evening:
        return playing(deals_per_round=4, writing="deal")

    @pytest.mark.full
    def test_nobody_said_who_holds_the_phone_so_it_is_passed_round(
        self, client: Client, evening: Evening
    ) -> None:
        page, (ns, ew) = link(evening), couples(evening).values()
        write(client, f"{page}rounds/1/deals/1/", declarer="NS", trump="H", points_ns="97")
        shown = said(client.get(page))
        assert (
            f"Wie houdt deze telefoon vast? {ns} {ew} Deze telefoon gaat rond {ns}: klopt dit? "
            "Spel 1: Jan – Piet 97, Mia – Truus 65 "
            f"Klopt niet (spel 1, {ns}) Spel 1 klopt ({ns}) {ew}: klopt dit? "
        ) in shown
        confirm = f"{page}rounds/1/confirm/"
        answer = client.post(confirm, fields_of(client.get(page), confirm) | {"side": "EW"})
        assert (answer.status_code, answer["Location"]) == (303, f"{page}rounds/1/")
        assert DealConfirmation.objects.get().side == "EW"
        assert "Spel 1 klopt" not in said(client.get(page))

    def test_who_wrote_hands_the_phone_to_the_others_who_confirm_all_at_once(
        self, client: Client, evening: Evening
    ) -> None:
        page = held(client, link(evening), "NS")
        for number, points in (("1", "97"), ("2", "90")):
            url = f"{page}rounds/1/deals/{number}/"
            write(client, url, declarer="NS", trump="H", points_ns=points)
        shown = said(client.get(page))
        assert (
            f"Spel 1 en 2: geef de telefoon aan {couples(evening)['EW']} "
            "Spel 1: Jan – Piet 97, Mia – Truus 65 Klopt niet"
        ) in shown
        assert "Wie houdt deze telefoon vast" not in shown
        assert shown.count("Spel 1 en 2 kloppen") == 1
        confirm = f"{page}rounds/1/confirm/"
        entries = [f"{number}:{standing(evening, number).pk}" for number in (1, 2)]
        own = client.post(confirm, {"side": "NS", "entry": entries})
        assert (own.status_code, DealConfirmation.objects.count()) == (409, 0)
        for _again in range(2):
            assert client.post(confirm, {"side": "EW", "entry": entries}).status_code == 303
        confirmed = DealConfirmation.objects.order_by("entry__deal__number")
        sides = confirmed.values_list("entry__deal__number", "side")
        assert list(sides) == [(1, "EW"), (2, "EW")]

    def test_each_sides_own_phone_is_asked_about_what_the_other_wrote(
        self, evening: Evening
    ) -> None:
        ours, theirs = Client(), Client()
        page = held(ours, link(evening), "NS")
        held(theirs, page, "EW")
        write(ours, f"{page}rounds/1/deals/1/", declarer="NS", trump="H", points_ns="97")
        write(theirs, f"{page}rounds/1/deals/2/", declarer="EW", trump="H", points_ns="60")
        # Each reads it from its own chair.
        shown = said(theirs.get(page))
        ns, ew = couples(evening).values()
        assert f"{ew}: klopt dit? Spel 1: 65–97 (zij, harten)" in shown
        assert f"Spel 2 wacht op {ns}." in shown
        shown = said(ours.get(page))
        assert f"{ns}: klopt dit? Spel 2: 60–102 (zij, harten)" in shown
        assert f"Spel 1 wacht op {ew}." in shown
        assert "Geef de telefoon" not in shown
        entry = f"1:{standing(evening).pk}"
        confirm = f"{page}rounds/1/confirm/"
        assert ours.post(confirm, {"side": "EW", "entry": entry}).status_code == 404
        assert theirs.post(confirm, {"side": "EW", "entry": entry}).status_code == 303
        assert ours.get(f"{page}rounds/1/deals/2/object/EW/").status_code == 404
        assert ours.get(f"{page}rounds/1/deals/2/object/NS/").status_code == 200

    @pytest.mark.full
    def test_what_moved_on_since_is_not_confirmed(self, client: Client, evening: Evening) -> None:
        page, at = link(evening), table(evening)
        submit(at)
        submit(at, 2)
        confirm = f"{page}rounds/1/confirm/"
        entries = [f"{number}:{standing(evening, number).pk}" for number in (2, 1)]
        seen = {"side": "EW", "entry": entries}
        submit(at, seen_version=1, written=HUNDRED, reason="misread")
        answer = client.post(confirm, seen)
        assert answer.status_code == 409
        assert "Spel 1 is veranderd. Kijk er nog eens naar." in said(answer)
        as_json = client.post(confirm, seen, headers={"accept": "application/json"})
        assert (as_json.status_code, as_json.json()["status"]) == (409, "deal_moved_on")
        assert DealConfirmation.objects.count() == 0

    @pytest.mark.full
    @pytest.mark.parametrize(
        "sent",
        [
            {"side": "X"},
            {"side": "EW", "entry": "x"},
            {"side": "EW", "entry": "1:x"},
            {"side": "EW", "entry": ""},
            {},
        ],
    )
    def test_nonsense_confirms_nothing(
        self, client: Client, evening: Evening, sent: dict[str, str]
    ) -> None:
        submit(table(evening))
        given = {"entry": f"1:{standing(evening).pk}"} | sent
        answer = client.post(f"{link(evening)}rounds/1/confirm/", given)
        assert answer.status_code in (404, 409)
        assert DealConfirmation.objects.count() == 0

    def test_who_does_not_agree_writes_what_he_counted_and_both_are_kept(
        self, client: Client, evening: Evening
    ) -> None:
        page = link(evening)
        submit(table(evening))
        url = f"{page}rounds/1/deals/1/object/EW/"
        asked = client.get(url)
        assert "Op de tellijst staat 90–72: wij, harten." in said(asked)
        typed = {"declarer": "NS", "trump": "H", "points_ns": "100"}
        answer = client.post(url, fields_of(asked, url) | typed)
        assert (answer.status_code, answer["Location"]) == (303, f"{page}rounds/1/")
        claim = DealClaim.objects.get()
        assert (claim.why, claim.side, claim.against) == ("objected", "EW", standing(evening))
        shown = said(client.get(page))
        assert "Spel 1 is twee keer geschreven: 90–72 en 100–62. Welke klopt?" in shown
        assert "Spel 1 klopt" not in shown

    @pytest.mark.full
    def test_what_cannot_be_is_said_and_what_was_typed_stays(
        self, client: Client, evening: Evening
    ) -> None:
        submit(table(evening))
        url = f"{link(evening)}rounds/1/deals/1/object/EW/"
        typed = {"declarer": "NS", "trump": "H", "points_ns": "161"}
        answer = client.post(url, fields_of(client.get(url), url) | typed)
        assert answer.status_code == 422
        assert fields_of(answer, url)["points_ns"] == "161"
        assert DealClaim.objects.count() == 0

    @pytest.mark.full
    @pytest.mark.parametrize(
        "place", ["deals/2/object/EW/", "deals/9/object/EW/", "deals/1/object/X/"]
    )
    def test_there_is_nothing_to_object_to(
        self, client: Client, evening: Evening, place: str
    ) -> None:
        submit(table(evening))
        assert client.get(f"{link(evening)}rounds/1/{place}").status_code == 404

    @pytest.mark.parametrize(("taken", "score"), [("0", (90, 72)), ("1", (100, 62))])
    def test_the_table_says_which_of_two_is_right(
        self, client: Client, evening: Evening, taken: str, score: tuple[int, int]
    ) -> None:
        page, at = link(evening), table(evening)
        submit(at)
        submit(at, written=HUNDRED, actor=Actor.of_program("other"))
        claim = DealClaim.objects.get()
        url = f"{page}rounds/1/claims/{claim.pk}/"
        answer = client.post(url, fields_of(client.get(page), url) | {"taken": taken})
        assert answer.status_code == 303
        sheet = Scoresheet.objects.get(pk=at.sheet_id)
        assert (sheet.score_ns, sheet.score_ew) == score
        again = client.post(url, {"taken": taken}, headers={"accept": "application/json"})
        assert again.json() == {"status": "decided"}

    @pytest.mark.full
    def test_what_is_the_directors_the_table_cannot_decide(
        self, client: Client, evening: Evening
    ) -> None:
        submit(table(evening), why="cut_off")
        page, claim = link(evening), DealClaim.objects.get()
        assert "90–72" not in said(client.get(page))
        assert client.post(f"{page}rounds/1/claims/{claim.pk}/", {"taken": "1"}).status_code == 404

    @pytest.mark.full
    def test_what_the_director_wrote_is_not_asked(self, client: Client, evening: Evening) -> None:
        submit(table(evening), actor=Actor.of_user(UserFactory.create()))
        assert "klopt" not in said(client.get(link(evening)))

    @pytest.mark.full
    def test_a_phone_that_is_open_is_told_of_a_confirmation(
        self, client: Client, evening: Evening
    ) -> None:
        submit(table(evening))
        before = state_tag(evening, table(evening))
        page = link(evening)
        entry = f"1:{standing(evening).pk}"
        client.post(f"{page}rounds/1/confirm/", {"entry": entry, "side": "EW"})
        assert state_tag(evening, table(evening)) != before


@pytest.mark.full
def test_at_a_table_of_three_any_of_them_confirms(client: Client) -> None:
    evening, at = playing_three(deals_per_round=2, writing="deal")
    line = {"declarer": "N", "trump": "H", "points": {"NS": 90}, "seats": ["N", "E", "W"]}
    submit(at, written=line)
    page = f"{link(evening, at.number)}rounds/1/"
    names = [seat.member.name.split()[0] for seat in at.sheet.seats.order_by("pk") if seat.member]
    shown = said(client.get(page))
    for name in names:
        assert f"Spel 1: geef de telefoon aan {name} Spel 1: " in shown
    assert "Wie houdt deze telefoon vast" not in shown
    confirm = f"{page}confirm/"
    client.post(confirm, fields_of(client.get(page), confirm) | {"side": "S"})
    assert DealConfirmation.objects.get().side == "S"
    assert "klopt" not in said(client.get(page))


@pytest.mark.full
def test_where_one_writes_nobody_is_asked(client: Client) -> None:
    evening = playing(deals_per_round=4)
    submit(table(evening))
    assert "klopt" not in said(client.get(link(evening)))


@pytest.mark.full
def test_where_the_finished_round_is_confirmed_the_page_says_so(client: Client) -> None:
    evening = playing(deals_per_round=1, writing="round")
    submit(table(evening))
    shown = said(client.get(link(evening)))
    assert "Spel 1 klopt" not in shown
    assert "Geef de telefoon aan de andere partij: die kijkt de tellijst na" in shown


class TestBothSidesWrite:
    @pytest.fixture
    def evening(self) -> Evening:
        return playing(deals_per_round=2, writing="both")

    @pytest.mark.full
    def test_each_phone_speaks_from_its_own_chair(self, client: Client, evening: Evening) -> None:
        """What is kept stays as the server has it."""
        people = couples(evening)
        submit(table(evening), side="NS", written=NINETY | {"roem": {"NS": [20]}})
        submit(table(evening), side="EW", written=NINETY | {"roem": {"NS": [20]}})
        for side, other, score in (("NS", "EW", "110–72"), ("EW", "NS", "72–110")):
            page = client.get(side_link(evening, side))
            shown = said(page)
            assert f"Wij {people[side]}" in shown
            assert f"Zij {people[other]}" in shown
            assert f"spel 1, {score}" in shown
            data = table_data(page)
            assert (data["columns"], data["sides"]) == (
                [side, other],
                {side: "Wij", other: "Zij"},
            )
            assert data["lines"][0]["score"] == {"NS": 110, "EW": 72}
            assert data["lines"][0]["points"] == ([90, 72] if side == "NS" else [72, 90])
            for label, code in (("Punten wij", side), ("Punten zij", other)):
                assert f'for="id_points_{code.lower()}">{label} ' in page.content.decode()

    @pytest.mark.full
    def test_a_side_does_not_see_what_the_other_wrote_before_it_wrote_itself(
        self, client: Client, evening: Evening
    ) -> None:
        we, they = side_link(evening, "NS"), side_link(evening, "EW")
        write(client, f"{we}rounds/1/deals/1/", declarer="NS", trump="H", points_ns="137")
        shown = said(client.get(they))
        assert "De andere partij schreef spel 1 al. Schrijf op wat u telde." in shown
        for place in ("", "rounds/1/", "rounds/1/deals/1/", "state/?round=1&form=1"):
            page = client.get(f"{they}{place}").content.decode().replace(they, "")
            assert re.findall(r"\b137\b", page) == []

    def test_the_same_is_a_confirmation_and_asks_no_more(
        self, client: Client, evening: Evening
    ) -> None:
        we, they = side_link(evening, "NS"), side_link(evening, "EW")
        for page in (we, they):
            write(client, f"{page}rounds/1/deals/1/", declarer="NS", trump="H", points_ew="65")
        assert standing(evening).side == "NS"
        assert DealConfirmation.objects.get().side == "EW"
        assert DealClaim.objects.filter(taken=None).count() == 0
        assert "spel 2/2" in said(client.get(they))

    def test_a_difference_is_a_dispute_that_the_other_side_can_end(
        self, client: Client, evening: Evening
    ) -> None:
        we, they = side_link(evening, "NS"), side_link(evening, "EW")
        write(client, f"{we}rounds/1/deals/1/", declarer="NS", trump="H", points_ns="97")
        write(client, f"{they}rounds/1/deals/1/", declarer="NS", trump="H", points_ns="90")
        assert "Spel 1: u telde 97–65, de andere partij 90–72." in said(client.get(we))
        assert "Spel 1: u telde 72–90, de andere partij 65–97." in said(client.get(they))
        assert "Geschreven: spel 1, 97–65" in said(client.get(we))
        assert "Op de tellijst: spel 1, 65–97" in said(client.get(they))
        assert "Geschreven" not in said(client.get(they))
        claim = DealClaim.objects.get()
        url = f"{we}rounds/1/claims/{claim.pk}/"
        client.post(url, fields_of(client.get(we), url) | {"taken": "1"})
        assert (standing(evening).result or {})["score"] == {"NS": 90, "EW": 72}
        assert DealConfirmation.objects.get().side == "NS"
        for page in (we, they):
            assert "u telde" not in said(client.get(page))

    def test_nobody_objects_for_the_other_side(self, client: Client, evening: Evening) -> None:
        we, they = side_link(evening, "NS"), side_link(evening, "EW")
        for page in (we, they):
            write(client, f"{page}rounds/1/deals/1/", declarer="NS", trump="H", points_ew="65")
        answers = {
            (page, side): client.get(f"{page}rounds/1/deals/1/object/{side}/").status_code
            for page in (we, they)
            for side in ("NS", "EW")
        }
        assert answers == {
            (we, "NS"): 200,
            (we, "EW"): 404,
            (they, "NS"): 404,
            (they, "EW"): 200,
        }

    @pytest.mark.full
    def test_who_claimed_gives_in_with_one_press(self, client: Client, evening: Evening) -> None:
        we, they = side_link(evening, "NS"), side_link(evening, "EW")
        write(client, f"{we}rounds/1/deals/1/", declarer="NS", trump="H", points_ns="97")
        write(client, f"{they}rounds/1/deals/1/", declarer="NS", trump="H", points_ns="90")
        confirm = f"{they}rounds/1/confirm/"
        client.post(confirm, fields_of(client.get(they), confirm))
        assert DealClaim.objects.get().taken is False
        assert DealConfirmation.objects.get().side == "EW"

    @pytest.mark.full
    def test_nobody_takes_over_his_own_claim(self, client: Client, evening: Evening) -> None:
        we, they = side_link(evening, "NS"), side_link(evening, "EW")
        write(client, f"{we}rounds/1/deals/1/", declarer="NS", trump="H", points_ns="97")
        write(client, f"{they}rounds/1/deals/1/", declarer="NS", trump="H", points_ns="90")
        url = f"{they}rounds/1/claims/{DealClaim.objects.get().pk}/"
        assert client.post(url, {"taken": "1"}).status_code == 409
        assert (standing(evening).result or {})["score"] == {"NS": 97, "EW": 65}

    @pytest.mark.full
    def test_a_change_by_the_other_side_is_asked(self, client: Client, evening: Evening) -> None:
        at, they = table(evening), side_link(evening, "EW")
        submit(at, side="NS")
        submit(at, side="EW", actor=Actor.of_program("other"))
        submit(at, side="NS", seen_version=1, written=HUNDRED, reason="misread")
        shown = said(client.get(they))
        assert "De andere partij veranderde dit. Klopt het zo? Spel 1: 62–100 (zij, " in shown

    def test_a_phone_answers_for_its_own_side_only(self, client: Client, evening: Evening) -> None:
        at, we, they = table(evening), side_link(evening, "NS"), side_link(evening, "EW")
        for number in (1, 2):
            submit(at, number, side="NS")
        assert "Ronde 1 is klaar" in said(client.get(we))
        assert "Ronde 1 is klaar" not in said(client.get(they))
        for number in (1, 2):
            submit(at, number, side="EW", actor=Actor.of_program("other"))
        shown = said(client.get(they))
        assert "Wij akkoord" in shown
        assert "Zij akkoord" not in shown
        answer = f"{they}rounds/1/answer/"
        sent = fields_of(client.get(they), answer)
        assert client.post(answer, sent | {"side": "NS"}).status_code == 404
        assert client.post(answer, sent).status_code == 303
        assert Confirmation.objects.get().side == "EW"
        assert client.get(f"{they}rounds/1/dispute/NS/").status_code == 404

    @pytest.mark.full
    def test_what_the_director_wrote_stands_and_is_seen(
        self, client: Client, evening: Evening
    ) -> None:
        deal_write(
            sheet_id=table(evening).sheet_id,
            number=1,
            seen_version=0,
            uuid=uuid.uuid4(),
            written=HUNDRED,
            actor=Actor.of_user(UserFactory.create()),
        )
        assert "spel 2/2" in said(client.get(side_link(evening, "EW")))

    @pytest.mark.full
    def test_who_does_not_agree_with_a_change_writes_his_own_beside_it(
        self, client: Client, evening: Evening
    ) -> None:
        at, they = table(evening), side_link(evening, "EW")
        submit(at, side="NS")
        submit(at, side="EW", actor=Actor.of_program("other"))
        submit(at, side="NS", seen_version=1, written=HUNDRED, reason="misread")
        url = f"{they}rounds/1/deals/1/"
        answer = write(client, url, points_ns="90", why_else="zo was het")
        assert answer.status_code == 409
        assert (standing(evening).written or {})["points"] == {"NS": 100}
        claim = DealClaim.objects.get(taken=None)
        assert (claim.written["points"], claim.reason) == ({"NS": 90}, "zo was het")
        assert "Spel 1: u telde 72–90, de andere partij 62–100." in said(client.get(they))


class TestAnotherGame:
    def played(self, writing: str) -> Evening:
        club = ClubFactory.create()
        rules = regulation_save(club=club, name="Jokeren", settings={"game": "other"}, actor=TESTS)
        return playing(club=club, regulation=rules, writing=writing)

    @pytest.mark.full
    def test_a_phone_that_is_handed_over_hands_in(self) -> None:
        evening, phone = self.played("deal"), Client()
        page = link(evening)
        phone.post(f"{page}rounds/1/totals/", {"total_ns": "311", "total_ew": "245"})
        assert scores(evening) == (311, 245)
        assert "Klopt het?" in said(phone.get(page))

    @pytest.mark.full
    def test_either_side_hands_in_and_the_other_agrees(self) -> None:
        evening = self.played("both")
        ours, theirs = Client(), Client()
        us, them = side_link(evening, "NS"), side_link(evening, "EW")
        for phone, page in ((ours, us), (theirs, them)):
            form = phone.get(page, follow=True)
            assert form.redirect_chain == [(f"{page}rounds/1/totals/", 303)]
        # Who sits there is called wij on their own phone.
        assert said(form).count("Wij: Mia") == 1
        first = {"total_ns": "311", "total_ew": "245", "seen_version": "0"}
        ours.post(f"{us}rounds/1/totals/", first)
        late = theirs.post(f"{them}rounds/1/totals/", first | {"total_ew": "254"})
        assert late.status_code == 422
        # Read from their chair.
        assert "Intussen is voor deze tafel 245–311 geschreven." in said(late)
        assert scores(evening) == (311, 245)
        same = theirs.post(f"{them}rounds/1/totals/", first)
        assert same.status_code == 303
        answer = f"{them}rounds/1/answer/"
        theirs.post(answer, fields_of(theirs.get(them), answer))
        assert Confirmation.objects.get().side == "EW"
        # Knowing what stands they write theirs, and what was agreed to is no more.
        theirs.post(f"{them}rounds/1/totals/", first | {"total_ew": "254", "seen_version": "1"})
        assert scores(evening) == (311, 254)
        assert "Zij: akkoord" not in said(ours.get(us))

    @pytest.mark.full
    def test_what_is_asked_again_has_not_seen_what_came_meanwhile(self) -> None:
        evening = self.played("both")
        ours, theirs = Client(), Client()
        us, them = (f"{side_link(evening, side)}rounds/1/totals/" for side in ("NS", "EW"))
        theirs.get(them)
        ours.post(us, {"total_ns": "311", "total_ew": "245", "seen_version": "0"})
        wrong = {"total_ns": "53811", "total_ew": "254", "seen_version": "0"}
        slip = theirs.post(them, wrong)
        assert (slip.status_code, slip.context["seen_version"]) == (422, 0)
        assert 'name="seen_version" value="0"' in slip.content.decode()
        late = theirs.post(them, wrong | {"total_ns": "311"})
        assert (late.status_code, late.context["seen_version"]) == (422, 1)
        assert scores(evening) == (311, 245)
        assert theirs.get(them).context["seen_version"] == 1


def scores(evening: Evening) -> tuple[int, int]:
    sheet = table(evening).sheet
    return sheet.score_ns, sheet.score_ew
