"""Files of evenings in pairs and teams, with sides that come to a wanted score."""

from collections.abc import Mapping, Sequence

COLUMNS = (
    "evening round table n e s w deal pair_ns pair_ew team_ns team_ew declarer trump"
    " points_ns points_ew roem_ns roem_ew pit nat reneged"
).split()
HUNDREDS = {0: "", 50: "50", 100: "50 50", 150: "100 50", 200: "200"}


def deals_worth(score: int, deals: int = 16) -> list[tuple[int, str]]:
    """Points and roem of a side that declares so many deals and comes to this score."""
    made = []
    for left in range(deals, 0, -1):
        wanted = round(score / left)
        roem = next(roem for roem in HUNDREDS if 82 <= wanted - roem <= 131)
        made.append((wanted - roem, HUNDREDS[roem]))
        score -= wanted
    return made


def side_table(  # noqa: PLR0917
    evening: str,
    round_number: int,
    table: int,
    people: Sequence[str],
    score_ns: int,
    names: Mapping[str, str],
    *,
    deals: int = 16,
) -> list[list[str]]:
    """The lines of a table (people at N, E, S, W) where N/S declares all and has this score."""
    n, e, s, w = people
    lines = []
    for number, (points, roem) in enumerate(deals_worth(score_ns, deals), start=1):
        cells = {
            "evening": evening,
            "round": str(round_number),
            "table": str(table),
            "n": n,
            "e": e,
            "s": s,
            "w": w,
            **names,
            "deal": str(number),
            "declarer": "N",
            "trump": "H",
            "points_ns": str(points),
            "points_ew": str(162 - points),
            "roem_ns": roem,
        }
        lines.append([cells.get(column, "") for column in COLUMNS])
    return lines


def text_of(lines: Sequence[Sequence[str]], columns: Sequence[str] = COLUMNS) -> str:
    """The file."""
    return "\n".join(",".join(line) for line in [columns, *lines]) + "\n"
