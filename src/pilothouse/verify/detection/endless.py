"""Recognises commands that never end or change files, and finds how to run them once and only look.

A command is read as far as a shell script of package.json needs it: words with their quotes, joined by operators.
"""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

_WORD = re.compile(r"""(?:[^\s"']+|"(?:\\.|[^"\\])*"|'[^']*')+""")
_OPERATOR = re.compile(r"""("(?:\\.|[^"\\])*"|'[^']*')|(\s*(?:&&|\|\||;|\n|(?<![<>&])&(?![&>])|(?<!>)\|)\s*)""")
_ASSIGNMENT = re.compile(r"\w+=")
_WRAPPERS = {
    "cross-env",
    "cross-env-shell",
    "env",
    "npx",
    "bunx",
    "pnpx",
    "c8",
    "nyc",
    "time",
    "exec",
    "dotenv",
    "command",
}
_MANAGERS = {"npm", "pnpm", "yarn", "bun"}
_OWN_COMMANDS = {
    "install",
    "ci",
    "add",
    "exec",
    "dlx",
    "x",
    "publish",
    "pack",
    "link",
    "audit",
    "workspaces",
    "workspace",
}
_LISTS = {"run-s": True, "run-p": True, "npm-run-all": True, "npm-run-all2": True, "concurrently": False}
_DEPTH = 5

_WATCH = re.compile(r"--(?:watch(?:-?[aA]ll)?|watch-path)(?:=(?!false).*)?")
_SHORT_WATCH = {"tsc", "vue-tsc", "vitest", "mocha", "ava", "rollup", "webpack", "vite", "tsup", "babel", "swc", "sass"}
_ALWAYS = {
    *("nodemon", "ts-node-dev", "tsnd", "live-server", "http-server", "serve", "webpack-dev-server", "pm2"),
    *("start-storybook", "chokidar", "onchange", "watchexec", "entr", "watch", "ptw", "pytest-watch", "json-server"),
}
_SERVING: dict[str, set[str]] = {
    "next": {"", "dev", "start"},
    "nuxt": {"", "dev", "start", "preview"},
    "vite": {"", "dev", "serve", "preview"},
    "webpack": {"serve", "watch"},
    "react-scripts": {"start"},
    "ng": {"serve"},
    "gatsby": {"develop", "serve"},
    "astro": {"dev", "preview"},
    "storybook": {"dev"},
    "tsx": {"watch"},
    "gulp": {"watch", "serve"},
    "parcel": {"", "serve", "watch"},
    "expo": {"start"},
    "remix": {"dev"},
    "cargo": {"watch"},
    "guard": {"", "start"},
}
_FIXERS = {"eslint", "stylelint", "ruff", "tslint", "standard", "xo", "biome", "oxlint", "next", "ng", "ts-standard"}
_FIX = {"--fix", "--write", "--apply", "--apply-unsafe", "--unsafe", "--fix-only"}
_CRA = {"react-scripts", "react-app-rewired", "craco"}


@dataclass(frozen=True, slots=True)
class Once:
    """A command as it can be run: once, without changing files."""

    body: str
    watched: bool = False
    fixed: bool = False
    endless: str = ""
    """The program that never ends, whatever it is given."""

    @property
    def changed(self) -> bool:
        return self.watched or self.fixed


@dataclass
class _Command:
    """One simple command: what stands before the program, the program, its arguments."""

    before: list[str]
    program: str
    arguments: list[str]
    watched: bool = False
    fixed: bool = False
    more_before: list[str] = field(default_factory=list)

    @property
    def first(self) -> str:
        return next((word for word in self.arguments if not word.startswith("-")), "")

    def text(self) -> str:
        return " ".join([*self.more_before, *self.before, *self.arguments])

    def drop(self, unwanted: Sequence[str]) -> bool:
        kept = [word for word in self.arguments if word not in unwanted]
        dropped = len(kept) < len(self.arguments)
        self.arguments = kept
        return dropped


def once(body: str, scripts: Mapping[str, str] | None = None, depth: int = 0) -> Once:
    """`scripts` are those that the command may run by name."""
    whole = Once("")
    for segment, operator in segments(body):
        part = _segment(segment, scripts or {}, depth)
        whole = replace(
            whole,
            body=whole.body + part.body + operator,
            watched=whole.watched or part.watched,
            fixed=whole.fixed or part.fixed,
            endless=whole.endless or part.endless,
        )
    return whole if whole.changed else replace(whole, body=body)


def segments(body: str) -> list[tuple[str, str]]:
    """The simple commands of a line, each with the operator behind it."""
    found: list[tuple[str, str]] = []
    start = 0
    for match in _OPERATOR.finditer(body):
        if match[2] is None:
            continue
        found.append((body[start : match.start()], f" {match[2].strip()} " if match[2].strip() else "\n"))
        start = match.end()
    return [*found, (body[start:], "")]


def programs(body: str) -> list[str]:
    """The programs that a command names, without paths and wrappers."""
    return [command.program for segment, _ in segments(body) if (command := _read(segment)).program]


def _segment(segment: str, scripts: Mapping[str, str], depth: int) -> Once:
    command = _read(segment)
    nested = _nested(command, scripts)
    if nested and depth < _DEPTH:
        return _joined(segment, [once(body, scripts, depth + 1) for body in nested], command)
    if command.program in _ALWAYS or command.first in _SERVING.get(command.program, ()):
        # `vite build` ends, `vite` does not; a first word that is an option's value is rare enough here.
        return Once(segment, endless=command.program)
    _run_once(command)
    _only_look(command)
    return Once(command.text(), command.watched, command.fixed) if command.watched or command.fixed else Once(segment)


def _joined(segment: str, parts: list[Once], command: _Command) -> Once:
    endless = next((part.endless for part in parts if part.endless), "")
    watched, fixed = any(part.watched for part in parts), any(part.fixed for part in parts)
    if command.program == "concurrently" and (watched or endless):
        return Once(segment, endless=command.program)
    if not (watched or fixed):
        return Once(segment, endless=endless)
    given = command.arguments[command.arguments.index("--") + 1 :] if "--" in command.arguments else []
    body = " && ".join(part.body for part in parts)
    prefix = [word for word in command.before if _ASSIGNMENT.match(word)]
    return Once(" ".join([*prefix, body, *given]), watched, fixed, endless)


def _read(segment: str) -> _Command:
    words = _WORD.findall(segment.strip().lstrip("@-"))
    at = 0
    while at < len(words) - 1 and _stands_before(words, at):
        at += 1
    name = re.sub(r"\.(?:c|m)?js$|\.cmd$", "", words[at].strip("\"'").rsplit("/", 1)[-1]) if words else ""
    return _Command(words[: at + 1], name, words[at + 1 :])


def _stands_before(words: list[str], at: int) -> bool:
    word = words[at]
    before = set(words[:at])
    return bool(
        _ASSIGNMENT.match(word)
        or word in _WRAPPERS
        or (word in ("exec", "dlx", "x") and before & _MANAGERS)
        or (word in _MANAGERS and words[at + 1] in ("exec", "dlx", "x"))
        or (word.startswith("-") and before & (_WRAPPERS | {"exec", "dlx", "node"}))
        or (word == "node" and re.search(r"node_modules/|/bin/", " ".join(words[at + 1 :])))
    )


def _nested(command: _Command, scripts: Mapping[str, str]) -> list[str]:
    """The bodies of the scripts that the command runs by name."""
    if command.program in _MANAGERS:
        name = _script_name(command)
        return [scripts[name]] if name in scripts else []
    if command.program not in _LISTS:
        return []
    bodies: list[str] = []
    for word in command.arguments:
        plain = word.strip("\"'")
        names = fnmatch.filter(scripts, plain.removeprefix("npm:").replace("**", "*"))
        if names and (_LISTS[command.program] or plain.startswith("npm:")):
            bodies += [scripts[name] for name in names]
        elif not _LISTS[command.program] and not plain.startswith("-"):
            bodies.append(plain)
    return bodies


def _script_name(command: _Command) -> str:
    words = [word for word in command.arguments if not word.startswith("-")]
    if words[:1] in (["run"], ["run-script"]):
        return words[1] if len(words) > 1 else ""
    if command.program == "npm":
        return {"t": "test", "test": "test"}.get(words[0], "") if words else ""
    # `bun test` is bun's own runner, not the script.
    return words[0] if words and words[0] not in _OWN_COMMANDS and command.program != "bun" else ""


def _run_once(command: _Command) -> None:
    short = ["-w"] if command.program in _SHORT_WATCH else []
    asked = [word for word in command.arguments if _WATCH.fullmatch(word)]
    if command.drop([*short, *asked, *(["--ui"] if command.program in ("vitest", "playwright") else [])]):
        command.watched = True
    special = _SPECIAL.get(command.program)
    if special:
        special(command)


def _vitest(command: _Command) -> None:
    settled = {"run", "related", "list", "bench", "init", "--run", "--watch=false", "--no-watch", "--version", "--help"}
    if command.first in ("watch", "dev"):
        command.drop([command.first])
    if not settled & set(command.arguments):
        command.arguments.insert(0, "run")
        command.watched = True


def _react_scripts(command: _Command) -> None:
    off = {"--watchAll=false", "--watch=false", "--no-watch"} & set(command.arguments)
    if command.first == "test" and not off and not any(word.startswith("CI=") for word in command.before):
        command.more_before = ["CI=true"]
        command.watched = True


def _angular(command: _Command) -> None:
    if command.first == "test" and not {"--watch=false", "--no-watch"} & set(command.arguments):
        command.arguments.append("--watch=false")
        command.watched = True


def _karma(command: _Command) -> None:
    if command.first == "start" and not any(word.startswith("--single-run") for word in command.arguments):
        command.arguments = [word for word in command.arguments if word != "--auto-watch"] + ["--single-run"]
        command.watched = True


def _cypress(command: _Command) -> None:
    if command.first == "open":
        command.arguments = ["run" if word == "open" else word for word in command.arguments]
        command.watched = True


_SPECIAL = {
    "vitest": _vitest,
    **dict.fromkeys(_CRA, _react_scripts),
    "ng": _angular,
    "karma": _karma,
    "cypress": _cypress,
}


def _only_look(command: _Command) -> None:
    """A verification that corrects files would verify something that nobody wrote."""
    if command.program == "prettier" and {"--write", "-w"} & set(command.arguments):
        command.drop(["--write", "-w"])
        command.arguments.insert(0, "--check")
        command.fixed = True
    elif command.program in _FIXERS and command.drop(list(_FIX)):
        command.fixed = True
    elif command.program == "vue-cli-service" and command.first == "lint" and "--no-fix" not in command.arguments:
        command.drop(["--fix"])
        command.arguments.append("--no-fix")
        command.fixed = True
    elif command.program == "rubocop" and command.drop(["-a", "-A", "--auto-correct", "--autocorrect", "-x"]):
        command.fixed = True
