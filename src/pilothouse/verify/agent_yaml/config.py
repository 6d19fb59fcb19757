"""Reads the text of agent.yaml into a configuration, and writes one as text."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import TypeVar

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from pilothouse.domain.agent.crew import Wish, Wishes
from pilothouse.domain.task.checks import DEFAULT_TIMEOUT_SECONDS, Check
from pilothouse.domain.task.timeouts import DEFAULT, PROFILES, TimeoutProfile
from pilothouse.verify.agent_yaml import schema
from pilothouse.verify.agent_yaml.document import (
    Dumper,
    Problems,
    compose,
    did_you_mean,
    entries,
    in_words,
    kind,
    meant,
    quoted,
)
from pilothouse.words import say

_SYNONYMS = {
    "checks": "verification",
    "check": "verification",
    "verify": "verification",
    "steps": "verification",
    "commands": "verification",
    "tests": "verification",
    "target": "package",
    "workspace": "package",
    "scout": "scouts",
    "model": "agents",
    "models": "agents",
    "roles": "agents",
    "time_outs": "timeouts",
    "timeout": "timeouts",
}
_CHECK_SYNONYMS = {
    "run": "command",
    "cmd": "command",
    "script": "command",
    "exec": "command",
    "title": "name",
    "id": "name",
    "time_out": "timeout",
    "timeout_seconds": "timeout",
    "limit": "timeout",
    "cwd": "folder",
    "dir": "folder",
    "directory": "folder",
    "working_directory": "folder",
    "path": "folder",
}
_TIMEOUT_SYNONYMS = {
    "name": "profile",
    "silence": "idle",
    "idle_seconds": "idle",
    "hard_seconds": "hard",
    "max": "hard",
}
_ROLE_SYNONYMS = {
    "edit": "editor",
    "main": "editor",
    "default": "editor",
    "scouts": "scout",
    "reader": "scout",
    "fast": "small",
    "cheap": "small",
    "small_model": "small",
}
_WISH_SYNONYMS = {"name": "agent", "program": "agent", "llm": "model", "reasoning": "effort", "thinking": "effort"}
_UNITS = {"s": 1, "m": 60, "h": 3600}
_LOOSE_DURATION = re.compile(r"(\d+)\s*(s|sec|seconds?|m|mins?|minutes?|h|hrs?|hours?)\.?", re.IGNORECASE)
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Limits of one spawn; what is None comes from the task or the profile."""

    profile: str | None = None
    idle_seconds: float | None = None
    hard_seconds: float | None = None

    def of(self, named: str) -> TimeoutProfile:
        """The limits of a task: its profile, or the one named here if it has the default, with single limits on top."""
        profile = PROFILES[self.profile if self.profile and named == DEFAULT else named]
        idle, hard = self.idle_seconds or profile.idle_seconds, self.hard_seconds or profile.hard_seconds
        return TimeoutProfile(profile.name, idle, hard)


@dataclass(frozen=True, slots=True)
class Config:
    checks: tuple[Check, ...] | None = None
    """None: the file names none, detection applies. Empty: nothing is to be verified."""
    package: str | None = None
    """Folder of the target package, relative to the root."""
    scouts: bool | None = None
    agent: str | None = None
    agents: Wishes = field(default_factory=Wishes)
    timeouts: Timeouts = field(default_factory=Timeouts)


def parse(text: str, root: Path | None = None) -> Config:
    """Reports every problem at once. With `root`, folders must exist there too."""
    node = compose(text)
    if node is None or kind(node) == "nothing":
        return Config()
    problems = Problems()
    config = _Reader(problems, root).config(node)
    problems.raise_if_any()
    return config


def dump(config: Config) -> str:
    """The text to save. It reads back as the same configuration, but for where checks were found."""
    settings: dict[str, object] = {}
    if config.checks is not None:
        settings["verification"] = [_dumped(check, config.package) for check in config.checks]
    named = {"package": config.package, "scouts": config.scouts, "agent": config.agent}
    settings |= {key: value for key, value in named.items() if value is not None}
    if config.agents != Wishes():
        settings["agents"] = _dumped_roles(config.agents)
    limits = {
        "profile": config.timeouts.profile,
        "idle": None if config.timeouts.idle_seconds is None else shown_duration(config.timeouts.idle_seconds),
        "hard": None if config.timeouts.hard_seconds is None else shown_duration(config.timeouts.hard_seconds),
    }
    if any(value is not None for value in limits.values()):
        settings["timeouts"] = {key: value for key, value in limits.items() if value is not None}
    body = yaml.dump(settings, Dumper=Dumper, sort_keys=False, allow_unicode=True, width=10_000) if settings else ""
    return "# How Pilothouse verifies work on this repository.\n" + body


def shown_duration(seconds: float) -> str | float | int:
    """A duration, as short as it can be written without loss."""
    if seconds != int(seconds):
        return seconds
    whole = int(seconds)
    for unit in ("h", "m"):
        if whole % _UNITS[unit] == 0:
            return f"{whole // _UNITS[unit]}{unit}"
    return f"{whole}s"


def _dumped(check: Check, package: str | None) -> dict[str, object]:
    command = check.command if isinstance(check.command, str) else list(check.command)
    found: dict[str, object] = {
        "name": check.name,
        "command": command,
        "timeout": shown_duration(check.timeout_seconds),
    }
    if check.folder != (package or ""):
        found["folder"] = check.folder or "."
    return found


def _dumped_roles(wishes: Wishes) -> dict[str, dict[str, str]]:
    parts = {role: {"agent": wish.agent, "model": wish.model, "effort": wish.effort} for role, wish in wishes.named()}
    return {str(role): {key: value for key, value in wish.items() if value} for role, wish in parts.items()}


@dataclass(frozen=True)
class _Reader:
    problems: Problems
    root: Path | None

    def config(self, node: Node) -> Config:
        if not isinstance(node, MappingNode):
            self.problems.at(node, say("yaml.no_settings", kind=in_words(node)), say("yaml.fix.begin"))
            return Config()
        found = entries(node, schema.TOP_KEYS, _SYNONYMS, self.problems)
        package = self._read(found, "package", self.folder) or None
        checks = self._read(found, "verification", lambda value, _: self.checks(value, package or ""))
        agent = self._read(found, "agent", self.agent)
        named = self._read(found, "agents", lambda value, _: self.roles(value, agent))
        return Config(
            checks=checks,
            package=package,
            scouts=self._read(found, "scouts", self.switch),
            agent=agent,
            agents=named or Wishes(),
            timeouts=self._read(found, "timeouts", lambda value, _: self.timeouts(value)) or Timeouts(),
        )

    def checks(self, node: Node, package: str) -> tuple[Check, ...]:
        if not isinstance(node, SequenceNode):
            self.problems.at(node, say("yaml.no_list", kind=in_words(node)), say("yaml.fix.list"))
            return ()
        if len(node.value) > schema.CHECK_LIMIT:
            self.problems.at(node, say("yaml.too_many_checks", most=schema.CHECK_LIMIT), say("yaml.fix.join"))
        lines: dict[str, int] = {}
        found: list[Check] = []
        for item in node.value:
            check = self.check(item, package, lines)
            if check is not None:
                found.append(check)
        return tuple(found)

    def check(self, node: Node, package: str, lines: dict[str, int]) -> Check | None:
        if not isinstance(node, MappingNode):
            self.problems.at(node, say("yaml.no_check", kind=in_words(node)), say("yaml.fix.check"))
            return None
        found = entries(node, schema.CHECK_KEYS, _CHECK_SYNONYMS, self.problems)
        keys = [key.value for key, _ in node.value if isinstance(key, ScalarNode)]
        given = {meant(key, schema.CHECK_KEYS, _CHECK_SYNONYMS) for key in keys}
        for key in ("name", "command"):
            if key not in given:
                self.problems.at(node, say("yaml.check_lacks", key=key), say("yaml.fix.add", key=key))
        name = self._read(found, "name", self.name)
        if name is not None and name in lines:
            first = say("yaml.fix.rename", line=str(lines[name]))
            self.problems.at(found["name"], say("checks.same_name", name=name), first)
        if name is not None:
            lines.setdefault(name, found["name"].start_mark.line + 1)
        command = self.command(found["command"]) if "command" in found else None
        timeout = self._read(found, "timeout", self.duration)
        folder = self._read(found, "folder", self.folder)
        if name is None or command is None:
            return None
        where = package if folder is None else folder
        return Check(name, command, DEFAULT_TIMEOUT_SECONDS if timeout is None else timeout, where)

    def name(self, node: Node, key: str) -> str | None:
        value = self.text(node, key, schema.NAME_LIMIT)
        if value is None or _fits(schema.NAME, value):
            return value
        plain = re.sub(r"[\x00-\x1f\x7f/\\\s]+", "-", value).strip("-. ")
        hint = say("yaml.fix.write", what=plain) if plain else say("yaml.fix.short_name")
        self.problems.at(node, say("yaml.wrong_name"), hint)
        return None

    def command(self, node: Node) -> str | tuple[str, ...] | None:
        if not isinstance(node, SequenceNode):
            return self._command_text(node, "`command`", schema.COMMAND)
        if not node.value:
            self.problems.at(node, say("yaml.empty_command"), say("yaml.fix.program"))
            return None
        if len(node.value) > schema.ARGUMENT_LIMIT:
            self.problems.at(node, say("yaml.too_many_arguments", most=schema.ARGUMENT_LIMIT), say("yaml.fix.script"))
            return None
        rules = [schema.COMMAND, *[schema.ARGUMENT] * (len(node.value) - 1)]
        names = [say("yaml.program"), *[say("yaml.argument")] * (len(node.value) - 1)]
        parts = [self._command_text(*part) for part in zip(node.value, names, rules, strict=True)]
        return tuple(part for part in parts if part is not None) if None not in parts else None

    def _command_text(self, node: Node, subject: str, rule: str) -> str | None:
        value = self._short_text(node, subject, schema.COMMAND_LIMIT)
        if value is None or _fits(rule, value):
            return value
        empty = not value.strip()
        self.problems.at(
            node,
            say("yaml.empty" if empty else "yaml.holds_nul", subject=subject),
            say("yaml.fix.what_to_run" if empty else "yaml.fix.remove"),
        )
        return None

    def agent(self, node: Node, key: str) -> str | None:
        return self._name_of(node, key, schema.AGENT, say("yaml.agent_letters"))

    def roles(self, node: Node, agent: str | None) -> Wishes | None:
        """Who edits, who scouts and who answers small questions. One that names no agent means `agent`, the file's."""
        if not isinstance(node, MappingNode):
            fix = say("yaml.fix.write", what="scout: {model: …}")
            self.problems.at(node, say("yaml.no_roles", kind=in_words(node)), fix)
            return None
        found = entries(node, schema.ROLE_KEYS, _ROLE_SYNONYMS, self.problems)
        return Wishes(**{role: self.role(value, role, agent) for role, value in found.items()})

    def role(self, node: Node, role: str, agent: str | None) -> Wish:
        if not isinstance(node, MappingNode):
            example = say("yaml.fix.write", what=f"{role}: {{agent: …, model: …}}")
            self.problems.at(node, say("yaml.no_wish", role=role, kind=in_words(node)), example)
            return Wish()
        found = entries(node, schema.WISH_KEYS, _WISH_SYNONYMS, self.problems)
        named = self._read(found, "agent", self.agent)
        model = self._read(found, "model", self.model)
        effort = self._read(found, "effort", self.model)
        if (model or effort) and not (named or agent) and "agent" not in found:
            self.problems.at(node, say("yaml.whose_model", role=role), say("yaml.fix.add_agent"))
        return Wish(named or agent, model, effort) if found else Wish()

    def model(self, node: Node, key: str) -> str | None:
        return self._name_of(node, key, schema.MODEL, say("yaml.model_letters"))

    def _name_of(self, node: Node, key: str, rule: str, letters: str) -> str | None:
        value = self.text(node, key, schema.NAME_LIMIT)
        if value is None or _fits(rule, value):
            return value
        self.problems.at(node, say("yaml.may_have", key=key, letters=letters))
        return None

    def switch(self, node: Node, key: str) -> bool | None:
        if kind(node) != "yes_no":
            self.problems.at(node, say("yaml.no_switch", key=key, kind=in_words(node)), say("yaml.fix.switch"))
            return None
        return str(node.value).lower() in ("true", "yes", "on")

    def timeouts(self, node: Node) -> Timeouts | None:
        if not isinstance(node, MappingNode):
            self.problems.at(node, say("yaml.no_timeouts", kind=in_words(node)), say("yaml.fix.timeouts"))
            return None
        found = entries(node, schema.TIMEOUT_KEYS, _TIMEOUT_SYNONYMS, self.problems)
        return Timeouts(
            profile=self._read(found, "profile", self.profile),
            idle_seconds=self._read(found, "idle", self.duration),
            hard_seconds=self._read(found, "hard", self.duration),
        )

    def profile(self, node: Node, key: str) -> str | None:
        value = self.text(node, key, schema.NAME_LIMIT)
        if value is None or value in schema.PROFILE_NAMES:
            return value
        self.problems.at(node, say("yaml.no_profile", name=value), did_you_mean(value, schema.PROFILE_NAMES))
        return None

    def duration(self, node: Node, key: str) -> float | None:
        seconds = _seconds(node)
        if seconds is None:
            self.problems.at(node, say("yaml.no_time", key=key), _meant_duration(node))
        elif not 0 < seconds <= schema.SECONDS_LIMIT:
            self.problems.at(node, say("yaml.time_out_of_range", key=key, value=str(node.value)), say("yaml.fix.time"))
            return None
        return seconds

    def folder(self, node: Node, key: str) -> str | None:
        """Relative to the root; the root itself is empty."""
        value = self.text(node, key, schema.PATH_LIMIT)
        if value is None:
            return None
        if not _fits(schema.FOLDER, value):
            self.problems.at(node, say("yaml.wrong_folder", key=key), say("yaml.fix.folder"))
            return None
        folder = str(PurePosixPath(value))
        folder = "" if folder == "." else folder
        self._must_exist(node, key, folder)
        return folder

    def _must_exist(self, node: Node, key: str, folder: str) -> None:
        if self.root is None or not folder:
            return
        place = self.root / folder
        if not place.is_dir():
            parent = place.parent if place.parent.is_dir() else self.root
            names = [str(p.relative_to(self.root)) for p in parent.iterdir() if p.is_dir() and p.name[:1] != "."]
            self.problems.at(node, say("checks.no_folder", folder=folder), _nearest(folder, names))
        elif not place.resolve().is_relative_to(self.root.resolve()):
            self.problems.at(node, say("yaml.link_out", key=key), say("yaml.fix.inside"))

    def text(self, node: Node, key: str, limit: int) -> str | None:
        return self._short_text(node, f"`{key}`", limit)

    def _short_text(self, node: Node, subject: str, limit: int) -> str | None:
        if kind(node) != "text":
            self.problems.at(node, say("yaml.no_text", subject=subject, kind=in_words(node)), quoted(node))
            return None
        if len(node.value) > limit:
            self.problems.at(node, say("yaml.too_long", subject=subject, most=limit), say("yaml.fix.shorten"))
            return None
        return str(node.value)

    def _read(self, found: dict[str, Node], key: str, reader: Callable[[Node, str], T | None]) -> T | None:
        return reader(found[key], key) if key in found else None


def _fits(rule: str, value: str) -> bool:
    """Matches as ECMAScript does: Python's `$` would let a line end through."""
    return re.fullmatch(rule.removesuffix("$"), value) is not None


def _nearest(folder: str, names: list[str]) -> str:
    near = sorted(names)[:20]
    return did_you_mean(folder, near) if meant(folder, near) else say("yaml.fix.relative")


def _seconds(node: Node) -> float | None:
    """Whether it is a number as people write one: YAML 1.1 also takes `1:30` and `0x10` for numbers."""
    if kind(node) == "number":
        plain = re.fullmatch(r"[-+]?(\d+(\.\d*)?|\.\d+)", node.value)
        return float(node.value) if plain else None
    if kind(node) == "text" and re.fullmatch(r"\d{1,6}(\.\d{1,3})?[smh]", node.value, re.ASCII):
        return float(node.value[:-1]) * _UNITS[node.value[-1]]
    return None


def _meant_duration(node: Node) -> str:
    loose = _LOOSE_DURATION.fullmatch(str(node.value).strip()) if isinstance(node, ScalarNode) else None
    if loose:
        return say("yaml.fix.write", what=f"{loose[1]}{loose[2][0].lower()}")
    return say("yaml.fix.seconds")
