"""`python -m tests.launch.deals PORT LINK NUMBER POINTS`: a phone that sends one deal until it
stands, through a proxy that took https off. Without arguments it makes an evening in the database
of the environment, and prints the link of its first table."""

import logging
import sys
import time

from tests.load.hall import Phone, filled_in

PATIENCE = 120.0


def evening_make() -> str:
    """The link of the first of two tables that play."""
    import django

    django.setup()
    logging.disable(logging.WARNING)
    from tests.tournaments.table_pages import link, playing

    return link(playing(players=8, deals_per_round=16))


def deal_send(port: int, link: str, number: int, points: int) -> float:
    """How many seconds it took until the deal stood. Raises TimeoutError where it never does."""
    fields, started = filled_in(points), time.monotonic()
    with Phone(port) as phone:
        phone.forwarded = {"X-Forwarded-Proto": "https"}
        while time.monotonic() < started + PATIENCE:
            answer = phone.send(f"{link}rounds/1/deals/{number}/", fields)
            if answer and answer.payload.get("status") in ("written", "same"):
                return time.monotonic() - started
            phone.connection.close()
            time.sleep(0.5)
    raise TimeoutError(f"Deal {number} is not saved: {answer}")


if __name__ == "__main__":
    given = sys.argv[1:]
    if given:
        port, link, number, points = given
        said: object = deal_send(int(port), link, int(number), int(points))
    else:
        said = evening_make()
    sys.stdout.write(f"{said}\n")
