"""Games as environments of PettingZoo: every seat is an agent."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo import ParallelEnv as _ParallelEnv

from palestra.batch import Batch
from palestra.gymnasium import observation_space

Observation = dict[str, Any]


class _Seats:
    """What both kinds of environments have in common: a batch of one game, whose seats are agents."""

    metadata: dict[str, Any]
    possible_agents: list[str]
    batch: Batch

    def _open(self, game: str, players: int, options: dict[str, Any]) -> None:
        for fixed in ("per_seat", "autoreset", "envs", "opponents"):
            if fixed in options:
                raise ValueError(f"{fixed} cannot be chosen for an environment of PettingZoo")
        self.batch = Batch(game, 1, players, per_seat=True, autoreset="disabled", **options)
        self.possible_agents = [f"seat_{seat + 1}" for seat in range(players)]
        self.agents: list[str] = []
        self.render_mode = None
        self._random = np.random.default_rng()
        self._observation = gym.spaces.Dict(
            {
                "observation": observation_space(self.batch.space),
                "action_mask": gym.spaces.Box(0, 1, (self.batch.space.actions,), np.int8),
            }
        )
        self._actions = {agent: gym.spaces.Discrete(self.batch.space.actions) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> gym.spaces.Space[Any]:
        return self._observation

    def action_space(self, agent: str) -> gym.spaces.Space[Any]:
        return self._actions[agent]

    def _begin(self, seed: int | None) -> None:
        if seed is not None:
            self._random = np.random.default_rng(seed)
        self.batch.reset(int(self._random.integers(2**63)))
        self.agents = self.possible_agents[:]

    def _observe(self, agent: str) -> Observation:
        seat = self.possible_agents.index(agent)
        return {
            "observation": {part: array[0, seat].copy() for part, array in self.batch.observations.items()},
            "action_mask": self.batch.mask[0, seat].astype(np.int8),
        }

    def _over(self) -> bool:
        return bool(self.batch.terminated[0] or self.batch.truncated[0])

    def _act(self, action: Any) -> None:
        self.batch.step(np.array([action], np.int32))

    def _reward(self, agent: str) -> float:
        return float(self.batch.rewards[0, self.possible_agents.index(agent)])

    def render(self) -> None:
        """There is nothing to draw here."""

    def close(self) -> None:
        """There is nothing to close."""


class AecEnv(_Seats, AECEnv):  # type: ignore[misc]
    """A game in which the agents ``seat_1``, ``seat_2`` and so on move in turn.

    An observation is a dictionary of ``observation`` (a dictionary of arrays) and ``action_mask``. In games whose turns are
    several actions an agent is asked again until it ends its turn. Rewards come at the end of the game; an agent that is out
    of it earlier is not asked any more.

    Args:
        game: the id of a game.
        players: how many agents there are.
        options: what `palestra.Batch` takes besides: ``settings``, ``generate``, ``maps``, ``max_steps``.
    """

    def __init__(self, game: str, players: int = 2, render_mode: None = None, **options: Any) -> None:
        super().__init__()
        self.metadata = {"name": f"palestra_{game}", "render_modes": [], "is_parallelizable": False}
        self._open(game, players, options)

    def observe(self, agent: str) -> Observation:
        """What an agent sees."""
        return self._observe(agent)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a game."""
        self._begin(seed)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._select()

    def step(self, action: Any) -> None:
        """An action of the agent whose turn it is."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._act(action)
        self._cumulative_rewards[agent] = 0.0
        if self._over():
            self.rewards = {agent: self._reward(agent) for agent in self.agents}
            self.terminations = dict.fromkeys(self.agents, bool(self.batch.terminated[0]))
            self.truncations = dict.fromkeys(self.agents, bool(self.batch.truncated[0]))
        self._accumulate_rewards()
        self._select()

    def _select(self) -> None:
        self.agent_selection = self.possible_agents[self.batch.seat[0]]


class ParallelEnv(_Seats, _ParallelEnv):  # type: ignore[misc]
    """A game in which a step is a round: one action of every agent, carried out in the order of the seats.

    An action that the turns before it in the round have made impossible is played as doing nothing. Only for games whose
    turns are one action each, and that have one that does nothing. An agent that is out of the game stays until its end; its
    actions are not looked at.

    Args:
        game: the id of a game.
        players: how many agents there are.
        options: what `palestra.Batch` takes besides: ``settings``, ``generate``, ``maps``, ``max_steps``.
    """

    def __init__(self, game: str, players: int = 2, render_mode: None = None, **options: Any) -> None:
        super().__init__()
        self.metadata = {"name": f"palestra_{game}", "render_modes": []}
        self._open(game, players, options)
        if self.batch.space.several or self.batch.space.rest is None:
            raise ValueError(f"a turn of {game} is several actions, or cannot be passed over; use aec_env")

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begins a game."""
        self._begin(seed)
        return self._observations(), {agent: {} for agent in self.agents}

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[
        dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]
    ]:
        """A round."""
        asked = self.agents
        for agent in asked:
            seat = self.possible_agents.index(agent)
            if self._over() or self.batch.seat[0] != seat:
                continue
            action = actions[agent]
            allowed: NDArray[np.bool_] = self.batch.mask[0, seat]
            self._act(action if allowed[action] else self.batch.space.rest)
        seen, rewards = self._observations(), {agent: self._reward(agent) for agent in asked}
        out = {agent: self._over() and bool(self.batch.terminated[0]) for agent in asked}
        cut_off = dict.fromkeys(asked, bool(self.batch.truncated[0]))
        if self._over():
            self.agents = []
        return seen, rewards, out, cut_off, {agent: {} for agent in asked}

    def _observations(self) -> dict[str, Observation]:
        return {agent: self._observe(agent) for agent in self.agents}


__all__ = ["AecEnv", "ParallelEnv"]
