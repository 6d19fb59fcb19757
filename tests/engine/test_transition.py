"""Statuses change in one place: this is read from the source, so that a second one cannot creep in."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pilothouse

SOURCE = Path(pilothouse.__file__).parent
THE_MOVER = {"engine/transition.py"}
WRITES = {"insert", "update", "delete"}


@cache
def modules() -> dict[str, ast.Module]:
    return {file.relative_to(SOURCE).as_posix(): ast.parse(file.read_text()) for file in SOURCE.rglob("*.py")}


def imported(tree: ast.Module, package: str, name: str) -> set[str]:
    """What a module calls `name` of `package`, wherever in it the import stands."""
    return {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == package
        for alias in node.names
        if alias.name == name
    }


def users(package: str, module: str, functions: set[str]) -> set[str]:
    """The files that take one of these functions of a module of the store, to call it or to hand it on."""

    def uses(tree: ast.Module) -> bool:
        named = imported(tree, package, module)
        return any(imported(tree, f"{package}.{module}", function) for function in functions) or any(
            isinstance(node, ast.Attribute)
            and node.attr in functions
            and isinstance(node.value, ast.Name)
            and node.value.id in named
            for node in ast.walk(tree)
        )

    return {file for file, tree in modules().items() if uses(tree)}


def writers(module: str, table: str) -> set[str]:
    """The files that insert into a table, update it or delete from it."""

    def written(tree: ast.Module) -> Iterator[str]:
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call):
                continue
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if called not in WRITES:
                continue
            # `update(tasks)`, `sa.update(tasks)`, `tasks.update()`
            on = [*node.args, node.func.value] if isinstance(node.func, ast.Attribute) else node.args
            yield from (each.id for each in on if isinstance(each, ast.Name))

    package = f"pilothouse.store.tables.{module}"
    return {file for file, tree in modules().items() if imported(tree, package, table) & set(written(tree))}


def test_one_module_moves_tasks_and_sessions() -> None:
    """TSK-4"""
    assert users("pilothouse.store.task", "tasks", {"add", "move", "remove"}) == THE_MOVER
    assert users("pilothouse.store.session", "sessions", {"move"}) == THE_MOVER


def test_one_module_writes_tasks_and_the_list_is_kept_beside_the_sessions() -> None:
    """TSK-4"""
    assert writers("task", "tasks") == {"store/task/tasks.py"}
    assert writers("session", "sessions") == {"store/session/sessions.py", "store/session/overview.py"}
