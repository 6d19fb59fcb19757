"""What a task leaves in the repository for git to run is on the card."""

from __future__ import annotations

from pathlib import Path

import pytest

from pilothouse.domain.task.doubts import DoubtKind, Severity
from pilothouse.domain.task.task import TaskStatus, Verdict
from tests.workbench import Workbench, git, make_repository

SCENARIOS = r"""
scenarios:
  hook:
    - write: {path: note.txt, text: one}
    - run: "mkdir -p .git/hooks && printf '#!/bin/sh\ntrue\n' > .git/hooks/pre-commit && chmod +x .git/hooks/pre-commit"
  only-hook:
    - run: "mkdir -p .git/hooks && printf '#!/bin/sh\ntrue\n' > .git/hooks/post-merge && chmod +x .git/hooks/post-merge"
  setting:
    - write: {path: note.txt, text: one}
    - run: "git config core.fsmonitor ./spy.sh"
  at-the-end:
    steps: [write: {path: note.txt, text: one}]
    summarise: [run: "git config core.pager ./spy.sh", say: All is done.]
  honest:
    - write: {path: note.txt, text: one}
    - run: "git branch other && git tag mine && git add -A && git commit -qm mine && git switch -qc third"
    - run: "git config branch.third.remote origin && git config user.name Someone"
    - run: "printf 'true\n' > .git/hooks/pre-push.sample && printf 'true\n' > .git/hooks/commit-msg"
"""
CHECKS = "verification:\n  - {name: there, command: 'test -f calc.py'}\n"


async def opened(tmp_path: Path, agent_yaml: str = CHECKS) -> Workbench:
    repo = make_repository(tmp_path / "repo", SCENARIOS)
    (repo / "agent.yaml").write_text(agent_yaml)
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "checks")
    own = repo / ".git" / "hooks" / "post-commit"
    own.parent.mkdir(exist_ok=True)
    own.write_text("#!/bin/sh\ntrue\n")
    own.chmod(0o755)
    git(repo, "config", "alias.st", "!git status")
    return await Workbench.open(tmp_path / "data", repo)


@pytest.mark.parametrize(
    ("scenario", "name", "verdict"),
    [
        ("hook", "pre-commit", Verdict.PASS),
        ("only-hook", "post-merge", Verdict.NO_CHANGES),
        ("setting", "core.fsmonitor", Verdict.PASS),
        ("at-the-end", "core.pager", Verdict.PASS),
    ],
)
async def test_a_planted_hook_or_setting_is_a_serious_doubt(
    tmp_path: Path, scenario: str, name: str, verdict: Verdict
) -> None:
    """BYD-23 BYD-17: the person's own hook and alias, there before, are none."""
    async with await opened(tmp_path) as bench:
        _, begun = await bench.begin(f"[[{scenario}]]")
        task = await bench.rest(begun, TaskStatus.COMPLETE)
        assert task.verdict is verdict
        found = [doubt for doubt in task.doubts if doubt.kind is DoubtKind.PLANTED]
        assert [(doubt.name, doubt.severity) for doubt in found] == [(name, Severity.SERIOUS)]
        assert name in found[0].message
        told = next(event for event in bench.heard if event.type == "task.findings")
        done = next(event for event in bench.heard if event.type == "task.completed")
        assert told.seq < done.seq


async def test_a_task_without_checks_is_looked_at_too(tmp_path: Path) -> None:
    """BYD-23"""
    async with await opened(tmp_path, "verification: []\n") as bench:
        _, begun = await bench.begin("[[setting]]")
        task = await bench.rest(begun, TaskStatus.COMPLETE)
        assert task.verdict is Verdict.UNVERIFIED
        assert [doubt.kind for doubt in task.doubts if doubt.severity is Severity.SERIOUS] == [DoubtKind.PLANTED]


async def test_commits_branches_and_harmless_settings_are_no_finding(tmp_path: Path) -> None:
    """BYD-23"""
    async with await opened(tmp_path) as bench:
        _, begun = await bench.begin("[[honest]]")
        task = await bench.rest(begun, TaskStatus.COMPLETE)
        assert (task.verdict, task.doubts) == (Verdict.PASS, ())
        assert git(bench.repo, "branch", "--show-current").strip() == "third"
