"""What the tests of the desk share."""

from typing import Any

from django.test import Client

from clubs.models import Club
from tests.factories import organiser_of

EVENING = "/clubs/vrolijke-boer/desk/evenings/2026-11-21/"


def desk_of(club: Club) -> Client:
    """The browser of somebody who organises at this club."""
    client = Client()
    client.force_login(organiser_of(club))
    return client


def text(response: Any) -> str:
    """A page's source with single spaces."""
    return " ".join(response.content.decode().split())


def messages_in(response: Any) -> list[str]:
    """The messages at the top of the page; the response must have been followed."""
    return [str(message) for message in response.context["messages"]]
