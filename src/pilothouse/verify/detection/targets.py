"""Finds checks among the targets of Makefiles, justfiles and Taskfiles, and the tools that they run in the end."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import yaml

from pilothouse.verify.detection.endless import once
from pilothouse.verify.detection.folder import SLOW_SECONDS, Folder, FoundCheck, Kind, table
from pilothouse.words import say

_NAMES: dict[Kind, tuple[str, ...]] = {
    Kind.LINT: ("lint", "linter", "linting", "lint-check"),
    Kind.TYPES: ("typecheck", "type-check", "types", "mypy", "check-types"),
    Kind.BUILD: ("build", "compile"),
    Kind.TESTS: ("test", "tests", "unittest", "unit-test", "test-unit"),
}
_AGGREGATE = ("check", "verify")
_ELSEWHERE = re.compile(r"\b(?:docker|docker-compose|podman|kubectl|vagrant|ssh|terraform)\b")
TOOLS = re.compile(
    r"\b(pytest|unittest|tox|nox|ruff|flake8|mypy|pyright|django|cargo|go (?:test|vet|build)|golangci-lint|vitest|jest|"
    r"mocha|eslint|biome|tsc|npm|pnpm|yarn|bun|gradlew?|mvnw?|dotnet|ctest|cmake|phpunit|rspec|rubocop|rake|mix|deno)\b"
)


@dataclass
class Target:
    name: str
    needs: list[str] = field(default_factory=list)
    recipe: list[str] = field(default_factory=list)


Targets = dict[str, Target]


def find(folder: Folder) -> list[FoundCheck]:
    makefile = folder.has("GNUmakefile", "makefile", "Makefile")
    if makefile:
        found = _chosen(folder, makefile, makefile_targets(folder.text(makefile), folder.text), "make")
        if found:
            return found
    justfile = folder.has("justfile", "Justfile", ".justfile")
    if justfile:
        return _chosen(folder, justfile, justfile_targets(folder.text(justfile)), "just")
    taskfile = folder.has("Taskfile.yml", "Taskfile.yaml", "taskfile.yml", "taskfile.yaml")
    return _chosen(folder, taskfile, _taskfile_targets(folder, taskfile), "task") if taskfile else []


def makefile_targets(text: str, read: Callable[[str], str] = lambda _: "", depth: int = 0) -> Targets:
    """The rules with a plain name. Variables are not expanded: what a target is called stands in the file."""
    targets: Targets = {}
    current: list[Target] = []
    for line in _logical_lines(text):
        if line.startswith("\t"):
            for target in current:
                target.recipe.append(line.strip())
            continue
        plain = re.sub(r"(?<!\\)#.*", "", line).rstrip()
        if not plain or re.match(r"\s*(?:ifn?eq|ifn?def|else|endif|export|unexport|override|vpath)\b", plain):
            continue
        included = re.match(r"-?s?include\s+([\w./-]+)$", plain)
        if included and depth < 2 and ".." not in included[1]:
            targets |= makefile_targets(read(included[1]), read, depth + 1)
        current = _rule(plain, targets)
    return targets


_RULE = re.compile(r"^([^\s:=#][^:=#]*?)\s*&?::?(?![:=])\s*([^;]*)(?:;(.*))?$")
_TARGET_VARIABLE = re.compile(r"^(?:export\s+|override\s+|private\s+)*[\w.-]+\s*(?:[:?+!]|::)?=")


def _rule(line: str, targets: Targets) -> list[Target]:
    rule = _RULE.match(line)
    if not rule or _TARGET_VARIABLE.match(rule[2]):
        return []
    current = []
    for name in rule[1].split():
        if "%" in name or "$" in name or name.startswith("."):
            continue
        target = targets.setdefault(name, Target(name))
        target.needs += [need for need in rule[2].replace("|", " ").split() if need not in target.needs]
        if rule[3] and rule[3].strip():
            target.recipe.append(rule[3].strip())
        current.append(target)
    return current


def _logical_lines(text: str) -> Iterator[str]:
    """Continued lines joined, `define` bodies left out."""
    inside = False
    for line in re.sub(r"\\\n[ \t]*", " ", text.replace("\r\n", "\n")).split("\n"):
        if re.match(r"\s*(?:override\s+)?define\b", line):
            inside = True
        if not inside:
            yield line
        if re.match(r"\s*endef\b", line):
            inside = False


_RECIPE = re.compile(r"^@?([A-Za-z_][\w-]*)((?:\s+[^:=]+)?)\s*:(?!=)\s*(.*)$")


def justfile_targets(text: str) -> Targets:
    """Recipes that can be run without arguments."""
    targets: Targets = {}
    current: Target | None = None
    for line in text.replace("\r\n", "\n").split("\n"):
        if line[:1] in (" ", "\t"):
            if current and line.strip():
                current.recipe.append(line.strip())
            continue
        plain = line.split("#")[0].rstrip()
        if plain.startswith("alias "):
            found = re.match(r"alias\s+([\w-]+)\s*:=\s*([\w-]+)$", plain)
            if found:
                targets[found[1]] = Target(found[1], [found[2]])
        rule = _RECIPE.match(plain)
        if not rule:
            current = None if plain and not plain.startswith("[") else current
            continue
        current = Target(rule[1], re.findall(r"[A-Za-z_][\w-]*", rule[3]))
        required = [word for word in rule[2].split() if word[:1] not in "*+$" and "=" not in word]
        if not [word for word in required if not word.startswith("*")]:
            targets[current.name] = current
    return targets


def _taskfile_targets(folder: Folder, name: str) -> Targets:
    try:
        document = yaml.safe_load(folder.text(name))
    except (yaml.YAMLError, RecursionError):
        folder.note(say("detected.unreadable", file=folder.shown(name)))
        return {}
    targets: Targets = {}
    for key, value in table(document, "tasks").items():
        commands = value.get("cmds", value.get("cmd")) if isinstance(value, dict) else value
        listed = commands if isinstance(commands, list) else [commands]
        needs = value.get("deps") if isinstance(value, dict) else None
        target = Target(
            str(key), [str(need) for need in needs if isinstance(need, str)] if isinstance(needs, list) else []
        )
        for command in listed:
            if isinstance(command, dict) and isinstance(command.get("task"), str):
                target.needs.append(command["task"])
            elif isinstance(command, dict):
                target.recipe.append(str(command.get("cmd", "")))
            elif isinstance(command, str):
                target.recipe.append(command)
        targets[target.name] = target
    return targets


def _chosen(folder: Folder, file: str, targets: Targets, runner: str) -> list[FoundCheck]:
    picked: dict[Kind, Target] = {}
    for kind, names in _NAMES.items():
        target = next((targets[name] for name in names if name in targets and _does_something(targets, name)), None)
        if target and _usable(folder, file, targets, target):
            picked[kind] = target
    whole = next((targets[name] for name in _AGGREGATE if name in targets and _does_something(targets, name)), None)
    if whole and _usable(folder, file, targets, whole):
        picked = _with_aggregate(targets, picked, whole)
    # `test: build` builds already.
    for kind in (Kind.LINT, Kind.TYPES, Kind.BUILD):
        others = [target for other, target in picked.items() if other is not kind]
        if kind in picked and any(picked[kind].name in _reached(targets, other) for other in others):
            del picked[kind]
    return [
        FoundCheck(
            kind,
            runner,
            f"{runner} {target.name}",
            f"{folder.shown(file)}, target `{target.name}`",
            folder.relative,
            SLOW_SECONDS if kind in (Kind.BUILD, Kind.TESTS) else 600.0,
            frozenset(TOOLS.findall(recipe_of(targets, target))),
            True,
        )
        for kind, target in picked.items()
    ]


def _with_aggregate(targets: Targets, picked: dict[Kind, Target], whole: Target) -> dict[Kind, Target]:
    """Takes `check` too if it does something that no other target does."""
    reached = _reached(targets, whole)
    if any(whole.name in _reached(targets, target) for target in picked.values()):
        return picked
    names = {target.name for target in picked.values()}
    if not whole.recipe and set(whole.needs) <= names:
        return picked
    tests = Kind.TESTS in picked
    kind = Kind.TESTS if not tests or picked[Kind.TESTS].name in reached else Kind.LINT
    kept = {kind: target for kind, target in picked.items() if target.name not in reached}
    return kept if kind in kept else {**kept, kind: whole}


def _reached(targets: Targets, target: Target) -> set[str]:
    """The names of all that a target needs or calls in its recipe, all the way down."""
    seen: set[str] = set()
    waiting = [target]
    while waiting:
        here = waiting.pop()
        called = re.findall(r"(?:\$[({]MAKE[)}]|\bmake|\bjust|\btask)\s+([\w-]+)", "\n".join(here.recipe))
        for name in (*here.needs, *called):
            if name in targets and name not in seen:
                seen.add(name)
                waiting.append(targets[name])
    return seen - {target.name}


def recipe_of(targets: Targets, target: Target) -> str:
    """What it runs, with all that it needs or calls."""
    reached = [targets[name] for name in sorted(_reached(targets, target))]
    return "\n".join(line for one in (target, *reached) for line in one.recipe)


def _does_something(targets: Targets, name: str) -> bool:
    return bool(recipe_of(targets, targets[name]).strip())


def _usable(folder: Folder, file: str, targets: Targets, target: Target) -> bool:
    recipe = recipe_of(targets, target)
    run = once(recipe)
    if run.endless or run.watched:
        folder.note(say("detected.endless_target", file=folder.shown(file), target=target.name))
        return False
    elsewhere = _ELSEWHERE.search(recipe)
    if elsewhere:
        folder.note(say("detected.target_elsewhere", file=folder.shown(file), target=target.name, needs=elsewhere[0]))
        return False
    return True
