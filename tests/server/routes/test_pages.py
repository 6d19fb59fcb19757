"""The built front end, served without login and without surprises."""

from __future__ import annotations

import gzip
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from pilothouse.server.app import create_app
from pilothouse.server.services import Services
from tests.server.web import client_of

INDEX = "<!doctype html><title>Pilothouse</title><script src='/assets/app-1a2b.js'></script>"


@pytest.fixture
def static(tmp_path: Path) -> Path:
    root = tmp_path / "static"
    (root / "assets").mkdir(parents=True)
    (root / "index.html").write_text(INDEX)
    (root / "drawing.svg").write_text("<svg/>")
    (root / "assets" / "app-1a2b.js").write_text("console.log(1)")
    (root / "assets" / "app-1a2b.js.gz").write_bytes(gzip.compress(b"console.log(1)"))
    (tmp_path / "secret.txt").write_text("secret")
    return root


@pytest.fixture
async def page(services: Services, static: Path) -> AsyncIterator[httpx.AsyncClient]:
    async with client_of(create_app(services, static)) as client:
        yield client


async def test_client_routes_get_the_index_without_login(page: httpx.AsyncClient) -> None:
    """WEB-1"""
    for path in ("/", "/index.html", "/sessions/p/some-slug", "/apiary", "/healthy"):
        answer = await page.get(path)
        assert (answer.status_code, answer.text) == (200, INDEX), path
        assert answer.headers["cache-control"] == "no-cache"
        assert answer.headers["content-type"].startswith("text/html")


async def test_hashed_assets_are_kept_for_ever_and_come_compressed(page: httpx.AsyncClient) -> None:
    """WEB-1"""
    packed = await page.get("/assets/app-1a2b.js", headers={"Accept-Encoding": "gzip, br"})
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert packed.headers["content-type"].startswith("text/javascript")
    assert packed.text == "console.log(1)"
    plain = await page.get("/assets/app-1a2b.js", headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.text == packed.text
    again = await page.get("/drawing.svg", headers={"If-None-Match": (await page.get("/drawing.svg")).headers["etag"]})
    assert again.status_code == 304
    assert (await page.get("/assets/gone.js")).status_code == 404


@pytest.mark.parametrize(
    "path", ["/../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "/assets/../../secret.txt"]
)
async def test_nothing_outside_the_folder_is_served(page: httpx.AsyncClient, path: str) -> None:
    """BYD-12"""
    answer = await page.get(httpx.URL("http://127.0.0.1:3333").copy_with(raw_path=path.encode()))
    assert "secret" not in answer.text


async def test_a_very_long_address_is_a_page_like_any_other(page: httpx.AsyncClient) -> None:
    """PLT-8"""
    assert (await page.get("/" + "x" * 5000)).status_code == 200


async def test_only_reading_is_possible(page: httpx.AsyncClient) -> None:
    """BYD-12"""
    assert (await page.head("/")).status_code == 200
    assert (await page.post("/")).status_code == 401


async def test_a_nonce_is_given_to_pages_that_ask_for_one(page: httpx.AsyncClient, static: Path) -> None:
    """BYD-12: styles made by script carry the nonce of the policy, so nothing inline needs to be allowed"""
    (static / "index.html").write_text("<style nonce='__CSP_NONCE__'></style>")
    first, second = await page.get("/"), await page.get("/")
    nonce = first.text.split("'")[1]
    assert f"'nonce-{nonce}'" in first.headers["content-security-policy"]
    assert first.text != second.text
    assert first.headers["cache-control"] == "no-store"


async def test_without_a_built_front_end_the_page_says_what_to_do(services: Services, tmp_path: Path) -> None:
    """PLT-3"""
    async with client_of(create_app(services, tmp_path / "none")) as client:
        answer = await client.get("/")
    assert answer.status_code == 503
    assert "make install" in answer.text
