"""Python projects: pytest or unittest, ruff or flake8, mypy or pyright, through the project's own environment."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pilothouse.verify.detection.place import Found, Kind, Place, Table, table
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


def find(place: Place) -> list[Found]:
    project = _Project(place)
    return project.find() if project.is_one else []


@dataclass
class _Project:
    place: Place

    @property
    def is_one(self) -> bool:
        """A Python file somewhere below does not make a Python project."""
        if self.place.has(*_MANIFESTS, "manage.py", "conftest.py", "uv.lock"):
            return True
        if any(name.endswith(".py") for name in self.place.names):
            return True
        # The whole tree is only looked through where it can have such a folder.
        has_folder = self.place.has("test", "tests") is not None
        return has_folder and any(path.startswith(("test/", "tests/")) for path in self.tests)

    def find(self) -> list[Found]:
        found = [self._lint(), self._types(), self._tests()]
        return [one for one in found if one]

    @cached_property
    def pyproject(self) -> Table:
        return self.place.toml("pyproject.toml")

    @cached_property
    def tests(self) -> list[str]:
        return [path for path in self.place.files() if _TEST_FILE.search(path)]

    @cached_property
    def needs(self) -> set[str]:
        """Names of everything the project says it depends on, for whatever purpose."""
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
        pipfile = self.place.toml("Pipfile")
        yield from (*table(pipfile, "packages"), *table(pipfile, "dev-packages"))
        for name in self.place.names:
            if re.fullmatch(r".*requirements.*\.(?:txt|in)", name):
                yield from (line.strip() for line in self.place.text(name).splitlines() if line.strip()[:1].isalpha())

    def _configured(self, tool: str, *files: str, section: str = "") -> str | None:
        """Where the tool is configured."""
        if table(self.pyproject, "tool").get(tool) is not None:
            return f"pyproject.toml, [tool.{tool}]"
        for name in ("setup.cfg", "tox.ini"):
            wanted = section or tool
            if name in self.place.names and self.place.ini(name).has_section(wanted):
                return f"{name}, [{wanted}]"
        return self.place.has(*files)

    def _lint(self) -> Found | None:
        ruff = self._ruff() or (say("detected.dependencies") if "ruff" in self.needs else None)
        if ruff:
            return self._found(Kind.LINT, "ruff", "ruff check .", ruff)
        flake8 = self._configured("flake8", ".flake8")
        return self._found(Kind.LINT, "flake8", "flake8", flake8) if flake8 else None

    def _ruff(self) -> str | None:
        """A package goes by the configuration of the folders over it."""
        for folder in self.place.above():
            where = _Project(folder)._configured("ruff", "ruff.toml", ".ruff.toml")
            if where:
                return where if folder is self.place else say("detected.above", file=folder.shown(where))
        return None

    def _types(self) -> Found | None:
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
            ini = self.place.ini(name) if name in self.place.names else None
            if ini is not None and ini.has_section("mypy"):
                settings |= set(ini.options("mypy"))
        return bool(settings & {"files", "packages", "modules"})

    def _tests(self) -> Found | None:
        pytest = self._pytest()
        if pytest and self.tests:
            return self._found(Kind.TESTS, "pytest", "pytest", pytest)
        if self.place.has("manage.py") and "django" in self.place.text("manage.py"):
            return self.place.found(
                Kind.TESTS, "django", f"{self.python} manage.py test", self.place.shown("manage.py")
            )
        if self.tests:
            return self._by_import()
        if pytest:
            self.place.note(say("detected.no_test_file", file=self.place.shown(pytest)))
        return self._session_runner()

    def _pytest(self) -> str | None:
        named = self._configured("pytest", "pytest.ini", ".pytest.ini", "conftest.py")
        if named:
            return named
        for name, section in (("setup.cfg", "tool:pytest"), ("tox.ini", "pytest")):
            if name in self.place.names and self.place.ini(name).has_section(section):
                return f"{name}, [{section}]"
        if "pytest" in self.needs:
            return say("detected.dependencies")
        return next((path for path in ("tests/conftest.py", "test/conftest.py") if self.place.exists(path)), None)

    def _by_import(self) -> Found | None:
        """Nothing is configured: what do the tests themselves use?"""
        for path in self.tests[:20]:
            text = self.place.text(path)
            if re.search(r"^\s*(?:import|from)\s+pytest\b", text, re.MULTILINE):
                return self._found(Kind.TESTS, "pytest", "pytest", path)
            if re.search(r"^\s*(?:import|from)\s+unittest\b", text, re.MULTILINE):
                return self._unittest(path)
            if re.search(r"^(?:async )?def test_\w*\(", text, re.MULTILINE):
                return self._found(Kind.TESTS, "pytest", "pytest", path)
        return None

    def _unittest(self, path: str) -> Found:
        folder = path.split("/")[0] if "/" in path else ""
        where = (
            ""
            if not folder
            else f" -s {folder} -t ."
            if self.place.exists(f"{folder}/__init__.py")
            else f" -s {folder}"
        )
        sources = "PYTHONPATH=src " if self.place.exists("src") and folder != "src" else ""
        # discover looks for test*.py alone, and up to Python 3.11 calls it a success to have found nothing.
        files = "" if path.rsplit("/", 1)[-1].startswith("test") else " -p '*_test.py'"
        command = f"{sources}{self.python} -m unittest discover{where}{files}"
        return self.place.found(Kind.TESTS, "unittest", command, self.place.shown(path))

    def _session_runner(self) -> Found | None:
        if self.place.has("tox.ini") and self.place.ini("tox.ini").has_section("testenv"):
            return self.place.found(Kind.TESTS, "tox", f"{self.prefix}tox", self.place.shown("tox.ini"), 1800)
        if self.place.has("noxfile.py"):
            return self.place.found(Kind.TESTS, "nox", f"{self.prefix}nox", self.place.shown("noxfile.py"), 1800)
        return None

    def _found(self, kind: Kind, tool: str, command: str, where: str) -> Found:
        source = where if isinstance(where, Said) else self.place.shown(where)
        return self.place.found(kind, tool, self._run(tool, command), source)

    def _run(self, tool: str, command: str) -> str:
        """`python -m pytest` finds the project beside the tests; other tools run as they are."""
        if self.prefix:
            return f"{self.prefix}{command}"
        if self.venv and self.place.exists(f"{self.venv}/bin/{tool}") and tool != "pytest":
            return f"{self.venv}/bin/{command}"
        if tool == "pytest" or (self.venv is None and tool in ("mypy", "flake8") and not self.place.which(tool)):
            return f"{self.python} -m {command}"
        return command

    @cached_property
    def prefix(self) -> str:
        """The tool that keeps the project's environment. One that is missing is passed over for a ready .venv."""
        tool = table(self.pyproject, "tool")
        for folder in self.place.above():
            found = (
                ("uv", folder.has("uv.lock") or ("uv" in tool and folder is self.place)),
                ("poetry", folder.has("poetry.lock") or ("poetry" in tool and folder is self.place)),
                ("pdm", folder.has("pdm.lock") or ("pdm" in tool and folder is self.place)),
                ("pipenv", folder.has("Pipfile.lock", "Pipfile")),
                ("hatch", table(tool, "hatch", "envs") if folder is self.place else None),
            )
            name = next((name for name, present in found if present), None)
            if name and (self.place.which(name) or not self.venv):
                return f"{name} run "
        return ""

    @cached_property
    def venv(self) -> str | None:
        for folder in self.place.above():
            name = next((name for name in _VENVS if folder.exists(f"{name}/bin/python")), None)
            if name:
                levels = len(self.place.folder.split("/")) - len(folder.folder.split("/")) if folder.folder else None
                up = "../" * levels if levels is not None else self.place.up
                return f"{up}{name}"
        return None

    @cached_property
    def python(self) -> str:
        if self.prefix:
            return f"{self.prefix}python"
        if self.venv:
            return f"{self.venv}/bin/python"
        return "python" if self.place.which("python") and not self.place.which("python3") else "python3"


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
