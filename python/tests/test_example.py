"""The trained bots of the documents, and what trains them."""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import palestra
from palestra import ppo

GAMES = list(palestra.games())
BEATEN = {"generals": ("greedy", 0.4), "auralux": ("upgrade_and_repair_main", 0.9), "rps": ("bot", 0.5), "grifaki": ("random", 0.9)}
"""Whom each holds its own against, and what it wins at least of few games; its README says what it wins of many."""


def folder(game: str) -> Path:
    """Where the bot of a game is."""
    return Path(__file__).parents[2] / "games" / game / "kits" / "python-rl"


@pytest.fixture
def example(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], ModuleType]]:
    """What trains the bot of a game; its files find each other as in its folder."""

    def trains(game: str) -> ModuleType:
        monkeypatch.syspath_prepend(str(folder(game)))
        import train

        return train

    yield trains
    for name in ("policy", "train"):
        sys.modules.pop(name, None)


@pytest.mark.parametrize("game", GAMES)
def test_a_trained_policy_wins_what_an_untrained_one_does_not(game: str, example: Callable[[str], ModuleType]) -> None:
    task: ppo.Task = example(game).TASK
    weights = ppo.load(folder(game) / "weights.json")
    opponent, share = BEATEN[game]
    assert ppo.tested(task, weights, opponent, 60, seed=3) >= share
    knows_nothing = ppo.fresh(1, len(weights["move_in"]), len(weights["state_in"]))
    assert ppo.tested(task, knows_nothing, opponent, 20, seed=3) < share


@pytest.mark.parametrize("game", GAMES)
def test_its_bot_plays_as_the_policy_does(
    game: str, example: Callable[[str], ModuleType], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    task: ppo.Task = example(game).TASK
    plays = ppo.policy(ppo.load(folder(game) / "weights.json"), task.describe, 1 if task.draws else None)
    opponent = task.opponents[0]
    bots = [palestra.play(game, [bot, opponent], seed=4, time="none", settings=SHORT[game]) for bot in (folder(game), plays)]
    answers = [[turn.answer for turn in replay.recorded_turns(0)] for replay in bots]
    assert not bots[0].faults and len(answers[0]) > 10 and answers[0] == answers[1]


SHORT: dict[str, dict[str, object]] = {
    "generals": {"max_turns": 100},
    "auralux": {"max_steps": 100},
    "rps": {"max_ticks": 100},
    "grifaki": {"max_game_duration": 50},
}
"""Settings of games that do not last, of those that no observation tells a policy that plays by the usual ones."""


def test_gradients_lead_downhill() -> None:
    """Those that are worked out by hand are those that small steps show."""
    weights = {name: array.astype(np.float64) for name, array in ppo.fresh(5, 27, 7).items()}
    chance, entropy = np.random.default_rng(5), 0.01
    counts = np.array([3, 1, 5])
    kept = {
        "moves": chance.normal(size=(9, 27)),
        "state": chance.normal(size=(3, 7)),
        "counts": counts,
        "chosen": np.array([2, 0, 1]),
        "value": chance.normal(size=3),
        "advantage": np.array([1.0, -2.0, 0.5]),
    }
    likely = ppo.likelihoods(ppo.scores(weights, kept["moves"])[0], counts)
    starts = np.array([0, 3, 4])
    kept["likelihood"] = likely[starts + kept["chosen"]] + 0.05

    def loss() -> float:
        likely = ppo.likelihoods(ppo.scores(weights, kept["moves"])[0], counts)
        advantage = (kept["advantage"] - kept["advantage"].mean()) / (kept["advantage"].std() + 1e-6)
        ratio = np.exp(likely[starts + kept["chosen"]] - kept["likelihood"])
        held = np.minimum(ratio * advantage, np.clip(ratio, 1 - ppo.CLIP, 1 + ppo.CLIP) * advantage)
        unsure = -np.add.reduceat(np.exp(likely) * likely, starts)
        error = ppo.values_of(weights, kept["state"])[0] - kept["value"] - kept["advantage"]
        return float((-held - entropy * unsure + error**2 / 2).mean())

    found = ppo.gradients(weights, kept, entropy)
    for name, array in weights.items():
        place = np.unravel_index(np.abs(found[name]).argmax(), array.shape)
        before = array[place]
        array[place] = before + 1e-5
        more = loss()
        array[place] = before - 1e-5
        slope = (more - loss()) / 2e-5
        array[place] = before
        assert slope == pytest.approx(found[name][place], rel=1e-2, abs=1e-6), name


@pytest.mark.parametrize("game", GAMES)
def test_training_writes_weights_and_a_curve(game: str, tmp_path: Path) -> None:
    arguments = [folder(game) / "train.py", "--steps", "1", "--games", "4", "--out", tmp_path / "out"]
    told = subprocess.run([sys.executable, *map(str, arguments)], capture_output=True, text=True, check=True)
    assert told.stdout.count("of 4 games against ") == 2
    assert "</svg>" in (tmp_path / "out" / "curve.svg").read_text() and (tmp_path / "out" / "weights.json").exists()
