"""Learns the weights by gradient descent; needs jax, which nothing else does."""

import sys
import time
from collections.abc import Mapping
from typing import Any

import cv2
import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

Examples = tuple[NDArray[np.uint8], NDArray[Any]]
Weights = dict[str, Any]
RATE, SMOOTHING = 2.5e-3, 0.02


def learn(
    seen: NDArray[np.uint8],
    labels: NDArray[Any],
    *,
    checks: Mapping[str, Examples],
    widths: tuple[int, int, int],
    signs: int,
    batch: int,
    seconds: float,
    known: Weights | None = None,
) -> Weights:
    """The weights after so many seconds of a processor, from those that are `known`, with the
    warmth that makes chances true."""
    random = np.random.default_rng(len(labels) + bool(known))
    weights = known or _begun(random, widths, signs)
    moments = jax.tree.map(lambda value: (jnp.zeros_like(value), jnp.zeros_like(value)), weights)
    begun, steps = time.process_time(), 0
    while (share := (time.process_time() - begun) / seconds) < 1:
        chosen = random.integers(0, len(labels), batch)
        pictures = np.stack([_shaken(picture, random) for picture in seen[chosen]])
        rate = RATE * min(1, steps / 200 + 0.02) * 0.5 * (1 + np.cos(np.pi * share))
        steps += 1
        weights, moments, _loss = _step(
            weights, moments, pictures, jnp.asarray(labels[chosen]), rate, steps
        )
        if steps % 400 == 0:
            _tell(weights, checks, f"{share:.0%} {steps}")
    weights["warmth"] = jnp.asarray(_warmth(weights, checks))
    _tell(weights, checks, "in the end")
    return weights


def _begun(random: np.random.Generator, widths: tuple[int, int, int], signs: int) -> Weights:
    one, two, three = widths

    def some(*shape: int) -> Any:
        return jnp.asarray(random.normal(0, np.sqrt(2 / np.prod(shape[:-1])), shape), jnp.float32)

    return {
        "first": some(5, 5, 1, one),
        "first_bias": jnp.zeros(one),
        "second": some(5, 5, one, two),
        "second_bias": jnp.zeros(two),
        "third": some(7 * 7 * two, three),
        "third_bias": jnp.zeros(three),
        "last": some(three, signs),
        "last_bias": jnp.zeros(signs),
    }


def _scores(weights: Weights, pictures: Any, dropped: Any = None) -> Any:
    values = pictures[..., None]
    for name in ("first", "second"):
        values = jax.lax.conv_general_dilated(
            values, weights[name], (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")
        )
        values = jnp.maximum(values + weights[f"{name}_bias"], 0)
        count, high, wide, channels = values.shape
        values = values.reshape(count, high // 2, 2, wide // 2, 2, channels).max(axis=(2, 4))
    flat = values.reshape(len(values), -1)
    if dropped is not None:
        flat = flat * dropped
    hidden = jnp.maximum(flat @ weights["third"] + weights["third_bias"], 0)
    return hidden @ weights["last"] + weights["last_bias"]


def _loss(weights: Weights, pictures: Any, labels: Any, dropped: Any) -> Any:
    scores = jax.nn.log_softmax(_scores(weights, pictures, dropped))
    right = jnp.take_along_axis(scores, labels[:, None], axis=1).mean()
    return -(1 - SMOOTHING) * right - SMOOTHING * scores.mean()


@jax.jit  # type: ignore[untyped-decorator]
def _step(  # noqa: PLR0917
    weights: Weights, moments: Any, pictures: Any, labels: Any, rate: Any, step: Any
) -> tuple[Weights, Any, Any]:
    flat = weights["third"].shape[0]
    dropped = jax.random.bernoulli(jax.random.key(step), 0.75, (len(labels), flat)) / 0.75
    loss, slopes = jax.value_and_grad(_loss)(weights, pictures, labels, dropped)
    renewed, kept = {}, {}
    for name, value in weights.items():
        mean, square = moments[name]
        mean = 0.9 * mean + 0.1 * slopes[name]
        square = 0.995 * square + 0.005 * slopes[name] ** 2
        kept[name] = (mean, square)
        way = mean / (1 - 0.9**step) / (jnp.sqrt(square / (1 - 0.995**step)) + 1e-7)
        renewed[name] = value - rate * way
    return renewed, kept, loss


def _shaken(picture: NDArray[np.uint8], random: np.random.Generator) -> NDArray[np.float32]:
    """The same sign a little turned, stretched and moved."""
    size = picture.shape[0]
    matrix = np.eye(2) + random.normal(0, 0.06, (2, 2))
    columns = np.flatnonzero(picture.max(axis=0) > 80)
    if columns.size and random.random() < 0.6:
        # Some write narrow, some wide; collections of digits stretch them to a square.
        wide = columns[-1] - columns[0] + 1
        aim = (
            wide * np.exp(random.normal(0, 0.22))
            if random.random() < 0.65
            else random.uniform(13, 20)
        )
        matrix[0] *= min(aim, 20.0) / wide
    middle = (size - 1) / 2
    move = np.full(2, middle) - matrix @ np.full(2, middle) + random.normal(0, 0.6, 2)
    return cv2.warpAffine(picture, np.hstack([matrix, move[:, None]]), (size, size)).astype(
        np.float32
    ) / np.float32(255)


@jax.jit  # type: ignore[untyped-decorator]
def _answers(weights: Weights, pictures: Any) -> Any:
    return _scores(weights, pictures)


def _all_scores(weights: Weights, pictures: NDArray[np.uint8]) -> NDArray[np.float64]:
    own = {name: value for name, value in weights.items() if name != "warmth"}
    parts = [
        np.asarray(_answers(own, pictures[start : start + 500].astype(np.float32) / 255))
        for start in range(0, len(pictures), 500)
    ]
    return np.concatenate(parts).astype(np.float64)


def _tell(weights: Weights, checks: Mapping[str, Examples], words: str) -> None:
    for name, (pictures, labels) in checks.items():
        right = float((_all_scores(weights, pictures).argmax(axis=1) == labels).mean())
        words += f" · {name} {right:.2%}"
    sys.stdout.write(words + "\n")
    sys.stdout.flush()


def _warmth(weights: Weights, checks: Mapping[str, Examples]) -> float:
    """What to divide scores by, so that chances are as often right as they say."""
    pictures, labels = next(iter(checks.values()))
    scores = _all_scores(weights, pictures)

    def surprise(warmth: float) -> float:
        warm = scores / warmth
        warm -= warm.max(axis=1, keepdims=True)
        logs = warm - np.log(np.exp(warm).sum(axis=1, keepdims=True))
        return -float(logs[np.arange(len(labels)), labels].mean())

    return min(np.arange(0.3, 2.0, 0.05), key=surprise)
