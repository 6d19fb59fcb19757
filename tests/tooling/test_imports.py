"""No module needs itself, however far around: a circle can be neither read nor changed from one end."""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter

import grimp


def test_no_modules_import_each_other_in_a_circle() -> None:
    """What only the type checker reads is left out. import-linter, which brings grimp, asks about siblings alone."""
    graph = grimp.build_graph("pilothouse", cache_dir=None, exclude_type_checking_imports=True)
    imports = TopologicalSorter({name: graph.find_modules_directly_imported_by(name) for name in graph.modules})
    try:
        imports.prepare()
    except CycleError as found:
        circle = found.args[1]
        raise AssertionError("These need each other: " + ", ".join(circle)) from None
    assert len(graph.modules) > 300
