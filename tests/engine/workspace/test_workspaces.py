"""A project's workspaces, its own directory and worktrees: each with its queue, its configuration, its branch."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from uuid import uuid4

import pytest

from pilothouse.domain.session.session import Project, Session, SessionKind, Workspace, WorkspaceKind
from pilothouse.domain.task.task import Task, TaskStatus, Verdict
from pilothouse.errors import NotFound
from pilothouse.store.database import Tx
from pilothouse.store.mirror import documents
from pilothouse.store.session import sessions, workspaces
from pilothouse.workflows.chat import Message
from tests.workbench import Workbench, git, make_repository, tree

SCENARIOS = """
scenarios:
  writes:
    - write: {path: one.txt, text: "one\\n"}
  waits:
    - write: {path: two.txt, text: "two\\n"}
    - run: until test -e ignored/go; do sleep 0.02; done
"""
REFUSING = "agent: nobody\nverification:\n  - {name: never, command: 'false'}\n"
FITTING = "agent: rehearsal\nverification:\n  - {name: there, command: test -e one.txt}\n"


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncIterator[Workbench]:
    repo = make_repository(tmp_path / "repo", SCENARIOS)
    git(repo, "config", "user.name", "t")
    git(repo, "config", "user.email", "t@example.org")
    async with await Workbench.open(tmp_path / "data", repo) as opened:
        yield opened


async def in_worktree(bench: Workbench, project: Project) -> tuple[Session, Path]:
    """A session on a branch of its own, in a tree that comes before the project's directory in every order."""
    root = bench.repo.parent / "a-tree"
    git(bench.repo, "worktree", "add", "-q", "-b", "fix", str(root))
    (root / ".pilothouse").mkdir()
    (root / ".pilothouse" / "rehearsal.yaml").write_text(SCENARIOS)
    (root / "agent.yaml").write_text(FITTING)
    now, host = bench.clock.now(), bench.runtime.host_id
    place = Workspace(f"0{uuid4().hex}", project.id, str(root), host, WorkspaceKind.WORKTREE, "fix")
    session = Session(
        id=uuid4().hex,
        project_id=project.id,
        workspace_id=place.id,
        slug="fix",
        kind=SessionKind.CHAT,
        title="Fix",
        agent=None,
        created_at=now,
        updated_at=now,
    )

    def write(tx: Tx) -> None:
        workspaces.add(tx, place)
        sessions.add(tx, session)

    await bench.store.write(write)
    return session, root


async def done_there(bench: Workbench, session: Session) -> Task:
    return await bench.rest(await bench.chat.send(session.id, Message("[[writes]]")), TaskStatus.COMPLETE)


async def test_a_workspace_is_not_called_as_its_project(bench: Workbench) -> None:
    """TSK-2"""
    session, task = await bench.begin("[[writes]]")
    await bench.rest(task, TaskStatus.COMPLETE)
    own = await bench.directory(session.project_id)
    assert (own.kind, own.branch, own.host) == (WorkspaceKind.DIRECTORY, None, bench.runtime.host_id)
    assert session.workspace_id == task.workspace_id == own.id != session.project_id
    assert [place.name for place in (bench.data_dir / "workspaces").iterdir()] == [own.id]


async def test_a_session_is_worked_on_in_its_workspace_by_what_that_says(bench: Workbench) -> None:
    """TSK-2 TSK-11"""
    project = await bench.projects.add(str(bench.repo))
    session, root = await in_worktree(bench, project)
    (bench.repo / "agent.yaml").write_text(REFUSING)
    before = tree(bench.repo)
    done = await done_there(bench, session)
    assert (done.agent, done.verdict) == ("rehearsal", Verdict.PASS)
    assert (root / "one.txt").exists()
    assert tree(bench.repo) == before
    await bench.controls.rollback(done.id)
    assert not (root / "one.txt").exists()
    assert tree(bench.repo) == before


async def test_workspaces_of_one_project_do_not_wait_for_each_other(bench: Workbench) -> None:
    """TSK-2: a new chat begins in the project's own directory."""
    chat, waits = await bench.begin("[[waits]]")
    await bench.until_event("step.tool_started", waits.id)
    session, _ = await in_worktree(bench, await bench.projects.add(str(bench.repo)))
    await done_there(bench, session)
    assert (await bench.task(waits.id)).status is TaskStatus.RUNNING
    assert chat.workspace_id == (await bench.directory(session.project_id)).id
    (bench.repo / "ignored").mkdir()
    (bench.repo / "ignored" / "go").touch()
    await bench.rest(waits, TaskStatus.COMPLETE)


async def test_a_task_is_committed_on_the_branch_of_its_workspace(bench: Workbench, tmp_path: Path) -> None:
    """WEB-13: without a task, what stands in the project's directory is."""
    project = await bench.projects.add(str(bench.repo))
    session, root = await in_worktree(bench, project)
    done = await done_there(bench, session)
    other = await bench.projects.add(str(make_repository(tmp_path / "other")))
    with pytest.raises(NotFound, match="no such task"):
        await bench.controls.commit(other.id, "Not here", None, done.id)
    sha, files = await bench.controls.commit(project.id, "Add one", ["one.txt"], done.id)
    assert (git(root, "rev-parse", "fix").strip(), files) == (sha, 1)
    (bench.repo / "mine.txt").write_text("mine\n")
    mine, _ = await bench.controls.commit(project.id, "Mine", None, None)
    assert git(bench.repo, "rev-parse", "main").strip() == mine != sha


async def test_the_mirror_names_the_tree_and_the_branch_of_a_session(bench: Workbench) -> None:
    """PLT-1"""
    project = await bench.projects.add(str(bench.repo))
    session, root = await in_worktree(bench, project)
    now = bench.clock.now()
    told = await bench.store.read(lambda c: documents.of_session(c, session, 100, now))
    written = told["session.json"]
    assert (written["projectPath"], written["workspacePath"]) == (str(bench.repo), str(root))
    assert written["featureBranch"] == "fix"


async def test_the_path_of_a_worktree_leads_to_its_project_and_makes_no_second_one(bench: Workbench) -> None:
    """TSK-2 BYD-9: or two queues would work on the same files"""
    project = await bench.projects.add(str(bench.repo))
    session, root = await in_worktree(bench, project)
    found, place = await bench.projects.at(str(root))
    assert (found, place.id, place.kind) == (project, session.workspace_id, WorkspaceKind.WORKTREE)
    assert await bench.projects.add(str(root)) == project
    assert len(await bench.store.read(lambda c: workspaces.of_project(c, project.id))) == 2
