#!/usr/bin/env python3
"""What is inside a program for one target: the licences of everything by others, and a list for machines (CycloneDX).

usage: scripts/inventory.py TRIPLE --licences FILE --sbom FILE
"""
import argparse
import hashlib
import json
import os
import re
import subprocess
import sys
import tomllib
import uuid
from datetime import datetime, timezone
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = "palestra"
# What builds and tests the pages; nothing of it is in them.
TOOLS = {"markdown-it", "vite", "vitest"}
# What Rust links its programs for musl with.
MUSL = "1.2.5"
LICENCE_FILE = re.compile(r"^(?!.*third-party)(licen[cs]e|copying|copyright|notice|unlicense)", re.IGNORECASE)


class Component:
    """A library by others, as it is in the program."""

    def __init__(self, kind, name, version, licence, folder, digest=None):
        self.kind, self.name, self.version, self.licence, self.digest = kind, name, version, licence, digest
        self.purl = f"pkg:{kind}/{name.replace('@', '%40')}@{version}"
        there = folder.iterdir() if folder.is_dir() else []
        files = sorted(path for path in there if path.is_file() and LICENCE_FILE.match(path.name))
        self.texts = [path.read_text(errors="replace").strip() for path in files]


def crates(triple):
    """Everything that is linked, and which needs which; nothing that only builds or tests."""
    def cargo(*command):
        return subprocess.run(["cargo", *command], cwd=ROOT, capture_output=True, text=True, check=True).stdout

    # The tree knows which features are on, the metadata everything else.
    tree = cargo("tree", "--locked", "--package", PROGRAM, "--edges", "normal", "--target", triple, "--prefix", "none",
                 "--format", "{p}")
    linked_ones = {tuple(line.split()[:2]) for line in tree.splitlines() if line}
    known = json.loads(cargo("metadata", "--locked", "--format-version", "1", "--filter-platform", triple))
    packages = {package["id"]: package for package in known["packages"]}
    nodes = {node["id"]: node for node in known["resolve"]["nodes"]}
    root = next(id for id, package in packages.items() if package["name"] == PROGRAM)
    needs, waiting = {}, [root]
    while waiting:
        id = waiting.pop()
        if id in needs:
            continue
        linked = [dep["pkg"] for dep in nodes[id]["deps"] if any(kind["kind"] is None for kind in dep["dep_kinds"])
                  and (packages[dep["pkg"]]["name"], f"v{packages[dep['pkg']]['version']}") in linked_ones]
        # What a macro is made of stays in the compiler.
        macro = any("proc-macro" in target["kind"] for target in packages[id]["targets"])
        needs[id] = [] if macro else linked
        waiting += needs[id]
    lock = tomllib.loads((ROOT / "Cargo.lock").read_text())["package"]
    digests = {(package["name"], package["version"]): package.get("checksum") for package in lock}
    found, arrows = {}, {}
    for id in needs:
        package = packages[id]
        if package["source"] is None:
            continue
        name, version = package["name"], package["version"]
        folder = Path(package["manifest_path"]).parent
        found[id] = Component("cargo", name, version, package["license"], folder, digests[name, version])
    for id, component in found.items():
        arrows[component.purl] = sorted({found[need].purl for need in needs[id] if need in found})
    # What is ours is one thing: it needs whatever one of its parts needs.
    direct = {found[need].purl for id in needs if id not in found for need in needs[id] if need in found}
    return list(found.values()), arrows, direct


def scripts():
    """What the pages are made of: what they import, and what that needs."""
    lock = json.loads((ROOT / "web/package-lock.json").read_text())["packages"]
    named = set(lock[""]["dependencies"])
    for path in [*(ROOT / "web/src").rglob("*.ts"), *(ROOT / "web/src").rglob("*.svelte")]:
        if path.name.endswith(".test.ts"):
            continue
        text = path.read_text()
        static = re.findall(r"^\s*(?:import|export)\b[^;]*?from '([^.'][^']*)'", text, re.MULTILINE)
        for imported in static + re.findall(r"\bimport\('([^.'][^']*)'\)", text):
            parts = imported.split("/")
            name = "/".join(parts[:2]) if imported.startswith("@") else parts[0]
            if f"node_modules/{name}" in lock:
                named.add(name)
    found, arrows, waiting = {}, {}, sorted(named - TOOLS)
    while waiting:
        name = waiting.pop()
        entry = lock.get(f"node_modules/{name}")
        if name in found or entry is None or name.startswith("@types/"):
            continue
        folder = ROOT / "web/node_modules" / name
        found[name] = Component("npm", name, entry["version"], entry["license"], folder)
        arrows[name] = sorted(entry.get("dependencies", {}))
        waiting += arrows[name]
    pairs = {found[name].purl: [found[need].purl for need in needs if need in found] for name, needs in arrows.items()}
    return list(found.values()), pairs, {found[name].purl for name in named if name in found}


def toolchain(triple):
    """What compilers bring along: Rust's library, and the C library of a program that is linked statically."""
    def rustc(*asked):
        return subprocess.run(["rustc", *asked], cwd=ROOT, capture_output=True, text=True, check=True).stdout

    sysroot = Path(rustc("--print", "sysroot").strip())
    version = rustc("--version").split()[1]
    found = [Component("generic", "rust-std", version, "MIT OR Apache-2.0", sysroot / "share/doc/cargo")]
    if triple.endswith("-musl"):
        zig = next((ROOT / "target/tools/zig").glob("lib/python*/site-packages/ziglang/lib/libc/musl"))
        found.append(Component("generic", "musl", MUSL, "MIT", zig))
    if triple.endswith("-windows-gnu"):
        asked = ["x86_64-w64-mingw32-gcc", "-E", "-dM", "-include", "_mingw.h", "-"]
        told = subprocess.run(asked, input="", capture_output=True, text=True, check=True).stdout
        macros = dict(re.findall(r"^#define (\w+) (\d+)$", told, re.MULTILINE))
        documents = Path("/usr/share/doc")
        for name, parts, licence, package in [
            ("mingw-w64", "__MINGW64_VERSION_MAJOR __MINGW64_VERSION_MINOR __MINGW64_VERSION_BUGFIX", "ZPL-2.1",
             "mingw-w64-x86-64-dev"),
            ("libgcc", "__GNUC__ __GNUC_MINOR__ __GNUC_PATCHLEVEL__", "GPL-3.0-or-later WITH GCC-exception-3.1",
             "gcc-mingw-w64-x86-64"),
        ]:
            version = ".".join(macros[part] for part in parts.split())
            found.append(Component("generic", name, version, licence, documents / package))
    return found


def write_licences(path, components):
    """Every text once, with the names of all it belongs to."""
    groups = {}
    for component in components:
        for text in component.texts or [f"Licence: {component.licence}"]:
            groups.setdefault(text, []).append(f"{component.name} {component.version} ({component.licence})")
    parts = ["Palestra contains what others have made. Every licence stands below the names of what it belongs to."]
    for text, names in sorted(groups.items(), key=lambda group: sorted(group[1])):
        parts.append("\n".join(["=" * 100, *sorted(names), "-" * 100, text]))
    path.write_text("\n\n".join(parts) + "\n")


def write_sbom(path, triple, components, arrows, direct):
    version = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]["version"]
    own = f"pkg:generic/{PROGRAM}@{version}?target={triple}"
    listed = []
    for component in components:
        entry = {"type": "library", "bom-ref": component.purl, "name": component.name, "version": component.version,
                 "purl": component.purl, "licenses": [{"expression": component.licence.replace("/", " OR ")}]}
        if component.digest:
            entry["hashes"] = [{"alg": "SHA-256", "content": component.digest}]
        listed.append(entry)
    moment = datetime.fromtimestamp(int(os.environ.get("SOURCE_DATE_EPOCH", "0")), timezone.utc)
    body = {
        "bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1,
        "metadata": {"timestamp": moment.strftime("%Y-%m-%dT%H:%M:%SZ"),
                     "component": {"type": "application", "bom-ref": own, "name": PROGRAM, "version": version,
                                   "licenses": [{"expression": "MIT OR Apache-2.0"}]}},
        "components": listed,
        "dependencies": [{"ref": own, "dependsOn": sorted(direct)},
                         *({"ref": ref, "dependsOn": needs} for ref, needs in sorted(arrows.items()))],
    }
    digest = hashlib.sha256(json.dumps(body).encode()).digest()[:16]
    path.write_text(json.dumps({"serialNumber": f"urn:uuid:{uuid.UUID(bytes=digest, version=4)}", **body}, indent=1) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("triple")
    parser.add_argument("--licences", type=Path, required=True)
    parser.add_argument("--sbom", type=Path, required=True)
    args = parser.parse_args()
    rust, rust_arrows, rust_direct = crates(args.triple)
    page, page_arrows, page_direct = scripts()
    components = sorted(rust + page + toolchain(args.triple), key=lambda component: component.purl)
    unknown = [component.purl for component in components if not component.licence]
    if unknown:
        sys.exit(f"inventory: {', '.join(unknown)} does not say under which licence it is; leave it out or ask its authors")
    write_licences(args.licences, components)
    write_sbom(args.sbom, args.triple, components, {**rust_arrows, **page_arrows}, rust_direct | page_direct)


main()
