from __future__ import annotations

import re
import textwrap
from pathlib import Path

import jsonschema_rs
import pytest
import yaml

from pilothouse.verify.agent_yaml import schema
from pilothouse.verify.agent_yaml.config import parse

DOCS = Path(__file__).parents[3] / "docs"
PAGE = (DOCS / "agent-yaml.md").read_text()
SETTINGS = [
    *schema.TOP_KEYS,
    *(f"verification[].{key}" for key in schema.CHECK_KEYS),
    *(f"timeouts.{key}" for key in schema.TIMEOUT_KEYS),
    *(f"agents.<role>.{key}" for key in schema.WISH_KEYS),
]


def test_the_published_schema_is_the_one_the_parser_goes_by() -> None:
    """TSK-11"""
    assert (DOCS / "agent.schema.json").read_text() == schema.text()
    assert jsonschema_rs.meta.is_valid(schema.document())


def test_the_schema_knows_the_settings_that_the_parser_knows() -> None:
    """TSK-11"""
    document = schema.document()
    assert tuple(document["properties"]) == schema.TOP_KEYS
    assert tuple(document["$defs"]["check"]["properties"]) == schema.CHECK_KEYS
    assert tuple(document["$defs"]["timeouts"]["properties"]) == schema.TIMEOUT_KEYS
    assert tuple(document["properties"]["agents"]["properties"]) == schema.ROLE_KEYS
    assert tuple(document["$defs"]["wish"]["properties"]) == schema.WISH_KEYS


@pytest.mark.parametrize("setting", SETTINGS)
def test_every_setting_is_explained(setting: str) -> None:
    """TSK-11"""
    rows = [line for line in PAGE.splitlines() if line.startswith("| `")]
    assert setting == "timeouts" or any(f"`{setting}`" in row.split(" | ")[0] for row in rows)


def test_the_example_of_the_page_is_right() -> None:
    """TSK-11"""
    found = re.search(r"(?:^ {4}.*\n)+", PAGE, re.MULTILINE)
    assert found
    example = textwrap.dedent(found[0])
    assert set(yaml.safe_load(example)) == set(schema.TOP_KEYS)
    assert jsonschema_rs.is_valid(schema.document(), yaml.safe_load(example))
    assert len(parse(example).checks or ()) == 2
