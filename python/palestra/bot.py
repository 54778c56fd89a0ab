"""A policy as a program that plays anywhere: at home, in tournaments, in an arena."""

from __future__ import annotations

import os
from collections.abc import Mapping

from palestra import _core
from palestra.catalog import written
from palestra.match import Policy, answer


def run_bot(policy: Policy, game: str, settings: Mapping[str, object] | None = None) -> None:
    """Plays a match as a bot does: reads from the standard input, answers on the standard output, until the game is over.

    The policy sees the same numbers as in a `palestra.Batch` and in `palestra.play`. What it prints would be taken for answers:
    let it print to the standard error.

    Args:
        policy: a function that is asked in each of its turns.
        game: the id of a game.
        settings: constants of the rules that differ from their defaults, where the text does not tell them.
    """
    reader = _core.Reader(game, written(settings))
    text, read = b"", b""
    while (asked := reader.read(read)) is not None:
        if asked:
            said = answer(reader, reader.seat(), text, policy)
            reader.answered(said)
            while said:
                said = said[os.write(1, said) :]
            text = read = b""
            continue
        read = os.read(0, _READ_BYTES)
        if not read:
            return
        text += read


_READ_BYTES = 1 << 16
