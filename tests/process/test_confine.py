"""Spawns in a PID namespace of their own, and on files they cannot write."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from pilothouse.domain.session.session import project_id
from pilothouse.errors import BadConfiguration
from pilothouse.process import confine
from pilothouse.process.confine import Bubblewrap, Confinement, Mode, Switch
from tests.process.conftest import Start


async def bubblewrap() -> str:
    found = await confine.look()
    if found.program is None:
        pytest.skip(f"NOT TRIED, agents are not confined here: {found.problem}")
    return found.program


@pytest.fixture
def home() -> Iterator[Path]:
    """Apart from the temporary directories, which agents may always write to."""
    with tempfile.TemporaryDirectory(dir=Path.home(), prefix=".pilothouse-test-") as folder:
        yield Path(folder)


async def test_a_confined_program_works_on_the_real_files_but_sees_its_own_processes(
    start: Start, tmp_path: Path
) -> None:
    spawned = await start("pwd > here; ls -d /proc/[0-9]* | wc -l; exit 5", confine=await bubblewrap())
    printed = b"".join([piece async for piece in spawned.output()])
    assert await spawned.wait() == 5
    assert (tmp_path / "here").read_text().strip() == str(tmp_path)
    assert int(printed) < 10


async def test_a_confined_program_is_asked_before_it_is_killed(start: Start, tmp_path: Path) -> None:
    """TSK-6"""
    script = "trap 'sleep 0.2; touch tidied; exit 3' TERM; echo ready; while :; do sleep 0.05; done"
    spawned = await start(script, confine=await bubblewrap())
    reading = spawned.output()
    assert await anext(reading) == b"ready\n"
    await spawned.stop(5)
    assert await spawned.wait() == 3
    assert (tmp_path / "tidied").exists()


async def test_tools_are_told_from_the_program_inside_too(start: Start) -> None:
    """WEB-11"""
    spawned = await start("echo ready; read x; sleep 600 & echo busy; wait", stdin=True, confine=await bubblewrap())
    reading = spawned.output()
    assert await anext(reading) == b"ready\n"
    assert not spawned.tool_alive()
    assert spawned.stdin is not None
    spawned.stdin.write(b"go\n")
    assert await anext(reading) == b"busy\n"
    assert spawned.tool_alive()


async def test_a_program_confined_to_its_files_writes_where_it_works_and_nowhere_else(start: Start, home: Path) -> None:
    """GRD-7"""
    places = {name: home / name for name in ("work", "state", "further", "outside")}
    for place in places.values():
        place.mkdir()
    switch = Switch(Bubblewrap(await bubblewrap()), "files")
    switch.further = (places["further"],)
    confined = Confinement(switch).keeping(places["state"])
    script = (
        "".join(f"touch {place}/new 2>&1; " for place in places.values()) + "cat /etc/hostname > /dev/null; touch /tmp"
    )
    spawned = await start(script, cwd=places["work"], confine=confined)
    printed = b"".join([piece async for piece in spawned.output()]).decode()
    assert await spawned.wait() == 0
    assert {name for name, place in places.items() if (place / "new").exists()} == {"work", "state", "further"}
    assert "Read-only file system" in printed


LOOK = """
cat {data}/token {data}/pilothouse.db {data}/theirs/records.json {data}/agents/other/key 2>/dev/null
ls -A {data} {data}/agents
cat {data}/*/records.json {data}/agents/mine/note; touch {data}/new {data}/*/new {data}/agents/mine/new; echo end
umount {data} 2>/dev/null; cat {data}/token 2>/dev/null
cat /proc/{pid}/environ 2>/dev/null; kill -0 {pid} 2>/dev/null && echo sees the server
"""


@pytest.mark.parametrize("mode", ["processes", "files"])
async def test_a_confined_program_sees_of_our_data_what_its_work_needs(start: Start, home: Path, mode: Mode) -> None:
    """BYD-23"""
    data, work = home / "data", home / "work"
    records = data / project_id(work)
    for folder in (work, records, data / "theirs", data / "agents" / "mine", data / "agents" / "other"):
        folder.mkdir(parents=True)
    for secret in ("token", "pilothouse.db", "theirs/records.json", "agents/other/key"):
        (data / secret).write_text("SECRET")
    (records / "records.json").write_text("RECORDS ")
    (data / "agents" / "mine" / "note").write_text("NOTE ")
    switch = Switch(Bubblewrap(await bubblewrap()), mode, data)
    confined = Confinement(switch).keeping(data / "agents" / "mine")
    spawned = await start(LOOK.format(data=data, pid=os.getpid()), cwd=work, confine=confined, merge_stderr=True)
    said = b"".join([piece async for piece in spawned.output()]).decode()
    assert "SECRET" not in said
    assert "RECORDS NOTE" in said
    assert "sees the server" not in said
    made = {str(place.relative_to(data)) for place in data.rglob("new")}
    assert made == {"agents/mine/new"}, said


async def test_a_scratch_in_our_data_finds_the_objects_it_borrows(start: Start, home: Path) -> None:
    """BYD-23: the sample project and its scratch copies lie there."""
    data = home / "data"
    source, scratch = data / "sample", data / "scratch" / "x" / "tree" / "sample"

    def git(*arguments: str) -> None:
        subprocess.run(
            ["git", "-c", "user.name=t", "-c", "user.email=t@t", *arguments], check=True, capture_output=True
        )

    git("init", "-q", str(source))
    (source / "a.txt").write_text("here")
    git("-C", str(source), "add", "-A")
    git("-C", str(source), "commit", "-q", "-m", "first")
    git("clone", "-q", "--shared", str(source), str(scratch))
    confined = Confinement(Switch(Bubblewrap(await bubblewrap()), "processes", data))
    script = f"git show HEAD:a.txt; echo y > {source}/.git/objects/info/y; touch b && git add b && ls {source}"
    spawned = await start(script, cwd=scratch, confine=confined, merge_stderr=True)
    said = b"".join([piece async for piece in spawned.output()]).decode()
    assert "here" in said
    assert not (source / ".git" / "objects" / "info" / "y").exists()
    assert "a.txt" not in said, "of the project itself a scratch sees the objects alone"


async def test_checks_are_confined_but_may_write_their_caches(start: Start, home: Path) -> None:
    """BYD-23"""
    data, work = home / "data", home / "work"
    data.mkdir()
    work.mkdir()
    (data / "token").write_text("SECRET")
    confined = Confinement(Switch(Bubblewrap(await bubblewrap()), "files", data))
    script = f"cat {data}/token; touch {home}/cache"
    spawned = await start(script, cwd=work, confine=confined.around_checks(work), merge_stderr=True)
    assert b"SECRET" not in b"".join([piece async for piece in spawned.output()])
    assert (home / "cache").exists()


async def test_git_works_in_a_worktree_whose_directory_lies_elsewhere(start: Start, home: Path) -> None:
    """BYD-2"""
    main, tree = home / "main", home / "tree"

    def git(*arguments: str) -> str:
        command = ["git", "-c", "user.name=t", "-c", "user.email=t@t", *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    git("init", "-q", str(main))
    git("-C", str(main), "commit", "-q", "--allow-empty", "-m", "first")
    git("-C", str(main), "worktree", "add", "-q", str(tree))
    confined = Confinement(Switch(Bubblewrap(await bubblewrap()), "files"))
    script = f"touch a; git add a && git -c user.name=t -c user.email=t@t commit -qm second; touch {main}/b"
    spawned = await start(script, cwd=tree, confine=confined)
    assert [piece async for piece in spawned.output()] == []
    await spawned.wait()
    assert git("-C", str(tree), "log", "--format=%s").split() == ["second", "first"]
    assert not (main / "b").exists()


@pytest.mark.parametrize("replaced", ["repo", "state"])
def test_a_place_that_was_replaced_makes_another_cage(tmp_path: Path, replaced: str) -> None:
    """BYD-14: what is mounted in the one before is the old one."""
    repo, state = tmp_path / "repo", tmp_path / "state"
    repo.mkdir()
    confinement = Confinement(Switch(Bubblewrap("/usr/bin/bwrap"), "files"), (state,))
    cage = confinement.cage(repo)
    assert confinement.cage(repo) == cage
    (tmp_path / replaced).rename(tmp_path / "old")
    (tmp_path / replaced).mkdir()
    assert confinement.cage(repo) != cage


async def test_what_is_to_be_confined_and_cannot_be_is_not_started(start: Start, tmp_path: Path) -> None:
    """GRD-7"""
    missing = Bubblewrap(None, "The program bwrap was not found.", "Install bubblewrap.")
    for mode in ("processes", "files"):
        confined = Confinement(Switch(missing, mode))
        with pytest.raises(BadConfiguration, match="bwrap was not found"):
            await start("touch ran", confine=confined)
    assert not (tmp_path / "ran").exists()
    spawned = await start("touch ran", confine=Confinement(Switch(missing, "off")))
    assert await spawned.wait() == 0


async def test_that_it_is_not_possible_is_told_with_the_reason(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """PLT-3"""
    monkeypatch.setenv("PATH", str(tmp_path))
    missing = await confine.look()
    assert (missing.program, missing.problem) == (None, "The program bwrap was not found.")
    assert "Install bubblewrap" in missing.fix
    forbidden = tmp_path / "bwrap"
    forbidden.write_text("#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n")
    forbidden.chmod(0o755)
    found = await confine.look()
    assert found.program is None
    assert "No permissions to create new namespace" in found.problem
    assert found.fix
