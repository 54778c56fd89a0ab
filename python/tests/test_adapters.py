"""The adapters pass the tests of the projects whose interfaces they have."""

from __future__ import annotations

import warnings
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, performance_benchmark, seed_test

import palestra

GAMES = list(palestra.games())
SMALL: dict[str, dict[str, Any]] = {"max_steps": 200}


@pytest.mark.parametrize("game", GAMES)
def test_gymnasium_accepts_a_game(game: str) -> None:
    with warnings.catch_warnings():
        # Of boxes whose numbers have no bound worth naming.
        warnings.simplefilter("ignore", UserWarning)
        check_env(palestra.gym_env(game, max_steps=50), skip_render_check=True)


@pytest.mark.parametrize("game", GAMES)
def test_games_are_registered(game: str) -> None:
    title = palestra.games()[game].title.replace(" ", "")
    name = f"palestra.gymnasium:palestra/{title}-v{palestra.games()[game].rules_version}"
    env = gym.make(name, max_steps=30, disable_env_checker=True)
    _, info = env.reset(seed=1)
    for _ in range(40):
        action = env.action_space.sample(info["action_mask"])
        _, _, over, cut_off, info = env.step(action)
        if over or cut_off:
            break
    assert over or cut_off
    envs = gym.make_vec(name, num_envs=3, vectorization_mode="vector_entry_point", max_steps=30)
    seen, _ = envs.reset(seed=1)
    assert seen in envs.observation_space


def test_a_vector_environment_resets_itself_as_gymnasium_says() -> None:
    envs = palestra.vector_env("generals", 4, generate=(6, 6, 2), opponents="rest", max_steps=7, seed=2)
    assert envs.metadata["autoreset_mode"] == gym.vector.AutoresetMode.NEXT_STEP
    first, info = envs.reset(seed=5)
    assert first in envs.observation_space
    kept = {part: array.copy() for part, array in first.items()}
    over = np.zeros(4, np.bool_)
    for _ in range(30):
        before = over
        actions = np.array([envs.single_action_space.sample(mask) for mask in info["action_mask"]])
        seen, rewards, terminated, truncated, info = envs.step(actions)
        over = terminated | truncated
        assert not (before & over).any(), "the step behind the end begins the next episode"
        assert not rewards[~terminated].any()
        # The round begins anew with it.
        assert (seen["globals"][before, 0] == 0).all()
    assert all(np.array_equal(kept[part], first[part]) for part in first), "what was given before has not changed"
    again, _ = envs.reset(seed=5)
    assert all(np.array_equal(again[part], first[part]) for part in first)
    with pytest.raises(ValueError, match="one seed"):
        envs.reset(seed=[1, 2, 3, 4])


@pytest.mark.parametrize("game", GAMES)
def test_the_end_of_an_episode_is_seen_when_the_next_one_begins_in_the_same_step(game: str) -> None:
    options: dict[str, Any] = {"max_steps": 25, "seed": 3}
    goes_on = palestra.vector_env(game, 5, autoreset="same_step", **options)
    assert goes_on.metadata["autoreset_mode"] == gym.vector.AutoresetMode.SAME_STEP
    stays = palestra.vector_env(game, 5, autoreset="disabled", **options)
    (_, info), _ = stays.reset(seed=4), goes_on.reset(seed=4)
    for _ in range(25):
        actions = np.array([stays.single_action_space.sample(mask) for mask in info["action_mask"]])
        seen, *_, info = stays.step(actions)
        new, _, over, cut_off, ended = goes_on.step(actions)
        done = over | cut_off
        assert ("final_obs" in ended) == done.any()
        if done.any():
            assert np.array_equal(ended["_final_obs"], done)
            for number in range(5):
                final = ended["final_obs"][number]
                assert (final is not None) == done[number]
                if final is not None:
                    assert all(np.array_equal(final[part], seen[part][number]) for part in seen)
                    assert any(not np.array_equal(final[part], new[part][number]) for part in seen)
            break
    assert done.any()


@pytest.mark.parametrize("game", GAMES)
def test_pettingzoo_accepts_a_game_in_turns(game: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        api_test(palestra.aec_env(game, **SMALL), num_cycles=300, verbose_progress=False)
        seed_test(lambda: palestra.aec_env(game, **SMALL), num_cycles=50)


def test_pettingzoo_can_measure_a_game(capsys: pytest.CaptureFixture[str]) -> None:
    performance_benchmark(palestra.aec_env("generals", **SMALL))
    assert "turns per second" in capsys.readouterr().out


@pytest.mark.parametrize("game", [game for game in GAMES if not palestra.Batch(game).space.several])
def test_pettingzoo_accepts_a_game_in_rounds(game: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        parallel_api_test(palestra.parallel_env(game, **SMALL), num_cycles=200)
        parallel_seed_test(lambda: palestra.parallel_env(game, **SMALL), num_cycles=50)


def test_a_game_of_several_players_is_played_to_its_end() -> None:
    env = palestra.aec_env("generals", players=4, maps=["quartet"])
    env.reset(seed=3)
    moved = set()
    for agent in env.agent_iter(100_000):
        seen, _, over, cut_off, _ = env.last()
        if over or cut_off:
            env.step(None)
            continue
        moved.add(agent)
        env.step(env.action_space(agent).sample(seen["action_mask"]))
    assert not env.agents and moved == set(env.possible_agents)


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(ValueError, match="use aec_env"):
        palestra.parallel_env("auralux")
    with pytest.raises(ValueError, match="one learner"):
        palestra.gym_env("generals", opponents=[None, None])
    with pytest.raises(ValueError, match="cannot be chosen"):
        palestra.aec_env("generals", envs=3)
