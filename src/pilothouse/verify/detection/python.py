"""Python projects: pytest or unittest, ruff or flake8, mypy or pyright, through the project's own environment."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from pilothouse.verify.detection.folder import Folder, FoundCheck, Kind, Table, table
from pilothouse.words import Said, say

_MANIFESTS = (
    "pyproject.toml",
    "setup.cfg",
    "setup.py",
    "tox.ini",
    "pytest.ini",
    "requirements.txt",
    "Pipfile",
    "noxfile.py",
)
_TEST_FILE = re.compile(r"(?:^|/)(?:test_[^/]*|[^/]*_test|tests)\.py$")
_VENVS = (".venv", "venv")


def find(folder: Folder) -> list[FoundCheck]:
    project = _Project(folder)
    return project.find() if project.is_one else []


@dataclass
class _Project:
    folder: Folder

    @property
    def is_one(self) -> bool:
        """Whether this is a Python project. A Python file somewhere below does not make one."""
        if self.folder.has(*_MANIFESTS, "manage.py", "conftest.py", "uv.lock"):
            return True
        if any(name.endswith(".py") for name in self.folder.names):
            return True
        # Searches the whole tree only if it has such a folder.
        has_folder = self.folder.has("test", "tests") is not None
        return has_folder and any(path.startswith(("test/", "tests/")) for path in self.tests)

    def find(self) -> list[FoundCheck]:
        found = [self._lint(), self._types(), self._tests()]
        return [one for one in found if one]

    @cached_property
    def pyproject(self) -> Table:
        return self.folder.toml("pyproject.toml")

    @cached_property
    def tests(self) -> list[str]:
        return [path for path in self.folder.files() if _TEST_FILE.search(path)]

    @cached_property
    def needs(self) -> set[str]:
        """The names of everything the project depends on, for any purpose."""
        return {re.split(r"[^a-z0-9.-]", name.lower().replace("_", "-"), maxsplit=1)[0] for name in self._named()}

    def _named(self) -> Iterator[str]:
        project, tool = table(self.pyproject, "project"), table(self.pyproject, "tool")
        lists = [project.get("dependencies"), *table(project, "optional-dependencies").values()]
        lists += table(self.pyproject, "dependency-groups").values()
        lists += [table(tool, "uv").get("dev-dependencies"), *table(tool, "pdm", "dev-dependencies").values()]
        lists += [table(env).get("dependencies") for env in table(tool, "hatch", "envs").values()]
        for found in lists:
            yield from (name for name in _list(found) if isinstance(name, str))
        poetry = table(tool, "poetry")
        for group in (poetry, *(table(group) for group in table(poetry, "group").values())):
            yield from table(group, "dependencies")
            yield from table(group, "dev-dependencies")
        pipfile = self.folder.toml("Pipfile")
        yield from (*table(pipfile, "packages"), *table(pipfile, "dev-packages"))
        for name in self.folder.names:
            if re.fullmatch(r".*requirements.*\.(?:txt|in)", name):
                yield from (line.strip() for line in self.folder.text(name).splitlines() if line.strip()[:1].isalpha())

    def _configured(self, tool: str, *files: str, section: str = "") -> str | None:
        """Where the tool is configured."""
        if table(self.pyproject, "tool").get(tool) is not None:
            return f"pyproject.toml, [tool.{tool}]"
        for name in ("setup.cfg", "tox.ini"):
            wanted = section or tool
            if name in self.folder.names and self.folder.ini(name).has_section(wanted):
                return f"{name}, [{wanted}]"
        return self.folder.has(*files)

    def _lint(self) -> FoundCheck | None:
        ruff = self._ruff() or (say("detected.dependencies") if "ruff" in self.needs else None)
        if ruff:
            return self._found(Kind.LINT, "ruff", "ruff check .", ruff)
        flake8 = self._configured("flake8", ".flake8")
        return self._found(Kind.LINT, "flake8", "flake8", flake8) if flake8 else None

    def _ruff(self) -> str | None:
        """Where ruff is configured, here or in a folder above."""
        for outer in self.folder.above():
            where = _Project(outer)._configured("ruff", "ruff.toml", ".ruff.toml")
            if where:
                return where if outer is self.folder else say("detected.above", file=outer.shown(where))
        return None

    def _types(self) -> FoundCheck | None:
        mypy = self._configured("mypy", "mypy.ini", ".mypy.ini")
        if mypy:
            return self._found(Kind.TYPES, "mypy", "mypy" if self._mypy_knows_where() else "mypy .", mypy)
        for tool in ("basedpyright", "pyright"):
            where = self._configured(tool, *(["pyrightconfig.json"] if tool == "pyright" else []))
            if where:
                return self._found(Kind.TYPES, tool, tool, where)
        return None

    def _mypy_knows_where(self) -> bool:
        settings: set[str] = set(table(self.pyproject, "tool", "mypy"))
        for name in ("mypy.ini", ".mypy.ini", "setup.cfg"):
            ini = self.folder.ini(name) if name in self.folder.names else None
            if ini is not None and ini.has_section("mypy"):
                settings |= set(ini.options("mypy"))
        return bool(settings & {"files", "packages", "modules"})

    def _tests(self) -> FoundCheck | None:
        pytest = self._pytest()
        if pytest and self.tests:
            return self._found(Kind.TESTS, "pytest", "pytest", pytest)
        if self.folder.has("manage.py") and "django" in self.folder.text("manage.py"):
            return self.folder.found(
                Kind.TESTS, "django", f"{self.python} manage.py test", self.folder.shown("manage.py")
            )
        if self.tests:
            return self._by_import()
        if pytest:
            self.folder.note(say("detected.no_test_file", file=self.folder.shown(pytest)))
        return self._session_runner()

    def _pytest(self) -> str | None:
        named = self._configured("pytest", "pytest.ini", ".pytest.ini", "conftest.py")
        if named:
            return named
        for name, section in (("setup.cfg", "tool:pytest"), ("tox.ini", "pytest")):
            if name in self.folder.names and self.folder.ini(name).has_section(section):
                return f"{name}, [{section}]"
        if "pytest" in self.needs:
            return say("detected.dependencies")
        return next((path for path in ("tests/conftest.py", "test/conftest.py") if self.folder.exists(path)), None)

    def _by_import(self) -> FoundCheck | None:
        """Nothing is configured, so the imports of the tests decide."""
        for path in self.tests[:20]:
            text = self.folder.text(path)
            if re.search(r"^\s*(?:import|from)\s+pytest\b", text, re.MULTILINE):
                return self._found(Kind.TESTS, "pytest", "pytest", path)
            if re.search(r"^\s*(?:import|from)\s+unittest\b", text, re.MULTILINE):
                return self._unittest(path)
            if re.search(r"^(?:async )?def test_\w*\(", text, re.MULTILINE):
                return self._found(Kind.TESTS, "pytest", "pytest", path)
        return None

    def _unittest(self, path: str) -> FoundCheck:
        folder = path.split("/")[0] if "/" in path else ""
        where = (
            ""
            if not folder
            else f" -s {folder} -t ."
            if self.folder.exists(f"{folder}/__init__.py")
            else f" -s {folder}"
        )
        sources = "PYTHONPATH=src " if self.folder.exists("src") and folder != "src" else ""
        # discover looks for test*.py alone, and up to Python 3.11 calls it a success to have found nothing.
        files = "" if path.rsplit("/", 1)[-1].startswith("test") else " -p '*_test.py'"
        command = f"{sources}{self.python} -m unittest discover{where}{files}"
        return self.folder.found(Kind.TESTS, "unittest", command, self.folder.shown(path))

    def _session_runner(self) -> FoundCheck | None:
        if self.folder.has("tox.ini") and self.folder.ini("tox.ini").has_section("testenv"):
            return self.folder.found(Kind.TESTS, "tox", f"{self.prefix}tox", self.folder.shown("tox.ini"), 1800)
        if self.folder.has("noxfile.py"):
            return self.folder.found(Kind.TESTS, "nox", f"{self.prefix}nox", self.folder.shown("noxfile.py"), 1800)
        return None

    def _found(self, kind: Kind, tool: str, command: str, where: str) -> FoundCheck:
        source = where if isinstance(where, Said) else self.folder.shown(where)
        return self.folder.found(kind, tool, self._run(tool, command), source)

    def _run(self, tool: str, command: str) -> str:
        """`python -m pytest` finds the project beside the tests; other tools run as they are."""
        if self.prefix:
            return f"{self.prefix}{command}"
        if self.venv and self.folder.exists(f"{self.venv}/bin/{tool}") and tool != "pytest":
            return f"{self.venv}/bin/{command}"
        if tool == "pytest" or (self.venv is None and tool in ("mypy", "flake8") and not self.folder.which(tool)):
            return f"{self.python} -m {command}"
        return command

    @cached_property
    def prefix(self) -> str:
        """The tool that keeps the project's environment. If it is missing, a ready .venv is used instead."""
        tool = table(self.pyproject, "tool")
        for outer in self.folder.above():
            found = (
                ("uv", outer.has("uv.lock") or ("uv" in tool and outer is self.folder)),
                ("poetry", outer.has("poetry.lock") or ("poetry" in tool and outer is self.folder)),
                ("pdm", outer.has("pdm.lock") or ("pdm" in tool and outer is self.folder)),
                ("pipenv", outer.has("Pipfile.lock", "Pipfile")),
                ("hatch", table(tool, "hatch", "envs") if outer is self.folder else None),
            )
            name = next((name for name, present in found if present), None)
            if name and (self.folder.which(name) or not self.venv):
                return f"{name} run "
        return ""

    @cached_property
    def venv(self) -> str | None:
        for outer in self.folder.above():
            name = next((name for name in _VENVS if outer.exists(f"{name}/bin/python")), None)
            if name:
                levels = len(Path(self.folder.relative).parts) - len(Path(outer.relative).parts)
                return f"{'../' * levels}{name}"
        return None

    @cached_property
    def python(self) -> str:
        if self.prefix:
            return f"{self.prefix}python"
        if self.venv:
            return f"{self.venv}/bin/python"
        return "python" if self.folder.which("python") and not self.folder.which("python3") else "python3"


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
