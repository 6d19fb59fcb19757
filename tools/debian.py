"""Installs a Debian package, where that can be done without asking anybody."""

import os
import shutil
import subprocess
import sys

ENVIRONMENT = {"DEBIAN_FRONTEND": "noninteractive"}


def can_install() -> bool:
    return sys.platform == "linux" and os.geteuid() == 0 and shutil.which("apt-get") is not None


def install(package: str) -> bool:
    """Tries with the package lists at hand first; a fresh container has none and needs them fetched."""
    if not can_install():
        return False
    print(f"Installing Debian's {package} (apt-get)", flush=True)
    command = ["apt-get", "install", "--yes", "--quiet", "--no-install-recommends", package]
    return _quietly(command) or (_quietly(["apt-get", "update", "--quiet"]) and _quietly(command))


def _quietly(command: list[str]) -> bool:
    done = subprocess.run(
        command,
        env={**os.environ, **ENVIRONMENT},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        print("\n".join(done.stdout.splitlines()[-5:]), file=sys.stderr)
    return done.returncode == 0
