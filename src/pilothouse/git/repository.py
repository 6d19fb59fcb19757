"""Finds a repository's directories, and refuses paths that cannot be a project."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from pilothouse.errors import GitFailed, InvalidInput
from pilothouse.git.commands import Git
from pilothouse.git.model import RepositoryInfo


@dataclass(frozen=True, slots=True)
class Repository:
    root: Path
    git_dir: Path
    common_dir: Path
    algorithm: str
    git: Git

    @classmethod
    def open(cls, root: Path) -> Repository:
        root = Path(os.path.realpath(root))
        git = Git(root)
        asked = ("--absolute-git-dir", "--git-common-dir", "--show-object-format", "--show-toplevel")
        answer = git.text("rev-parse", *asked).split("\n")
        if len(answer) != len(asked) or Path(answer[3]) != root:
            raise GitFailed(f"{root} is not the root of a git working tree")
        git_dir = Path(os.path.realpath(answer[0]))
        return cls(root, git_dir, Path(os.path.realpath(root / answer[1])), answer[2], git)

    @property
    def objects(self) -> Path:
        return self.common_dir / "objects"

    @property
    def id_length(self) -> int:
        return 20 if self.algorithm == "sha1" else 32

    def head(self) -> tuple[str | None, str | None]:
        """The branch HEAD is on (full name; None when detached), and its commit (None before the first)."""
        branch = self.git.text("symbolic-ref", "-q", "HEAD", ok=(0, 1)) or None
        commit = self.git.text("rev-parse", "-q", "--verify", "HEAD^{commit}", ok=(0, 1)) or None
        return branch, commit


def short_name(ref: str | None) -> str | None:
    """`main` for `refs/heads/main`."""
    return ref.removeprefix("refs/heads/") if ref else None


def require(path: Path) -> Repository:
    """Opens a path that can be a project; refuses any other and says what to do: FTR-2."""
    root = _directory(path)
    try:
        repository = _opened(root, _signature(root))
    except GitFailed as refused:
        raise _not_a_root(root, refused) from refused
    if not os.access(repository.git_dir, os.W_OK | os.X_OK):
        raise _invalid(
            f"Cannot write to project directory: {repository.git_dir}",
            f"Give your user write access to it: chmod -R u+rwX '{repository.git_dir}'",
        )
    return repository


@lru_cache(maxsize=256)
def _opened(root: Path, signature: tuple[object, ...]) -> Repository:
    """Every message asks for this; git is asked again only when the signature has changed."""
    return Repository.open(root)


def _signature(root: Path) -> tuple[object, ...]:
    """Changes whenever git might say something else about the root."""
    found: list[object] = []
    for place in (root, root / ".git", root / ".git" / "HEAD"):
        try:
            about = place.lstat()
        except OSError:
            found.append(None)
            continue
        found += [about.st_dev, about.st_ino, about.st_uid, about.st_mode]
        # Where `.git` is a file it names the git directory.
        if not stat.S_ISDIR(about.st_mode):
            found.append(about.st_mtime_ns)
    return tuple(found)


def inspect(path: Path) -> RepositoryInfo:
    """Describes a path that can be a project; refuses any other."""
    repository = require(path)
    branch, head = repository.head()
    linked = repository.git_dir != repository.common_dir and repository.git_dir.parent.name == "worktrees"
    return RepositoryInfo(repository.root, repository.git_dir, repository.common_dir, short_name(branch), head, linked)


def _directory(path: Path) -> Path:
    if "\0" in str(path) or not path.is_absolute():
        raise _invalid("Project path is not an absolute path", "Give the whole path, starting with /.")
    try:
        root = path.resolve(strict=True)
    except FileNotFoundError:
        raise _invalid(
            f"Project path does not exist: {path}", "Check the spelling, or create the directory first."
        ) from None
    except (OSError, RuntimeError) as error:
        raise _invalid(
            f"Cannot read project directory: {error}", "Give your user access to every directory on the way."
        ) from error
    if not root.is_dir():
        raise _invalid(f"Project path is not a directory: {root}", f"Give the directory that holds it: {root.parent}")
    if not os.access(root, os.R_OK | os.X_OK):
        raise _invalid(f"Cannot read project directory: {root}", f"Give your user read access: chmod u+rx '{root}'")
    if not os.access(root, os.W_OK):
        raise _invalid(f"Cannot write to project directory: {root}", f"Give your user write access: chmod u+w '{root}'")
    return root


def _not_a_root(root: Path, refused: GitFailed) -> InvalidInput:
    if "dubious ownership" in refused.message:
        return _invalid(
            f"Cannot read project directory: git refuses it because another user owns it: {root}",
            f"Trust it: git config --global --add safe.directory '{root}'",
        )
    try:
        top = Git(root).text("rev-parse", "--show-toplevel")
    except GitFailed:
        return _invalid(
            f"Project path is not a git repository: {root}",
            f"Make it one: git init '{root}', then make a first commit.",
        )
    return _invalid(
        f"Project path is not a git repository of its own, it lies inside one: {root}", f"Use its root: {top}"
    )


def _invalid(message: str, remedy: str) -> InvalidInput:
    return InvalidInput(f"{message}. {remedy}", field="project_path", details={"remedy": remedy})
