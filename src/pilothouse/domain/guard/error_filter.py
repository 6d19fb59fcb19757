"""Finds the lines of an agent's text that tell of an error.

Two stages. First goes what only looks like one: code, JSON fields that say there was none, counts of zero, denials.
Then what is left is matched against how errors are really printed. A false alarm stops work that goes well, so a line
in doubt is none.
"""

from __future__ import annotations

import re

LOOKED_AT = 50_000
"""Characters at the end of a text that are read."""
_LINE = 1_000
_FENCE = re.compile(r"\s{0,12}(`{3,}|~{3,})")

_QUOTED_CODE = re.compile(r"``[^\n]{1,300}?``|`[^`\n]{1,300}`")
_FIELD = re.compile(
    r"""["']?\b(?:is_?|has_?|num_?|total_?)?(?:error|errors|failure|failures|failed|exception|exceptions|fatal)"""
    r"""(?:_?(?:count|s|code|kind|type|message|msg|info|rate|details?))?\b["']?\s{0,3}[:=]\s{0,3}"""
    r"""(?:["']{2}|["']?(?:false|null|none|no|undefined|ok|nil|0+(?:\.0+)?%?|\[\s?\]|\{\s?\})["']?)(?![\w.])""",
    re.IGNORECASE,
)
_NONE = re.compile(
    r"\b(?:no|zero|0|without(?:\s(?:any|an))?|not\s(?:an?|any)|free\sof|never\san?)\s{1,3}(?:\w{1,20}\s){0,2}?"
    r"(?:errors?|exceptions?|failures?|fatals?|failed)\b"
    r"|\b(?:errors?|failures?|failed)\s{0,2}(?:[:=]\s{0,2})?(?:0|none)\b"
    r"|\b0\s(?:failed|failing)\b|\bfail(?:ed|s|ing)?\s0\b",
    re.IGNORECASE,
)
_FIELD_NAME = re.compile(
    r"""["'](?:[a-z]{1,20}_)?(?:error|exception|failure|fatal)s?(?:_[a-z]{1,20})?["']\s{0,3}:""", re.I
)
_ABOUT = re.compile(
    r"\b(?:error|exception|failure)[- ](?:handling|handler|message|messages|path|paths|case|cases|boundary|boundaries|"
    r"class|classes|type|types|code|codes|page|filter|tree|state|states|log|logs|reporting|recovery|budget)\b",
    re.IGNORECASE,
)
_SET_RIGHT = re.compile(
    r"\b(?:fixed|fixes|fixing|resolved?|resolves|handled?|handles|handling|catch(?:es)?|caught|raises?|raised|prevent(?:s|ed)?|"
    r"avoid(?:s|ed)?|added|adds|tests?\s(?:that|for)|returns?|expects?|expected)\b",
    re.IGNORECASE,
)

_REAL = re.compile(
    r"^\s{0,12}(?:\[?(?:error|fatal|panic)\]?\s?:|(?:fatal|uncaught|unhandled)\s\w{0,20}\s?(?:error|exception)?\s?:)"
    r"|^\s{0,12}(?:[A-Za-z_][\w.]{0,80}\.)?[A-Z]\w{0,60}(?:Error|Exception|Warning\sas\serror)\b\s?:"
    r"|^\s{0,12}Traceback \(most recent call last\)"
    r"|^\s{0,12}error(?:\[\w{1,10}\])?:\s"
    r"|\bfailed with\b|\bexited with (?:code|status) [1-9]|\bexit(?:ed)? (?:code|status):? [1-9]"
    r"|\b(?:command|build|compilation|request|connection) failed\b"
    r"|\bAPI Error\b|\b[45]\d\d (?:Bad|Unauthorized|Forbidden|Not Found|Too Many|Internal|Service|Gateway)"
    r"|\b(?:segmentation fault|core dumped|out of memory|ENOSPC|ECONNREFUSED|permission denied)\b",
    re.IGNORECASE,
)


def errors_in(text: str) -> list[str]:
    """The lines that tell of an error, as they stand."""
    found = []
    fence = ""
    for line in text[-LOOKED_AT:].splitlines():
        mark = _FENCE.match(line)
        if fence:
            fence = "" if mark and mark[1].startswith(fence) else fence
            continue
        if mark:
            fence = mark[1]
        elif _tells_of_error(line[:_LINE]):
            found.append(line.strip()[:_LINE])
    return found


def _tells_of_error(line: str) -> bool:
    if line.lstrip().startswith((">", "|", "//", "#")):
        return False
    kept = line
    for harmless in (_QUOTED_CODE, _FIELD, _NONE, _FIELD_NAME, _ABOUT):
        kept = harmless.sub(" ", kept)
    real = _REAL.search(kept)
    return bool(real) and not _SET_RIGHT.search(kept[: real.start()] if real else "")


_CHANGING = re.compile(
    r"0x[0-9a-f]+|\b[0-9a-f]{8,64}\b|(?:[a-z]:)?(?:[\\/][\w.@~+-]+){2,}|\d+(?:[.:]\d+)*|\s+", re.IGNORECASE
)


def signature(message: str) -> str:
    """The error without its numbers, ids, times and places, so that it is the same when it comes again."""
    return _CHANGING.sub(" ", message[:_LINE]).strip().lower()[:200]
