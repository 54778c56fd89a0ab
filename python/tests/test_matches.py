"""Matches in which programs take part, duels and tournaments."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import palestra
from palestra import Turn

PASSES = """
import sys
for line in sys.stdin:
    print("-1", flush=True)
"""


def program(folder: Path, text: str, name: str = "bot.py") -> Path:
    """A program of Python that plays."""
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(text)
    return folder / name


def first_allowed(turn: Turn) -> int:
    return int(turn.mask.nonzero()[0][0])


def test_programs_functions_and_built_in_players_meet(tmp_path: Path) -> None:
    file = program(tmp_path, "import sys\nprint('here I am', file=sys.stderr)\n" + PASSES)
    folder = program(tmp_path / "other", PASSES, "main.py").parent
    players = [file, first_allowed, str(folder), "greedy"]
    replay = palestra.play("generals", players, seed=3, map="quartet", settings={"max_turns": 30})
    assert replay.verify() == replay.turns > 30
    assert replay.bots == (str(file), "first_allowed", str(folder), "greedy")
    assert replay.stderr[0] == "here I am\n" and not replay.faults
    # A program has the time that it has in an arena; nobody's time is kept where there is none.
    assert replay.time != "none" == palestra.play("generals", ["random", first_allowed], map="tiny").time


def test_a_program_is_kept_to_its_time_and_its_limits(tmp_path: Path) -> None:
    slow = program(tmp_path, "import time\ntime.sleep(1000)\n")
    replay = palestra.play("generals", [slow, "random"], map="tiny", time="50ms/answer", settings={"max_turns": 3})
    assert replay.faults[0].kind == "out_of_time" and "time" in replay.faults[0].what
    asks = "import resource, sys\nprint(*resource.getrlimit(resource.RLIMIT_NOFILE), file=sys.stderr)\n"
    curious = program(tmp_path, asks + PASSES)
    files = {}
    for level in ("auto", "off"):
        replay = palestra.play("generals", [curious, "random"], map="tiny", sandbox=level, settings={"max_turns": 3})
        files[level] = replay.stderr[0]
    assert files["auto"] == "256 256\n" != files["off"]
    with pytest.raises(ValueError, match="is no level"):
        palestra.play("generals", [curious, "random"], sandbox="some")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="without a sandbox"):
        palestra.play("generals", [curious, "random"], sandbox="off", memory=1 << 28)


def test_whoever_waits_can_leave_and_leaves_nothing_behind(tmp_path: Path) -> None:
    begun = tmp_path / "begun"
    bot = program(tmp_path, f"import os, time\nopen({str(begun)!r}, 'w').write(str(os.getpid()))\ntime.sleep(1000)\n")
    # Whoever started the tests may have Ctrl-C ignored, as shells do in the background.
    code = "import signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"
    code += f"import palestra\npalestra.play('generals', [{str(bot)!r}, 'random'], map='tiny', time='none')"
    waiting = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE, text=True)
    while not (begun.exists() and begun.read_text()):
        assert waiting.poll() is None
        time.sleep(0.01)
    waiting.send_signal(signal.SIGINT)
    _, said = waiting.communicate(timeout=120)
    assert "KeyboardInterrupt" in said
    assert not Path(f"/proc/{begun.read_text()}").exists()


def test_a_duel_knows_who_is_better() -> None:
    told: list[dict[str, Any]] = []
    found = palestra.duel("generals", "greedy", "random", maps=["tiny"], elo1=200, progress=told.append)
    assert found.verdict == "better" and found.wins > found.losses and found.elo_low > 0
    assert str(found).startswith("greedy is better than random")
    assert told and told[-1]["games"] <= found.games
    lost = palestra.duel("generals", first_allowed, "greedy", maps=["tiny"], games=6, progress=False)
    assert (lost.games, lost.losses, lost.names) == (6, 6, ("first_allowed", "greedy"))
    with pytest.raises(ValueError, match="elo0 must be less"):
        palestra.duel("generals", "greedy", "random", elo0=10, elo1=0, progress=False)


def test_a_duel_with_a_program_is_played_side_by_side(tmp_path: Path) -> None:
    bot = program(tmp_path, PASSES)
    found = palestra.duel("generals", bot, "greedy", maps=["tiny"], games=4, parallel=2, progress=False)
    assert (found.games, found.losses) == (4, 4)
    broken = program(tmp_path, "print('nonsense')\n")
    with pytest.raises(ValueError, match="cannot play"):
        palestra.duel("generals", broken, "greedy", maps=["tiny"], games=4, progress=False)


@pytest.mark.parametrize("arrange", [palestra.duel, lambda game, a, b, **more: palestra.tournament(game, [a, b], **more)])
def test_a_mistake_in_a_policy_ends_everything(arrange: Any) -> None:
    def mistaken(turn: Turn) -> int:
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        arrange("generals", mistaken, "random", maps=["tiny"], progress=False)


def test_a_tournament_has_standings_replays_and_a_page(tmp_path: Path) -> None:
    players = {"first": first_allowed, "strong": "greedy", "weak": "rest", "weak too": "rest"}
    told: list[dict[str, Any]] = []
    folder = tmp_path / "cup"
    played = palestra.tournament("generals", players, maps=["tiny"], seed=3, folder=folder, progress=told.append)
    assert played.standings[0].name == "strong" and played.standings[0].won == 6
    assert {line.name for line in played.standings} == set(players)
    assert len(played.matches) == 12 and told[-1]["finished"] <= 12
    number = played.matches[0]["number"]
    replay = played.replay(number)
    assert replay.verify() == played.matches[0]["turns"] and set(replay.bots) <= set(players)
    shown = played._repr_html_()
    assert shown is None or ("weak too" in shown and 'sandbox="allow-scripts"' in shown)
    with pytest.raises(ValueError, match="holds a tournament already"):
        palestra.tournament("generals", players, folder=folder, progress=False)
    with pytest.raises(ValueError, match="same name"):
        palestra.tournament("generals", ["rest", "rest"], progress=False)
    # One that nobody keeps goes with its object.
    gone = palestra.tournament("generals", ["greedy", "rest"], maps=["tiny"], repeats=2, progress=False)
    home = gone.folder
    assert home.is_dir() and len(gone.matches) == 4
    del gone
    assert not home.exists()
