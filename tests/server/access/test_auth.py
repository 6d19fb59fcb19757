"""Login, cookie, bearer, throttle."""

from __future__ import annotations

import stat
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI
from pydantic import SecretStr

from pilothouse.domain.clock import ManualClock
from pilothouse.server.access.auth import COOKIE_SECONDS, Throttle, Token
from pilothouse.server.app import create_app
from pilothouse.settings import Settings
from tests.server.web import BASE, BEARER, TOKEN, client_of, services_of
from tests.workbench import Workbench


async def test_login_gives_a_cookie_that_is_not_the_token_and_opens_the_interface(stranger: httpx.AsyncClient) -> None:
    """BYD-12"""
    assert (await stranger.get("/api/state")).status_code == 401
    answer = await stranger.post("/api/login", json={"token": TOKEN})
    assert answer.status_code == 200
    assert answer.json() == {"success": True}
    header = answer.headers["set-cookie"]
    assert "HttpOnly" in header
    assert "samesite=strict" in header.lower()
    assert f"Max-Age={COOKIE_SECONDS}" in header
    assert "secure" not in header.lower(), "the LAN speaks plain http"
    assert TOKEN not in header
    assert (await stranger.get("/api/state")).status_code == 200


async def test_logout_takes_the_cookie_away(stranger: httpx.AsyncClient) -> None:
    """BYD-12"""
    await stranger.post("/api/login", json={"token": TOKEN})
    assert (await stranger.post("/api/logout")).status_code == 200
    assert (await stranger.get("/api/state")).status_code == 401


async def test_wrong_token_is_refused_with_what_to_do(stranger: httpx.AsyncClient) -> None:
    """BYD-12 PLT-9"""
    answer = await stranger.post("/api/login", json={"token": "wrong"})
    assert answer.status_code == 401
    assert answer.json()["error"] == "not_logged_in"
    assert "login link" in answer.json()["next_action"]
    assert "set-cookie" not in answer.headers


async def test_cookie_outlives_a_restart_but_not_a_new_token(bench: Workbench, stranger: httpx.AsyncClient) -> None:
    """BYD-12"""
    await stranger.post("/api/login", json={"token": TOKEN})
    again = create_app(services_of(bench))
    async with client_of(again) as restarted:
        restarted.cookies = stranger.cookies
        assert (await restarted.get("/api/state")).status_code == 200
    changed = services_of(bench)
    object.__setattr__(changed, "token", Token("another-token"))
    async with client_of(create_app(changed)) as revoked:
        revoked.cookies = stranger.cookies
        assert (await revoked.get("/api/state")).status_code == 401


async def test_cookie_ends_after_thirty_days_and_cannot_be_forged(bench: Workbench) -> None:
    """BYD-12"""
    clock = ManualClock()
    async with client_of(create_app(services_of(bench, clock))) as client:
        await client.post("/api/login", json={"token": TOKEN})
        (name, value), *_ = client.cookies.items()
        issued, _, signature = value.partition(".")
        for forged in (
            f"{int(issued) + 1}.{signature}",
            f"{issued}.{'0' * 64}",
            f"{issued}.",
            "",
            "x.y",
            f"²{issued}.é",
        ):
            answer = await client.get("/api/state", headers={b"Cookie": f"{name}={forged}".encode()})
            assert answer.status_code == 401, forged
        await clock.advance(COOKIE_SECONDS - 1)
        assert (await client.get("/api/state")).status_code == 200
        await clock.advance(2)
        assert (await client.get("/api/state", headers={"Cookie": f"{name}={value}"})).status_code == 401


@pytest.mark.parametrize("value", ["Bearer wrong", "Bearer", "Basic " + TOKEN, TOKEN, "Bearer " + TOKEN[:-1]])
async def test_other_authorization_headers_do_not_open(stranger: httpx.AsyncClient, value: str) -> None:
    """BYD-12"""
    assert (await stranger.get("/api/state", headers={"Authorization": value})).status_code == 401


async def test_guessing_is_throttled_for_a_minute(bench: Workbench) -> None:
    """BYD-12"""
    clock = ManualClock()
    app = create_app(services_of(bench, clock))
    tries = bench.settings.login_tries_per_minute
    async with client_of(app, address="192.0.2.7") as client, client_of(app, address="192.0.2.8") as other:
        for _ in range(tries):
            assert (await client.post("/api/login", json={"token": "guess"})).status_code == 401
        refused = await client.post("/api/login", json={"token": TOKEN})
        assert refused.status_code == 429
        assert refused.json()["error"] == "too_many_attempts"
        assert (await client.get("/api/state", headers=BEARER)).status_code == 429, "a bearer token is a guess too"
        assert (await other.post("/api/login", json={"token": TOKEN})).status_code == 200
        await clock.advance(61)
        assert (await client.post("/api/login", json={"token": TOKEN})).status_code == 200


async def test_guesses_from_many_addresses_never_lock_out_the_machine_itself() -> None:
    """BYD-12"""
    throttle = Throttle(2, ManualClock())
    for number in range(10):
        throttle.failed(f"192.0.2.{number}")
    assert not throttle.admits("192.0.2.200")
    assert throttle.admits("127.0.0.1")
    assert throttle.admits("::1")


def test_token_is_made_once_and_kept_for_its_owner_alone(tmp_path: Path) -> None:
    """BYD-12"""
    settings = Settings(data_dir=tmp_path / "data")
    first = Token.of(settings)
    assert len(first.reveal()) >= 32
    assert Token.of(settings).reveal() == first.reveal()
    assert stat.S_IMODE((tmp_path / "data" / "token").stat().st_mode) == 0o600
    fixed = Settings(data_dir=tmp_path / "data", pilothouse_token=SecretStr("chosen"))
    assert Token.of(fixed).reveal() == "chosen"


def test_token_never_shows_itself() -> None:
    """BYD-12"""
    token = Token("very-secret")
    assert "very-secret" not in f"{token!r} {token} {[token]} {vars(token).keys()}"
    assert token.matches("very-secret")
    assert not token.matches("very-secre")
    assert not token.matches("\ud800")


async def test_no_token_in_any_address_is_accepted(app: FastAPI) -> None:
    """BYD-12"""
    async with client_of(app, BASE) as client:
        assert (await client.get(f"/api/state?token={TOKEN}")).status_code == 401
