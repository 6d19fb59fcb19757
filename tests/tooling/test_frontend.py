"""The front end is built when its sources changed, and only then."""

import json
import sys
from pathlib import Path

import pytest

from tools import frontend, node

# A build that counts itself, so that tests can tell a build from a skipped one.
BUILD = """
const fs = require("node:fs");
const out = "../.make/pages.new";
const count = fs.existsSync("../count") ? Number(fs.readFileSync("../count", "utf8")) : 0;
const page = fs.readFileSync("src/page.txt", "utf8");
fs.mkdirSync(`${out}/assets`, { recursive: true });
fs.writeFileSync(`${out}/index.html`, page);
fs.writeFileSync(`${out}/${page}.svg`, page);
fs.writeFileSync(`${out}/assets/${page}.js`, page);
fs.writeFileSync("../count", String(count + 1));
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    web = tmp_path / "web"
    (web / "src").mkdir(parents=True)
    package = {"name": "x", "version": "1.0.0", "scripts": {"build": "node build.cjs"}}
    (web / "package.json").write_text(json.dumps(package))
    lock = {
        "name": "x",
        "version": "1.0.0",
        "lockfileVersion": 3,
        "packages": {"": {"name": "x", "version": "1.0.0"}},
    }
    (web / "package-lock.json").write_text(json.dumps(lock))
    (web / "build.cjs").write_text(BUILD)
    (web / "src" / "page.txt").write_text("one")
    return tmp_path


def page(root: Path) -> str:
    return (root / frontend.STATIC / "index.html").read_text()


def builds(root: Path) -> int:
    return int((root / "count").read_text())


def test_it_is_built_once_while_nothing_changes(root: Path) -> None:
    assert frontend.build(root)
    assert not frontend.build(root)
    assert (page(root), builds(root)) == ("one", 1)


def test_a_changed_or_removed_source_builds_again(root: Path) -> None:
    (root / "web" / "src" / "other.txt").write_text("x")
    frontend.build(root)
    (root / "web" / "src" / "page.txt").write_text("two")
    assert frontend.build(root)
    assert page(root) == "two"
    (root / "web" / "src" / "other.txt").unlink()
    assert frontend.build(root)


def test_tests_and_installed_modules_do_not_count_as_sources(root: Path) -> None:
    before = frontend.fingerprint(root / "web")
    (root / "web" / "src" / "page.test.ts").write_text("x")
    (root / "web" / "node_modules").mkdir()
    (root / "web" / "node_modules" / "left.js").write_text("x")
    assert frontend.fingerprint(root / "web") == before


def test_a_failed_build_is_not_taken_for_fresh(root: Path) -> None:
    frontend.build(root)
    (root / "web" / "build.cjs").write_text("process.exit(1)")
    with pytest.raises(frontend.BuildFailed):
        frontend.build(root)
    assert not frontend.is_fresh(root)


def test_a_build_that_leaves_no_page_fails(root: Path) -> None:
    (root / "web" / "build.cjs").write_text("")
    with pytest.raises(frontend.BuildFailed, match=r"index\.html"):
        frontend.build(root)


def contents(root: Path) -> dict[str, str]:
    static = root / frontend.STATIC
    return {path.relative_to(static).as_posix(): path.read_text() for path in static.rglob("*") if path.is_file()}


def built(root: Path, page: str) -> None:
    (root / "web" / "src" / "page.txt").write_text(page)
    assert frontend.build(root)


@pytest.mark.parametrize("failing", ["process.exit(1)", f"{BUILD}; process.exit(1)", ""])
def test_a_failed_build_leaves_the_served_pages_as_they_were(root: Path, failing: str) -> None:
    """WEB-8: glossary 20"""
    frontend.build(root)
    before = contents(root)
    (root / "web" / "src" / "page.txt").write_text("two")
    (root / "web" / "build.cjs").write_text(failing)
    with pytest.raises(frontend.BuildFailed):
        frontend.build(root)
    assert contents(root) == before


def test_the_assets_of_open_pages_stay_until_the_build_after_the_next(root: Path) -> None:
    """WEB-8"""
    for page in ("one", "two"):
        built(root, page)
    assert set(contents(root)) == {"index.html", "two.svg", "assets/one.js", "assets/two.js"}
    built(root, "three")
    assert set(contents(root)) == {"index.html", "three.svg", "assets/two.js", "assets/three.js"}
    assert not list((root / frontend.BUILT).rglob("*two*"))


def test_the_page_comes_after_all_it_names(root: Path) -> None:
    """WEB-8"""
    built(root, "one")
    new = root / frontend.NEW
    (new / "assets").mkdir(parents=True)
    (new / "index.html").write_text("two")
    (new / "zebra.svg").write_text("two")
    # A folder where a file has to go: taking that file over fails.
    (root / frontend.STATIC / "zebra.svg" / "in the way").mkdir(parents=True)
    with pytest.raises(IsADirectoryError):
        frontend.publish(root)
    assert page(root) == "one"


def test_it_can_be_skipped(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(frontend.SKIP, "1")
    assert not frontend.build(root)
    assert not (root / frontend.STATIC).exists()


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("v20.18.3", False),
        ("v20.19.0", True),
        ("v21.7.3", False),
        ("v22.11.0", False),
        ("v22.12.0", True),
        ("v24.1.0-nightly", True),
        ("24", False),
    ],
)
def test_only_versions_that_vite_supports_are_suitable(text: str, answer: bool) -> None:
    assert node.suitable(node.parse_version(text)) is answer


def program(folder: Path, name: str, output: str) -> None:
    path = folder / name
    path.write_text(f"#!{sys.executable}\nprint({output!r})\n")
    path.chmod(0o755)


def test_an_old_node_on_the_machine_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path, "node", "v18.20.4")
    program(tmp_path, "npm", "10.7.0")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert node.machine_node() is None
    program(tmp_path, "node", "v22.20.0")
    found = node.machine_node()
    assert found is not None
    assert found.version == (22, 20, 0)
    assert found.environment()["PATH"].startswith(str(tmp_path))
