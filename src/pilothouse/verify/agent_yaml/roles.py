"""`agents` in agent.yaml: who edits, who scouts, and who answers small questions, each with a model."""

from __future__ import annotations

import re

from yaml.nodes import MappingNode, Node

from pilothouse.domain.agent.crew import Wish, Wishes
from pilothouse.verify.agent_yaml import schema
from pilothouse.verify.agent_yaml.document import Problems, entries, kind, quoted

_ROLE_SYNONYMS = {
    "edit": "editor",
    "main": "editor",
    "default": "editor",
    "scouts": "scout",
    "reader": "scout",
    "fast": "small",
    "cheap": "small",
    "small_model": "small",
}
_WISH_SYNONYMS = {"name": "agent", "program": "agent", "llm": "model", "reasoning": "effort", "thinking": "effort"}


def read(node: Node, agent: str | None, problems: Problems) -> Wishes | None:
    """Reads the roles. One that names no agent means `agent`, which the file names for everything."""
    if not isinstance(node, MappingNode):
        problems.at(
            node, f"`agents` is {kind(node)}; it must be a group of roles.", "Write `scout: {model: …}` below it."
        )
        return None
    found = entries(node, schema.ROLE_KEYS, _ROLE_SYNONYMS, problems)
    return Wishes(**{role: _wish(value, role, agent, problems) for role, value in found.items()})


def dumped(wishes: Wishes) -> dict[str, dict[str, str]]:
    """The roles as a file has them."""
    settings = {
        str(role): {"agent": wish.agent, "model": wish.model, "effort": wish.effort} for role, wish in wishes.named()
    }
    return {role: {key: value for key, value in wish.items() if value} for role, wish in settings.items()}


def _wish(node: Node, role: str, agent: str | None, problems: Problems) -> Wish:
    if not isinstance(node, MappingNode):
        example = f"Write `{role}: {{agent: …, model: …}}`."
        problems.at(node, f"`{role}` is {kind(node)}; it must name an agent, a model or an effort.", example)
        return Wish()
    found = entries(node, schema.WISH_KEYS, _WISH_SYNONYMS, problems)
    named = _text(found, "agent", schema.AGENT, "letters, digits, dots, dashes and underscores only", problems)
    model = _text(found, "model", schema.MODEL, "no control characters, and no dash or space first", problems)
    effort = _text(found, "effort", schema.MODEL, "no control characters, and no dash or space first", problems)
    if (model or effort) and not (named or agent) and "agent" not in found:
        problems.at(node, f"`{role}` does not say whose model this is.", "Add `agent: …` here, or above for all.")
    return Wish(named or agent, model, effort) if found else Wish()


def _text(found: dict[str, Node], key: str, rule: str, words: str, problems: Problems) -> str | None:
    if key not in found:
        return None
    node = found[key]
    if kind(node) != "text":
        problems.at(node, f"`{key}` is {kind(node)}; it must be text.", quoted(node))
        return None
    value = str(node.value)
    if len(value) > schema.NAME_LIMIT:
        problems.at(node, f"`{key}` is longer than {schema.NAME_LIMIT} characters.", "Shorten it.")
        return None
    if re.fullmatch(rule.removesuffix("$"), value) is None:
        problems.at(node, f"`{key}` may have {words}.")
        return None
    return value
