#!/usr/bin/env python3
"""A room of machines on this one, in which everything fails: `make test-cluster KILLS=100 SEED=7`.

    scripts/cluster.py PALESTRA     the program; KILLS in the environment is how often each kind of machine is killed

Every machine is a network namespace at a bridge: two servers of one event, Postgres, NATS, four workers, and a fifth one whose
results are altered on their way. The clock of a worker is wrong by days, and another one has a small disk. While rounds are
played, machines are killed (-9) and started again, links are cut and restored, disks fill up, and the queue comes back with
nothing in it. In the end every round must have come to what it comes to on one machine where nothing happens: no match is
missing, none counts twice, and nothing is left running.

Only root makes namespaces. Those of processes and mounts are its own too, so that nothing stays behind however it ends.
"""

import collections
import glob
import http.client
import json
import os
import pathlib
import random
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time

PROJECT = pathlib.Path(__file__).resolve().parent.parent
PLACE = PROJECT / "target" / "cluster"
NATS = PROJECT / "target" / "tools" / "nats" / "bin" / "nats-server"
FAKETIME = glob.glob("/usr/lib/*/faketime/libfaketimeMT.so.1")

KILLS = int(os.environ.get("KILLS", "20"))
SEED = int(os.environ.get("SEED", "7"))
# Seconds from one blow to the next, at most.
PAUSE = float(os.environ.get("PAUSE", "2"))
# Nothing takes as long as this unless it hangs.
PATIENCE = 120
# One network, one bridge.
HOSTS = {"db": 2, "nats": 3, "one": 11, "two": 12, "w1": 21, "w2": 22, "w3": 23, "w4": 24, "forger": 25}
SERVERS = ["one", "two"]
WORKERS = ["w1", "w2", "w3", "w4"]
NOBODY = 65534
SITE = 8080

EVENT = """
name = "A room"
site = "0.0.0.0:8080"
gateway = false
memory_by_process = true
# Who is listed first, and so who meets whom when, would depend on the order in which matches ended.
elo = { start = 1500, k = 0 }

[[game]]
id = "rps"
settings = { size = 6, first_unit_ticks = 2, max_ticks = 60, hold_ticks = 4 }
# Nobody runs out of time, however often the machine is elsewhere.
time = "10min/answer"
house = ["greedy"]
house_in_rounds = true
# Nothing but rounds, after a first match.
pause = "12h"
"""
ROUNDS = """
[[round]]
name = "Cup"
every = "1s"
"""


class Failure(Exception):
    pass


def at(host):
    return f"10.77.0.{HOSTS[host]}"


def run(*words, **options):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, **options)
    if done.returncode:
        raise Failure(f"{' '.join(map(str, words))}: {done.stdout}{done.stderr}")
    return done.stdout


def say(text):
    print(f"{time.monotonic() - BEGAN:7.1f} s  {text}", flush=True)


def until(what, so):
    end = time.monotonic() + PATIENCE
    while not so():
        if time.monotonic() > end:
            raise Failure(f"waited in vain for {what}")
        time.sleep(0.1)


# ---- machines


def build_room():
    run("ip", "link", "set", "lo", "up")
    run("ip", "link", "add", "room", "type", "bridge")
    run("ip", "address", "add", "10.77.0.1/24", "dev", "room")
    run("ip", "link", "set", "room", "up")
    for host in HOSTS:
        run("ip", "netns", "add", host)
        run("ip", "link", "add", f"to-{host}", "type", "veth", "peer", "name", "eth0", "netns", host)
        run("ip", "link", "set", f"to-{host}", "master", "room", "up")
        run("ip", "-n", host, "address", "add", f"{at(host)}/24", "dev", "eth0")
        run("ip", "-n", host, "link", "set", "lo", "up")
        run("ip", "-n", host, "link", "set", "eth0", "up")


def link(host, state):
    run("ip", "link", "set", f"to-{host}", state)


def disk(name, megabytes):
    """A small disk."""
    path = PLACE / name
    path.mkdir()
    run("mount", "-t", "tmpfs", "-o", f"size={megabytes}m", name, path)
    return path


def fill(path):
    with open(path / "ballast", "wb", buffering=0) as ballast:
        try:
            while True:
                ballast.write(bytes(1 << 12))
        except OSError:
            pass


def empty(path):
    (path / "ballast").unlink(missing_ok=True)


class Machine:
    """A program on a host. Whenever it ends it is started again, as systemd would."""

    def __init__(self, name, host, *command, env=None, nobody=False, prepare=None):
        self.name, self.env, self.prepare = name, env, prepare
        user = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"] if nobody else []
        self.words = ["nsenter", f"--net=/run/netns/{host}", *user, *map(str, command)]
        self.process, self.starts, self.wanted, self.lock = None, 0, True, threading.Lock()
        self.log = open(PLACE / f"{name}.log", "ab")
        threading.Thread(target=self.look_after, daemon=True).start()

    def look_after(self):
        while self.wanted:
            with self.lock:
                if self.wanted and (self.process is None or self.process.poll() is not None):
                    self.start()
            time.sleep(0.3)

    def start(self):
        if self.prepare:
            self.prepare()
        self.starts += 1
        self.log.write(f"---- start {self.starts}\n".encode())
        self.log.flush()
        env = dict(os.environ, **(self.env() if self.env else {}))
        self.process = subprocess.Popen(self.words, env=env, cwd="/", stdin=subprocess.DEVNULL, stdout=self.log,
                                        stderr=self.log, start_new_session=True)

    def kill(self):
        """As a failing machine does; whether it was running."""
        with self.lock:
            return self.die()

    def die(self):
        if self.process is None or self.process.poll() is not None:
            return False
        self.process.kill()
        self.process.wait()
        return True

    def stop(self):
        """Asks it to end, and waits for that."""
        with self.lock:
            self.wanted = False
            if self.process is not None and self.process.poll() is None:
                self.process.terminate()
                try:
                    self.process.wait(120)
                except subprocess.TimeoutExpired:
                    raise Failure(f"{self.name} does not end when it is asked to") from None


# ---- the database


def postgres_program(name):
    folders = sorted(glob.glob("/usr/lib/postgresql/*/bin"))
    return pathlib.Path(folders[-1]) / name if folders else name


def postgres(name):
    """A server over the data in this folder."""
    data = PLACE / name
    # What a killed one has left.
    forget = lambda: (data / "postmaster.pid").unlink(missing_ok=True)
    return Machine(name, "db", postgres_program("postgres"), "-D", data, "-h", "0.0.0.0", "-k", data, nobody=True,
                   prepare=lambda: None if postgres_lives() else forget())


def postgres_lives():
    return any("postgres: " in line for line in commands().values())


def commands():
    """Every process and its words."""
    found = {}
    for path in glob.glob("/proc/[0-9]*"):
        try:
            words = pathlib.Path(path, "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
        except OSError:
            continue
        # Nothing for kernel threads and for those that have ended.
        if words:
            found[int(path.removeprefix("/proc/"))] = words
    return found


def query(sql):
    words = [postgres_program("psql"), "-qXAt", "-F", "\t", "-d", f"postgres://palestra@{at('db')}/postgres", "-c", sql]
    return [line.split("\t") for line in run(*words).splitlines()]


def database_answers():
    try:
        return query("SELECT 1") == [["1"]]
    except Failure:
        return False


# ---- the event


def ask(path):
    """What the server that has the event answers, if there is one."""
    for host in SERVERS:
        connection = http.client.HTTPConnection(at(host), SITE, timeout=2)
        try:
            connection.request("GET", path)
            answer = connection.getresponse()
            if answer.status == 200:
                return json.loads(answer.read())
        except (OSError, http.client.HTTPException, ValueError):
            pass
        finally:
            connection.close()
    return None


def rounds_over():
    """Rounds from the first one on that are over."""
    try:
        states = dict(query("SELECT id, state FROM rounds ORDER BY id"))
    except Failure:
        return 0
    number = 0
    while states.get(str(number + 1)) == "over":
        number += 1
    return number


def serve(palestra, host, plan, *more):
    plan_file = PLACE / f"{host}-{plan.name}"
    shutil.copy(plan, plan_file)
    database = f"postgres://palestra@{at('db')}/postgres"
    return Machine(f"{host}-{plan.stem}", host, palestra, "serve", plan_file, "--database", database, *more,
                   env=lambda: {"PALESTRA_CACHE": str(PLACE / f"cache-{host}"), "PALESTRA_LOG": "info"})


def write_bots():
    """Three that always answer the same to the same, and take a moment for it."""
    kit = (PROJECT / "games/rps/kits/python/rps.py").read_text()
    choice = 'return max("RPS", key=value.get)'
    answer = "    def handle_server_response"
    assert choice in kit and answer in kit, "the kit has changed: change this too"
    bots = {"anna": choice, "bela": 'return "R"', "cili": 'return min("RPS", key=value.get)'}
    for name, instead in bots.items():
        (PLACE / f"{name}.py").write_text(kit.replace(choice, f"time.sleep(0.005); {instead}"))
    return list(bots)


def set_up(palestra):
    """An event with players and their bots, as its database keeps it."""
    data = PLACE / "data"
    data.mkdir()
    shutil.chown(data, NOBODY, NOBODY)
    run("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", postgres_program("initdb"), "--auth=trust",
        "--username=palestra", "--encoding=UTF8", "--locale=C", "--pgdata", data, cwd="/")
    with open(data / "pg_hba.conf", "a") as file:
        file.write("host all all 10.77.0.0/24 trust\n")
    database = postgres("data")
    until("the database", database_answers)
    plan = PLACE / "before.toml"
    plan.write_text(EVENT)
    server = serve(palestra, "one", plan)
    until("the site", lambda: ask("/api/event"))
    address = f"postgres://palestra@{at('db')}/postgres"
    bots = write_bots()
    event = [palestra, "event", "players"]
    folder = {"cwd": PLACE}
    run(*event, "add", plan, *bots, "--database", address, **folder)
    for bot in bots:
        key = run(*event, "key", plan, bot, "--database", address, **folder).strip()
        print(run(palestra, "submit", f"http://{at('one')}:{SITE}", "rps", PLACE / f"{bot}.py", "--token", key, **folder))
    accepted = "SELECT COUNT(*) FROM bots WHERE active IS NOT NULL"
    until("bots that play", lambda: query(accepted) == [[str(len(bots))]])
    server.stop()
    database.stop()
    shutil.copytree(data, PLACE / "data-quiet")
    for path in [PLACE / "data-quiet", *(PLACE / "data-quiet").rglob("*")]:
        shutil.chown(path, NOBODY, NOBODY)


def results(last):
    """What the first rounds came to, and what must be so of any."""
    within = f"round BETWEEN 1 AND {last}"
    twice = query(f"SELECT round, number, COUNT(*) FROM matches WHERE {within} AND state = 'finished' GROUP BY round, number "
                  "HAVING COUNT(*) > 1")
    if twice:
        raise Failure(f"matches count twice: {twice}")
    matches = query(
        "SELECT round, number, state, seed, turns, string_agg(name || ' ' || place || ' ' || COALESCE(points::text, '-') "
        f"|| ' ' || COALESCE(fault, ''), ', ' ORDER BY seat) FROM matches JOIN seats ON match = id WHERE {within} "
        "GROUP BY id ORDER BY round, number, id")
    tables = {}
    for number in range(1, last + 1):
        page = ask(f"/api/rounds/{number}")
        names = [player["name"] for player in page["players"]]
        tables[number] = [dict(line, bot=names[line["bot"]]) for line in page["standings"]]
        states = collections.Counter(one["state"] for stage in page["stages"] for league in stage["rounds"]
                                     for meeting in league["meetings"] for one in meeting["matches"])
        missing = sum(count for state, count in states.items() if state != "finished")
        if missing:
            raise Failure(f"round {number} is over, and of its matches not all were played: {dict(states)}")
    return matches, tables


# ---- blows


class Room:
    """Everything that can fail."""

    def __init__(self, palestra, rng):
        self.rng, self.counts, self.later = rng, collections.Counter(), []
        self.store, self.small = disk("store", 48), disk("small", 24)
        queue = PLACE / "queue"
        run(palestra, "event", "workers", "add", PLACE / "before.toml", *WORKERS, "forger", "--output", queue)
        config = PLACE / "nats.conf"
        config.write_text(f'listen: "{at("nats")}:4222"\njetstream {{ store_dir: "{self.store}/js", max_file_store: 40M }}\n'
                          f"include ./queue/workers.conf\n")
        self.lose = False
        self.nats = Machine("nats", "nats", NATS, "--config", config, prepare=self.prepare_nats)
        self.database = postgres("data")
        plan = PLACE / "storm.toml"
        plan.write_text(f"parallel = 0\n{EVENT}{ROUNDS}")
        address = f"nats://{at('nats')}:4222"
        self.servers = [serve(palestra, host, plan, "--standby", "--queue", address, "--queue-creds", queue / "server.creds")
                        for host in SERVERS]
        self.workers = []
        for name in WORKERS:
            env = {"PALESTRA_CACHE": str(self.small if name == "w3" else PLACE / f"cache-{name}")}
            clock = self.wrong_clock if name == "w4" else dict
            self.workers.append(Machine(name, name, palestra, "worker", address, "--creds", queue / f"{name}.creds",
                                        "--places", 2, "--json", env=lambda env=env, clock=clock: env | clock()))
        self.proxy = Machine("forging", "forger", sys.executable, __file__, "--forge", at("nats"))
        self.forger = Machine("forger", "forger", palestra, "worker", "nats://127.0.0.1:4222", "--creds",
                              queue / "forger.creds", "--places", 1, "--json",
                              env=lambda: {"PALESTRA_CACHE": str(PLACE / "cache-forger")})

    def machines(self):
        return [self.proxy, self.forger, *self.workers, *self.servers, self.nats, self.database]

    def wrong_clock(self):
        days = self.rng.choice([-400, -3, 2, 90])
        return {"LD_PRELOAD": FAKETIME[0], "FAKETIME": f"{days:+}d", "FAKETIME_DONT_FAKE_MONOTONIC": "1"}

    def prepare_nats(self):
        if self.lose:
            shutil.rmtree(self.store / "js", ignore_errors=True)
            self.lose = False

    def blows(self):
        """Every kind of blow, so many times, in any order."""
        kills = ["server", "standby", "queue", "database", "worker"]
        rest = ["cut", "cut both", "worker's disk", "queue's disk", "empty queue"]
        list_of = [kind for kind in kills for _ in range(KILLS)]
        list_of += [kind for kind in rest for _ in range(max(1, KILLS // 5))]
        self.rng.shuffle(list_of)
        return list_of

    def strike(self, kind):
        """Whether it struck."""
        if kind in ("server", "standby"):
            has_it = [self.is_open(host) for host in SERVERS]
            if not any(has_it):
                return False
            server = self.servers[has_it.index(True)]
            victim = server if kind == "server" else next(one for one in self.servers if one is not server)
            return victim.kill()
        if kind == "queue":
            return self.nats.kill()
        if kind == "database":
            return self.database.kill()
        if kind == "worker":
            return self.rng.choice(self.workers).kill()
        if kind == "empty queue":
            with self.nats.lock:
                self.lose = True
                return self.nats.die()
        if kind == "cut":
            self.cut([self.rng.choice(list(HOSTS))])
        elif kind == "cut both":
            self.cut(self.rng.sample(list(HOSTS), 2))
        elif kind == "worker's disk":
            fill(self.small)
            # What it had compiled is gone: it has to fetch and keep everything anew.
            shutil.rmtree(self.small / "fetched", ignore_errors=True)
            fill(self.small)
            self.after(lambda: empty(self.small))
        elif kind == "queue's disk":
            fill(self.store)
            # It keeps to what went wrong until it is started again.
            self.after(lambda: [empty(self.store), self.nats.kill()])
        return True

    def cut(self, hosts):
        for host in hosts:
            link(host, "down")
        self.after(lambda: [link(host, "up") for host in hosts])

    def is_open(self, host):
        try:
            with socket.create_connection((at(host), SITE), timeout=0.5):
                return True
        except OSError:
            return False

    def after(self, heal):
        self.later.append((time.monotonic() + self.rng.uniform(1, 4 * PAUSE), heal))

    def heal(self, everything=False):
        due = [one for one in self.later if everything or one[0] <= time.monotonic()]
        self.later = [one for one in self.later if one not in due]
        for _, heal in due:
            heal()

    def storm(self):
        for number, kind in enumerate(todo := self.blows(), 1):
            time.sleep(self.rng.uniform(0, PAUSE))
            self.heal()
            end = time.monotonic() + PATIENCE
            while not self.strike(kind):
                if time.monotonic() > end:
                    raise Failure(f"there is no {kind} to strike")
                time.sleep(0.1)
                self.heal()
            self.counts[kind] += 1
            if number % 25 == 0 or number == len(todo):
                say(f"{number} of {len(todo)} blows")
        self.heal(everything=True)


# ---- a worker whose results are altered


def forge(host):
    """Hands everything on to the queue, but for results: those are of another match, or damaged."""
    listener = socket.create_server(("127.0.0.1", 4222))
    while True:
        worker, _ = listener.accept()
        try:
            queue = socket.create_connection((host, 4222), timeout=5)
        except OSError:
            worker.close()
            continue
        queue.settimeout(None)
        threading.Thread(target=pass_on, args=(queue, worker), daemon=True).start()
        threading.Thread(target=falsify, args=(worker, queue), daemon=True).start()


def pass_on(one, other):
    try:
        while data := one.recv(1 << 16):
            other.sendall(data)
    except OSError:
        pass
    for end in (one, other):
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def falsify(worker, queue):
    stream, count = worker.makefile("rb"), 0
    try:
        while line := stream.readline():
            words = line.split()
            what = words[0].upper() if words else b""
            if what not in (b"PUB", b"HPUB"):
                queue.sendall(line)
                continue
            size = int(words[-1])
            body = stream.read(size + 2)
            if words[1].startswith(b"palestra.result."):
                count += 1
                body = falsified(body, int(words[2 if len(words) == 4 else 3]) if what == b"HPUB" else 0, count)
            queue.sendall(line + body)
    except (OSError, ValueError):
        pass
    pass_on(socket.socket(), queue)


def varint(body, at):
    """Where the number that begins there ends."""
    while body[at] & 0x80:
        at += 1
    return at + 1


def falsified(body, headers, count):
    """The same message with another replay in it: every other one a changed byte, the others the number of another match."""
    body, replay = bytearray(body), body.find(b"PALESTRA", headers)
    if replay < 0:
        return bytes(body)
    if count % 2:
        body[replay + 40] ^= 1
    else:
        # Version, batch (two numbers), parcel, part, parts, length; version, how many; the number of the first match.
        here = headers + 2
        for _ in range(6):
            here = varint(body, here)
        here = varint(body, here + 2)
        body[here] ^= 1
    return bytes(body)


# ---- all of it


def left_running():
    own = {os.getpid(), os.getppid()}
    return {pid: words for pid, words in commands().items() if pid not in own}


def groups_left():
    """Control groups that a program in here made."""
    namespace = "".join(c for c in os.readlink("/proc/self/ns/pid") if c.isdigit())
    return [path for path in glob.glob("/sys/fs/cgroup/**/palestra-*", recursive=True) if path.endswith(f"-{namespace}")]


def inside(palestra):
    shutil.rmtree(PLACE, ignore_errors=True)
    PLACE.mkdir(parents=True)
    # The database's user has to get to its data.
    run("mount", "-t", "tmpfs", "run", "/run")
    pathlib.Path("/run/netns").mkdir()
    build_room()
    say(f"{KILLS} kills of each kind, seed {SEED}; what happens is in {PLACE}")
    set_up(palestra)
    say("the event is made; the storm begins")
    room = Room(palestra, random.Random(SEED))
    room.storm()
    until("the forger to be found out", found_out)
    until("the database", database_answers)
    last = rounds_over() + 1
    say(f"the storm is over; until round {last} is")
    until("the last round", lambda: rounds_over() >= last)
    until("the site", lambda: ask("/api/event"))
    stormy = results(last)
    for machine in room.machines():
        machine.stop()
    say(f"one machine, no storm: {last} rounds")
    database = postgres("data-quiet")
    until("the database", database_answers)
    plan = PLACE / "quiet.toml"
    plan.write_text(f"parallel = 4\n{EVENT}{ROUNDS}")
    server = serve(palestra, "one", plan)
    for number in range(1, last + 1):
        until(f"round {number}", lambda: rounds_over() >= number)
    quiet = results(last)
    server.stop()
    database.stop()
    compare(stormy, quiet)
    until_nothing_runs()
    told(room)
    print(f"{len(quiet[0])} matches in {last} rounds came to the same as on one machine; "
          + ", ".join(f"{count} times {kind}" for kind, count in sorted(room.counts.items())))


def compare(stormy, quiet):
    for what, one, other in zip(("matches", "tables"), stormy, quiet):
        if one != other:
            differ = [pair for pair in zip(one, other) if pair[0] != pair[1]] if what == "matches" else (one, other)
            raise Failure(f"the {what} differ from those of one machine ({len(one)} and {len(other)}): {differ[:5]}")


def told(room):
    """What the machines wrote: nothing has panicked, and the forger was found out."""
    logs = {path.name: path.read_text(errors="replace") for path in PLACE.glob("*.log")}
    panics = {name: text[max(0, text.find("panicked") - 500):][:2000] for name, text in logs.items() if "panicked" in text}
    if panics:
        raise Failure(f"something panicked: {panics}")
    refused = [line for name, text in logs.items() if "storm" in name for line in text.splitlines() if "is refused" in line]
    if honest := [line for line in refused if "worker forger" not in line]:
        raise Failure(f"honest workers were accused: {honest}")
    print(f"the forger was found out {found_out()} times")


def found_out():
    return sum(path.read_text(errors="replace").count("worker forger is set aside") for path in PLACE.glob("*-storm.log"))


def until_nothing_runs():
    end = time.monotonic() + 10
    while left := left_running():
        if time.monotonic() > end:
            raise Failure(f"these are left running: {left}")
        time.sleep(0.1)
    for host in HOSTS:
        run("ip", "netns", "del", host)
    if groups := groups_left():
        raise Failure(f"these control groups are left: {groups}")


def main():
    global BEGAN
    BEGAN = time.monotonic()
    if sys.argv[1:2] == ["--forge"]:
        return forge(sys.argv[2])
    if len(sys.argv) == 3 and sys.argv[1] == "--inside":
        try:
            inside(sys.argv[2])
            shutil.rmtree(PLACE, ignore_errors=True)
        except Failure as failure:
            print(f"FAILED: {failure}", file=sys.stderr, flush=True)
            os._exit(1)
        # With the threads that look after machines.
        sys.stdout.flush()
        os._exit(0)
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    if os.geteuid() != 0:
        sys.exit("only root makes namespaces: sudo make test-cluster")
    if not FAKETIME:
        sys.exit("libfaketime is not there; on Debian it is the package faketime")
    own = ["unshare", "--net", "--mount", "--pid", "--fork", "--mount-proc", "--kill-child"]
    sys.exit(subprocess.call([*own, sys.executable, __file__, "--inside", str(pathlib.Path(sys.argv[1]).resolve())]))


main()
