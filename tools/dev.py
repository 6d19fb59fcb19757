"""Hot reload: the server starts again when a Python file changes, and Vite serves the front end as it is edited.

Arguments go to `pilothouse serve`; Vite is told where that listens and proxies the API there.
"""

import os
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from watchfiles import PythonFilter, run_process

from tools import node

SHUTDOWN_SECONDS = 30


def server_address(arguments: Sequence[str]) -> str:
    port = os.environ.get("PORT", "3333")
    for position, argument in enumerate(arguments):
        if argument == "--port" and position + 1 < len(arguments):
            port = arguments[position + 1]
        elif argument.startswith("--port="):
            port = argument.removeprefix("--port=")
    return f"http://127.0.0.1:{port}"


def main(arguments: Sequence[str]) -> int:
    try:
        found = node.find()
    except node.NodeMissing as missing:
        print(missing, file=sys.stderr)
        return 1
    if node.install_modules(node=found) != 0:
        return 1
    serve = [str(Path(sys.executable).with_name("pilothouse")), "serve", *arguments]
    environment = {**found.environment(), "PILOTHOUSE_SERVER": server_address(arguments)}
    vite = subprocess.Popen([*found.npm, "run", "dev"], cwd=node.WEB, env=environment)
    try:
        run_process(
            node.ROOT / "src",
            target=shlex.join(serve),
            target_type="command",
            watch_filter=PythonFilter(),
            sigint_timeout=SHUTDOWN_SECONDS,
        )
    finally:
        vite.terminate()
        vite.wait()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
