"""The built front end: open without login, because it holds the login page."""

from __future__ import annotations

import mimetypes
from pathlib import Path

from fastapi import FastAPI
from starlette.convertors import Convertor, register_url_convertor
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response

from pilothouse.errors import NotFound
from pilothouse.server import errors
from pilothouse.server.access.auth import open_route
from pilothouse.words import SOURCE, for_page, say, speaking, words

STATIC = Path(__file__).parents[2] / "static"
NONCE = "__CSP_NONCE__"
_ENCODINGS = (("br", ".br"), ("gzip", ".gz"))
_IMMUTABLE = "public, max-age=31536000, immutable"
_LONGEST = 512
_NOT_BUILT = """<!doctype html><html lang="{language}"><meta charset="utf-8"><title>Pilothouse</title>
<h1>{title}</h1>
<p>{text}</p>
"""


class _PageConvertor(Convertor[str]):
    """Any address that is not the HTTP interface's own."""

    regex = r"(?!(?:api|mcp)(?:/|$)|ws$|health$|openapi\.json$).*"

    def convert(self, value: str) -> str:
        return value

    def to_string(self, value: str) -> str:
        return value


register_url_convertor("page", _PageConvertor())


def install(app: FastAPI, static: Path = STATIC) -> None:
    root = static.resolve()

    @open_route
    async def page(request: Request) -> Response:
        path: str = request.path_params["path"]
        file = _file(root, path)
        if file:
            return _sent(request, file, _IMMUTABLE if path.startswith("assets/") else "no-cache")
        if path.startswith("assets/"):
            return errors.answer(NotFound(say("server.no_file")))
        index = root / "index.html"
        if not index.is_file():
            return HTMLResponse(_not_built(), status_code=503)
        return _index(request, index)

    app.add_route("/{path:page}", page, methods=["GET"], name="page", include_in_schema=False)


def _not_built() -> str:
    text = say(
        "server.build_screens",
        install="<code>make install</code>",
        pip="<code>pip install .</code>",
        api="<code>/api</code>",
    )
    return _NOT_BUILT.format(language=speaking.get(), title=words(say("server.not_built")), text=words(text))


def _file(root: Path, path: str) -> Path | None:
    if not path or len(path) > _LONGEST or path == "index.html" or path.endswith((".br", ".gz")):
        return None
    file = (root / path).resolve()
    return file if file.is_relative_to(root) and file.is_file() else None


def _index(request: Request, index: Path) -> Response:
    text = index.read_text()
    if NONCE not in text:
        return _sent(request, index, "no-cache")
    text = text.replace(NONCE, request.scope["nonce"])
    if (language := speaking.get()) != SOURCE:
        data = f'<script id="words" type="application/json">{for_page(language)}</script></head>'
        text = text.replace('<html lang="en">', f'<html lang="{language}">', 1).replace("</head>", data, 1)
    return HTMLResponse(text, headers={"cache-control": "no-store"})


def _sent(request: Request, file: Path, cache: str) -> Response:
    headers = {"cache-control": cache, "vary": "accept-encoding"}
    kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    accepted = {part.split(";")[0].strip() for part in request.headers.get("accept-encoding", "").split(",")}
    for encoding, suffix in _ENCODINGS:
        packed = file.with_name(file.name + suffix)
        if encoding in accepted and packed.is_file():
            file, headers = packed, {**headers, "content-encoding": encoding}
            break
    response = FileResponse(file, headers=headers, media_type=kind, stat_result=file.stat())
    if response.headers.get("etag") == request.headers.get("if-none-match"):
        return Response(status_code=304, headers={**headers, "etag": response.headers["etag"]})
    return response
