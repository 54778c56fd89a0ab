#!/usr/bin/env python3
"""Checks invariants of ARCHITECTURE.md that no compiler checks. Prints what is wrong and where."""
import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
problems = []


def tracked(*patterns):
    out = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard", *patterns],
                         cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [ROOT / line for line in out.splitlines() if (ROOT / line).is_file()]


def complain(path, line, what):
    problems.append(f"{path.relative_to(ROOT)}:{line}: {what}")


games = sorted(path.name for path in (ROOT / "games").iterdir() if path.is_dir())

# Core, grid and runner know no game by name.
for path in tracked("crates/core/src", "crates/grid/src", "crates/runner/src"):
    for number, line in enumerate(path.read_text().splitlines(), 1):
        for game in games:
            if re.search(rf"\b{game}\b", line, re.IGNORECASE):
                complain(path, number, f"names the game {game}; only the list in crates/games/src/lib.rs may")

# Others name a game in examples for people and in tests, and never choose by its name. Who may: the list, and a sample
# for tests.
may_name = {"crates/games/src/lib.rs", "crates/league/src/report/samples.rs"}
names = "|".join(games)
for path in tracked("crates/*/src/*.rs"):
    if path.name == "tests.rs" or str(path.relative_to(ROOT)) in may_name:
        continue
    code = re.split(r"#\[cfg\(test\)\][^{};]*\bmod \w+ \{", path.read_text())[0]
    for number, line in enumerate(code.splitlines(), 1):
        if re.search(rf"""["']({names})["']|\bpalestra_({names})\b""", line.split("//")[0]):
            complain(path, number, "chooses a game by its name; only the list in crates/games/src/lib.rs may")

# Tests and benchmarks name a game as an example only. Whoever goes through all of them takes the one list: nobody else
# names all of them within a few lines. Who may, and why:
ENUMERATES = {
    "crates/games/src/lib.rs",  # the list
    "crates/cli/tests/program/commands.rs",  # an error that tells every name there is
    "crates/cli/tests/program/tournament/samples.rs",  # how matches of each sample plan in cups/ are made short
}
NEAR = 12
enumerating = set()
for path in tracked("crates/*.rs", "fuzz/*.rs"):
    lines = path.read_text().splitlines()
    for number in range(len(lines)):
        near = "\n".join(lines[number:number + NEAR])
        if all(re.search(rf"\b(palestra_)?{game}\b", near, re.IGNORECASE) for game in games):
            enumerating.add(str(path.relative_to(ROOT)))
            if str(path.relative_to(ROOT)) not in ENUMERATES:
                complain(path, number + 1, "names every game; go through the list in crates/games/src/lib.rs instead")
            break
for name in sorted(ENUMERATES - enumerating):
    complain(ROOT / "scripts/tidy.py", 1, f"{name} does not name every game any more; take it off the list")

# What is measured of a game is in its folder; the benchmarks of the engine play one as an example.
EXAMPLES = {
    "crates/cli/benches/table.rs",
    "crates/cli/benches/table/ahead.rs",
    "crates/cli/benches/table/league.rs",
    "crates/cli/benches/table/queue.rs",
}
for path in tracked("crates/*/benches/*.rs"):
    if str(path.relative_to(ROOT)) not in EXAMPLES and re.search(rf"\b(palestra_)?({names})\b", path.read_text()):
        complain(path, 1, "names a game; its rows are in bench.toml in the game's folder")

# Rules depend on rules alone, and what is forbidden to them is forbidden to all they are made of.
arrows = {"crates/core": set(), "crates/grid": {"core"}, **{f"games/{game}": {"core", "grid"} for game in games}}
for folder, allowed in arrows.items():
    path = ROOT / folder / "Cargo.toml"
    for name in tomllib.loads(path.read_text()).get("dependencies", {}):
        if name.startswith("palestra-") and name.removeprefix("palestra-") not in allowed:
            complain(path, 1, f"must not depend on {name}")
if (ROOT / "crates/grid/clippy.toml").read_text() != (ROOT / "games/clippy.toml").read_text():
    complain(ROOT / "crates/grid/clippy.toml", 1, "must be that of games/")

# The page and its tests know no game by name either; each says in its own folder what they need to know of it.
NAMED_IN_THE_WEB = {
    "web/src/site/api.ts",  # generated from crates/arena/src/api.rs
    "web/tests/measure.mjs",
}
named_in_the_web = set()
for path in tracked("web/src", "web/tests", "web/*.html", "web/*.ts"):
    if path.suffix not in (".ts", ".svelte", ".mjs", ".css", ".html"):
        continue
    name = str(path.relative_to(ROOT))
    for number, line in enumerate(path.read_text().splitlines(), 1):
        for game in games:
            if re.search(rf"\b{game}\b", line, re.IGNORECASE):
                named_in_the_web.add(name)
                if name not in NAMED_IN_THE_WEB:
                    complain(path, number, f"names the game {game}; what the page needs to know of it is in games/{game}")
for name in sorted(NAMED_IN_THE_WEB - named_in_the_web):
    complain(ROOT / "scripts/tidy.py", 1, f"{name} names no game any more; take it off the list")

# What lies in a game's folder ships: its lib.rs names every map and every file of a kit, or says that it has all bots.
ALL_BOTS = (ROOT / "crates/core/src/folder.rs").read_text()
for game in games:
    path = ROOT / "games" / game / "src" / "lib.rs"
    text = path.read_text()
    if "bots: all" in text:
        text += ALL_BOTS
    for file in tracked(f"games/{game}/maps", f"games/{game}/kits"):
        # What every game has is not named.
        if file.name == "packets.txt":
            continue
        if f'"{file.stem if file.parent.name == "maps" else file.name}"' not in text:
            complain(path, 1, f"folder! does not name {file.relative_to(ROOT)}")

# Protocols and observations see views, never states.
for path in tracked("games/*/src/protocol.rs", "games/*/src/encoding.rs"):
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line.lstrip().startswith("//") and re.search(r"\bState\b", line):
            complain(path, number, "a protocol and an encoding must not see the state")

# Core does no input or output, and looks at no clock.
for path in tracked("crates/core/src"):
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if re.search(r"std::(fs|net|process|thread|env)\b|Instant|SystemTime", line):
            complain(path, number, "core must not touch files, sockets, processes, threads or clocks")

# Every module says what it is for, but for one that examples in the documentation include: they could not, if it did.
for path in tracked("*.rs"):
    if path.match("crates/core/examples/nim/game.rs"):
        continue
    first = next((line for line in path.read_text().splitlines() if line.strip()), "")
    if not first.startswith("//!"):
        complain(path, 1, "a module begins with its documentation")

# Whoever says that a library has no tests inside saves building a program for them; then there are none.
for manifest in tracked("*Cargo.toml"):
    if not tomllib.loads(manifest.read_text()).get("lib", {}).get("test", True):
        for path in tracked(f"{manifest.parent.relative_to(ROOT)}/src/*.rs"):
            for number, line in enumerate(path.read_text().splitlines(), 1):
                if re.search(r"#\[(\w+::)*test\]|cfg\(test\)|proptest!", line):
                    complain(path, number, f"nobody runs this test: {manifest.parent.name}/Cargo.toml says test = false")

# Unfinished work has no place in the code.
for path in tracked("*.rs", "*.py", "*.sh", "*.c", "*.cpp"):
    if path == Path(__file__).resolve():
        continue
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if re.search(r"\b(TODO|FIXME|XXX)\b|todo!\(|unimplemented!\(|#\[ignore", line):
            complain(path, number, "unfinished work")

# The map from the contests' documents to the code leads to files and tests that exist.
conformance = ROOT / "docs" / "conformance.md"
functions = {name for path in tracked("*.rs") for name in re.findall(r"\bfn (\w+)", path.read_text())}
section = None
for number, line in enumerate(conformance.read_text().splitlines(), 1):
    if line.startswith("## "):
        section = next((game for game in games if line[3:].lower().replace("rock paper scissor", "rps") == game), None)
    cells = line.split(" | ")
    if len(cells) == 3 and not line.startswith("| the document says"):
        for name in re.findall(r"`([^`]+)`", cells[1]):
            if not (ROOT / name).is_file() and not (ROOT / "games" / str(section) / "src" / name).is_file():
                complain(conformance, number, f"there is no file {name}")
        tests = re.findall(r"`([^`]+)`", cells[2])
        if not tests and "(" not in cells[2]:
            complain(conformance, number, "no test holds this, and nothing says why")
    else:
        tests = re.findall(r"`(\w+_\w+_\w+)`", line)
    for name in tests:
        if name not in functions and not name.startswith("npm "):
            complain(conformance, number, f"there is no test {name}")

# Links between documents lead to files and headings that are there; what is elsewhere on the network is not asked for.
def anchors(path):
    names = {}
    fenced = False
    for line in path.read_text().splitlines():
        fenced ^= line.startswith("```")
        if heading := not fenced and re.match(r"#+ (.*)", line):
            text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading[1])
            name = re.sub(r"[^\w -]", "", text.lower()).replace(" ", "-")
            names[name] = names.get(name, -1) + 1
    return {name if time == 0 else f"{name}-{time}" for name, last in names.items() for time in range(last + 1)}


for path in tracked("*.md"):
    # Templates become documents elsewhere.
    if "kits" in path.parts:
        continue
    fenced = False
    for number, line in enumerate(path.read_text().splitlines(), 1):
        fenced ^= line.startswith("```")
        if fenced:
            continue
        for link in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`]*`", "", line)):
            if re.match(r"[a-z]+:", link):
                continue
            name, _, anchor = link.partition("#")
            target = (path.parent / name).resolve() if name else path
            if not target.exists():
                complain(path, number, f"the link to {link} leads nowhere")
            elif anchor and target.suffix == ".md" and anchor not in anchors(target):
                complain(path, number, f"{name or 'this document'} has no heading #{anchor}")

# What forges run is YAML and calls what is there.
for path in tracked(".github/workflows/*.yml"):
    try:
        import yaml
        yaml.safe_load(path.read_text())
    except ImportError:
        pass
    except yaml.YAMLError as error:
        complain(path, 1, f"is no YAML: {error}")
    for number, line in enumerate(path.read_text().splitlines(), 1):
        for script in re.findall(r"\bscripts/[\w.-]+", line):
            if not (ROOT / script).is_file():
                complain(path, number, f"there is no {script}")

print("\n".join(problems) if problems else "tidy: in order")
sys.exit(1 if problems else 0)
