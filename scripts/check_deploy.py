#!/usr/bin/env python3
"""Checks deploy/: every file of YAML parses, every Kubernetes object has a right shape, names that lead from one to another
lead somewhere, and every command line of palestra in there is one that the program knows.

    PYTHONPATH=target/tools/deploy scripts/check_deploy.py [PALESTRA]

PALESTRA is the program that is asked; without one, its commands are not checked. scripts/setup.sh --test installs the schemas.
"""

import itertools
import pathlib
import re
import subprocess
import sys

import kubernetes_validate
import yaml

DEPLOY = pathlib.Path(__file__).resolve().parent.parent / "deploy"
wrong = []


def expect(so, what):
    if not so:
        wrong.append(what)


def check_command(program, where, words):
    """Whether the program takes these words: with --help behind them it reads all options before it shows anything."""
    if program is None:
        return
    asked = subprocess.run([program, *words, "--help"], capture_output=True, text=True)
    expect(asked.returncode == 0, f"{where}: palestra {' '.join(words)}: {asked.stderr.strip()}")
    known = subprocess.run([program, words[0], "--help"], capture_output=True, text=True).stdout
    for word in words:
        if word.startswith("--"):
            expect(word in known, f"{where}: palestra {words[0]} has no {word}")


def check_documents(program):
    """Whether every command that docs/scale.md mentions is one of the program's, with its options."""
    if program is None:
        return
    text = (DEPLOY.parent / "docs" / "scale.md").read_text()
    mentioned = re.findall(r"`palestra ([a-z][^`]*)`", text)
    expect(mentioned, "docs/scale.md mentions no command")
    for words in map(str.split, mentioned):
        path = list(itertools.takewhile(lambda word: re.fullmatch(r"[a-z]+", word), words))
        # The last words may be arguments.
        helps = (subprocess.run([program, *path[:count], "--help"], capture_output=True, text=True)
                 for count in range(len(path), 0, -1))
        known = next((one.stdout for one in helps if one.returncode == 0), None)
        expect(known, f"docs/scale.md: there is no palestra {words[0]}")
        for word in words:
            if word.startswith("--"):
                expect(word in (known or ""), f"docs/scale.md: palestra {words[0]} has no {word}")


def check_compose(program):
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    services = compose["services"]
    for name, service in services.items():
        for other in service.get("depends_on", []):
            expect(other in services, f"compose: {name} waits for {other}, which is not there")
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            # What palestra event workers add writes is not there yet.
            if source.startswith("./") and not source.startswith("./queue"):
                expect((DEPLOY / source).exists(), f"compose: {name} is given {source}, which is not there")
            elif not source.startswith("."):
                expect(source in compose["volumes"], f"compose: {name} has no volume {source}")
        if service["image"] == "palestra":
            check_command(program, f"compose, {name}", service["command"])
    hosts = [line.split()[2].split(":")[0] for line in (DEPLOY / "haproxy.cfg").read_text().splitlines()
             if line.strip().startswith("server ")]
    for host in hosts:
        expect(host in services, f"haproxy: there is no {host}")


def check_kubernetes(program):
    folder = DEPLOY / "kubernetes"
    kustomization = yaml.safe_load((folder / "kustomization.yaml").read_text())
    listed = set(kustomization["resources"])
    there = {path.name for path in folder.glob("*.yaml")} - {"kustomization.yaml"}
    expect(listed == there, f"kustomization: {sorted(listed ^ there)} is in one place only")
    # Those that the notes of namespace.yaml make.
    notes = (folder / "namespace.yaml").read_text()
    made = {line.split("create ")[1].split("generic ")[-1].replace("configmap ", "").split()[0]
            for line in notes.splitlines() if "create secret" in line or "create configmap" in line}
    objects = [(name, one) for name in sorted(listed) for one in yaml.safe_load_all((folder / name).read_text())]
    made |= {one["metadata"]["name"] for _, one in objects if one["kind"] == "ConfigMap"}
    labels = [one["spec"]["template"]["metadata"]["labels"] for _, one in objects if "template" in one.get("spec", {})]
    for name, one in objects:
        where = f"{name}, {one['kind']} {one['metadata']['name']}"
        try:
            kubernetes_validate.validate(one, "1.34", strict=True)
        except Exception as error:  # whatever it finds is what is to be told
            wrong.append(f"{where}: {error}")
        if one["kind"] == "Service":
            expect(one["spec"]["selector"] in labels, f"{where}: it leads to nothing")
        pod = one.get("spec", {}).get("template", {}).get("spec")
        if pod is None:
            continue
        volumes = {volume["name"]: volume for volume in pod.get("volumes", [])}
        claims = {claim["metadata"]["name"] for claim in one["spec"].get("volumeClaimTemplates", [])}
        for volume in volumes.values():
            source = volume.get("configMap", {}).get("name") or volume.get("secret", {}).get("secretName")
            expect(source is None or source in made, f"{where}: nobody makes {source}")
        for container in pod["containers"]:
            for mount in container.get("volumeMounts", []):
                expect(mount["name"] in volumes or mount["name"] in claims, f"{where}: no volume {mount['name']}")
            for variable in container.get("env", []):
                secret = variable.get("valueFrom", {}).get("secretKeyRef", {}).get("name")
                expect(secret is None or secret in made, f"{where}: nobody makes {secret}")
            if container["image"] == "palestra":
                check_command(program, where, container["args"])


def main():
    program = sys.argv[1] if len(sys.argv) > 1 else None
    check_documents(program)
    check_compose(program)
    check_kubernetes(program)
    for line in wrong:
        print(line, file=sys.stderr)
    print(f"deploy: {len(wrong)} wrong")
    sys.exit(bool(wrong))


main()
