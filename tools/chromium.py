"""Finds the Chromium that browser tests drive; `python -m tools.chromium` prints its path."""

import os
import shutil
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from tools import debian

VARIABLE = "PILOTHOUSE_CHROMIUM"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
APPLICATIONS = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
WHAT_TO_DO = f"""\
No Chromium was found, and the browser tests need one. Do one of these and start again:
  - install your system's package (Debian, Ubuntu: apt install chromium; Fedora: dnf install chromium)
  - .venv/bin/playwright install chromium
  - set {VARIABLE} to the path of a Chromium or Chrome program"""


class ChromiumMissing(Exception):
    pass


def _playwrights_own() -> str | None:
    # Imported here because starting its driver takes a second that the other places do not cost.
    from playwright.sync_api import Error, sync_playwright

    try:
        with sync_playwright() as playwright:
            path = playwright.chromium.executable_path
    except Error:
        return None
    return path if Path(path).is_file() else None


def on_path() -> str | None:
    return next((found for name in NAMES if (found := shutil.which(name))), None)


def find(
    environment: Mapping[str, str] = os.environ, playwrights_own: Callable[[], str | None] = _playwrights_own
) -> str | None:
    """The named one, one on PATH, an application of macOS, or Playwright's own, in this order."""
    named = environment.get(VARIABLE)
    if named:
        if not os.access(named, os.X_OK):
            raise ChromiumMissing(f"{VARIABLE} is {named}, which is no program that can be started.")
        return named
    return on_path() or next((path for path in APPLICATIONS if Path(path).is_file()), None) or playwrights_own()


def ensure() -> str:
    found = find()
    if not found and debian.install("chromium"):
        found = on_path()
    if not found:
        raise ChromiumMissing(WHAT_TO_DO)
    return found


def main() -> int:
    try:
        print(ensure())
    except ChromiumMissing as missing:
        print(missing, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
