"""What is said to a person: a code with parameters. Its words stand in one JSON file per language, beside this one.

`say("task.unknown")` makes a sentence. It is English text, and is stored and logged as such; it also knows how it was
made, so `words` can say it in the reader's language. A new language is a new file. Section `said` is ours, section
`page` is the front end's, and both read section `shared`.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from contextvars import ContextVar
from enum import Enum
from functools import cache, reduce
from pathlib import Path
from typing import Any, NamedTuple, Self, cast

FOLDER = Path(__file__).parent
SOURCE = "en"
FORMS = frozenset({"zero", "one", "two", "few", "many", "other"})
"""An entry with several texts has one of them for each form of its number, as CLDR names them."""

speaking: ContextVar[str] = ContextVar("speaking", default=SOURCE)
"""The language of whoever is answered here."""

_PARAMETER = re.compile(r"\{(\w+)\}")
_APART = "\x1f"


class Said(str):
    """A sentence that knows its code and parameters. A parameter may be another such sentence."""

    __slots__ = ("code", "params")
    code: str
    params: Mapping[str, str | int]

    def __new__(cls, code: str, params: Mapping[str, str | int], text: str | None = None) -> Self:
        made = super().__new__(cls, _catalogue(SOURCE).text(code, params, SOURCE) if text is None else text)
        made.code, made.params = code, params
        return made

    def __reduce__(self) -> tuple[type[Said], tuple[str, Mapping[str, str | int], str]]:
        return type(self), (self.code, self.params, str(self))


def say(code: str, /, **params: str | int) -> Said:
    """Numbers are amounts, and written as such (10,000); the number of a port or a line is given as text."""
    if any(isinstance(value, Enum) for value in params.values()):
        raise TypeError(f"{code} was given the name of a state; give the words for it")
    return Said(code, params)


def named(family: str, name: str) -> str:
    """The words for a name that a server sent; the name itself if a newer server has one that is unknown here."""
    code = f"{family}.{name}"
    return Said(code, {}) if code in _catalogue(SOURCE).entries else name


def words(text: str, language: str | None = None) -> str:
    """`text` in the language asked for, or else in that of whoever is answered here; plain text stays as it is."""
    language = language or speaking.get()
    if not isinstance(text, Said) or language == SOURCE:
        return text
    try:
        return _catalogue(language).text(text.code, text.params, language)
    except KeyError:
        return text


def sentences(*texts: str) -> str:
    """Several sentences as one text; empty ones are left out."""
    return reduce(lambda first, second: say("both", first=first, second=second), _there(texts))


def stacked(*texts: str) -> str:
    """Each in a line of its own; empty ones are left out."""
    return reduce(lambda first, second: say("lines", first=first, second=second), _there(texts))


def listed(texts: Iterable[str]) -> str:
    """With commas between."""
    return reduce(lambda first, second: say("listed", first=first, second=second), _there(texts))


def first_few(texts: Sequence[str], most: int) -> str:
    """With commas between, and how many more there are."""
    shown = listed(texts[:most])
    return say("and_more", first=shown, count=len(texts) - most) if len(texts) > most else shown


def chained(texts: Iterable[str]) -> str:
    """With semicolons between."""
    return reduce(lambda first, second: say("chained", first=first, second=second), _there(texts))


def first_sentence(text: str) -> str:
    """Of several that `sentences` put together."""
    while isinstance(text, Said) and text.code == "both":
        text = cast("str", text.params["first"])
    return text


def _there(texts: Iterable[str]) -> list[str]:
    return [text for text in texts if text] or [""]


@cache
def languages() -> frozenset[str]:
    return frozenset(file.stem for file in FOLDER.glob("*.json"))


def preferred(header: str) -> str:
    """The language of ours that an Accept-Language header likes best."""
    if len(languages()) == 1:
        return SOURCE
    liked: dict[str, float] = {}
    for part in header.split(","):
        tag, _, more = part.partition(";")
        quality = re.fullmatch(r"\s*q=([01](?:\.\d{0,3})?)\s*", more)
        liked[_ours(tag.strip().lower())] = float(quality[1]) if quality else 1.0
    liked.pop("", None)
    return max(liked, key=lambda name: liked[name], default=SOURCE)


def of_this_machine() -> str:
    """The language that whoever started this program has set."""
    names = (os.environ.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    locale = next((name for name in names if name), "")
    return _ours(locale.partition(".")[0].replace("_", "-").lower()) or SOURCE


def _ours(tag: str) -> str:
    return next((name for name in (tag, tag.partition("-")[0]) if name in languages()), "")


class _Catalogue(NamedTuple):
    entries: dict[str, str | dict[str, str]]
    plurals: dict[str, str]
    """For each form a pattern of the numbers it is for; all others are `other`."""
    thousands: str

    def text(self, code: str, params: Mapping[str, str | int], language: str) -> str:
        entry = self.entries[code]
        if isinstance(entry, dict):
            entry = entry.get(self._form(params["count"]), entry["other"])

        def filled(found: re.Match[str]) -> str:
            value = params.get(found[1], found[0])
            return words(value, language) if isinstance(value, str) else f"{value:,}".replace(",", self.thousands)

        return _PARAMETER.sub(filled, entry)

    def _form(self, count: str | int) -> str:
        return next((form for form, numbers in self.plurals.items() if re.search(numbers, str(count))), "other")


@cache
def _catalogue(language: str) -> _Catalogue:
    read = json.loads((FOLDER / f"{language}.json").read_bytes())
    return _Catalogue(flat(read["said"] | read["shared"]), read["language"]["plurals"], read["language"]["thousands"])


def for_page(language: str) -> str:
    """The part of a catalogue that the front end reads, as JSON to be put into a page."""
    read = json.loads((FOLDER / f"{language}.json").read_bytes())
    part = {"plurals": read["language"]["plurals"], "page": read["shared"] | read["page"]}
    return json.dumps(part, ensure_ascii=False).replace("<", "\\u003c")


def flat(entries: Mapping[str, Any], above: str = "") -> dict[str, str | dict[str, str]]:
    """`{"task": {"unknown": …}}` by codes: `task.unknown`."""
    found: dict[str, str | dict[str, str]] = {}
    for name, entry in entries.items():
        if isinstance(entry, str) or (entry.keys() <= FORMS and "other" in entry):
            found[above + name] = entry
        else:
            found |= flat(entry, f"{above}{name}.")
    return found


def noted(text: str) -> str:
    """As a row keeps it: the English text, and after it how it was made."""
    if isinstance(text, Said):
        return f"{text}{_APART}{json.dumps(parts(text), ensure_ascii=False, separators=(',', ':'))}"
    return f"{text}{_APART}" if _APART in text else text


def recalled(text: str) -> str:
    """What `noted` was given."""
    if _APART not in text:
        return text
    plain, _, made = text.rpartition(_APART)
    if not made:
        return plain
    try:
        return told(plain, json.loads(made))
    except (ValueError, TypeError, KeyError):
        return text


def parts(said: Said) -> dict[str, Any]:
    """How it was made, for JSON."""
    return {"code": said.code, "params": {name: _part(value) for name, value in said.params.items()}}


def in_reader_language(value: Any) -> Any:
    """JSON to be, with every sentence in it said in the language of whoever is answered here."""
    if isinstance(value, Mapping):
        return {name: in_reader_language(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [in_reader_language(item) for item in value]
    return words(value) if isinstance(value, str) else value


def _part(value: str | int) -> Any:
    return {"text": str(value), **parts(value)} if isinstance(value, Said) else value


def told(text: str, made: Mapping[str, Any]) -> Said:
    """From `parts` and the text."""
    params = {
        name: told(value["text"], value) if isinstance(value, dict) else value for name, value in made["params"].items()
    }
    return Said(made["code"], params, text)


def aside(fields: Mapping[str, Any]) -> dict[str, Any]:
    """What goes beside `fields` under the name `said`, where a text has to stay text: how each was made."""
    return {name: parts(value) for name, value in fields.items() if isinstance(value, Said)}


def spoken(fields: dict[str, Any], language: str) -> dict[str, Any]:
    """`fields` in another language, by what stands aside; an event's data and the parts of a list too."""
    said = fields.get("said") or {}

    def one(name: str, value: Any) -> Any:
        if name in said:
            return words(told(value, said[name]), language)
        if name in ("event", "data"):
            return spoken(value, language)
        return (
            [spoken(item, language) if isinstance(item, dict) else item for item in value]
            if isinstance(value, list)
            else value
        )

    return {name: one(name, value) for name, value in fields.items()}
