from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest
from pydantic import ValidationError

from pilothouse.domain.chain import GENESIS, canonical, link
from pilothouse.domain.event.log import EVENT_DATA, any_event

GOLDEN = Path(__file__).parents[2] / "golden"
FILES = sorted((GOLDEN / "events").glob("*.json"))


def _load(file: Path) -> Any:
    return orjson.loads(file.read_bytes())


def test_every_type_of_event_has_a_golden_file() -> None:
    """BYD-6"""
    assert {file.stem for file in FILES} == set(EVENT_DATA)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_an_event_stored_long_ago_still_loads(file: Path) -> None:
    """BYD-6"""
    stored = _load(file)
    event = any_event.validate_python(stored)
    assert event.type == file.stem
    assert isinstance(event.data, EVENT_DATA[file.stem])
    again = event.model_dump(mode="json")
    for name, value in stored["data"].items():
        assert again["data"][name] == value, name
    assert {name: value for name, value in again.items() if name != "data"} == {
        name: value for name, value in stored.items() if name != "data"
    }


def test_the_chain_of_stored_events_hashes_as_it_always_did() -> None:
    """BYD-6"""
    previous = GENESIS
    for entry in _load(GOLDEN / "chain.json"):
        text = canonical(entry["data"]).decode()
        assert text == entry["text"]
        previous = link(previous, entry["seq"], entry["at"], entry["session_id"], entry["task_id"], entry["type"], text)
        assert previous == entry["hash"]


def test_an_unknown_type_is_refused() -> None:
    with pytest.raises(ValidationError):
        any_event.validate_python({"seq": 1, "at": "2026-01-01T00:00:00Z", "type": "task.danced", "data": {}})


def test_a_stored_event_never_changes() -> None:
    """BYD-6"""
    event = any_event.validate_python(_load(FILES[0]))
    with pytest.raises(ValidationError):
        event.seq = 7  # type: ignore[misc]
