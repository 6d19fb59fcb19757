"""Reads a small YAML document and keeps where everything is, so that each problem names its line."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from pilothouse.errors import BadAgentYaml, Problem

SIZE_LIMIT = 64 * 1024
DEPTH_LIMIT = 10
_CORE = "tag:yaml.org,2002:"
_PLAIN_TAGS = {f"{_CORE}{name}" for name in ("str", "int", "float", "bool", "null", "map", "seq")}
_KINDS = {"str": "text", "int": "a number", "float": "a number", "bool": "yes or no", "null": "nothing"}


@dataclass
class Problems:
    """Collects problems, so that a person corrects the file once and not once per problem."""

    found: list[Problem] = field(default_factory=list)

    def at(self, node: Node, message: str, suggestion: str = "") -> None:
        mark = node.start_mark
        self.found.append(Problem(mark.line + 1, mark.column + 1, message, suggestion))

    def raise_if_any(self) -> None:
        if self.found:
            raise BadAgentYaml(sorted(self.found, key=lambda problem: (problem.line, problem.column)))


def decoded(body: bytes) -> str:
    if len(body) > SIZE_LIMIT:
        raise _refused(1, 1, f"The file is larger than {SIZE_LIMIT // 1024} KiB.", "Is this the right file?")
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError as error:
        line, column = _place(body[: error.start].decode("utf-8"))
        raise _refused(line, column, "The file is not UTF-8 from here on.", "Save it as UTF-8.") from error


def compose(text: str) -> Node | None:
    """The root of the document, or None when it is empty. Refuses what does not belong in a settings file."""
    if len(text.encode("utf-8", "surrogatepass")) > SIZE_LIMIT:
        raise _refused(1, 1, f"The file is larger than {SIZE_LIMIT // 1024} KiB.", "Is this the right file?")
    text = text.removeprefix("\ufeff")
    try:
        _look_through(text)
        root: Node | None = yaml.compose(text, Loader=yaml.SafeLoader)
        return root
    except yaml.reader.ReaderError as error:
        line, column = _place(text[: error.position])
        raise _refused(line, column, "There is a character here that YAML does not allow.", "Remove it.") from error
    except yaml.MarkedYAMLError as error:
        raise BadAgentYaml(_from_yaml(error, text)) from error


def _look_through(text: str) -> None:
    """Refuses deep nesting and aliases before the document is composed, which is recursive."""
    problems = Problems()
    depth = documents = 0
    for event in yaml.parse(text, Loader=yaml.SafeLoader):
        mark = event.start_mark
        line, column = mark.line + 1, mark.column + 1
        if isinstance(event, yaml.DocumentStartEvent):
            documents += 1
            if documents > 1:
                raise _refused(line, column, "A second document begins here.", "Keep one, without `---` between.")
        elif isinstance(event, yaml.AliasEvent):
            problems.found.append(
                Problem(line, column, f"`*{event.anchor}` is an alias.", "Write the value out; aliases are not read.")
            )
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        elif isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > DEPTH_LIMIT:
                raise _refused(line, column, "This is nested too deeply.")
        tag = getattr(event, "tag", None)
        if tag is not None and tag not in _PLAIN_TAGS:
            problems.found.append(Problem(line, column, f"The tag `{_short(tag)}` is not known.", "Remove it."))
    problems.raise_if_any()


def entries(
    node: MappingNode, known: Sequence[str], synonyms: Mapping[str, str], problems: Problems
) -> dict[str, Node]:
    """The values of a mapping by key. Unknown, repeated and empty keys become problems."""
    found: dict[str, Node] = {}
    for key, value in node.value:
        if not isinstance(key, ScalarNode):
            problems.at(key, "A key must be plain text.")
        elif key.value not in known:
            problems.at(key, f"`{key.value[:60]}` is not a setting here.", did_you_mean(key.value, known, synonyms))
        elif key.value in found:
            first = found[key.value].start_mark.line + 1
            problems.at(key, f"`{key.value}` is there twice.", f"The first is in line {first}; keep one.")
        else:
            found[key.value] = value
    for key in [key for key, value in found.items() if kind(value) == "nothing"]:
        problems.at(found.pop(key), f"`{key}` has no value.", "Give it one, or remove the line.")
    return found


def meant(word: str, known: Sequence[str], synonyms: Mapping[str, str] | None = None) -> str | None:
    """The key that a person most likely meant."""
    plain = word.lower().replace("-", "_").strip("_ ")
    other = (synonyms or {}).get(plain)
    return other if other in known else next(iter(difflib.get_close_matches(plain, known, n=1, cutoff=0.6)), None)


def did_you_mean(word: str, known: Sequence[str], synonyms: Mapping[str, str] | None = None) -> str:
    found = meant(word, known, synonyms)
    return f"Did you mean `{found}`?" if found else f"Possible are {_listed(known)}."


def kind(node: Node) -> str:
    """What a value is, in words."""
    if isinstance(node, MappingNode):
        return "a group of settings"
    if isinstance(node, SequenceNode):
        return "a list"
    return _KINDS.get(node.tag.removeprefix(_CORE), "something else")


def quoted(node: Node) -> str:
    """How to write a scalar so that it is text."""
    return f'Put it in quotes: "{node.value}".' if isinstance(node, ScalarNode) else ""


def _listed(words: Sequence[str]) -> str:
    shown = [f"`{word}`" for word in words]
    return shown[0] if len(shown) == 1 else ", ".join(shown[:-1]) + f" and {shown[-1]}"


def _short(tag: str) -> str:
    return f"!!{tag.removeprefix(_CORE)}" if tag.startswith(_CORE) else tag[:60]


def _place(before: str) -> tuple[int, int]:
    return before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1


def _refused(line: int, column: int, message: str, suggestion: str = "") -> BadAgentYaml:
    return BadAgentYaml([Problem(line, column, message, suggestion)])


def _from_yaml(error: yaml.MarkedYAMLError, text: str) -> list[Problem]:
    mark = error.problem_mark or error.context_mark
    line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
    words = str(error.problem or "it cannot be read")
    tabs = list(_tabs(text)) if "\\t" in words or _tab_before(text, line, column) else []
    if tabs:
        message = "A tab is used for indentation, which YAML does not allow."
        return [Problem(at, where, message, "Use spaces.") for at, where in tabs]
    context = f" ({error.context})" if error.context else ""
    return [Problem(line, column, f"This is not YAML: {words}{context}.", _remedy(words))]


def _remedy(words: str) -> str:
    if "mapping values are not allowed" in words:
        return "Put a value that holds `: ` in quotes, or correct the indentation."
    if "cannot start any token" in words:
        return "Put a value that begins with this character in quotes."
    return "Look at the indentation, and whether every quote and bracket is closed."


def _tabs(text: str) -> Iterator[tuple[int, int]]:
    for number, line in enumerate(text.split("\n"), 1):
        if found := re.match(r" *(?:- *)*\t", line):
            yield number, found.end()


def _tab_before(text: str, line: int, column: int) -> bool:
    lines = text.split("\n")
    return line <= len(lines) and "\t" in lines[line - 1][:column]


class Dumper(yaml.SafeDumper):
    """Writes several lines as a block, as a person would, and escapes odd line ends, which YAML would fold."""


def _represented(dumper: yaml.SafeDumper, text: str) -> ScalarNode:
    odd = re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff]", text)
    style = '"' if odd else "|" if "\n" in text else None
    return dumper.represent_scalar(f"{_CORE}str", text, style=style)


Dumper.add_representer(str, _represented)
