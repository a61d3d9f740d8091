"""What the tests of copies share."""

from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from threading import Event
from typing import Any

from django.test import Client

from tournaments.copies import worker

PATIENCE = 300


def settled(client: Client, address: str) -> Any:
    """The page of a copy, once nothing is being done aside any more: asking for it again and again
    would take the time that the work needs."""
    with work_ended():
        pass
    page = client.get(address)
    assert (page.status_code, b"hx-get" in page.content) == (200, False)
    return page


@contextmanager
def work_ended() -> Iterator[None]:
    """Nothing is being done aside any more afterwards: the page says that a copy is there a moment
    before the thread lets go of the database."""
    yield
    over = Event()
    worker._aside.put(over.set)  # noqa: SLF001
    assert over.wait(PATIENCE)


def downloaded(client: Client, slug: str) -> bytes:
    """The file with everything of a club, as its organiser downloads it."""
    made = client.post(f"/clubs/{slug}/desk/copies/make/")
    address = made.headers["Location"]
    settled(client, address)
    answer: Any = client.get(f"{address}file/")
    assert answer.status_code == 200
    return b"".join(answer.streaming_content)


def sent(client: Client, address: str, content: bytes, name: str = "kopie.club") -> str:
    """Send a file by the form; the address of the page that says what becomes of it."""
    file = BytesIO(content)
    file.name = name
    answer = client.post(address, {"file": file})
    assert answer.status_code == 302, answer.content.decode()
    return answer.headers["Location"]
