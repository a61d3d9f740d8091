"""Where people sit in a deal: at a table of three that follows from who plays."""

from scoring.models import Scoresheet
from scoring.rules import THREE, Fault, chairs_taken
from scoring.services.written import Written


def seating_faults(sheet: Scoresheet, written: Written) -> list[Fault]:
    """What a line says of seats that cannot be on this sheet: at a table of three somebody else
    than one of the three who plays, or people on other chairs than `chairs_taken` has."""
    if not sheet.three_handed:
        return []
    declarer = written.get("declarer")
    if declarer not in THREE:
        return [Fault("bad_value", "declarer", {"why": "not_of_three"})]
    seats, taken = written.get("seats"), chairs_taken(declarer)
    given = seats if isinstance(seats, list | tuple) else ()
    if len(given) != len(taken) or any(chair not in given for chair in taken):
        return [Fault("bad_value", "seats", {"why": "dummy_opposite"})]
    return []
