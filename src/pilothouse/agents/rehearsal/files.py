"""Reads scenario files, and says exactly where one is wrong.

    scenarios:
      fix-add:                                 # chosen by [[fix-add]] in the prompt
        - say: Looking at calc.py
        - run: python -m unittest
      with-more:
        description: What a list of scenarios shows for it
        requires_env: SOME_KEY                 # stands for missing credentials
        steps:
          - ask: "Which way?\\nA) Left\\nB) Right"
          - say: Left it is
            when: A                            # only if the reply chose A; `unless` is the opposite
          - form:                              # several questions at once; `{answer 2}` is the second answer
              - {question: Which store?, header: Store, options: [SQLite (recommended), PostgreSQL]}
              - {question: What else?, options: [Docs, Tests], several: true}
          - plan: "## Plan"                    # afterwards the reply is `approved`, or `sent back: …`
          - permission: {tool: Bash, detail: make clean, grant: "Bash(make:*)"}     # `allowed`, or `denied: …`
        fix:                                   # played each time the checks failed; `fix 2` is for the second time
          - edit: {path: way.txt, find: right, replace: left}
        replan: [...]                          # likewise `summarise`, `stuck`, `scout A` and `scout B`
        ask:                                   # played when it is asked for an answer, and may only look
          - answer: {files: [way.txt]}         # by the workbench's tool, else between markers
          - answer_text: "[ANSWER]\\n{"        # as it stands: for an answer that is broken
        steered: [...]                         # played for a message that came when the rest had been played

Between two steps the program takes in what the person sent meanwhile: it says so, and has it as `{reply}`.

The node tree is read instead of plain values, because it knows lines and columns, and the digits of a file mode.
"""

from __future__ import annotations

import functools
import json
import re
import signal
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import yaml

from pilothouse.agents.rehearsal.scenarios import Scenario
from pilothouse.errors import BadConfiguration
from pilothouse.words import say

BUILT_IN = Path(__file__).with_name("scenarios.yaml")
WORKSPACE_FILE = Path(".pilothouse") / "rehearsal.yaml"
HOW = ("plain", "setsid", "nohup", "double_fork", "clean_env")

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_CONDITIONS = ("when", "unless")
_ABOUT = ("description", "requires_env")
_TURN = re.compile(r"(?:fix|replan|summarise|stuck|ask|steered|scout [AB])(?: [1-9]\d?)?")

FORMS: dict[str, str | dict[str, str]] = {
    "say": "text",
    "stream": {"text": "text", "chunk?": "count", "delay_ms?": "number"},
    "write": {"path": "text", "text": "text"},
    "edit": {"path": "text", "find": "text", "replace": "text"},
    "delete": {"path": "text"},
    "move": {"from": "text", "to": "text"},
    "chmod": {"path": "text", "mode": "mode"},
    "symlink": {"path": "text", "target": "text"},
    "run": "text",
    "commit": "text",
    "checkout": "text",
    "ask": "text",
    "form": "questions",
    "plan": "text",
    "permission": {"tool": "text", "detail": "text", "grant?": "text"},
    "wait": "number",
    "heartbeat": "true",
    "stall": "true",
    "flood": {"lines": "count"},
    "fail": "text",
    "limit": {"text": "text", "minutes?": "number"},
    "crash": "death",
    "spawn_child": {"seconds": "number", "how": "how"},
    "workbench": {"tool": "text", "arguments": "text"},
    "answer": "object",
    "answer_text": "text",
    "usage": {
        "cost_usd?": "number", "input_tokens?": "count", "output_tokens?": "count", "cache_read_tokens?": "count",
        "cache_write_tokens?": "count", "model?": "text",
    },
    "context": {"tokens": "count", "window": "count"},
}  # fmt: skip
"""Every verb, and what stands behind it: one value, or named ones (a question mark: may be left out)."""


def paths(workspace: Path, extra: Path | None = None) -> list[Path]:
    """Where scenarios come from; of two with one name the later wins."""
    own = workspace / WORKSPACE_FILE
    return [BUILT_IN, *([extra] if extra else []), *([own] if own.is_file() else [])]


def load(files: Iterable[Path]) -> dict[str, Scenario]:
    found: dict[str, Scenario] = {}
    for path in files:
        for scenario in _read(path, _version(path)):
            found.pop(scenario.name, None)
            found[scenario.name] = scenario
    return found


def _version(path: Path) -> tuple[int, ...]:
    """Changes with the file. It is read again only then: every task asks for it twice."""
    try:
        found = path.stat()
    except OSError:
        return ()
    return found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino


@functools.lru_cache(maxsize=64)
def _read(path: Path, version: tuple[int, ...]) -> list[Scenario]:
    return _File(path).scenarios()


class _File:
    def __init__(self, path: Path) -> None:
        self._path = path

    def scenarios(self) -> list[Scenario]:
        root = self._root()
        top = self._mapping(root, "a scenario file starts with “scenarios:”")
        for key, (node, _) in top.items():
            if key != "scenarios":
                raise self._wrong(node, f"unknown key “{key}”; the only one is “scenarios”")
        if "scenarios" not in top:
            raise self._wrong(root, "a scenario file starts with “scenarios:”")
        named = self._mapping(top["scenarios"][1], "“scenarios” holds the scenarios by name")
        return [self._scenario(name, node) for name, (_, node) in named.items()]

    def _root(self) -> yaml.Node:
        try:
            root = yaml.compose(self._path.read_text("utf-8"), Loader=_LOADER)
        except OSError as error:
            raise BadConfiguration(
                say("scenario.unreadable", file=str(self._path), problem=error.strerror or str(error))
            ) from error
        except UnicodeDecodeError as error:
            raise BadConfiguration(say("scenario.not_utf8", file=str(self._path), byte=str(error.start))) from error
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            raise self._wrong(mark, error.problem or error.context or "not YAML") from error
        except yaml.YAMLError as error:
            raise BadConfiguration(say("scenario.not_yaml", file=str(self._path), problem=str(error))) from error
        if not isinstance(root, yaml.Node):
            raise BadConfiguration(say("scenario.empty", file=str(self._path)))
        return root

    def _scenario(self, name: str, node: yaml.Node) -> Scenario:
        if isinstance(node, yaml.SequenceNode):
            return Scenario(name, self._steps(node))
        parts = self._mapping(node, f"“{name}” is a list of steps, or “description”, “requires_env” and “steps”")
        for key, (at, _) in parts.items():
            if key != "steps" and key not in _ABOUT and not _TURN.fullmatch(key):
                raise self._wrong(at, f"unknown key “{key}” in “{name}”")
        if "steps" not in parts:
            raise self._wrong(node, f"“{name}” has no “steps”")
        texts = {key: self._text(value) for key, (_, value) in parts.items() if key in _ABOUT}
        turns = {key: self._steps(value) for key, (_, value) in parts.items() if _TURN.fullmatch(key)}
        return Scenario(name, self._steps(parts["steps"][1]), **texts, turns=turns)

    def _steps(self, node: yaml.Node) -> list[dict[str, Any]]:
        if not isinstance(node, yaml.SequenceNode):
            raise self._wrong(node, "steps are a list")
        return [self._step(item) for item in node.value]

    def _step(self, node: yaml.Node) -> dict[str, Any]:
        parts = self._mapping(node, "a step is a verb with what it needs, such as “say: Hello”")
        verbs = [key for key in parts if key not in _CONDITIONS]
        if len(verbs) != 1:
            raise self._wrong(node, "a step has exactly one verb")
        verb = verbs[0]
        at, value = parts[verb]
        if verb not in FORMS:
            raise self._wrong(at, f"unknown verb “{verb}”; there are {', '.join(FORMS)}")
        conditions = {key: self._text(parts[key][1]) for key in _CONDITIONS if key in parts}
        return {"verb": verb, "value": self._value(verb, value), **conditions}

    def _value(self, verb: str, node: yaml.Node) -> Any:
        form = FORMS[verb]
        if form == "questions":
            return self._questions(node)
        if form == "object":
            return self._object(node)
        if isinstance(form, str):
            return self._scalar(node, form, f"“{verb}”")
        if verb == "stream" and isinstance(node, yaml.ScalarNode):
            return {"text": self._text(node)}
        kinds = {name.rstrip("?"): kind for name, kind in form.items()}
        parts = self._mapping(node, f"“{verb}” needs {', '.join(form)}")
        for key, (at, _) in parts.items():
            if key not in kinds:
                raise self._wrong(at, f"“{verb}” has no “{key}”; it takes {', '.join(kinds)}")
        for key in form:
            if not key.endswith("?") and key not in parts:
                raise self._wrong(node, f"“{verb}” needs “{key}”")
        return {key: self._scalar(value, kinds[key], f"“{key}” of “{verb}”") for key, (_, value) in parts.items()}

    def _questions(self, node: yaml.Node) -> list[dict[str, Any]]:
        if not isinstance(node, yaml.SequenceNode) or not node.value:
            raise self._wrong(node, "“form” is a list of questions")
        return [self._question(item) for item in node.value]

    def _question(self, node: yaml.Node) -> dict[str, Any]:
        parts = self._mapping(
            node, "a question of “form” has “question”, and “header”, “options”, “several” if it likes"
        )
        for key, (at, _) in parts.items():
            if key not in ("question", "header", "options", "several"):
                raise self._wrong(at, f"a question has no “{key}”; it takes question, header, options, several")
        if "question" not in parts:
            raise self._wrong(node, "a question needs “question”")
        found: dict[str, Any] = {key: self._text(parts[key][1]) for key in ("question", "header") if key in parts}
        if "options" in parts:
            listed = parts["options"][1]
            if not isinstance(listed, yaml.SequenceNode):
                raise self._wrong(listed, "“options” is a list of answers")
            found["options"] = [self._text(option) for option in listed.value]
        if "several" in parts:
            found["several"] = self._scalar(parts["several"][1], "true", "“several”")
        return found

    def _object(self, node: yaml.Node) -> dict[str, Any]:
        """As JSON would read it: YAML's dates and the like are text, so they must be quoted."""
        if not isinstance(node, yaml.MappingNode):
            raise self._wrong(node, "“answer” is a JSON object")
        try:
            found: dict[str, Any] = _LOADER("").construct_document(node)
            json.dumps(found)
        except (TypeError, ValueError, yaml.YAMLError) as error:
            raise self._wrong(node, f"“answer” must be JSON: {error}") from error
        return found

    def _scalar(self, node: yaml.Node, kind: str, what: str) -> Any:
        text = self._text(node)
        convert, wanted = _KINDS[kind]
        try:
            return convert(text)
        except (ValueError, KeyError, AttributeError) as error:
            raise self._wrong(node, f"{what} must be {wanted}, not “{text}”") from error

    def _text(self, node: yaml.Node) -> str:
        if not isinstance(node, yaml.ScalarNode) or node.tag.endswith(":null"):
            raise self._wrong(node, "a plain value is expected here")
        return str(node.value)

    def _mapping(self, node: yaml.Node, otherwise: str) -> dict[str, tuple[yaml.Node, yaml.Node]]:
        if not isinstance(node, yaml.MappingNode):
            raise self._wrong(node, otherwise)
        found: dict[str, tuple[yaml.Node, yaml.Node]] = {}
        for key, value in node.value:
            name = self._text(key)
            if name in found:
                raise self._wrong(key, f"“{name}” is there twice")
            found[name] = (key, value)
        return found

    def _wrong(self, at: Any, problem: str) -> BadConfiguration:
        """What is wrong stays English, as what the YAML library says of a file."""
        mark = getattr(at, "start_mark", at)
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        return BadConfiguration(
            say("scenario.wrong", file=str(self._path), line=str(line), column=str(column), problem=problem),
            {"file": str(self._path), "line": line, "column": column},
        )


def _number(text: str) -> float:
    number = float(text)
    if not 0 <= number < float("inf"):
        raise ValueError(text)
    return number


def _count(text: str) -> int:
    if not text.isdecimal():
        raise ValueError(text)
    return int(text)


def _true(text: str) -> bool:
    if text.lower() not in ("true", "yes", "on"):
        raise ValueError(text)
    return True


def _mode(text: str) -> int:
    mode = int(text.removeprefix("0o"), 8)
    if not 0 <= mode <= 0o7777:
        raise ValueError(text)
    return mode


def _death(text: str) -> int:
    """An exit code, or a signal as a negative number."""
    if text.isdecimal() and int(text) <= 255:
        return int(text)
    return -signal.Signals["SIG" + text.upper().removeprefix("SIG")].value


def _how(text: str) -> str:
    return HOW[HOW.index(text)]


_KINDS: dict[str, tuple[Callable[[str], Any], str]] = {
    "text": (str, "text"),
    "count": (_count, "a whole number"),
    "number": (_number, "a number, 0 or more"),
    "true": (_true, "true"),
    "mode": (_mode, "a file mode such as 0644"),
    "death": (_death, "an exit code (0 to 255) or a signal such as SIGKILL"),
    "how": (_how, f"one of {', '.join(HOW)}"),
}
