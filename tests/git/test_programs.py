"""Looking at a repository runs none of its programs."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pilothouse.errors import ProgramsNotAccepted
from pilothouse.git import programs
from pilothouse.git.changes import commit, status
from pilothouse.git.checkpoints import Checkpoints
from pilothouse.git.commands import Git
from pilothouse.git.repository import inspect, require
from pilothouse.git.scratch import Scratch
from tests.git.repositories import git, make_repository
from tests.git.traps import plant, program, sprung

START, LATER, UNDO = (f"refs/pilothouse/s/t/1/{name}" for name in ("start", "later", "undo"))


def trapped(tmp_path: Path) -> tuple[Path, Path]:
    """A repository with a submodule, a nested repository, and a missing object that a remote would have."""
    root = make_repository(tmp_path / "repository")
    library = make_repository(tmp_path / "library")
    git(root, "submodule", "-q", "add", str(library), "library")
    git(root, "commit", "-q", "-m", "library")
    make_repository(root / "nested")
    marks = tmp_path / "marks"
    plant(root, marks)
    return root, marks


def test_traps_do_spring(tmp_path: Path) -> None:
    """BYD-23: else the tests below would prove nothing"""
    root, marks = trapped(tmp_path)
    os.utime(root / "a.txt", (0, 0))
    os.utime(root / "library" / "a.txt", (0, 0))
    git(root, "status")
    assert {"repository-clean", "library-clean", "repository-fsmonitor"} <= set(sprung(marks))


def test_looking_runs_no_program_of_the_repository(tmp_path: Path) -> None:
    """BYD-23"""
    root, marks = trapped(tmp_path)
    checkpoints = Checkpoints(root, tmp_path / "state")
    begun = checkpoints.take(START)
    for place in (root, root / "library", root / "nested"):
        (place / "a.txt").write_text("changed\n")
        (place / "new.txt").write_text("new\n")
        os.utime(place / "b.txt", (0, 0))
    require(root), inspect(root)
    assert {file.path for file in status(root)} >= {"a.txt", "new.txt", ".gitattributes"}
    later = checkpoints.take(LATER)
    checkpoints.diff(begun.commit, later.commit), checkpoints.diff(begun.commit)
    checkpoints.stat(begun.commit), checkpoints.preview(begun.commit), checkpoints.same_as(begun.commit)
    checkpoints.size(), checkpoints.free(0)
    scratch = Scratch.make(checkpoints, begun.commit, tmp_path / "scratch", link_ignored=True)
    (scratch.root / "a.txt").write_text("proposed\n")
    proposed = scratch.save("refs/pilothouse/s/t/1/proposed")
    checkpoints.fit(begun.commit, proposed.commit)
    scratch.remove()
    (root / ".git" / "HEAD").write_text("ref: refs/heads/other\n")
    checkpoints.restore(begun.commit, UNDO)
    assert sprung(marks) == []


def test_missing_object_is_not_fetched(tmp_path: Path) -> None:
    """BYD-23: a partial clone fetches what it lacks by the repository's own commands"""
    root, marks = trapped(tmp_path)
    head = git(root, "rev-parse", "HEAD").decode().strip()
    (root / ".git" / "objects" / head[:2] / head[2:]).unlink()
    git(root, "-c", "core.hooksPath=/dev/null", "cat-file", "-e", head, check=False)
    assert "repository-remote" in sprung(marks)
    for mark in marks.iterdir():
        mark.unlink()
    Git(root).run("cat-file", "-e", head, ok=(0, 1, 128))
    assert sprung(marks) == []


def test_view_sees_what_the_repository_says_of_its_files(root: Path, tmp_path: Path) -> None:
    """WEB-13: also in a linked working tree, and with what the configuration says of modes and ignored files"""
    for setting in (("core.fileMode", "false"), ("core.excludesFile", str(tmp_path / "ignored"))):
        git(root, "config", *setting)
    (tmp_path / "ignored").write_text("*.log\n")
    linked = tmp_path / "linked"
    git(root, "worktree", "add", "-q", str(linked))
    for place in (root, linked):
        (place / "a.txt").chmod(0o755)
        (place / "x.log").write_text("x")
        (place / "b.txt").write_text("changed\n")
        git(place, "add", "b.txt")
        (place / "new.txt").write_text("new\n")
        found = [(file.path, file.status, file.staged) for file in status(place)]
        assert found == [("b.txt", "modified", True), ("new.txt", "untracked", False)]


def test_commit_asks_before_it_runs_what_the_repository_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """BYD-23: the person's own programs run; the repository's only as accepted, and no others with them"""
    root, marks = trapped(tmp_path)
    home = tmp_path / "home"
    home.mkdir()
    clean = program(marks, "own-clean")
    (home / ".gitconfig").write_text(f'[user]\n\tname = P\n\temail = p@localhost\n[filter "own"]\n\tclean = {clean}\n')
    monkeypatch.setenv("HOME", str(home))
    (root / "own.txt").write_text("own\n")
    (root / ".gitattributes").write_text("* filter=trap\n*.txt filter=own\n")
    (root / "library" / "a.txt").write_text("changed\n")
    for paths in (None, ["own.txt"]):
        with pytest.raises(ProgramsNotAccepted) as refused:
            commit(root, "Own", paths)
        assert sprung(marks) == []
    listed = refused.value.details["programs"] if refused.value.details else []
    names = {program["name"] for program in listed}
    assert names >= {"pre-commit", "commit-msg", "filter.trap.clean", "filter.more.clean", "gpg.program"}
    assert "a person sees" in next(found["text"] for found in listed if found["name"] == "pre-commit")
    git(root, "config", "commit.gpgSign", "false")
    accepted = {program["digest"] for program in listed}
    with pytest.raises(ProgramsNotAccepted):
        commit(root, "Own", None, accepted - {listed[0]["digest"]})
    commit(root, "Own", None, accepted)
    assert set(sprung(marks)) >= {"own-clean", "repository-clean", "repository-hook-pre-commit"}
    assert not [mark for mark in sprung(marks) if mark.startswith(("library", "nested"))]
    program(marks, "repository-hook-pre-commit", "exit 0 # another one")
    (root / "own.txt").write_text("more\n")
    with pytest.raises(ProgramsNotAccepted, match=r"pre-commit"):
        commit(root, "Own", None, accepted)


def test_persons_own_hooks_run_without_a_question(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """WEB-13"""
    home, marks = tmp_path / "home", tmp_path / "marks"
    (home / "hooks").mkdir(parents=True)
    marks.mkdir()
    (home / "hooks" / "pre-commit").symlink_to(program(marks, "own-hook", "exit 0"))
    (home / ".gitconfig").write_text(f"[user]\n\tname = P\n\temail = p@localhost\n[core]\n\thooksPath = {home}/hooks\n")
    monkeypatch.setenv("HOME", str(home))
    (root / ".git" / "hooks" / "pre-commit").symlink_to(program(marks, "repository-hook", "exit 0"))
    (root / "a.txt").write_text("changed\n")
    commit(root, "Change")
    assert sprung(marks) == ["own-hook"]


def test_what_was_planted_since_is_found(root: Path, tmp_path: Path) -> None:
    """BYD-23"""
    make_repository(root / "nested")
    before = programs.every(root)
    assert before == ()
    (root / "a.txt").write_text("changed\n")
    assert programs.planted(before, programs.every(root)) == ()
    git(root / "nested", "config", "filter.x.clean", "evil")
    git(root, "config", "alias.st", "!evil")
    (tmp_path / "marks").mkdir()
    (root / ".git" / "hooks" / "post-checkout").symlink_to(program(tmp_path / "marks", "planted"))
    found = programs.planted(before, programs.every(root))
    assert [(one.kind, one.name) for one in found] == [
        ("hook", "post-checkout"),
        ("setting", "alias.st"),
        ("setting", "nested: filter.x.clean"),
    ]
    assert programs.planted(programs.every(root), programs.every(root)) == ()


def test_what_is_planted_between_two_checkpoints_is_told_of_nested_repositories_too(tmp_path: Path) -> None:
    """BYD-23: what runs as it did before is not told again."""
    root = make_repository(tmp_path / "repository")
    inner = make_repository(root / "inner")
    git(root, "config", "alias.st", "!git status")
    checkpoints = Checkpoints(root, tmp_path / "state")
    begun = checkpoints.take(START)
    for place in (root, inner):
        hook = place / ".git" / "hooks" / "pre-push"
        hook.parent.mkdir(exist_ok=True)
        hook.write_text("#!/bin/sh\n")
    git(root, "config", "diff.x.textconv", "evil")
    (root / ".git" / "config.worktree").write_text("[core]\n\tsshCommand = evil\n")
    git(inner, "config", "include.path", "../settings")
    (inner / ".git" / "hooks" / "pre-push").chmod(0o755)
    clone = make_repository(root / "clone")
    git(clone, "config", "credential.helper", "evil")
    later = checkpoints.take(LATER)
    named = [program.name for program in checkpoints.planted(begun.commit, later.commit)]
    assert named == [
        "diff.x.textconv", "core.sshcommand", "inner: pre-push", "inner: include.path", "clone: credential.helper",
    ]  # fmt: skip
    assert checkpoints.planted(later.commit, later.commit) == ()
    # Nothing is new on the way back: what goes away runs nothing.
    assert checkpoints.planted(later.commit, begun.commit) == ()
