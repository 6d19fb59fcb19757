from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Any

import orjson
import pytest

from pilothouse.domain.agent.usage import Spawn
from pilothouse.domain.clock import ManualClock
from pilothouse.domain.event.log import Event
from pilothouse.domain.event.session import SessionCreated
from pilothouse.domain.event.talk import Option
from pilothouse.domain.event.task import TaskMilestone
from pilothouse.domain.talk.questions import Question
from pilothouse.domain.task.contexts import Context, ContextKind
from pilothouse.domain.task.moves import Action
from pilothouse.domain.task.stuck import StuckReport
from pilothouse.domain.task.task import Attempt, AttemptMode, Step, StepKind, Verdict
from pilothouse.store import notices
from pilothouse.store.agent import usage
from pilothouse.store.database import Store, Tx
from pilothouse.store.mirror import documents
from pilothouse.store.mirror.mirror import PER_SESSION, PROGRESS_SECONDS, RETRY_SECONDS, SETTLE_SECONDS, Mirror
from pilothouse.store.talk import questions
from pilothouse.store.task import attempts, contexts, output, steps, stuck_reports, tasks
from tests.store.samples import NOW, claim, furnish, move, submit, until


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(NOW)


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
async def mirror(store: Store, data_dir: Path, clock: ManualClock) -> Mirror:
    return Mirror(store, data_dir, clock, max_calls_per_hour=7)


def _load(file: Path) -> dict[str, Any]:
    loaded: dict[str, Any] = orjson.loads(file.read_bytes())
    return loaded


async def _drawn(file: Path) -> None:
    async def there() -> bool:
        return os.access(file, os.F_OK)

    await until(there)


def _modes(folder: Path) -> set[tuple[str, int]]:
    found = [folder, *folder.rglob("*")]
    return {("folder" if path.is_dir() else "file", stat.S_IMODE(path.stat().st_mode)) for path in found}


def _block(folder: Path) -> None:
    folder.parent.mkdir()
    folder.write_text("a file where the folder should be")


def _created(tx: Tx) -> None:
    furnish(tx)
    created = SessionCreated(project_id="p", workspace_id="w", slug="s", kind="chat", title="Session s")
    tx.emit(created, session_id="s")


def _milestone(tx: Tx) -> None:
    tx.emit(TaskMilestone(attempt=1, code="edit", text="Making changes"), session_id="s", task_id="t")


async def _working(store: Store) -> None:
    """A session whose task runs, printed something and asked something before."""
    await store.write(_created)
    await submit(store, "t")
    await claim(store)

    def work(tx: Tx) -> None:
        attempts.start(tx, Attempt("t", 1, AttemptMode.FIRST, NOW))
        steps.start(tx, Step("step", "t", 1, 1, StepKind.EDIT, "Fix add", NOW, files_changed=2))
        usage.start(tx, Spawn("step", "t", "s", "p", "claude", "edit", NOW))
        output.append(tx, "t", 1, [(0, "Looking\nWriting calc.py\n\n")])
        options = (Option(value="A", label="Flat", recommended=True),)
        questions.ask(tx, Question("q", "s", "t", 1, "single_choice", "Which?", NOW, options, "A", NOW))
        _milestone(tx)

    await store.write(work)


async def test_files_have_the_layout_and_fields_agents_read(
    store: Store, mirror: Mirror, data_dir: Path, clock: ManualClock
) -> None:
    """PLT-1"""
    await _working(store)
    await clock.advance(90)
    await mirror.check()
    assert _load(data_dir / "projects.json") == {"version": "1.0", "projects": {"p": "/home/ada/p"}}
    index = _load(data_dir / "p" / "index.json")
    assert (index["version"], index["projectId"]) == ("1.0", "p")
    assert [(listed["id"], listed["featureId"], listed["status"]) for listed in index["sessions"]] == [
        ("s", "s", "active")
    ]
    folder = data_dir / "p" / "s"
    read = {name: _load(folder / name) for name in PER_SESSION}
    assert {document["version"] for document in read.values()} == {"1.0"}
    session = read["session.json"]
    assert (session["id"], session["featureId"], session["projectId"]) == ("s", "s", "p")
    assert (session["featureDescription"], session["projectPath"]) == ("Fix add", "/home/ada/p")
    assert session["workspacePath"] == "/home/ada/p"
    assert (session["currentStage"], session["featureBranch"], session["acceptanceCriteria"]) == (0, None, [])
    assert session["createdAt"] == "2026-01-01T12:00:00.123456Z"
    (question,) = read["questions.json"]["questions"]
    assert (question["questionType"], question["answer"]) == ("single_choice", {"value": "A"})
    assert question["options"] == [{"value": "A", "label": "Flat", "recommended": True}]
    told = read["events.json"]["events"]
    assert [event["eventType"] for event in told] == ["session.created", "task.milestone"]
    assert told[1]["payload"]["text"] == "Making changes"
    status = read["status.json"]
    assert (status["status"], status["currentStepId"], status["claudeSpawnCount"]) == ("executing", "step", 1)
    assert (status["maxCallsPerHour"], status["callsThisHour"]) == (7, 1)
    assert (status["nextHourReset"], status["circuitBreakerState"]) == ("2026-01-01T13:00:00Z", "CLOSED")
    progress = read["progress.json"]
    assert (progress["isExecuting"], progress["elapsedSeconds"]) == (True, 90)
    assert (progress["lastOutputLine"], progress["filesModifiedThisStep"]) == ("Writing calc.py", 2)


async def test_files_and_folders_are_the_persons_alone(store: Store, mirror: Mirror, data_dir: Path) -> None:
    """BYD-12"""
    await store.write(_created)
    await mirror.check()
    assert _modes(data_dir) == {("folder", 0o700), ("file", 0o600)}


async def test_a_burst_is_written_once(store: Store, mirror: Mirror, data_dir: Path, clock: ManualClock) -> None:
    """PLT-1"""
    mirror.start()
    await mirror.checked.wait()
    await store.write(_created)
    for _ in range(50):
        await store.write(_milestone)
    assert not (data_dir / "p" / "s" / "events.json").exists()
    await clock.advance(SETTLE_SECONDS)
    await _drawn(data_dir / "p" / "s" / "progress.json")
    assert len(_load(data_dir / "p" / "s" / "events.json")["events"]) == 51
    assert not (data_dir / "p" / "s" / "events.json.bak").exists()
    await store.write(_milestone)
    await mirror.stop()
    assert len(_load(data_dir / "p" / "s" / "events.json")["events"]) == 52
    assert len(_load(data_dir / "p" / "s" / "events.json.bak")["events"]) == 51


async def test_progress_is_drawn_every_two_seconds_while_a_task_runs(
    store: Store, mirror: Mirror, data_dir: Path, clock: ManualClock
) -> None:
    """PLT-1"""
    mirror.start()
    await mirror.checked.wait()
    await _working(store)
    await clock.advance(SETTLE_SECONDS)
    file = data_dir / "p" / "s" / "progress.json"
    await _drawn(file)
    await store.write(lambda tx: output.append(tx, "t", 1, [(25, "Running tests\n")]))
    assert _load(file)["lastOutputLine"] == "Writing calc.py"

    async def moved_on() -> bool:
        await clock.advance(PROGRESS_SECONDS)
        return bool(_load(file)["lastOutputLine"] == "Running tests")

    await until(moved_on)
    assert _load(file)["elapsedSeconds"] >= PROGRESS_SECONDS
    await mirror.stop()


async def test_a_session_that_ended_is_not_executing(store: Store, mirror: Mirror, data_dir: Path) -> None:
    """PLT-1"""
    await _working(store)
    running = await store.read(lambda c: tasks.get(c, "t"))
    assert running
    await move(store, running, Action.FINISH, verdict=Verdict.PASS)
    await mirror.check()
    progress = _load(data_dir / "p" / "s" / "progress.json")
    assert (progress["isExecuting"], progress["estimatedProgress"]) == (False, 100)
    assert _load(data_dir / "p" / "s" / "status.json")["status"] == "idle"


@pytest.mark.parametrize("harm", ["deleted", "half", "empty"])
async def test_a_harmed_file_is_noticed_at_start_told_and_drawn_again(
    store: Store, mirror: Mirror, data_dir: Path, clock: ManualClock, harm: str
) -> None:
    """PLT-1"""
    await _working(store)
    await mirror.check()
    heard: list[Event] = []
    store.on_commit(heard.extend)
    for name in [*(f"p/s/{name}" for name in PER_SESSION), "p/index.json", "projects.json"]:
        file = data_dir / name
        whole = file.read_bytes()
        file.unlink() if harm == "deleted" else file.write_bytes(whole[:40] if harm == "half" else b"")
        await Mirror(store, data_dir, clock, max_calls_per_hour=7).check()
        assert file.read_bytes() == whole
        assert [(event.type, event.data.files) for event in heard] == [("storage.mirror_rebuilt", [name])]
        heard.clear()
    await Mirror(store, data_dir, clock, max_calls_per_hour=7).check()
    assert heard == []


async def test_a_file_behind_the_database_is_brought_up_without_a_word(
    store: Store, mirror: Mirror, data_dir: Path, clock: ManualClock
) -> None:
    """PLT-1, BYD-8"""
    await store.write(_created)
    await mirror.check()
    await store.write(_milestone)
    heard: list[Event] = []
    store.on_commit(heard.extend)
    await Mirror(store, data_dir, clock).check()
    assert len(_load(data_dir / "p" / "s" / "events.json")["events"]) == 2
    assert heard == []


async def test_a_file_someone_changes_while_we_run_is_drawn_again(store: Store, mirror: Mirror, data_dir: Path) -> None:
    """PLT-1"""
    await store.write(_created)
    await mirror.check()
    heard: list[Event] = []
    store.on_commit(heard.extend)
    assert await mirror.scan() == ""
    assert heard == []
    file, other = data_dir / "p" / "s" / "session.json", data_dir / "p" / "s" / "status.json"
    whole = file.read_bytes()
    file.write_text('{"title": "an agent was here"}')
    other.unlink()
    await mirror.scan()
    assert file.read_bytes() == whole
    assert not file.with_name("session.json.bak").exists()
    assert other.exists()
    assert [event.data.files for event in heard] == [["p/s/session.json", "p/s/status.json"]]


async def test_a_list_someone_changes_while_we_run_is_drawn_again(store: Store, mirror: Mirror, data_dir: Path) -> None:
    """PLT-1"""
    await store.write(_created)
    await mirror.check()
    index, projects = data_dir / "p" / "index.json", data_dir / "projects.json"
    whole = index.read_bytes(), projects.read_bytes()
    index.write_text("[]")
    projects.unlink()
    heard: list[Event] = []
    store.on_commit(heard.extend)
    await mirror.scan()
    assert (index.read_bytes(), projects.read_bytes()) == whole
    assert [event.data.files for event in heard] == [["projects.json", "p/index.json"]]


async def test_a_list_that_could_not_be_written_is_written_later(
    store: Store, mirror: Mirror, data_dir: Path, clock: ManualClock
) -> None:
    """PLT-1"""
    (data_dir / "projects.json").mkdir(parents=True)
    mirror.start()
    await mirror.checked.wait()
    (data_dir / "projects.json").rmdir()

    async def written() -> bool:
        await clock.advance(SETTLE_SECONDS + RETRY_SECONDS)
        return (data_dir / "projects.json").is_file()

    await until(written)
    await mirror.stop()


async def test_a_disk_that_refuses_is_a_notice_and_no_task_waits(
    store: Store, mirror: Mirror, data_dir: Path, clock: ManualClock
) -> None:
    """PLT-1"""
    _block(data_dir / "p")
    mirror.start()
    await mirror.checked.wait()
    await store.write(_created)
    await clock.advance(SETTLE_SECONDS)

    async def told() -> bool:
        return [notice.code for notice in await store.read(notices.open)] == ["mirror_failed"]

    await until(told)
    await store.write(_milestone)
    (data_dir / "p").unlink()
    await mirror.stop()
    assert len(_load(data_dir / "p" / "s" / "events.json")["events"]) == 2


async def test_the_event_file_is_bounded_and_says_how_many_there_are(
    store: Store, mirror: Mirror, data_dir: Path
) -> None:
    """PLT-1"""
    await store.write(_created)

    def many(tx: Tx) -> None:
        for _ in range(documents.EVENTS_SHOWN):
            _milestone(tx)

    await store.write(many)
    await mirror.check()
    document = _load(data_dir / "p" / "s" / "events.json")
    assert (document["totalEvents"], len(document["events"])) == (documents.EVENTS_SHOWN + 1, documents.EVENTS_SHOWN)
    assert document["events"][-1]["seq"] == documents.EVENTS_SHOWN + 1


async def test_contexts_and_stuck_reports_lie_beside_the_sessions_state_and_go_with_it(
    store: Store, mirror: Mirror, data_dir: Path
) -> None:
    """TSK-10, TSK-15"""
    await _working(store)
    report = StuckReport("t", 1, NOW, "Fix add", ("A race",), "", (), ())

    def work(tx: Tx) -> None:
        contexts.add(tx, Context("s", 0, "t", 1, ContextKind.START, NOW, "How it began.\n"))
        stuck_reports.add(tx, report)
        _milestone(tx)

    await store.write(work)
    await mirror.check()
    folder = data_dir / "p" / "s"
    assert (folder / "context_001.md").read_text() == "How it began.\n"
    assert (folder / "stuck_t.md").read_text() == report.markdown()
    await store.write(lambda tx: contexts.remove(tx, "t"))
    await mirror.check()
    assert not (folder / "context_001.md").exists()
    assert (folder / "stuck_t.md").exists()
