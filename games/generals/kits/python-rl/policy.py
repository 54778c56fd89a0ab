"""A small policy for Generals, in plain NumPy: every allowed move is described by a few numbers, a network with one hidden layer
gives it a score, and the higher the score the likelier the move. It plays on boards of any size.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import palestra

Floats = NDArray[np.float32]
Weights = dict[str, Floats]

HIDDEN = 32
"""Neurons of a layer."""
FAR = 12.0
"""A distance that is as good as none."""
BOARD, IN_SIGHT, CITY, CAPITAL, MOUNTAIN, OBSTACLE, OWN, OTHER = range(8)
"""The planes of an observation; see games/generals/observations.md."""
MOVE_FEATURES = 27
STATE_FEATURES = 7


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


def describe(observations: palestra.Observations, mask: NDArray[np.bool_]) -> tuple[Floats, Floats, NDArray[np.int64]]:
    """Of many positions: the numbers of every allowed move one after the other, those of every position, and how many moves
    each has. To pass is the last move of each."""
    planes, units = observations["planes"], observations["counts"][..., 0].astype(np.float32)
    count, rows, columns = units.shape
    own, other = planes[..., OWN] > 0, planes[..., OTHER] > 0
    open_ = (planes[..., BOARD] > 0) & (planes[..., MOUNTAIN] == 0) & (planes[..., OBSTACLE] == 0)
    hidden = open_ & (planes[..., IN_SIGHT] == 0)
    capital = other & (planes[..., CAPITAL] > 0)
    neutral = open_ & ~own & ~other & ~hidden
    goals = [other, capital, hidden, neutral & (planes[..., CITY] == 0)]
    ways = np.split(distances(np.concatenate(goals), np.concatenate([open_] * len(goals))), len(goals))
    army = np.log1p(units)
    threat = beside(np.where(other, army, 0), 0).max(axis=-1)

    globals_ = observations["globals"].astype(np.float32)
    ours, land, theirs, their_land = (globals_[:, channel] for channel in (5, 6, 7, 8))
    of_army, of_land = ours / (ours + theirs + 1), land / (land + their_land + 1)
    state = np.stack(
        [of_army, of_land, np.log1p(ours) / 4, capital.any((1, 2)), other.any((1, 2)), globals_[:, 0] / 200, 0 * ours + 1],
        axis=-1,
    ).astype(np.float32)

    env, action = np.nonzero(mask)
    passes = action == mask.shape[1] - 1
    place, way, half = action // 8, action // 2 % 4, action % 2
    place = np.where(passes, 0, place)
    row, column = place // columns, place % columns
    to_row = np.clip(row + np.array([-1, 0, 0, 1])[way], 0, rows - 1)
    to_column = np.clip(column + np.array([0, -1, 1, 0])[way], 0, columns - 1)
    here, there = (env, row, column), (env, to_row, to_column)
    sent = np.maximum(np.where(half == 1, units[here] // 2, units[here] - 1), 0)
    taken = ~own[there] & (sent > units[there])
    strongest = np.where(own, units, 0).max(axis=(1, 2))
    moves = np.stack(
        [
            np.log1p(sent),
            army[here],
            own[there] * army[there],
            other[there] * army[there],
            neutral[there] * army[there],
            taken,
            taken & other[there],
            taken & capital[there],
            taken & (planes[..., CITY][there] > 0),
            taken & neutral[there],
            own[there],
            other[there],
            ~own[there] & ~taken,
            half,
            units[here] == strongest[env],
            (planes[..., CAPITAL][here] > 0) & own[here],
            threat[here],
            threat[there],
            *[np.clip(distance[here] - distance[there], -1, 1) for distance in ways],
            *[(far := np.exp(-distance[there] / 3)) * np.log1p(sent) / 3 for distance in ways[:2]],
            of_army[env],
            of_land[env],
            passes,
        ],
        axis=-1,
    ).astype(np.float32)
    moves[passes, :-3] = 0
    return moves, state, np.bincount(env, minlength=count)


def fresh(seed: int) -> Weights:
    """A policy that knows nothing."""
    chance = np.random.default_rng(seed)

    def layer(inputs: int, outputs: int, scale: float) -> Floats:
        drawn: Floats = chance.normal(size=(inputs, outputs)).astype(np.float32)
        return drawn * np.float32(scale / np.sqrt(inputs))

    zero = np.zeros(HIDDEN, np.float32)
    return {
        "move_in": layer(MOVE_FEATURES, HIDDEN, 1),
        "move_bias": zero,
        "move_out": layer(HIDDEN, 1, 0.1),
        "state_in": layer(STATE_FEATURES, HIDDEN, 1),
        "state_bias": zero.copy(),
        "state_out": layer(HIDDEN, 1, 0.1),
    }


def scores(weights: Weights, moves: Floats) -> tuple[Floats, Floats]:
    """The score of every move, and the hidden layer behind it."""
    hidden: Floats = np.tanh(moves @ weights["move_in"] + weights["move_bias"])
    return (hidden @ weights["move_out"])[:, 0], hidden


def save(weights: Weights, path: Path) -> None:
    """Writes weights as text."""
    path.write_text(json.dumps({name: np.round(array, 4).tolist() for name, array in weights.items()}) + "\n")


def load(path: Path) -> Weights:
    """Reads weights."""
    return {name: np.array(array, np.float32) for name, array in json.loads(path.read_text()).items()}


def policy(weights: Weights) -> palestra.Policy:
    """The player with these weights: it takes the move with the highest score."""

    def choose(turn: palestra.Turn) -> int:
        observations = {part: array[None] for part, array in turn.observation.items()}
        moves, _, _ = describe(observations, turn.mask[None])
        return int(np.flatnonzero(turn.mask)[scores(weights, moves)[0].argmax()])

    return choose
