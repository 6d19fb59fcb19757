"""Finds changes in the configuration of checks: which run, what they collect, and what they demand."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from pilothouse.domain.task.doubts import Doubt, DoubtKind
from pilothouse.verify.tamper import readers
from pilothouse.words import say

Facts = Mapping[str, str]
Reader = Callable[[bytes], Facts]

READERS: tuple[tuple[re.Pattern[str], Reader], ...] = tuple(
    (re.compile(rf"(^|/){pattern}$"), reader)
    for pattern, reader in (
        (r"agent\.ya?ml", readers.agent),
        (r"pyproject\.toml", readers.pyproject),
        (r"(\.?pytest\.ini|tox\.ini|setup\.cfg|\.coveragerc)", readers.ini),
        (r"conftest\.py", readers.conftest),
        (r"package\.json", readers.package_json),
        (r"(jest|vitest|playwright|karma|cypress|wdio|ava)(\.[\w-]+)?\.(config|conf)\.[cm]?[jt]s", readers.script),
        (r"vite\.config\.[cm]?[jt]s", readers.vite),
        (
            r"(\.mocharc\.(json|ya?ml)|\.nycrc(\.json)?|jest\.config\.json|\.?codecov\.ya?ml)",
            readers.yaml,
        ),
        (r"(GNU)?[Mm]akefile|[Jj]ustfile|[^/]+\.mk", readers.makefile),
        (r"(\.github/workflows/[^/]+|\.gitlab-ci|\.circleci/config|azure-pipelines|\.travis)\.ya?ml", readers.workflow),
        (r"Cargo\.toml|nextest\.toml|\.cargo/config(\.toml)?", readers.cargo),
        (r"pom\.xml", readers.maven),
        (r"build\.gradle(\.kts)?", readers.gradle),
    )
)

# A setting that is new leaves something out, asks for less, or lets a failure pass.
_RESTRICTIVE = re.compile(
    r"ignore|exclude|skip|only|grep|retr|rerun|bail|fail|pass|match|regex|include|roots|testdir|testpaths"
    r"|projects|shard|deselect|allow|continue|update|addopts|python_|norecurse|collect|omit|test = false|harness"
    r"|agent\.yaml|pytest_",
    re.IGNORECASE,
)
# One more command leaves nothing out; a limit where there was none asks for more.
_HARMLESS = re.compile(r"^(target |script |[\w-]+: )|fail_under|threshold|coverage.*(exclude|include)")
_SHOWN = 80


def reader_of(path: str) -> Reader | None:
    return next((reader for pattern, reader in READERS if pattern.search(path)), None)


def facts(path: str, content: bytes | None) -> Facts | None:
    """What the file says about the checks. None when it cannot be read."""
    reader = reader_of(path)
    if reader is None or content is None:
        return {}
    try:
        return reader(content)
    except (ValueError, RecursionError, readers.Unreadable):
        return None


def changes(path: str, old_path: str, old: bytes | None, new: bytes | None) -> Iterator[Doubt]:
    was, now = facts(old_path, old), facts(path, new)
    if was is None or not (was or now or now is None):
        return
    if now is None:
        yield _doubt(path, path, say("doubt.checks.unreadable"))
        return
    for name in sorted({*was, *now}):
        message = _told(name, was.get(name), now.get(name))
        if message:
            yield _doubt(path, name, message)


def _told(name: str, was: str | None, now: str | None) -> str:
    if was == now:
        return ""
    if was is None:
        restrictive = _RESTRICTIVE.search(f"{name} = {now}") and not _HARMLESS.search(name)
        return say("doubt.checks.new", now=_short(now)) if restrictive else ""
    if now is None:
        return say("doubt.checks.gone", was=_short(was))
    return say("doubt.checks.changed", was=_short(was), now=_short(now))


def _short(value: str | None) -> str:
    words = " ".join((value or "").split())
    return f"“{words[: _SHOWN - 1]}…”" if len(words) > _SHOWN else f"“{words}”"


def _doubt(path: str, name: str, message: str) -> Doubt:
    return Doubt(DoubtKind.CHECKS_CHANGED, path, None, name, message)
