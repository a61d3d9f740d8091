"""What is said on the evening's page of ties that something decided."""

from typing import Any

import pytest
from django.test import Client

from tests.factories import evening_with_draw, table, write_deal
from tests.tournaments.table_pages import words
from tournaments.models import Evening

pytestmark = pytest.mark.django_db


def equal_sides(**given: Any) -> Evening:
    """Jan, Piet (wij) and Mia, Truus (zij) all 362: wij by 162 and 200 roem, zij by a pit and 100
    roem."""
    evening = evening_with_draw(players=4, rounds=1, deals_per_round=2, method="typed_in", **given)
    write_deal(table(evening), 1, declarer="EW", points={"EW": 62}, roem={"NS": [200]})
    write_deal(table(evening), 2, declarer="EW", points={}, pit="EW", roem={"EW": [100]})
    return evening


def page(client: Client, evening: Evening) -> list[str]:
    address = f"/clubs/{evening.club.slug}/evenings/{evening.slug}/"
    response = client.get(address)
    steps: list[str] = response.context["tie_steps"]
    assert all(step in words(response) for step in steps)
    return steps


@pytest.mark.full
def test_what_decided_with_the_figures(client: Client) -> None:
    evening = equal_sides(tie="tie_breaks", tie_breaks=["roem", "pits"])
    assert page(client, evening) == [
        (
            "Gelijk met 362 punten; de meeste roem besliste: Jan Bakker 200, Piet Visser 200, "
            "Mia van der Meer 100, Truus de Vries 100."
        )
    ]


def test_what_decided_nothing_is_not_shown(client: Client) -> None:
    """As many nats each side: none. Then the pits: Mia's and Truus' one."""
    evening = equal_sides(tie="tie_breaks", tie_breaks=["last_round", "pits"])
    assert page(client, evening) == [
        (
            "Gelijk met 362 punten; het vaakst pit besliste: Mia van der Meer 1, Truus de Vries 1, "
            "Jan Bakker 0, Piet Visser 0."
        )
    ]


def test_a_lot_has_no_figure(client: Client) -> None:
    evening = equal_sides(tie="tie_breaks", tie_breaks=["lot"])
    (step,) = page(client, evening)
    assert step.startswith("Gelijk met 362 punten; het lot besliste: ")
    assert not any(figure.isdigit() for figure in step.partition("besliste")[2])


def test_a_shared_place_was_decided_by_nothing(client: Client) -> None:
    assert page(client, equal_sides()) == []
