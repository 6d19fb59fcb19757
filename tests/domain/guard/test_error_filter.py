from __future__ import annotations

import pytest

from pilothouse.domain.guard.error_filter import errors_in, signature

FALSE_ALARMS = [
    '"is_error": false',
    '{"type": "result", "is_error": false, "error": null}',
    "is_error=False, num_errors=0",
    "error_count: 0",
    "errors: []",
    '"error": ""',
    "errors: none",
    "error_rate: 0.0%",
    "0 errors, 0 warnings",
    "Found 0 errors. Checked 12 files.",
    "no error",
    "No errors found.",
    "There were no type errors or failures.",
    "without any errors",
    "12 passed, 0 failed",
    "# fail 0",
    "failed: 0",
    '"error_message": "shown to the person",',
    "`Error: not found` is what it prints now.",
    "Added error handling to the upload.",
    "The error message names the file now.",
    "Fixed the TypeError: it came from a missing default.",
    "The parser raises ValueError: see its docstring.",
    "Added a test that the build failed with exit code 2 is reported.",
    "The handler returns 404 Not Found for unknown ids.",
    "> Error: this is quoted from the issue",
    "# Error: a heading",
    "// Error: a comment",
    "```\nError: printed by an example\n```",
    "~~~text\nTraceback (most recent call last)\n~~~",
    "All tests pass, done.",
    "I renamed ErrorBoundary to Boundary.",
    "The failure case is covered.",
    "",
]

REAL = [
    "Error: cannot find module 'left-pad'",
    "error: could not compile `thing`",
    "error[E0308]: mismatched types",
    "  TypeError: x is not a function",
    "pkg.mod.CustomException: it broke",
    "Traceback (most recent call last):",
    "Fatal: not a git repository",
    "fatal: not a git repository",
    "panic: runtime error",
    "npm test failed with exit code 1",
    "The command exited with code 2",
    "API Error (529)",
    "Got 401 Unauthorized from the registry",
    "connect ECONNREFUSED 127.0.0.1:80",
    "Segmentation fault (core dumped)",
    "is_error: false, but then\nError: it broke",
    "```\nfine\n```\nError: after the fence",
]


@pytest.mark.parametrize("text", FALSE_ALARMS)
def test_what_only_looks_like_an_error_is_none(text: str) -> None:
    """GRD-3: the known false alarms."""
    assert errors_in(text) == []


@pytest.mark.parametrize("text", REAL)
def test_a_real_error_is_found(text: str) -> None:
    """GRD-3"""
    assert len(errors_in(text)) == 1


def test_the_same_error_has_one_signature_wherever_and_whenever_it_comes() -> None:
    """GRD-4"""
    first = "Error: request req_8f3a9b2c1d failed at 12:30:01 in /home/a/project/x.py line 12"
    again = "Error: request req_8f3a9b2c1d failed at 14:00:59 in /srv/b/y/x.py line 99"
    assert signature(first) == signature(again)
    assert signature("Error: no space") != signature("Error: no memory")
    assert signature("") == ""
