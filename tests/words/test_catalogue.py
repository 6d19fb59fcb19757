"""Python and the catalogue agree: every code that is used is there with exactly these parameters, and no other."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import orjson
import pytest

from pilothouse import errors
from pilothouse.domain.task.task import TaskStatus
from pilothouse.words import FOLDER, SOURCE, flat, say

SOURCES = Path(errors.__file__).parent
CATALOGUE = orjson.loads((FOLDER / f"{SOURCE}.json").read_bytes())
ENTRIES = flat(CATALOGUE["said"] | CATALOGUE["shared"])
ERRORS = {
    name
    for name, kind in vars(errors).items()
    if isinstance(kind, type) and issubclass(kind, errors.PilothouseError | errors.ClientError)
} - {"BadAgentYaml"} | {"OSError", "FileNotFoundError", "BuildFailed"}
TELLS = {
    "Ended": "message",
    "Requirement": 2,
    "Doubt": 4,
    "AgentHealth": "problem",
    "Option": "help",
    "Argument": "help",
    "SavedPart": 2,
    "Cause": 1,
    "milestone": 2,
    "mark": 4,
    "waiting": 2,
    "failed": 2,
    "broke": 2,
    "note": 0,
    "hold_queue": 2,
    "add": 2,
    "stop": 0,
    "QuestionOption": 1,
}
"""What tells a person something, and which of its arguments that is."""

AN_AGENT = "agents/rehearsal/verbs.py"
"""Prints what agents print, and has a `say` of its own."""
FOR_PROGRAMMERS = {
    *("debug", "info", "warning", "error", "exception", "compile"),
    *("TypeError", "ValueError", "RuntimeError", "AssertionError", "KeyError"),
}
FAMILIES = ("awaiting", "verdict", "status", "session_status")
"""Those that are chosen from in `commands/sessions.py`."""
STATE = re.compile("(?:^|_)(?:status|awaiting|verdict|error_kind|action|choice|state|result|outcome|group|mode|kind)$")
"""What holds the name that our machinery has for a state."""
SENTENCE = re.compile(r"[“A-Z{][^\n]*[a-z]{2}[^\n]* [^\n]*[.!?…:]\s*$|[A-Z][a-z]+ [a-z]+", re.DOTALL)

OTHERS_READ = frozenset(
    {
        # An agent, and whoever acts in its place.
        "agents/acp/client.py",
        "agents/acp/files.py",
        "agents/acp/prompts.py",
        "agents/acp/transport.py",
        "agents/claude/conversation.py",
        "agents/claude/forms.py",
        "agents/claude/outcome.py",
        "agents/claude/permissions.py",
        "agents/claude/run.py",
        "agents/rehearsal/program.py",
        "agents/rehearsal/verbs.py",
        "client/handover.py",
        "domain/agent/digest.py",
        "domain/agent/prompts.py",
        "domain/agent/scouts.py",
        "domain/talk/answers.py",
        "domain/talk/permissions.py",
        "domain/talk/small_model.py",
        "domain/talk/workbench.py",
        "engine/agents/workbench.py",
        "engine/attempt/first_words.py",
        "engine/attempt/turns.py",
        "engine/guard/decisions.py",
        "engine/talk/questions.py",
        "engine/talk/steering.py",
        "server/routes/workbench.py",
        # Records on disk, which agents read too, and what is put into repositories.
        "domain/session/session.py",
        "domain/task/stuck.py",
        "engine/attempt/begin.py",
        "engine/workspace/artifacts.py",
        "sample/__init__.py",
        # Schemas, in which programs are described; and what is searched for in the output of others.
        "server/contract.py",
        "server/errors.py",
        "server/routes/system.py",
        "verify/agent_yaml/schema.py",
        "verify/runs/causes.py",
    }
)


COMMAS_ARE_DATA = {
    "agents/acp/permissions.py",
    "agents/acp/updates.py",
    "agents/rehearsal/files.py",
    "engine/agents/workbench.py",
    "server/schemas/talk.py",
    "server/views/settings.py",
    "store/rows.py",
}
"""Paths, a setting as the environment has it, and text for agents and programmers: the same in every language."""


class Use(NamedTuple):
    where: str
    code: str
    """Ends with a dot where only the beginning is written down."""
    params: frozenset[str]


@cache
def _trees() -> dict[str, ast.Module]:
    return {str(file.relative_to(SOURCES)): ast.parse(file.read_text()) for file in sorted(SOURCES.rglob("*.py"))}


@cache
def _calls() -> list[tuple[str, ast.Call]]:
    return [
        (f"{place}:{node.lineno}", node)
        for place, tree in _trees().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
    ]


def _name(call: ast.Call) -> str:
    return (
        call.func.id
        if isinstance(call.func, ast.Name)
        else call.func.attr
        if isinstance(call.func, ast.Attribute)
        else ""
    )


def _codes(written: ast.expr) -> Iterator[str]:
    if isinstance(written, ast.IfExp):
        yield from _codes(written.body)
        yield from _codes(written.orelse)
    elif isinstance(written, ast.JoinedStr) and isinstance(written.values[0], ast.Constant):
        yield str(written.values[0].value)
    elif isinstance(written, ast.Constant):
        yield str(written.value)
    else:
        yield ""


def _uses() -> Iterator[Use]:
    for where, call in _calls():
        if not isinstance(call.func, ast.Name) or where.startswith(AN_AGENT):
            continue
        if call.func.id == "say":
            for code in _codes(call.args[0]):
                yield Use(where, code, frozenset(str(keyword.arg) for keyword in call.keywords))
        elif call.func.id == "named":
            families = [_text(call.args[0])] if isinstance(call.args[0], ast.Constant) else FAMILIES
            yield from (Use(where, f"{family}.", frozenset()) for family in families)


def _params(entry: str | dict[str, str]) -> set[str]:
    forms = [entry] if isinstance(entry, str) else list(entry.values())
    named = {name for text in forms for name in re.findall(r"\{(\w+)\}", text)}
    return named if isinstance(entry, str) else named | {"count"}


def _names_a_state(given: ast.expr) -> bool:
    """Whether it is the name of a state, out of one of ours or out of a server's answer."""
    match given:
        case ast.Call(func=ast.Name(id="str"), args=[inner]) | ast.Attribute(attr="value", value=inner):
            return _names_a_state(inner)
        case ast.Subscript(slice=ast.Constant(value=name)) | ast.Attribute(attr=name):
            return bool(STATE.search(str(name)))
    return False


def _told_by(call: ast.Call) -> list[ast.expr]:
    place = TELLS.get(_name(call))
    if isinstance(place, int):
        return call.args[place : place + 1]
    return [keyword.value for keyword in call.keywords if keyword.arg == place]


def _written_out(told: ast.expr, where: str) -> bool:
    """Whether it is text that stands in the code, here or in a constant of the module."""
    match told:
        case ast.Constant() | ast.JoinedStr():
            return any(letter.isalpha() for letter in _text(told))
        case ast.BinOp(left=left, right=right):
            return _written_out(left, where) or _written_out(right, where)
        case ast.BoolOp(values=values):
            return any(_written_out(value, where) for value in values)
        case ast.IfExp(body=body, orelse=orelse):
            return _written_out(body, where) or _written_out(orelse, where)
        case ast.Call(func=ast.Attribute(value=text, attr="format" | "strip" | "join")):
            return _written_out(text, where)
        case ast.Name(id=name):
            constant = _constants(where.partition(":")[0]).get(name)
            return constant is not None and _written_out(constant, where)
    return False


@cache
def _constants(place: str) -> dict[str, ast.expr]:
    return {
        target.id: node.value
        for node in _trees()[place].body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }


def _sentences(tree: ast.Module) -> Iterator[str]:
    """Text that reads like one, but for docstrings, patterns, the server's log, and what only a programmer sees."""
    left_out: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            left_out.add(node.value)
        elif isinstance(node, ast.JoinedStr):
            left_out.update(part for value in node.values for part in ast.walk(value))
        elif isinstance(node, ast.Call) and _name(node) in FOR_PROGRAMMERS:
            left_out.update(ast.walk(node))
        elif isinstance(node, ast.keyword) and node.arg == "description":
            left_out.update(ast.walk(node.value))
    for node in ast.walk(tree):
        if node not in left_out and isinstance(node, ast.Constant | ast.JoinedStr):
            text = _text(node)
            if SENTENCE.match(text):
                yield text


def _text(written: ast.expr) -> str:
    if isinstance(written, ast.JoinedStr):
        return "".join(_text(part) for part in written.values)
    return (written.value if isinstance(written.value, str) else "") if isinstance(written, ast.Constant) else "{}"


def _milestones(call: ast.Call) -> Iterator[str]:
    place = {"milestone": 1, "tell_milestone": 2, "mark": 3}.get(_name(call))
    given = call.args[place : place + 1] if place else []
    named = [keyword.value for keyword in call.keywords if keyword.arg == "milestone" and _name(call) == "Turn"]
    for written in (*given, *named):
        for one in (written.body, written.orelse) if isinstance(written, ast.IfExp) else (written,):
            if isinstance(one, ast.Constant) and isinstance(one.value, str):
                yield one.value


def test_every_code_stands_in_the_catalogue_with_the_parameters_it_is_given() -> None:
    """PLT-11"""
    for use in _uses():
        meant = [code for code in ENTRIES if code == use.code or (use.code.endswith(".") and code.startswith(use.code))]
        assert meant, f"{use.where}: {use.code!r} is no code, nor the beginning of some"
        for code in meant:
            # Of a family, not every one has need of all.
            left_out = set() if code == use.code else use.params - _params(ENTRIES[code])
            assert _params(ENTRIES[code]) == use.params - left_out, f"{use.where}: {code}"


def test_no_entry_of_the_catalogue_is_left_over() -> None:
    """PLT-11"""
    used = {use.code for use in _uses()}
    families = tuple(code for code in used if code.endswith("."))
    assert [code for code in ENTRIES if code not in used and not code.startswith(families)] == []


def test_no_name_of_a_state_stands_in_a_sentence() -> None:
    """PLT-7"""
    with pytest.raises(TypeError, match="name of a state"):
        say("task.just_ended", state=TaskStatus.RUNNING)
    for where, call in _calls():
        if _name(call) == "say" and not where.startswith(AN_AGENT):
            for keyword in call.keywords:
                assert not _names_a_state(keyword.value), f"{where}: {ast.unparse(keyword.value)}"


def test_the_same_thing_has_the_same_words_everywhere() -> None:
    """PLT-7"""
    ours, theirs = (_texts(*sections) for sections in (("said",), ("shared", "page")))
    assert [(ours[text], theirs[text]) for text in ours.keys() & theirs.keys() if len(text.split()) > 2] == []


def _texts(*sections: str) -> dict[str, str]:
    entries = {f"{section}.{code}": text for section in sections for code, text in flat(CATALOGUE[section]).items()}
    return {text.strip(".").lower(): code for code, text in entries.items() if isinstance(text, str)}


def test_a_list_is_put_together_in_the_catalogue() -> None:
    """BYD-11"""
    with_commas = {place for place, tree in _trees().items() if '", ".join(' in ast.unparse(tree).replace("'", '"')}
    assert with_commas == COMMAS_ARE_DATA


def test_no_name_of_a_section_hides_another() -> None:
    """PLT-11"""
    assert CATALOGUE["shared"].keys() & (CATALOGUE["said"].keys() | CATALOGUE["page"].keys()) == set()


def test_every_plural_has_a_text_for_the_numbers_no_other_form_is_for() -> None:
    """PLT-11"""
    assert all("other" in entry for entry in ENTRIES.values() if not isinstance(entry, str))


def test_no_error_is_raised_with_a_sentence_instead_of_a_code() -> None:
    """PLT-11"""
    for where, call in _calls():
        if _name(call) in ERRORS and call.args:
            message = call.args[2] if _name(call) == "Refused" else call.args[0]
            assert not _written_out(message, where), where


def test_nothing_is_told_to_a_person_in_a_sentence_instead_of_a_code() -> None:
    """PLT-11"""
    seen = set()
    for where, call in _calls():
        for told in _told_by(call) if _name(call) in TELLS and not where.startswith(AN_AGENT) else ():
            seen.add(_name(call))
            assert not _written_out(told, where), where
    assert seen == TELLS.keys()


def test_sentences_stand_in_the_code_only_where_no_person_reads_them() -> None:
    """PLT-11"""
    found = {place for place, tree in _trees().items() if any(_sentences(tree))}
    assert found - OTHERS_READ == set()
    assert OTHERS_READ - found == set()


def test_every_milestone_has_its_words() -> None:
    """PLT-11"""
    known = {code.removeprefix("milestone.") for code in ENTRIES if code.startswith("milestone.")}
    codes = {code for _, call in _calls() for code in _milestones(call)}
    assert len(codes) > 10
    assert codes - known == {"without_scout", "retrying"}, "told with words of their own"
