"""What is kept of an evening for its season: the same as its sheets say, or not looked at."""

import datetime as dt
from io import StringIO

import pytest
from django.core.management import call_command
from django.db.models import F
from pytest_django import DjangoCaptureOnCommitCallbacks

from clubs.members.services import member_create
from clubs.merges.services import guest_merge, merge_undo
from clubs.models import Member
from tests.factories import TESTS, correct_deal, evening_with_draw, table, write_deal
from tournaments.closing.services import evening_close
from tournaments.models import Evening, EveningSummary, Season
from tournaments.releases.services import release_publish
from tournaments.rounds.services import round_close
from tournaments.seasons.standings import season_standings
from tournaments.standings.summaries import PersonsEvening, evening_summaries, summaries_worked_out

pytestmark = pytest.mark.django_db


def closed_evening() -> Evening:
    """Five people, one round of one deal: 1 3 take 90 and a run of three, 2 4 take 72, one sits
    out for 1600."""
    evening = evening_with_draw(players=5, rounds=1, deals_per_round=1, date=DAY)
    season = Season.objects.create(club=evening.club, name="2026", slug="2026")
    Evening.objects.filter(pk=evening.pk).update(season=season)
    write_deal(table(evening), 1, points={"NS": 90}, roem={"NS": [20]})
    round_close(round_id=evening.rounds.get().pk, actor=TESTS)
    evening_close(evening_id=evening.pk, actor=TESTS)
    return Evening.objects.get(pk=evening.pk)


DAY = dt.date(2026, 9, 5)


def figures(evening: Evening) -> list[tuple[int | None, int | None, int | None, int | None]]:
    """Score, roem, best round and last round of everybody, highest score first."""
    people = evening_summaries([evening])[evening.pk]
    return sorted(
        ((one.score, one.roem, one.best_round, one.last_round) for one in people), reverse=True
    )


def totals(season: Season) -> list[int]:
    return [row.total for row in season_standings(season).rows]


@pytest.mark.full
def test_closing_keeps_what_everybody_brings_and_sitting_out_is_no_best_round() -> None:
    evening = closed_evening()
    kept = EveningSummary.objects.get(evening=evening)
    assert kept.revision == evening.revision
    assert figures(evening) == [
        (1600, 0, None, None),
        (110, 20, 110, 110),
        (110, 20, 110, 110),
        (72, 0, 72, 72),
        (72, 0, 72, 72),
    ]


@pytest.mark.both
def test_a_correction_is_in_the_season_before_it_is_published_and_after() -> None:
    evening = closed_evening()
    correct_deal(table(evening), 1, ns=100, reason="misread")
    season = evening.season
    assert season is not None
    assert totals(season) == [1600, 100, 100, 62, 62]
    release_publish(evening=evening, actor=TESTS)
    evening.refresh_from_db()
    assert EveningSummary.objects.get(evening=evening).revision == evening.revision
    assert totals(season) == [1600, 100, 100, 62, 62]


@pytest.mark.full
def test_a_guest_who_becomes_a_member_takes_what_is_kept_along_and_back(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    evening = closed_evening()
    Member.objects.filter(pk=who(evening)).update(kind=Member.Kind.GUEST)
    guest = Member.objects.get(pk=who(evening))
    member = member_create(club=evening.club, name="Wie het was", actor=TESTS)
    with django_capture_on_commit_callbacks(execute=True):
        merge = guest_merge(guest=guest, member=member, actor=TESTS)
    assert (member.pk in kept_people(evening), guest.pk in kept_people(evening)) == (True, False)
    call_command("verify", stdout=StringIO())
    with django_capture_on_commit_callbacks(execute=True):
        merge_undo(merge=merge, actor=TESTS)
    assert (member.pk in kept_people(evening), guest.pk in kept_people(evening)) == (False, True)
    call_command("verify", stdout=StringIO())


def kept_people(evening: Evening) -> set[int]:
    """Of whom something is kept that is good for the evening as it is now."""
    evening.refresh_from_db()
    kept = EveningSummary.objects.get(evening=evening, revision=evening.revision)
    return {line[0] for line in kept.results}


@pytest.mark.full
def test_what_is_kept_is_used_while_the_evening_has_that_revision_and_verify_looks() -> None:
    evening = closed_evening()
    EveningSummary.objects.update(results=[[who(evening), 7]])
    assert evening_summaries([evening]) == {evening.pk: [PersonsEvening(who(evening), 7)]}
    said = StringIO()
    with pytest.raises(SystemExit):
        call_command("verify", stdout=said)
    assert said.getvalue().splitlines() == [
        f"evening {evening.club.slug} 2026-09-05: its stored summary was changed",
        "1 differences.",
    ]
    Evening.objects.update(revision=F("revision") + 1)
    evening.refresh_from_db()
    assert evening_summaries([evening]) == summaries_worked_out([evening])
    call_command("verify", stdout=StringIO())


def who(evening: Evening) -> int:
    return min(one.member_id for one in summaries_worked_out([evening])[evening.pk])
