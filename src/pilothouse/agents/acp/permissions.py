"""Whether a tool may be used: by what the task allows, by what the person granted, else by asking."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection
from enum import StrEnum
from pathlib import Path

from acp.schema import AllowedOutcome, DeniedOutcome, PermissionOption, RequestPermissionResponse

from pilothouse.agents.acp import files
from pilothouse.agents.acp.presets import WORKBENCH
from pilothouse.agents.acp.updates import Call
from pilothouse.domain.ports import Permission, SpawnRequest
from pilothouse.domain.talk.permissions import plan_call
from pilothouse.domain.task.task import PermissionMode

_OURS = re.compile(rf"(mcp__)?{WORKBENCH}_{{1,2}}\w+|\w+ \({WORKBENCH} MCP Server\)")
"""How an agent names a server's tools is its own affair; these are the ways known."""
_LOOKS = frozenset({"read", "search", "think"})
_CHANGES = frozenset({"edit", "delete", "move"})
_LONGEST = 4096


class Ruling(StrEnum):
    ALLOW = "allow"
    REFUSE = "refuse"
    ASK = "ask"


def judge(call: Call, request: SpawnRequest, granted: Collection[str]) -> Ruling:
    inside = all(files.within(request.workspace, path) for path in call.paths)
    if call.kind == "other" and _OURS.fullmatch(call.title):
        return Ruling.ALLOW
    if request.read_only:
        return Ruling.ALLOW if call.kind in _LOOKS else Ruling.REFUSE
    if request.permission_mode is PermissionMode.ALL or grant(call, request.workspace) in granted:
        return Ruling.ALLOW
    if request.permission_mode is PermissionMode.ASK or not inside:
        return Ruling.ASK
    # An edit that does not say which file it means could mean any.
    plain = call.kind in _LOOKS or (call.kind in _CHANGES and bool(call.paths))
    return Ruling.ALLOW if plain else Ruling.ASK


def grant(call: Call, workspace: Path) -> str:
    """What “always in this session” covers: one command line, one kind of change inside the workspace, one tool."""
    if call.kind == "execute":
        return f"execute: {call.command}"[:_LONGEST]
    if call.kind in _CHANGES | _LOOKS:
        outside = [path for path in call.paths if not files.within(workspace, path)]
        if outside or not call.paths:
            return f"{call.kind}: {', '.join(outside) or call.title}"[:_LONGEST]
        return call.kind
    return f"{call.kind}: {call.title}"[:_LONGEST]


def permission(call: Call, workspace: Path) -> Permission:
    return Permission(call.name, call.detail, dict(call.input), grant(call, workspace), identity(call))


def identity(call: Call) -> str:
    """The same for the same call when it is asked for again: its id is a new one then, and its title may be too."""
    if proposed := plan(call):
        return plan_call(proposed)
    title = "" if call.input and call.kind != "other" else call.title
    said = json.dumps([call.kind, title, call.paths, call.input, call.more], sort_keys=True, default=str)
    return hashlib.sha256(said.encode()).hexdigest()


def plan(call: Call) -> str:
    """What the agent means to do, where it asks to begin with that. A mere title is no plan: any could be behind it."""
    if call.kind != "switch_mode":
        return ""
    said = call.input.get("plan")
    return said if isinstance(said, str) else call.text


def answer(options: list[PermissionOption], allow: bool) -> RequestPermissionResponse:
    """By kind: ids and order differ between agents. Once, because “always” makes some of them write settings files."""
    kinds = ("allow_once", "allow_always") if allow else ("reject_once", "reject_always")
    for kind in kinds:
        for option in options:
            if option.kind == kind:
                chosen = AllowedOutcome(outcome="selected", option_id=option.option_id)
                return RequestPermissionResponse(outcome=chosen)
    return cancelled()


def cancelled() -> RequestPermissionResponse:
    return RequestPermissionResponse(outcome=DeniedOutcome(outcome="cancelled"))
