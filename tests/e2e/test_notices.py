"""What a person is told about the installation itself."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page, expect

from tests.e2e.person import Person, ended
from tests.e2e.served import Served


def damage(data_dir: Path) -> None:
    """Overwrite the database and its newest backup, as a failing disk does."""
    for file in (data_dir / "pilothouse.db", max((data_dir / "backups").iterdir())):
        with file.open("r+b") as stream:
            stream.seek(4096)
            stream.write(b"\xa5" * 16384)


def test_a_restored_database_is_told_with_what_was_lost(page: Page, own_server: Served, repo: Path) -> None:
    """PLT-1"""
    own_server.submit(repo, "Kept in the backup [[quick]]")
    own_server.until(repo, "COMPLETE")
    own_server.stop()
    own_server.start()
    person = Person(page, own_server)
    person.log_in()
    ended(person.begin(repo, "Lost with the disk [[quick]]"), "No changes")
    own_server.stop()
    damage(own_server.data_dir)
    own_server.start()
    notices = page.get_by_role("region", name="Notices")
    expect(notices).to_contain_text("backup")
    # The page has come back to life: what is drawn anew meanwhile would be folded up again.
    expect(page.get_by_role("banner")).to_contain_text("Connected")
    expect(page.get_by_role("alert")).to_contain_text("There is no such session.")
    notices.get_by_text("What was lost").click()
    expect(notices.get_by_role("listitem").filter(has_text="Lost with the disk")).to_contain_text("1 task")
    page.get_by_role("link", name="Sessions", exact=True).click()
    expect(page.get_by_role("link", name="Kept in the backup")).to_be_visible()
    expect(page.get_by_role("link", name="Lost with the disk")).to_have_count(0)
    # What a page asks for right before it closes is refused while an agent may be the one that asks.
    with page.expect_response(lambda answer: answer.url.endswith("/dismiss")):
        notices.get_by_role("button", name="Dismiss this notice").click()
    expect(notices).to_have_count(0)
    person.reload()
    expect(page.get_by_role("link", name="Kept in the backup")).to_be_visible()
    expect(notices).to_have_count(0)
