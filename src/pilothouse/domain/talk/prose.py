"""Takes an agent's text apart: paragraphs, headings and lists that speak to the person, without code."""

from __future__ import annotations

import math
import re
import unicodedata
from dataclasses import dataclass, field
from typing import Literal

from pilothouse.domain.talk.signals import RECOMMENDED

LOOKED_AT = 12_000
"""Characters at the end of a text that are read; a question further up was not the agent's last word."""
_LONGEST_LINE = 4_000
Kind = Literal["prose", "heading", "list"]


@dataclass(slots=True)
class Block:
    kind: Kind
    rows: list[int] = field(default_factory=list)
    """Where its lines stand in the text as written."""
    lines: list[str] = field(default_factory=list)
    """The same lines without code, links and quotations."""
    evidence: float = -math.inf


_FENCE = re.compile(r"^[ \t]{0,3}(?:[-*+] )?(`{3,}|~{3,})", re.MULTILINE)
DECORATION = re.compile(r"\*\*|__|(?<!\w)[*_](?=\w)|(?<=\w)[*_](?!\w)|^\s{0,3}#{1,6}\s|^\s{0,3}>\s?|`|~~")
_COMMENT = re.compile(r"<!--.{0,2000}?-->", re.DOTALL)
_INLINE_CODE = re.compile(r"``[^\n]{1,300}?``|`[^`\n]{1,300}`")
_LINK = re.compile(r"\[([^\]\n]{1,200})\]\([^)\s]{1,500}\)")
_URL = re.compile(r"\b[a-z][a-z+]{1,9}://[^\s<>()\u3000-\u30ff\u4e00-\u9fff]{1,2000}", re.IGNORECASE)
_QUOTED = re.compile(
    r'"[^"\n]{1,400}"|“[^”\n]{1,400}”|„[^“”\n]{1,400}[“”]|「[^」\n]{1,400}」|『[^』\n]{1,400}』'
    r"|(?<![\w’'])'[^'\n]{1,400}'(?!\w)|(?<!\w)‘[^’\n]{1,400}’(?!\w)|«[^»\n]{1,400}»"
)
_ASIDE = re.compile(r"[(（](?!\s?[yY]\s?/\s?[nN]\s?[)）])[^()（）\n]{0,300}[?？][^()（）\n]{0,300}[)）]")
_HEADING = re.compile(r"^\s{0,3}#{1,6}\s+")
_UNDERLINE = re.compile(r"^\s{0,3}(?:={3,}|-{3,})\s*$")
_BOLD_QUESTION = re.compile(r"^\s{0,3}(?:\*\*|__)[^*_\n]{1,300}[?？](?:\*\*|__)")
BULLET = re.compile(r"^\s{0,12}(?:[-*+•・]\s+(?:\[[ xX]\]\s+)?)")
MARK = re.compile(
    r"^\s{0,12}(?:(?:option|approach|plan|choice|案|選択肢|方法)\s?(?P<named>[a-z]|\d{1,2})\s?(?:[:：.)）]|\s[—–-])\s?"
    r"|(?P<plan>[a-z]|\d{1,2})案\s?[:：.)]?\s?"
    r"|[(（\[]?(?P<plain>\d{1,2}|[a-z])[.)）\]:：](?:\s|(?=[^\x00-\x7f]))\s?"
    r"|(?P<circled>[①-⑳])\s?)",
    re.IGNORECASE,
)
_YES_NO = re.compile(r"^\s{0,3}(?P<word>yes|no|はい|いいえ)\s?(?:[–—:：-])\s", re.IGNORECASE)
_SENTENCE_END = re.compile(
    r"[。！？]{1,8}[)）]?|[.!?]{1,8}[)\]]?(?:\s?[(\[][yY]/[nN][)\]])?(?=\s[^a-z\s]|\s?$|[^\x00-\x7f])"
)


def tail(text: str) -> list[str]:
    """The last part of the text as lines. A fence is added in front if the cut fell into code."""
    start = max(0, len(text) - LOOKED_AT)
    lines = [line[-_LONGEST_LINE:] for line in text[start:].splitlines()]
    if start and len(_FENCE.findall(text[:start])) % 2:
        lines.insert(0, "```")
    return lines


def _prose_only(lines: list[str]) -> list[str | None]:
    """Each line as far as it speaks to the person; None for code, a quotation or a table."""
    kept: list[str | None] = []
    fence = ""
    code_may_begin = True
    in_list = False
    without_comments = _COMMENT.sub(lambda comment: "\n" * comment[0].count("\n"), "\n".join(lines))
    for line in without_comments.split("\n"):
        mark = _FENCE.match(line)
        if mark and not fence:
            fence = mark[1][:3]
            kept.append(None)
        elif fence:
            fence = "" if mark and mark[1].startswith(fence) else fence
            kept.append(None)
        elif _is_indented_code(line, code_may_begin) or line.lstrip().startswith((">", "|")):
            kept.append(None)
        else:
            if line.strip():
                in_list = is_item(line) or (in_list and line[0].isspace())
            code_may_begin = not line.strip() and not in_list
            kept.append(_bare(line))
    return kept


def _is_indented_code(line: str, may_begin: bool) -> bool:
    return may_begin and line.startswith(("    ", "\t")) and not is_item(line)


def _bare(line: str) -> str:
    line = _URL.sub("URL", _LINK.sub(r"\1", _INLINE_CODE.sub("CODE", line)))
    return _ASIDE.sub("", _QUOTED.sub("QUOTE", line))


def is_item(line: str) -> bool:
    plain = line.replace("**", "")
    return bool(BULLET.match(plain) or MARK.match(plain) or _YES_NO.match(plain))


def read_blocks(raw: list[str]) -> list[Block]:
    blocks: list[Block] = []
    open_block: Block | None = None
    lines = _prose_only(raw)
    for number, line in enumerate(lines):
        if line is None or not line.strip():
            open_block = None
            continue
        following = lines[number + 1] if number + 1 < len(lines) else None
        if _UNDERLINE.match(line):
            if open_block and open_block.kind == "prose" and len(open_block.lines) == 1:
                open_block.kind = "heading"
            open_block = None
            continue
        kind = _kind(line, following, open_block)
        if open_block is None or open_block.kind != kind or kind == "heading":
            open_block = Block(kind)
            blocks.append(open_block)
        open_block.rows.append(number)
        open_block.lines.append(_HEADING.sub("", line))
    return _join_lists(blocks)


def _kind(line: str, following: str | None, open_block: Block | None) -> Kind:
    if _HEADING.match(line):
        return "heading"
    bold = _BOLD_QUESTION.match(line)
    if bold and (line[bold.end() :].strip() or (following or "").strip()):
        return "heading"
    if is_item(line) or (open_block and open_block.kind == "list" and line.startswith("  ")):
        return "list"
    return "prose"


def _join_lists(blocks: list[Block]) -> list[Block]:
    """Joins list items that only blank lines keep apart."""
    joined: list[Block] = []
    for block in blocks:
        if joined and block.kind == joined[-1].kind == "list":
            joined[-1].lines += block.lines
            joined[-1].rows += block.rows
        else:
            joined.append(block)
    return joined


def split_sentences(paragraph: str) -> list[str]:
    ends = [match.end() for match in _SENTENCE_END.finditer(paragraph)]
    pieces = (paragraph[start:end].strip() for start, end in zip([0, *ends], [*ends, len(paragraph)], strict=True))
    return [piece for piece in pieces if piece]


def read_option(line: str) -> tuple[str, str, bool]:
    """The mark of an item without its style, the text behind it, and whether it is the recommended one."""
    plain = BULLET.sub("", DECORATION.sub("", line), count=1).strip()
    label = RECOMMENDED.sub("", plain)
    recommended = label != plain
    mark = MARK.match(label) or _YES_NO.match(label)
    if mark is None:
        return "", label, recommended
    value = next(group for group in mark.groups() if group)
    value = unicodedata.normalize("NFKC", value)
    if len(value) == 1:
        value = value.upper()
    return value, label[mark.end() :].strip(), recommended
