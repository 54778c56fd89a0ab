"""A policy plays as a program does."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import palestra
from palestra import Turn

BOT = """
import numpy as np
import palestra

def policy(turn):
    chance = np.random.default_rng(turn.observation["globals"])
    return int(chance.choice(np.flatnonzero(turn.mask)))

palestra.run_bot(policy, "generals")
"""


def policy(turn: Turn) -> int:
    """The same."""
    chance = np.random.default_rng(turn.observation["globals"])
    return int(chance.choice(np.flatnonzero(turn.mask)))


def test_a_program_sees_and_answers_what_a_function_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # As where the environment is activated that has the package.
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    bot = tmp_path / "bot.py"
    bot.write_text(BOT)
    for seed, opponents in ((1, ["greedy"]), (2, ["random", "rest"])):
        played = palestra.play("generals", [bot, *opponents], seed=seed, time="none")
        function = palestra.play("generals", [policy, *opponents], seed=seed)
        assert not played.faults
        answers = [[turn.answer for turn in replay.recorded_turns(0)] for replay in (played, function)]
        assert len(answers[0]) > 10 and answers[0] == answers[1]


def test_what_is_not_of_the_game_is_told(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(BOT)
    told = subprocess.run([sys.executable, bot], input="3 3 2 1 1 hello ", capture_output=True, text=True, check=False)
    assert told.returncode != 0 and "what was sent is not of this game" in told.stderr
    # Nobody who sends anything: there is no game to play.
    assert subprocess.run([sys.executable, bot], stdin=subprocess.DEVNULL, check=False).returncode == 0
    with pytest.raises(ValueError, match="does not say all that an observation does"):
        palestra.run_bot(policy, "grifaki")
