"""`agents` in agent.yaml: who edits, who scouts, and who answers small questions, each with a model."""

from __future__ import annotations

import re

from yaml.nodes import MappingNode, Node

from pilothouse.domain.agent.crew import Wish, Wishes
from pilothouse.verify.agent_yaml import schema
from pilothouse.verify.agent_yaml.document import Problems, entries, in_words, kind, quoted
from pilothouse.words import say

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
        problems.at(node, say("yaml.no_roles", kind=in_words(node)), say("yaml.fix.write", what="scout: {model: …}"))
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
        example = say("yaml.fix.write", what=f"{role}: {{agent: …, model: …}}")
        problems.at(node, say("yaml.no_wish", role=role, kind=in_words(node)), example)
        return Wish()
    found = entries(node, schema.WISH_KEYS, _WISH_SYNONYMS, problems)
    named = _text(found, "agent", schema.AGENT, say("yaml.agent_letters"), problems)
    model = _text(found, "model", schema.MODEL, say("yaml.model_letters"), problems)
    effort = _text(found, "effort", schema.MODEL, say("yaml.model_letters"), problems)
    if (model or effort) and not (named or agent) and "agent" not in found:
        problems.at(node, say("yaml.whose_model", role=role), say("yaml.fix.add_agent"))
    return Wish(named or agent, model, effort) if found else Wish()


def _text(found: dict[str, Node], key: str, rule: str, words: str, problems: Problems) -> str | None:
    if key not in found:
        return None
    node = found[key]
    if kind(node) != "text":
        problems.at(node, say("yaml.no_text", subject=f"`{key}`", kind=in_words(node)), quoted(node))
        return None
    value = str(node.value)
    if len(value) > schema.NAME_LIMIT:
        problems.at(node, say("yaml.too_long", subject=f"`{key}`", most=schema.NAME_LIMIT), say("yaml.fix.shorten"))
        return None
    if re.fullmatch(rule.removesuffix("$"), value) is None:
        problems.at(node, say("yaml.may_have", key=key, letters=words))
        return None
    return value
