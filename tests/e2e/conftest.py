"""One browser for all of them, a fresh profile for each; servers are shared unless a test kills its own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.e2e.nursery import Nursery
from tests.e2e.person import WINDOW, Person
from tests.e2e.served import Served, repository_at
from tools import chromium
from tools.node import ROOT

# A busy machine is slow, not wrong: what is waited for comes at once on a quiet one.
PATIENCE_MS = 60_000
LIMIT_SECONDS = 600
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # Names that lead here without being this machine's own: what a phone on the network would call it.
    "--host-resolver-rules=MAP pilothouse.test 127.0.0.1, MAP stranger.test 127.0.0.1",
)
FAILED = pytest.StashKey[bool]()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.timeout(LIMIT_SECONDS))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Any:
    report = yield
    item.stash[FAILED] = item.stash.get(FAILED, False) or report.failed
    return report


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium.ensure(), args=list(FLAGS))
        yield opened
        opened.close()


@pytest.fixture(scope="package")
def pictures() -> Path:
    """Where a failed test leaves what the person saw; all other files of the tests are gone when the suite ends."""
    folder = ROOT / ".make" / "pictures"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture
def profile() -> dict[str, Any]:
    """What kind of browser; a module may give another.

    Without a graphics card, what turns while a task runs keeps the browser busy. The modules that look at dialogs by
    keyboard, at messages, at a phone and at frames have it move.
    """
    return {"viewport": WINDOW, "reduced_motion": "reduce"}


@pytest.fixture
def context(
    browser: Browser, profile: dict[str, Any], request: pytest.FixtureRequest, pictures: Path
) -> Iterator[BrowserContext]:
    opened = browser.new_context(**profile, locale="en-GB")
    opened.set_default_timeout(PATIENCE_MS)
    yield opened
    if request.node.stash.get(FAILED, False):
        for number, page in enumerate(opened.pages):
            path = pictures / f"{request.node.name}-{number}.png"
            page.screenshot(path=path)
            request.node.add_report_section("teardown", "picture", str(path))
    opened.close()


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """What the page throws fails the test, unless the test expects it."""
    opened = context.new_page()
    thrown: list[str] = []
    opened.on("pageerror", lambda error: thrown.append(str(error)))
    yield opened
    assert thrown == []


@pytest.fixture(scope="package")
def nursery() -> Iterator[Nursery]:
    made = Nursery()
    yield made
    made.close()


@pytest.fixture(scope="package")
def server(nursery: Nursery, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    started = Served(nursery, tmp_path_factory.mktemp("shared"), ALLOWED_HOSTS="pilothouse.test")
    yield started
    started.stop()


@pytest.fixture
def own_server(nursery: Nursery, tmp_path: Path) -> Iterator[Served]:
    """For a test that kills it, or counts what it holds."""
    started = Served(nursery, tmp_path / "data")
    yield started
    started.kill()


@pytest.fixture
def repo(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """Named after the test, so that it can be told from the others on a shared server."""
    return repository_at(tmp_path / re.sub(r"\W+", "-", request.node.name.removeprefix("test_"))[:60])


@pytest.fixture
def person(page: Page, server: Served) -> Person:
    return Person(page, server)
