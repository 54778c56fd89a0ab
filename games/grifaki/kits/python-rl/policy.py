"""What a policy for Grifaki knows of every allowed action, as numbers: `palestra.ppo` gives it a score for them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

import palestra
from palestra.ppo import Floats, beside, distances

BOARD, IN_SIGHT, CITY, CAPITAL, FALLEN, MOUNTAIN, NO_PLAIN, OWN, OTHER = range(9)
"""The planes of an observation; see games/grifaki/observations.md."""
WALL_PRICE, CITY_PRICE, ARMY, LAND, CITIES = range(7, 12)
"""Numbers of the whole."""
STEPS = np.array([[0, 0], [-1, 0], [0, -1], [0, 1], [1, 0]])
"""Rows and columns to a site: here, up, left, right, down."""


def worth(observations: palestra.Observations) -> NDArray[Any]:
    """What one has of units, land and cities, the less the more there is."""
    numbers = observations["globals"].astype(np.float32)
    has = numbers[:, ARMY] + 2 * numbers[:, LAND] + 40 * numbers[:, CITIES]
    share: NDArray[Any] = has / (has + 300)
    return share


def describe(observations: palestra.Observations, mask: NDArray[np.bool_]) -> tuple[Floats, Floats, NDArray[np.int64]]:
    """Of many positions: the numbers of every allowed action one after the other, those of every position, and how many actions
    each has. To do nothing is the last action of each."""
    planes, units = observations["planes"], observations["counts"][..., 0].astype(np.float32)
    numbers = observations["globals"].astype(np.float32)
    count, rows, columns = units.shape
    own, other = planes[..., OWN] > 0, planes[..., OTHER] > 0
    open_ = (planes[..., BOARD] > 0) & (planes[..., MOUNTAIN] == 0) & (planes[..., NO_PLAIN] == 0)
    hidden = open_ & (planes[..., IN_SIGHT] == 0)
    city = (planes[..., [CITY, CAPITAL, FALLEN]] > 0).any(axis=-1) & ~own
    neutral = open_ & ~own & ~other & ~hidden
    home = own & (planes[..., CAPITAL] > 0)
    goals = [other, city, hidden, neutral]
    ways = np.split(distances(np.concatenate(goals), np.concatenate([open_] * len(goals))), len(goals))
    army = np.log1p(units)
    threat = beside(np.where(other, army, 0), 0).max(axis=-1)
    state = np.stack(
        [
            worth(observations),
            np.log1p(numbers[:, ARMY]) / 8,
            numbers[:, LAND] / (rows * columns),
            numbers[:, CITIES] / 10,
            other.any((1, 2)),
            home.any((1, 2)),
            np.log1p(np.where(other, units, 0).sum((1, 2))) / 8,
            numbers[:, 0] / 500,
            0 * numbers[:, 0] + 1,
        ],
        axis=-1,
    ).astype(np.float32)

    env, action = np.nonzero(mask)
    cells = rows * columns
    rests = action == mask.shape[1] - 1
    builds = (action >= 12 * cells) & ~rests
    goes = ~rests & ~builds
    made = np.where(builds, action - 12 * cells, 0)
    place = np.where(goes, action // 12, np.where(builds, made // 10, 0))
    site = np.where(goes, 1 + action // 3 % 4, made // 2 % 5)
    row, column = place // columns, place % columns
    to_row = np.clip(row + STEPS[site, 0], 0, rows - 1)
    to_column = np.clip(column + STEPS[site, 1], 0, columns - 1)
    here, there = (env, row, column), (env, to_row, to_column)
    amount = action % 3
    sent = np.where(amount == 0, units[here], np.where(amount == 1, units[here] - 1, units[here] // 2))
    taken = ~own[there] & (sent > units[there])
    strongest = np.where(own, units, 0).max(axis=(1, 2))
    moves = np.stack(
        [
            np.log1p(np.maximum(sent, 0)),
            army[here],
            own[there] * army[there],
            other[there] * army[there],
            neutral[there] * army[there],
            taken,
            taken & other[there],
            taken & city[there],
            taken & neutral[there],
            own[there],
            other[there],
            ~own[there] & ~taken,
            amount == 0,
            amount == 2,
            units[here] == strongest[env],
            home[here],
            home[here] & (amount == 0),
            threat[here],
            threat[there],
            *[np.clip(distance[here] - distance[there], -1, 1) for distance in ways],
            *[np.exp(-distance[there] / 3) * np.log1p(np.maximum(sent, 0)) / 3 for distance in ways[:2]],
        ]
    )
    walls, cities = builds & (made % 2 == 0), builds & (made % 2 == 1)
    built = np.stack(
        [
            walls,
            walls & home[there],
            walls * threat[there],
            cities,
            cities * threat[there],
            cities * np.log1p(np.maximum(numbers[env, CITY_PRICE], 0)) / 5,
            rests,
            rests * state[env, 4],
        ]
    )
    described: Floats = np.concatenate([moves * goes, built]).T.astype(np.float32)
    return described, state, np.bincount(env, minlength=count)
