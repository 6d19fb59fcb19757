"""`pilothouse task`, `reply`, `cancel`, `sessions` and `logs` against a running server."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.commands.outside import Outside
from tests.server.processes import until_event


def test_a_task_is_followed_to_its_end_without_colours(outside: Outside, repo: Path) -> None:
    """BYD-10"""
    done = outside.task("Fix add. [[fix-add]]", repo, "--follow")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "» Making changes" in done.stdout
    assert "The sum is right now." in done.stdout
    assert "Done: Not verified, 1 file, +1 −1" in done.stdout
    assert "\x1b" not in done.stdout
    assert (repo / "calc.py").read_text().endswith("a + b\n")


@pytest.mark.parametrize(("scenario", "code"), [("fails", 3), ("asks", 5), ("crashes", 5)])
def test_the_exit_code_says_how_it_ended(outside: Outside, repo: Path, scenario: str, code: int) -> None:
    """BYD-10"""
    done = outside.task(f"Try. [[{scenario}]]", repo, "--follow")
    assert done.returncode == code, done.stdout + done.stderr


def test_a_verdict_with_a_serious_doubt_is_no_success_to_a_script(outside: Outside, repo: Path) -> None:
    """BYD-17 BYD-10"""
    (repo / "agent.yaml").write_text("verification:\n  - {name: passes, command: 'true'}\n")
    done = outside.task("Fix add. [[fix-add]]\n\nBoundaries:\n- calc.py", repo, "--follow")
    assert done.returncode == 8, done.stdout + done.stderr
    assert "Done: passed, with 1 serious doubt" in done.stdout
    assert "! calc.py is inside the boundary “calc.py”, where the task must not go." in done.stdout
    assert "Passed, doubtful" in outside.run("sessions").stdout


def test_what_waits_is_said_with_its_address_where_nobody_can_answer(outside: Outside, repo: Path) -> None:
    """BYD-10"""
    done = outside.task("Ask me. [[asks]]", repo, "--follow")
    assert "Asks you: Which structure do you prefer?" in done.stdout
    assert "/sessions/" in done.stdout


def test_a_script_gets_one_object_per_line_and_answers_by_another_command(outside: Outside, repo: Path) -> None:
    """BYD-10"""
    asked = outside.task("Ask me. [[asks]]", repo, "--follow", "--json")
    lines = [json.loads(line) for line in asked.stdout.splitlines()]
    assert (asked.returncode, lines[-1]["type"], lines[-1]["task"]["awaiting"]) == (5, "task", "question")
    assert "question.asked" in {line["event"]["type"] for line in lines if line["type"] == "event"}
    task = lines[-1]["task"]
    done = outside.run("reply", task["task_id"], "B", "--attempt", str(task["attempt"]), "--follow", "--json")
    last = json.loads(done.stdout.splitlines()[-1])
    assert (done.returncode, last["task"]["status"]) == (0, "COMPLETE")
    text = "".join(line.get("text", "") for line in map(json.loads, done.stdout.splitlines()))
    assert "You chose B." in text
    late = outside.run("reply", task["task_id"], "A", "--attempt", str(task["attempt"]), "--json")
    assert late.returncode != 0
    assert "moved on: " in late.stdout + late.stderr


def test_the_text_may_come_from_standard_input_and_go_on_in_a_session(outside: Outside, repo: Path) -> None:
    """BYD-10"""
    first = outside.submit("Fix add. [[fix-add]]", repo, "--title", "Sums")
    second = outside.submit("Again. [[fix-add]]", repo, "--session", "sums")
    assert second["session_id"] == first["session_id"]
    assert second["task_id"] != first["task_id"]


def test_a_running_task_is_cancelled_and_listed_and_its_words_are_printed(outside: Outside, repo: Path) -> None:
    """BYD-10"""
    task = outside.submit("Wait. [[waits]]", repo)["task_id"]
    until_event(outside.http, "step.tool_finished", task)
    listed = outside.run("sessions", "--project", str(repo), "--group", "running")
    assert task in listed.stdout
    assert outside.run("logs", task).stdout.startswith("Waiting.\n")
    assert outside.run("cancel", task).returncode == 0
    followed = outside.run("logs", task, "--follow")
    assert (followed.returncode, "Waiting.\n" in followed.stdout) == (4, True), followed.stdout + followed.stderr


def test_a_queued_task_that_is_cancelled_ends_whoever_follows_it(outside: Outside, repo: Path) -> None:
    """BYD-10 TSK-3"""
    first = outside.submit("Wait. [[waits]]", repo)["task_id"]
    second = outside.submit("Wait. [[waits]]", repo)["task_id"]
    with outside.in_terminal("logs", second, "--follow") as person:
        person.until("Queued, number 1.")
        assert outside.run("cancel", second).stdout == "Cancelled before it started.\n"
        assert person.exit_code() == 4
    outside.run("cancel", first)


def test_nothing_an_agent_prints_reaches_the_terminal_as_a_command(outside: Outside, repo: Path) -> None:
    """BYD-12"""
    done = outside.task("Print. [[escapes]]", repo, "--follow")
    assert "[31mred[0m and a bell" in done.stdout
    assert not {"\x1b", "\x07"} & set(done.stdout)


def test_without_a_server_it_says_how_to_start_one(tmp_path: Path, outside: Outside) -> None:
    """BYD-10 PLT-9"""
    alone = Outside(tmp_path / "nothing", outside.http)
    refused = alone.run("sessions")
    assert refused.returncode == 7
    assert "No Pilothouse is running" in refused.stderr
    assert "pilothouse serve" in refused.stderr
    away = alone.run("sessions", "--url", "http://127.0.0.1:9", "--json")
    assert (away.returncode, json.loads(away.stdout)["error"]) == (7, "no_server")


def test_a_wrong_token_and_a_wrong_path_are_refused_in_plain_words(outside: Outside, tmp_path: Path) -> None:
    """BYD-10 PLT-9"""
    wrong = outside.run("sessions", "--token", "wrong")
    assert (wrong.returncode, "Traceback" in wrong.stderr) == (6, False)
    assert "login" in wrong.stderr
    nowhere = outside.run("task", "Do it.", "--project", str(tmp_path / "nowhere"))
    assert (nowhere.returncode, "does not exist" in nowhere.stderr) == (6, True), nowhere.stderr


def test_the_server_is_named_by_address_too(outside: Outside, tmp_path: Path) -> None:
    """BYD-10"""
    found = Outside(tmp_path, outside.http).run("sessions", PILOTHOUSE_URL=str(outside.http.base_url))
    assert found.returncode == 0, found.stderr


def test_help_and_completion_are_there(tmp_path: Path, outside: Outside) -> None:
    """BYD-10"""
    help_ = outside.run("task", "--help").stdout
    for option in ("--dry-run", "--auto-fix", "--permission-mode", "--follow", "--json"):
        assert option in help_
    completed = outside.run(_PILOTHOUSE_COMPLETE="complete_bash", COMP_WORDS="pilothouse ta", COMP_CWORD="1")
    assert (completed.returncode, completed.stdout) == (0, "task\n")
