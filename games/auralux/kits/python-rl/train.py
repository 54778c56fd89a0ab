"""Trains the policy for Auralux on small maps, against built-in players: python train.py [--steps 8e5] [--out FOLDER]"""

from palestra import ppo
from policy import describe, worth

TASK = ppo.Task(
    game="auralux",
    describe=describe,
    worth=worth,
    opponents=("upgrade_and_repair_main", "aggressive_expansion_nearest"),
    generate=(4, 2),
    # Who has more when the last step is over is the better one.
    rules={"max_steps": 150},
    test_rules={"max_steps": 1000},
    draws=True,
    envs=64,
    length=64,
    shaped=3,
    games=200,
)

if __name__ == "__main__":
    ppo.train(TASK)
