"""package.json, run by the package manager whose lock file is there; and Deno."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import yaml

from pilothouse.verify.detection.endless import Once, once, segments
from pilothouse.verify.detection.folder import Folder, FoundCheck, Kind, Table, table, texts
from pilothouse.words import say

_LOCKS = {
    "package-lock.json": "npm",
    "npm-shrinkwrap.json": "npm",
    "pnpm-lock.yaml": "pnpm",
    "pnpm-workspace.yaml": "pnpm",
    "yarn.lock": "yarn",
    "bun.lockb": "bun",
    "bun.lock": "bun",
}
_RUN = {"npm": "npm run", "pnpm": "pnpm run", "yarn": "yarn run", "bun": "bun run"}
# After `npx --no`, npm would take `--noEmit` for an option of its own.
_EXEC = {"npm": "npx --no-install", "pnpm": "pnpm exec", "yarn": "yarn run", "bun": "bunx"}
_EVERYWHERE = {
    "npm": "npm run {name} --workspaces --if-present",
    "pnpm": "pnpm --recursive --if-present run {name}",
    "yarn": "yarn workspaces run {name}",
    "bun": "bun run --filter '*' {name}",
}
_MODERN_YARN = "yarn workspaces foreach --all run {name}"
_SCRIPTS: dict[Kind, tuple[str, ...]] = {
    Kind.LINT: ("lint", "eslint", "lint:check", "lint:js", "lint:ts"),
    Kind.TYPES: ("typecheck", "type-check", "check-types", "check:types", "types:check", "tsc", "types", "ts:check"),
    Kind.BUILD: ("build",),
    Kind.TESTS: ("test", "tests", "test:unit", "unit"),
}
_STARTS_BY_ITSELF = {"npm", "npx", "pnpm", "yarn", "bun", "bunx", "node", "sh", "bash", "make", "env", "deno", "cd"}
_PLACEHOLDER = re.compile(
    r"no test specified|^\s*(?:exit 0|true|:|echo\b[^&|;]*)?\s*(?:&& exit [01])?\s*$", re.IGNORECASE
)
_MEMBERS = 200


def find(folder: Folder) -> list[FoundCheck]:
    if not folder.has("package.json"):
        return []
    return _Package(folder, folder.json("package.json"), _manager(folder)).find()


def _manager(folder: Folder) -> str:
    """A package of a workspace is run by the workspace's manager."""
    for outer in folder.above():
        if not outer.names & {*_LOCKS, "package.json"}:
            continue
        named = str(outer.json("package.json").get("packageManager", "")).split("@")[0]
        locked = outer.has(*_LOCKS)
        if named in _RUN:
            return named
        if locked:
            return _LOCKS[locked]
    return "npm"


@dataclass
class _Package:
    folder: Folder
    manifest: Table
    manager: str

    def __post_init__(self) -> None:
        self.scripts = texts(self.manifest.get("scripts"))
        kinds = ("dependencies", "devDependencies", "peerDependencies")
        self.needs = {name for kind in kinds for name in table(self.manifest, kind)}
        roots = [outer for outer in self.folder.above() if outer.relative != self.folder.relative]
        self.needs |= {name for outer in roots for name in table(outer.json("package.json"), "devDependencies")}

    def find(self) -> list[FoundCheck]:
        found = [found for kind in _SCRIPTS if (found := self._script(kind))]
        missing = set(Kind) - {one.kind for one in found}
        for kind, look in ((Kind.LINT, self._linter), (Kind.TYPES, self._types), (Kind.TESTS, self._runner)):
            if kind in missing and (more := look()):
                found.append(more)
        return found + [more for kind in (Kind.BUILD, Kind.TESTS) if (more := self._members(kind, found))]

    def _script(self, kind: Kind) -> FoundCheck | None:
        for name in _SCRIPTS[kind]:
            body = self.scripts.get(name)
            if body is None:
                continue
            if kind is Kind.TESTS and _PLACEHOLDER.search(body):
                self.folder.note(say("detected.placeholder", file=self._file, script=name))
                continue
            run = once(body, self.scripts)
            if run.endless:
                self.folder.note(say("detected.endless_script", file=self._file, script=name, program=run.endless))
                continue
            command = self._changed(name, body, run) if run.changed else self._named(name)
            return self.folder.found(
                kind, self._tool(run.body), command, say("detected.script", file=self._file, script=name)
            )
        return None

    def _named(self, name: str) -> str:
        short = {"npm": "npm test", "pnpm": "pnpm test", "yarn": "yarn test"}
        return short.get(self.manager, "bun run test") if name == "test" else f"{_RUN[self.manager]} {name}"

    def _changed(self, name: str, body: str, run: Once) -> str:
        command = self._direct(run.body)
        if f"pre{name}" in self.scripts:
            command = f"{_RUN[self.manager]} pre{name} && {command}"
        self.folder.note(
            say(
                "detected.watching_script" if run.watched else "detected.changing_script",
                file=self._file,
                script=name,
                body=body,
                command=run.body,
            )
        )
        return command

    def _direct(self, body: str) -> str:
        """The command with the programs of installed packages, which a script may take for granted."""
        if len(segments(body)) > 1:
            above = [f"$PWD/{self.folder.up}node_modules/.bin"] if self.folder.up else []
            folders = ["$PWD/node_modules/.bin", *above]
            return f'PATH="{":".join(folders)}:$PATH"; export PATH; {body}'
        given = re.match(r"(?:\w+=(?:\"[^\"]*\"|'[^']*'|\S*)\s+)*", body)
        before = given[0] if given else ""
        rest = body[len(before) :]
        word = rest.split(maxsplit=1)[0] if rest.split() else ""
        return body if word in _STARTS_BY_ITSELF or "/" in word else f"{before}{_EXEC[self.manager]} {rest}"

    def _linter(self) -> FoundCheck | None:
        eslint = self.folder.has(
            *(f"eslint.config.{end}" for end in ("js", "mjs", "cjs", "ts")),
            *(f".eslintrc{end}" for end in ("", ".js", ".cjs", ".json", ".yml", ".yaml")),
        )
        if eslint and "eslint" in self.needs:
            return self._tool_found(Kind.LINT, "eslint", "eslint .", eslint)
        biome = self.folder.has("biome.json", "biome.jsonc")
        if biome and "@biomejs/biome" in self.needs:
            return self._tool_found(Kind.LINT, "biome", "biome check .", biome)
        return None

    def _types(self) -> FoundCheck | None:
        if not self.folder.has("tsconfig.json") or "typescript" not in self.needs:
            return None
        settings = self.folder.jsonc("tsconfig.json")
        checked = [
            once(body, self.scripts).body for name, body in self.scripts.items() if name in ("build", "lint", "test")
        ]
        if any(re.search(r"\b(?:vue-)?tsc\b", body) for body in checked):
            return None
        if settings.get("references") and not settings.get("include"):
            self.folder.note(say("detected.only_references", file=self.folder.shown("tsconfig.json")))
            return None
        checker = "vue-tsc" if "vue-tsc" in self.needs else "tsc"
        return self._tool_found(Kind.TYPES, checker, f"{checker} --noEmit", "tsconfig.json")

    def _runner(self) -> FoundCheck | None:
        ends = ("js", "ts", "mjs", "cjs", "mts", "json")
        for tool, command in (("vitest", "vitest run"), ("jest", "jest")):
            config = self.folder.has(*(f"{tool}.config.{end}" for end in ends))
            if tool in self.needs and (config or tool in self.manifest):
                return self._tool_found(Kind.TESTS, tool, command, config or "package.json")
        return None

    def _members(self, kind: Kind, found: list[FoundCheck]) -> FoundCheck | None:
        """The check of a root that has no such script, but whose packages do."""
        if any(one.kind is kind for one in found):
            return None
        name = _SCRIPTS[kind][0]
        bodies = {str(member): script for member in self._member_folders() if (script := _script_of(member, name))}
        endless = [member for member, (scripts, body) in bodies.items() if once(body, scripts).endless]
        if not bodies or endless:
            return None
        modern = self.manager == "yarn" and self.folder.has(".yarnrc.yml")
        command = _MODERN_YARN if modern else _EVERYWHERE[self.manager]
        source = say("detected.script_of_packages", file=self._file, script=name, count=len(bodies))
        return self.folder.found(kind, self.manager, command.format(name=name), source)

    def _member_folders(self) -> list[Path]:
        patterns = self.manifest.get("workspaces")
        patterns = patterns.get("packages") if isinstance(patterns, dict) else patterns
        if self.folder.has("pnpm-workspace.yaml"):
            try:
                patterns = table(yaml.safe_load(self.folder.text("pnpm-workspace.yaml"))).get("packages")
            except yaml.YAMLError:
                self.folder.note(say("detected.unreadable", file=self.folder.shown("pnpm-workspace.yaml")))
        found: list[Path] = []
        for pattern in patterns if isinstance(patterns, list) else []:
            found += _matching(self.folder.path, pattern)
        return found[:_MEMBERS]

    def _tool_found(self, kind: Kind, tool: str, command: str, source: str) -> FoundCheck:
        return self.folder.found(kind, tool, f"{_EXEC[self.manager]} {command}", self.folder.shown(source))

    def _tool(self, body: str) -> str:
        known = ("vitest", "jest", "mocha", "ava", "eslint", "biome", "tsc", "vite", "webpack", "playwright", "cypress")
        return next((tool for tool in known if re.search(rf"\b{tool}\b", body)), self.manager)

    @property
    def _file(self) -> str:
        return self.folder.shown("package.json")


def _matching(root: Path, pattern: Any) -> list[Path]:
    if (
        not isinstance(pattern, str)
        or pattern.startswith(("!", "/", ".."))
        or "**" in pattern
        or not pattern.strip("./")
    ):
        return []
    return sorted(found for found in root.glob(pattern.removeprefix("./").rstrip("/")) if found.is_dir())


def _script_of(member: Path, name: str) -> tuple[dict[str, str], str] | None:
    scripts = texts(Folder(member, "", lambda _: None).json("package.json").get("scripts"))
    body = scripts.get(name)
    return (scripts, body) if body is not None and not _PLACEHOLDER.search(body) else None


_DENO_TEST = re.compile(r"(?:^|/)(?:test|[^/]+[._]test)\.(?:ts|tsx|js|jsx|mjs)$")


def find_deno(folder: Folder) -> list[FoundCheck]:
    name = folder.has("deno.json", "deno.jsonc")
    if not name:
        return []
    settings = folder.jsonc(name)
    tasks = texts(settings.get("tasks"))
    found = []
    for kind, task in ((Kind.LINT, "lint"), (Kind.TYPES, "check"), (Kind.BUILD, "build"), (Kind.TESTS, "test")):
        if task not in tasks:
            continue
        run = once(tasks[task], tasks)
        command = run.body if run.changed else f"deno task {task}"
        if run.changed:
            folder.note(say("detected.changing_task", file=folder.shown(name), task=task, command=run.body))
        if not run.endless:
            found.append(folder.found(kind, "deno", command, say("detected.task", file=folder.shown(name), task=task)))
    kinds = {one.kind for one in found}
    if Kind.LINT not in kinds and "lint" in settings:
        found.append(folder.found(Kind.LINT, "deno", "deno lint", folder.shown(name)))
    if Kind.TESTS not in kinds and any(_DENO_TEST.search(path) for path in folder.files()):
        found.append(folder.found(Kind.TESTS, "deno", "deno test", folder.shown(name)))
    return [replace(one, tool="deno") for one in found]
