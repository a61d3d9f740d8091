"""What was published can be read again later, and it shows when it was changed."""

import pytest

from clubs.models import Club, Member
from clubs.privacy.erasing import member_erase
from tests.factories import TESTS, ClubFactory, MemberFactory, evening_with_draw, table, write_deal
from tests.made_once import evening_made_once
from tests.scoring.audit.test_verify import verify
from tournaments.closing.services import evening_close
from tournaments.models import Evening, Release
from tournaments.releases.services import release_publish
from tournaments.rounds.services import round_close

pytestmark = pytest.mark.django_db


@pytest.fixture
def second() -> Release:
    """The second result of an evening of four people."""
    club = ClubFactory.create()
    evening = evening_made_once("published twice", lambda: _published_twice(club))
    return evening.releases.get(number=2)


def _published_twice(club: Club) -> Evening:
    MemberFactory.create_batch(4, club=club)
    evening = evening_with_draw(club=club, players=4, rounds=1, deals_per_round=12)
    for number in range(1, 13):
        write_deal(table(evening), number)
    round_close(round_id=evening.rounds.get().pk, actor=TESTS)
    evening_close(evening_id=evening.pk, actor=TESTS)
    release_publish(evening=evening, actor=TESTS)
    return Evening.objects.get()


@pytest.mark.full
@pytest.mark.each_case
@pytest.mark.parametrize("number", [1, 2])
@pytest.mark.parametrize("figure", ["rank", "member", "total", "pits", "rounds"])
def test_a_figure_that_was_changed_after_it_was_published(
    second: Release, figure: str, number: int
) -> None:
    release = second.evening.releases.get(number=number)
    row = release.standings[0]
    row[figure] = {"1": 9} if figure == "rounds" else row[figure] + 1
    release.save()
    fault = f"what was published as number {number} was changed"
    assert verify() == [f"evening vrolijke-boer 2026-11-21: {fault}", "1 differences."]


@pytest.mark.full
def test_somebody_who_moved_by_hand(second: Release) -> None:
    second.changes.append({"member": 1, "name": "Jan", "rank": [1, 2], "total": [90, 80]})
    second.save()
    fault = "what was published as number 2 was changed"
    assert verify() == [f"evening vrolijke-boer 2026-11-21: {fault}", "1 differences."]


@pytest.mark.both
def test_who_is_erased_has_another_name_in_it_and_nothing_was_changed(second: Release) -> None:
    member_erase(member=Member.objects.get(number=1), actor=TESTS)
    second.refresh_from_db()
    assert "Jan Bakker" not in str(second.standings)
    assert verify() == ["1 sheets and every trail are as they were written."]
