"""Registers every game with Gymnasium: ``gymnasium.make("palestra/Generals-v1")``, by its title and the version of its rules."""

from __future__ import annotations

import gymnasium as gym

from palestra.catalog import games


def register() -> None:
    """Called by Gymnasium itself, once."""
    for game in games().values():
        name = "".join(word for word in game.title.split())
        gym.register(
            id=f"palestra/{name}-v{game.rules_version}",
            entry_point="palestra.gymnasium:GymEnv",
            vector_entry_point="palestra.gymnasium:VectorEnv",
            kwargs={"game": game.id},
        )
