"""Finds out what a restored database lost, by the mirror files: they may be newer than the backup."""

from __future__ import annotations

import shutil
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

import orjson

from pilothouse.words import listed, say

_COUNTED = {
    "task.started": "tasks",
    "task.replied": "replies",
    "task.completed": "results",
    "task.rolled_back": "rollbacks",
}


def losses(backup: Path, made: datetime, data_dir: Path, aside: Path) -> list[str]:
    """One sentence for each session that lost something. Its newer files are kept in `aside`."""
    with closing(sqlite3.connect(f"file:{quote(str(backup))}?mode=ro&immutable=1", uri=True)) as c:
        head = c.execute("SELECT seq FROM event_head").fetchone()[0]
        known = {row[0] for row in c.execute("SELECT id FROM sessions")}
    after = f"{made:%Y-%m-%d %H:%M:%S} UTC"
    lost: list[str] = []
    for folder, session, events in _mirrored(data_dir):
        newer = [event for event in events if isinstance(seq := event.get("seq"), int) and seq > head]
        if session["id"] in known and not newer:
            continue
        keep = shutil.copytree if session["id"] in known else shutil.move
        keep(folder, aside / folder.parent.name / folder.name)
        title, path, what = session["title"], session["projectPath"], _counted(newer)
        if session["id"] in known:
            what = what or say("lost.events", count=len(newer))
            lost.append(say("lost.of_session", title=title, path=path, after=after, what=what))
        elif what:
            lost.append(say("lost.session_with", title=title, path=path, after=after, what=what))
        else:
            lost.append(say("lost.session", title=title, path=path, after=after))
    return lost or [say("lost.unknown", after=after)]


def _mirrored(data_dir: Path) -> Iterator[tuple[Path, dict[str, Any], list[dict[str, Any]]]]:
    for file in sorted(data_dir.glob("*/*/session.json")):
        session = _load(file)
        if not isinstance(session, dict) or not {"id", "title", "projectPath"} <= session.keys():
            continue
        log = _load(file.with_name("events.json"))
        events = log.get("events", []) if isinstance(log, dict) else []
        yield file.parent, session, [event for event in events if isinstance(event, dict)]


def _load(file: Path) -> Any:
    for version in (file, file.with_name(file.name + ".bak")):
        try:
            return orjson.loads(version.read_bytes())
        except (OSError, orjson.JSONDecodeError):
            continue
    return None


def _counted(events: list[dict[str, Any]]) -> str:
    counted = Counter(event.get("eventType") for event in events)
    parts = [say(f"lost.counted.{name}", count=n) for type_, name in _COUNTED.items() if (n := counted[type_])]
    return listed(parts)
