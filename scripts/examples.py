#!/usr/bin/env python3
"""Types every example of docs/commands.md, in order and in one folder, and compares what is printed with what stands there.

  scripts/examples.py target/debug/palestra             compares
  scripts/examples.py target/debug/palestra --update    writes what is printed into the document; look at the difference

A line `...` stands for any lines. How long something took, how large it was and what was drawn by lot may differ: numbers
with a unit, passwords, and the width of tables. A block behind a line like "`cup.toml`:" is a file. An example that ends
with & goes on until the end. Also: every command has an example, and every option that any document names is one.
"""
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DOCUMENT = ROOT / "docs/commands.md"
PATIENCE = 120
PORTS = ("8080", "4242", "4222", "7777")
# What prints something else on every machine is looked at only where the document says so, line by line.
VARIES = [
    (re.compile(r"[\d.,]+ ?(ms|µs|us|ns|s|KB|MB|bytes)\b"), "# \\1"),
    (re.compile(r"\b[a-z2-9]{12}\b"), "*"),
    (re.compile(r"process \d+"), "process #"),
    (re.compile(r"[\d.]+ times as fast"), "# times as fast"),
    (re.compile(r"\bmatch \d+"), "match #"),
    (re.compile(r"\d+ match(es)? being played"), "# matches being played"),
    (re.compile(r"won in \d+ rounds"), "won in # rounds"),
    (re.compile(r"[─═]+"), "─"),
    (re.compile(r" +"), " "),
]

# How far something has come is told only where it takes long.
PROGRESS = re.compile(r"(round|step|tick) \d+|\d+( of \d+)? (matches|games), .*")


def told(line):
    for pattern, stand_in in VARIES:
        line = pattern.sub(stand_in, line)
    return line.strip()


def same(expected, printed):
    """Whether lines are those of the document, where `...` is any lines."""
    if not expected:
        return not printed
    if expected[0] == "...":
        return any(same(expected[1:], printed[at:]) for at in range(len(printed) + 1))
    return bool(printed) and told(expected[0]) == told(printed[0]) and same(expected[1:], printed[1:])


def blocks(text):
    """Fenced blocks: where each begins and ends in the lines, its kind, and the file that it is, if any."""
    lines, at = text.splitlines(), 0
    while at < len(lines):
        if lines[at].startswith("```"):
            end = next(line for line in range(at + 1, len(lines)) if lines[line].startswith("```"))
            named = re.fullmatch(r"`([^`]+)`:", lines[at - 2]) if at >= 2 else None
            yield at, end, lines[at][3:], named and named[1]
            at = end
        at += 1


def examples(lines):
    """Commands, each with what it prints."""
    found = []
    for line in lines:
        if line.startswith("$ "):
            found.append((line[2:], []))
        elif found:
            found[-1][1].append(line)
    return found


class Session:
    def __init__(self, palestra, folder):
        self.folder, self.running = folder, []
        (folder / "bin").mkdir()
        (folder / "bin/palestra").symlink_to(palestra.resolve())
        self.place = folder / "work"
        self.place.mkdir()
        sockets = [socket.create_server(("127.0.0.1", 0)) for _ in PORTS]
        self.ports = dict(zip(PORTS, (str(one.getsockname()[1]) for one in sockets)))
        for one in sockets:
            one.close()
        self.environment = {
            "PATH": f"{folder}/bin:{os.environ['PATH']}", "HOME": str(folder), "LANG": "C.UTF-8", "NO_COLOR": "1",
            "COLUMNS": "110", "PALESTRA_STATE": f"{folder}/state", "PALESTRA_CACHE": f"{folder}/cache",
            "TMPDIR": os.environ.get("TMPDIR", "/tmp"),
        }

    def there(self, text):
        return re.sub("|".join(PORTS), lambda port: self.ports[port[0]], text)

    def here(self, text):
        for port, used in self.ports.items():
            text = text.replace(used, port)
        return text.replace(str(self.place), ".")

    def write(self, name, text):
        (self.place / name).write_text(self.there(text))

    def type(self, command, expected):
        if command.endswith(" &"):
            return self.start(command[:-2], expected)
        done = subprocess.run(["sh", "-c", self.there(command)], cwd=self.place, env=self.environment, timeout=PATIENCE,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        printed = self.here(done.stdout).rstrip("\n").split("\n") if done.stdout else []
        return [line for line in printed if not PROGRESS.fullmatch(line)]

    def start(self, command, expected):
        """What it has printed when that is what was expected, or when it says no more."""
        log = self.folder / f"{len(self.running)}.log"
        with log.open("w") as output:
            self.running.append(subprocess.Popen(["sh", "-c", f"exec {self.there(command)}"], cwd=self.place, stdout=output,
                                                 env=self.environment, stdin=subprocess.DEVNULL, stderr=subprocess.STDOUT))
        begun, size, quiet = time.monotonic(), 0, time.monotonic()
        while time.monotonic() - begun < PATIENCE:
            printed = self.here(log.read_text()).rstrip("\n").split("\n")
            if same(expected, printed):
                break
            if log.stat().st_size != size:
                size, quiet = log.stat().st_size, time.monotonic()
            if size and time.monotonic() - quiet > 10:
                break
            time.sleep(0.1)
        return printed

    def end(self):
        for process in self.running:
            process.send_signal(signal.SIGINT)
        for process in self.running:
            try:
                process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()


def compare(palestra, update):
    lines, wrong, typed = DOCUMENT.read_text().splitlines(), [], []
    renewed, kept = [], 0
    with tempfile.TemporaryDirectory() as folder:
        session = Session(palestra, Path(folder))
        try:
            for begin, end, kind, name in blocks("\n".join(lines)):
                if name:
                    session.write(name, "\n".join(lines[begin + 1:end]) + "\n")
                if kind != "console":
                    continue
                renewed += lines[kept:begin + 1]
                for command, expected in examples(lines[begin + 1:end]):
                    printed = session.type(command, expected)
                    typed.append(command)
                    if not same(expected, printed):
                        wrong.append(f"docs/commands.md, line {begin + 2}: $ {command}\nprints\n" + "\n".join(printed))
                        expected = printed
                    renewed += [f"$ {command}", *expected]
                kept = end
        finally:
            session.end()
    if update:
        DOCUMENT.write_text("\n".join(renewed + lines[kept:]) + "\n")
        return []
    return wrong + unheard_of(palestra, typed)


def help_of(palestra, words, known):
    if words not in known:
        done = subprocess.run([palestra, *words, "--help"], capture_output=True, text=True)
        known[words] = done.stdout if done.returncode == 0 else ""
    return known[words]


def unheard_of(palestra, typed):
    """Commands without an example, and options in documents that no command takes."""
    known, wrong = {}, []
    for command in re.findall(r"^  (\w+) ", help_of(palestra, (), known).split("Options:")[0], re.MULTILINE):
        if not any(re.search(rf"\bpalestra {command}\b", line) for line in typed):
            wrong.append(f"docs/commands.md: there is no example of palestra {command}")
    documents = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), *ROOT.glob("games/*/README*.md")]
    for path in documents:
        for number, line in enumerate(path.read_text().splitlines(), 1):
            for words in re.findall(r"\bpalestra ((?:[a-z]+ ?)+)([^`|;]*)", line):
                options = re.findall(r"(?<![\w-])--[a-z][a-z-]*", words[1].split("  ")[0].split(" -- ")[0])
                command = tuple(words[0].split())
                if not options:
                    continue
                # Words behind the command are a game or a bot: `palestra play generals`.
                texts = [help_of(palestra, command[:length], known) for length in (1, 2, 3) if length <= len(command)]
                if not texts[0]:
                    continue
                for option in options:
                    if not any(re.search(rf"(?<![\w-]){option}(?![\w-])", text) for text in texts):
                        name = path.relative_to(ROOT)
                        wrong.append(f"{name}:{number}: palestra {command[0]} has no {option}")
    return wrong


def main():
    if len(sys.argv) not in (2, 3) or sys.argv[2:] not in ([], ["--update"]):
        sys.exit(__doc__)
    palestra = Path(sys.argv[1])
    if not palestra.is_file():
        sys.exit(f"examples: there is no {palestra}; build it with cargo build --package palestra")
    wrong = compare(palestra, "--update" in sys.argv)
    print("\n".join(wrong) if wrong else "examples: as they stand in the documents")
    sys.exit(1 if wrong else 0)


main()
