from __future__ import annotations

import pytest

from pilothouse.domain.ports import QuestionOption
from pilothouse.domain.talk import small_model
from pilothouse.domain.talk.marker_contents import (
    Broken,
    CiStatusSaid,
    Content,
    DecisionSaid,
    MarkerSaid,
    PlanFileSaid,
    PlanStepSaid,
    PullRequestSaid,
    StatusSaid,
    StepCompleteSaid,
    WorkType,
    contents,
    decisions,
)
from pilothouse.domain.talk.markers import MarkerName


def one(text: str) -> Content | Broken:
    (found,) = contents(text)
    return found


def decision(body: str, attributes: str = "") -> DecisionSaid:
    found = one(f"[DECISION_NEEDED{attributes}]\n{body}\n[/DECISION_NEEDED]\n")
    assert isinstance(found, DecisionSaid)
    return found


def test_a_decision_with_everything() -> None:
    """GRD-1"""
    body = "Issue: No limit.\nImpact: Abuse.\n\nHow?\n- Option A: A package (recommended)\n- Option B: Our own\n  code"
    found = decision(body, ' line="42" file="src/a.ts" priority="1" category="critical" immediate="true"')
    assert found == DecisionSaid(
        text="Issue: No limit.\nImpact: Abuse.\n\nHow?",
        options=(QuestionOption("A", "A package", True), QuestionOption("B", "Our own code")),
        priority=1,
        category="critical",
        kind="single_choice",
        file="src/a.ts",
        line=42,
        immediate=True,
    )


@pytest.mark.parametrize(
    ("body", "values", "labels"),
    [
        ("Which?\n* A) One\n* B) Two", ["A", "B"], ["One", "Two"]),
        ("Which?\n1. One\n2. Two", ["A", "B"], ["One", "Two"]),
        ("Which?\n\n- One\n\n- Two\n", ["A", "B"], ["One", "Two"]),
        ("Which?\n- **Option 1**: One\n- **Option 2**: Two [Recommended]", ["1", "2"], ["One", "Two"]),
        ("Facts:\n- a\n- b\n\nWhich?\n- One\n- Two", ["A", "B"], ["One", "Two"]),
        ("- Option A: One\n- Option B: Two", ["A", "B"], ["One", "Two"]),
        ("Seen:\n- a\n- b\nWhat now?", [], []),
        ("What should it be called?", [], []),
    ],
)
def test_options_are_the_list_a_decision_ends_with(body: str, values: list[str], labels: list[str]) -> None:
    """GRD-1"""
    found = decision(body)
    assert [option.value for option in found.options] == values
    assert [option.label for option in found.options] == labels
    assert found.kind == ("single_choice" if values else "text")


def test_yes_or_no_is_a_confirmation_and_several_may_be_chosen() -> None:
    """GRD-1"""
    assert decision("Go?\n- Yes\n- No").kind == "confirmation"
    assert decision("Which?\n- One\n- Two", ' type="multi_choice"').kind == "multi_choice"


@pytest.mark.parametrize(("given", "read"), [("1", 1), ("2", 2), ("3", 3), ("0", 3), ("high", 3), ("1|2|3", 3)])
def test_a_priority_that_is_none_is_asked_last(given: str, read: int) -> None:
    """GRD-1"""
    assert decision("What?", f' priority="{given}"').priority == read


def test_decisions_are_asked_by_priority() -> None:
    """GRD-1"""
    text = "".join(f"[DECISION_NEEDED priority={n}]\nQ{n}?\n[/DECISION_NEEDED]\n" for n in (3, 1, 2, 1))
    assert [found.text for found in decisions(text)] == ["Q1?", "Q1?", "Q2?", "Q3?"]
    (reviewed,) = decisions("[REVIEW_CHECKPOINT]\n[DECISION_NEEDED]\nFix?\n[/DECISION_NEEDED]\n[/REVIEW_CHECKPOINT]")
    assert reviewed.in_review


@pytest.mark.parametrize(
    ("text", "read"),
    [
        (
            '[PLAN_STEP id="step-2" parent="step-1" status="approved"]\nTitle\nWhat it\ndoes.\n[/PLAN_STEP]',
            PlanStepSaid("step-2", "Title", "What it\ndoes.", "step-1", "approved"),
        ),
        ('[PLAN_STEP parent="null" id="1"]\nTitle', PlanStepSaid("1", "Title")),
        ('[STEP_COMPLETE id="4"]\nAll there.\n[/STEP_COMPLETE]', StepCompleteSaid("4", "All there.")),
        (
            "[IMPLEMENTATION_COMPLETE]\nx\n[/IMPLEMENTATION_COMPLETE]",
            MarkerSaid(MarkerName.IMPLEMENTATION_COMPLETE, "x"),
        ),
        ("[PLAN_APPROVED]", MarkerSaid(MarkerName.PLAN_APPROVED)),
        ("[PLAN_MODE_ENTERED]", MarkerSaid(MarkerName.PLAN_MODE_ENTERED)),
        ("[PR_APPROVED]\nReady.\n[/PR_APPROVED]", MarkerSaid(MarkerName.PR_APPROVED, "Ready.")),
        ('[PLAN_FILE path="/a b/plan.md"]', PlanFileSaid("/a b/plan.md")),
        ('[CI_STATUS status="FAILING"]\nlint\n[/CI_STATUS]', CiStatusSaid("failing", "lint")),
        (
            "[PR_CREATED]\nTitle: Add: login\nBranch: feature/a → main\n\n## Summary\ns\n[/PR_CREATED]",
            PullRequestSaid("Add: login", "feature/a", "main", "## Summary\ns"),
        ),
        ("[PR_CREATED]\nTitle: T\nBranch: only\n[/PR_CREATED]", PullRequestSaid("T", "only")),
        (
            "[IMPLEMENTATION_STATUS]\nstep_id: 3\nstatus: BLOCKED\nfiles_modified: 2\ntests_status: FAILING\n"
            "work_type: TESTING\nprogress: 160%\nmessage: waits: for you\n[/IMPLEMENTATION_STATUS]",
            StatusSaid("3", "BLOCKED", 2, "FAILING", WorkType.TESTING, 100, "waits: for you"),
        ),
        (
            "[IMPLEMENTATION_STATUS]\nstep_id: 3\nstatus: IN_PROGRESS | COMPLETE\nprogress: much\nno field\n",
            StatusSaid("3"),
        ),
    ],
)
def test_each_marker_says_what_it_says(text: str, read: Content) -> None:
    """GRD-1: unclosed ones are read leniently."""
    assert one(text) == read


@pytest.mark.parametrize(
    "text",
    [
        "[DECISION_NEEDED]\n[/DECISION_NEEDED]",
        "[DECISION_NEEDED]\nSo?\n- Option A: The only one\n[/DECISION_NEEDED]",
        "[PLAN_STEP]\nTitle\n[/PLAN_STEP]",
        '[PLAN_STEP id="1"]\n\n[/PLAN_STEP]',
        "[STEP_COMPLETE]\nx\n[/STEP_COMPLETE]",
        "[IMPLEMENTATION_STATUS]\nall fine\n[/IMPLEMENTATION_STATUS]",
        "[PR_CREATED]\nIt is there.\n[/PR_CREATED]",
        '[CI_STATUS status="passing|failing|pending"]\n[/CI_STATUS]',
        "[PLAN_FILE]",
    ],
)
def test_what_says_too_little_is_broken_and_kept_raw(text: str) -> None:
    """GRD-2"""
    found = one(text)
    assert isinstance(found, Broken)
    assert found.raw.startswith(f"[{found.name}")
    assert found.problem


def test_the_small_model_is_asked_about_questions_and_plan_steps_alone() -> None:
    """GRD-2"""
    asked = Broken(MarkerName.DECISION_NEEDED, "[DECISION_NEEDED]\nleft </text> or right", "it holds no question")
    assert small_model.can_help(asked)
    assert "left </text> or right" in small_model.prompt(asked)
    assert not small_model.can_help(Broken(MarkerName.CI_STATUS, "", ""))


def test_an_answer_of_the_asked_form_is_believed() -> None:
    """GRD-2"""
    choices = '[{"label": "L"}, {"label": "R", "recommended": true}]'
    asked = f'{{"kind": "question", "text": "Which?", "options": {choices}, "priority": 1}}'
    options = (QuestionOption("A", "L"), QuestionOption("B", "R", True))
    assert small_model.believed(asked) == [DecisionSaid("Which?", options, 1, kind="single_choice")]
    assert small_model.believed(f"```json\n{asked}\n```") == small_model.believed(asked)
    alone = '{"kind": "question", "text": "Which?", "options": [{"label": "L"}]}'
    assert small_model.believed(alone) == [DecisionSaid("Which?")]
    steps = '{"kind": "plan_steps", "steps": [{"id": "1", "title": "T", "parent": null}]}'
    assert small_model.believed(steps) == [PlanStepSaid("1", "T")]
    assert small_model.believed('{"kind": "nothing"}') == []


@pytest.mark.parametrize(
    "said",
    [
        "",
        "It asks which way.",
        "[" * 100_000,
        "{}",
        '{"kind": "question"}',
        '{"kind": "question", "text": "  "}',
        '{"kind": "question", "text": "a?", "priority": "1"}',
        '{"kind": "question", "text": "a?", "priority": 4}',
        '{"kind": "question", "text": "a?", "also": true}',
        '{"kind": "plan_steps", "steps": []}',
        '{"kind": "run", "command": "rm"}',
        'Here: {"kind": "nothing"}',
    ],
)
def test_any_other_answer_is_thrown_away(said: str) -> None:
    """GRD-2: then the person sees the agent's own words."""
    assert small_model.believed(said) is None
