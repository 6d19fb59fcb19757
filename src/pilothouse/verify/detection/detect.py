"""Detects the checks of a project that names none, from its manifests. Runs nothing."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from pilothouse.domain.task.checks import Check
from pilothouse.verify.detection import compiled, javascript, python, scripted, targets
from pilothouse.verify.detection.folder import PASSED_OVER, Folder, FoundCheck, Kind, program
from pilothouse.words import say

_LOOK: tuple[Callable[[Folder], list[FoundCheck]], ...] = (
    javascript.find,
    javascript.find_deno,
    python.find,
    compiled.find_cargo,
    compiled.find_go,
    compiled.find_gradle,
    compiled.find_maven,
    compiled.find_sbt,
    compiled.find_dotnet,
    compiled.find_cmake,
    compiled.find_swift,
    scripted.find_php,
    scripted.find_ruby,
    scripted.find_elixir,
    scripted.find_dart,
    targets.find,
)
_NOT_PARTS = {
    *PASSED_OVER,
    "docs",
    "doc",
    "examples",
    "example",
    "samples",
    "scripts",
    "third_party",
    "fixtures",
    "tools",
}
_PARTS = 8


@dataclass(frozen=True, slots=True)
class Detected:
    checks: tuple[Check, ...]
    notes: tuple[str, ...] = ()
    """What was left out and why, and which programs are missing."""


def detect(root: Path, package: str | None = None, *, which: Callable[[str], str | None] = shutil.which) -> Detected:
    """What a person would run to see whether the project, or one package of it, is right."""
    notes: list[str] = []
    found = _in(Folder(root, package or "", which, notes))
    if not found and package:
        found = _from_root(root, package, which, notes)
    elif not found:
        found = [one for part in _parts(root) for one in _in(Folder(root, part, which, notes))]
    checks = _named(sorted(found, key=lambda one: one.kind))
    return Detected(tuple(checks), (*notes, *_missing(root, checks, which)))


def _in(folder: Folder) -> list[FoundCheck]:
    found = [one for look in _LOOK for one in look(folder)]
    own = [one for one in found if one.is_target]
    native = [one for one in found if not one.is_target]
    for target in own:
        native = [one for one in native if not _covered(one, target, native, folder)]
        beside = [one for one in native if one.kind is target.kind is Kind.TESTS]
        if beside:
            folder.note(say("detected.same_tests", one=str(target.command), other=str(beside[0].command)))
    return native + own


def _covered(one: FoundCheck, target: FoundCheck, native: list[FoundCheck], folder: Folder) -> bool:
    """Whether one of the project's own targets does the same as what was found beside it."""
    if one.kind is not target.kind:
        return False
    alone = sum(other.kind is one.kind for other in native) == 1
    if _words(one) & {_ALIKE.get(tool, tool) for tool in target.runs} or (alone and not target.runs):
        folder.note(say("detected.covered", command=str(one.command), source=target.source))
        return True
    return False


_ALIKE = {"npx": "npm", "bunx": "bun", "gradlew": "gradle", "mvn": "maven", "mvnw": "maven"}


def _words(one: FoundCheck) -> set[str]:
    """The words by which a recipe may call it."""
    first = (program(one.command) or one.tool).rsplit("/", 1)[-1]
    return {one.tool, _ALIKE.get(first, first)}


def _from_root(root: Path, package: str, which: Callable[[str], str | None], notes: list[str]) -> list[FoundCheck]:
    """A package without a manifest gets the checks of the root."""
    found = _in(Folder(root, "", which, notes))
    if found:
        notes.append(say("detected.whole_repository", package=package))
    return found


def _parts(root: Path) -> list[str]:
    """The folders of a root without a manifest, which may be projects."""
    try:
        names = sorted(entry.name for entry in root.iterdir() if entry.is_dir() and not entry.is_symlink())
    except OSError:
        return []
    return [name for name in names if not name.startswith(".") and name not in _NOT_PARTS][:_PARTS]


def _named(found: Iterable[FoundCheck]) -> list[Check]:
    """Names them by what they do, and by tool and folder too where that is ambiguous."""
    listed = list(dict.fromkeys(found))
    by_kind = Counter(one.kind for one in listed)
    by_folder = Counter((one.kind, one.folder) for one in listed)
    checks: list[Check] = []
    for one in listed:
        name = one.kind.word
        several_folders = by_kind[one.kind] > by_folder[one.kind, one.folder]
        if several_folders and one.folder:
            name = f"{name} in {one.folder.replace('/', '-')}"
        if by_folder[one.kind, one.folder] > 1:
            name = f"{name} ({one.tool})"
        checks.append(Check(_free(name, checks), one.command, one.seconds, one.folder, one.source))
    return checks


def _free(name: str, taken: list[Check]) -> str:
    names = {check.name for check in taken}
    return next(free for n in range(1, len(taken) + 2) if (free := name if n == 1 else f"{name} {n}") not in names)


def _missing(root: Path, checks: list[Check], which: Callable[[str], str | None]) -> list[str]:
    wanted: dict[str, list[str]] = {}
    for check in checks:
        name = program(check.command) if isinstance(check.command, str) else check.command[0]
        if name and not _present(root / check.folder, name, which):
            wanted.setdefault(name, []).append(check.name)
    return [
        say("detected.not_installed", name=name, checks=_joined([f"“{check}”" for check in names]))
        for name, names in wanted.items()
    ]


def _joined(names: list[str]) -> str:
    *others, last = names
    return say("and", first=_joined(others), last=last) if others else last


def _present(folder: Path, name: str, which: Callable[[str], str | None]) -> bool:
    return (folder / name).exists() if "/" in name else which(name) is not None
