#!/usr/bin/env python3
"""Tries palestra.exe under Wine: real matches between Windows programs, bots that misbehave, and what outlives a kill.

usage: test.py FOLDER PALESTRA NATS-SERVER

The folder holds palestra.exe and, in bots/, programs of the zoo; the two programs of this machine are what palestra.exe connects
to. Pipes are slow under Wine: nothing in here is about time.
"""
import contextlib
import json
import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

PLACE, PALESTRA, NATS_SERVER = (Path(argument).resolve() for argument in sys.argv[1:])
WORK = PLACE / "work"
EXE = PLACE / "palestra.exe"
ENVIRONMENT = {
    **os.environ,
    "WINEDEBUG": "-all",
    # Nobody is asked about programs that crash, and nothing is put into menus.
    "WINEDLLOVERRIDES": "winemenubuilder.exe,mscoree,mshtml,winedbg.exe=d",
}
PATIENCE = 600
SLOW = ["--time", "600s"]
TRIED = []


def start(*arguments, **more):
    command = ["wine", str(EXE), *map(str, arguments)]
    return subprocess.Popen(command, cwd=WORK, env=ENVIRONMENT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, **more)


def run(*arguments, code=0):
    """Runs a command to its end; what it said on its outputs."""
    process = start(*arguments)
    try:
        said, remarked = process.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        raise
    said, remarked = said.decode(), remarked.decode()
    assert process.returncode == code, f"{arguments}: code {process.returncode}\n{said}\n{remarked}"
    return said, remarked


def report(*arguments):
    return json.loads(run(*arguments, "--json")[0])


def tried(what):
    TRIED.append(what)
    print(f"ok  {what}", flush=True)


def processes(name):
    """The numbers of processes whose program is called so. Under Wine a Windows program is a process of this machine."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                words = (folder / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if re.split(rb"[\\/]", words[0])[-1] == name.encode():
                found.append(int(folder.name))
    return found


def assert_gone(name):
    """What was killed may still be on its way out."""
    patience = time.monotonic() + 60
    while processes(name):
        assert time.monotonic() < patience, f"{name} is still there"
        time.sleep(0.01)


def bot(name):
    return rf"..\bots\{name}.exe"


def first_bots():
    """palestra new, then a compiler; a match of every game against a built-in player, and of two programs."""
    games = json.loads(run("games", "--json")[0])["games"]
    assert len(games) >= 4
    for game in (game["id"] for game in games):
        said, _ = run("new", game, "--language", "c", game)
        opponents = re.search(rf"palestra play {game} {game} (.*) --watch", said)[1].split()
        program = WORK / f"{game}.exe"
        subprocess.run(["x86_64-w64-mingw32-gcc", "-O1", "-static", "-o", program, WORK / game / "main.c", "-lm"],
                       check=True)
        here = rf".\{game}.exe"
        replay = f"{game}.replay"
        played = report("play", game, here, *opponents, "--seed", "7", "--replay", replay, *SLOW)
        assert played["faults"] == [], played
        assert played["players"][0]["fate"] != "disqualified" and played["turns"] > 1, played
        run("replay", "verify", replay)
        played = report("play", game, here, here, "--seed", "8", "--no-replay", *SLOW)
        assert played["faults"] == [], played
        assert_gone(f"{game}.exe")
        run("check", game, here, *SLOW)
        report("drive", replay, "--seat", "1", "--bot", here)
        tried(f"{game}: new, play, replay verify, check, drive ({played['turns']} turns between programs)")
    return [game["id"] for game in games]


def auralux(program, *more):
    asked = ["play", "auralux", program, "afk", "--set", "max_steps=20", "--no-replay"]
    return report(*asked, *more)


# The same words as in the tests of the zoo on Unix.
FAULTS = [
    ("exits_at_once", "exited", "exited with code 3"),
    ("exits_mid_answer", "exited", "exited with code 7"),
    ("stays_behind", "exited", "exited with code 5"),
    ("crashes", "exited", "killed by signal 11"),
    ("garbage", "malformed", "malformed answer"),
    ("endless_line", "too_long", "answer too long: more than 1048576 bytes"),
    ("memory_hog", "over_memory", "over memory"),
    ("silent", "out_of_time", "out of time"),
    ("deaf", "out_of_time", "out of time"),
    ("loops", "out_of_time", "out of time"),
]


def hostile_bots():
    for name, kind, said in FAULTS:
        limit = ["--time", "2s"] if kind == "out_of_time" else SLOW
        played = auralux(bot(name), *limit)
        [fault] = played["faults"]
        assert fault["kind"] == kind and said in fault["fault"], played
        assert played["players"][0]["fate"] == "disqualified" and played["winner"] == 2, played
        assert_gone(f"{name}.exe")
        tried(f"{name}: {fault['fault']}")
    for name in ["stays", "stays_behind"]:
        played = auralux(f'"{bot(name)}" 0' if name == "stays_behind" else bot(name), *SLOW)
        assert played["faults"] == [] and played["players"][0]["fate"] == "alive", played
        assert_gone(f"{name}.exe")
        tried(f"{name}: plays, stays, and is gone afterwards")
    played = auralux(bot("floods_stderr"), "--logs", "logs", *SLOW)
    assert played["faults"] == [], played
    kept = (WORK / "logs/seat-1.stderr.txt").read_bytes()
    assert len(kept) < (1 << 20) + 200 and kept.rstrip().endswith(b"more bytes were not kept"), len(kept)
    tried("floods_stderr: what is too much is not kept")
    asked = ["play", "generals", f'"{bot("blind")}" -1', "rest", "--no-replay", "--set", "max_turns=100"]
    played = report(*asked, "--set", "max_side=100", "--set", "map_rows=100", "--set", "map_columns=100", *SLOW)
    assert played["faults"] == [] and played["rounds"] == 100, played
    tried("blind: far more than a pipe holds stays unread")
    remarked = run("play", "auralux", "nobody.exe", "afk", code=4)[1]
    assert "there is no bot" in remarked, remarked
    (WORK / "broken.exe").write_text("this is no program")
    remarked = run("play", "auralux", r".\broken.exe", "afk", code=4)[1]
    assert "is no program for this machine" in remarked, remarked
    tried("what is no program is told in a sentence")


CUP = r"""
name = "Cup"
game = "generals"
seed = 5
generate = 2
time = "600s"

[settings]
map_rows = 8
map_columns = 8
max_turns = 40

[bots]
ours = 'generals.exe'
greedy = "greedy"
random = "random"

[[stage]]
name = "groups"
cycles = 6
"""


def killed_and_gone_on_with():
    (WORK / "cup.toml").write_text(CUP)
    cup = WORK / "cup"
    arguments = ["tournament", "cup.toml", "--dir", "cup", "--parallel", "2", "-q"]
    process = start(*arguments)
    patience = time.monotonic() + PATIENCE
    # In the middle of it: some matches are over, and a bot is at work.
    while not (processes("generals.exe") and sum(file.stat().st_size for file in cup.glob("replays/*.bundle")) > 0):
        assert process.poll() is None and time.monotonic() < patience, "it could not be killed in the middle"
        time.sleep(0.005)
    for number in processes("palestra.exe"):
        os.kill(number, signal.SIGKILL)
    process.communicate()
    # Nobody ends them but the system.
    assert_gone("generals.exe")
    before = results(cup)
    run(*arguments)
    after = results(cup)
    assert 0 < len(before) < len(after) and before == after[:len(before)], (len(before), len(after))
    tried(f"a tournament that was killed after {len(before)} matches, and went on to its {len(after)}")


def results(folder):
    """What is known of matches that are over. A copy is read, as looking into a log may tidy it."""
    copy = folder.with_name("copy")
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(folder, copy)
    with sqlite3.connect(copy / "tournament.db") as log:
        return log.execute("SELECT id, body FROM events WHERE kind = 'finished' ORDER BY id").fetchall()


def pages():
    for arguments in [["view", "generals.replay"], ["play", "generals", r".\generals.exe", "random", "--watch", *SLOW]]:
        process = start(*arguments, "--no-open", "--port", "17171")
        try:
            patience = time.monotonic() + PATIENCE
            while True:
                try:
                    page = urllib.request.urlopen("http://127.0.0.1:17171/", timeout=30).read()
                    matches = json.load(urllib.request.urlopen("http://127.0.0.1:17171/api/matches", timeout=30))
                    if matches["matches"]:
                        break
                except OSError:
                    pass
                assert process.poll() is None and time.monotonic() < patience, "nothing is served"
                time.sleep(0.05)
            assert b"<html" in page.lower() and matches["matches"][0]["game"] == "generals", matches
        finally:
            for number in processes("palestra.exe"):
                os.kill(number, signal.SIGKILL)
            process.communicate()
        assert_gone("generals.exe")
        tried(f"{arguments[0]}: the page and its matches are served")


def words():
    said, _ = run("doctor")
    for needed in ["process control", "job", "strict sandbox", "palestra serve"]:
        assert needed in said, said
    for refused in [["serve", "event.toml"], ["event", "status", "event.toml"], ["bench", "arena"]]:
        remarked = run(*refused, code=2)[1]
        assert "events are run on Linux or macOS" in remarked, remarked
    remarked = run("play", "auralux", "afk", "afk", "--sandbox", "strict", code=2)[1]
    assert "run strangers' programs on Linux" in remarked, remarked
    tried("doctor tells what there is; serve, event, bench arena and --sandbox strict refuse in a sentence")


def duel():
    # So few games decide nothing, which is code 1.
    said, _ = run("duel", "generals", r".\generals.exe", "random", "--games", "8", "-q", *SLOW, "--json", code=1)
    played = json.loads(said)
    assert played["games"] == 8 and played["faults_a"] == {}, played
    assert_gone("generals.exe")
    tried("duel: 8 games")



def ladder():
    asked = ["ladder", "generals", r".\generals.exe", "greedy", "random", "--dir", "ladder", "-q", *SLOW]
    asked += ["--set", "map_rows=8", "--set", "map_columns=8", "--set", "max_turns=40"]
    for most, finished in [("3", 3), ("2", 5)]:
        overview = report(*asked, "--matches", most)
        assert overview["progress"]["finished"] == finished and overview["failures"] == [], overview
    assert all(line["played"] > 0 and line["faults"] == 0 for line in overview["standings"]), overview
    assert_gone("generals.exe")
    tried("ladder: 3 matches, and 2 more when it is started again")


def contest_files():
    (WORK / "small_map.txt").write_text("4 2\n1 2\n0 0\n10 0\n0 10\n10 10\n")
    (WORK / "bin").mkdir()
    shutil.copy(WORK / "auralux.exe", WORK / "bin")
    for program in ["bin/auralux.exe", r"bin\auralux.exe"]:
        # Lines as a Windows editor writes them.
        lines = ["MAP small_map.txt", "", "PLAYER DEFAULT afk", f"PLAYER PROCESS {program}", "", "MAX_STEPS 20", "", "LOG_DIR logs_v2"]
        (WORK / "config.txt").write_text("\r\n".join(lines), newline="")
        played = report("run", "config.txt")
        assert played["game"] == "auralux" and played["faults"] == [] and played["rounds"] == 20, played
        log = (WORK / "logs_v2/game_visualizer.log").read_bytes()
        assert log.startswith(b"4 2\n0 0\n10 0\n0 10\n10 10\n0\n1 100 1 100\n") and log.endswith(b"\n-1\n"), log
        assert (WORK / "logs_v2/error.log").read_bytes() == b""
        shutil.rmtree(WORK / "logs_v2")
    (WORK / "map.txt").write_text("1 3 2\n3 1 3\n")
    (WORK / "generals.txt").write_text("log.txt\nmap.txt\n2\ngenerals.exe\nrest\n")
    remarked = run("run", "generals.txt", code=4)[1]
    assert 'there is no file "rest"' in remarked, remarked
    (WORK / "generals.txt").write_text("log.txt\nmap.txt\n2\ngenerals.exe\ngenerals.exe\n")
    played = report("run", "generals.txt", "--set", "max_turns=10")
    assert played["game"] == "generals" and played["faults"] == [], played
    log = (WORK / "log.txt").read_bytes()
    assert log and b"\r" not in log, log
    for name in ["auralux.exe", "generals.exe"]:
        assert_gone(name)
    tried("run: the contests' configurations of Auralux and Generals, and their logs")


EVENT = """
name = "Beside"
site = "127.0.0.1:{site}"
gateway = "127.0.0.1:{gateway}"
memory_by_process = true
[[game]]
id = "generals"
house = ["random"]
[game.settings]
max_turns = 100
"""


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


@contextlib.contextmanager
def beside(*command):
    """A program of this machine, as long as it is needed."""
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield process
    finally:
        process.terminate()
        process.wait()


def reached(port, process):
    patience = time.monotonic() + PATIENCE
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port)).close()
        except OSError:
            assert process.poll() is None and time.monotonic() < patience, "nothing listens"
            time.sleep(0.05)


def arena():
    with tempfile.TemporaryDirectory() as folder:
        plan = Path(folder, "event.toml")
        site, gateway = free_port(), free_port()
        plan.write_text(EVENT.format(site=site, gateway=gateway))
        subprocess.run([PALESTRA, "event", "players", "add", plan, "anna"], check=True, capture_output=True)
        key = subprocess.run([PALESTRA, "event", "players", "key", plan, "anna"], check=True, capture_output=True)
        key = key.stdout.decode().strip()
        with beside(PALESTRA, "serve", plan) as process:
            reached(site, process)
            reached(gateway, process)
            host = f"127.0.0.1:{gateway}"
            asked = ["connect", host, "--game", "generals", "--opponents", "bot", "--matches", "2", "--json"]
            said, _ = run(*asked, "--token", key, "--", r".\generals.exe")
            told = [json.loads(line) for line in said.splitlines()]
            kinds = [event["event"] for event in told]
            assert [kinds.count(kind) for kind in ["connected", "begin", "over", "bot"]] == [1, 2, 2, 0], told
            assert_gone("generals.exe")
            remarked = run(*asked, "--token", "wrong", "--", r".\generals.exe", code=3)[1]
            assert "nobody has this key" in remarked, remarked
            tried("connect: two matches at an arena on Linux")
            host = f"127.0.0.1:{site}"
            said, remarked = run("submit", host, "generals", "generals", "--token", key)
            assert (said, remarked) == ("version 1 is ready and plays\n", "handed in as version 1\n"), said + remarked
            (WORK / "wrong.c").write_text("int main(void) { return nonsense; }\r\n", newline="")
            said, _ = run("submit", host, "generals", "wrong.c", "--token", key, code=1)
            assert "version 2 was rejected while it was compiled: wrong.c:1:25: error: " in said, said
            tried("submit: the folder that palestra new made is compiled and plays at an arena on Linux")


def queue():
    port = free_port()
    address = f"nats://127.0.0.1:{port}"
    with tempfile.TemporaryDirectory() as folder:
        server = [NATS_SERVER, "--jetstream", "--addr", "127.0.0.1", "--port", str(port), "--store_dir", folder]
        with beside(*server) as process:
            reached(port, process)
            worker = start("worker", address, "--name", "pc1", "--places", "1", "--json")
            try:
                asked = ["tournament", "generals", "greedy", r".\generals.exe", "--parallel", "0", "--queue", address]
                asked += ["--dir", "queued", "--set", "map_rows=8", "--set", "map_columns=8", "--set", "max_turns=40"]
                overview = report(*asked, "-q", *SLOW)
                assert overview["failures"] == [] and overview["progress"]["finished"] > 0, overview
                assert all(line["faults"] == 0 for line in overview["standings"]), overview
            finally:
                for number in processes("palestra.exe"):
                    os.kill(number, signal.SIGKILL)
                told = [json.loads(line) for line in worker.communicate()[0].splitlines()]
            played = [event for event in told if event["what"] == "played"]
            assert len(played) == overview["progress"]["finished"], told
            assert_gone("generals.exe")
            tried(f"worker and --queue: {len(played)} matches of a Windows program")


words()
first_bots()
duel()
ladder()
contest_files()
hostile_bots()
killed_and_gone_on_with()
pages()
arena()
queue()
print(f"{len(TRIED)} things were tried")
