"""What a policy for Auralux knows of every allowed action, as numbers: `palestra.ppo` gives it a score for them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

import palestra
from palestra.ppo import Floats

OWN, OTHER, LEVEL = 1, 2, 3
"""Planes of an observation; see games/auralux/observations.md."""
OURS, THEIRS, DISTANCES = slice(2, 9), slice(9, 16), 16
"""Counts: ships under way of both players, and where distances begin."""
COSTS = np.array([100, 100, 200, 0], np.float32)
"""To capture a planet, and to raise it; of the top level none."""
ARMOR = np.array([0, 100, 200, 300], np.float32)


def worth(observations: palestra.Observations) -> NDArray[Any]:
    """The share of all ships and of all production."""
    numbers = observations["globals"].astype(np.float32)
    share: NDArray[Any] = (numbers[:, 5] + 300 * numbers[:, 7] + 1) / (
        numbers[:, [5, 9]].sum(axis=1) + 300 * numbers[:, [7, 11]].sum(axis=1) + 2
    )
    return share


def describe(observations: palestra.Observations, mask: NDArray[np.bool_]) -> tuple[Floats, Floats, NDArray[np.int64]]:
    """Of many positions: the numbers of every allowed action one after the other, those of every position, and how many actions
    each has. To end the turn is the last action of each."""
    planes, counts = observations["planes"], observations["counts"].astype(np.float32)
    numbers = observations["globals"].astype(np.float32)
    count, planets = planes.shape[:2]
    own, other, level = planes[..., OWN] > 0, planes[..., OTHER] > 0, planes[..., LEVEL]
    ships, armor = counts[..., 0] / 100, counts[..., 1] / 100
    ours, theirs = counts[..., OURS].sum(axis=-1) / 100, counts[..., THEIRS].sum(axis=-1) / 100
    ways = counts[..., DISTANCES : DISTANCES + planets]
    cost = COSTS[level] / 100
    missing = (ARMOR[level] - counts[..., 1]) / 100

    state = np.stack(
        [
            worth(observations),
            *(numbers[:, [5, 9]] / 1000).T,
            *(numbers[:, [7, 11]] / 10).T,
            numbers[:, 0] / np.maximum(numbers[:, 1], 1),
            0 * numbers[:, 0] + 1,
        ],
        axis=-1,
    ).astype(np.float32)

    env, action = np.nonzero(mask)
    ends = action == mask.shape[1] - 1
    way = np.where(ends, 0, action // 3)
    share = np.where(ends, 0, action % 3)
    from_, to = (env, way // planets), (env, way % planets)
    far = ways[env, way // planets, way % planets] / 20
    part = np.floor(counts[from_][:, 0] / (2**share)) / 100
    stays = way // planets == way % planets
    sends = ~ends & ~stays
    growth = np.where(other[to], level[to] * far / 5, 0)
    defence = np.where(own[to], 0, ships[to] + armor[to] + growth)
    margin = part + ours[to] - theirs[to] - defence
    raises = stays & (level[to] < 3) & (part >= cost[to] + np.where(level[to] > 0, missing[to], 0))
    free = ~own[to] & ~other[to]
    threatened = theirs[from_] - ships[from_] - armor[from_] + part
    sent = np.stack(
        [
            np.minimum(part, 5),
            far,
            own[to],
            other[to],
            free,
            other[to] * np.clip(margin, -3, 3),
            other[to] & (margin > 0),
            free * np.clip(margin, -3, 3),
            free & (margin >= 1),
            free * (ours[to] > 0),
            own[to] * np.clip(theirs[to] - ours[to] - ships[to] - armor[to], -3, 3),
            level[to] / 3,
            other[to] * level[to] / 3,
            np.clip(threatened, -3, 3),
            np.minimum(ships[from_] - part, 5),
            share == 0,
            level[from_] == 0,
            np.minimum(growth, 3),
            np.exp(-far) * (1 + free),
        ]
    )
    spent = np.stack(
        [
            raises,
            raises & (level[to] == 0),
            raises & (level[to] == 2),
            ~raises & (missing[to] > 0),
            np.minimum(missing[to], 3),
            np.minimum(theirs[to], 5),
            np.minimum(ships[to] - np.where(raises, cost[to], 0), 5),
            0 * part + 1,
        ]
    )
    orders = numbers[env, 4] / 5
    moves = np.concatenate([sent * sends, spent * (stays & ~ends), [ends, ends * orders, ends * worth(observations)[env]]])
    return moves.T.astype(np.float32), state, np.bincount(env, minlength=count)
