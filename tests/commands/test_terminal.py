"""Following a task as a person in a terminal does."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

from pilothouse.engine.guard.decisions import Choice
from pilothouse.words import say
from tests.commands.outside import Outside
from tests.server.processes import until_event


def followed(repo: Path, text: str) -> tuple[str, ...]:
    return ("task", text, "--project", str(repo), "--agent", "rehearsal", "--follow")


def test_a_question_is_asked_in_the_terminal(outside: Outside, repo: Path) -> None:
    """BYD-10 RPL-1"""
    with outside.in_terminal(*followed(repo, "Ask me. [[asks]]")) as person:
        person.until("Which structure do you prefer?")
        person.until("2) B: Nested")
        person.until("Your choice, or your own words:")
        person.types("2\n")
        person.until("You chose B.")
        assert person.exit_code() == 0


def test_a_permission_is_decided_after_all_of_it_was_read(outside: Outside, repo: Path) -> None:
    """BYD-10 GRD-7"""
    with outside.in_terminal(*followed(repo, "Tidy up. [[permits]]")) as person:
        person.until("The agent wants to use Bash")
        person.until("  make clean\r\n  make all")
        person.until("Your choice:")
        person.types("3\n")
        person.until("Why not (may be empty):")
        person.types("The cache is shared\n")
        person.until("It was denied: The cache is shared.")
        assert person.exit_code() == 0


def test_everything_that_can_be_decided_at_a_limit_is_offered(outside: Outside, repo: Path) -> None:
    """BYD-10 GRD-6"""
    with outside.in_terminal(*followed(repo, "Write. [[limit]]")) as person:
        person.until("2) Retry now")
        person.until("Your choice:")
        person.types("2\n")
        person.until("Writing the second half.")
        assert person.exit_code() == 0


def test_a_decision_counts_for_the_limit_that_was_on_the_screen_alone(outside: Outside, repo: Path) -> None:
    """BYD-10 GRD-6"""
    with outside.in_terminal(*followed(repo, "Write. [[limit-twice]]")) as person:
        person.until("Come back later.")
        person.until("Your choice:")
        project = outside.http.post("/api/projects", json={"path": str(repo)}).json()["id"]
        (session,) = outside.http.get("/api/sessions", params={"project_id": project}).json()["items"]
        task = f"/api/tasks/{session['current_task_id']}"
        outside.http.post(f"{task}/decision", json={"choice": "retry"}).raise_for_status()
        until_event(outside.http, "attempt.finished", session["current_task_id"], count=2)
        person.types("close\n")
        person.until("moved on: ")
        person.until("Come back later still.")
        person.until("Your choice:")
        assert outside.http.get(task).json()["status"] == "AWAITING_RESPONSE"
        person.types("retry\n")
        person.until("All of it is written.")
        assert person.exit_code() == 0


def test_every_decision_has_its_words() -> None:
    """BYD-10"""
    assert all(say(f"choice.{choice}") for choice in get_args(Choice))


def test_a_dry_run_is_shown_and_applied(outside: Outside, repo: Path) -> None:
    """BYD-10 TSK-7"""
    with outside.in_terminal(*followed(repo, "Fix. [[fix-add]]"), "--dry-run") as person:
        person.until("+    return a + b")
        person.until("Your choice:")
        person.types("apply\n")
        assert person.exit_code() == 0
    assert (repo / "calc.py").read_text().endswith("a + b\n")


def test_ctrl_c_asks_and_cancels(outside: Outside, repo: Path) -> None:
    """BYD-10 TSK-6"""
    with outside.in_terminal(*followed(repo, "Wait. [[waits]]")) as person:
        person.until("Waiting.")
        person.interrupts()
        person.until("Ctrl-C again detaches:")
        person.types("cancel\n")
        assert person.exit_code() == 4


def test_a_second_ctrl_c_detaches_and_the_task_goes_on(outside: Outside, repo: Path) -> None:
    """BYD-10"""
    with outside.in_terminal(*followed(repo, "Wait. [[waits]]")) as person:
        person.until("Waiting.")
        person.interrupts()
        person.until("Ctrl-C again detaches:")
        person.interrupts()
        person.until("pilothouse logs ")
        task = person.seen.split()[0] if person.seen.split() else ""
        assert person.exit_code() == 130
    task = task or person.seen.split()[0]
    assert outside.http.get(f"/api/tasks/{task}").json()["status"] == "RUNNING"
    assert outside.run("cancel", task).returncode == 0
