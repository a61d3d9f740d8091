import pytest
from django.test import override_settings

from clubs.models import AuditEvent
from tests.factories import TESTS, EveningFactory, evening_with_draw
from tournaments.models import Evening, TableToken
from tournaments.table_links.services import (
    links_follow,
    token_find,
    token_renew,
    token_secret,
    tokens_ensure,
)

pytestmark = pytest.mark.django_db


def links(evening: Evening) -> list[tuple[int, str]]:
    """Table and side of each valid link."""
    valid = evening.tokens.filter(revoked_at=None).order_by("table_number", "side")
    return list(valid.values_list("table_number", "side"))


def found(secret: str) -> TableToken:
    token = token_find(secret)
    assert token is not None
    return token


def test_each_table_has_one_link_however_often_they_are_asked_for() -> None:
    evening = EveningFactory.create()
    for tables in (2, 2, 3):
        tokens_ensure(evening=evening, tables=tables)
    made = TableToken.objects.order_by("table_number").values_list("table_number", "generation")
    assert list(made) == [(1, 1), (2, 1), (3, 1)]


def test_where_both_sides_write_each_table_has_two() -> None:
    evening = EveningFactory.create(writing="both")
    for tables in (1, 2):
        tokens_ensure(evening=evening, tables=tables)
    assert links(evening) == [(1, "EW"), (1, "NS"), (2, "EW"), (2, "NS")]
    assert len({token_secret(token) for token in evening.tokens.all()}) == 4


@pytest.mark.both
def test_when_both_sides_are_to_write_the_links_follow() -> None:
    evening = evening_with_draw(players=8)
    before = [token_secret(token) for token in evening.tokens.order_by("table_number")]
    for writing, sides in (("both", ["EW", "NS"]), ("deal", [""])):
        Evening.objects.update(writing=writing)
        for _ in range(2):
            links_follow(evening=evening)
        assert links(evening) == [(number, side) for number in (1, 2) for side in sides]
    assert [token.revoked_at is not None for token in map(found, before)] == [True, True]
    assert evening.tokens.count() == 8
    assert {token_secret(token) for token in evening.tokens.filter(side="", revoked_at=None)} & {
        *before
    } == set()


def test_an_evening_without_links_gets_none_by_following() -> None:
    evening = evening_with_draw(players=8, started=False)
    links_follow(evening=evening)
    assert links(evening) == []


@pytest.mark.full
def test_a_side_is_renewed_alone() -> None:
    evening = evening_with_draw(players=4, writing="both")
    before = {token.side: token for token in evening.tokens.all()}
    new = token_renew(evening_id=evening.pk, table_number=1, side="NS", actor=TESTS)
    assert (new.side, new.generation) == ("NS", 3)
    assert found(token_secret(before["EW"])).revoked_at is None
    assert found(token_secret(before["NS"])).revoked_at is not None
    last = AuditEvent.objects.order_by("pk").last()
    assert last is not None
    assert (last.action, last.data) == ("link_renewed", {"table": 1, "side": "NS"})


def test_the_database_does_not_hold_the_secret() -> None:
    tokens_ensure(evening=EveningFactory.create(), tables=1)
    token = TableToken.objects.get()
    secret = token_secret(token)
    assert len(secret) == 40
    kept = " ".join(str(value) for value in TableToken.objects.values()[0].values())
    trail = " ".join(str(event) for event in AuditEvent.objects.values())
    assert secret not in kept + trail


def test_a_secret_finds_its_table_and_a_wrong_one_nothing() -> None:
    evening = evening_with_draw(players=8)
    for token in TableToken.objects.all():
        assert token_find(token_secret(token)) == token
    assert token_find("0" * 40) is None
    assert token_find("") is None
    assert len({token_secret(token) for token in evening.tokens.all()}) == 2


def test_a_renewed_link_makes_the_old_one_worthless() -> None:
    evening = evening_with_draw(players=8)
    old = evening.tokens.get(table_number=1)
    secret = token_secret(old)
    new = token_renew(evening_id=evening.pk, table_number=1, actor=TESTS)
    found = token_find(secret)
    assert found is not None
    assert found.revoked_at is not None
    assert (new.generation, new.revoked_at) == (2, None)
    assert token_find(token_secret(new)) == new
    assert evening.tokens.filter(table_number=2, revoked_at=None).count() == 1
    last = AuditEvent.objects.order_by("pk").last()
    assert last is not None
    assert (last.action, last.data) == ("link_renewed", {"table": 1})


def test_another_servers_key_makes_other_links() -> None:
    tokens_ensure(evening=EveningFactory.create(), tables=1)
    token = TableToken.objects.get()
    secret = token_secret(token)
    with override_settings(SECRET_KEY="another"):
        assert token_secret(token) != secret
