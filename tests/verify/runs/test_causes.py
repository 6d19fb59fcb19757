"""ProgressLog apart: a check that failed, and one that could not be run."""

from __future__ import annotations

import pytest

from pilothouse.verify.runs.causes import Cause, Failure, cause

NPM = "> test\n> jest\n\nsh: 1: jest: not found\n"
PYTEST_COV = "ERROR: usage: pytest [options] [file_or_dir] [...]\npytest: error: unrecognized arguments: --cov=src\n"


@pytest.mark.parametrize(
    ("command", "code", "words", "reason"),
    [
        ("pytest -q", 127, "sh: 1: pytest: not found", "no program “pytest”"),
        ("pytest -q", 127, "sh: line 1: pytest: command not found", "no program “pytest”"),
        ("pytest -q", 127, "/bin/sh: pytest: command not found", "no program “pytest”"),
        ("./t.sh", 127, "./t.sh: line 3: bash: jest: command not found", "no program “jest”"),
        ("zsh t", 127, "zsh:1: command not found: jest", "no program “jest”"),
        ("env jest", 127, "env: ‘jest’: No such file or directory", "no program “jest”"),
        ("npm test", 127, NPM, "no program “jest”"),
        ("yarn test", 127, "/bin/sh: jest: command not found\nerror Command failed with exit code 127.", "“jest”"),
        ("make test", 2, "make: nosuch: No such file or directory\nmake: *** [Makefile:2: t] Error 127", "“nosuch”"),
        ("make test", 2, "/bin/sh: 1: jest: not found\nmake: *** [Makefile:2: t] Error 127", "no program “jest”"),
        ("task test", 201, '"jest": sh: 1: jest: not found\ntask: Failed to run "test": exit status 127', "“jest”"),
        ("odd", 127, "", "not found (exit code 127)"),
        ("./t.sh", 126, "sh: 1: ./t.sh: Permission denied", "is not executable"),
        ("python -m pytest -q", 1, "/usr/bin/python: No module named pytest", "no module “pytest”"),
        (".venv/bin/python3 -m ruff check", 1, "/a/.venv/bin/python3.12: No module named ruff", "no module “ruff”"),
        ("poetry run pytest", 1, "Command not found: pytest", "no program “pytest”"),
        ("uv run pytest", 2, "error: Failed to spawn: `pytest`\n  Caused by: No such file or directory (os error 2)",
         "no program “pytest”"),
        ("pnpm test", 1, "sh: 1: jest: not found\n ELIFECYCLE  Test failed.\n WARN   Local package.json exists, but "
         "node_modules missing, did you mean to install?", "node_modules is missing"),
        ("cargo nextest run", 101, "error: no such command: `nextest`\n\nhelp: view all", "no command “nextest”"),
        ("cargo clippy", 1, "error: 'cargo-clippy' is not installed for the toolchain 'stable-x86_64'.",
         "no “cargo-clippy”"),
        ("./gradlew test", 1, "ERROR: JAVA_HOME is not set and no 'java' command could be found in your PATH.",
         "no Java"),
        ("docker compose run tests", 1, "Cannot connect to the Docker daemon at unix:///var/run/docker.sock.",
         "Docker is not running"),
        ("pytest --cov=src", 4, PYTEST_COV, "pytest-cov is missing"),
        ("pytest -n 4", 4, "pytest: error: unrecognized arguments: -n 4", "pytest-xdist is missing"),
    ],
)  # fmt: skip
def test_what_the_machine_lacks_is_no_failing_test(command: str, code: int, words: str, reason: str) -> None:
    """TSK-13"""
    found = cause(Failure(command, code, words))
    assert found.unrunnable
    assert reason in found.detail


@pytest.mark.parametrize(
    ("command", "code", "words", "detail"),
    [
        ("npm test", 1, NPM, ""),
        ("make test", 2, "sh: 1: jest: not found\nmake: *** [Makefile:2: t] Error 1", ""),
        ("make test", 2, "1 failed\nmake: *** [Makefile:2: t] Error 127", ""),
        ("pytest", 137, "Killed", "It was killed (SIGKILL), perhaps because memory ran out."),
        ("pytest", 1, "E   FileNotFoundError: No such file or directory: 'docker'\n1 failed", ""),
        ("pytest", 1, "E   ModuleNotFoundError: No module named 'fees'\n1 failed", ""),
        ("./t.sh", 1, "python3: No module named fees", ""),
        ("uv run pytest", 1, "error: Failed to spawn: `pytest`", ""),
        ("pytest", 1, "no tests ran", ""),
        ("pytest", 1, "Cannot connect to the Docker daemon at unix:///var/run/docker.sock.", ""),
        ("pytest", 1, "OSError: [Errno 28] No space left on device", ""),
        ("pytest", 143, "Terminated", ""),
        ("pytest", 5, "collected 0 items\n====== no tests ran in 0.07s ======", "No tests were found."),
        ("python -m unittest", 5, "Ran 0 tests in 0.000s\n\nNO TESTS RAN", "No tests were found."),
        (
            "pytest --nope",
            4,
            "pytest: error: unrecognized arguments: --nope",
            "pytest does not know the options --nope.",
        ),
        ("pytest x", 4, "ERROR: file or directory not found: x", "pytest found no “x”."),
        ("npm run t", 1, 'npm error Missing script: "t"', "package.json has no script “t”."),
        ("exit 5", 5, "", ""),
    ],
)
def test_what_the_repository_holds_is_a_failure(command: str, code: int, words: str, detail: str) -> None:
    """TSK-13"""
    assert cause(Failure(command, code, words)) == Cause(False, detail)


def test_a_full_disk_is_believed_when_the_disk_is_full() -> None:
    """TSK-13"""
    words = "OSError: [Errno 28] No space left on device"
    found = cause(Failure("pytest", 1, words, disk_full=True))
    assert found.unrunnable
    assert "no space left" in found.detail
    assert not cause(Failure("pytest", 1, "1 failed", disk_full=True)).unrunnable
