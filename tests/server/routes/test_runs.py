"""Verifications over HTTP, made by the verifier itself."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from pilothouse.domain.task.checks import Check, RunPurpose, VerificationRun
from pilothouse.domain.task.task import Task
from pilothouse.store.task import runs
from pilothouse.verify.runs.verifier import Progress, RunRequest, Verifier
from tests.workbench import Workbench


async def _hear(_: Progress) -> None:
    pass


@pytest.fixture
async def task(bench: Workbench) -> Task:
    _, task = await bench.begin("Fix it. [[fix-add]]")
    return await bench.rest(task)


async def verified(bench: Workbench, task: Task, run_id: str, *checks: Check) -> VerificationRun:
    request = RunRequest(run_id, Path(bench.repo), checks)
    report = await Verifier(bench.settings, bench.clock).begin(request).run(_hear)
    assert report is not None
    run = VerificationRun(
        id=run_id,
        task_id=task.id,
        attempt=1,
        step_id="step",
        purpose=RunPurpose.VERIFY,
        loop=1,
        started_at=report.started_at,
        finished_at=report.finished_at,
        result=report.result,
        commit="c0ffee",
        tree="7ree",
        checks=report.checks,
        first_failing_line=report.first_failing_line,
        tail=report.tail,
        log_path=report.log_path,
    )
    return await bench.store.write(lambda tx: runs.add(tx, run))


async def test_the_runs_of_a_task_come_newest_first_with_what_each_check_said(
    bench: Workbench, client: httpx.AsyncClient, task: Task
) -> None:
    """TSK-13"""
    assert (await client.get(f"/api/tasks/{task.id}/runs")).json() == {"items": []}
    failing = Check("tests", "printf '\\033[31mFAILED test_a.py::test_x - assert 1\\033[0m\\n'; exit 1")
    await verified(bench, task, "first", Check("lint", "true"), failing, Check("build", "true"))
    await verified(bench, task, "second", Check("lint", "true"))
    found = (await client.get(f"/api/tasks/{task.id}/runs")).json()["items"]
    assert [(run["run_id"], run["result"]) for run in found] == [("second", "PASS"), ("first", "FAIL")]
    checks = [(check["number"], check["name"], check["result"], check["exit_code"]) for check in found[1]["checks"]]
    assert checks == [(1, "lint", "passed", 0), (2, "tests", "failed", 1), (3, "build", "skipped", None)]
    assert found[1]["first_failing_line"] == "FAILED test_a.py::test_x - assert 1"
    assert "tail" not in found[1]
    one = (await client.get("/api/runs/first")).json()
    assert {**found[1], "tail": one["tail"]} == one
    assert "\x1b[31mFAILED" in one["tail"]


async def test_a_log_is_read_in_pages_of_whole_characters(
    bench: Workbench, client: httpx.AsyncClient, task: Task
) -> None:
    """TSK-13"""
    text = "äöü€😀 and so on\n" * 5
    run = await verified(bench, task, "paged", Check("say", ("printf", "%s", text)), Check("end", "true"))
    for limit in (1, 2, 3, 4, 5, 7, 1000):
        offset, pages = 0, []
        while True:
            page = (await client.get(f"/api/runs/paged/log?check=1&offset={offset}&limit={limit}")).json()
            pages.append(page["text"])
            assert page["next_offset"] > offset
            offset = page["next_offset"]
            if offset == page["total"]:
                break
        assert "".join(pages) == text
    combined = (await client.get("/api/runs/paged/log")).json()
    assert combined["check"] == "combined"
    assert combined["text"] == Path(run.log_path).read_text()
    beyond = (await client.get("/api/runs/paged/log", params={"check": "1", "offset": 10_000})).json()
    assert (beyond["text"], beyond["next_offset"]) == ("", beyond["total"])
    inside = (await client.get("/api/runs/paged/log", params={"check": "1", "offset": 1})).json()
    assert inside["text"].startswith("öü€")


async def test_bytes_that_are_no_text_are_paged_to_their_end(
    bench: Workbench, client: httpx.AsyncClient, task: Task
) -> None:
    await verified(bench, task, "raw", Check("say", "printf '\\200\\200\\200\\200\\200\\200\\377\\300'"))
    offset, total = 0, 8
    while offset < total:
        answer = await client.get("/api/runs/raw/log", params={"check": "1", "offset": offset, "limit": 1})
        page = answer.json()
        assert page["total"] == total
        assert page["next_offset"] > offset
        offset = page["next_offset"]


async def test_what_is_not_there_is_404_and_what_makes_no_sense_400(
    bench: Workbench, client: httpx.AsyncClient, task: Task
) -> None:
    """TSK-13"""
    run = await verified(bench, task, "run", Check("fails", "false"), Check("after", "true"))
    for missing in ("/api/tasks/none/runs", "/api/runs/none", "/api/runs/none/log", "/api/runs/run/log?check=3"):
        assert (await client.get(missing)).status_code == 404, missing
    skipped = await client.get("/api/runs/run/log?check=2")
    assert skipped.status_code == 404
    assert "never started" in skipped.json()["message"]
    for odd in ("check=0", "check=../x", "offset=-1", "limit=0"):
        assert (await client.get(f"/api/runs/run/log?{odd}")).status_code == 400, odd
    Path(run.log_path).unlink()
    gone = await client.get("/api/runs/run/log")
    assert gone.status_code == 404
    assert gone.json()["message"] == "This log no longer exists."
