"""A policy plays as a program does."""

from __future__ import annotations

import os
import shlex
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

palestra.run_bot(policy, GAME, SETTINGS)
"""

SHORT: dict[str, dict[str, object]] = {
    "generals": {"max_turns": 300},
    "auralux": {"max_steps": 100},
    "rps": {"max_ticks": 300, "size": 6},
    "grifaki": {"max_game_duration": 300},
}
"""Settings of games that do not last."""


def policy(turn: Turn) -> int:
    """The same."""
    chance = np.random.default_rng(turn.observation["globals"])
    return int(chance.choice(np.flatnonzero(turn.mask)))


def written(folder: Path, game: str = "generals") -> Path:
    """The program of the policy."""
    bot = folder / "bot.py"
    bot.write_text(BOT.replace("GAME", repr(game)).replace("SETTINGS", repr(SHORT[game])))
    return bot


@pytest.mark.parametrize("game", list(palestra.games()))
def test_a_program_sees_and_answers_what_a_function_does(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # As where the environment is activated that has the package.
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    bot = written(tmp_path, game)
    weak, strong = list(palestra.games()[game].built_ins)[1:3]
    several = [weak] * (min(3, palestra.game(game).max_seats) - 1)
    for seed, opponents in ((1, [strong]), (2, several)):
        played = palestra.play(game, [bot, *opponents], seed=seed, time="none", settings=SHORT[game])
        function = palestra.play(game, [policy, *opponents], seed=seed, settings=SHORT[game])
        assert not played.faults
        answers = [[turn.answer for turn in replay.recorded_turns(0)] for replay in (played, function)]
        assert len(answers[0]) > 10 and answers[0] == answers[1]


def test_an_interpreter_that_is_named_keeps_its_environment(tmp_path: Path) -> None:
    bot = written(tmp_path)
    assert Path(sys.executable).is_symlink()
    played = palestra.play("generals", [shlex.join([sys.executable, str(bot)]), "rest"], time="none")
    assert not played.faults and played.turns > 10


def test_what_is_not_of_the_game_is_told(tmp_path: Path) -> None:
    bot = written(tmp_path)
    told = subprocess.run([sys.executable, bot], input="3 3 2 1 1 hello ", capture_output=True, text=True, check=False)
    assert told.returncode != 0 and "what was sent is not of this game" in told.stderr
    # Nobody who sends anything: there is no game to play.
    assert subprocess.run([sys.executable, bot], stdin=subprocess.DEVNULL, check=False).returncode == 0
