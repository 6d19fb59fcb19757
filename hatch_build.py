"""Build hook: the wheel carries the built front end, so that nobody who installs it needs Node.js."""

import os
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).resolve().parent))

from tools import frontend, node


class FrontEnd(BuildHookInterface[Any]):
    def dependencies(self) -> list[str]:
        """Node.js becomes a build requirement only where it is both needed and missing."""
        unneeded = os.environ.get(frontend.SKIP) == "1" or frontend.is_fresh(Path(self.root))
        return [] if unneeded or node.machine_node() else [node.REQUIREMENT]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        try:
            frontend.build(Path(self.root))
        except (frontend.BuildFailed, node.NodeMissing) as error:
            self.app.abort(str(error))
        # Not static/, which keeps the assets of the build before.
        built = Path(self.root, frontend.BUILT)
        if version == "standard" and built.is_dir():
            build_data["force_include"][str(built)] = "pilothouse/static"
