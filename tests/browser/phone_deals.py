"""Lines of score sheets as a table's form may send them, by chance: right ones and wrong ones."""

from collections.abc import Sequence
from random import Random
from typing import Any, Final

from scoring.deals.forms import DealForm
from scoring.rules import PRESETS, THREE

Line = dict[str, Any]
Settings = dict[str, Any]

SEATS: Final = ("N", "E", "S", "W")
SIDES: Final = ("NS", "EW")
MARKS: Final = {"pit", "nat", "reneged", "accused_wrongly_by", "nil", "replayed"}
RARE: Final = ("pit", "reneged", "accused_wrongly_by", "nil")
FLAGS: Final = ("nat", "replayed")
ROEM_TYPED: Final = (
    *("", "", "", "20", "50", "20 50", "20+20", "20,50", " 70 "),
    *("100", "200", "30", "40 70", "stuk", "20 x", "-20", "20 20 20 20 20 20 20", "20 " * 61),
)
CHOICES: Final[dict[str, Sequence[object]]] = {
    "game": (*("klaverjas",) * 19, "other"),
    "roem_from": ("trick", "trick", "hand", "hand_to_trick"),
    "four_of_a_kind_from": ("7", "9", "10"),
    "four_of_a_kind": (100, 100, 100, 0, 20, 40, 50, 150, 200),
    "four_jacks": (200, 200, 100, 0, 40, 70, 300),
    "nat": (True, True, False),
    "nat_counts_roem": (True, False),
    "nat_roem": ("opponents", "lost"),
    "pit_bonus": (100, 0, 50),
    "counter_pit_bonus": (100, 0, 75),
    "shutout_bonus": (0, 50),
    "nil_bonus": (None, 50, 0),
    "no_trump": (True, False),
    "reneging": ("deal_lost", "deal_lost_with_roem", "culprit_fined", "replay", "none"),
    "reneges_replayed": (0, 0, 1, 2),
    "reneging_roem": (100, 0),
    "reneging_fine": (100, 50),
    "unproven_reneging": ("deal_lost", "none"),
    "bidding": ("forehand_must", "dealer_must", "round_from_forehand", "free", "free"),
    "bid_needed": (True, False),
}


def regulations(random: Random, mixed: int) -> list[Settings]:
    """The settings of every preset, and so many whose settings are thrown together."""
    presets = [regulation.as_settings() for regulation in PRESETS.values()]
    thrown = [
        presets[0] | {name: random.choice(values) for name, values in CHOICES.items()}
        for _ in range(mixed)
    ]
    return presets + thrown


def written(random: Random, settings: Settings, *, three: bool) -> Line:
    """What people write of a deal: of three, side NS is who plays and EW the two against him."""
    people, wild = THREE if three else SEATS, _seldom(random, 3)
    suits = ("C", "D", "H", "S", None, *(["NT"] if wild or settings["no_trump"] else []))
    line: Line = {
        "declarer": random.choice(THREE if three else SEATS + SIDES),
        "trump": random.choice(suits),
    }
    marks = _marks(random, people)
    line |= marks if wild else dict(list(marks.items())[:1])
    asks_bid = settings["bidding"] == "free" and settings["bid_needed"]
    if asks_bid != _seldom(random, 30):
        line["bid"] = random.choice((501, 0) if _seldom(random, 20) else (80, 90, 110, 160, 500))
    if roem := _by_side({side: _roem(random, settings, wild) for side in SIDES}):
        line["roem"] = roem
    if points := _points(random, line, wild):
        line["points"] = points
    if not three:
        line |= _extra_fields(random)
    if _seldom(random, 15):
        line["corrections"] = [_correction(random, people) for _ in range(random.randint(1, 2))]
    return line


def typed(random: Random, form: DealForm) -> dict[str, str]:
    """What somebody may tap and type into a form, or leave out."""
    fields: dict[str, str] = {
        name: random.choice([value for value, _words in form.fields[name].choices])  # type: ignore[attr-defined]
        for name in ("trump", *RARE)
        if name in form.fields and (name == "trump" or _seldom(random, 8))
    }
    fields |= {name: "on" for name in FLAGS if name in form.fields and _seldom(random, 10)}
    if "bid" in form.fields and not _seldom(random, 5):
        fields["bid"] = random.choice(("80", "90", "110", "501", "x", "0"))
    for side in ("ns", "ew"):
        if not _seldom(random, 3):
            fields[f"roem_{side}"] = random.choice(ROEM_TYPED)
    if not _seldom(random, 12):
        fields[f"points_{random.choice(('ns', 'ew'))}"] = _points_typed(random)
    if not _seldom(random, 20):
        choices = form.fields["declarer"].choices  # type: ignore[attr-defined]
        fields["declarer"] = random.choice([value for value, _words in choices])
    return fields


def _points_typed(random: Random) -> str:
    if _seldom(random, 10):
        return random.choice(("0", "162", "1", "161", "163", "-5", "90.0", "9a", "4,5", "0162"))
    return random.choice((str(random.randint(0, 162)), f" {random.randint(60, 100)} "))


def _seldom(random: Random, times: int) -> bool:
    return random.randrange(times) == 0


def _by_side(figures: dict[str, Any]) -> dict[str, Any]:
    return {side: figure for side, figure in figures.items() if figure not in (None, [])}


def _roem(random: Random, settings: Settings, wild: bool) -> list[int]:
    usual = [20, 20, 20, 50, 40, 70, settings["four_of_a_kind"], settings["four_jacks"]]
    if _seldom(random, 20):
        return random.choices(
            (settings["four_of_a_kind"], settings["four_jacks"]), k=random.randint(2, 6)
        )
    strange = [30, 10, 0, 60, 100, 200, 250, 20_050]
    count = random.choice((0, 1, 2, 3, 4, 5, 7, 9) if wild else (0, 0, 0, 0, 1, 1, 2, 3))
    return [random.choice(strange if _seldom(random, 60) else usual) for _ in range(count)]


def _points(random: Random, line: Line, wild: bool) -> dict[str, int]:
    total = 130 if line["trump"] == "NT" or (not line["trump"] and _seldom(random, 3)) else 162
    taken = random.choice((random.randint(0, total), random.randint(60, 100), 0, total))
    if not wild and line.get("pit"):
        taken = total if line["pit"] == "NS" else 0
    if wild and _seldom(random, 5):
        taken = random.choice((1, total - 1, total + 1, -5, 130, 162, 1000))
    other = total - taken + (random.choice((-10, 1, 9)) if wild and _seldom(random, 3) else 0)
    one, both = random.choice(({"NS": taken}, {"EW": other})), {"NS": taken, "EW": other}
    return random.choice(({}, one, both) if line.keys() & MARKS else (one, one, both))


def _marks(random: Random, people: Sequence[str]) -> Line:
    marks: Line = {}
    if _seldom(random, 7):
        marks["pit"] = random.choice(SIDES)
    if _seldom(random, 7):
        marks["nat"] = True
    if _seldom(random, 10):
        marks["reneged"] = random.choice(people)
    if _seldom(random, 14):
        marks["accused_wrongly_by"] = random.choice(people)
    if _seldom(random, 14):
        marks["nil"] = random.choice(("made", "failed"))
    if _seldom(random, 25):
        marks["replayed"] = True
    if _seldom(random, 5):
        marks["replays"] = random.choice((1, 2, 3))
    return marks


def _extra_fields(random: Random) -> Line:
    """What a line may say that no form asks."""
    fields: Line = {}
    if _seldom(random, 10):
        fields["dealer"] = random.choice(SEATS)
    if _seldom(random, 40):
        fields["seats"] = [random.choice("NS"), random.choice("EW"), *random.choice(([], ["W"]))]
        fields["seats"] = sorted(set(fields["seats"]), key=SEATS.index)
    return fields


def _correction(random: Random, people: Sequence[str]) -> Line:
    whose = (
        {"seat": random.choice(people)} if _seldom(random, 2) else {"side": random.choice(SIDES)}
    )
    return {
        **whose,
        "points": random.choice((-50, 0, 20, 1000)),
        "reason": random.choice(("", "te laat")),
    }
