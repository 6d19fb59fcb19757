"""The locks make an installation repeatable anywhere, and tell nothing about the machine that made them."""

import json
import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tools.node import REQUIREMENT, ROOT

LOCKS = ("run", "dev", "build", "node")
WEB_LOCK = ROOT / "web" / "package-lock.json"


def pinned(name: str) -> dict[str, str]:
    text = (ROOT / "requirements" / f"{name}.txt").read_text()
    return {canonicalize_name(found[0]): found[1] for found in re.findall(r"^([\w.-]+)==(\S+)", text, re.MULTILINE)}


@pytest.mark.parametrize("name", LOCKS)
def test_every_pin_has_hashes_and_nothing_else_is_in_the_lock(name: str) -> None:
    text = (ROOT / "requirements" / f"{name}.txt").read_text().replace("\\\n", "")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    assert lines
    pin = r"[\w.-]+(\[[\w,-]+\])?==\S+( ; [^\\]+?)?(\s+--hash=sha256:[0-9a-f]{64})+"
    assert [line for line in lines if not re.fullmatch(pin, line.strip())] == []


@pytest.mark.parametrize("name", LOCKS)
def test_locks_hold_no_address_and_no_path(name: str) -> None:
    text = (ROOT / "requirements" / f"{name}.txt").read_text()
    assert "://" not in text
    assert not re.search(r"(^|[\s=])/", text)


def test_every_dependency_is_locked_at_a_version_it_allows() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    wanted = {
        "run": project["dependencies"],
        "dev": [*project["dependencies"], *extras["dev"], *extras["postgres"]],
    }
    for lock, requirements in wanted.items():
        versions = pinned(lock)
        for requirement in map(Requirement, requirements):
            version = versions.get(canonicalize_name(requirement.name))
            assert version, f"{requirement.name} is not in requirements/{lock}.txt: run `make lock`"
            assert requirement.specifier.contains(version), f"{requirement} is locked at {version}: run `make lock`"


def test_development_uses_the_versions_that_users_get() -> None:
    run, dev, build = pinned("run"), pinned("dev"), pinned("build")
    assert {name: dev.get(name) for name in run} == run
    assert {name: (run | dev)[name] for name in build if name in run | dev} == {
        name: version for name, version in build.items() if name in run | dev
    }


def test_the_build_hook_asks_for_the_node_that_is_locked() -> None:
    requirement = Requirement(REQUIREMENT)
    assert requirement.specifier.contains(pinned("node")[canonicalize_name(requirement.name)])


def web_packages(lock: Path) -> dict[str, dict[str, object]]:
    packages: dict[str, dict[str, object]] = json.loads(lock.read_text())["packages"]
    return packages


def test_the_front_ends_lock_records_no_download_address() -> None:
    packages = web_packages(WEB_LOCK)
    assert [path for path, entry in packages.items() if "://" in str(entry.get("resolved", ""))] == []


def test_the_front_ends_lock_has_a_hash_for_every_package() -> None:
    packages = web_packages(WEB_LOCK)
    unhashed = [path for path, entry in packages.items() if path and not entry.get("link") and "integrity" not in entry]
    assert [path for path in unhashed if not packages[path].get("inBundle")] == []


def test_the_front_ends_lock_is_complete_for_other_platforms() -> None:
    """`npm ci` refuses a lock without the native packages of every platform."""
    packages = web_packages(WEB_LOCK)
    present = {path.rpartition("node_modules/")[2] for path in packages}
    missing = set()
    for entry in packages.values():
        optional = entry.get("optionalDependencies", {})
        assert isinstance(optional, dict)
        missing |= set(optional) - present
    assert missing == set()
