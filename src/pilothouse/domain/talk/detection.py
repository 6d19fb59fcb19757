"""Whether the last words of an agent's turn ask the person something that must be answered before work goes on.

Code, links, quotations and comments are taken out first. What is left is read as blocks (paragraphs, headings,
lists) of sentences; each sentence gathers evidence from several signals, and its place decides how much of it
counts.
"""

from __future__ import annotations

import math
import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from pilothouse.domain.ports import QuestionOption
from pilothouse.domain.talk import signals
from pilothouse.domain.talk.prose import (
    BULLET,
    DECORATION,
    LOOKED_AT,
    MARK,
    Block,
    Kind,
    is_item,
    read_blocks,
    read_option,
    split_sentences,
    tail,
)

_THRESHOLD = 1.5
_LONGEST_SENTENCE = 800
_MOST_SENTENCES = 120
_SHORT_PASSAGE = 60
"""A question this short ("May I proceed?") says too little without the paragraph before it."""


@dataclass(frozen=True, slots=True)
class Detection:
    asks: bool
    score: float
    """From 0 to 1; above one half means that the text asks."""
    question: str = ""
    """What to show to the person: the asking paragraphs as the agent wrote them, with their options."""
    options: tuple[QuestionOption, ...] = ()
    offer: str = ""
    """What the agent offers to do beside the work, which is finished; nothing waits for the answer."""


@dataclass(frozen=True, slots=True)
class _Sentence:
    text: str
    block: int
    kind: Kind
    question: bool
    courtesy: bool
    done: bool
    not_done: bool


@lru_cache(maxsize=4)
def detect(text: str) -> Detection:
    """Judge the final text of a turn."""
    raw = tail(text)
    blocks = read_blocks(raw)
    sentences = _sentences(blocks)
    offers = _offers(sentences)
    offer = _offered(blocks, offers, raw)
    for index, sentence in enumerate(sentences[: len(sentences) - len(offers)]):
        block = blocks[sentence.block]
        block.evidence = max(block.evidence, _evidence(sentences, index, blocks))
    best = max((block.evidence for block in blocks), default=-math.inf)
    score = 1 / (1 + math.exp(min(_THRESHOLD - best, 50.0)))
    if best <= _THRESHOLD:
        return Detection(asks=False, score=score, offer=offer)
    shown, options = _passage(blocks, raw)
    return Detection(asks=True, score=score, question=_as_written(blocks, shown, raw), options=options)


def _offers(sentences: list[_Sentence]) -> list[_Sentence]:
    """The sentences that close finished work with an offer, with the courtesies around it.

    A question is one only where the work is said to be done; a conditional asks nothing anyway.
    """
    closing: list[_Sentence] = []
    for sentence in reversed(sentences):
        offers = signals.OFFER.search(sentence.text) and not signals.STILL_ASKS.search(sentence.text)
        if sentence.kind == "list" or not (offers or sentence.courtesy):
            break
        closing.insert(0, sentence)
    before = sentences[: len(sentences) - len(closing)]
    done = any(other.done for other in before) or not any(sentence.question for sentence in closing)
    finished = done and not any(other.not_done for other in before)
    offered = any(signals.OFFER.search(sentence.text) for sentence in closing)
    return closing if finished and offered else []


def _offered(blocks: list[Block], offers: list[_Sentence], raw: list[str]) -> str:
    """The offer as the agent wrote it, without the courtesies."""
    told = []
    for number in dict.fromkeys(sentence.block for sentence in offers):
        written = split_sentences(" ".join(raw[row].strip() for row in blocks[number].rows))
        told += [part.strip() for part in written if signals.OFFER.search(DECORATION.sub("", part))]
    return " ".join(told)


def normalise(question: str) -> str:
    """One form for the same question asked again: no case, spacing, decoration or style of option marks.

    A recorded answer is found by it when a replay comes to the same question.
    """
    folded = unicodedata.normalize("NFKC", question[-LOOKED_AT:]).casefold()
    words: list[str] = []
    for line in folded.splitlines():
        value, label, _ = read_option(line)
        words += _WORD.findall(f"{value.casefold()} {label}")
    return " ".join(words)


_WORD = re.compile(r"(?:(?<!\w)-(?=\d))?[^\W_]+[+#]{0,2}|[<>]=?|[!=]=")


def _sentences(blocks: list[Block]) -> list[_Sentence]:
    found = []
    for number, block in enumerate(blocks):
        parts = block.lines if block.kind == "list" else [" ".join(block.lines)]
        for part in parts:
            plain = DECORATION.sub("", part)
            if block.kind == "list":
                plain = MARK.sub("", BULLET.sub("", plain))
            found += [(piece, number) for piece in split_sentences(" ".join(plain.split()))]
    return [_weigh(piece, number, blocks[number].kind) for piece, number in found[-_MOST_SENTENCES:]]


def _weigh(text: str, block: int, kind: Kind) -> _Sentence:
    if len(text) > _LONGEST_SENTENCE:
        text = f"{text[: _LONGEST_SENTENCE // 2]} {text[-_LONGEST_SENTENCE // 2 :]}"
    not_done = bool(signals.NOT_DONE.search(text))
    return _Sentence(
        text=text,
        block=block,
        kind=kind,
        question=bool(signals.QUESTION_MARK.search(text) or signals.JAPANESE_QUESTION.search(text)),
        courtesy=bool(signals.COURTESY.search(text)) and not signals.STILL_ASKS.search(text),
        done=not not_done and bool(signals.DONE.search(text)),
        not_done=not_done,
    )


def _evidence(sentences: list[_Sentence], index: int, blocks: list[Block]) -> float:
    sentence = sentences[index]
    if sentence.courtesy:
        return -3.0
    options = sentence.block + 1 if _offers_choice(blocks, sentence.block) else None
    later = [other for other in sentences[index + 1 :] if other.block != options and not other.courtesy]
    question = _question_evidence(sentence, later, blocks) if sentence.question else -math.inf
    request = _request_evidence(sentence, later, blocks)
    if not later and sentence.kind != "list" and not any(other.done for other in sentences):
        request = max(request, 2.0 if signals.MILD_REQUEST.search(sentence.text) else -math.inf)
    return max(question, request)


def _offers_choice(blocks: list[Block], number: int) -> bool:
    return number + 1 < len(blocks) and blocks[number + 1].kind == "list" and blocks[number].kind != "list"


def _question_evidence(sentence: _Sentence, later: list[_Sentence], blocks: list[Block]) -> float:
    text = sentence.text
    evidence = 1.0 + sum(signal.weight for signal in signals.QUESTION_SIGNALS if signal.pattern.search(text))
    if signals.EXCLAMATION.search(text) or signals.REPORTED.search(text):
        evidence -= 3.0
    if signals.PLAIN_JAPANESE_QUESTION.search(text):
        evidence -= 1.5
    if sentence.kind == "heading":
        evidence -= 2.5
    if sentence.kind == "list":
        evidence += 0.5 if _introduced_as_question(blocks, sentence.block) else -2.0
    if not later:
        return evidence + 1.5
    if all(other.question for other in later):
        return evidence + 1.0
    return evidence + _after_question(sentence, later)


def _introduced_as_question(blocks: list[Block], number: int) -> bool:
    return number > 0 and bool(signals.ASKING_INTRO.search(blocks[number - 1].lines[-1]))


def _after_question(sentence: _Sentence, later: list[_Sentence]) -> float:
    """Evidence from the text after a question: does it leave the answer to the person?"""
    evidence = 0.0
    if signals.RHETORICAL.search(sentence.text):
        evidence -= 1.5
    following = later[0].text
    if signals.ANSWER.search(following):
        evidence -= 2.5
    if any(other.done for other in later):
        evidence -= 2.5
    if signals.PENDING.search(following) or any(other.not_done for other in later):
        evidence += 1.0
    if later[-1].block == sentence.block:
        evidence += 0.7
    return evidence - 0.1 * min(len(later), 10)


def _request_evidence(sentence: _Sentence, later: list[_Sentence], blocks: list[Block]) -> float:
    evidence = max((s.weight for s in signals.REQUESTS if s.pattern.search(sentence.text)), default=-math.inf)
    if sentence.kind == "list" and not _introduced_as_question(blocks, sentence.block):
        evidence -= 2.0
    if any(other.done for other in later):
        evidence -= 1.2
    return evidence - 0.1 * min(len(later), 10)


def _passage(blocks: list[Block], raw: list[str]) -> tuple[list[int], tuple[QuestionOption, ...]]:
    """The asking blocks with the list they offer, which may stand after the question or before it."""
    asking = [number for number, block in enumerate(blocks) if block.evidence > _THRESHOLD]
    shown = set(asking)
    options: tuple[QuestionOption, ...] = ()
    pairs = [(number, candidate) for number in asking for candidate in _lists_near(blocks, number)]
    for number, candidate in pairs:
        options = _options(blocks[candidate], raw)
        if options:
            introduction = candidate - 1 if candidate <= number else candidate
            shown.update(range(max(introduction, 0), max(candidate, number) + 1))
            break
    length = sum(len(line) for number in shown for line in blocks[number].lines)
    if length < _SHORT_PASSAGE and min(shown) > 0:
        shown.add(min(shown) - 1)
    return sorted(shown), options


def _as_written(blocks: list[Block], shown: list[int], raw: list[str]) -> str:
    """The shown blocks; between neighbours also the code or table that was taken out for the judgement."""
    rows: set[int] = set()
    for number in shown:
        first = blocks[number - 1].rows[-1] + 1 if number - 1 in shown else blocks[number].rows[0]
        rows.update(range(first, blocks[number].rows[-1] + 1))
    lines: list[str] = []
    for row in sorted(rows):
        if lines and row - 1 not in rows:
            lines.append("")
        lines.append(raw[row])
    return "\n".join(lines).strip()


def _lists_near(blocks: list[Block], number: int) -> list[int]:
    """Lists that may hold the options of the asking block: itself, the one after it, or one just before it."""
    if blocks[number].kind == "list":
        return [number] if _introduces_choice(blocks, number - 1) else []
    near = [number + 1] if _offers_choice(blocks, number) and _introduces_choice(blocks, number) else []
    for back in (number - 1, number - 2):
        if back >= 0 and blocks[back].kind == "list":
            named = _NAMED.match(blocks[back].lines[0])
            if named or _speaks_of_choice(blocks, number) or _speaks_of_choice(blocks, back - 1):
                near.append(back)
    return near


def _introduces_choice(blocks: list[Block], number: int) -> bool:
    return number >= 0 and (_plain(blocks[number]).endswith(("?", "？")) or _speaks_of_choice(blocks, number))


def _speaks_of_choice(blocks: list[Block], number: int) -> bool:
    return number >= 0 and bool(signals.CHOICE.search(_plain(blocks[number])))


def _plain(block: Block) -> str:
    return DECORATION.sub("", " ".join(block.lines)).strip()


def _options(block: Block, raw: list[str]) -> tuple[QuestionOption, ...]:
    items = [raw[row] for row in block.rows if is_item(raw[row])]
    outermost = min((_indent(item) for item in items), default=0)
    parsed = [read_option(item) for item in items if _indent(item) <= outermost + 1]
    asked = sum(label.endswith(("?", "？")) for _, label, _ in parsed)
    if len(parsed) < 2 or asked > 1 or parsed[0][0].casefold() not in _FIRST_MARKS:
        return ()
    options = []
    for value, label, recommended in parsed:
        label = _TRAILING.sub("", label)
        options.append(QuestionOption(value or label, label, recommended))
    return tuple(options)


_FIRST_MARKS = {"", "0", "1", "a", "yes", "no", "はい", "いいえ"}
_NAMED = re.compile(r"^\W{0,6}(?:option|案|選択肢|[a-z]案)", re.IGNORECASE)
_TRAILING = re.compile(r",? (?:or|and)$|[,;?？、]$")


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
