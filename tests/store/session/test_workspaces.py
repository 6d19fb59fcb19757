from __future__ import annotations

import pytest

from pilothouse.errors import NotFound
from pilothouse.store.database import Store
from pilothouse.store.session import projects, workspaces
from tests.store.samples import project, workspace

pytestmark = pytest.mark.usefixtures("furnished")


async def test_projects_and_workspaces_come_back(store: Store) -> None:
    assert await store.read(projects.all) == [project()]
    assert await store.read(lambda c: projects.get(c, "none")) is None
    assert await store.read(lambda c: workspaces.get(c, "w")) == workspace()
    assert await store.read(lambda c: workspaces.of_project(c, "p")) == [workspace()]
    with pytest.raises(NotFound):
        await store.write(lambda tx: workspaces.hold(tx, "none", ""))
