"""What the tests of the regulation pages share."""

import json
from typing import Any

from django.test import Client
from django.urls import reverse

from scoring.models import Regulation


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
