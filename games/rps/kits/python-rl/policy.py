"""What a policy for Rock Paper Scissor knows of every allowed action, as numbers: `palestra.ppo` gives it a score for them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

import palestra
from palestra.ppo import Floats

FAR = 12.0
"""A distance that is as good as none."""
OWN, ENEMY = slice(1, 4), slice(4, 7)
"""The planes of the units, by kind; see games/rps/observations.md."""
STEPS = np.array([[0, -1], [0, 1], [-1, 0], [1, 0]])
"""Rows and columns of a direction."""


def worth(observations: palestra.Observations) -> NDArray[Any]:
    """The share of all units and bases."""
    numbers = observations["globals"]
    own, enemy = (numbers[:, channels].sum(axis=1) for channels in ([5, 7, 18], [6, 8, 19]))
    share: NDArray[Any] = (own + 1) / (own + enemy + 2)
    return share


def distances(goals: NDArray[np.bool_]) -> Floats:
    """How many steps it is from every cell of boards to the nearest goal, if nobody stands in the way."""
    far = np.where(goals, np.float32(0), np.float32(FAR))
    for axis in (-2, -1):
        along = np.moveaxis(far, axis, -1)
        place = np.arange(along.shape[-1], dtype=np.float32)
        before = np.minimum.accumulate(along - place, axis=-1) + place
        behind = np.minimum.accumulate((along + place)[..., ::-1], axis=-1)[..., ::-1] - place
        far = np.moveaxis(np.minimum(before, behind), -1, axis)
    return np.minimum(far, np.float32(FAR))


def describe(observations: palestra.Observations, mask: NDArray[np.bool_]) -> tuple[Floats, Floats, NDArray[np.int64]]:
    """Of many positions: the numbers of every allowed action one after the other, those of every position, and how many actions
    each has. To end the turn is the last action of each."""
    planes, numbers = observations["planes"] > 0, observations["globals"].astype(np.float32)
    count, size = planes.shape[:2]
    own, enemy = planes[..., OWN], planes[..., ENEMY]
    bases = np.zeros((count, size, size), bool)
    bases[:, 0, -1], bases[:, -1, 0] = numbers[:, 5] == 0, numbers[:, 7] == 0
    factory, theirs = np.zeros_like(bases), np.zeros_like(bases)
    factory[:, 0, 0] = theirs[:, -1, -1] = True
    # Enemies by kind, bases to take, their factory, and one's own.
    goals = np.concatenate([np.moveaxis(enemy, -1, 0), [bases, theirs, factory]])
    ways = distances(goals)

    of_kind, against = own.sum(axis=(1, 2)), enemy.sum(axis=(1, 2))
    held, holding = numbers[:, 21] > 0, numbers[:, 20] > 0
    tick = numbers[:, 0] / np.maximum(numbers[:, 1], 1)
    state = np.stack(
        [worth(observations), *(numbers[:, 18:20] / 10).T, *numbers[:, 5:9].T, *(numbers[:, 20:22] / 10).T, tick, 0 * tick + 1],
        axis=-1,
    ).astype(np.float32)

    env, action = np.nonzero(mask)
    cells = size * size
    ends, makes = action == mask.shape[1] - 1, (action >= 4 * cells) & (action < mask.shape[1] - 1)
    goes = ~ends & ~makes
    place = np.where(goes, action // 4, 0)
    row, column = place // size, place % size
    step = STEPS[np.where(goes, action % 4, 0)]
    to_row, to_column = np.clip(row + step[:, 0], 0, size - 1), np.clip(column + step[:, 1], 0, size - 1)
    here, there = (env, row, column), (env, to_row, to_column)
    kind = np.where(makes, action - 4 * cells, own[here].argmax(axis=-1)) % 3
    prey, hunter = (kind + 2) % 3, (kind + 1) % 3
    every = np.arange(len(env))
    from_, to = ways[:, env, row, column].T, ways[:, env, to_row, to_column].T
    goals_of = np.stack([prey, hunter, kind, kind * 0 + 3, kind * 0 + 4, kind * 0 + 5])
    leaves, comes = from_[every, goals_of].T, to[every, goals_of].T
    nearer = np.clip(leaves - comes, -1, 1)
    met = enemy[there]
    blocked = own[there].any(axis=-1)
    moves = np.concatenate(
        [
            nearer,
            nearer[:, :2] * np.exp(-leaves[:, :2] / 2),
            np.exp(-comes / 2),
            np.stack(
                [
                    met[every, prey],
                    met[every, hunter],
                    met[every, kind],
                    blocked,
                    factory[here],
                    theirs[here],
                    theirs[there],
                    nearer[:, 5] * held[env],
                    nearer[:, 4] * holding[env],
                    worth(observations)[env],
                ],
                axis=-1,
            ),
        ],
        axis=-1,
    )
    moves[~goes] = 0
    made = makes * np.stack(
        [
            against[env, prey],
            against[env, hunter],
            of_kind[env, kind],
            numbers[env, 12 + kind] / 5,
            numbers[env, 9:12].sum(axis=-1) * 5,
        ]
    ) / np.float32(5)
    described: Floats = np.concatenate([moves, made.T, makes[:, None], ends[:, None]], axis=-1).astype(np.float32)
    return described, state, np.bincount(env, minlength=count)
