"""Trains the policy for Generals on a small board, against built-in players: python train.py [--steps 8e5] [--out FOLDER]"""

from typing import Any

from numpy.typing import NDArray

import palestra
from palestra import ppo
from policy import describe


def army(observations: palestra.Observations) -> NDArray[Any]:
    """The share of all units."""
    share: NDArray[Any] = observations["globals"][:, 5] / observations["globals"][:, [5, 7]].sum(axis=1)
    return share


TASK = ppo.Task(
    game="generals",
    describe=describe,
    worth=army,
    opponents=("random", "greedy"),
    generate=(6, 6, 2),
    # While it learns. It is tested by the usual rules.
    rules={"max_turns": 150},
)

if __name__ == "__main__":
    ppo.train(TASK)
