from __future__ import annotations

import hashlib

from pilothouse.domain.agent.instructions import FILE_LIMIT, TOTAL_LIMIT, InstructionsText, combine


def test_the_persons_files_come_before_the_projects() -> None:
    """FTR-18"""
    text, files = combine(
        [
            InstructionsText("/home/ada/.claude/CLAUDE.md", "global", b"Be brief.\n"),
            InstructionsText("AGENTS.md", "project", b"Use tabs."),
        ]
    )
    assert text.index("Be brief.") < text.index("Use tabs.")
    assert "/home/ada/.claude/CLAUDE.md" in text
    assert [(file.path, file.level, file.size, file.included, file.note) for file in files] == [
        ("/home/ada/.claude/CLAUDE.md", "global", 10, 10, ""),
        ("AGENTS.md", "project", 9, 9, ""),
    ]
    assert files[1].sha256 == hashlib.sha256(b"Use tabs.").hexdigest()


def test_the_same_words_are_sent_once() -> None:
    """FTR-18"""
    text, files = combine(
        [InstructionsText("AGENTS.md", "project", b"Use tabs."), InstructionsText("CLAUDE.md", "project", b"Use tabs.")]
    )
    assert text.count("Use tabs.") == 1
    assert (files[1].included, "AGENTS.md" in files[1].note) == (0, True)


def test_a_long_file_is_cut_at_a_line_and_says_so() -> None:
    """FTR-18"""
    content = b"a rule of some length\n" * 5000
    text, (file,) = combine([InstructionsText("AGENTS.md", "project", content)])
    assert FILE_LIMIT - 30 < file.included <= FILE_LIMIT
    assert file.included % 22 == 0
    assert file.size == len(content)
    assert f"[Cut here: {file.included} of {len(content)} bytes" in text
    assert f"{file.included:,} of {len(content):,} bytes are sent" in file.note


def test_a_cut_never_splits_a_character() -> None:
    """FTR-18"""
    text, (file,) = combine([InstructionsText("AGENTS.md", "project", "ü€".encode() * 20_000)])
    assert "\ufffd" not in text
    assert file.included <= FILE_LIMIT


def test_all_together_stay_below_what_one_argument_of_a_program_holds() -> None:
    """FTR-18"""
    text, files = combine([InstructionsText(f"{n}.md", "global", bytes([97 + n]) * 39_000) for n in range(5)])
    assert sum(file.included for file in files) == TOTAL_LIMIT
    assert files[-1].included == 0
    assert len(text.encode()) < 128 * 1024


def test_imports_are_not_followed_and_that_is_said() -> None:
    """FTR-18"""
    _, (plain, fenced) = combine(
        [
            InstructionsText("AGENTS.md", "project", b"See\n@docs/style.md\n"),
            InstructionsText("CLAUDE.md", "project", b"Write to me@example.org\n```\n@decorator\n```\n"),
        ]
    )
    assert "not included" in plain.note
    assert fenced.note == ""


def test_what_cannot_be_read_is_named_with_the_reason() -> None:
    """FTR-18"""
    text, (file,) = combine([InstructionsText("CLAUDE.md", "project", problem="It is a link that leads out.")])
    assert text == ""
    assert (file.note, file.sha256, file.included) == ("It is a link that leads out.", "", 0)
