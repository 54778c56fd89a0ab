"""Matches that are played from Python, and recorded ones."""

from __future__ import annotations

import base64
import gzip
import json
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest

import palestra
from palestra import Replay, Turn
from palestra.replay import SHOWN_TURNS

GAMES = list(palestra.games())


def random_policy(seed: int) -> palestra.Policy:
    """Any action that is allowed; ends its turn after a few."""
    chance = np.random.default_rng(seed)

    def policy(turn: Turn) -> int:
        if turn.space.several and len(turn.said) >= chance.integers(4):
            return turn.space.actions - 1
        return int(chance.choice(np.flatnonzero(turn.mask)))

    return policy


@pytest.mark.parametrize("game", GAMES)
def test_a_match_of_a_function_holds_and_is_read_again(game: str, tmp_path: Path) -> None:
    weak = next(iter(palestra.games()[game].built_ins))
    replay = palestra.play(game, [random_policy(1), weak], seed=5)
    assert replay.verify() == replay.turns > 0
    assert replay.bots == ("policy", weak) and len(replay.placings) == 2
    replay.save(tmp_path / "match.replay")
    again = Replay.open(tmp_path / "match.replay")
    assert again.to_bytes() == replay.to_bytes()
    assert [(r.turns, r.seed) for r in palestra.read_all([tmp_path] * 3, verify=True)] == [(replay.turns, 5)] * 3


@pytest.mark.parametrize("game", GAMES)
def test_a_recorded_match_is_training_data(game: str) -> None:
    policy, seen = random_policy(2), []

    def told(turn: Turn) -> int | bytes | str:
        action = policy(turn)
        if not turn.said:
            seen.append((turn.observation, turn.mask, turn.text))
        return action

    weak = next(iter(palestra.games()[game].built_ins))
    replay = palestra.play(game, [told, weak], seed=6)
    turns = list(replay.recorded_turns(seat=0))
    assert len(turns) == len(seen)
    for turn, (observation, mask, _) in zip(turns, seen, strict=True):
        assert all(np.array_equal(turn.observation[part], observation[part]) for part in observation)
        assert np.array_equal(turn.mask, mask)
        assert turn.actions is not None and turn.mask[turn.actions[0]]
    # The same actions lead through the same match once more.
    left = iter(turns)
    actions: list[int] = []

    def again(turn: Turn) -> int:
        if not turn.said:
            recorded = next(left).actions
            assert recorded is not None
            actions[:] = recorded
        return actions[len(turn.said)]

    again.__name__ = "told"
    assert palestra.play(game, [again, weak], seed=6).to_bytes() == replay.to_bytes()


@pytest.mark.parametrize("game", GAMES)
def test_what_a_seat_saw_is_in_arrays(game: str) -> None:
    weak = next(iter(palestra.games()[game].built_ins))
    replay = palestra.play(game, [random_policy(3), weak], seed=8, map="tiny")
    for seat in (0, 1):
        turns, seen = list(replay.recorded_turns(seat)), replay.seen_by(seat)
        assert seen.turns.tolist() == [turn.number for turn in turns] and seen.mask.shape[0] == len(turns)
        assert seen.actions == [turn.actions for turn in turns]
        for number, turn in enumerate(turns):
            assert all(np.array_equal(seen.observations[part][number], turn.observation[part]) for part in turn.observation)
            assert np.array_equal(seen.mask[number], turn.mask)
        whole = replay.seen_by(seat, own_turns=False)
        assert whole.turns.tolist() == list(range(1, replay.turns + 1))
        own = whole.turns[np.isin(whole.turns, seen.turns)] - 1
        assert all(np.array_equal(whole.observations[part][own], seen.observations[part]) for part in seen.observations)
    with pytest.raises(ValueError, match="there is no seat 2"):
        replay.seen_by(2)


def test_many_files_are_read_in_order_and_a_damaged_one_is_told(tmp_path: Path) -> None:
    for number in range(40):
        replay = palestra.play("generals", ["greedy", "random"], seed=number, map="tiny", settings={"max_turns": 5})
        replay.save(tmp_path / f"{number:02}.replay")
    (tmp_path / "07.replay").write_bytes(b"PALESTRA and nonsense")
    whole = (tmp_path / "13.replay").read_bytes()
    (tmp_path / "13.replay").write_bytes(whole[:-9])
    told: list[str] = []
    seeds = [seed for seed in range(40) if seed not in (7, 13)]
    replays = palestra.read_all([tmp_path], threads=3, verify=True, damaged=lambda path, error: told.append(path.name))
    assert [replay.seed for replay in replays] == seeds and told == ["07.replay", "13.replay"]
    with pytest.warns(UserWarning, match="07.replay is left out"):
        made = list(palestra.read_all([tmp_path], each=lambda replay: (replay.seed, len(replay.seen_by(0).turns))))
    assert made == [(seed, 5) for seed in seeds]
    # Only so many are in memory, however many there are.
    opened: list[int] = []
    ahead = palestra.read_all([tmp_path] * 50, threads=2, each=lambda replay: opened.append(replay.seed))
    for _ in range(6):
        next(ahead)
    assert len(opened) <= 6 + 2 + 4 * 2
    ahead.close()


def test_frames_are_what_is_drawn() -> None:
    replay = palestra.play("generals", ["greedy", "random"], seed=7, map="tiny")
    frames = list(replay.frames())
    assert len(frames) == replay.turns + 1 and frames[0]["round"] == 0
    assert any("?" in row or "!" in row for row in next(replay.frames(seat=1))["kinds"])


@pytest.mark.parametrize("game", GAMES)
def test_a_notebook_shows_a_replay_without_a_network(game: str) -> None:
    weak = next(iter(palestra.games()[game].built_ins))
    replay = palestra.play(game, [random_policy(4), weak], seed=3, map="tiny")
    for seat in (None, 1):
        page = replay.page(seat)
        data = page.split('<script id="data" type="text/plain">')[1].split("</script>")[0]
        recording = json.loads(gzip.decompress(base64.b64decode(data)))
        assert [moment["frame"] for moment in recording["moments"]] == list(replay.frames(seat))
        assert recording["head"]["names"] == ["policy", weak] and recording["head"]["turns"] == replay.turns
        # A page that is one file asks nobody for another one.
        assert not re.search(r"""(src|href)=["'](?!#)[^"']*\.(js|css|svg)["']""", page)
    shown = replay._repr_html_()
    # It would be a part of the notebook's file.
    assert (shown is None) == (replay.turns > SHOWN_TURNS)
    assert shown is None or (shown.startswith('<iframe sandbox="allow-scripts"') and "srcdoc" in shown)


def test_answers_may_be_text_and_bad_ones_are_told() -> None:
    replay = palestra.play("generals", [lambda turn: "-1", "random"], seed=1, settings={"max_turns": 5})
    assert all(turn.answer == b"-1\n" for turn in replay.recorded_turns(seat=0))
    out = palestra.play("generals", [lambda turn: b"nonsense", "random"], seed=1)
    assert out.winner == 1 and out.placings[0].fate == "disqualified"
    with pytest.raises(ValueError, match="not a whole answer"):
        palestra.play("generals", [lambda turn: "1 2", "random"])
    with pytest.raises(IndexError, match="seat 0 chose"):
        palestra.play("generals", [lambda turn: 10**6, "random"])
    with pytest.raises(ValueError, match="neither a file nor one of the built-in players"):
        palestra.play("generals", ["nobody", "random"])
    with pytest.raises(ValueError):
        Replay.from_bytes(b"PALESTRA")


def test_a_mistake_in_a_policy_reaches_its_author() -> None:
    def mistaken(turn: Turn) -> int:
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        palestra.play("rps", [mistaken, "random"])


def recordings() -> list[Path]:
    """Matches that the command line has recorded, of every version of the format, and all games."""
    return sorted((Path(__file__).parents[2] / "games").glob("*/replays/*.palestra"))


@pytest.mark.parametrize("path", recordings(), ids=lambda path: f"{path.parts[-3]}-{path.stem}")
def test_recordings_of_the_command_line_hold_here(path: Path) -> None:
    replay = Replay.open(path)
    assert replay.verify() == replay.turns
    for turn in replay.recorded_turns():
        assert turn.answer is not None or turn.actions is None


@pytest.mark.parametrize("game", GAMES)
def test_a_batch_plays_as_a_match_does(game: str) -> None:
    turns = 0
    for seed in range(25):
        # Games may be long; a few of those are enough.
        if turns > 20_000:
            break
        replay = palestra.play(game, [random_policy(seed), random_policy(seed + 1000)], seed=seed, map="tiny")
        turns += replay.turns
        batch = palestra.Batch(game, maps=["tiny"], per_seat=True, autoreset="disabled")
        batch.reset()
        for turn in replay.recorded_turns():
            assert not batch.terminated[0] and batch.seat[0] == turn.seat
            for part, array in batch.observations.items():
                assert np.array_equal(array[0, turn.seat], turn.observation[part]), (part, turn.number)
            assert turn.actions is not None
            for action in turn.actions:
                batch.step(np.array([action]))
        assert batch.terminated[0]
        places = [placing.place for placing in replay.placings]
        assert batch.rewards[0].tolist() == [float(np.sign(places[1] - places[0])), float(np.sign(places[0] - places[1]))]


PALESTRA = Path(__file__).parents[2] / "target" / "debug" / "palestra"


@pytest.mark.skipif(not PALESTRA.exists(), reason="the command line was not built")
@pytest.mark.parametrize("game", GAMES)
def test_a_hundred_games_of_the_command_line_are_played_again(game: str, tmp_path: Path) -> None:
    weak, other = list(palestra.games()[game].built_ins)[:2]
    folder = tmp_path / "cup"
    command = [PALESTRA, "tournament", game, weak, other, "--map", "tiny", "--repeats", "50", "--seed", "3", "--quiet"]
    subprocess.run([*command, "--dir", folder], check=True, capture_output=True)
    for number in range(1, 101):
        replay = Replay(palestra._core.tournament_replay(folder, number))
        assert replay.verify() == replay.turns and set(replay.bots) == {weak, other}
        # A batch that is given the same actions comes to the same end.
        turns = {}
        for seat in (0, 1):
            seen = replay.exactly().seen_by(seat)
            turns |= dict(zip(seen.turns.tolist(), seen.actions, strict=True))
        batch = palestra.Batch(
            game, maps=[replay.map], settings=replay.settings, per_seat=True, autoreset="disabled", exact=True
        )
        batch.reset()
        for turn in range(1, replay.turns + 1):
            actions = turns[turn]
            assert actions is not None and not batch.terminated[0]
            for action in actions:
                batch.step(np.array([action]))
        places = [placing.place for placing in replay.placings]
        assert batch.terminated[0] and batch.rewards[0, 0] == np.sign(places[1] - places[0])
