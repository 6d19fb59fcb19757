"""Finds a repository's directories, and refuses paths that cannot be a project."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from pilothouse.errors import GitFailed, GitStuck, InvalidInput
from pilothouse.git.commands import Git
from pilothouse.git.model import RepositoryInfo
from pilothouse.git.names import spelled
from pilothouse.words import say, sentences


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
            raise GitFailed(say("git.not_a_root", root=str(root)))
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
    return spelled(ref.removeprefix("refs/heads/")) if ref else None


def require(path: Path) -> Repository:
    """Opens a path that can be a project; refuses any other and says what to do: FTR-2."""
    root = _directory(path)
    try:
        repository = _opened(root, _signature(root))
    except GitStuck:
        raise
    except GitFailed as refused:
        raise _not_a_root(root, refused) from refused
    if not os.access(repository.git_dir, os.W_OK | os.X_OK):
        raise _invalid(
            say("project.not_writable", path=str(repository.git_dir)),
            say("project.fix.write_all", path=str(repository.git_dir)),
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
        raise _invalid(say("project.not_absolute"), say("project.fix.whole_path"))
    try:
        root = path.resolve(strict=True)
    except FileNotFoundError:
        raise _invalid(say("project.missing", path=str(path)), say("project.fix.spelling")) from None
    except (OSError, RuntimeError) as error:
        raise _invalid(say("project.not_readable", path=str(error)), say("project.fix.access")) from error
    if not root.is_dir():
        raise _invalid(say("project.no_directory", path=str(root)), say("project.fix.directory", path=str(root.parent)))
    if not os.access(root, os.R_OK | os.X_OK):
        raise _invalid(say("project.not_readable", path=str(root)), say("project.fix.read", path=str(root)))
    if not os.access(root, os.W_OK):
        raise _invalid(say("project.not_writable", path=str(root)), say("project.fix.write", path=str(root)))
    return root


def _not_a_root(root: Path, refused: GitFailed) -> InvalidInput:
    if "dubious ownership" in refused.message:
        return _invalid(
            say("project.owned_by_another", path=str(root)),
            say("project.fix.trust", path=str(root)),
        )
    try:
        top = Git(root).text("rev-parse", "--show-toplevel")
    except GitFailed:
        return _invalid(
            say("project.no_repository", path=str(root)),
            say("project.fix.init", path=str(root)),
        )
    return _invalid(say("project.inside_repository", path=str(root)), say("project.fix.root", path=top))


def _invalid(message: str, remedy: str) -> InvalidInput:
    return InvalidInput(sentences(message, remedy), field="project_path", details={"remedy": remedy})
