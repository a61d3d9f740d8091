"""`make bench-photo`: how well score sheets are read from photographs and scans.

Sheets are filled in with digits of Italian hands that the net was not trained on, and photographed
with a tilt up to 30 degrees, any turn, shadow, blur and JPEG 60, in 2 to 12 megapixels. A star
marks what is beyond its limit. With `--pictures FOLDER` the worst twenty are kept to look at.
"""

import argparse
import os
import resource
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import cv2

SHEETS = 200


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sheets", type=int, default=SHEETS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pictures", type=Path)
    options = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    import django

    django.setup()
    cv2.setNumThreads(1)
    from tests.scoring.reading.photographs import Camera, photograph, scan

    for name, limits, take in (
        ("photographs", PHOTOGRAPHS, photograph),
        (
            "photographs, flat and steady",
            None,
            lambda page, random: photograph(page, random, Camera(tilt=5, shadow=False, blur=False)),
        ),
        ("scans of 200 dpi", SCANS, scan),
    ):
        count = options.sheets if limits is PHOTOGRAPHS else options.sheets // 4
        figures = measured(count, options.seed, take, options.pictures)
        _print(f"{count} sheets: {name}", figures, limits or {})


PHOTOGRAPHS = {
    "sheets found": (0.995, 1),
    "deals right": (0.985, 1),
    "wrong though sure": (0, 0.001),
    "deals to look at": (0, 0.06),
}
SCANS = {"sheets found": (0.995, 1), "deals right": (0.995, 1), "wrong though sure": (0, 0.001)}


def measured(count: int, seed: int, take: Any, pictures: Path | None = None) -> dict[str, float]:
    """The shares, of deals unless a name says otherwise, and seconds of a core."""
    from scoring.reading.picture import UnreadableError
    from scoring.rules import RuleSet
    from tests.scoring.reading.photographs import CODE, filled, read_picture, same

    random, regulation = Random(seed), RuleSet()
    found, deals, seconds = 0, Counter[str](), []
    kept: list[tuple[int, str, bytes]] = []
    for number in range(count):
        sheet = filled(random, regulation)
        content = take(sheet.page, random)
        begun = time.process_time()
        try:
            code, read = read_picture(content, sheet.layout, regulation)
        except UnreadableError as error:
            sys.stdout.write(f"  sheet {number}: {error.code}\n")
            kept.append((99, f"{number}-{error.code}", content))
            continue
        seconds.append(time.process_time() - begun)
        found += code == CODE
        faults = 0
        for deal, line in zip(read.deals, sheet.lines, strict=True):
            right = deal.line is not None and same(deal.line, line)
            faults += not right
            deals["right"] += right
            deals["shown"] += not deal.sure
            deals["wrong though sure"] += deal.sure and not right
            deals["all"] += 1
            for doubt in deal.doubts:
                deals[f"doubt: {doubt}"] += 1
        deals["totals agree"] += read.agree is True
        kept.append((faults, str(number), content))
    if pictures:
        pictures.mkdir(parents=True, exist_ok=True)
        for faults, name, content in sorted(kept, reverse=True)[:20]:
            (pictures / f"{faults:02d}-{name}.jpg").write_bytes(content)
    whole = deals["all"] or 1
    return {
        "sheets found": found / count,
        "deals right": deals["right"] / whole,
        "wrong though sure": deals["wrong though sure"] / whole,
        "deals to look at": deals["shown"] / whole,
        **{name: n / whole for name, n in sorted(deals.items()) if name.startswith("doubt")},
        "sheets whose totals agree": deals["totals agree"] / count,
        "seconds a picture": sorted(seconds)[len(seconds) // 2] if seconds else 0,
        "slowest, seconds": max(seconds, default=0),
        "most memory, MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def _print(title: str, figures: dict[str, float], limits: dict[str, tuple[float, float]]) -> None:
    sys.stdout.write(f"{title}\n")
    for name, figure in figures.items():
        least, most = limits.get(name, (float("-inf"), float("inf")))
        star = "" if least <= figure <= most else " *"
        shown = f"{figure:9.2f}" if "second" in name or "MB" in name else f"{figure:9.3%}"
        wanted = ""
        if name in limits:
            wanted = f"  at least {least:.1%}" if least else f"  at most {most:.1%}"
        sys.stdout.write(f"  {name:32}{shown}{wanted}{star}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
