"""Finds, without a model, what a change took away from the tests."""

from pilothouse.verify.tamper.base_tests import base_tests_overlay
from pilothouse.verify.tamper.inspection import Added, added, concerns, inspect
from pilothouse.verify.tamper.paths import is_code, test_paths

__all__ = ["Added", "added", "base_tests_overlay", "concerns", "inspect", "is_code", "test_paths"]
