"""A checkpoint does not depend on the repository it protects."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from pilothouse.errors import NotFound
from pilothouse.git.checkpoints import Checkpoints
from pilothouse.git.model import BranchMove, Loss
from tests.git.checkpoint.losses import LOSSES, drop_loose, furnish, init_over, remove, whole, work
from tests.git.repositories import ENVIRONMENT, git, make_repository, observe

ONE, TWO, UNDO, REDO = (f"refs/pilothouse/s/t/1/{name}" for name in ("one", "two", "undo", "redo"))


def fsck(root: Path) -> None:
    """A reflog may name commits that nobody needs."""
    command = ["git", "fsck", "--full", "--no-dangling", "--no-reflogs"]
    done = subprocess.run(command, cwd=root, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr


def bytes_of(place: Path) -> dict[str, bytes]:
    """The files of a `.git`, apart from objects; a reflog also names what was done to restore it."""
    files = (path for path in place.rglob("*") if path.is_file() and not {"objects", "logs"} & {*path.parts})
    return {str(path.relative_to(place)): path.read_bytes() for path in files}


@pytest.mark.parametrize("loss", LOSSES)
def test_what_was_lost_is_made_again_and_the_restore_can_be_undone(root: Path, tmp_path: Path, loss: str) -> None:
    """BYD-3 WEB-6 BYD-22"""
    what, lose = LOSSES[loss]
    furnish(root)
    checkpoints = Checkpoints(root, tmp_path / "state")
    then = whole(root)
    start = checkpoints.take(ONE)
    work(root)
    lose(root)
    files, before = observe_files(root), bytes_of(root / ".git")
    lost = (Loss("", what),)  # type: ignore[arg-type]
    assert checkpoints.lost(start.commit) == (lost if what != "objects" else ())
    preview = checkpoints.preview(start.commit)
    assert preview.lost == lost
    assert {"a.txt", "new.txt", "agent.txt"} <= {change.path for change in preview.files}
    restored = checkpoints.restore(start.commit, UNDO)
    assert restored.lost == lost
    assert whole(root) == then
    fsck(root)
    if what == "broken":
        assert b"initial" in git(root, "reflog")
    assert checkpoints.same_as(start.commit)
    assert checkpoints.lost(start.commit) == ()
    checkpoints.restore(restored.undo.commit, REDO)
    assert observe_files(root) == files
    if what != "objects":
        after = bytes_of(root / ".git")
        assert {name: after.get(name) for name in before} == before
        assert (root / ".git").exists() == (loss != "removed")
    again = Checkpoints(root, tmp_path / "state").restore(start.commit, TWO)
    assert whole(root) == then
    checkpoints.restore(again.undo.commit, f"{REDO}2")
    assert observe_files(root) == files


def observe_files(root: Path) -> dict[str, bytes]:
    found = {}
    for where, directories, names in os.walk(root):
        if ".git" in directories:
            directories.remove(".git")
        for name in names:
            found[os.path.relpath(os.path.join(where, name), root)] = Path(where, name).read_bytes()
    return found


def test_everything_but_restoring_goes_on_without_a_repository(root: Path, tmp_path: Path) -> None:
    """BYD-3: also in a server that was started since."""
    furnish(root)
    start = Checkpoints(root, tmp_path / "state").take(ONE)
    (root / "agent.txt").write_text("agent\n")
    later = Checkpoints(root, tmp_path / "state").take(TWO)
    remove(root)
    checkpoints = Checkpoints(root, tmp_path / "state")
    assert [found.commit for found in checkpoints.refs()] == [start.commit, later.commit]
    assert [change.path for change in checkpoints.stat(start.commit, later.commit).files] == ["agent.txt"]
    assert "+agent" in checkpoints.diff(start.commit, None, "agent.txt").text
    assert not checkpoints.same_as(later.commit)
    assert checkpoints.size() > 1000
    without = checkpoints.take(UNDO)
    assert (without.head, without.branch) == (None, None)
    assert checkpoints.forget(TWO) == 1
    checkpoints.tidy()
    checkpoints.restore(start.commit, REDO)
    fsck(root)
    assert not (root / "agent.txt").exists()


def test_branches_tags_and_stashes_that_were_dropped_are_listed_and_come_back_one_by_one(
    root: Path, tmp_path: Path
) -> None:
    """BYD-3 BYD-22: a rollback moves none of them, and nothing that git frees is lost."""
    furnish(root)
    checkpoints = Checkpoints(root, tmp_path / "state")
    then = whole(root)
    start = checkpoints.take(ONE)
    git(root, "stash", "drop", "-q")
    git(root, "stash", "pop", "-q", check=False)
    git(root, "stash", "clear")
    git(root, "branch", "-D", "other")
    git(root, "tag", "-d", "light", "heavy")
    git(root, "switch", "-q", "-f", "--orphan", "elsewhere")
    git(root, "branch", "-D", "main")
    git(root, "commit", "-q", "--allow-empty", "-m", "elsewhere")
    git(root, "update-ref", "-d", "refs/remotes/origin/main")
    git(root, "reflog", "expire", "--expire=now", "--all")
    git(root, "gc", "-q", "--prune=now")
    preview = checkpoints.preview(start.commit)
    gone = [(move.kind, move.branch) for move in preview.other_branches_moved if move.then and not move.now]
    assert {("branch", "other"), ("tag", "light"), ("tag", "heavy")} <= set(gone)
    assert [kind for kind, _ in gone].count("stash") == 2
    restored = checkpoints.restore(start.commit, UNDO)
    assert restored.lost == (Loss("", "replaced"),)
    assert whole(root) == then
    checkpoints.restore(restored.undo.commit, REDO)
    assert git(root, "symbolic-ref", "HEAD") == b"refs/heads/elsewhere\n"


def test_a_branch_a_tag_and_a_stash_come_back_without_a_rollback(root: Path, tmp_path: Path) -> None:
    """BYD-3 BYD-22"""
    furnish(root)
    checkpoints = Checkpoints(root, tmp_path / "state")
    then = whole(root)
    start = checkpoints.take(ONE)
    git(root, "stash", "drop", "-q", "stash@{1}")
    git(root, "stash", "drop", "-q")
    git(root, "branch", "-D", "other")
    git(root, "tag", "-d", "heavy")
    git(root, "tag", "-f", "light", "HEAD~1")
    git(root, "tag", "mine")
    git(root, "reflog", "expire", "--expire=now", "--all")
    git(root, "gc", "-q", "--prune=now")
    moves = checkpoints.restore(start.commit, UNDO).other_branches_moved
    assert [(move.kind, move.branch) for move in moves] == [
        ("branch", "other"), ("tag", "heavy"), ("tag", "light"), ("tag", "mine"),
        ("stash", "WIP on main: " + git(root, "log", "-1", "--format=%h %s").decode().strip()),
        ("stash", "WIP on main: " + git(root, "log", "-1", "--format=%h %s").decode().strip()),
    ]  # fmt: skip
    for move in reversed(moves):
        checkpoints.bring_back(start.commit, move)
    assert whole(root) == then
    fsck(root)


def test_a_commit_that_git_pruned_is_given_back(root: Path, tmp_path: Path) -> None:
    """BYD-3 WEB-6: the repository is otherwise left as it is."""
    furnish(root)
    checkpoints = Checkpoints(root, tmp_path / "state")
    start = checkpoints.take(ONE)
    git(root, "tag", "-d", "light")
    git(root, "stash", "clear")
    git(root, "commit", "-q", "--amend", "-m", "amended")
    git(root, "branch", "agent")
    git(root, "reflog", "expire", "--expire=now", "--all")
    git(root, "gc", "-q", "--prune=now")
    restored = checkpoints.restore(start.commit, UNDO)
    assert restored.lost == (Loss("", "objects"),)
    assert git(root, "rev-parse", "HEAD").decode().strip() == start.head
    assert git(root, "rev-parse", "agent").decode().strip() != start.head
    fsck(root)


@pytest.mark.parametrize("again", [False, True], ids=["same process", "another process"])
@pytest.mark.parametrize("packed", [False, True], ids=["all lost", "some lost"])
@pytest.mark.parametrize("detached", [False, True], ids=["on a branch", "detached"])
def test_undo_gives_back_a_head_whose_commit_was_lost(
    root: Path, tmp_path: Path, detached: bool, packed: bool, again: bool
) -> None:
    """BYD-3 WEB-6"""
    if packed:
        git(root, "gc", "-q")
    checkpoints = Checkpoints(root, tmp_path / "state")
    start = checkpoints.take(ONE)
    git(root, "checkout", "-q", *(["--detach"] if detached else ["-b", "agent"]))
    git(root, "commit", "-q", "--allow-empty", "-m", "later")
    git(root, "update-ref", "refs/bisect/bad", "HEAD")
    checkpoints.take(TWO)
    drop_loose(root)
    before = observe(root)
    if again:
        checkpoints = Checkpoints(root, tmp_path / "state")
    restored = checkpoints.restore(start.commit, UNDO)
    assert git(root, "symbolic-ref", "HEAD") == b"refs/heads/main\n"
    checkpoints.restore(restored.undo.commit, REDO)
    assert checkpoints.same_as(restored.undo.commit)
    after = observe(root)
    assert {**after.git, ":staged": None} == before.git
    assert after.files == before.files
    fsck(root)


@pytest.mark.parametrize("how", ["entry", "prune", "all"])
def test_a_linked_working_tree_gets_its_entry_back(root: Path, tmp_path: Path, how: str) -> None:
    """BYD-3: or a repository of its own, if that of all is gone too."""
    git(root, "branch", "side")
    linked = tmp_path / "linked"
    git(root, "worktree", "add", "-q", str(linked), "side")
    (linked / "new.txt").write_text("new\n")
    git(linked, "add", "new.txt")
    checkpoints = Checkpoints(linked, tmp_path / "state")
    then = whole(linked)
    start = checkpoints.take(ONE)
    (linked / "new.txt").write_text("agent\n")
    if how == "prune":
        (linked / ".git").rename(tmp_path / "away")
        git(root, "worktree", "prune", "--expire=now")
    else:
        shutil.rmtree(root / ".git" / "worktrees" if how == "entry" else root / ".git")
    assert [loss.path for loss in checkpoints.lost(start.commit)] == [""]
    checkpoints.restore(start.commit, UNDO)
    if how == "all":
        assert whole(linked).observed == then.observed
        assert whole(linked).refs == then.refs
    else:
        assert whole(linked) == then
        assert git(root, "rev-parse", "side").decode().strip() == start.head
    fsck(linked)


@pytest.mark.parametrize("how", ["removed", "replaced", "no git directory", "all"])
def test_nested_repositories_that_were_replaced_come_back_exactly(root: Path, tmp_path: Path, how: str) -> None:
    """BYD-3 WEB-6"""
    nest, upstream = make_repository(root / "nest"), make_repository(tmp_path / "upstream")
    furnish(nest)
    for ignored in ("x.o", "mine.key"):
        (nest / ignored).unlink()
    git(root, "submodule", "add", "-q", str(upstream), "sub")
    git(root, "commit", "-q", "-m", "submodule")
    (root / "sub" / "a.txt").write_text("dirty\n")
    checkpoints = Checkpoints(root, tmp_path / "state")
    then, nested = observe(root), whole(nest)
    start = checkpoints.take(ONE)
    if how == "removed":
        shutil.rmtree(nest)
    elif how == "replaced":
        init_over(nest)
    elif how == "no git directory":
        remove(nest)
    else:
        remove(root)
        remove(nest)
    before = observe_files(root)
    restored = checkpoints.restore(start.commit, UNDO)
    assert whole(nest) == nested
    assert observe(root) == then
    fsck(root / "sub")
    checkpoints.restore(restored.undo.commit, REDO)
    assert observe_files(root) == before
    if how == "replaced":
        assert git(nest, "log", "--format=%s") == b"another beginning\n"


def test_what_borrows_its_objects_is_protected_too(root: Path, tmp_path: Path) -> None:
    """BYD-3: a clone that shares another's objects, which are then removed."""
    furnish(root)
    shared = tmp_path / "shared"
    git(tmp_path, "clone", "-q", "--shared", str(root), str(shared))
    checkpoints = Checkpoints(shared, tmp_path / "state")
    then = whole(shared)
    start = checkpoints.take(ONE)
    remove(root)
    (shared / "a.txt").write_text("agent\n")
    checkpoints.restore(start.commit, UNDO)
    assert whole(shared) == then
    fsck(shared)


def test_a_history_that_was_cut_off_stays_so(root: Path, tmp_path: Path) -> None:
    """BYD-3"""
    furnish(root)
    shallow = tmp_path / "shallow"
    git(tmp_path, "clone", "-q", "--depth=1", f"file://{root}", str(shallow))
    checkpoints = Checkpoints(shallow, tmp_path / "state")
    then = whole(shallow)
    start = checkpoints.take(ONE)
    checkpoints.take(TWO)
    checkpoints.forget(TWO)
    remove(shallow)
    checkpoints.tidy()
    checkpoints.restore(start.commit, UNDO)
    assert whole(shallow) == then
    fsck(shallow)


def test_what_moved_is_not_brought_back_twice(root: Path, tmp_path: Path) -> None:
    """BYD-22"""
    git(root, "branch", "other")
    checkpoints = Checkpoints(root, tmp_path / "state")
    start = checkpoints.take(ONE)
    base = git(root, "rev-parse", "other").decode().strip()
    git(root, "branch", "-D", "other")
    move = BranchMove("other", base, None)
    checkpoints.bring_back(start.commit, move)
    with pytest.raises(NotFound):
        checkpoints.bring_back(start.commit, move)


def test_a_submodule_outlives_the_loss_of_every_commit_around_it(root: Path, tmp_path: Path) -> None:
    """BYD-3 WEB-6: its git directory lies in the one that is exchanged."""
    git(root, "submodule", "add", "-q", str(make_repository(tmp_path / "upstream")), "sub")
    git(root, "commit", "-q", "-m", "submodule")
    checkpoints = Checkpoints(root, tmp_path / "state")
    then, start = observe(root), checkpoints.take(ONE)
    git(root, "switch", "-q", "--orphan", "elsewhere")
    git(root, "branch", "-D", "main")
    git(root, "reflog", "expire", "--expire=now", "--all")
    git(root, "gc", "-q", "--prune=now")
    before = observe(root)
    restored = checkpoints.restore(start.commit, UNDO)
    assert checkpoints.same_as(start.commit)
    assert observe(root) == then
    checkpoints.restore(restored.undo.commit, REDO)
    assert checkpoints.same_as(restored.undo.commit)
    assert observe(root) == before


def test_broken_list_of_submodules_stops_no_restore(root: Path, tmp_path: Path) -> None:
    """BYD-3 WEB-6"""
    git(root, "submodule", "add", "-q", str(make_repository(tmp_path / "upstream")), "sub")
    checkpoints = Checkpoints(root, tmp_path / "state")
    start = checkpoints.take(ONE)
    (root / ".gitmodules").write_text("[junk\n")
    (root / "a.txt").write_text("agent\n")
    restored = checkpoints.restore(start.commit, UNDO)
    assert checkpoints.same_as(start.commit)
    checkpoints.restore(restored.undo.commit, REDO)
    assert checkpoints.same_as(restored.undo.commit)
    assert (root / ".gitmodules").read_text() == "[junk\n"
