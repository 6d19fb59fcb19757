"""What several routes take in their path and query, and the errors they may answer with."""

from __future__ import annotations

from typing import Annotated

from fastapi import Path, Query

from pilothouse.server.errors import documented

Id = Annotated[str, Path(max_length=64)]
Slug = Annotated[str, Path(max_length=100)]
Cursor = Annotated[str | None, Query(max_length=500)]
PageSize = Annotated[int, Query(ge=1, le=200)]
Since = Annotated[int, Query(ge=0, le=2**53)]
EventCount = Annotated[int, Query(ge=1, le=1000)]
Offset = Annotated[int, Query(ge=0, le=2**53)]
ByteCount = Annotated[int, Query(ge=1, le=1_048_576, description="Bytes.")]
BYTES = 262_144

FOUND = documented(404)
CHANGED = documented(404, 409)
