"""Trains the policy for Grifaki on a small board, against built-in players: python train.py [--steps 3e5] [--out FOLDER]"""

from palestra import ppo
from policy import describe, worth

TASK = ppo.Task(
    game="grifaki",
    describe=describe,
    worth=worth,
    opponents=("random", "expander"),
    generate=(6, 6, 2),
    # Who has more when the last tick is over is the better one.
    rules={"max_game_duration": 150},
    test_rules={"max_game_duration": 500},
    steps=3e5,
    envs=64,
    games=200,
)

if __name__ == "__main__":
    ppo.train(TASK)
