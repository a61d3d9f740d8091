"""Learns the last two layers anew, on top of what the first two make of a picture: a minute with
NumPy alone, where all of it takes many and jax."""

import sys
from collections.abc import Iterator
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.reading.digits import BATCH, BLANK, features

Weights = dict[str, NDArray[np.float32]]
RATE, SMOOTHING, KEPT, SHAKEN, AT_ONCE = 1e-3, 0.01, 0.75, 3, 128
LAST = ("third", "third_bias", "last", "last_bias")


def learn_last(
    known: Weights,
    learned: tuple[NDArray[np.uint8], NDArray[Any]],
    tried: tuple[NDArray[np.uint8], NDArray[Any]],
    rounds: int,
) -> Weights:
    """The weights after so many rounds over what is learned from, with the warmth that makes the
    chances of what is tried true."""
    random = np.random.default_rng(rounds)
    pictures, labels = learned
    shaken = [np.stack([_shaken(one, random) for one in pictures]) for _time in range(SHAKEN)]
    seen = np.concatenate([pictures.astype(np.float32) / np.float32(255), *shaken])
    sought = np.tile(labels, SHAKEN + 1)
    inputs = np.concatenate([features(part) for part in _parts(seen)])
    weights: Weights = {name: known[name].astype(np.float32) for name in LAST}
    mean = {name: value.copy() for name, value in weights.items()}
    moments = {name: [np.zeros_like(value)] * 2 for name, value in weights.items()}
    steps = rounds * len(inputs) // AT_ONCE
    for step in range(steps):
        chosen = random.integers(0, len(inputs), AT_ONCE)
        rate = RATE * 0.5 * (1 + np.cos(np.pi * step / steps))
        for name, slope in _slopes(weights, inputs[chosen], sought[chosen], random).items():
            first, square = moments[name]
            first, square = 0.9 * first + 0.1 * slope, 0.995 * square + 0.005 * slope**2
            moments[name] = [first, square]
            way = first / (1 - 0.9 ** (step + 1))
            way /= np.sqrt(square / (1 - 0.995 ** (step + 1))) + 1e-7
            weights[name] = (weights[name] - rate * way).astype(np.float32)
            mean[name] += np.float32(0.005) * (weights[name] - mean[name])
    trial = np.concatenate([features(part) for part in _parts(tried[0] / np.float32(255))])
    scores = _scores(mean, trial)[1].astype(np.float64)
    right = float((scores.argmax(axis=1) == tried[1]).mean())
    warmth = min(np.arange(0.3, 2.0, 0.05), key=lambda value: _surprise(scores / value, tried[1]))
    sys.stdout.write(f"{steps} steps, {right:.2%} of what was tried, warmth {warmth:.2f}\n")
    return {**known, **mean, "warmth": np.float32(warmth)}  # type: ignore[dict-item]


def _parts(seen: NDArray[Any]) -> Iterator[NDArray[np.float32]]:
    for start in range(0, len(seen), BATCH):
        yield seen[start : start + BATCH].astype(np.float32)


def _scores(weights: Weights, inputs: Any) -> tuple[Any, Any]:
    hidden = np.maximum(inputs @ weights["third"] + weights["third_bias"], 0)
    return hidden, hidden @ weights["last"] + weights["last_bias"]


def _slopes(
    weights: Weights, inputs: Any, labels: NDArray[Any], random: np.random.Generator
) -> dict[str, Any]:
    inputs = inputs * (random.random(inputs.shape, np.float32) < KEPT) / np.float32(KEPT)
    hidden, scores = _scores(weights, inputs)
    shares = np.exp(scores - scores.max(axis=1, keepdims=True))
    shares /= shares.sum(axis=1, keepdims=True)
    sought = np.full_like(shares, SMOOTHING / BLANK)
    sought[np.arange(len(labels)), labels] += 1 - SMOOTHING
    wrong = (shares - sought) / len(labels)
    back = (wrong @ weights["last"].T) * (hidden > 0)
    return {
        "third": inputs.T @ back,
        "third_bias": back.sum(axis=0),
        "last": hidden.T @ wrong,
        "last_bias": wrong.sum(axis=0),
    }


def _surprise(scores: NDArray[np.float64], labels: NDArray[Any]) -> float:
    logs = scores - scores.max(axis=1, keepdims=True)
    logs -= np.log(np.exp(logs).sum(axis=1, keepdims=True))
    return -float(logs[np.arange(len(labels)), labels].mean())


def _shaken(picture: NDArray[np.uint8], random: np.random.Generator) -> NDArray[np.float32]:
    """The same sign a little turned, stretched and moved."""
    size = picture.shape[0]
    matrix = np.eye(2) + random.normal(0, 0.06, (2, 2))
    matrix[0] *= np.exp(random.normal(0, 0.12))
    middle = (size - 1) / 2
    move = np.full(2, middle) - matrix @ np.full(2, middle) + random.normal(0, 0.6, 2)
    turned = cv2.warpAffine(picture, np.hstack([matrix, move[:, None]]), (size, size))
    return turned.astype(np.float32) / np.float32(255)
