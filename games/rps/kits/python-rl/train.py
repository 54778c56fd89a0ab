"""Trains the policy for Rock Paper Scissor in a small arena, against built-in players: python train.py [--steps 1.2e6] [--out FOLDER]"""

from palestra import ppo
from policy import describe, worth

TASK = ppo.Task(
    game="rps",
    describe=describe,
    worth=worth,
    opponents=("bot", "greedy"),
    generate=(8,),
    # While it learns. It is tested by the usual rules.
    rules={"size": 8, "max_ticks": 300},
    test_rules={"size": 8},
    envs=64,
    length=64,
    gamma=0.997,
    steps=1.2e6,
    games=200,
    # There is no chance in this game.
    draws=True,
)

if __name__ == "__main__":
    ppo.train(TASK)
