"""Proximal policy optimisation in plain NumPy: small enough to be read, and enough for a bot.

A policy describes every allowed action by a few numbers, a network with one hidden layer gives each a score, and the higher the
score the likelier the action; so it plays on boards of any size. What the numbers are is the task's: `palestra new GAME --language
python-rl` makes a folder with one for each game.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from palestra.batch import Batch, Observations
from palestra.match import Policy, Turn

Floats = NDArray[np.float32]
Weights = dict[str, Floats]

Describe = Callable[[Observations, NDArray[np.bool_]], tuple[Floats, Floats, NDArray[np.int64]]]
"""Of many positions, by their observations and masks: the numbers of every allowed action one after the other, those of every
position, and how many actions each allows."""

HIDDEN = 32
"""Neurons of a layer."""
FAR = 12.0
"""A distance that is as good as none."""
EPOCHS, PARTS = 3, 4
LAMBDA, CLIP = 0.95, 0.2


@dataclass(frozen=True)
class Task:
    """What is learnt, and how."""

    game: str
    describe: Describe
    worth: Callable[[Observations], NDArray[Any]]
    """What positions are worth beside winning, from 0 to 1: only what changes of it counts. The first number that describes a
    position says it too."""
    opponents: tuple[str, ...]
    """Built-in players: each plays as many games."""
    generate: tuple[int, ...]
    """What maps are made from."""
    rules: Mapping[str, object] = field(default_factory=dict)
    """Settings of the games it learns from."""
    test_rules: Mapping[str, object] = field(default_factory=dict)
    """Settings of the games it is tested in."""
    steps: float = 8e5
    """How many are played to learn from."""
    envs: int = 128
    """Games of each opponent side by side."""
    length: int = 32
    """Steps between two updates."""
    gamma: float = 0.99
    entropy: float = 0.01
    rate: float = 1.5e-3
    shaped: float = 0.5
    """How much of a win the whole worth of a position is."""
    games: int = 1000
    """Of the last test, against each opponent."""
    draws: bool = False
    """Whether it draws its actions when it is tested, as while it learns, instead of taking the best: where there is no chance in a
    game, all games would be the same one."""


def fresh(seed: int, moves: int, state: int) -> Weights:
    """A policy that knows nothing, for so many numbers of an action and of a position."""
    chance = np.random.default_rng(seed)

    def layer(inputs: int, outputs: int, scale: float) -> Floats:
        drawn: Floats = chance.normal(size=(inputs, outputs)).astype(np.float32)
        return drawn * np.float32(scale / np.sqrt(inputs))

    zero = np.zeros(HIDDEN, np.float32)
    return {
        "move_in": layer(moves, HIDDEN, 1),
        "move_bias": zero,
        "move_out": layer(HIDDEN, 1, 0.1),
        "state_in": layer(state, HIDDEN, 1),
        "state_bias": zero.copy(),
        "state_out": layer(HIDDEN, 1, 0.1),
    }


def scores(weights: Weights, moves: Floats) -> tuple[Floats, Floats]:
    """The score of every action, and the hidden layer behind it."""
    hidden: Floats = np.tanh(moves @ weights["move_in"] + weights["move_bias"])
    return (hidden @ weights["move_out"])[:, 0], hidden


def values_of(weights: Weights, state: Floats) -> tuple[Floats, Floats]:
    """What every position is worth, and the hidden layer behind it."""
    hidden = np.tanh(state @ weights["state_in"] + weights["state_bias"])
    return (hidden @ weights["state_out"])[:, 0], hidden


def save(weights: Weights, path: Path) -> None:
    """Writes weights as text."""
    path.write_text(json.dumps({name: np.round(array, 4).tolist() for name, array in weights.items()}) + "\n")


def load(path: Path) -> Weights:
    """Reads weights."""
    return {name: np.array(array, np.float32) for name, array in json.loads(path.read_text()).items()}


def policy(weights: Weights, describe: Describe, seed: int | None = None) -> Policy:
    """The player with these weights: it takes the action with the highest score or, with a seed, draws one, the likelier the higher
    its score."""
    chance = None if seed is None else np.random.default_rng(seed)

    def choose(turn: Turn) -> int:
        observations = {part: array[None] for part, array in turn.observation.items()}
        moves, _, _ = describe(observations, turn.mask[None])
        values: NDArray[Any] = scores(weights, moves)[0]
        if chance is not None:
            values = values + chance.gumbel(size=len(values))
        return int(np.flatnonzero(turn.mask)[values.argmax()])

    return choose


def beside(cells: NDArray[Any], fill: float) -> NDArray[Any]:
    """What is above, to the left, to the right and below every cell, in the order of the directions of an action."""
    wide = np.pad(cells, ((0, 0), (1, 1), (1, 1)), constant_values=fill)
    return np.stack([wide[:, :-2, 1:-1], wide[:, 1:-1, :-2], wide[:, 1:-1, 2:], wide[:, 2:, 1:-1]], axis=-1)


def distances(goals: NDArray[np.bool_], open_: NDArray[np.bool_]) -> Floats:
    """How many steps it is from every cell to the nearest goal, through open cells."""
    far = np.where(goals, np.float32(0), np.float32(FAR))
    for _ in range(int(FAR)):
        nearer = np.minimum(far, beside(far, FAR).min(axis=-1) + 1)
        nearer = np.where(open_ | goals, nearer, np.float32(FAR))
        if np.array_equal(nearer, far):
            break
        far = nearer
    return far


def train(task: Task) -> None:
    """A program that trains: writes `weights.json` and, with how often it has won against each opponent, `curve.svg`."""
    arguments = argparse.ArgumentParser(description=f"Trains a policy for {task.game}.")
    arguments.add_argument("--steps", type=float, default=task.steps, help="how many steps are played to learn from")
    arguments.add_argument("--out", type=Path, default=Path(), help="where weights and curve are written")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--games", type=int, default=task.games, help="of the last test, against each opponent")
    given = arguments.parse_args()
    play = Play(task, given.seed)
    weights = fresh(given.seed, *play.features())
    adam = Adam(weights)
    begun, points = time.perf_counter(), []
    of_update = task.envs * task.length * len(task.opponents)
    updates = max(1, round(given.steps / of_update))
    for update in range(1, updates + 1):
        rate = task.rate * (1 - update / (updates + 1))
        improve(task, weights, adam, play.steps(weights), rate, update)
        if update % 10 == 0 or update == updates:
            points.append((float(update * of_update), play.shares()))
            play.forget()
            told = ", ".join(f"{share:.0%} against {opponent}" for opponent, share in points[-1][1].items())
            print(f"{points[-1][0] / 1e6:6.2f} million steps, {time.perf_counter() - begun:5.0f} s: won {told}", flush=True)
    given.out.mkdir(parents=True, exist_ok=True)
    save(weights, given.out / "weights.json")
    weights = load(given.out / "weights.json")
    curve(points, given.out / "curve.svg")
    for opponent in task.opponents:
        share = tested(task, weights, opponent, given.games, seed=10_000 + given.seed)
        print(f"won {share:.1%} of {given.games} games against {opponent}", flush=True)
    print(f"{time.perf_counter() - begun:.0f} s altogether")


def tested(task: Task, weights: Weights, opponent: str, games: int, seed: int) -> float:
    """The share of games that the policy wins, each on a map of its own and half of them on each seat."""
    won, chance = 0, np.random.default_rng(seed)
    for seat in (0, 1):
        opponents = [opponent if other != seat else None for other in (0, 1)]
        batch = Batch(
            task.game,
            games // 2,
            opponents=opponents,
            generate=task.generate,
            settings=task.test_rules,
            map_pool=None,
            seed=seed,
            autoreset="disabled",
        )
        batch.reset()
        while not (batch.terminated | batch.truncated).all():
            moves, _, counts = task.describe(batch.observations, batch.mask)
            values: NDArray[Any] = scores(weights, moves)[0]
            if task.draws:
                values = values + chance.gumbel(size=len(values))
            batch.step(np.nonzero(batch.mask)[1][best(values, counts)])
            won += int(((batch.rewards[:, seat] > 0) & batch.terminated).sum())
    return won / (games // 2 * 2)


Kept = dict[str, list[NDArray[Any]]]
"""What was played: for every step, an array of all games."""


class Adam:
    """Moves weights against their gradients."""

    def __init__(self, weights: Weights) -> None:
        self.mean = {name: np.zeros_like(array) for name, array in weights.items()}
        self.square = {name: np.zeros_like(array) for name, array in weights.items()}
        self.steps = 0

    def step(self, weights: Weights, gradients: Weights, rate: float) -> None:
        """Takes one step."""
        self.steps += 1
        size = np.sqrt(sum(float((gradient**2).sum()) for gradient in gradients.values()))
        for name, gradient in gradients.items():
            gradient = gradient * min(1.0, 0.5 / (size + 1e-8))
            self.mean[name] = 0.9 * self.mean[name] + 0.1 * gradient
            self.square[name] = 0.999 * self.square[name] + 0.001 * gradient**2
            mean = self.mean[name] / (1 - 0.9**self.steps)
            square = self.square[name] / (1 - 0.999**self.steps)
            weights[name] = weights[name] - rate * mean / (np.sqrt(square) + 1e-8)


class Play:
    """Games against each of the opponents, played by the policy as it stands."""

    def __init__(self, task: Task, seed: int) -> None:
        self.task = task
        self.batches = [
            Batch(
                task.game,
                task.envs,
                opponents=[None, opponent],
                generate=task.generate,
                settings=task.rules,
                seed=seed,
                autoreset="same_step",
            )
            for opponent in task.opponents
        ]
        for batch in self.batches:
            batch.reset()
        self.chance = np.random.default_rng(seed)
        self.forget()

    def features(self) -> tuple[int, int]:
        """How many numbers an action has, and a position."""
        moves, state, _ = self.task.describe(*self.seen())
        return moves.shape[1], state.shape[1]

    def forget(self) -> None:
        """Begins to count wins anew."""
        self.won, self.over = np.zeros(len(self.batches)), np.zeros(len(self.batches))

    def shares(self) -> dict[str, float]:
        """How much of what was played was won."""
        return dict(zip(self.task.opponents, (self.won / np.maximum(self.over, 1)).tolist(), strict=True))

    def seen(self) -> tuple[Observations, NDArray[np.bool_]]:
        """What all games show."""
        parts = {
            part: np.concatenate([batch.observations[part] for batch in self.batches])
            for part in self.batches[0].observations
        }
        return parts, np.concatenate([batch.mask for batch in self.batches])

    def steps(self, weights: Weights) -> Kept:
        """Some steps of every game: what was seen, done, and what came of it."""
        task, kept = self.task, Kept()
        observations, mask = self.seen()
        for _ in range(task.length):
            moves, state, counts = task.describe(observations, mask)
            likely = likelihoods(scores(weights, moves)[0], counts)
            ends = counts.cumsum()
            chosen = best(likely + self.chance.gumbel(size=len(likely)), counts)
            actions = np.nonzero(mask)[1][chosen].reshape(len(self.batches), task.envs)
            for number, (batch, action) in enumerate(zip(self.batches, actions, strict=True)):
                batch.step(action)
                self.won[number] += (batch.rewards[:, 0] > 0).sum()
                self.over[number] += batch.terminated.sum()
            over = np.concatenate([batch.terminated for batch in self.batches])
            rewards = np.concatenate([batch.rewards[:, 0] for batch in self.batches])
            observations, mask = self.seen()
            shaped = np.where(over, 0, task.shaped * (task.gamma * task.worth(observations) - state[:, 0]))
            now: dict[str, NDArray[Any]] = {
                "moves": moves, "state": state, "counts": counts, "chosen": chosen - (ends - counts),
                "likelihood": likely[chosen], "value": values_of(weights, state)[0], "reward": rewards + shaped, "ends": over,
            }  # fmt: skip
            for key, array in now.items():
                kept.setdefault(key, []).append(array)
        last: NDArray[Any] = values_of(weights, task.describe(observations, mask)[1])[0]
        kept["advantage"] = [last] * task.length
        ahead: NDArray[Any] = np.zeros_like(last)
        for step in reversed(range(task.length)):
            goes_on = 1 - kept["ends"][step]
            error = kept["reward"][step] + task.gamma * goes_on * last - kept["value"][step]
            ahead = error + task.gamma * LAMBDA * goes_on * ahead
            kept["advantage"][step], last = ahead, kept["value"][step]
        return kept


def likelihoods(values: Floats, counts: NDArray[np.int64]) -> Floats:
    """The logarithm of how likely each action is among those of its position."""
    starts = np.concatenate([[0], counts.cumsum()[:-1]])
    values = values - np.repeat(np.maximum.reduceat(values, starts), counts)
    sums: Floats = np.repeat(np.log(np.add.reduceat(np.exp(values), starts)), counts)
    return values - sums


def best(values: NDArray[Any], counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """The place of the highest of each position's values."""
    ends = counts.cumsum()
    return np.array([start + values[start:end].argmax() for start, end in zip(ends - counts, ends, strict=True)])


def improve(task: Task, weights: Weights, adam: Adam, kept: Kept, rate: float, seed: int) -> None:
    """Several passes over what was played, a part at a time."""
    steps = len(kept["moves"])
    for epoch in range(EPOCHS):
        order = np.random.default_rng([seed, epoch]).permutation(steps)
        for part in np.array_split(order, PARTS):
            together = {key: np.concatenate([array[step] for step in part]) for key, array in kept.items()}
            adam.step(weights, gradients(weights, together, task.entropy), rate)


def gradients(weights: Weights, kept: dict[str, NDArray[Any]], entropy: float) -> Weights:
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
    slope += entropy / number * chances * (likely + np.repeat(unsure, counts))

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
    for number, (opponent, colour) in enumerate(zip(points[0][1], ("#1b7f4b", "#b3261e", "#1f5fa8"), strict=False)):
        path_of = "L".join(f"{x(steps):.1f} {y(shares[opponent]):.1f}" for steps, shares in points)
        lines.append(f'<path d="M{path_of}" fill="none" stroke="{colour}" stroke-width="2"/>')
        lines.append(f'<text x="{wide - 24}" y="{high - 60 - 16 * number}" text-anchor="end" fill="{colour}">{opponent}</text>')
    path.write_text("\n".join([*lines, "</svg>"]) + "\n")
