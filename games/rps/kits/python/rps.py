#!/usr/bin/env python3
"""A first bot for Rock Paper Scissor: every unit goes for the nearest thing worth having and keeps away from what beats it.

Try it:    palestra play rps ./rps.py bot
Then make it better: MyClient.handle_server_response decides, everything else only reads and writes.

    rps.py [HOST [PORT]]     plays through a server, by default on this machine and port 4242
    rps.py --stdio           plays one match through standard input and output, without a server
    rps.py --test FILE       prints its answer to the packet in FILE, and ends

Palestra starts it without arguments: when standard input is no terminal and no host is named, or when the environment
variable PALESTRA_BOT is set, it plays as with --stdio.

    --debug            writes debug.log with --stdio too; through a server it always does (see need_debug_log)
    --retry SECONDS    how long to wait before connecting, or logging in, again (5)
    --once             ends when the connection does, instead of connecting again

Started with a file test.txt beside it, or in the current folder, it prints its answer to the packet in there before it
connects: take the packet that went wrong out of debug.log, put it there, and use a debugger.
"""
import os
import sys
import time

SIZE = 20
BEATS = {"R": "S", "S": "P", "P": "R"}
DIRECTIONS = {"right": (1, 0), "down": (0, 1), "left": (-1, 0), "up": (0, -1)}


class Soldier:
    def __init__(self, number, side, kind, x, y):
        self.id, self.side, self.kind, self.x, self.y = int(number), side, kind, int(x), int(y)

    def steps_to(self, x, y):
        return abs(self.x - x) + abs(self.y - y)


class Packet:
    """One packet of the server, taken apart."""

    def __init__(self, lines):
        self.tick, self.versus, self.soldiers = 0, "", []
        self.base = {"r": "N", "d": "N"}  # A is ours, E the enemy's, N nobody's
        self.prod_time, self.prod = 0, {"R": 0, "P": 0, "S": 0}  # without bases; ticks spent on each kind
        self.finished = None  # victory, defeat or draw in the last packet
        lines = iter(lines)
        for line in lines:
            what, *rest = line.split() or [""]
            if what == "tick":
                self.tick = int(rest[0])
            elif what == "versus":
                self.versus = rest[0]
            elif what == "soldiers":
                self.soldiers = [Soldier(*next(lines).split()) for _ in range(int(rest[0]))]
            elif what == "base":
                self.base[rest[0]] = rest[1]
            elif what == "prod":
                self.prod_time, *spent = map(int, rest)
                self.prod = dict(zip("RPS", spent))
            elif what == "finished":
                self.finished = rest[0]


class Client:
    """Everything but the strategy: the connection, the log, the command line."""

    # The log begins anew at this size, so that a long day does not fill the disk.
    MOST_LOGGED = 64 << 20

    def get_password(self):
        """Your key: the password that the organiser gave you, or a key from your page at the arena's site."""
        raise NotImplementedError

    def get_preferred_opponents(self):
        """Whom you want to play: numbers with spaces between them, "any", "bot", a mixture, or "" for nobody."""
        raise NotImplementedError

    def handle_server_response(self, lines):
        """The answer to a packet, given as its lines: a list of lines without the point at the end."""
        raise NotImplementedError

    def need_debug_log(self):
        """Whether to write debug.log."""
        return True

    def handle_players(self, players):
        """Called with the list of players as (id, match points, elo, name), whenever it comes."""

    def __init__(self):
        self.logging, self.log = False, None

    def run(self, arguments):
        host, port, test, named = "localhost", 4242, None, 0
        stdio = debug = False
        self.retry, self.once = 5, False
        words = iter(arguments)
        for word in words:
            if word == "--stdio":
                stdio = True
            elif word == "--debug":
                debug = True
            elif word == "--once":
                self.once = True
            elif word == "--test":
                test = next(words, None) or sys.exit("rps.py: --test needs a file")
            elif word == "--retry":
                self.retry = int(next(words, "5"))
            elif not word.startswith("-") and named == 0:
                host, named = word, 1
            elif not word.startswith("-") and named == 1 and word.isdigit():
                port, named = int(word), 2
            else:
                sys.exit(__doc__)
        if test is not None:
            return 0 if self.test(test) else 1
        if stdio or "PALESTRA_BOT" in os.environ or (named == 0 and not sys.stdin.isatty()):
            self.logging = debug
            return self.play_here()
        self.logging = self.need_debug_log() or debug
        beside = os.path.join(os.path.dirname(os.path.abspath(sys.argv[0])), "test.txt")
        self.test(beside) or self.test("test.txt")
        return self.play_there(host, port)

    def test(self, path):
        """Answers the packet in a file; False if there is none."""
        try:
            with open(path, encoding="utf-8") as file:
                lines = file.read().split("\n")
        except OSError:
            return False
        lines = [line.rstrip("\r") for line in lines]
        if "." in lines:
            lines = lines[:lines.index(".") + 1]
        print(self.answer(lines), end="", flush=True)
        return True

    def play_here(self):
        packet = []
        for line in sys.stdin:
            packet.append(line.rstrip("\r\n"))
            if packet[-1] == ".":
                over = is_last(packet)
                try:
                    print(self.answer(packet), end="", flush=True)
                except BrokenPipeError:
                    # Nobody listens any more. Python must not complain about it at its end, either.
                    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
                    break
                packet = []
                if over:
                    break
        return 0

    def play_there(self, host, port):
        import socket  # only here, as it takes a while and the first local answer is due soon

        while True:
            try:
                with socket.create_connection((host, port)) as connection:
                    # An answer must not wait for more to send.
                    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    print(f"connected to {host} port {port}", flush=True)
                    self.session(connection)
                print("the connection is closed", flush=True)
            except OSError as error:
                print(f"no connection to {host} port {port}: {error}", flush=True)
            if self.once:
                return 0
            time.sleep(self.retry)

    def session(self, connection):
        def send(text):
            connection.sendall(text.encode())

        send(f"login {self.get_password()}\n")
        packet, logged_in = [], False
        for line in connection.makefile(encoding="utf-8", errors="replace", newline="\n"):
            line = line.rstrip("\r\n")
            if line == "fail":
                # The password is wrong, or this player is in a match elsewhere.
                print("login failed", flush=True)
                time.sleep(self.retry)
                send(f"login {self.get_password()}\n")
                continue
            if line == "ping":
                text = "pong\n"
                if not logged_in:
                    logged_in = True
                    print("logged in", flush=True)
                    text += f"opponent {self.get_preferred_opponents()}\n"
                send(text)
                continue
            packet.append(line)
            if line != ".":
                continue
            if packet[0].startswith("players"):
                self.handle_players([read_player(line) for line in packet[1:-1]])
            else:
                if is_last(packet):
                    print(packet[-2], flush=True)
                send(self.answer(packet))
            packet = []

    def answer(self, packet):
        """The whole answer to a packet, in the log too."""
        # Before the strategy is asked: a packet that makes it crash is there then.
        self.write_log("\n".join(packet) + "\n\n")
        lines = self.handle_server_response(packet)
        answer = "".join(line + "\n" for line in [*lines, "."])
        self.write_log(answer + "\n")
        return answer

    def write_log(self, text):
        if not self.logging:
            return
        if self.log is None:
            self.log = open("debug.log", "a", encoding="utf-8", newline="\n")
        if self.log.tell() > self.MOST_LOGGED:
            self.log.truncate(0)
        self.log.write(text)
        self.log.flush()


def is_last(packet):
    return len(packet) >= 2 and packet[-2].startswith("finished")


def read_player(line):
    number, points, elo, *name = line.split(" ", 3)
    return int(number), int(points), int(elo), name[0] if name else ""


class MyClient(Client):
    """The strategy."""

    def get_password(self):
        return "password"

    def get_preferred_opponents(self):
        return "any bot"

    def handle_server_response(self, lines):
        self.packet = Packet(lines)
        if self.packet.finished:
            return []
        answer = [f"prod {self.production()}"]
        cells = {(soldier.x, soldier.y): soldier for soldier in self.packet.soldiers}
        for soldier in self.packet.soldiers:
            if soldier.side != "A":
                continue
            goal = self.goal(soldier, cells)
            here = (soldier.x, soldier.y)
            best, word, to = self.worth(soldier, here, goal, cells), None, here
            for direction, (dx, dy) in DIRECTIONS.items():
                there = (soldier.x + dx, soldier.y + dy)
                if not (0 <= there[0] < SIZE and 0 <= there[1] < SIZE):
                    continue
                other = cells.get(there)
                if other and (other.side == "A" or BEATS[soldier.kind] != other.kind):
                    continue
                worth = self.worth(soldier, there, goal, cells) + (100 if other else 0)
                if worth > best:
                    best, word, to = worth, direction, there
            if word:
                answer.append(f"{soldier.id} {word}")
                # Keep the picture right for the units that are ordered later: whoever was there is beaten.
                del cells[here]
                cells[to] = soldier
                soldier.x, soldier.y = to
        return answer

    def production(self):
        """What beats most of the enemy's units; one after the other as long as there are none."""
        value = {"R": 0, "P": 0, "S": 0}
        for soldier in self.packet.soldiers:
            if soldier.side == "E":
                value[next(kind for kind in "RPS" if BEATS[kind] == soldier.kind)] += 2
            else:
                value[soldier.kind] -= 1
        return max("RPS", key=value.get)

    def goal(self, soldier, cells):
        """The nearest of: an enemy that it beats, a base to take; otherwise the enemy's factory."""
        far = SIZE - 1
        goals = []
        if self.packet.base["r"] != "A":
            goals.append((far, 0))
        if self.packet.base["d"] != "A":
            goals.append((0, far))
        for (x, y), other in cells.items():
            # Far away it may well run; near the own factory it must be stopped.
            if other.side == "E" and BEATS[soldier.kind] == other.kind and (soldier.steps_to(x, y) <= 6 or x + y <= 8):
                goals.append((x, y))
        return min(goals, key=lambda goal: soldier.steps_to(*goal), default=(far, far))

    def worth(self, soldier, cell, goal, cells):
        """What it is worth to stand somewhere: near the goal, and not next to somebody who beats us."""
        x, y = cell
        worth = -10 * (abs(x - goal[0]) + abs(y - goal[1]))
        for dx, dy in DIRECTIONS.values():
            other = cells.get((x + dx, y + dy))
            if other and other.side == "E" and BEATS[other.kind] == soldier.kind:
                worth -= 50
        # Nothing new appears while somebody stands on the factory.
        return worth - 15 if cell == (0, 0) else worth


if __name__ == "__main__":
    sys.exit(MyClient().run(sys.argv[1:]))
