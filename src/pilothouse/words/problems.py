"""What pydantic finds wrong with a value, in words of ours."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from pilothouse.words import Said, listed, say

_KINDS = {
    "missing": "missing",
    "extra_forbidden": "unknown",
    "too_long": "too_many",
    "too_short": "too_few",
    "string_too_long": "too_long",
    "string_too_short": "too_short",
    "string_pattern_mismatch": "pattern",
    "greater_than": "above",
    "greater_than_equal": "at_least",
    "less_than": "below",
    "less_than_equal": "at_most",
    "literal_error": "one_of",
    "enum": "one_of",
    "union_tag_invalid": "one_of",
    "finite_number": "number",
}
_TYPES = {
    "string": "text",
    "int": "whole_number",
    "float": "number",
    "decimal": "number",
    "bool": "yes_no",
    "list": "list",
    "tuple": "list",
    "set": "list",
    "dict": "group",
    "model": "group",
    "date": "time",
    "datetime": "time",
    "time": "time",
}
"""By the first word of the type, where the problem is the type itself."""
_LIMITS = ("max_length", "min_length", "gt", "ge", "lt", "le")
_EXPECTED = ("expected", "expected_tags")


def problem(found: Mapping[str, Any]) -> Said:
    """A predicate, to follow the name of the field: “is longer than 60 characters”."""
    context = found.get("ctx", {})
    ours = context.get("said")
    if isinstance(ours, Said):
        return ours
    kind = _KINDS.get(found["type"]) or _TYPES.get(found["type"].partition("_")[0], "other")
    limit = next((context[name] for name in _LIMITS if name in context), "")
    expected = next((context[name] for name in _EXPECTED if name in context), "")
    return say(
        f"wrong_value.{kind}",
        limit=limit if isinstance(limit, int) else f"{limit}",
        expected=listed(re.findall("'([^']*)'", str(expected))),
    )
