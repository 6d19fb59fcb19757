"""How long a person waits for Claude's first words in a real Chromium: from pressing the button to text on the page.

As `bench.first_text`, with a browser in the place of its client: prepared and kept, in turns with `claude -p` by hand.
The page is opened once, as people do who work in it: a new chat begins with a press on “New chat”.
The browser has to share the machine with the server and the program, so on few cores it is mostly the processor that
all of them wait for.

Usage: python -m bench.browser_text [--rounds 11]
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from playwright.sync_api import ElementHandle, Page, sync_playwright

from bench.figures import report
from bench.first_text import PROMPT, WRITING_SECONDS, compared, scene, until_ready
from bench.served import Server
from bench.web import opened
from pilothouse.server.routes.pages import STATIC
from tests.real_agent.messages_api import say
from tools import chromium

WORD = "Gangway"

# Until the text of the newest card says the word; what the page does on its way there is not looked at more closely.
PRESS = """
async ([button, word, cards]) => {
  const said = () => {
    const all = document.querySelectorAll("article");
    return all.length >= cards && all[all.length - 1].textContent.includes(word);
  };
  const began = performance.now();
  const shown = new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      if (!said()) return;
      observer.disconnect();
      resolve(performance.now());
    });
    observer.observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  button.click();
  return (await shown) - began;
}
"""


class Person:
    def __init__(self, server: Server, project: str, page: Page) -> None:
        self.server = server
        self.page = page
        page.goto(f"{server.address}/?project={project}")

    def begin(self) -> float:
        """A new chat; seconds to its first text."""
        page = self.page
        until_ready(self.server, page.get_by_role("link", name="New chat").first.click)
        page.get_by_label("Agent", exact=True).select_option(value="claude")
        page.get_by_label("Your request").fill(PROMPT)
        time.sleep(WRITING_SECONDS)
        return self._pressed("Start", cards=1)

    def go_on(self) -> float:
        page = self.page
        page.get_by_text("No changes").first.wait_for()
        page.get_by_label("Your request").fill(PROMPT)
        time.sleep(WRITING_SECONDS)
        took = self._pressed("Send", cards=2)
        page.get_by_text("No changes").nth(1).wait_for()
        return took

    def _pressed(self, name: str, cards: int) -> float:
        button: ElementHandle = self.page.get_by_role("button", name=name, exact=True).element_handle()
        return float(self.page.evaluate(PRESS, [button, WORD, cards])) / 1000


def measure(folder: Path, rounds: int) -> dict[str, float]:
    alone, prepared, kept = [], [], []
    with scene(folder) as found, sync_playwright() as playwright:
        found.api.scenarios["hello"] = [say(f"{WORD} ahead.")]
        browser = playwright.chromium.launch(executable_path=chromium.ensure(), args=["--no-sandbox"])
        project = str(found.server.post("/api/projects", {"path": str(found.repository)})["id"])
        person = Person(found.server, project, opened(found.server, browser))
        # The first of each makes what the others find.
        person.begin()
        person.go_on()
        for _ in range(rounds):
            alone.append(found.by_hand())
            prepared.append(person.begin())
            kept.append(person.go_on())
        browser.close()
    return compared(alone, prepared, kept)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--rounds", type=int, default=11)
    given = options.parse_args()
    if not (STATIC / "index.html").is_file():
        raise SystemExit("the front end is not built: make web")
    with tempfile.TemporaryDirectory(prefix="pilothouse-bench-") as folder:
        figures = measure(Path(folder), given.rounds)
    report("browser_text", figures)


if __name__ == "__main__":
    main()
