"""Questions and their answers."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.person import Person, ended
from tests.e2e.served import Served, let

QUESTION = "What should the greeting say?"


def box_of(card: Locator) -> Locator:
    return card.get_by_role("textbox", name="Your reply")


@pytest.fixture
def asked(person: Person, repo: Path) -> Locator:
    """The card of a task that asks an open question."""
    session = person.server.submit(repo, "Write a greeting [[greeting]]")
    person.open(session)
    card = person.card("Write a greeting [[greeting]]")
    expect(card.get_by_role("region", name="Question")).to_contain_text(QUESTION)
    return card


def test_a_question_is_answered_with_a_button_and_the_same_task_goes_on(
    person: Person, own_server: Served, repo: Path
) -> None:
    """RPL-1, RPL-4, WEB-10: nobody else asks on this server."""
    server = person.server = own_server
    server.add(repo)
    person.log_in()
    card = person.begin(repo, "Lay it out [[options]]")
    expect(card.get_by_text("Asks you")).to_be_visible()
    expect(card.get_by_role("region", name="Question")).to_have_text("Which structure do you prefer?")
    answers = card.get_by_role("group", name="Answers to choose from")
    expect(answers.get_by_role("button")).to_have_count(2)
    expect(person.page.get_by_label("1 session needs you")).to_be_visible()
    answers.get_by_role("button", name="Nested").click()
    ended(card)
    expect(card).to_contain_text("You chose B.")
    expect(card.get_by_role("list", name="Your replies")).to_contain_text("Which structure do you prefer?")
    expect(box_of(card)).to_have_count(0)
    assert (repo / "layout.txt").read_text() == "B\n"
    assert len(server.tasks(repo)) == 1


def test_a_reply_of_several_lines_goes_out_whole_on_enter(asked: Locator, repo: Path) -> None:
    """RPL-1, RPL-5"""
    box, button = box_of(asked), asked.get_by_role("button", name="Send Reply")
    expect(box).to_have_attribute("placeholder", "Type your reply...")
    expect(button).to_be_disabled()
    box.fill("   ")
    expect(button).to_be_disabled()
    box.fill("")
    low = _height(box)
    box.press_sequentially("Ahoy,")
    expect(button).to_be_enabled()
    box.press("Shift+Enter")
    box.press_sequentially("sailor")
    expect(box).to_have_value("Ahoy,\nsailor")
    assert _height(box) > low
    box.press("Enter")
    ended(asked)
    assert (repo / "greeting.txt").read_text() == "Ahoy,\nsailor\n"


def test_the_reply_box_grows_to_a_limit_and_then_scrolls(asked: Locator) -> None:
    """RPL-5"""
    box = box_of(asked)
    box.fill("\n".join(f"line {n}" for n in range(60)))
    assert _height(box) <= 200
    assert box.evaluate("box => box.scrollHeight > box.clientHeight && getComputedStyle(box).overflowY") == "auto"


def _height(box: Locator) -> float:
    rectangle = box.bounding_box()
    assert rectangle
    return rectangle["height"]


def test_enter_that_ends_an_ime_composition_does_not_send(asked: Locator, page: Page, repo: Path) -> None:
    """RPL-5"""
    box = box_of(asked)
    box.focus()
    box.evaluate(
        "box => { window.seen = []; box.addEventListener('keydown', e => window.seen.push([e.key, e.isComposing])) }"
    )
    keyboard = page.context.new_cdp_session(page)
    keyboard.send("Input.imeSetComposition", {"text": "こんにちは", "selectionStart": 5, "selectionEnd": 5})
    enter = {"key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 13}
    keyboard.send("Input.dispatchKeyEvent", {"type": "rawKeyDown", **enter})
    keyboard.send("Input.dispatchKeyEvent", {"type": "keyUp", **enter})
    keyboard.send("Input.insertText", {"text": "こんにちは"})
    assert page.evaluate("window.seen") == [["Enter", True]]
    expect(box).to_have_value("こんにちは")
    expect(asked.get_by_role("button", name="Send Reply")).to_be_enabled()
    expect(asked.get_by_role("region", name="Question")).to_contain_text(QUESTION)
    box.press("Enter")
    ended(asked)
    assert (repo / "greeting.txt").read_text(encoding="utf-8") == "こんにちは\n"


def test_a_reply_half_written_survives_live_updates_and_a_reload(asked: Locator, person: Person, repo: Path) -> None:
    """RPL-5"""
    box = box_of(asked)
    box.press_sequentially("Ahoy")
    server = person.server
    (session,) = server.sessions(repo)
    server.post(f"/api/sessions/{session['project_id']}/{session['slug']}/messages", {"text": "More [[quick]]"})
    ended(person.card("More [[quick]]"), "No changes")
    expect(box).to_have_value("Ahoy")
    expect(box).to_be_focused()
    person.reload()
    expect(box).to_have_value("Ahoy")
    box.press("Control+End")
    box.press_sequentially(", sailor")
    box.press("Enter")
    ended(asked)
    assert (repo / "greeting.txt").read_text() == "Ahoy, sailor\n"


def test_a_task_that_moves_on_while_somebody_types_tells_them_and_keeps_the_words(person: Person, repo: Path) -> None:
    """RPL-6"""
    server = person.server
    session = server.submit(repo, "Greet [[asks-then-works]]")
    person.open(session)
    card = person.card("Greet [[asks-then-works]]")
    box = box_of(card)
    box.press_sequentially("My own words")
    server.post(f"/api/tasks/{session['current_task_id']}/reply", {"reply": "Answered elsewhere"})
    expect(card.get_by_role("alert")).to_contain_text("This task is no longer waiting (now: Running).")
    expect(box).to_have_value("My own words")
    expect(card.get_by_role("button", name="Send Reply")).to_be_disabled()
    let(repo, "go")
    ended(card, "No changes")
    expect(card).to_contain_text("It says: Answered elsewhere")
    expect(box).to_have_value("My own words")


def test_the_status_is_asked_again_before_a_reply_is_sent(person: Person, repo: Path) -> None:
    """RPL-6"""
    page, server = person.page, person.server
    session = server.submit(repo, "Greet [[asks-then-works]]")
    server.until(repo, "AWAITING_RESPONSE")
    # A line that is up and says nothing: the page cannot have heard what another client did.
    page.route_web_socket("**/ws", lambda socket: None)
    person.open(session)
    card = person.card("Greet [[asks-then-works]]")
    box = box_of(card)
    box.fill("My own words")
    server.post(f"/api/tasks/{session['current_task_id']}/reply", {"reply": "Answered elsewhere"})
    server.until(repo, "RUNNING")
    posted: list[str] = []
    page.on("request", lambda request: posted.append(request.url) if request.method == "POST" else None)
    box.press("Enter")
    expect(card.get_by_role("alert")).to_contain_text("no longer waiting")
    expect(box).to_have_value("My own words")
    assert posted == []
    let(repo, "go")
    (task,) = server.until(repo, "COMPLETE")
    assert [entry["content"] for entry in task["reply_history"]] == ["Answered elsewhere"]
