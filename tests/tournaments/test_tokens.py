import pytest
from django.test import override_settings

from clubs.models import AuditEvent
from tests.factories import TESTS, EveningFactory, evening_with_draw
from tournaments.models import TableToken
from tournaments.services import token_find, token_renew, token_secret, tokens_ensure

pytestmark = pytest.mark.django_db


def test_each_table_has_one_link_however_often_they_are_asked_for() -> None:
    evening = EveningFactory.create()
    for tables in (2, 2, 3):
        tokens_ensure(evening=evening, tables=tables)
    made = TableToken.objects.order_by("table_number").values_list("table_number", "generation")
    assert list(made) == [(1, 1), (2, 1), (3, 1)]


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
