"""What PufferLib is shown and handed is what a batch is; skipped where it is not installed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import palestra

pytest.importorskip("pufferlib.vector")
import pufferlib.pytorch
import pufferlib.vector
import torch

from palestra.pufferlib import PufferEnv

SHORT: dict[str, Any] = {"opponents": "random", "max_steps": 20}


def parts(seen: Any, env: PufferEnv) -> dict[str, Any]:
    """An observation as a model takes it apart."""
    native = pufferlib.pytorch.nativize_dtype(env.emulated)
    return dict(pufferlib.pytorch.nativize_tensor(torch.as_tensor(seen), native))


@pytest.mark.parametrize("game", list(palestra.games()))
def test_a_vector_environment_shows_what_batches_do(game: str) -> None:
    if "random" not in palestra.game(game).built_ins:
        options = SHORT | {"opponents": list(palestra.game(game).built_ins)[0]}
    else:
        options = dict(SHORT)
    envs = pufferlib.vector.make(
        PufferEnv, env_args=[game], env_kwargs={"num_envs": 3, **options}, backend=pufferlib.vector.Serial, num_envs=2, seed=5
    )
    seen, _ = envs.reset(seed=5)
    seats = [None, options.pop("opponents")]
    batches = [palestra.Batch(game, 3, opponents=seats, seed=seed, autoreset="same_step", **options) for seed in (5, 6)]
    for seed, batch in enumerate(batches, 5):
        batch.reset(seed)
    ended = 0
    for _ in range(60):
        shown = parts(seen, envs.driver_env)
        for part in batches[0].observations:
            assert (shown[part].numpy() == np.concatenate([batch.observations[part] for batch in batches])).all()
        assert (shown["mask"].numpy() == np.concatenate([batch.mask for batch in batches])).all()
        actions = np.concatenate([batch.sample().copy() for batch in batches])
        for batch, own in zip(batches, np.split(actions, 2), strict=True):
            batch.step(own)
        seen, rewards, over, cut_off, infos = envs.step(actions)
        assert (rewards == np.concatenate([batch.rewards[:, 0] for batch in batches])).all()
        assert (over == np.concatenate([batch.terminated for batch in batches])).all()
        assert (cut_off == np.concatenate([batch.truncated for batch in batches])).all()
        ended += len(infos)
    assert ended > 0
    envs.close()


def test_it_is_a_vector_environment_by_itself() -> None:
    envs = pufferlib.vector.make(PufferEnv, env_args=["generals"], env_kwargs={"num_envs": 8, "generate": (6, 6, 2), **SHORT})
    envs.async_reset(1)
    for _ in range(30):
        seen, _, _, _, _, agents, masks = envs.recv()
        assert seen.shape[0] == len(agents) == masks.sum() == 8
        allowed = parts(seen, envs)["mask"]
        envs.send(allowed.to(torch.float32).argmax(dim=1).numpy())
