"""Reads what the usual files say about checks, as names and values that can be compared."""

from __future__ import annotations

import configparser
import json
import re
import tomllib
from collections.abc import Iterator, Mapping

import yaml as pyyaml
from tree_sitter import Node

from pilothouse.verify.tamper.grammar import Language, parse
from pilothouse.verify.tamper.syntax import content as string_content
from pilothouse.verify.tamper.syntax import part, text, tokens

# Settings that change how a run looks, not what it checks.
_LOOKS = re.compile(
    r"^(markers|minversion|required_plugins|log_\w+|junit\w*|console\w*|asyncio\w*|pythonpath|env|cache_dir)$"
)
_CHECK_NAME = re.compile(
    r"^([\w-]+[-_:.])?(pre|post)?(test|check|lint|verif\w+|coverage|e2e|typecheck|ci)s?([-_:.].*)?$"
)
_COMMAND = re.compile(
    r"\b(pytest|tox|nox|unittest|jest|vitest|mocha|playwright|cypress|go (?:test|vet)|"
    r"cargo (?:test|nextest|clippy|insta)|mvnw?|gradlew?|"
    r"(?:npm|yarn|pnpm|bun)(?: run)? [\w:-]*(?:test|check|lint)|make [\w-]*(?:test|check|lint|verify)|"
    r"ctest|ruff|mypy|eslint|tsc|coverage)\b"
)
_MAVEN = re.compile(
    r"<(skipTests|skipITs|maven\.test\.skip|maven\.test\.failure\.ignore|testFailureIgnore|exclude|excludedGroups|groups|"
    r"rerunFailingTestsCount|surefire\.\w+|test|minimum|haltOnFailure)>([^<]*)</"
)
_GRADLE_BLOCK = re.compile(r"(\btest\b|jacoco\w*|named\(\"test\"\)|withType[(<]\s*Test\b[^{]*)\s*\{")
_HOOKS = re.compile(
    r"^pytest_(collect|ignore|runtest|pyfunc|sessionfinish|itemcollected|deselected|generate|report)\w*$"
)
_CARGO = re.compile(
    r"^((lib|profile|alias)\.(.*\.)?(test|doctest|harness|retries|fail-fast|default-filter)"
    r"|workspace\.(exclude|default-members))$"
)


class Unreadable(Exception):
    """The file is not what its name says."""


def _text(content: bytes) -> str:
    return content.decode("utf-8", "replace")


def _flat(value: object, name: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _flat(inner, f"{name}.{key}" if name else str(key))
    else:
        yield name, json.dumps(value, default=str, ensure_ascii=False) if not isinstance(value, str) else value


def _loaded_yaml(content: bytes) -> object:
    try:
        return pyyaml.safe_load(content)
    except pyyaml.YAMLError as error:
        raise Unreadable(str(error)) from error


def _loaded_toml(content: bytes) -> dict[str, object]:
    return tomllib.loads(_text(content))


def _at(value: object, *names: str) -> object:
    for name in names:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def agent(content: bytes) -> dict[str, str]:
    """Every check by its name, and how long everything may take."""
    data = _loaded_yaml(content)
    found = {"agent.yaml": "present"}
    checks = _at(data, "verification")
    for place, check in enumerate(checks if isinstance(checks, list) else []):
        name = _at(check, "name") or place + 1
        found |= {f"check {key}" if key else f"check {name}": value for key, value in _flat(check, str(name))}
    for key in ("package", "timeouts"):
        found |= dict(_flat(_at(data, key), key)) if _at(data, key) is not None else {}
    return found


def pyproject(content: bytes) -> dict[str, str]:
    data = _loaded_toml(content)
    tool = _at(data, "tool")
    found = {
        f"pytest {key}": value
        for key, value in _flat(_at(tool, "pytest", "ini_options") or {})
        if not _LOOKS.match(key)
    }
    for section in ("report", "run"):
        for key, value in _flat(_at(tool, "coverage", section) or {}):
            if re.match(r"fail_under|omit|exclude|include|source", key):
                found[f"coverage {key}"] = value
    for name in ("tox", "nox", "hatch", "pdm", "poe", "poetry", "taskipy"):
        for key, value in _flat(_at(tool, name) or {}):
            if re.search(r"(script|task|command|legacy_tox_ini)", key) and _CHECK_NAME.match(_last(key)):
                found[f"{name} {key}"] = value
    return found


def _last(key: str) -> str:
    names = [name for name in key.split(".") if name not in ("cmd", "shell", "command", "commands")]
    return names[-1] if names else key


def ini(content: bytes) -> dict[str, str]:
    parser = configparser.ConfigParser(interpolation=None, strict=False, allow_no_value=True)
    try:
        parser.read_string(_text(content))
    except configparser.Error as error:
        raise Unreadable(str(error)) from error
    found = {}
    for section in parser.sections():
        pytest = section in ("pytest", "tool:pytest")
        coverage = section.removeprefix("coverage:") in ("report", "run")
        tox = section.startswith("testenv")
        for key, value in parser.items(section):
            wanted = (
                (pytest and not _LOOKS.match(key))
                or (coverage and re.match(r"fail_under|omit|exclude|include|source", key))
                or (tox and re.match(r"commands|ignore_\w+|skip_install|allowlist_externals", key))
            )
            if wanted:
                found[f"{section} {key}"] = value or ""
    return found


def conftest(content: bytes) -> dict[str, str]:
    """Hooks that decide what is collected, and how a result is reported."""
    found = {}
    for node in parse(Language.PYTHON, content).named_children:
        inner = part(node, "definition") or node
        name = text(part(inner, "name"))
        if inner.type == "function_definition" and _HOOKS.match(name):
            found[name] = " ".join(tokens(inner))
        elif node.type == "expression_statement" and text(node).startswith(("collect_ignore", "pytest_plugins")):
            found[text(node).partition("=")[0].strip()] = text(node).partition("=")[2].strip()
    return found


def package_json(content: bytes) -> dict[str, str]:
    data = json.loads(_text(content))
    found = {f"script {name}": value for name, value in _flat(_at(data, "scripts") or {}) if _CHECK_NAME.match(name)}
    for name in ("jest", "vitest", "mocha", "nyc", "c8", "ava"):
        found |= dict(_flat(_at(data, name) or {}, name))
    return found


def yaml(content: bytes) -> dict[str, str]:
    return dict(_flat(_loaded_yaml(content) or {}))


def script(content: bytes) -> dict[str, str]:
    """The settings of a configuration that is a program, as far as they are literals."""
    found: dict[str, str] = {}
    stack: list[tuple[Node, str]] = [(parse(Language.TYPESCRIPT, content), "")]
    while stack:
        node, where = stack.pop()
        if node.type == "pair":
            key = string_content(part(node, "key"))
            where = f"{where}.{key}" if where else key
            value = part(node, "value")
            if value is not None and value.type != "object":
                found[where] = " ".join(tokens(value))
                continue
        stack.extend((child, where) for child in node.named_children)
    return found


def vite(content: bytes) -> dict[str, str]:
    return {name: value for name, value in script(content).items() if name.startswith("test.")}


def makefile(content: bytes) -> dict[str, str]:
    found: dict[str, str] = {}
    target = ""
    for line in _text(content).splitlines():
        head = re.match(r"^([\w./%-]+(?: [\w./%-]+)*)\s*::?(?!=)(.*)$", line)
        if head is not None:
            target = head[1] if any(_CHECK_NAME.match(name) for name in head[1].split()) else ""
            if target:
                found[f"target {target}"] = head[2].split("##")[0].strip()
        elif target and line[:1] in ("\t", " ") and line.strip() and not line.strip().startswith("#"):
            found[f"target {target}"] = f"{found[f'target {target}']}\n{line.strip()}".strip()
        elif line.strip() and line[:1] not in ("\t", " "):
            target = ""
    return found


def workflow(content: bytes) -> dict[str, str]:
    """Commands that run checks, with what lets them be skipped or fail."""
    data = _loaded_yaml(content)
    jobs = _at(data, "jobs")
    found: dict[str, str] = {}
    for name, job in (jobs if isinstance(jobs, Mapping) else data if isinstance(data, Mapping) else {}).items():
        steps = _at(job, "steps") if isinstance(job, Mapping) else None
        for step in steps if isinstance(steps, list) else [job]:
            _step(found, str(name), job, step)
    return found


def _step(found: dict[str, str], name: str, job: object, step: object) -> None:
    written = _at(step, "run") or _at(step, "script")
    lines = written if isinstance(written, list) else str(written or "").splitlines()
    excused = [
        f"{key}: {value}"
        for owner in (job, step)
        for key, value in _flat(owner if isinstance(owner, Mapping) else {})
        if key in ("if", "continue-on-error", "allow_failure", "when")
    ]
    for line in map(str, lines):
        command = _COMMAND.search(line)
        if command is None or re.match(r"\s*(pip|uv|npm|apt|poetry|brew)\w* (install|add|ci)\b", line):
            continue
        key, number = f"{name}: {command[0]}", 2
        while key in found:
            key, number = f"{name}: {command[0]} ({number})", number + 1
        found[key] = "; ".join([line.strip(), *dict.fromkeys(excused)])


def cargo(content: bytes) -> dict[str, str]:
    found = {}
    for key, value in _flat(_loaded_toml(content)):
        if _CARGO.match(key):
            found[key] = f"{_last(key)} = {value}"
    for name in ("bin", "test", "bench", "example"):
        targets = _loaded_toml(content).get(name)
        for target in targets if isinstance(targets, list) else []:
            for key, value in _flat(target):
                if key in ("test", "harness", "required-features"):
                    found[f"{name} {_at(target, 'name')} {key}"] = f"{key} = {value}"
    return found


def maven(content: bytes) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, value in _MAVEN.findall(_text(content)):
        found[name] = f"{found[name]}, {value.strip()}" if name in found else value.strip()
    return found


def gradle(content: bytes) -> dict[str, str]:
    """The blocks about tests and coverage, line by line."""
    written = _text(content)
    found: dict[str, str] = {}
    for block in _GRADLE_BLOCK.finditer(written):
        depth, end = 1, block.end()
        while end < len(written) and depth:
            depth += {"{": 1, "}": -1}.get(written[end], 0)
            end += 1
        lines = [line.strip() for line in written[block.end() : end - 1].splitlines() if line.strip()]
        for line in lines:
            setting = re.match(r"[\w.]+", line)
            found[f"{block[1].strip()} {setting[0] if setting else line}"] = line
    return found
