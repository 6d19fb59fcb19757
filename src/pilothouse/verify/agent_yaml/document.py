"""Reads a small YAML document and keeps where everything is, so that each problem names its line."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from pilothouse.errors import BadAgentYaml, Problem
from pilothouse.words import listed, say

SIZE_LIMIT = 64 * 1024
DEPTH_LIMIT = 10
_CORE = "tag:yaml.org,2002:"
_PLAIN_TAGS = {f"{_CORE}{name}" for name in ("str", "int", "float", "bool", "null", "map", "seq")}
_KINDS = {"str": "text", "int": "number", "float": "number", "bool": "yes_no", "null": "nothing"}


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
        raise _refused(1, 1, say("yaml.file_too_large", kibibytes=SIZE_LIMIT // 1024), say("yaml.fix.right_file"))
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError as error:
        line, column = _place(body[: error.start].decode("utf-8"))
        raise _refused(line, column, say("yaml.not_utf8"), say("yaml.fix.utf8")) from error


def compose(text: str) -> Node | None:
    """The root of the document, or None when it is empty. Refuses what does not belong in a settings file."""
    if len(text.encode("utf-8", "surrogatepass")) > SIZE_LIMIT:
        raise _refused(1, 1, say("yaml.file_too_large", kibibytes=SIZE_LIMIT // 1024), say("yaml.fix.right_file"))
    text = text.removeprefix("\ufeff")
    try:
        _look_through(text)
        root: Node | None = yaml.compose(text, Loader=yaml.SafeLoader)
        return root
    except yaml.reader.ReaderError as error:
        line, column = _place(text[: error.position])
        raise _refused(line, column, say("yaml.wrong_character"), say("yaml.fix.remove")) from error
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
                raise _refused(line, column, say("yaml.second_document"), say("yaml.fix.one_document"))
        elif isinstance(event, yaml.AliasEvent):
            problems.found.append(
                Problem(line, column, say("yaml.alias", name=str(event.anchor)), say("yaml.fix.alias"))
            )
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        elif isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > DEPTH_LIMIT:
                raise _refused(line, column, say("yaml.too_deep"))
        tag = getattr(event, "tag", None)
        if tag is not None and tag not in _PLAIN_TAGS:
            problems.found.append(Problem(line, column, say("yaml.tag", tag=_short(tag)), say("yaml.fix.remove")))
    problems.raise_if_any()


def entries(
    node: MappingNode, known: Sequence[str], synonyms: Mapping[str, str], problems: Problems
) -> dict[str, Node]:
    """The values of a mapping by key. Unknown, repeated and empty keys become problems."""
    found: dict[str, Node] = {}
    for key, value in node.value:
        if not isinstance(key, ScalarNode):
            problems.at(key, say("yaml.wrong_key"))
        elif key.value not in known:
            problems.at(key, say("yaml.unknown_key", key=key.value[:60]), did_you_mean(key.value, known, synonyms))
        elif key.value in found:
            first = found[key.value].start_mark.line + 1
            problems.at(key, say("yaml.twice", key=key.value), say("yaml.fix.keep_one", line=str(first)))
        else:
            found[key.value] = value
    for key in [key for key, value in found.items() if kind(value) == "nothing"]:
        problems.at(found.pop(key), say("yaml.no_value", key=key), say("yaml.fix.value"))
    return found


def meant(word: str, known: Sequence[str], synonyms: Mapping[str, str] | None = None) -> str | None:
    """The key that a person most likely meant."""
    plain = word.lower().replace("-", "_").strip("_ ")
    other = (synonyms or {}).get(plain)
    return other if other in known else next(iter(difflib.get_close_matches(plain, known, n=1, cutoff=0.6)), None)


def did_you_mean(word: str, known: Sequence[str], synonyms: Mapping[str, str] | None = None) -> str:
    found = meant(word, known, synonyms)
    return say("yaml.fix.did_you_mean", what=found) if found else say("yaml.fix.possible", what=_listed(known))


def kind(node: Node) -> str:
    """What a value is."""
    if isinstance(node, MappingNode):
        return "group"
    if isinstance(node, SequenceNode):
        return "list"
    return _KINDS.get(node.tag.removeprefix(_CORE), "other")


def in_words(node: Node) -> str:
    """The same in words."""
    return say(f"yaml.kind.{kind(node)}")


def quoted(node: Node) -> str:
    """How to write a scalar so that it is text."""
    return say("yaml.fix.quotes", value=str(node.value)) if isinstance(node, ScalarNode) else ""


def _listed(words: Sequence[str]) -> str:
    shown = [f"`{word}`" for word in words]
    return shown[0] if len(shown) == 1 else say("and", first=listed(shown[:-1]), last=shown[-1])


def _short(tag: str) -> str:
    return f"!!{tag.removeprefix(_CORE)}" if tag.startswith(_CORE) else tag[:60]


def _place(before: str) -> tuple[int, int]:
    return before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1


def _refused(line: int, column: int, message: str, suggestion: str = "") -> BadAgentYaml:
    return BadAgentYaml([Problem(line, column, message, suggestion)])


def _from_yaml(error: yaml.MarkedYAMLError, text: str) -> list[Problem]:
    mark = error.problem_mark or error.context_mark
    line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
    words = str(error.problem or say("yaml.not_readable"))
    tabs = list(_tabs(text)) if "\\t" in words or _tab_before(text, line, column) else []
    if tabs:
        return [Problem(at, where, say("yaml.tab"), say("yaml.fix.spaces")) for at, where in tabs]
    context = f" ({error.context})" if error.context else ""
    return [Problem(line, column, say("yaml.no_yaml", problem=f"{words}{context}"), _remedy(words))]


def _remedy(words: str) -> str:
    if "mapping values are not allowed" in words:
        return say("yaml.fix.colon")
    if "cannot start any token" in words:
        return say("yaml.fix.first_character")
    return say("yaml.fix.indentation")


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
