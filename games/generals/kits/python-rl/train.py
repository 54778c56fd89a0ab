"""Trains a policy for Generals on a small board by proximal policy optimisation, in plain NumPy, against built-in players.

    python train.py [--steps 8e5] [--out FOLDER] [--seed 1]

Writes `weights.json` and, with how often it has won against each of them, `curve.svg` into the folder.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import palestra
from policy import Floats, Weights, describe, fresh, load, save, scores

MAP = (6, 6, 2)
"""Rows, columns and players of the boards."""
RULES = {"max_turns": 150}
"""While it learns, a game ends after so many rounds. It is tested by the usual rules."""
OPPONENTS = ("random", "greedy")
ENVS, STEPS = 128, 32
"""Games of each opponent side by side, and steps between two updates."""
EPOCHS, PARTS = 3, 4
GAMMA, LAMBDA, CLIP, ENTROPY, RATE = 0.99, 0.95, 0.2, 0.01, 1.5e-3
SHAPED = 0.5
"""What the share of all units is worth, beside winning: only what changes of it counts."""
GAMES = 1000
"""Of the last test, against each opponent."""


Kept = dict[str, list[NDArray[Any]]]
"""What was played: for every step, an array of all games."""


class Adam:
    """Moves weights against their gradients."""

    def __init__(self, weights: Weights) -> None:
        self.mean = {name: np.zeros_like(array) for name, array in weights.items()}
        self.square = {name: np.zeros_like(array) for name, array in weights.items()}
        self.steps = 0

    def step(self, weights: Weights, gradients: Weights, rate: float) -> None:
        self.steps += 1
        size = np.sqrt(sum(float((gradient**2).sum()) for gradient in gradients.values()))
        for name, gradient in gradients.items():
            gradient = gradient * min(1.0, 0.5 / (size + 1e-8))
            self.mean[name] = 0.9 * self.mean[name] + 0.1 * gradient
            self.square[name] = 0.999 * self.square[name] + 0.001 * gradient**2
            mean = self.mean[name] / (1 - 0.9**self.steps)
            square = self.square[name] / (1 - 0.999**self.steps)
            weights[name] = weights[name] - rate * mean / (np.sqrt(square) + 1e-8)


def likelihoods(values: Floats, counts: NDArray[np.int64]) -> Floats:
    """The logarithm of how likely each move is among those of its position."""
    starts = np.concatenate([[0], counts.cumsum()[:-1]])
    values = values - np.repeat(np.maximum.reduceat(values, starts), counts)
    sums: Floats = np.repeat(np.log(np.add.reduceat(np.exp(values), starts)), counts)
    return values - sums


def values_of(weights: Weights, state: Floats) -> tuple[Floats, Floats]:
    """What every position is worth, and the hidden layer behind it."""
    hidden = np.tanh(state @ weights["state_in"] + weights["state_bias"])
    return (hidden @ weights["state_out"])[:, 0], hidden


class Play:
    """Games against each of the opponents, played by the policy as it stands."""

    def __init__(self, seed: int) -> None:
        self.batches = [
            palestra.Batch(
                "generals", ENVS, opponents=[None, opponent], generate=MAP, settings=RULES, seed=seed, autoreset="same_step"
            )
            for opponent in OPPONENTS
        ]
        for batch in self.batches:
            batch.reset()
        self.chance = np.random.default_rng(seed)
        self.forget()

    def forget(self) -> None:
        """Begins to count wins anew."""
        self.won, self.over = np.zeros(len(OPPONENTS)), np.zeros(len(OPPONENTS))

    def shares(self) -> dict[str, float]:
        """How much of what was played was won."""
        return dict(zip(OPPONENTS, (self.won / np.maximum(self.over, 1)).tolist(), strict=True))

    def seen(self) -> tuple[palestra.Observations, NDArray[np.bool_]]:
        """What all games show."""
        parts = {
            part: np.concatenate([batch.observations[part] for batch in self.batches])
            for part in self.batches[0].observations
        }
        return parts, np.concatenate([batch.mask for batch in self.batches])

    def steps(self, weights: Weights) -> Kept:
        """Some steps of every game: what was seen, done, and what came of it."""
        kept: Kept = {}
        observations, mask = self.seen()
        for _ in range(STEPS):
            moves, state, counts = describe(observations, mask)
            likely = likelihoods(scores(weights, moves)[0], counts)
            ends = counts.cumsum()
            chosen = best(likely + self.chance.gumbel(size=len(likely)), counts)
            actions = np.nonzero(mask)[1][chosen].reshape(len(OPPONENTS), ENVS)
            for number, (batch, action) in enumerate(zip(self.batches, actions, strict=True)):
                batch.step(action)
                self.won[number] += (batch.rewards[:, 0] > 0).sum()
                self.over[number] += batch.terminated.sum()
            over = np.concatenate([batch.terminated for batch in self.batches])
            rewards = np.concatenate([batch.rewards[:, 0] for batch in self.batches])
            observations, mask = self.seen()
            army = observations["globals"][:, 5] / observations["globals"][:, [5, 7]].sum(axis=1)
            shaped = np.where(over, 0, SHAPED * (GAMMA * army - state[:, 0]))
            now: dict[str, NDArray[Any]] = {
                "moves": moves, "state": state, "counts": counts, "chosen": chosen - (ends - counts),
                "likelihood": likely[chosen], "value": values_of(weights, state)[0], "reward": rewards + shaped, "ends": over,
            }  # fmt: skip
            for key, array in now.items():
                kept.setdefault(key, []).append(array)
        last: NDArray[Any] = values_of(weights, describe(observations, mask)[1])[0]
        kept["advantage"] = [last] * STEPS
        ahead: NDArray[Any] = np.zeros_like(last)
        for step in reversed(range(STEPS)):
            goes_on = 1 - kept["ends"][step]
            error = kept["reward"][step] + GAMMA * goes_on * last - kept["value"][step]
            ahead = error + GAMMA * LAMBDA * goes_on * ahead
            kept["advantage"][step], last = ahead, kept["value"][step]
        return kept


def best(values: NDArray[Any], counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """The place of the highest of each position's values."""
    ends = counts.cumsum()
    return np.array([start + values[start:end].argmax() for start, end in zip(ends - counts, ends, strict=True)])


def improve(weights: Weights, adam: Adam, kept: Kept, rate: float, seed: int) -> None:
    """Several passes over what was played, a part at a time."""
    steps = len(kept["moves"])
    for epoch in range(EPOCHS):
        order = np.random.default_rng([seed, epoch]).permutation(steps)
        for part in np.array_split(order, PARTS):
            together = {key: np.concatenate([array[step] for step in part]) for key, array in kept.items()}
            adam.step(weights, gradients(weights, together), rate)


def gradients(weights: Weights, kept: dict[str, NDArray[Any]]) -> Weights:
    """Of the clipped objective, the error of the values, and how sure the policy is."""
    counts = kept["counts"].astype(np.int64)
    number, starts = len(counts), np.concatenate([[0], counts.cumsum()[:-1]]).astype(np.int64)
    raw, hidden = scores(weights, kept["moves"])
    likely = likelihoods(raw, counts)
    chances = np.exp(likely)
    chosen = starts + kept["chosen"].astype(np.int64)
    advantage = (kept["advantage"] - kept["advantage"].mean()) / (kept["advantage"].std() + 1e-6)
    ratio = np.exp(likely[chosen] - kept["likelihood"])
    held = ((ratio > 1 + CLIP) & (advantage > 0)) | ((ratio < 1 - CLIP) & (advantage < 0))
    pull = np.where(held, 0, -ratio * advantage) / number
    slope = -chances * np.repeat(pull, counts)
    slope[chosen] += pull
    unsure = -np.add.reduceat(chances * likely, starts)
    slope += ENTROPY / number * chances * (likely + np.repeat(unsure, counts))

    value, seen = values_of(weights, kept["state"])
    error = ((value - (kept["value"] + kept["advantage"])) / number).astype(np.float32)
    return {**back(weights, "move", kept["moves"], hidden, slope), **back(weights, "state", kept["state"], seen, error)}


def back(weights: Weights, which: str, inputs: Floats, hidden: Floats, slope: Floats) -> Weights:
    """The gradients of a network with one hidden layer."""
    slope = slope.astype(np.float32)
    inner = slope[:, None] * weights[f"{which}_out"][:, 0] * (1 - hidden**2)
    return {
        f"{which}_out": hidden.T @ slope[:, None],
        f"{which}_in": inputs.T @ inner,
        f"{which}_bias": inner.sum(axis=0),
    }


def tested(weights: Weights, opponent: str, games: int, seed: int) -> float:
    """The share of games that the policy wins at its best, each on a board of its own and half of them on each seat."""
    won = 0
    for seat in (0, 1):
        opponents = [opponent, opponent]
        opponents[seat] = None  # type: ignore[call-overload]
        batch = palestra.Batch(
            "generals", games // 2, opponents=opponents, generate=MAP, map_pool=None, seed=seed, autoreset="disabled"
        )
        batch.reset()
        while not batch.terminated.all():
            moves, _, counts = describe(batch.observations, batch.mask)
            batch.step(np.nonzero(batch.mask)[1][best(scores(weights, moves)[0], counts)])
            won += int(((batch.rewards[:, seat] > 0) & batch.terminated).sum())
    return won / (games // 2 * 2)


def curve(points: list[tuple[float, dict[str, float]]], path: Path) -> None:
    """How often it has won against each opponent, drawn over millions of steps."""
    wide, high, last = 640, 320, max(steps for steps, _ in points)

    def x(steps: float) -> float:
        return 50 + (wide - 70) * steps / last

    def y(share: float) -> float:
        return high - 40 - (high - 60) * share

    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" font-family="sans-serif" font-size="12">']
    lines.append(f'<rect width="{wide}" height="{high}" fill="#fff"/>')
    for share in (0, 0.25, 0.5, 0.75, 1):
        lines.append(f'<path d="M50 {y(share):.0f}H{wide - 20}" stroke="#ddd"/>')
        lines.append(f'<text x="44" y="{y(share) + 4:.0f}" text-anchor="end">{share:.0%}</text>')
    for steps in (last * part / 4 for part in range(5)):
        lines.append(f'<text x="{x(steps):.0f}" y="{high - 22}" text-anchor="middle">{steps / 1e6:.2f}</text>')
    lines.append(f'<text x="{wide / 2}" y="{high - 6}" text-anchor="middle">million steps; games won while learning</text>')
    for number, (opponent, colour) in enumerate(zip(OPPONENTS, ("#1b7f4b", "#b3261e"), strict=True)):
        path_of = "L".join(f"{x(steps):.1f} {y(shares[opponent]):.1f}" for steps, shares in points)
        lines.append(f'<path d="M{path_of}" fill="none" stroke="{colour}" stroke-width="2"/>')
        lines.append(f'<text x="{wide - 24}" y="{high - 60 - 16 * number}" text-anchor="end" fill="{colour}">{opponent}</text>')
    path.write_text("\n".join([*lines, "</svg>"]) + "\n")


def main() -> None:
    arguments = argparse.ArgumentParser(description="Trains a policy for Generals on a small board.")
    arguments.add_argument("--steps", type=float, default=8e5, help="how many steps are played to learn from")
    arguments.add_argument("--out", type=Path, default=Path(), help="where weights and curve are written")
    arguments.add_argument("--seed", type=int, default=1)
    given = arguments.parse_args()
    weights = fresh(given.seed)
    adam, play = Adam(weights), Play(given.seed)
    begun, points = time.perf_counter(), []
    of_update = ENVS * STEPS * len(OPPONENTS)
    updates = max(1, round(given.steps / of_update))
    for update in range(1, updates + 1):
        improve(weights, adam, play.steps(weights), RATE * (1 - update / (updates + 1)), update)
        if update % 10 == 0 or update == updates:
            points.append((float(update * of_update), play.shares()))
            play.forget()
            told = ", ".join(f"{share:.0%} against {opponent}" for opponent, share in points[-1][1].items())
            print(f"{points[-1][0] / 1e6:6.2f} million steps, {time.perf_counter() - begun:5.0f} s: won {told}", flush=True)
    given.out.mkdir(parents=True, exist_ok=True)
    save(weights, given.out / "weights.json")
    weights = load(given.out / "weights.json")
    curve(points, given.out / "curve.svg")
    for opponent in OPPONENTS:
        share = tested(weights, opponent, GAMES, seed=10_000 + given.seed)
        print(f"won {share:.1%} of {GAMES} games against {opponent}")
    print(f"{time.perf_counter() - begun:.0f} s altogether")


if __name__ == "__main__":
    main()
