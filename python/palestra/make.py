"""Environments with the interfaces of others. Their packages are only needed when one is made."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from palestra.gymnasium import GymEnv, VectorEnv
    from palestra.pettingzoo import AecEnv, ParallelEnv
    from palestra.pufferlib import PufferEnv


def gym_env(game: str, **options: Any) -> GymEnv:
    """A Gymnasium environment of one game against built-in players; see `palestra.gymnasium.GymEnv`."""
    from palestra.gymnasium import GymEnv

    return GymEnv(game, **options)


def vector_env(game: str, num_envs: int = 1, **options: Any) -> VectorEnv:
    """A Gymnasium vector environment of many games against built-in players; see `palestra.gymnasium.VectorEnv`."""
    from palestra.gymnasium import VectorEnv

    return VectorEnv(game, num_envs, **options)


def aec_env(game: str, **options: Any) -> AecEnv:
    """A PettingZoo environment in which agents move in turn; see `palestra.pettingzoo.AecEnv`."""
    from palestra.pettingzoo import AecEnv

    return AecEnv(game, **options)


def parallel_env(game: str, **options: Any) -> ParallelEnv:
    """A PettingZoo environment in which a step is a round of all agents; see `palestra.pettingzoo.ParallelEnv`."""
    from palestra.pettingzoo import ParallelEnv

    return ParallelEnv(game, **options)


def puffer_env(game: str, num_envs: int = 1, **options: Any) -> PufferEnv:
    """A native PufferLib environment of many games against built-in players; see `palestra.pufferlib.PufferEnv`."""
    from palestra.pufferlib import PufferEnv

    return PufferEnv(game, num_envs, **options)
