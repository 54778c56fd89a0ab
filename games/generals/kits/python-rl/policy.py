"""What a policy for Generals knows of every allowed move, as numbers: `palestra.ppo` gives it a score for them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import palestra
from palestra.ppo import Floats, beside, distances

BOARD, IN_SIGHT, CITY, CAPITAL, MOUNTAIN, OBSTACLE, OWN, OTHER = range(8)
"""The planes of an observation; see games/generals/observations.md."""


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
