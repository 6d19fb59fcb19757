"""The sample project of the first run: a small real repository with a real bug, and three things to try on it."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from pilothouse.errors import GitFailed
from pilothouse.words import say

_TEMPLATE = Path(__file__).with_name("template")
_SUFFIX = ".txt"
"""Template files carry it so that neither our linters nor our test runner take the deliberate bug for ours."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    title: str
    prompt: str


TRY: tuple[Suggestion, ...] = (
    Suggestion(say("sample.fix.title"), say("sample.fix.prompt", scenario="[[fix-fee]]")),
    Suggestion(say("sample.question.title"), say("sample.question.prompt", scenario="[[invoice]]")),
    Suggestion(say("sample.watch.title"), say("sample.watch.prompt", scenario="[[survey]]")),
)


def create(path: Path) -> None:
    """Make the sample repository at `path`, whole or not at all; what is already there is left alone."""
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{path.name}-", dir=path.parent) as scratch:
        project = Path(scratch) / path.name
        _copy(project)
        _git(project, "init", "--quiet")
        _git(project, "symbolic-ref", "HEAD", "refs/heads/main")
        _git(project, "add", "--all")
        _git(project, "commit", "--quiet", "-m", "Berth fees for the harbour office")
        project.rename(path)


def _copy(project: Path) -> None:
    for source in sorted(_TEMPLATE.rglob(f"*{_SUFFIX}")):
        parts = [part.replace("dot-", ".", 1) for part in source.relative_to(_TEMPLATE).parts]
        target = project.joinpath(*parts).with_suffix("")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)


def _git(project: Path, *arguments: str) -> None:
    """Without the person's own git settings: they may ask for signatures, hooks or templates."""
    settings = ("user.name=Pilothouse", "user.email=sample@pilothouse.invalid", "commit.gpgsign=false")
    options = [part for setting in settings for part in ("-c", setting)]
    env = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    env |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "GIT_TEMPLATE_DIR": ""}
    try:
        result = subprocess.run(
            ["git", *options, *arguments], cwd=project, env=env, capture_output=True, text=True, check=False
        )
    except FileNotFoundError as error:
        raise GitFailed(say("git.missing")) from error
    if result.returncode:
        raise GitFailed(say("sample.git_failed", command=arguments[0], said=result.stderr.strip()))
