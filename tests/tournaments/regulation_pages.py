"""What the tests of the regulation pages share."""

import datetime as dt
import json
from typing import Any

from django.test import Client
from django.urls import reverse

from scoring.models import Regulation
from tests.factories import EveningFactory, evening_with_draw
from tests.tournaments.public_pages import close_evening
from tournaments.models import Evening


def regulation_url(regulation: Regulation, page: str = "regulation_edit") -> str:
    return reverse(page, args=[regulation.club.slug, regulation.pk])


def shown(regulation: Regulation) -> dict[str, str]:
    """What the page's form holds for this regulation when it is opened."""
    settings = regulation.rules.as_settings()
    fields = {name: str(value).lower() for name, value in settings.items()}
    if settings["nil_bonus"] is None:
        fields["nil_bonus"] = ""
    fields["nil"] = str(settings["nil_bonus"] is not None).lower()
    return fields | {"seen_settings": json.dumps(settings)}


def post_regulation(client: Client, regulation: Regulation, **chosen: Any) -> Any:
    """Open the page of a regulation, choose these things, and save; `evening` may be a list."""
    return client.post(regulation_url(regulation), shown(regulation) | chosen)


def version(number: int) -> Regulation:
    """That version of the club's own regulation."""
    return Regulation.objects.get(name="Ons huis", version=number)


def play(regulation: Regulation, *days: int) -> None:
    """Evenings in November that were played by it, from a draw to the result."""
    for day in days:
        evening = evening_with_draw(
            club=regulation.club,
            regulation=regulation,
            date=dt.date(2026, 11, day),
            players=4,
            rounds=1,
            deals_per_round=1,
        )
        close_evening(evening)


def planned(regulation: Regulation, day: int = 28) -> Evening:
    """An evening without a draw."""
    evening: Evening = EveningFactory.create(
        club=regulation.club, regulation=regulation, date=dt.date(2026, 11, day)
    )
    return evening
