"""Whatever is thrown at the documented interface, it answers as documented and never breaks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import Case, GenerationMode
from schemathesis.checks import (
    content_type_conformance,
    not_a_server_error,
    response_schema_conformance,
    status_code_conformance,
)

from tests.server.processes import TOKEN, server, until_event
from tests.workbench import make_repository

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
EXAMPLES = 6
SCENARIOS = 'scenarios:\n  fix:\n    - write: {path: calc.py, text: "fixed\\n"}\n    - say: Done.\n'


def _real_ids(client: httpx.Client, repo: Path) -> dict[str, str]:
    body = {"project_path": str(repo), "agent": "rehearsal", "message": {"text": "Fix. [[fix]]"}}
    made = client.post("/api/sessions", json=body).json()
    task = made["current_task_id"]
    until_event(client, "task.completed", task)
    return {
        "task_id": task,
        "project_id": made["project_id"],
        "slug": made["slug"],
        "workspace_id": made["workspace_id"],
        "notice_id": "none",
        "operation_id": "none",
    }


@pytest.mark.timeout(900)
def test_no_input_breaks_the_server_or_gets_an_undocumented_answer(tmp_path: Path) -> None:
    """PLT-8 PLT-9"""
    repo = make_repository(tmp_path / "repo", SCENARIOS)
    with server(tmp_path / "data", LOGIN_TRIES_PER_MINUTE="1000000", PILOTHOUSE_BUILD_COMMAND="true") as (_, client):
        document = client.get("/openapi.json").json()
        ids = _real_ids(client, repo)
        schema = schemathesis.openapi.from_dict(document)
        schema.config.update(base_url=str(client.base_url))
        results: Any = schema.get_all_operations()
        # A restart would take the server away from under the others; it has tests of its own.
        operations = [op for result in results if (op := result.ok()).path != "/api/runner/restart"]
        assert len(operations) >= 36
        for operation in operations:
            named = {name: ids[name] for name in ids if f"{{{name}}}" in operation.path}
            for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
                _throw(operation, mode, {})
            if named:
                _throw(operation, GenerationMode.POSITIVE, named)
        assert client.get("/health").json()["checks"]["storage"] is True


def _throw(operation: Any, mode: GenerationMode, named: dict[str, str]) -> None:
    strategy = operation.as_strategy(generation_mode=mode, path_parameters=named or None)

    @given(case=strategy)
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def thrown(case: Case[Any]) -> None:
        case.call_and_validate(checks=CHECKS, headers={"Authorization": f"Bearer {TOKEN}"}, timeout=100)

    try:
        thrown()
    except schemathesis.errors.InvalidSchema:
        raise
    except Exception as error:
        if type(error).__name__ == "Unsatisfiable":
            return  # nothing wrong can be sent to an operation that takes nothing
        raise


def test_the_document_names_every_error_answer(tmp_path: Path) -> None:
    """PLT-9"""
    from pilothouse.server.app import build

    document = build().openapi()
    assert "HTTPValidationError" not in json.dumps(document)
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            statuses = set(operation["responses"])
            assert {"400", "401", "403", "413", "429", "500", "503"} <= statuses, (method, path)
            assert "422" not in statuses
            if "{" in path:
                assert "404" in statuses, (method, path)


def test_every_schema_has_a_name_of_its_own() -> None:
    """PLT-9"""
    from pilothouse.server.app import build

    # Two classes of one name get their modules in front.
    assert [name for name in build().openapi()["components"]["schemas"] if "__" in name] == []
