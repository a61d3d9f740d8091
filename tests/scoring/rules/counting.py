"""An ordinary line of a sheet counted the way a person does, sharing nothing with the rules."""

from typing import Any

SIDES = ("NS", "EW")


def count_plainly(deal: dict[str, Any]) -> dict[str, Any]:
    """What a line of declarer, points, roem and pit comes to under `amsterdam`, as JSON has it."""
    declarers = next(side for side in SIDES if deal["declarer"] in (side, *side))
    defenders = next(side for side in SIDES if side != declarers)
    points = {side: points_of(deal, side) for side in SIDES}
    roem = {side: sum(deal.get("roem", {}).get(side, [])) for side in SIDES}
    score = {side: points[side] + roem[side] for side in SIDES}
    nat = score[declarers] <= score[defenders]
    if nat:
        score = {declarers: 0, defenders: 162 + sum(roem.values())}
    pit = deal.get("pit")
    if pit:
        score[pit] += 100
    return {
        "valid": True,
        "nat": nat,
        "pit": pit,
        "points": points,
        "roem": roem,
        "score": score,
        "players": {seat: score["NS" if seat in "NS" else "EW"] for seat in "NESW"},
    }


def points_of(deal: dict[str, Any], side: str) -> int:
    """The card points of a side: all or none in a pit, as counted, or what the other left."""
    if "pit" in deal:
        return 162 if deal["pit"] == side else 0
    points: dict[str, int] = deal["points"]
    return points[side] if side in points else 162 - sum(points.values())
