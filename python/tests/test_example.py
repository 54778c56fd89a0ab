"""The trained bot of the documents, and what trains it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import palestra

EXAMPLE = Path(__file__).parents[2] / "games" / "generals" / "kits" / "python-rl"


@pytest.fixture
def example(monkeypatch: pytest.MonkeyPatch) -> dict[str, ModuleType]:
    """Its files, as they find each other."""
    monkeypatch.syspath_prepend(str(EXAMPLE))
    import policy
    import train

    return {"policy": policy, "train": train}


def test_the_trained_policy_beats_random_and_holds_its_own_against_greedy(example: dict[str, ModuleType]) -> None:
    weights = example["policy"].load(EXAMPLE / "weights.json")
    # Of a thousand games it wins all, and more than half; of so few, some fewer are chance.
    assert example["train"].tested(weights, "random", 40, seed=3) >= 0.95
    assert example["train"].tested(weights, "greedy", 100, seed=3) >= 0.4
    assert example["train"].tested(example["policy"].fresh(1), "greedy", 20, seed=3) == 0


def test_its_bot_plays_as_the_policy_does(example: dict[str, ModuleType], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    board = palestra.generate_map("generals", 6, 6, 2, seed=4)
    plays = example["policy"].policy(example["policy"].load(EXAMPLE / "weights.json"))
    bots = [palestra.play("generals", [bot, "greedy"], map=board, seed=4, time="none") for bot in (EXAMPLE, plays)]
    answers = [[turn.answer for turn in replay.recorded_turns(0)] for replay in bots]
    assert len(answers[0]) > 10 and answers[0] == answers[1]


def test_gradients_lead_downhill(example: dict[str, ModuleType]) -> None:
    """Those that are worked out by hand are those that small steps show."""
    policy, train = example["policy"], example["train"]
    weights = {name: array.astype(np.float64) for name, array in policy.fresh(5).items()}
    chance = np.random.default_rng(5)
    counts = np.array([3, 1, 5])
    kept = {
        "moves": chance.normal(size=(9, policy.MOVE_FEATURES)),
        "state": chance.normal(size=(3, policy.STATE_FEATURES)),
        "counts": counts,
        "chosen": np.array([2, 0, 1]),
        "value": chance.normal(size=3),
        "advantage": np.array([1.0, -2.0, 0.5]),
    }
    likely = train.likelihoods(policy.scores(weights, kept["moves"])[0], counts)
    starts = np.array([0, 3, 4])
    kept["likelihood"] = likely[starts + kept["chosen"]] + 0.05

    def loss() -> float:
        likely = train.likelihoods(policy.scores(weights, kept["moves"])[0], counts)
        advantage = (kept["advantage"] - kept["advantage"].mean()) / (kept["advantage"].std() + 1e-6)
        ratio = np.exp(likely[starts + kept["chosen"]] - kept["likelihood"])
        held = np.minimum(ratio * advantage, np.clip(ratio, 1 - train.CLIP, 1 + train.CLIP) * advantage)
        unsure = -np.add.reduceat(np.exp(likely) * likely, starts)
        error = train.values_of(weights, kept["state"])[0] - kept["value"] - kept["advantage"]
        return float((-held - train.ENTROPY * unsure + error**2 / 2).mean())

    found = train.gradients(weights, kept)
    for name, array in weights.items():
        place = np.unravel_index(np.abs(found[name]).argmax(), array.shape)
        before = array[place]
        array[place] = before + 1e-5
        more = loss()
        array[place] = before - 1e-5
        slope = (more - loss()) / 2e-5
        array[place] = before
        assert slope == pytest.approx(found[name][place], rel=1e-2, abs=1e-6), name


def test_training_writes_weights_and_a_curve(tmp_path: Path) -> None:
    shutil.copytree(EXAMPLE, tmp_path / "ppo", ignore=shutil.ignore_patterns("weights.json", "__pycache__"))
    short = (tmp_path / "ppo" / "train.py").read_text().replace("GAMES = 1000", "GAMES = 4")
    (tmp_path / "ppo" / "train.py").write_text(short)
    arguments = ["train.py", "--steps", "16384", "--out", str(tmp_path / "out")]
    told = subprocess.run([sys.executable, *arguments], cwd=tmp_path / "ppo", capture_output=True, text=True, check=True)
    assert "of 4 games against greedy" in told.stdout
    assert "</svg>" in (tmp_path / "out" / "curve.svg").read_text() and (tmp_path / "out" / "weights.json").exists()
