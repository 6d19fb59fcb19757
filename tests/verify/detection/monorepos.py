"""Packages inside larger repositories, with what verifies each by itself."""

from __future__ import annotations

from tests.verify.detection.layouts import PYTEST, Files, js

ROOT_JS = {"package.json": js({"test": "turbo test"}, workspaces=["packages/*"]), "pnpm-lock.yaml": ""}
PACKAGES: dict[str, tuple[Files, str, dict[str, tuple[str, str]]]] = {
    "a package with the root's manager": (
        {**ROOT_JS, "packages/web/package.json": js({"test": "vitest", "build": "vite build"})},
        "packages/web",
        {"build": ("pnpm run build", "packages/web"), "tests": ("pnpm exec vitest run", "packages/web")},
    ),
    "programs that are installed in the root": (
        {**ROOT_JS, "packages/web/package.json": js({"test": "tsc && vitest"})},
        "packages/web",
        {
            "tests": (
                'PATH="$PWD/node_modules/.bin:$PWD/../../node_modules/.bin:$PATH"; export PATH; tsc && vitest run',
                "packages/web",
            )
        },
    ),
    "the root's .venv": (
        {".venv/bin/python": "", "libs/a/pyproject.toml": "[tool.pytest.ini_options]\n", "libs/a/test_a.py": PYTEST},
        "libs/a",
        {"tests": ("../../.venv/bin/python -m pytest", "libs/a")},
    ),
    "uv workspace with ruff in the root": (
        {
            "uv.lock": "",
            "pyproject.toml": "[tool.ruff]\n",
            "libs/a/pyproject.toml": "[dependency-groups]\ndev = ['pytest']\n",
            "libs/a/tests/test_a.py": PYTEST,
        },
        "libs/a",
        {"lint": ("uv run ruff check .", "libs/a"), "tests": ("uv run pytest", "libs/a")},
    ),
    "a member of a Cargo workspace": (
        {"Cargo.toml": "[workspace]\nmembers = ['crates/*']\n", "crates/a/Cargo.toml": "[package]\nname = 'a'\n"},
        "crates/a",
        {"build": ("cargo build", "crates/a"), "tests": ("cargo test", "crates/a")},
    ),
    "a Gradle subproject is run from the root": (
        {"settings.gradle": "", "gradlew": "", "libs/a/build.gradle": ""},
        "libs/a",
        {
            "build": ("./gradlew --no-daemon --console=plain :libs:a:assemble", ""),
            "tests": ("./gradlew --no-daemon --console=plain :libs:a:test", ""),
        },
    ),
    "a Maven module is run from the root": (
        {"pom.xml": "<project><modules><module>a</module></modules></project>", "a/pom.xml": "<project/>"},
        "a",
        {"tests": ("mvn -B -pl a -am test", "")},
    ),
    "a package without a manifest": (
        {"Makefile": "test:\n\t./run\n", "modules/a/README.md": ""},
        "modules/a",
        {"tests": ("make test", "")},
    ),
}
