"""A thread is one session."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import expect

from tests.e2e.person import Person, ended


def test_messages_stay_in_their_thread_and_new_chat_begins_another(person: Person, repo: Path) -> None:
    """WEB-9"""
    page, server = person.page, person.server
    server.add(repo)
    person.log_in()
    page.get_by_role("link", name="New chat").first.click()
    page.get_by_label("Project", exact=True).select_option(label=repo.name)
    expect(page.get_by_text(f"Starts a new chat in {repo.name}")).to_be_visible()
    ended(person.begin(repo, "First look [[quick]]"), "No changes")
    expect(page.get_by_text("Continues “First look”")).to_be_visible()
    for text in ("Second look [[quick]]", "Third look [[quick]]"):
        ended(person.send(text), "No changes")
    (thread,) = server.sessions(repo)
    assert thread["tasks"] == 3

    ended(person.begin(repo, "Something else [[quick]]"), "No changes")
    expect(page.get_by_text("Continues “Something else”")).to_be_visible()
    assert [session["tasks"] for session in server.sessions(repo)] == [1, 3]
    page.goto(f"{server.address}/?project={thread['project_id']}")
    expect(page.get_by_role("link", name="First look")).to_be_visible()
    expect(page.get_by_role("link", name="Something else")).to_be_visible()


def test_what_is_written_and_not_sent_is_there_after_a_reload(person: Person, repo: Path) -> None:
    """WEB-9"""
    server = person.server
    session = server.submit(repo, "Look [[quick]]")
    person.open(session)
    person.composer.fill("Half a thought")
    person.reload()
    expect(person.composer).to_have_value("Half a thought")
    assert len(server.tasks(repo)) == 1
