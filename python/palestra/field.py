"""Many matches: is one player better than another, and who is the best of several?"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from palestra import _core
from palestra.catalog import map_argument, written
from palestra.match import Player, Sandbox, entered, player_name
from palestra.replay import Replay
from palestra.show import framed

if TYPE_CHECKING:
    from collections.abc import Iterator

Progress = Callable[[dict[str, Any]], object] | bool
"""Whether to show how far it has come, or who is told instead, several times a second."""


@dataclass(frozen=True)
class Duel:
    """What is known of two players."""

    names: tuple[str, str]
    verdict: Literal["better", "not_better", "undecided"]
    """Whether the first is better than the second."""
    games: int
    wins: int
    """Of the first."""
    draws: int
    losses: int
    elo: float
    """How many Elo points the first is better; at the edges of what can be told, a bound."""
    elo_low: float
    """The true difference is above this and below `elo_high` in 95 cases of 100."""
    elo_high: float
    likelihood_of_superiority: float
    report: dict[str, Any]
    """Everything that ``palestra duel --json`` tells."""

    def __str__(self) -> str:
        first, second = self.names
        verdict = {
            "better": f"{first} is better than {second}",
            "not_better": f"{first} is not better than {second}",
            "undecided": f"it is not known yet whether {first} is better than {second}",
        }[self.verdict]
        elo = f"{self.elo:+.0f} Elo ({self.elo_low:+.0f} to {self.elo_high:+.0f})"
        return f"{verdict}: {elo}, {self.wins} won, {self.draws} drawn, {self.losses} lost"


def duel(
    game: str,
    first: Player,
    second: Player,
    *,
    seats: int = 2,
    maps: Sequence[str] = (),
    seed: int = 0,
    settings: Mapping[str, object] | None = None,
    games: int | None = None,
    max_games: int = 20_000,
    elo0: float = 0.0,
    elo1: float = 20.0,
    alpha: float = 0.05,
    beta: float = 0.05,
    parallel: int | None = None,
    time: str | None = None,
    sandbox: Sandbox = "auto",
    memory: int | None = None,
    processes: int | None = None,
    progress: Progress = True,
) -> Duel:
    """Finds out whether the first player is better than the second, as ``palestra duel`` does.

    Plays sets of games on the same map and seed, in which the first sits in every seat once, and stops as soon as it knows.

    Args:
        game: the id of a game.
        first: the player in question; see `palestra.play` for what a player can be.
        second: whom it is compared with; it takes all other seats.
        seats: how many there are.
        maps: texts of maps, or names of maps that ship, which are played in turn; without, every set of games has a new one.
        seed: decides everything that is left to chance.
        settings: constants of the rules that differ from their defaults.
        games: plays exactly so many, whatever is known before.
        max_games: stops after so many without an answer.
        elo0: the first is not better if it is this many Elo points better, or fewer.
        elo1: it is better if it is this many better, or more.
        alpha: how often one that is not better may be called better.
        beta: how often one that is better may be called not better.
        parallel: how many matches are played at the same time; one for each core, or one if functions play. Functions are
            called from as many threads.
        time: the time control of programs; see `palestra.play`.
        sandbox: how programs are kept from doing harm.
        memory: the most bytes of memory of a program.
        processes: the most processes and threads of a program.
        progress: whether how far it has come is shown, with tqdm if that is installed; or a function that is told.
    """
    names = tuple(player_name(player) for player in (first, second))
    with _shown(progress, " - ".join(names), "games", games) as told:
        request = _request(game, settings, maps, seed, time, (sandbox, memory, processes), parallel, told)
        players = entered([first, second])
        test = (float(elo0), float(elo1), float(alpha), float(beta))
        most = max_games if games is None else games
        report: dict[str, Any] = json.loads(_core.duel(request, players, seats, test, most, games is not None))
    return Duel(
        names=(names[0], names[1]),
        **{key: report[key] for key in ("verdict", "games", "wins", "draws", "losses", "likelihood_of_superiority")},
        elo=report["elo"]["value"],
        elo_low=report["elo"]["low"],
        elo_high=report["elo"]["high"],
        report=report,
    )


@dataclass(frozen=True)
class Standing:
    """How a player has done in a tournament."""

    name: str
    place: int
    points: float
    played: int
    won: int
    drawn: int
    lost: int


class Tournament:
    """A tournament that was played. In a notebook it shows its report.

    Attributes:
        folder: where it is kept; ``palestra view FOLDER`` shows it with all replays.
        standings: how it stands, the best first.
        overview: everything that ``palestra tournament --json`` tells.
        matches: a line for every match, with its number.
        report: the report, as one page that needs no other file; empty where the package was built without its pages.
    """

    def __init__(self, folder: Path, overview: dict[str, Any], report: str, kept: Any = None) -> None:
        self.folder = folder
        self.matches: list[dict[str, Any]] = overview.pop("matches")
        self.overview = overview
        self.report = report
        names = [bot["name"] for bot in overview["bots"]]
        keys = ("place", "points", "played", "won", "drawn", "lost")
        self.standings = tuple(
            Standing(name=names[line["bot"]], **{key: line[key] for key in keys}) for line in overview["standings"]
        )
        # A folder that is nobody's goes with this object.
        self._kept = kept

    def replay(self, number: int) -> Replay:
        """The replay of a match, by its number."""
        return Replay(_core.tournament_replay(self.folder, number))

    def __repr__(self) -> str:
        best = ", ".join(f"{line.place}. {line.name}" for line in self.standings[:3])
        return f"Tournament({self.overview['name']!r}, {best})"

    def _repr_html_(self) -> str | None:
        return framed(self.report, 640) if self.report else None


def tournament(
    game: str,
    players: Sequence[Player] | Mapping[str, Player],
    *,
    format: Literal["round-robin", "tables", "swiss", "knockout", "double-knockout"] | None = None,
    seats: int | None = None,
    rounds: int | None = None,
    repeats: int | None = None,
    maps: Sequence[str] = (),
    seed: int = 0,
    settings: Mapping[str, object] | None = None,
    folder: str | os.PathLike[str] | None = None,
    parallel: int | None = None,
    time: str | None = None,
    sandbox: Sandbox = "auto",
    memory: int | None = None,
    processes: int | None = None,
    progress: Progress = True,
) -> Tournament:
    """Plays a tournament, as ``palestra tournament GAME BOTS`` does.

    Args:
        game: the id of a game.
        players: who takes part, perhaps by the names they are to have; see `palestra.play` for what a player can be.
        format: who meets whom; a round robin unless given.
        seats: how many meet in one match.
        rounds: how many rounds there are, for tables and Swiss.
        repeats: how often everything is played.
        maps: texts of maps, or names of maps that ship; without, every match has a new one.
        seed: decides everything that is left to chance.
        settings: constants of the rules that differ from their defaults.
        folder: where it is kept, with all replays; without, it is gone with the object that is given.
        parallel: see `palestra.duel`; as the other options.
    """
    named = dict(players) if isinstance(players, Mapping) else {player_name(player): player for player in players}
    if len(named) < len(players):
        raise ValueError("two players have the same name; give each its own: {'first': ..., 'second': ...}")
    entrants = [(name, source) for name, (_, source) in zip(named, entered(list(named.values())), strict=True)]
    kept = tempfile.TemporaryDirectory(prefix="palestra-") if folder is None else None
    home = Path(kept.name if kept else os.fspath(folder or ""))
    with _shown(progress, game, "matches", None) as told:
        request = _request(game, settings, maps, seed, time, (sandbox, memory, processes), parallel, told)
        plan = {"format": format, "seats": seats, "rounds": rounds, "repeats": repeats, "folder": home}
        overview, report = _core.tournament(request, plan, entrants)
    return Tournament(home, json.loads(overview), report, kept)


def _request(
    game: str,
    settings: Mapping[str, object] | None,
    maps: Iterable[str],
    seed: int,
    time: str | None,
    guard: tuple[str, int | None, int | None],
    parallel: int | None,
    progress: Callable[[str], object],
) -> dict[str, Any]:
    return {
        "game": game,
        "settings": written(settings),
        "maps": [(f"map {number}", map_argument(game, text)) for number, text in enumerate(maps, 1)],
        "seed": seed,
        "time": time,
        "guard": guard,
        "parallel": parallel,
        "progress": progress,
    }


@contextmanager
def _shown(progress: Progress, title: str, unit: str, total: int | None) -> Iterator[Callable[[str], object]]:
    """Who is told how far it has come: somebody's function, a bar of tqdm, a line, or nobody."""
    if callable(progress):
        tell = progress
        yield lambda text: tell(json.loads(text))
        return
    if not progress:
        yield lambda text: None
        return
    try:
        from tqdm.auto import tqdm
    except ImportError:
        line = _Line(title, unit)
        yield lambda text: line.update(*_counted(text))
        line.close()
        return
    with tqdm(desc=title, unit=f" {unit}", total=total) as bar:

        def update(text: str) -> None:
            done, planned = _counted(text)
            bar.total = planned or bar.total
            bar.update(done - bar.n)

        yield update


def _counted(text: str) -> tuple[int, int | None]:
    told = json.loads(text)
    return (told["games"], None) if "games" in told else (told["finished"], told["planned"])


class _Line:
    """A line that changes, where there is a terminal."""

    def __init__(self, title: str, unit: str) -> None:
        self.title, self.unit, self.shown = title, unit, False

    def update(self, done: int, planned: int | None) -> None:
        if sys.stderr.isatty():
            of = f" of {planned}" if planned else ""
            print(f"\r{self.title}: {done}{of} {self.unit}", end="", file=sys.stderr, flush=True)
            self.shown = True

    def close(self) -> None:
        if self.shown:
            print(file=sys.stderr)
