"""Checkpoints in the situations that have to have a stated answer."""

from __future__ import annotations

import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from pilothouse.errors import CheckpointFailed, InvalidInput, NotFound
from pilothouse.git.checkpoints import Checkpoints
from pilothouse.git.model import BranchMove
from tests.git.repositories import git, make_repository, observe

ONE, TWO, UNDO, REDO = (f"refs/pilothouse/s/t/1/{name}" for name in ("one", "two", "undo", "redo"))


def test_repository_without_a_commit_is_restored(tmp_path: Path) -> None:
    """WEB-6"""
    root = make_repository(tmp_path / "empty", {})
    (root / "draft.txt").write_text("mine\n")
    checkpoints = Checkpoints(root, tmp_path / "state")
    then = observe(root)
    start = checkpoints.take(ONE)
    assert (start.head, start.branch) == (None, "main")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "first")
    (root / "draft.txt").unlink()
    before = observe(root)
    restored = checkpoints.restore(start.commit, UNDO)
    assert observe(root) == then
    checkpoints.restore(restored.undo.commit, REDO)
    assert observe(root) == before


def test_permission_bits_come_back_though_git_knows_only_two(root: Path, checkpoints: Checkpoints) -> None:
    """WEB-6"""
    (root / "key").write_text("secret\n")
    (root / "key").chmod(0o600)
    (root / "a.txt").chmod(0o640)
    start = checkpoints.take(ONE)
    (root / "key").chmod(0o644)
    (root / "a.txt").chmod(0o777)
    assert not checkpoints.same_as(start.commit)
    checkpoints.restore(start.commit, UNDO)
    assert (root / "key").stat().st_mode & 0o7777 == 0o600
    assert (root / "a.txt").stat().st_mode & 0o7777 == 0o640


def test_checkpoints_survive_prune_and_leave_with_forget(root: Path, checkpoints: Checkpoints) -> None:
    """BYD-3"""
    (root / "a.txt").write_text("staged\n")
    git(root, "add", "a.txt")
    (root / "a.txt").write_text("work\n")
    (root / "untracked.txt").write_text("untracked\n")
    then = observe(root)
    start = checkpoints.take(ONE)
    git(root, "reset", "-q", "--hard")
    (root / "untracked.txt").unlink()
    git(root, "commit", "-q", "--amend", "-m", "amended")
    _prune(root)
    assert git(root, "fsck", "--full", "--strict", "--no-dangling") == b""
    checkpoints.restore(start.commit, UNDO)
    assert observe(root) == then
    assert checkpoints.size() > 0
    assert [found.ref for found in checkpoints.refs()] == [ONE, UNDO]
    assert checkpoints.forget("refs/pilothouse/s") == 2
    assert checkpoints.refs() == []
    with pytest.raises(NotFound):
        checkpoints.restore(start.commit, UNDO)
    _prune(root)
    again = checkpoints.take(TWO)
    (root / "untracked.txt").unlink()
    checkpoints.restore(again.commit, UNDO)
    assert observe(root) == then


def _prune(root: Path) -> None:
    git(root, "reflog", "expire", "--expire=now", "--all")
    git(root, "gc", "-q", "--prune=now")
    git(root, "worktree", "prune", "--expire=now")
    git(root, "prune", "--expire=now")


def test_no_transfer_sees_a_checkpoint(root: Path, checkpoints: Checkpoints, tmp_path: Path) -> None:
    """BYD-3: mirror pushes, mirror clones and a pruning mirror fetch, which would delete refs of ours."""
    (root / "untracked.txt").write_text("secret\n")
    start = checkpoints.take(ONE)
    blob = git(root, "hash-object", "untracked.txt").strip()
    bare = make_bare(tmp_path / "bare")
    git(root, "push", "-q", "--mirror", str(bare))
    git(tmp_path, "clone", "-q", "--mirror", f"file://{root}", str(tmp_path / "mirror"))
    for other in (bare, tmp_path / "mirror"):
        assert git(other, "for-each-ref", "--format=%(refname)") == b"refs/heads/main\n"
        assert git(other, "cat-file", "-t", blob.decode(), check=False) == b""
    git(root, "remote", "add", "--mirror=fetch", "origin", str(bare))
    git(root, "fetch", "-q", "--prune", "origin", check=False)
    (root / "untracked.txt").unlink()
    checkpoints.restore(start.commit, UNDO)
    assert (root / "untracked.txt").read_text() == "secret\n"


def make_bare(place: Path) -> Path:
    place.mkdir()
    git(place, "init", "-q", "--bare")
    return place


def test_other_branches_that_moved_are_listed_and_stay(root: Path, checkpoints: Checkpoints) -> None:
    """WEB-6"""
    git(root, "branch", "other")
    git(root, "branch", "doomed")
    base = git(root, "rev-parse", "HEAD").decode().strip()
    start = checkpoints.take(ONE)
    git(root, "commit", "-q", "--allow-empty", "-m", "agent")
    agent = git(root, "rev-parse", "HEAD").decode().strip()
    git(root, "branch", "-f", "other")
    git(root, "branch", "-D", "doomed")
    git(root, "switch", "-q", "-c", "new")
    moves = (BranchMove("doomed", base, None), BranchMove("new", None, agent), BranchMove("other", base, agent))
    preview = checkpoints.preview(start.commit)
    assert (preview.commits, preview.branch_then, preview.branch_now) == ((agent,), "main", "new")
    assert preview.other_branches_moved == moves
    assert checkpoints.restore(start.commit, UNDO).other_branches_moved == moves
    assert git(root, "symbolic-ref", "HEAD") == b"refs/heads/main\n"
    assert git(root, "rev-parse", "main", "other", "new").decode().split() == [base, agent, agent]


def test_branch_that_another_worktree_took_is_not_moved_under_it(root: Path, checkpoints: Checkpoints) -> None:
    """WEB-6"""
    start = checkpoints.take(ONE)
    git(root, "commit", "-q", "--allow-empty", "-m", "agent")
    git(root, "switch", "-q", "-c", "new")
    git(root, "worktree", "add", "-q", str(root.parent / "elsewhere"), "main")
    before = observe(root)
    with pytest.raises(CheckpointFailed, match="checked out in"):
        checkpoints.restore(start.commit, UNDO)
    assert observe(root) == before


def test_worktrees_are_checkpointed_side_by_side(root: Path, tmp_path: Path) -> None:
    """WEB-6"""
    places = [root]
    for name in ("w1", "w2"):
        git(root, "worktree", "add", "-q", "-b", name, str(tmp_path / name))
        places.append(tmp_path / name)
    for number, place in enumerate(places):
        (place / "a.txt").write_text(f"dirty {number}\n")
    every = [Checkpoints(place, tmp_path / f"state{number}") for number, place in enumerate(places)]
    then = [observe(place) for place in places]
    with ThreadPoolExecutor(3) as pool:
        starts = list(pool.map(lambda checkpoints: checkpoints.take(ONE), every))
        for place in places:
            git(place, "commit", "-q", "-a", "-m", "agent")
            (place / "new.txt").write_text("agent\n")
        list(pool.map(lambda pair: pair[0].restore(pair[1].commit, UNDO), zip(every, starts, strict=True)))
    assert [observe(place) for place in places] == then


def test_hooks_never_fire(root: Path, checkpoints: Checkpoints) -> None:
    """WEB-6"""
    names = (
        "pre-commit",
        "post-checkout",
        "post-index-change",
        "reference-transaction",
        "post-commit",
        "post-rewrite",
    )
    for name in names:
        hook = root / ".git" / "hooks" / name
        hook.write_text(f"#!/bin/sh\necho {name} >> '{root.parent}/fired'\n")
        hook.chmod(0o755)
    start = checkpoints.take(ONE)
    (root / "a.txt").write_text("agent\n")
    git(root, "-c", "core.hooksPath=/dev/null", "commit", "-q", "-a", "-m", "agent")
    checkpoints.restore(start.commit, UNDO)
    checkpoints.same_as(start.commit)
    checkpoints.forget(UNDO)
    assert not (root.parent / "fired").exists()
    git(root, "commit", "-q", "--allow-empty", "-m", "person")
    assert (root.parent / "fired").exists(), "the hooks of this test do not work"


def test_dirty_submodule_and_deleted_nested_repository_come_back(root: Path, tmp_path: Path) -> None:
    """WEB-6 BYD-3"""
    upstream = make_repository(tmp_path / "upstream")
    git(root, "submodule", "add", "-q", str(upstream), "sub")
    git(root, "commit", "-q", "-m", "submodule")
    (root / "sub" / "a.txt").write_text("my dirty work\n")
    make_repository(root / "nest", {"n.txt": "n\n"})
    (root / "nest" / "n.txt").write_text("not committed\n")
    checkpoints = Checkpoints(root, tmp_path / "state")
    then = observe(root)
    start = checkpoints.take(ONE)
    git(root / "sub", "checkout", "-q", "--", ".")
    git(root / "sub", "commit", "-q", "--allow-empty", "-m", "agent")
    subprocess.run(["rm", "-rf", root / "nest"], check=True)
    make_repository(root / "made", {"m.txt": "m\n"})
    before = observe(root)
    restored = checkpoints.restore(start.commit, UNDO)
    assert observe(root) == then
    checkpoints.restore(restored.undo.commit, REDO)
    assert observe(root) == before


def test_file_written_under_other_attributes_is_saved_as_it_stands(root: Path, tmp_path: Path) -> None:
    """WEB-6: git takes it for clean by its times, yet its bytes are not those of the blob."""
    (root / ".gitattributes").write_text("*.txt ident eol=crlf\n")
    (root / "a.txt").write_text("$Id$\n")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "attributes")
    (root / "a.txt").unlink()
    git(root, "checkout", "-q", "--", "a.txt")
    os.utime(root / "a.txt", (1_000_000_000, 1_000_000_000))
    git(root, "update-index", "-q", "--refresh")
    (root / ".gitattributes").write_text("")
    bytes_then = (root / "a.txt").read_bytes()
    assert bytes_then.endswith(b"\r\n")
    checkpoints = Checkpoints(root, tmp_path / "state")
    start = checkpoints.take(ONE)
    (root / "a.txt").unlink()
    checkpoints.restore(start.commit, UNDO)
    assert (root / "a.txt").read_bytes() == bytes_then


def test_repository_made_around_known_files_is_rolled_back_whole(root: Path, checkpoints: Checkpoints) -> None:
    """WEB-6: `git init` in a directory whose files an earlier checkpoint has already seen as plain ones."""
    start = checkpoints.take(ONE)
    (root / "made").mkdir()
    (root / "made" / "m.txt").write_text("m\n")
    middle = checkpoints.take(TWO)
    git(root / "made", "init", "-q")
    before = observe(root)
    restored = checkpoints.restore(start.commit, UNDO)
    assert not (root / "made").exists()
    checkpoints.restore(restored.undo.commit, REDO)
    assert observe(root) == before
    checkpoints.restore(middle.commit, "refs/pilothouse/s/t/1/last")
    assert not (root / "made" / ".git").exists()
    assert (root / "made" / "m.txt").read_text() == "m\n"


def test_an_unchanged_racy_file_stays_modified_after_a_restore(root: Path, checkpoints: Checkpoints) -> None:
    """WEB-6: the index's own time comes back, or git would take a file changed in the same tick for clean."""
    git(root, "status")
    stamp = (root / ".git" / "index").stat().st_mtime_ns
    (root / "b.txt").write_text("B\n")
    os.utime(root / "b.txt", ns=(stamp, stamp))
    start = checkpoints.take(ONE)
    git(root, "rm", "-q", "--cached", "a.txt")
    checkpoints.restore(start.commit, UNDO)
    assert (root / ".git" / "index").stat().st_mtime_ns == stamp


@pytest.mark.parametrize(
    "ref", ["refs/heads/x", "refs/pilothouse/../x", "refs/pilothouse/a..b", "x", "refs/pilothouse/"]
)
def test_ref_outside_our_namespace_is_refused(checkpoints: Checkpoints, ref: str) -> None:
    """BYD-3"""
    with pytest.raises(InvalidInput):
        checkpoints.take(ref)


def test_undo_checkpoint_is_never_overwritten(root: Path, checkpoints: Checkpoints) -> None:
    """BYD-3"""
    start = checkpoints.take(ONE)
    (root / "first").write_text("1\n")
    first = checkpoints.restore(start.commit, UNDO).undo
    (root / "second").write_text("2\n")
    second = checkpoints.restore(start.commit, UNDO).undo
    assert (first.ref, second.ref) == (UNDO, f"{UNDO}.2")
    checkpoints.restore(first.commit, REDO)
    assert (root / "first").exists()


def test_a_repository_that_git_ignores_is_never_replaced_by_a_file(root: Path, checkpoints: Checkpoints) -> None:
    """BYD-3 WEB-6"""
    (root / "vendor").write_text("a file\n")
    start = checkpoints.take(ONE)
    (root / "vendor").unlink()
    make_repository(root / "vendor" / "inner", {"work.txt": "not in any checkpoint\n"})
    (root / ".gitignore").write_text("vendor/\n")
    with pytest.raises(CheckpointFailed, match="vendor/inner"):
        checkpoints.restore(start.commit, UNDO)
    assert (root / "vendor" / "inner" / "work.txt").read_text() == "not in any checkpoint\n"
    assert (root / ".gitignore").read_text() == "vendor/\n"


def test_two_data_directories_on_one_repository_keep_their_own_checkpoints(root: Path, tmp_path: Path) -> None:
    """WEB-6: neither a checkpoint nor a clean-up of one lets go of what the other needs."""
    one, two = (Checkpoints(root, tmp_path / name) for name in ("one", "two"))
    kept: list[tuple[Checkpoints, str, str]] = []
    for number, checkpoints in enumerate((one, two, one, two)):
        text = f"not committed, {number}\n"
        (root / "a.txt").write_text(text)
        kept.append((checkpoints, checkpoints.take(f"refs/pilothouse/s{number}/t/1/0").commit, text))
    assert one.forget("refs/pilothouse/s0") == two.forget("refs/pilothouse/s1") == 1
    (root / "a.txt").write_text("a\n")
    git(root, "reflog", "expire", "--expire=now", "--all")
    git(root, "gc", "-q", "--prune=now")
    git(root, "fsck", "--strict")
    for checkpoints, commit, text in kept[2:]:
        checkpoints.restore(commit, "refs/pilothouse/undo")
        assert (root / "a.txt").read_text() == text
    assert two.forget("refs/pilothouse") == 2
    git(root, "gc", "-q", "--prune=now")
    one.restore(kept[2][1], "refs/pilothouse/again")
    assert (root / "a.txt").read_text() == kept[2][2]
