"""Files that are neither plain nor readable come back as they were, or are named."""

from __future__ import annotations

import os
import shutil
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from pilothouse.errors import RestoreIncomplete
from pilothouse.git.checkpoints import Checkpoints
from tests.git.repositories import as_anybody, git, observe

START, LATER, UNDO, REDO = (f"refs/pilothouse/s/t/1/{name}" for name in ("start", "later", "undo", "redo"))


def make_socket(place: Path) -> None:
    # The address of a socket is short, and the path of a test's folder may be long.
    folder = os.open(place.parent, os.O_RDONLY)
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(f"/proc/self/fd/{folder}/{place.name}")
    os.close(folder)


@pytest.mark.parametrize("make", [os.mkfifo, make_socket])
def test_what_is_no_file_stays_and_is_named_where_a_file_must_go(
    root: Path, checkpoints: Checkpoints, make: Callable[[Path], None]
) -> None:
    """BYD-3"""
    then = observe(root)
    begun = checkpoints.take(START)
    (root / "a.txt").unlink()
    make(root / "a.txt")
    (root / "b.txt").write_text("changed\n")
    shutil.rmtree(root / "d")
    make(root / "d")
    checkpoints.take(LATER)
    with pytest.raises(RestoreIncomplete) as incomplete:
        checkpoints.restore(begun.commit, UNDO)
    assert incomplete.value.details == {"failed": ["a.txt", "d/c.txt"]}
    assert "a.txt" in incomplete.value.message
    assert (root / "b.txt").read_text() == "b\n"
    assert not (root / "a.txt").is_file()
    (root / "a.txt").unlink()
    (root / "d").unlink()
    restored = checkpoints.restore(begun.commit, UNDO)
    assert observe(root) == then
    checkpoints.restore(restored.undo.commit, REDO)
    assert (root / "b.txt").read_text() == "changed\n"


def test_pipe_in_a_new_directory_is_left_there(root: Path, checkpoints: Checkpoints) -> None:
    """BYD-3"""
    begun = checkpoints.take(START)
    (root / "new").mkdir()
    os.mkfifo(root / "new" / "pipe")
    (root / "new" / "file").write_text("new\n")
    checkpoints.restore(begun.commit, UNDO)
    assert os.listdir(root / "new") == ["pipe"]


def test_unreadable_files_and_directories_are_kept_exactly(root: Path, tmp_path: Path) -> None:
    """WEB-6"""
    (root / "secret").write_text("secret\n")
    (root / "secret").chmod(0)
    (root / "a.txt").chmod(0o200)
    (root / "d").chmod(0)
    then = observe(root)
    done = as_anybody(
        root,
        tmp_path / "state",
        f"begun = tree.take('{START}')",
        "for name in ('secret', 'a.txt', 'd'): os.chmod(root / name, 0o700)",
        "(root / 'secret').unlink(); (root / 'a.txt').write_text('changed')",
        "(root / 'd' / 'c.txt').write_text('changed')",
        "(root / 'b.txt').chmod(0)",
        f"tree.restore(begun.commit, '{UNDO}')",
        "assert tree.same_as(begun.commit)",
    )
    assert done.returncode == 0, done.stderr
    assert observe(root) == then
    assert (root / "d").stat().st_mode & 0o7777 == 0


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_file_of_another_user_that_cannot_be_read_is_named(root: Path, tmp_path: Path) -> None:
    """BYD-3"""
    (root / "theirs").write_text("theirs\n")
    (root / "theirs").chmod(0o600)
    os.chown(root / "theirs", 1, 1)
    done = as_anybody(root, tmp_path / "state", f"tree.take('{START}')")
    assert "CheckpointFailed" in done.stderr
    assert "theirs" in done.stderr


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_file_that_may_not_be_changed_is_named_and_the_rest_comes_back(root: Path, tmp_path: Path) -> None:
    """BYD-3"""
    done = as_anybody(
        root,
        tmp_path / "state",
        "from pilothouse.errors import RestoreIncomplete",
        f"begun = tree.take('{START}')",
        "(root / 'd' / 'c.txt').write_text('changed'); (root / 'b.txt').write_text('changed')",
        "os.chown(root / 'd', 1, 1)",
        f"try: tree.restore(begun.commit, '{UNDO}')",
        "except RestoreIncomplete as error: print(error.details)",
    )
    assert done.stdout == "{'failed': ['d/c.txt']}\n", done.stderr
    assert (root / "b.txt").read_text() == "b\n"


def test_directories_get_their_mode_back(root: Path, checkpoints: Checkpoints) -> None:
    """WEB-6"""
    for name in ("shared", "shared/deep", "empty"):
        (root / name).mkdir()
    (root / "shared" / "deep" / "x").write_text("x\n")
    (root / "shared").chmod(0o2775)
    (root / "empty").chmod(0o700)
    begun = checkpoints.take(START)
    (root / "d").chmod(0o700)
    assert not checkpoints.same_as(begun.commit)
    (root / "shared").chmod(0o755)
    shutil.rmtree(root / "empty")
    checkpoints.restore(begun.commit, UNDO)
    assert checkpoints.same_as(begun.commit)
    modes = {name: (root / name).stat().st_mode & 0o7777 for name in ("d", "shared", "shared/deep", "empty")}
    assert modes == {"d": 0o755, "shared": 0o2775, "shared/deep": 0o755, "empty": 0o700}


def test_setting_about_case_does_not_make_two_files_one(root: Path, tmp_path: Path) -> None:
    """WEB-6"""
    (root / "A.TXT").write_text("other\n")
    git(root, "config", "core.ignorecase", "true")
    then = observe(root)
    checkpoints = Checkpoints(root, tmp_path / "state")
    begun = checkpoints.take(START)
    (root / "A.TXT").unlink()
    (root / "a.txt").write_text("changed\n")
    checkpoints.restore(begun.commit, UNDO)
    assert observe(root).files == then.files


def test_changed_file_of_excludes_does_not_lose_what_was_not_ignored(root: Path, tmp_path: Path) -> None:
    """WEB-6"""
    checkpoints = Checkpoints(root, tmp_path / "state")
    (root / "notes").write_text("notes\n")
    begun = checkpoints.take(START)
    (tmp_path / "ignore").write_text("notes\nnew\n")
    git(root, "config", "core.excludesFile", str(tmp_path / "ignore"))
    (root / "notes").unlink()
    (root / "new").write_text("new\n")
    restored = checkpoints.restore(begun.commit, UNDO)
    assert (root / "notes").read_text() == "notes\n"
    assert not (root / "new").exists()
    checkpoints.restore(restored.undo.commit, REDO)
    assert (root / "new").read_text() == "new\n"


def test_list_of_submodules_that_became_a_link_is_a_file_again(root: Path, checkpoints: Checkpoints) -> None:
    """WEB-6"""
    (root / ".gitmodules").write_text("# none\n")
    git(root, "add", ".gitmodules")
    then = observe(root)
    begun = checkpoints.take(START)
    (root / ".gitmodules").unlink()
    (root / ".gitmodules").symlink_to("a.txt")
    before = observe(root)
    restored = checkpoints.restore(begun.commit, UNDO)
    assert observe(root) == then
    checkpoints.restore(restored.undo.commit, REDO)
    assert observe(root).files == before.files


def test_submodules_listed_behind_a_symbolic_link_are_kept(root: Path, checkpoints: Checkpoints) -> None:
    """WEB-6"""
    (root / "modules").write_text('[submodule "x"]\n\tpath = d\n\turl = ../x\n')
    begun = checkpoints.take(START)
    (root / ".gitmodules").symlink_to("modules")
    checkpoints.take(LATER)
    checkpoints.restore(begun.commit, UNDO)
    assert not os.path.lexists(root / ".gitmodules")
    (root / ".gitmodules").symlink_to("modules")
    linked = checkpoints.take(LATER)
    (root / ".gitmodules").unlink()
    checkpoints.restore(linked.commit, REDO)
    assert os.readlink(root / ".gitmodules") == "modules"
