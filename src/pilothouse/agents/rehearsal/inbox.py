"""Messages to a rehearsal that plays: one file each, in a folder of the run's own.

Whoever removes the file has the message: the program to take it in, or the adapter to take it back.
"""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path


class Inbox:
    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def put(self, message_id: str, text: str) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        number = 1 + max((int(path.name.split("-")[0]) for path in self.folder.glob("*-*")), default=0)
        path = self.folder / f"{number:06}-{message_id}"
        new = self.folder / f"new.{message_id}"
        descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w") as file:
            json.dump({"id": message_id, "text": text}, file)
        new.replace(path)

    def withdraw(self, message_id: str) -> bool:
        return any(_removed(path) for path in self.folder.glob(f"*-{message_id}"))

    def take(self) -> list[tuple[str, str]]:
        """What came since, in order, as id and text; nobody else gets it any more."""
        taken = []
        for path in sorted(self.folder.glob("*-*")):
            try:
                message = json.loads(path.read_text())
            except FileNotFoundError:
                continue
            if _removed(path):
                taken.append((str(message["id"]), str(message["text"])))
        return taken

    def clear(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)


def _removed(path: Path) -> bool:
    try:
        path.unlink()
    except FileNotFoundError:
        return False
    return True
