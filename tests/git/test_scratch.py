"""A scratch is the checkpoint's state, and nothing done in it reaches the workspace."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from pilothouse.errors import CheckpointFailed
from pilothouse.git.checkpoints import Checkpoints
from pilothouse.git.scratch import Scratch
from tests.git.repositories import ENVIRONMENT, git, make_repository, observe

BASE, PROPOSAL, AGAIN = (f"refs/pilothouse/s/t/1/{name}" for name in ("0", "proposal", "again"))
OURS = (".git/objects", ".git/worktrees")
"""Where a checkpoint keeps what it needs."""
DESTROY = """
echo more >> a.txt && git add a.txt && git commit -qm "agent" && git checkout -q -b side && git tag mine
echo half > half.txt && git stash -q -u && git config user.name Agent && git branch -D main
git reflog expire --expire=now --all && git gc -q --prune=now --aggressive
chmod -R u+w . && rm -rf ./* .gitignore .gitattributes
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = make_repository(tmp_path / "repository")
    (root / ".gitignore").write_text("*.log\nnode_modules/\n__pycache__/\n")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "rules")
    return root


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "scratches" / "one"


def fingerprint(root: Path, without: tuple[str, ...] = ()) -> str:
    """Every name, mode and byte below `root`, git's own included."""
    digest = hashlib.sha256()
    for where, directories, files in os.walk(root):
        directories.sort()
        inside = os.path.relpath(where, root)
        directories[:] = [name for name in directories if os.path.normpath(f"{inside}/{name}") not in without]
        for name in sorted(files) + [name for name in directories if os.path.islink(os.path.join(where, name))]:
            place = os.path.join(where, name)
            content = os.readlink(place) if os.path.islink(place) else Path(place).read_bytes().hex()
            digest.update(f"{place} {os.lstat(place).st_mode:o} {content}\n".encode())
        digest.update(f"{where} {os.lstat(where).st_mode:o}\n".encode())
    return digest.hexdigest()


def shell(root: Path, script: str) -> None:
    done = subprocess.run(["sh", "-ec", script], cwd=root, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_scratch_has_head_index_files_and_modes_of_the_checkpoint(
    root: Path, checkpoints: Checkpoints, folder: Path
) -> None:
    """TSK-7"""
    git(root, "branch", "other")
    git(root, "tag", "v1")
    (root / "a.txt").write_text("staged\n")
    git(root, "add", "a.txt")
    (root / "a.txt").write_bytes(b"then\r\nchanged\n")
    (root / "b.txt").unlink()
    (root / "new file.txt").write_text("untracked\n")
    (root / "new file.txt").chmod(0o600)
    (root / "run").write_text("#!/bin/sh\n")
    (root / "run").chmod(0o750)
    (root / "link").symlink_to("d/c.txt")
    (root / "empty").mkdir()
    then = observe(root)
    base = checkpoints.take(BASE)
    shutil.rmtree(root / "d")
    git(root, "checkout", "-q", "-f", "other")

    scratch = Scratch.make(checkpoints, base.commit, folder)

    assert observe(scratch.root) == then
    assert scratch.root.name == root.name
    assert git(scratch.root, "log", "--format=%s").split() == [b"rules", b"base"]
    assert git(scratch.root, "rev-parse", "other", "v1").split() == git(root, "rev-parse", "other", "v1").split()


def test_nothing_an_agent_does_in_a_scratch_touches_the_workspace(
    root: Path, checkpoints: Checkpoints, folder: Path
) -> None:
    """TSK-7"""
    git(root, "remote", "add", "origin", "/nowhere")
    hook = root / ".git" / "hooks" / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\ntouch {root}/hooked\n")
    hook.chmod(0o755)
    (root / "debug.log").write_text("ignored\n")
    (root / "node_modules").mkdir()
    (root / "node_modules" / "dep.js").write_text("ignored too\n")
    (root / "b.txt").write_text("uncommitted\n")
    git(root, "stash", "-q")
    (root / "a.txt").write_text("uncommitted\n")
    base = checkpoints.take(BASE)
    scratch = Scratch.make(checkpoints, base.commit, folder)
    before, refs_and_files = fingerprint(root), fingerprint(root, OURS)

    assert git(scratch.root, "remote") == b""
    shell(scratch.root, DESTROY)
    assert fingerprint(root) == before
    proposal = scratch.save(PROPOSAL)
    assert fingerprint(root, OURS) == refs_and_files
    assert (proposal.head, proposal.branch) == (base.head, base.branch)
    assert {change.status for change in checkpoints.stat(base.commit, proposal.commit).files} == {"deleted"}

    shell(scratch.root, "rm -rf .git && echo left > left.txt")
    again = checkpoints.stat(base.commit, scratch.save(AGAIN).commit)
    assert [change.path for change in again.files if change.status != "deleted"] == ["left.txt"]
    scratch.remove()
    assert fingerprint(root, OURS) == refs_and_files
    assert checkpoints.same_as(base.commit)
    assert b"missing" not in git(root, "fsck", "--full")
    assert not folder.exists()


def test_proposal_outlives_the_scratch_and_a_prune(root: Path, checkpoints: Checkpoints, folder: Path) -> None:
    """TSK-7"""
    base = checkpoints.take(BASE)
    scratch = Scratch.make(checkpoints, base.commit, folder)
    shell(scratch.root, "echo committed > a.txt && git commit -qam x && echo loose > loose.txt && echo no > x.log")
    proposal = scratch.save(PROPOSAL)
    scratch.remove()
    checkpoints.take(BASE)
    git(root, "gc", "-q", "--prune=now")
    stat = checkpoints.stat(base.commit, proposal.commit)
    assert [(change.path, change.status) for change in stat.files] == [("a.txt", "modified"), ("loose.txt", "added")]
    assert "+committed" in checkpoints.diff(base.commit, proposal.commit, "a.txt").text


def test_unchanged_scratch_is_no_proposal(root: Path, checkpoints: Checkpoints, folder: Path) -> None:
    """TSK-7"""
    (root / "odd").write_text("x")
    (root / "odd").chmod(0o604)
    base = checkpoints.take(BASE)
    scratch = Scratch.make(checkpoints, base.commit, folder)
    git(scratch.root, "status")
    proposal = scratch.save(PROPOSAL)
    assert proposal.tree == base.tree
    assert checkpoints.fit(base.commit, proposal.commit).clashes == ()


def test_files_that_git_would_convert_are_the_same_bytes(tmp_path: Path, folder: Path) -> None:
    """TSK-7"""
    root = make_repository(tmp_path / "crlf", {"a.txt": "one\n", ".gitattributes": "*.txt text eol=crlf filter=up\n"})
    git(root, "config", "filter.up.clean", f"touch {tmp_path}/cleaned; cat")
    git(root, "config", "filter.up.smudge", f"touch {tmp_path}/smudged; cat")
    (root / "a.txt").write_bytes(b"raw\nnot crlf\xff\n")
    checkpoints = Checkpoints(root, tmp_path / "state")
    base = checkpoints.take(BASE)
    scratch = Scratch.make(checkpoints, base.commit, folder)
    assert (scratch.root / "a.txt").read_bytes() == b"raw\nnot crlf\xff\n"
    (scratch.root / "a.txt").write_bytes(b"raw\nchanged\xff\n")
    proposal = scratch.save(PROPOSAL)
    before, after = checkpoints.contents(base.commit, proposal.commit, ["a.txt"])
    assert (before, after) == ({"a.txt": b"raw\nnot crlf\xff\n"}, {"a.txt": b"raw\nchanged\xff\n"})
    assert not (tmp_path / "smudged").exists()
    assert not (tmp_path / "cleaned").exists()


def test_linked_ignored_files_serve_a_test_run_and_are_no_change(
    root: Path, checkpoints: Checkpoints, folder: Path
) -> None:
    """TSK-8"""
    (root / "node_modules" / "dep").mkdir(parents=True)
    (root / "node_modules" / "dep" / "index.js").write_text("ignored\n")
    (root / "d" / "__pycache__").mkdir()
    (root / "d" / "__pycache__" / "c.pyc").write_bytes(b"\0")
    (root / "settings.log").write_text("ignored\n")
    # Ignores the directory, and shows a link of that name, whatever is excluded elsewhere.
    (root / ".gitignore").write_text("!vendor\nvendor/\n" + (root / ".gitignore").read_text())
    (root / "vendor").mkdir()
    (root / "vendor" / "lib").write_text("ignored\n")
    base = checkpoints.take(BASE)
    before = fingerprint(root, OURS)
    scratch = Scratch.make(checkpoints, base.commit, folder, link_ignored=True)
    assert (scratch.root / "node_modules" / "dep" / "index.js").read_text() == "ignored\n"
    assert (scratch.root / "settings.log").is_symlink()
    assert not (scratch.root / "d" / "__pycache__").exists()
    assert git(scratch.root, "status", "--porcelain").split() == [b"M", b".gitignore", b"??", b"vendor"]
    assert scratch.save(PROPOSAL).tree == base.tree
    scratch.remove()
    assert fingerprint(root, OURS) == before


def test_scratch_is_found_again_with_its_half_done_work(root: Path, checkpoints: Checkpoints, folder: Path) -> None:
    """TSK-7"""
    base = checkpoints.take(BASE)
    made = Scratch.make(checkpoints, base.commit, folder)
    (made.root / "half.txt").write_text("half\n")
    found = Scratch.open(Checkpoints(root, folder.parent.parent / "state"), folder)
    assert found is not None
    assert found.base == base.commit
    assert [c.path for c in checkpoints.stat(base.commit, found.save(PROPOSAL).commit).files] == ["half.txt"]
    (folder / "made.json").unlink()
    assert Scratch.open(checkpoints, folder) is None
    again = Scratch.make(checkpoints, base.commit, folder)
    assert not (again.root / "half.txt").exists()


def test_read_only_directories_are_removed_and_a_foreign_file_is_not(
    root: Path, checkpoints: Checkpoints, folder: Path
) -> None:
    """TSK-7"""
    scratch = Scratch.make(checkpoints, checkpoints.take(BASE).commit, folder)
    (scratch.root / "cache").mkdir()
    (scratch.root / "cache" / "module").write_text("x")
    (scratch.root / "cache").chmod(0o500)
    (scratch.root / "out").symlink_to(root)
    scratch.remove()
    assert not folder.exists()
    assert (root / "a.txt").exists()
    folder.write_text("mine")
    with pytest.raises(CheckpointFailed):
        Scratch.make(checkpoints, checkpoints.take(BASE).commit, folder)


def test_nested_repositories_are_there_and_their_changes_are_proposed(
    root: Path, checkpoints: Checkpoints, folder: Path
) -> None:
    """TSK-7"""
    make_repository(root / "sub", {"inner.txt": "inner\n"})
    (root / "sub" / "draft.txt").write_text("draft\n")
    base = checkpoints.take(BASE)
    before = fingerprint(root / "sub", OURS)
    scratch = Scratch.make(checkpoints, base.commit, folder)
    shell(scratch.root, "cd sub && echo changed > inner.txt && git commit -qam x && git init -q ../made && rm -rf .git")
    proposal = scratch.save(PROPOSAL)
    assert fingerprint(root / "sub", OURS) == before
    assert [c.path for c in checkpoints.stat(base.commit, proposal.commit).files] == ["sub/inner.txt"]
    assert scratch.left_out == ("made",)
    then, after = checkpoints.contents(base.commit, proposal.commit, ["sub/inner.txt", "sub/none"])
    assert (then, after) == ({"sub/inner.txt": b"inner\n"}, {"sub/inner.txt": b"changed\n"})
    checkpoints.write_over(base.commit, proposal.commit, AGAIN)
    assert (root / "sub" / "inner.txt").read_text() == "changed\n"
    checkpoints.restore(checkpoints.refs(AGAIN)[0].commit, AGAIN + "-undo")
    assert (root / "sub" / "inner.txt").read_text() == "inner\n"


def test_contents_are_those_of_the_checkpoint(root: Path, checkpoints: Checkpoints) -> None:
    """TSK-8"""
    (root / "link").symlink_to("a.txt")
    (root / "large.bin").write_bytes(b"\0" * 2_000_001)
    (root / "blank").write_bytes(b"")
    base = checkpoints.take(BASE)
    for name in ("a.txt", "blank", "large.bin", "link"):
        (root / name).unlink()
    (root / "link").write_text("a file\n")
    (root / "new").write_text("new\n")
    (root / "other").write_text("not asked for\n")
    now = checkpoints.take(AGAIN)
    (root / "new").write_text("later\n")
    asked = ["a.txt", "blank", "d", "large.bin", "link", "new", "none"]
    before, after = checkpoints.contents(base.commit, now.commit, asked)
    assert before == {"a.txt": b"a\n", "blank": b"", "link": None, "new": None}
    assert after == {"a.txt": None, "blank": None, "large.bin": None, "link": b"a file\n", "new": b"new\n"}
    git(root, "commit", "-qam", "kept")
    git(root, "gc", "-q", "--prune=now")
    assert checkpoints.contents(base.commit, now.commit, asked) == (before, after)
