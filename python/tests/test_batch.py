"""Batches, as somebody who learns uses them."""

from __future__ import annotations

import gc
import resource
import threading

import numpy as np
import pytest

import palestra
from palestra import Batch

GAMES = list(palestra.games())


def stream(batch: Batch, steps: int) -> list[np.ndarray]:
    """Everything that a batch writes while random actions are played."""
    batch.reset()
    written = []
    for _ in range(steps):
        actions = batch.sample()
        written.append(actions.copy())
        batch.step(actions)
        parts = [*batch.observations.values(), batch.mask, batch.rewards, batch.terminated, batch.truncated, batch.seat]
        written.extend(part.copy() for part in parts)
    return written


@pytest.mark.parametrize("game", GAMES)
def test_arrays_are_what_the_space_says(game: str) -> None:
    batch = Batch(game, envs=3, per_seat=True)
    batch.reset()
    space = batch.space
    for part, shape in space.shapes().items():
        array = batch.observations[part]
        assert array.shape == (3, 2, *shape)
        assert array.dtype == (np.uint8 if part == "planes" else np.int32)
        assert len(space.scales(part)) == shape[-1]
        assert array.any(), part
    assert batch.mask.shape == (3, 2, space.actions) and batch.mask.dtype == np.bool_
    assert batch.rewards.shape == (3, 2) and batch.alive.all() and (batch.seat == 0).all()


@pytest.mark.parametrize("game", GAMES)
def test_the_same_seed_is_the_same_stream_on_any_number_of_threads(game: str) -> None:
    streams = [stream(Batch(game, envs=200, seed=3, threads=threads, max_steps=40), 60) for threads in (1, 2, 3)]
    for other in streams[1:]:
        assert all(np.array_equal(a, b) for a, b in zip(streams[0], other, strict=True))
    another = stream(Batch(game, envs=200, seed=4, max_steps=40), 60)
    assert not all(np.array_equal(a, b) for a, b in zip(streams[0], another, strict=True))


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("game", GAMES)
def test_drawn_actions_are_allowed_and_games_end_with_rewards(game: str, exact: bool) -> None:
    weak = next(iter(palestra.games()[game].built_ins))
    batch = Batch(game, envs=8, opponents=[None, weak], max_steps=60, exact=exact)
    batch.reset()
    ended = 0
    for _ in range(200):
        running = ~(batch.terminated | batch.truncated)
        actions = batch.sample()
        assert batch.mask[np.arange(8), actions].all()
        assert (batch.seat[running] == 0).all(), "only the learner is asked"
        batch.step(actions)
        assert np.allclose(batch.rewards.sum(axis=1), 0)
        assert not batch.rewards[~batch.terminated].any()
        ended += int((batch.terminated | batch.truncated).sum())
    assert ended >= 8


@pytest.mark.parametrize("game", GAMES)
def test_actions_are_flat_and_factored(game: str) -> None:
    space = Batch(game).space
    for action in {0, 1, space.actions // 2, space.actions - 1}:
        kind, factors = space.factored(action)
        assert space.flat(kind, **factors) == action
    with pytest.raises(IndexError, match="there is no action"):
        space.factored(space.actions)
    with pytest.raises(ValueError, match="no kind of actions"):
        space.flat("dance")


def test_buffers_of_the_caller_are_written_to() -> None:
    template = Batch("generals", envs=4, generate=(8, 8, 2), per_seat=True)
    mine = {name: np.zeros(shape, dtype) for name, (shape, dtype) in template.shapes().items()}
    raw = bytearray(mine["rewards"].nbytes)
    given = mine | {"rewards": np.frombuffer(raw, np.float32).reshape(4, 2)}
    batch = Batch("generals", envs=4, generate=(8, 8, 2), per_seat=True, buffers=given)
    batch.reset()
    assert mine["planes"].any() and mine["mask"].any()
    assert all(batch.observations[part] is given[part] for part in batch.observations)
    template.reset()
    assert np.array_equal(mine["planes"], template.observations["planes"])
    # They stay alive as long as they are written to.
    del mine, given
    gc.collect()
    for _ in range(50):
        batch.step(batch.sample())


class Tensor:
    """Memory that is shared by DLPack alone, as that of many libraries."""

    def __init__(self, array: np.ndarray) -> None:
        self.array = array

    def __dlpack__(self, **options: object) -> object:
        return self.array.__dlpack__(**options)  # type: ignore[arg-type]

    def __dlpack_device__(self) -> object:
        return self.array.__dlpack_device__()


def test_memory_that_is_shared_by_dlpack_is_written_to() -> None:
    shapes = Batch("generals", envs=3, generate=(6, 6, 2)).shapes()
    shape, dtype = shapes["planes"]
    mine = np.zeros(shape, dtype)
    make = lambda: Batch("generals", envs=3, generate=(6, 6, 2), buffers={"planes": Tensor(mine)})  # noqa: E731
    if not np.from_dlpack(Tensor(mine)).flags.writeable:
        # Older NumPy takes whatever comes by DLPack as not to be written to.
        with pytest.raises(ValueError, match="writable"):
            make()
    else:
        make().reset()
        assert mine.any()


def test_tensors_of_pytorch_are_written_to() -> None:
    torch = pytest.importorskip("torch")
    shape, _ = Batch("generals", envs=3, generate=(6, 6, 2)).shapes()["planes"]
    tensor = torch.zeros(shape, dtype=torch.uint8)
    batch = Batch("generals", envs=3, generate=(6, 6, 2), buffers={"planes": tensor})
    batch.reset()
    assert np.array_equal(tensor.numpy(), batch.observations["planes"]) and tensor.any()


def test_bad_buffers_are_refused() -> None:
    shapes = Batch("rps", envs=2).shapes()
    shape, dtype = shapes["mask"]
    bad = {
        "must be bool": {"mask": np.zeros(shape, np.int64)},
        "of shape": {"mask": np.zeros((1, *shape), dtype)},
        "contiguous and writable": {"mask": np.zeros((shape[0], 2 * shape[1]), dtype)[:, ::2]},
        "no buffer": {"masks": np.zeros(shape, dtype)},
        "shares no memory": {"mask": "text"},
    }
    for message, buffers in bad.items():
        with pytest.raises(ValueError, match=message):
            Batch("rps", envs=2, buffers=buffers)
    frozen = np.zeros(shape, dtype)
    frozen.flags.writeable = False
    with pytest.raises(ValueError, match="writable"):
        Batch("rps", envs=2, buffers={"mask": frozen})
    both = np.zeros(2, np.bool_)
    with pytest.raises(ValueError, match="shares memory"):
        Batch("rps", envs=2, buffers={"terminated": both, "truncated": both})


def test_errors_say_what_is_wrong_and_lose_nothing() -> None:
    for message, options in {
        "there is no game": {"game": "chess"},
        "no setting rounds": {"game": "generals", "settings": {"rounds": 3}},
        "made from 3 numbers": {"game": "generals", "generate": (4, 4)},
        "both given": {"game": "generals", "generate": (4, 4, 2), "maps": ["tiny"]},
        "no built-in player": {"game": "generals", "opponents": [None, "nobody"]},
        "leave None": {"game": "generals", "opponents": ["rest", "rest"]},
        "autoreset": {"game": "generals", "autoreset": "sometimes"},
        "pool of 0 maps": {"game": "generals", "map_pool": 0},
        "0 environments": {"game": "generals", "envs": 0},
        "there are 3": {"game": "generals", "players": 3, "maps": ["tiny"]},
    }.items():
        with pytest.raises(ValueError, match=message):
            Batch(**options)  # type: ignore[arg-type]
    batch = Batch("generals", envs=3, generate=(8, 8, 2))
    batch.reset()
    before = batch.observations["planes"].copy()
    for wrong in (-1, batch.space.actions):
        with pytest.raises(IndexError, match="environment 1"):
            batch.step(np.array([0, wrong, 0]))
    with pytest.raises(ValueError, match="actions"):
        batch.step(np.array([0, 0]))
    assert np.array_equal(before, batch.observations["planes"])


def test_maps_of_several_sizes_share_one_space() -> None:
    batch = Batch("generals", envs=16, maps=["tiny", "duel", palestra.generate_map("generals", 7, 11, 2, seed=1)])
    batch.reset()
    on_board = batch.observations["planes"][..., 0].reshape(16, -1).sum(axis=1)
    assert len(set(on_board.tolist())) == 3
    for _ in range(100):
        batch.step(batch.sample())


def test_other_threads_of_python_go_on_while_a_batch_steps() -> None:
    batch = Batch("auralux", envs=512)
    batch.reset()
    turns, done = 0, threading.Event()

    def count() -> None:
        nonlocal turns
        while not done.is_set():
            turns += 1

    counter = threading.Thread(target=count)
    counter.start()
    for _ in range(20):
        batch.step(batch.sample())
    done.set()
    counter.join()
    assert turns > 0


def test_a_million_steps_leak_nothing() -> None:
    batch = Batch("generals", envs=500, generate=(6, 6, 2), per_seat=True, max_steps=100)
    batch.reset()

    def play(steps: int) -> int:
        for _ in range(steps):
            batch.step(batch.sample())
        gc.collect()
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    before = play(300)
    after = play(2000)
    assert after - before < 8192, "kilobytes"
