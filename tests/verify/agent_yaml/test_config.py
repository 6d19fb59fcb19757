from __future__ import annotations

import os
import textwrap
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from pilothouse.domain.agent.crew import Wish, Wishes
from pilothouse.domain.task.checks import DEFAULT_TIMEOUT_SECONDS, Check
from pilothouse.errors import BadAgentYaml, BadConfiguration, Problem
from pilothouse.verify.agent_yaml import schema
from pilothouse.verify.agent_yaml.config import Config, Timeouts, dump, parse
from pilothouse.verify.agent_yaml.file import load

VALIDATOR = jsonschema_rs.Draft202012Validator(schema.document())
FULL = """\
verification:
  - name: lint
    command: [ruff, check, .]
    timeout: 90s
  - name: tests
    command: pytest -q            # by sh -c
    timeout: 10m
    folder: .
package: packages/api
scouts: true
agent: rehearsal
timeouts: {profile: long, idle: 120, hard: 30m}
"""


def problems_of(text: str, root: Path | None = None) -> list[Problem]:
    with pytest.raises(BadAgentYaml) as caught:
        parse(text, root)
    return caught.value.problems


def test_everything_that_can_be_set_is_read() -> None:
    """TSK-11"""
    assert parse(FULL) == Config(
        checks=(Check("lint", ("ruff", "check", "."), 90.0, "packages/api"), Check("tests", "pytest -q", 600.0, "")),
        package="packages/api",
        scouts=True,
        agent="rehearsal",
        timeouts=Timeouts("long", 120.0, 1800.0),
    )


GOOD = {
    "nothing": "",
    "a comment": "# later\n",
    "only a marker": "---\n",
    "no checks wanted": "verification: []\n",
    "one check": "verification: [{name: t, command: make}]\n",
    "argv": "verification: [{name: t, command: [a, '', '-x']}]\n",
    "several lines": "verification:\n- name: t\n  command: |\n    set -e\n    make\n",
    "fraction of a second": "verification: [{name: t, command: x, timeout: 0.5}]\n",
    "hours": "verification: [{name: t, command: x, timeout: 1.5h}]\n",
    "a whole day": "verification: [{name: t, command: x, timeout: 24h}]\n",
    "name in words": "verification: [{name: 'unit tests (fast)', command: x}]\n",
    "Japanese": "verification: [{name: テスト, command: x}]\n",
    "folder of a check": "verification: [{name: t, command: x, folder: web/app}]\n",
    "package": "package: packages/api\n",
    "package with a slash": "package: packages/api/\n",
    "the root as package": "package: .\n",
    "dots in a folder": "package: a/..b/c..\n",
    "scouts off": "scouts: false\n",
    "agent": "agent: claude-code_2.1\n",
    "roles": "agents: {editor: {agent: claude, model: opus, effort: high}, scout: {agent: gemini}}\n",
    "a model of the agent of the file": "agent: claude\nagents: {small: {model: 'claude-haiku-4-5[1m]'}}\n",
    "no roles": "agents: {}\n",
    "a role without a wish": "agents: {scout: {}}\n",
    "profile": "timeouts: {profile: extended}\n",
    "no limits": "timeouts: {}\n",
    "JSON": '{"verification": [{"name": "t", "command": ["make", "test"]}]}\n',
    "begins with a byte order mark": "\ufeffscouts: true\n",
}
BAD = {
    "a list": "- a\n",
    "a word": "pytest\n",
    "a number": "3\n",
    "unknown key": "verifcation: []\n",
    "null verification": "verification:\n",
    "checks as a mapping": "verification: {tests: pytest}\n",
    "checks as text": "verification: pytest\n",
    "a check as text": "verification: [pytest]\n",
    "no name": "verification: [{command: x}]\n",
    "no command": "verification: [{name: t}]\n",
    "null command": "verification: [{name: t, command: }]\n",
    "empty name": "verification: [{name: '', command: x}]\n",
    "blank name": "verification: [{name: ' ', command: x}]\n",
    "slash in a name": "verification: [{name: a/b, command: x}]\n",
    "backslash in a name": "verification: [{name: 'a\\b', command: x}]\n",
    "hidden name": "verification: [{name: .hidden, command: x}]\n",
    "line end in a name": 'verification: [{name: "a\\n", command: x}]\n',
    "long name": f"verification: [{{name: {'n' * 101}, command: x}}]\n",
    "number as a name": "verification: [{name: 3, command: x}]\n",
    "empty command": "verification: [{name: t, command: ''}]\n",
    "blank command": "verification: [{name: t, command: '  '}]\n",
    "empty argv": "verification: [{name: t, command: []}]\n",
    "empty program": "verification: [{name: t, command: ['', x]}]\n",
    "number in argv": "verification: [{name: t, command: [sleep, 3]}]\n",
    "NUL in a command": 'verification: [{name: t, command: "a\\0b"}]\n',
    "NUL in argv": 'verification: [{name: t, command: [a, "\\0"]}]\n',
    "boolean command": "verification: [{name: t, command: true}]\n",
    "mapping as a command": "verification: [{name: t, command: {run: x}}]\n",
    "unknown key of a check": "verification: [{name: t, command: x, timout: 3}]\n",
    "zero time-out": "verification: [{name: t, command: x, timeout: 0}]\n",
    "zero time-out in words": "verification: [{name: t, command: x, timeout: 0m}]\n",
    "negative time-out": "verification: [{name: t, command: x, timeout: -5}]\n",
    "negative time-out in words": "verification: [{name: t, command: x, timeout: -5s}]\n",
    "time-out over a day": "verification: [{name: t, command: x, timeout: 86401}]\n",
    "time-out in days": "verification: [{name: t, command: x, timeout: 1d}]\n",
    "time-out with a space": "verification: [{name: t, command: x, timeout: 10 min}]\n",
    "boolean time-out": "verification: [{name: t, command: x, timeout: true}]\n",
    "list as a time-out": "verification: [{name: t, command: x, timeout: [3]}]\n",
    "folder that leaves": "verification: [{name: t, command: x, folder: ../y}]\n",
    "package that leaves": "package: a/../../b\n",
    "package upwards": "package: ..\n",
    "absolute package": "package: /etc\n",
    "package with backslashes": "package: 'a\\b'\n",
    "empty package": "package: ''\n",
    "package as a list": "package: [a]\n",
    "scouts in words": "scouts: maybe\n",
    "scouts as a number": "scouts: 1\n",
    "agent with a space": "agent: my agent\n",
    "agent with a path": "agent: ../x\n",
    "empty agent": "agent: ''\n",
    "roles as text": "agents: claude\n",
    "unknown role": "agents: {writer: {agent: claude}}\n",
    "a role as text": "agents: {scout: haiku}\n",
    "unknown key of a role": "agents: {scout: {agent: claude, modle: haiku}}\n",
    "a model that is an option": "agents: {scout: {agent: claude, model: --dangerous}}\n",
    "a model as a number": "agents: {scout: {agent: claude, model: 4}}\n",
    "an empty effort": "agents: {scout: {agent: claude, effort: ''}}\n",
    "a role's agent with a path": "agents: {scout: {agent: ../x}}\n",
    "a long model": f"agents: {{scout: {{agent: a, model: {'m' * 101}}}}}\n",
    "time-outs as a number": "timeouts: 30\n",
    "unknown profile": "timeouts: {profile: lnog}\n",
    "unknown limit": "timeouts: {soft: 3}\n",
    "zero limit": "timeouts: {idle: 0}\n",
    "too many checks": "verification: [" + ", ".join(f"{{name: n{n}, command: x}}" for n in range(51)) + "]\n",
}
BEYOND_THE_SCHEMA = {
    "duplicate key": "scouts: true\nscouts: false\n",
    "duplicate name": "verification: [{name: t, command: x}, {name: t, command: y}]\n",
    "alias": "agent: &a x\npackage: *a\n",
    "merge key": "verification: [&a {name: t, command: x}, {<<: *a, name: u}]\n",
    "tag": "agent: !!python/name:os.system x\n",
    "sexagesimal": "timeouts: {idle: 1:30}\n",
    "hexadecimal": "timeouts: {idle: 0x10}\n",
    "25 hours": "timeouts: {hard: 25h}\n",
}


@pytest.mark.parametrize("text", GOOD.values(), ids=GOOD)
def test_schema_and_parser_agree_on_what_is_right(text: str) -> None:
    """TSK-11"""
    parse(text)
    assert VALIDATOR.is_valid(yaml.safe_load(text))


@pytest.mark.parametrize("text", BAD.values(), ids=BAD)
def test_schema_and_parser_agree_on_what_is_wrong(text: str) -> None:
    """TSK-11"""
    for problem in problems_of(text):
        assert problem.message
        assert 1 <= problem.line <= text.count("\n") + 1
    assert not VALIDATOR.is_valid(yaml.safe_load(text))


@pytest.mark.parametrize("text", BEYOND_THE_SCHEMA.values(), ids=BEYOND_THE_SCHEMA)
def test_what_no_schema_can_say_the_parser_refuses(text: str) -> None:
    """TSK-11"""
    assert problems_of(text)


SCALARS = st.none() | st.booleans() | st.integers(-5, 90_000) | st.sampled_from(["", "x", "10m", "0s", "long", "a/b"])
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from([*schema.CHECK_KEYS, *schema.TIMEOUT_KEYS, "other"]), inner, max_size=4)
    ),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from([*schema.TOP_KEYS, "other"]), VALUES, max_size=3))
def test_schema_and_parser_agree_on_whatever_is_written(document: dict[str, Any]) -> None:
    """TSK-11"""
    try:
        parse(yaml.safe_dump(document))
        right = True
    except BadAgentYaml as error:
        right = any(problem.message.startswith("Two checks are called") for problem in error.problems)
    assert right == VALIDATOR.is_valid(document)


@pytest.mark.parametrize(
    ("text", "line", "column", "message", "suggestion"),
    [
        ("scouts: true\nverifcation: []\n", 2, 1, "`verifcation` is not a setting", "Did you mean `verification`?"),
        ("checks: []\n", 1, 1, "`checks` is not a setting", "Did you mean `verification`?"),
        ("zzz: 1\n", 1, 1, "`zzz` is not a setting", "Possible are `verification`, `package`"),
        (
            "verification:\n  - name: t\n    command: x\n    timout: 3\n",
            *(4, 5, "`timout` is not a setting", "Did you mean `timeout`?"),
        ),
        ("verification:\n  - name: t\n    run: x\n", 3, 5, "`run` is not a setting", "Did you mean `command`?"),
        ("verification:\n  - name: t\n    command: true\n", 3, 14, "`command` is yes or no", '"true"'),
        ("scouts: true\n\nscouts: false\n", 3, 1, "`scouts` is there twice", "line 1"),
        ("timeouts:\n  idle: 10 min\n", 2, 9, "`idle` is not a time", "Write `10m`."),
        ("timeouts:\n  profile: lnog\n", 2, 12, "no profile “lnog”", "Did you mean `long`?"),
        ("verification:\n\t- name: t\n\t  command: x\n", 2, 1, "A tab is used", "Use spaces."),
        ("verification:\n  - name: t\n    command: echo a: b\n", 3, 20, "This is not YAML", "in quotes"),
        ("agent: @x\n", 1, 8, "This is not YAML", "in quotes"),
        ("verification: [\n", 2, 1, "This is not YAML", "every quote and bracket"),
        ("agent: a\x07b\n", 1, 9, "a character here", "Remove it."),
        ("agent: a\n---\nagent: b\n", 2, 1, "A second document", "Keep one"),
        ("package: &p a\nagent: *p\n", 2, 8, "`*p` is an alias", "Write the value out"),
        ("verification:\n  - name: a/b\n    command: x\n", 2, 11, "A name must not", "Write `a-b`."),
        ("agent:\n", 1, 7, "`agent` has no value", "remove the line"),
        ("package: 3\n", 1, 10, "`package` is a number", 'Put it in quotes: "3".'),
    ],
)
def test_a_problem_is_told_where_it_is_and_what_to_do(
    text: str, line: int, column: int, message: str, suggestion: str
) -> None:
    """TSK-11"""
    problem = problems_of(text)[0]
    assert (problem.line, problem.column) == (line, column)
    assert message in problem.message
    assert suggestion in problem.suggestion


def test_all_problems_are_told_at_once_in_order() -> None:
    """TSK-11"""
    text = textwrap.dedent("""\
        verification:
          - name: t
            comand: x
          - name: t
            command: ''
            timeout: -1
          - nonsense
        scouts: perhaps
        pakage: a
        """)
    assert [(problem.line, problem.column) for problem in problems_of(text)] == [
        *((3, 5), (4, 11), (5, 14), (6, 14), (7, 5), (8, 9), (9, 1))
    ]


def test_every_line_with_a_tab_is_told() -> None:
    """TSK-11"""
    assert [p.line for p in problems_of("timeouts:\n\tidle: 3\n\thard: 4\n")] == [2, 3]


def test_a_tab_inside_a_command_is_its_own_business() -> None:
    """TSK-11"""
    config = parse("verification:\n- name: t\n  command: |\n    cat <<-X\n    \thello\n    X\n")
    assert config.checks
    assert config.checks[0].command == "cat <<-X\n\thello\nX\n"


def test_it_is_a_configuration_error_that_carries_its_problems() -> None:
    """TSK-11"""
    with pytest.raises(BadConfiguration) as caught:
        parse("agent: 3\nscouts: 3\n")
    assert caught.value.code == "configuration"
    assert caught.value.message.startswith("agent.yaml, line 1, column 8: ")
    assert caught.value.message.endswith("There are 2 problems in all.")
    assert caught.value.details is not None
    assert [problem["line"] for problem in caught.value.details["problems"]] == [1, 2]


@pytest.mark.parametrize(
    "text",
    [
        "a: &a [x]\n"
        + "".join(f"{b}: &{b} [*{a}, *{a}, *{a}, *{a}]\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True)),
        "a: &a [*a]\n",
        "[" * 30_000,
        "{a: " * 10_000,
        "- " * 30_000,
        "x" * 70_000,
        "verification: [" + "{name: t, command: x}," * 2900 + "]",
    ],
    ids=["alias bomb", "cycle", "brackets", "braces", "dashes", "huge", "thousands of checks"],
)
def test_a_hostile_file_is_refused_and_costs_little(text: str) -> None:
    """TSK-11"""
    assert problems_of(text)


def test_without_a_file_there_is_no_configuration(tmp_path: Path) -> None:
    """TSK-12"""
    assert load(tmp_path) is None


def load_problem(root: Path, body: bytes) -> Problem:
    (root / "agent.yaml").write_bytes(body)
    with pytest.raises(BadAgentYaml) as caught:
        load(root)
    return caught.value.problems[0]


def test_a_file_that_is_not_text_is_refused_at_the_first_wrong_byte(tmp_path: Path) -> None:
    """TSK-11"""
    problem = load_problem(tmp_path, "agent: é\nname: ".encode() + b"\xff\n")
    assert (problem.line, problem.column, problem.suggestion) == (2, 7, "Save it as UTF-8.")
    assert load_problem(tmp_path, "agent: x\n".encode("utf-16")).column == 1
    assert "64 KiB" in load_problem(tmp_path, b"#" * 70_000).message


def test_a_package_must_be_a_folder_inside_the_repository(tmp_path: Path) -> None:
    """TSK-11"""
    root = tmp_path / "repo"
    (root / "packages" / "api").mkdir(parents=True)
    (root / "elsewhere").symlink_to(tmp_path)
    assert parse("package: packages/api\n", root).package == "packages/api"
    assert parse("package: ./packages//api/\n", root).package == "packages/api"
    assert problems_of("package: packages/apy\n", root)[0].suggestion == "Did you mean `packages/api`?"
    assert "There is no folder" in problems_of("package: packages/none/deep\n", root)[0].message
    assert "points outside" in problems_of("package: elsewhere\n", root)[0].message
    where = problems_of("verification:\n- {name: t, command: x, folder: nowhere}\n", root)[0]
    assert (where.line, where.column) == (2, 33)


def test_what_stands_in_the_files_place_but_is_no_file_is_told(tmp_path: Path) -> None:
    """TSK-11"""
    place = tmp_path / "agent.yaml"
    os.mkfifo(place)
    with pytest.raises(BadAgentYaml, match="is not a file"):
        load(tmp_path)
    place.unlink()
    place.symlink_to(tmp_path / "nowhere")
    with pytest.raises(BadAgentYaml, match="points nowhere"):
        load(tmp_path)


NAMES = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Zs", "Zl", "Zp"]), min_size=1, max_size=20
)
COMMANDS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=40).filter(
    lambda text: bool(text.strip())
)
CHECKS = st.builds(
    Check,
    name=NAMES.filter(lambda name: not set(name) & set("/\\") and name[0] != "."),
    command=COMMANDS | st.lists(COMMANDS, min_size=1, max_size=3).map(tuple),
    timeout_seconds=st.sampled_from([0.25, 1.0, 90.0, DEFAULT_TIMEOUT_SECONDS, 3600.0, 5400.0]),
    folder=st.sampled_from(["", "packages/api", "web"]),
)
CONFIGS = st.builds(
    Config,
    checks=st.none() | st.lists(CHECKS, max_size=3, unique_by=lambda check: check.name).map(tuple),
    package=st.sampled_from([None, "packages/api"]),
    scouts=st.sampled_from([None, True, False]),
    agent=st.sampled_from([None, "rehearsal", "on"]),
    agents=st.builds(
        Wishes,
        editor=st.sampled_from([Wish(), Wish("claude", "opus", "high")]),
        scout=st.sampled_from([Wish(), Wish("on", effort="low")]),
        small=st.sampled_from([Wish(), Wish("claude", "claude-haiku[1m]")]),
    ),
    timeouts=st.builds(
        Timeouts,
        st.sampled_from([None, "standard", "long"]),
        st.sampled_from([None, 1.0, 90.0]),
        st.sampled_from([None, 0.5, 7200.0]),
    ),
)


@given(CONFIGS)
def test_what_is_saved_reads_back_the_same(config: Config) -> None:
    """TSK-12"""
    assert parse(dump(config)) == config


def test_the_saved_text_is_what_a_person_would_write() -> None:
    """TSK-12"""
    checks = (Check("tests", "pytest -q", 600.0, "", "pyproject.toml"), Check("lint", ("ruff", "check"), 90.0, "web"))
    assert dump(Config(checks=checks, scouts=False)) == (
        "# How Pilothouse verifies work on this repository.\n"
        "verification:\n"
        "- name: tests\n  command: pytest -q\n  timeout: 10m\n"
        "- name: lint\n  command:\n  - ruff\n  - check\n  timeout: 90s\n  folder: web\n"
        "scouts: false\n"
    )
