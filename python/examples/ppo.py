"""Learns to play Generals on a small board with PPO, in NumPy alone, until it beats the built-in player `greedy`.

    python ppo.py [--minutes 10] [--weights generals.npz]      learns, prints the curve, and keeps the best weights
    python ppo.py --games 1000 --weights generals.npz          plays games against `greedy` and `random` with them

The policy looks at the cells whose units can move, one by one: a small network is shown what is around such a cell, and says how
good each of its eight moves is. The choice is made between all moves of all these cells, and passing.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from palestra import Batch

Floats = NDArray[np.float32]
Integers = NDArray[np.int64]

BOARD = {"generate": (8, 8, 2), "settings": {"max_turns": 150}, "map_pool": 2048}
REACH = 2  # cells in every direction that are looked at
MOVES = 8  # of a cell
CHANNELS = 12
PATCH = (2 * REACH + 1) ** 2 * CHANNELS
GLOBALS = 7
HIDDEN = 64


@dataclass
class Seen:
    """What the networks are shown of some environments."""

    patches: Floats
    """A row for every cell whose units can move."""
    rows: Integers
    """Its environment; in order."""
    cells: Integers
    allowed: NDArray[np.bool_]
    """For every row, which of its moves are allowed."""
    globals: Floats
    """A row for every environment."""

    def take(self, chosen: Integers) -> Seen:
        """Those of these environments, in this order."""
        starts = np.searchsorted(self.rows, chosen)
        counts = np.searchsorted(self.rows, chosen, side="right") - starts
        picked = np.repeat(starts - np.concatenate(([0], np.cumsum(counts)[:-1])), counts) + np.arange(counts.sum())
        rows = np.repeat(np.arange(len(chosen)), counts)
        return Seen(self.patches[picked], rows, self.cells[picked], self.allowed[picked], self.globals[chosen])

    @staticmethod
    def join(parts: list[Seen]) -> Seen:
        """All of them one after the other."""
        offsets = np.cumsum([0] + [len(part.globals) for part in parts[:-1]])
        return Seen(
            np.concatenate([part.patches for part in parts]),
            np.concatenate([part.rows + offset for part, offset in zip(parts, offsets, strict=True)]),
            np.concatenate([part.cells for part in parts]),
            np.concatenate([part.allowed for part in parts]),
            np.concatenate([part.globals for part in parts]),
        )


def look(batch: Batch) -> Seen:
    """Turns the observations of a batch into what the networks are shown."""
    planes, units = batch.observations["planes"], batch.observations["counts"][..., 0]
    names = {channel.name: place for place, channel in enumerate(batch.space.planes)}
    own, other = planes[..., names["own"]], planes[..., names["other"]]
    strength = np.log1p(units.astype(np.float32)) / 3
    neutral = (own == 0) & (other == 0)
    layers = [planes.astype(np.float32), *(layer[..., None] for layer in (strength * own, strength * other, strength * neutral))]
    ripe = ((units > 1) & (own == 1))[..., None].astype(np.float32)
    board = np.concatenate([*layers, ripe], axis=-1)
    edges = ((0, 0), (REACH, REACH), (REACH, REACH), (0, 0))
    windows = np.lib.stride_tricks.sliding_window_view(np.pad(board, edges), (2 * REACH + 1,) * 2, axis=(1, 2))
    moves = batch.mask[:, :-1].reshape(batch.envs, -1, MOVES)
    rows, cells = np.nonzero(moves.any(axis=2))
    columns = batch.space.columns
    patches = windows[rows, cells // columns, cells % columns].reshape(len(rows), PATCH)
    about = batch.observations["globals"].astype(np.float32)
    round_, rounds, army, land, their_army, their_land = (about[:, place] for place in (0, 1, 5, 6, 7, 8))
    total, cells_held = np.maximum(army + their_army, 1), np.maximum(land + their_land, 1)
    shown = (army / total, land / cells_held, np.log1p(army) / 5, np.log1p(their_army) / 5, land / 64, their_land / 64)
    return Seen(patches, rows, cells, moves[rows, cells], np.stack([*shown, round_ / rounds], axis=1))


class Network:
    """Two hidden layers, and Adam."""

    def __init__(self, chance: np.random.Generator, sizes: tuple[int, ...], last: float) -> None:
        scales = [np.sqrt(2 / size) for size in sizes[:-2]] + [last / np.sqrt(sizes[-2])]
        self.weights: list[Floats] = []
        for size, following, scale in zip(sizes[:-1], sizes[1:], scales, strict=True):
            self.weights.append((chance.standard_normal((size, following)) * scale).astype(np.float32))
            self.weights.append(np.zeros(following, np.float32))
        self.moments = [(np.zeros_like(weight), np.zeros_like(weight)) for weight in self.weights]
        self.updates = 0

    def __call__(self, inputs: Floats) -> tuple[Floats, list[Floats]]:
        """The outputs, and what is needed to learn from them."""
        kept = [inputs]
        for place in range(0, len(self.weights) - 2, 2):
            kept.append(np.maximum(kept[-1] @ self.weights[place] + self.weights[place + 1], 0))
        return kept[-1] @ self.weights[-2] + self.weights[-1], kept

    def learn(self, kept: list[Floats], error: Floats, rate: float) -> None:
        """One step of Adam against these derivatives of the loss by the outputs."""
        slopes: list[Floats] = []
        for place in range(len(kept) - 1, -1, -1):
            slopes = [kept[place].T @ error, error.sum(axis=0), *slopes]
            error = (error @ self.weights[2 * place].T) * (kept[place] > 0)
        norm = np.sqrt(sum(float((slope**2).sum()) for slope in slopes))
        self.updates += 1
        for weight, (first, second), slope in zip(self.weights, self.moments, slopes, strict=True):
            slope = slope * min(1.0, 0.5 / (norm + 1e-8))
            first += 0.1 * (slope - first)
            second += 0.001 * (slope**2 - second)
            unbiased = first / (1 - 0.9**self.updates), second / (1 - 0.999**self.updates)
            weight -= rate * unbiased[0] / (np.sqrt(unbiased[1]) + 1e-8)


class Learner:
    """The policy and its critic."""

    def __init__(self, seed: int) -> None:
        self.chance = np.random.default_rng(seed)
        self.policy = Network(self.chance, (PATCH, HIDDEN, HIDDEN, MOVES), 0.1)
        self.critic = Network(self.chance, (GLOBALS, 64, 64, 1), 0.1)

    def logits(self, seen: Seen) -> tuple[Floats, list[Floats]]:
        """How good every move of every row is; those that are not allowed are as bad as can be."""
        outputs, kept = self.policy(seen.patches)
        return np.where(seen.allowed, outputs, np.float32(-1e9)), kept

    def shares(self, seen: Seen, logits: Floats) -> tuple[Floats, Floats]:
        """The probability of every move, and of passing, whose logit is 0 less than nothing: it is seldom any good."""
        envs = len(seen.globals)
        best = np.full(envs, PASS, np.float32)
        np.maximum.at(best, seen.rows, logits.max(axis=1))
        weights = np.exp(logits - best[seen.rows, None])
        passing = np.exp(PASS - best)
        total = np.bincount(seen.rows, weights.sum(axis=1), envs).astype(np.float32) + passing
        return weights / total[seen.rows, None], passing / total

    def act(self, seen: Seen) -> tuple[Integers, Integers, Floats]:
        """For every environment the row and the move that were drawn (-1 is passing), and their probability."""
        shares, passing = self.shares(seen, self.logits(seen)[0])
        envs = len(seen.globals)
        noise = self.chance.gumbel(size=shares.shape).astype(np.float32)
        keys = np.log(shares + 1e-30) + noise
        moves = keys.argmax(axis=1)
        best_keys = keys[np.arange(len(moves)), moves]
        passing_keys = np.log(passing + 1e-30) + self.chance.gumbel(size=envs).astype(np.float32)
        order = np.lexsort((best_keys, seen.rows))
        last = np.searchsorted(seen.rows[order], np.arange(envs), side="right") - 1
        has_rows = np.bincount(seen.rows, minlength=envs) > 0
        rows = np.where(has_rows, order[np.maximum(last, 0)] if len(order) else 0, -1)
        moved = has_rows.copy()
        moved[has_rows] = best_keys[rows[has_rows]] > passing_keys[has_rows]
        rows = np.where(moved, rows, -1)
        drawn = np.full(envs, -1)
        drawn[moved] = moves[rows[moved]]
        probability = passing.copy()
        probability[moved] = shares[rows[moved], drawn[moved]]
        return rows, drawn, probability

    def values(self, seen: Seen) -> Floats:
        """How well every environment goes for the learner."""
        return self.critic(seen.globals)[0][:, 0]

    def save(self, path: Path) -> None:
        """Keeps the policy."""
        np.savez_compressed(path, *[weight.astype(np.float16) for weight in self.policy.weights])

    def load(self, path: Path) -> None:
        """Takes a policy that was kept."""
        with np.load(path) as file:
            self.policy.weights = [file[name].astype(np.float32) for name in file.files]


PASS = np.float32(-2)


def actions(seen: Seen, rows: Integers, moves: Integers, rest: int) -> Integers:
    """The numbers of what was drawn."""
    chosen = np.full(len(rows), rest)
    moved = rows >= 0
    chosen[moved] = seen.cells[rows[moved]] * MOVES + moves[moved]
    return chosen


def standing(batch: Batch) -> Floats:
    """How far the learner is ahead, in units and land: what it is rewarded for on the way."""
    about = batch.observations["globals"].astype(np.float32)
    army, land, their_army, their_land = (about[:, place] for place in (5, 6, 7, 8))
    return (army - their_army) / (army + their_army + 1) + (land - their_land) / (land + their_land + 1)


def batches(envs: int, seed: int, opponents: tuple[str, ...], **options: object) -> list[Batch]:
    """The learner on either seat, against each of these."""
    seats: list[list[str | None]] = [seats for name in opponents for seats in ([None, name], [name, None])]
    return [Batch("generals", envs, seed=seed + i, opponents=s, **BOARD, **options) for i, s in enumerate(seats)]  # type: ignore[arg-type]


def won(learner: Learner, opponent: str, games: int, seed: int) -> float:
    """The share of games that are won, half of them on either seat."""
    wins = 0
    for batch in batches((games + 1) // 2, seed, (opponent,), autoreset="disabled"):
        batch.reset()
        rest = batch.space.rest
        assert rest is not None
        while not batch.terminated.all():
            seen = look(batch)
            rows, moves, _ = learner.act(seen)
            batch.step(actions(seen, rows, moves, rest))
            wins += int((batch.rewards[:, batch.learners[0]] > 0).sum())
    return wins / (2 * ((games + 1) // 2))


@dataclass
class Steps:
    """What was gone through in one round of all environments, and what is learnt from it."""

    seen: Seen
    rows: Integers
    moves: Integers
    probability: Floats
    values: Floats
    rewards: Floats
    over: NDArray[np.bool_]


def rollout(learner: Learner, played: list[Batch], length: int) -> Iterator[Steps]:
    """So many steps of all batches."""
    for _ in range(length):
        parts = [look(batch) for batch in played]
        seen = Seen.join(parts)
        rows, moves, probability = learner.act(seen)
        rewards, over, begin, row_begin = [], [], 0, 0
        for batch, part in zip(played, parts, strict=True):
            end = begin + batch.envs
            own = np.where(rows[begin:end] >= 0, rows[begin:end] - row_begin, -1)
            rest = batch.space.rest
            assert rest is not None
            before = standing(batch)
            batch.step(actions(part, own, moves[begin:end], rest))
            ended = batch.terminated | batch.truncated
            shaped = np.where(ended, 0, standing(batch) - before)
            rewards.append(batch.rewards[:, batch.learners[0]] + 0.5 * shaped)
            over.append(ended.copy())
            begin, row_begin = end, row_begin + len(part.rows)
        values = learner.values(seen)
        yield Steps(seen, rows, moves, probability, values, np.concatenate(rewards), np.concatenate(over))


def learn(learner: Learner, played: list[Batch], length: int, rate: float, entropy: float) -> float:
    """Plays on for a while and learns from it; gives how the games that ended went, from -1 to 1."""
    steps = list(rollout(learner, played, length))
    following = learner.values(Seen.join([look(batch) for batch in played]))
    advantage = np.zeros_like(following)
    advantages: list[Floats] = []
    for step in reversed(steps):
        following = np.where(step.over, 0, following)
        advantage = step.rewards + 0.99 * following - step.values + 0.99 * 0.95 * np.where(step.over, 0, advantage)
        advantages.insert(0, advantage)
        following = step.values
    gained = np.concatenate(advantages).astype(np.float32)
    targets = gained + np.concatenate([step.values for step in steps])
    gained = (gained - gained.mean()) / (gained.std() + 1e-8)
    seen = Seen.join([step.seen for step in steps])
    rows_before = np.cumsum([0] + [len(step.seen.rows) for step in steps[:-1]])
    rows = np.concatenate([np.where(s.rows >= 0, s.rows + b, -1) for s, b in zip(steps, rows_before, strict=True)])
    moves = np.concatenate([step.moves for step in steps])
    probability = np.concatenate([step.probability for step in steps])
    first_rows = np.searchsorted(seen.rows, np.arange(len(rows)))
    for _ in range(2):
        for part in np.array_split(learner.chance.permutation(len(rows)), max(1, len(rows) // 2048)):
            mine = seen.take(part)
            starts = np.searchsorted(mine.rows, np.arange(len(part)))
            own = np.where(rows[part] >= 0, rows[part] - first_rows[part] + starts, -1)
            update(learner, mine, own, moves[part], probability[part], gained[part], targets[part], rate, entropy)
    ends = np.concatenate([step.rewards[step.over] for step in steps])
    return float(np.sign(ends).mean()) if len(ends) else 0.0


def update(
    learner: Learner,
    seen: Seen,
    rows: Integers,
    moves: Integers,
    old: Floats,
    gained: Floats,
    targets: Floats,
    rate: float,
    entropy: float,
) -> None:
    """One step of both networks."""
    logits, kept = learner.logits(seen)
    shares, passing = learner.shares(seen, logits)
    moved = rows >= 0
    now = passing.copy()
    now[moved] = shares[rows[moved], moves[moved]]
    ratio = now / np.maximum(old, 1e-12)
    clipped = ((ratio > 1.2) & (gained > 0)) | ((ratio < 0.8) & (gained < 0))
    pull = np.where(clipped, 0, gained * ratio).astype(np.float32) / len(rows)
    # The derivative of the logarithm of a softmax, and of its entropy.
    error = shares * pull[seen.rows, None]
    error[rows[moved], moves[moved]] -= pull[moved]
    logs = np.log(shares + 1e-12)
    own_entropy = np.bincount(seen.rows, -(shares * logs).sum(axis=1), len(rows)) - passing * np.log(passing + 1e-12)
    error += entropy / len(rows) * shares * (logs + own_entropy.astype(np.float32)[seen.rows, None])
    learner.policy.learn(kept, error.astype(np.float32), rate)
    values, kept_values = learner.critic(seen.globals)
    learner.critic.learn(kept_values, ((values[:, 0] - targets) / len(rows))[:, None].astype(np.float32), 1e-3)


def main() -> None:
    """Reads the command line."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--minutes", type=float, default=10.0)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--weights", type=Path, default=Path("generals.npz"))
    options.add_argument("--games", type=int, help="only play so many games with these weights")
    given = options.parse_args()
    learner = Learner(given.seed)
    if given.games:
        learner.load(given.weights)
        for opponent in ("greedy", "random"):
            print(f"won {won(learner, opponent, given.games, 10_000):.1%} of {given.games} games against {opponent}")
        return
    played = batches(64, 100 * given.seed, ("random", "greedy"), autoreset="same_step")
    for batch in played:
        batch.reset()
    start, best, steps, turn = time.monotonic(), 0.0, 0, 0
    print("minutes      steps  reward  won against greedy")
    while (minutes := (time.monotonic() - start) / 60) < given.minutes:
        left = 1 - minutes / given.minutes
        reward = learn(learner, played, 64, 1e-3 * left + 1e-4, 0.01 * left)
        steps += 64 * sum(batch.envs for batch in played)
        turn += 1
        if turn % 10 == 0:
            share = won(learner, "greedy", 200, 5000)
            print(f"{minutes:7.1f} {steps:10,} {reward:7.2f} {share:19.1%}", flush=True)
            if share > best:
                best = share
                learner.save(given.weights)
    learner.load(given.weights)
    print(f"won {won(learner, 'greedy', 1000, 10_000):.1%} of 1000 games against greedy")


if __name__ == "__main__":
    main()
