"""axe finds nothing serious on any page, in light and in dark."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.nursery import Nursery
from tests.e2e.person import WINDOW, Person, ended
from tests.e2e.served import Served, repository_at

AXE = Path(__file__).parents[2] / "web/node_modules/axe-core/axe.min.js"
SERIOUS = ("serious", "critical")
# Light and dark differ in colours alone, and these are the rules that look at them.
OF_COLOUR = ["color-contrast", "link-in-text-block"]
PLACES = ["/", "/inbox", "/new", "/queue", "/projects", "/runner", "/usage", "/settings", "/ways-back"]


@pytest.fixture
def profile() -> dict[str, Any]:
    # What fades in has less contrast for a moment; that is no fault of the page.
    return {"viewport": WINDOW, "color_scheme": "light", "reduced_motion": "reduce"}


@pytest.fixture(scope="module")
def filled(nursery: Nursery, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """With a task in every state that a page can show."""
    root = tmp_path_factory.mktemp("filled")
    server = Served(nursery, root / "data")
    try:
        fill(server, root)
        yield server
    finally:
        server.kill()


def fill(server: Served, root: Path) -> None:
    for name, prompts in {
        "asking": ["Lay it out [[options]]", "Wait behind it [[quick]]"],
        "changed": ["Add up [[two-files]]"],
        "taken-back": ["Note it [[two-files]]"],
        "running": ["Go on [[endless]]", "Wait for it [[quick]]"],
    }.items():
        repository = repository_at(root / name)
        for prompt in prompts:
            server.submit(repository, prompt)
    server.until(root / "changed", "COMPLETE")
    (taken_back,) = server.until(root / "taken-back", "COMPLETE")
    server.post(f"/api/tasks/{taken_back['task_id']}/rollback")
    server.until(root / "asking", "AWAITING_RESPONSE", "QUEUED")
    server.until(root / "running", "RUNNING", "QUEUED")


def findings(page: Page) -> list[str]:
    """Of every rule in light, then of those of colour in dark."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    found = [f"light: {finding}" for finding in _findings(page, {})]
    page.emulate_media(color_scheme="dark")
    found += [f"dark: {finding}" for finding in _findings(page, {"runOnly": OF_COLOUR})]
    page.emulate_media(color_scheme="light")
    return found


def _findings(page: Page, options: dict[str, Any]) -> list[str]:
    found = page.evaluate("options => axe.run(document, options)", {"resultTypes": ["violations"], **options})
    return [
        f"{rule['impact']}: {rule['help']}: {node['html'][:200]}"
        for rule in found["violations"]
        if rule["impact"] in SERIOUS
        for node in rule["nodes"]
    ]


def test_the_login_page(page: Page, server: Served) -> None:
    """BYD-7"""
    page.goto(server.address)
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("alert")).to_be_visible()
    assert findings(page) == []


def test_the_empty_home_page(page: Page, own_server: Served) -> None:
    """BYD-7"""
    Person(page, own_server).log_in()
    expect(page.get_by_role("heading", name="Three things to try")).to_be_visible()
    assert findings(page) == []


def test_every_page_with_something_on_it(page: Page, filled: Served) -> None:
    """BYD-7"""
    person = Person(page, filled)
    person.log_in()
    found = {}
    for place in PLACES:
        page.goto(filled.address + place)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        expect(page.get_by_role("status", name="Loading")).to_have_count(0)
        found[place] = findings(page)
    assert found == {place: [] for place in PLACES}


def test_a_session_that_waits_and_one_that_has_ended_with_its_details(
    page: Page, filled: Served, tmp_path: Path
) -> None:
    """BYD-7, RPL-5"""
    person = Person(page, filled)
    by_title = {session["title"]: session for session in filled.get("/api/sessions")["items"]}
    person.open(by_title["Lay it out"])
    expect(page.get_by_role("group", name="Answers to choose from")).to_be_visible()
    found = {"asks": findings(page)}
    page.goto(f"{filled.address}/")
    page.get_by_role("link", name="Add up").click()
    card = person.card("Add up [[two-files]]")
    ended(card)
    shows: dict[str, tuple[str, Callable[[], None]]] = {
        "Steps": ("Edit", lambda: page.get_by_role("button", name="1 Edit done").click()),
        "Output": ("Filtered", lambda: page.get_by_role("button", name="Raw").click()),
        "2 files changed": ("calc.py", lambda: None),
    }
    for name, (sign, more) in shows.items():
        card.get_by_role("button", name=name).click()
        details = page.get_by_role("complementary", name="Details")
        expect(details.get_by_role("button", name=sign).first).to_be_visible()
        more()
        found[name] = findings(page)
    card.get_by_role("button", name="Commit").click()
    expect(page.get_by_role("dialog").get_by_role("checkbox")).to_have_count(3)
    found["commit"] = findings(page)
    assert found == {name: [] for name in found}


def test_the_checks_of_a_project_and_their_agent_yaml(page: Page, filled: Served, tmp_path: Path) -> None:
    """BYD-7, TSK-12"""
    found_in, broken = repository_at(tmp_path / "found"), repository_at(tmp_path / "broken")
    (found_in / "pytest.ini").write_text("[pytest]\n")
    (broken / "agent.yaml").write_text("verification:\n  - {name: tests, comand: x}\n")
    Person(page, filled).log_in(f"/projects/{filled.add(found_in)}/checks")
    page.get_by_role("button", name="Add a check").click()
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("Say what to run.")).to_be_visible()
    found = {"edited": findings(page)}
    page.get_by_role("button", name="Discard edits").click()
    page.get_by_role("button", name="Save as agent.yaml").click()
    expect(page.get_by_role("dialog").get_by_label("Text of agent.yaml")).to_be_visible()
    found["preview"] = findings(page)
    page.goto(f"{filled.address}/projects/{filled.add(broken)}/checks")
    expect(page.get_by_role("list", name="Problems in agent.yaml")).to_be_visible()
    found["broken"] = findings(page)
    page.goto(f"{filled.address}/new?project={filled.add(broken)}")
    page.get_by_role("button", name="Options").click()
    page.get_by_role("switch", name="Auto-fix").click()
    page.get_by_label("Your request").fill("Do it")
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_role("alert").filter(has_text="Not sent")).to_be_visible()
    found["refused"] = findings(page)
    page.goto(f"{filled.address}/projects")
    page.get_by_role("button", name="Storage").first.click()
    expect(page.get_by_role("button", name="Clean up now")).to_be_visible()
    found["storage"] = findings(page)
    assert found == {name: [] for name in found}


def test_a_proposal(page: Page, filled: Served, tmp_path: Path) -> None:
    """BYD-7, TSK-7"""
    repository = repository_at(tmp_path / "proposed")
    message = {"text": "Add up [[two-files]]", "dry_run": True}
    body = {"project_path": str(repository), "agent": "rehearsal", "message": message}
    session = filled.post("/api/sessions", body)
    Person(page, filled).open(session)
    expect(page.get_by_role("region", name="Proposed changes")).to_contain_text("return a + b")
    assert findings(page) == []
