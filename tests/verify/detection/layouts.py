"""Layouts of projects as they are found in the world, with what verifies them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

NPM_INIT = 'echo "Error: no test specified" && exit 1'
Files = dict[str, str]


def js(scripts: Files | None = None, dev: tuple[str, ...] = (), **more: Any) -> str:
    return json.dumps({"name": "x", "scripts": scripts or {}, "devDependencies": dict.fromkeys(dev, "*"), **more})


def laid_out(root: Path, files: Files) -> Path:
    for name, text in files.items():
        place = root / name
        if name.endswith("/"):
            place.mkdir(parents=True, exist_ok=True)
            continue
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
        if "/bin/" in f"/{name}" or name in ("gradlew", "mvnw"):
            place.chmod(0o755)
    return root


PYTEST = "import pytest\n\ndef test_a():\n    pass\n"
UNITTEST = "import unittest\n\nclass T(unittest.TestCase):\n    def test_a(self):\n        pass\n"
PATHED = 'PATH="$PWD/node_modules/.bin:$PATH"; export PATH; '

LAYOUTS: dict[str, tuple[Files, dict[str, str]]] = {
    # JavaScript and TypeScript
    "npm, all scripts": (
        {
            "package.json": js({"test": "jest", "build": "webpack", "lint": "eslint .", "typecheck": "tsc --noEmit"}),
            "package-lock.json": "{}",
        },
        {"lint": "npm run lint", "types": "npm run typecheck", "build": "npm run build", "tests": "npm test"},
    ),
    "npm init and nothing more": ({"package.json": js({"test": NPM_INIT})}, {}),
    "pnpm by lock": ({"package.json": js({"test": "jest"}), "pnpm-lock.yaml": ""}, {"tests": "pnpm test"}),
    "yarn by lock": (
        {"package.json": js({"test": "jest", "lint": "eslint ."}), "yarn.lock": ""},
        {"lint": "yarn run lint", "tests": "yarn test"},
    ),
    "bun by lock": ({"package.json": js({"test": "jest"}), "bun.lock": ""}, {"tests": "bun run test"}),
    "packageManager wins": (
        {"package.json": js({"test": "jest"}, packageManager="pnpm@9.1.0"), "package-lock.json": "{}"},
        {"tests": "pnpm test"},
    ),
    "vitest watches": ({"package.json": js({"test": "vitest"})}, {"tests": "npx --no-install vitest run"}),
    "vitest that runs once": ({"package.json": js({"test": "vitest run"})}, {"tests": "npm test"}),
    "vitest behind another script": (
        {"package.json": js({"test": "npm run test:unit", "test:unit": "vitest --coverage"}), "pnpm-lock.yaml": ""},
        {"tests": "pnpm exec vitest run --coverage"},
    ),
    "vitest after the type check": (
        {"package.json": js({"test": "tsc --noEmit && vitest"})},
        {"tests": f"{PATHED}tsc --noEmit && vitest run"},
    ),
    "vitest with a preparation": (
        {"package.json": js({"pretest": "node seed.js", "test": "cross-env NODE_ENV=test vitest -w"})},
        {"tests": "npm run pretest && npx --no-install cross-env NODE_ENV=test vitest run"},
    ),
    "jest --watch": ({"package.json": js({"test": "jest --watch --ci"})}, {"tests": "npx --no-install jest --ci"}),
    "jest -w is about workers": ({"package.json": js({"test": "jest -w 2"})}, {"tests": "npm test"}),
    "jest --watchAll=false": ({"package.json": js({"test": "jest --watchAll=false"})}, {"tests": "npm test"}),
    "tsc -w": (
        {"package.json": js({"build": "tsc -w", "typecheck": "tsc --watch --noEmit"}), "yarn.lock": ""},
        {"types": "yarn run tsc --noEmit", "build": "yarn run tsc"},
    ),
    "create-react-app": (
        {
            "package.json": js(
                {"start": "react-scripts start", "build": "react-scripts build", "test": "react-scripts test"}
            )
        },
        {"build": "npm run build", "tests": "CI=true npx --no-install react-scripts test"},
    ),
    "create-react-app in CI mode": ({"package.json": js({"test": "CI=1 react-scripts test"})}, {"tests": "npm test"}),
    "Angular": (
        {"package.json": js({"build": "ng build", "test": "ng test", "lint": "ng lint"})},
        {"lint": "npm run lint", "build": "npm run build", "tests": "npx --no-install ng test --watch=false"},
    ),
    "karma": ({"package.json": js({"test": "karma start"})}, {"tests": "npx --no-install karma start --single-run"}),
    "cypress open": ({"package.json": js({"test": "cypress open"})}, {"tests": "npx --no-install cypress run"}),
    "node's own runner": ({"package.json": js({"test": "node --test --watch"})}, {"tests": "node --test"}),
    "nodemon never ends": (
        {"package.json": js({"test": "nodemon --exec jest", "build": "vite build"})},
        {"build": "npm run build"},
    ),
    "a build that serves": ({"package.json": js({"build": "vite", "test": "mocha"})}, {"tests": "npm test"}),
    "watchers in parallel": (
        {"package.json": js({"test": "concurrently 'npm:watch' 'vite'", "watch": "tsc -w"})},
        {},
    ),
    "scripts one after the other": (
        {"package.json": js({"test": "run-s test:*", "test:a": "vitest", "test:b": "mocha"})},
        {"tests": f"{PATHED}vitest run && mocha"},
    ),
    "lint that corrects": (
        {"package.json": js({"lint": "eslint . --fix", "test": "prettier --write . && jest"})},
        {"lint": "npx --no-install eslint .", "tests": f"{PATHED}prettier --check . && jest"},
    ),
    "configured but without scripts": (
        {
            "package.json": js(dev=("typescript", "eslint", "vitest")),
            "tsconfig.json": '{\n  // strict\n  "compilerOptions": {"strict": true,},\n}',
            "eslint.config.js": "",
            "vitest.config.ts": "",
        },
        {
            "lint": "npx --no-install eslint .",
            "types": "npx --no-install tsc --noEmit",
            "tests": "npx --no-install vitest run",
        },
    ),
    "types are checked by the build": (
        {"package.json": js({"build": "tsc -b && vite build"}, ("typescript",)), "tsconfig.json": "{}"},
        {"build": "npm run build"},
    ),
    "npm workspaces": (
        {
            "package.json": js(workspaces=["packages/*"]),
            "package-lock.json": "{}",
            "packages/a/package.json": js({"test": "jest", "build": "tsc"}),
            "packages/b/package.json": js({"test": NPM_INIT}),
        },
        {"build": "npm run build --workspaces --if-present", "tests": "npm run test --workspaces --if-present"},
    ),
    "pnpm workspaces": (
        {
            "package.json": js(),
            "pnpm-workspace.yaml": "packages:\n  - 'apps/*'\n",
            "apps/web/package.json": js({"test": "vitest run"}),
        },
        {"tests": "pnpm --recursive --if-present run test"},
    ),
    "Deno": (
        {"deno.jsonc": '{"tasks": {"test": "deno test -A --watch"}, "lint": {},}', "main_test.ts": ""},
        {"lint": "deno lint", "tests": "deno test -A"},
    ),
    # Python
    "pytest in pyproject": (
        {
            "pyproject.toml": "[tool.pytest.ini_options]\n[tool.ruff]\n[tool.mypy]\nfiles = ['src']\n",
            "tests/test_a.py": PYTEST,
        },
        {"lint": "ruff check .", "types": "mypy", "tests": "python3 -m pytest"},
    ),
    "uv": (
        {
            "pyproject.toml": "[dependency-groups]\ndev = ['pytest>=8', 'ruff']\n",
            "uv.lock": "",
            "tests/test_a.py": PYTEST,
        },
        {"lint": "uv run ruff check .", "tests": "uv run pytest"},
    ),
    "poetry": (
        {
            "pyproject.toml": "[tool.poetry.group.dev.dependencies]\npytest = '^8'\n[tool.mypy]\nstrict = true\n",
            "poetry.lock": "",
            "tests/test_a.py": PYTEST,
        },
        {"types": "poetry run mypy .", "tests": "poetry run pytest"},
    ),
    "hatch": (
        {"pyproject.toml": "[tool.hatch.envs.default]\ndependencies = ['pytest']\n", "tests/test_a.py": PYTEST},
        {"tests": "hatch run pytest"},
    ),
    "its own .venv": (
        {
            "pyproject.toml": "[tool.pytest.ini_options]\n[tool.ruff]\n[tool.pyright]\n",
            ".venv/bin/python": "",
            ".venv/bin/ruff": "",
            "test_a.py": PYTEST,
        },
        {"lint": ".venv/bin/ruff check .", "types": "pyright", "tests": ".venv/bin/python -m pytest"},
    ),
    "setup.cfg and tox.ini": (
        {
            "setup.cfg": "[metadata]\nname = x\n[tool:pytest]\n[flake8]\nmax-line-length = 100\n[mypy]\nfiles = x\n",
            "tox.ini": "[testenv]\ncommands = pytest\n",
            "tests/test_a.py": PYTEST,
        },
        {"lint": "flake8", "types": "mypy", "tests": "python3 -m pytest"},
    ),
    "unittest in a package": (
        {"app.py": "", "tests/__init__.py": "", "tests/test_a.py": UNITTEST},
        {"tests": "python3 -m unittest discover -s tests -t ."},
    ),
    "unittest with a src folder": (
        {"setup.py": "", "src/x/__init__.py": "", "tests/test_a.py": UNITTEST},
        {"tests": "PYTHONPATH=src python3 -m unittest discover -s tests"},
    ),
    "unittest in files that end in _test": (
        {"setup.py": "", "x/__init__.py": "", "x/tests/__init__.py": "", "x/tests/a_test.py": UNITTEST},
        {"tests": "python3 -m unittest discover -s x -t . -p '*_test.py'"},
    ),
    "unittest beside the code": ({"a.py": "", "test_a.py": UNITTEST}, {"tests": "python3 -m unittest discover"}),
    "requirements name pytest": (
        {
            "requirements-dev.txt": "# dev\npytest==8.3\n",
            "requirements.txt": "flask\n",
            "tests/test_a.py": "def test_a(): ...\n",
        },
        {"tests": "python3 -m pytest"},
    ),
    "pytest without a test": ({"pyproject.toml": "[tool.pytest.ini_options]\n"}, {}),
    "only tox": ({"tox.ini": "[testenv]\ncommands = ./run\n"}, {"tests": "tox"}),
    "Django": (
        {
            "manage.py": "import django\n",
            "requirements.txt": "django\n",
            "shop/tests.py": "from django.test import TestCase\n",
        },
        {"tests": "python3 manage.py test"},
    ),
    # Compiled
    "a crate": ({"Cargo.toml": '[package]\nname = "x"\n'}, {"build": "cargo build", "tests": "cargo test"}),
    "a crate with clippy": (
        {"Cargo.toml": '[package]\nname = "x"\n[lints.clippy]\nall = "deny"\n'},
        {"lint": "cargo clippy --all-targets", "build": "cargo build", "tests": "cargo test"},
    ),
    "a workspace with a crate in its root": (
        {"Cargo.toml": '[workspace]\nmembers = ["a"]\n[package]\nname = "x"\n', "clippy.toml": ""},
        {
            "lint": "cargo clippy --workspace --all-targets",
            "build": "cargo build --workspace",
            "tests": "cargo test --workspace",
        },
    ),
    "Go": (
        {"go.mod": "module x\n", "a_test.go": "package x\n", ".golangci.yml": ""},
        {
            "lint": "golangci-lint run",
            "types": "go vet ./...",
            "build": "go build ./...",
            "tests": "go test ./...",
        },
    ),
    "Go workspace": (
        {"go.work": "go 1.22\nuse (\n\t./api // main\n\t./lib\n)\n"},
        {
            "types": "go vet ./api/... ./lib/...",
            "build": "go build ./api/... ./lib/...",
            "tests": "go test ./api/... ./lib/...",
        },
    ),
    "Gradle": (
        {"build.gradle.kts": "", "gradlew": "#!/bin/sh\n"},
        {
            "build": "./gradlew --no-daemon --console=plain assemble",
            "tests": "./gradlew --no-daemon --console=plain test",
        },
    ),
    "Maven": ({"pom.xml": "<project/>"}, {"tests": "mvn -B test"}),
    ".NET": ({"App.sln": "", "App/App.csproj": ""}, {"build": "dotnet build", "tests": "dotnet test"}),
    "CMake with tests": (
        {"CMakeLists.txt": "project(x)\nenable_testing()\nadd_test(NAME a COMMAND a)\n", ".gitignore": "build/\n"},
        {
            "build": "cmake -S . -B build && cmake --build build",
            "tests": "ctest --test-dir build --output-on-failure",
        },
    ),
    "CMake without": ({"CMakeLists.txt": "project(x)\n"}, {"build": "cmake -S . -B build && cmake --build build"}),
    "Swift": ({"Package.swift": "", "Tests/": ""}, {"build": "swift build", "tests": "swift test"}),
    "sbt": ({"build.sbt": ""}, {"tests": "sbt -batch test"}),
    # Others
    "Composer": (
        {"composer.json": '{"scripts": {"test": "phpunit"}}', "phpstan.neon": ""},
        {
            "types": "vendor/bin/phpstan analyse --no-progress",
            "tests": "COMPOSER_PROCESS_TIMEOUT=0 composer run-script test",
        },
    ),
    "PHPUnit": ({"composer.json": "{}", "phpunit.xml.dist": ""}, {"tests": "vendor/bin/phpunit"}),
    "RSpec": (
        {"Gemfile": "", ".rspec": "", ".rubocop.yml": ""},
        {"lint": "bundle exec rubocop", "tests": "bundle exec rspec"},
    ),
    "Rake": ({"Rakefile": "Rake::TestTask.new\n"}, {"tests": "rake test"}),
    "Rails": ({"Gemfile": "", "bin/rails": "", "test/": ""}, {"tests": "bin/rails test"}),
    "Mix": (
        {"mix.exs": "", "test/": "", ".credo.exs": ""},
        {"lint": "mix credo", "build": "mix compile", "tests": "mix test"},
    ),
    "Flutter": (
        {"pubspec.yaml": "dependencies:\n  flutter:\n    sdk: flutter\n", "analysis_options.yaml": "", "test/": ""},
        {"types": "flutter analyze", "tests": "flutter test"},
    ),
    # Targets
    "Makefile alone": (
        {"Makefile": ".PHONY: test\nCC := gcc\ntest: build\n\t./run\nbuild:\n\t$(CC) a.c\nlint:\n\tcppcheck .\n"},
        {"lint": "make lint", "tests": "make test"},
    ),
    "Makefile that runs pytest": (
        {
            "Makefile": "test:\n\tpytest -q\n",
            "pyproject.toml": "[tool.pytest.ini_options]\n[tool.ruff]\n",
            "test_a.py": PYTEST,
        },
        {"lint": "ruff check .", "tests": "make test"},
    ),
    "Makefile that runs a script": (
        {"Makefile": "test:\n\t./ci.sh\n", "pyproject.toml": "[tool.pytest.ini_options]\n", "test_a.py": PYTEST},
        {"tests": "make test"},
    ),
    "Makefile for one of two": (
        {
            "Makefile": "test:\n\tpytest\n",
            "setup.cfg": "[tool:pytest]\n",
            "test_a.py": PYTEST,
            "package.json": js({"test": "jest"}),
        },
        {"tests (jest)": "npm test", "tests (make)": "make test"},
    ),
    "Makefile that needs Docker": (
        {"Makefile": "test:\n\tdocker compose run app pytest\n", "pytest.ini": "[pytest]\n", "test_a.py": PYTEST},
        {"tests": "python3 -m pytest"},
    ),
    "Makefile that watches": (
        {"Makefile": "test:\n\tnpx vitest --watch\n", "package.json": js({"test": "vitest run"})},
        {"tests": "npm test"},
    ),
    "autotools' check": ({"Makefile": "check: all\n\t./a --self-test\nall:\n\tcc a.c\n"}, {"tests": "make check"}),
    "check is the sum of others": (
        {"Makefile": "check: lint test\nlint:\n\truff check .\ntest:\n\tpytest\n"},
        {"lint": "make lint", "tests": "make test"},
    ),
    "check does more": (
        {"Makefile": "check: lint test\n\t./more\nlint:\n\truff check .\ntest:\n\tpytest\n"},
        {"tests": "make check"},
    ),
    "variables are no targets": (
        {"Makefile": "test := pytest\nlint ?= ruff\ncheck: VERBOSE = 1\nbuild::=x\n%.o: %.c\n\tcc $<\n"},
        {},
    ),
    "a variable of a target is no prerequisite": (
        {"Makefile": "test: NAME = build\nbuild:\n\tcc a.c\n"},
        {"build": "make build"},
    ),
    "targets that do nothing": ({"Makefile": ".PHONY: test\ntest:\n"}, {}),
    "targets in an included file": (
        {"GNUmakefile": "include mk/test.mk\n", "mk/test.mk": "test tests: ; ./run \\\n  --all\n"},
        {"tests": "make test"},
    ),
    "justfile": (
        {
            "justfile": "set shell := ['sh']\n# all\ntest *args: build\n    ./run {{args}}\nbuild:\n  cc a.c\n"
            "lint path:\n  l {{path}}\n"
        },
        {"tests": "just test"},
    ),
    "Taskfile": (
        {
            "Taskfile.yml": "version: '3'\ntasks:\n  test:\n    deps: [gen]\n    cmds:\n      - go test ./...\n"
            "  lint: golangci-lint run\n"
        },
        {"lint": "task lint", "tests": "task test"},
    ),
    # Several and none
    "front end and back end in folders": (
        {
            "backend/pyproject.toml": "[tool.pytest.ini_options]\n",
            "backend/test_a.py": PYTEST,
            "frontend/package.json": js({"test": "jest", "build": "vite build"}),
            "docs/package.json": js({"test": "jest"}),
        },
        {"build": "npm run build", "tests in backend": "python3 -m pytest", "tests in frontend": "npm test"},
    ),
    "nothing": ({"README.md": ""}, {}),
    "broken manifests": (
        {"package.json": "{", "pyproject.toml": "[", "Cargo.toml": "=", "setup.cfg": "x"},
        {"build": "cargo build", "tests": "cargo test"},
    ),
    "manifests with nonsense in them": (
        {
            "package.json": '{"scripts": ["x"], "workspaces": 3, "devDependencies": []}',
            "composer.json": "[]",
            "pyproject.toml": "tool = 1\nproject = []\n",
        },
        {},
    ),
}
