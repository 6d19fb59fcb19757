"""Login, cookie, bearer, throttle."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI
from pydantic import SecretStr

from pilothouse.domain.clock import ManualClock
from pilothouse.server.access.auth import Throttle
from pilothouse.server.access.keys import COOKIE_SECONDS, Keys
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
    object.__setattr__(changed, "keys", Keys(bench.settings.data_dir, bench.clock, "another-token"))
    async with client_of(create_app(changed)) as revoked:
        revoked.cookies = stranger.cookies
        assert (await revoked.get("/api/state")).status_code == 401


async def test_cookie_ends_after_thirty_days_and_cannot_be_made_up(bench: Workbench) -> None:
    """BYD-12"""
    clock = ManualClock()
    async with client_of(create_app(services_of(bench, clock))) as client:
        await client.post("/api/login", json={"token": TOKEN})
        (name, value), *_ = client.cookies.items()
        for forged in (f"{value}x", value[:-1], "", "x.y", "é"):
            answer = await client.get("/api/state", headers={b"Cookie": f"{name}={forged}".encode()})
            assert answer.status_code == 401, forged
        await clock.advance(COOKIE_SECONDS - 1)
        assert (await client.get("/api/state")).status_code == 200
        await clock.advance(2)
        assert (await client.get("/api/state", headers={"Cookie": f"{name}={value}"})).status_code == 401


async def test_a_copied_cookie_ends_with_the_logout(app: FastAPI, stranger: httpx.AsyncClient) -> None:
    """BYD-12"""
    await stranger.post("/api/login", json={"token": TOKEN})
    (name, value), *_ = stranger.cookies.items()
    await stranger.post("/api/logout")
    async with client_of(app, BASE) as thief:
        assert (await thief.get("/api/state", headers={"Cookie": f"{name}={value}"})).status_code == 401


@pytest.mark.parametrize("value", ["Bearer wrong", "Bearer", "Basic " + TOKEN, TOKEN, "Bearer " + TOKEN[:-1]])
async def test_other_authorization_headers_do_not_open(stranger: httpx.AsyncClient, value: str) -> None:
    """BYD-12"""
    assert (await stranger.get("/api/state", headers={"Authorization": value})).status_code == 401


async def test_guessing_is_throttled_for_a_minute(bench: Workbench) -> None:
    """BYD-12"""
    clock = ManualClock()
    app = create_app(services_of(bench, clock))
    tries = bench.settings.login_tries_per_minute
    wrong = {"Authorization": "Bearer guess"}
    async with client_of(app, address="192.0.2.7") as client, client_of(app, address="192.0.2.8") as other:
        for _ in range(tries):
            assert (await client.post("/api/login", json={"token": "guess"})).status_code == 401
        refused = await client.post("/api/login", json={"token": "guess"})
        assert refused.status_code == 429
        assert refused.json()["error"] == "too_many_attempts"
        assert (await client.get("/api/state", headers=wrong)).status_code == 429, "a bearer token is a guess too"
        assert (await other.post("/api/login", json={"token": "guess"})).status_code == 401
        await clock.advance(61)
        assert (await client.post("/api/login", json={"token": "guess"})).status_code == 401


@pytest.mark.parametrize("address", ["127.0.0.1", "192.0.2.7"])
async def test_wrong_guesses_never_lock_out_who_has_the_right_one(bench: Workbench, address: str) -> None:
    """BYD-12: an agent on the machine that guesses shares its address with the owner."""
    app = create_app(services_of(bench))
    async with client_of(app, address=address) as guesser, client_of(app, address=address) as owner:
        assert (await owner.post("/api/login", json={"token": TOKEN})).status_code == 200
        for _ in range(bench.settings.login_tries_per_minute * 2):
            await guesser.get("/api/state", headers={"Authorization": "Bearer guess"})
        assert (await guesser.get("/api/state", headers={"Authorization": "Bearer guess"})).status_code == 429
        assert (await owner.get("/api/state")).status_code == 200
        assert (await owner.get("/api/state", headers={"Authorization": "Bearer guess"})).status_code == 200
        assert (await guesser.get("/api/state", headers=BEARER)).status_code == 200
        assert (await owner.post("/api/login", json={"token": TOKEN})).status_code == 200


async def test_guesses_from_many_addresses_never_lock_out_the_machine_itself() -> None:
    """BYD-12"""
    throttle = Throttle(2, ManualClock())
    for number in range(10):
        throttle.failed(f"192.0.2.{number}")
    assert not throttle.admits("192.0.2.200")
    assert throttle.admits("127.0.0.1")
    assert throttle.admits("::1")


def test_nothing_on_disk_opens_the_server(tmp_path: Path) -> None:
    """BYD-23"""
    keys = Keys.of(Settings(data_dir=tmp_path), ManualClock())
    token, cookie = keys.new_token(), keys.new_cookie()
    kept = (tmp_path / "token").read_text()
    assert stat.S_IMODE((tmp_path / "token").stat().st_mode) == 0o600
    again = Keys.of(Settings(data_dir=tmp_path), ManualClock())
    assert again.opens(token)
    assert again.knows(cookie)
    for value in (keys.link_token, token, cookie):
        assert value not in kept
    for written in [word for part in json.loads(kept).values() for word in part]:
        assert not again.opens(written)
        assert not again.knows(written)


def test_the_link_of_an_older_version_goes_on_working_and_leaves_the_disk(tmp_path: Path) -> None:
    """BYD-23"""
    (tmp_path / "token").write_text("the-token-itself\n")
    keys = Keys.of(Settings(data_dir=tmp_path), ManualClock())
    assert keys.opens("the-token-itself")
    assert "the-token-itself" not in (tmp_path / "token").read_text()
    assert Keys.of(Settings(data_dir=tmp_path), ManualClock()).opens("the-token-itself")


def test_each_start_has_a_link_of_its_own_unless_the_token_is_fixed(tmp_path: Path) -> None:
    """BYD-12"""
    first, second = (Keys.of(Settings(data_dir=tmp_path), ManualClock()) for _ in range(2))
    assert len(first.link_token) >= 32
    assert first.opens(first.link_token)
    assert not second.opens(first.link_token)
    fixed = Keys.of(Settings(data_dir=tmp_path, pilothouse_token=SecretStr("chosen")), ManualClock())
    assert fixed.link_token == "chosen"
    assert fixed.opens("chosen")


@pytest.mark.parametrize("content", ["", "{", '{"tokens": {}}', "{}", "[]"])
def test_a_damaged_file_lets_nobody_in_and_does_not_stop_the_start(tmp_path: Path, content: str) -> None:
    """BYD-12"""
    (tmp_path / "token").write_text(content)
    keys = Keys.of(Settings(data_dir=tmp_path), ManualClock())
    assert not keys.opens("")
    assert not keys.knows("")
    assert keys.opens(keys.new_token())


def test_a_disk_that_takes_nothing_does_not_stop_a_login(tmp_path: Path) -> None:
    """BYD-12 PLT-3"""
    (tmp_path / "file").touch()
    keys = Keys.of(Settings(data_dir=tmp_path / "file"), ManualClock())
    assert keys.knows(keys.new_cookie())


def test_keys_never_show_themselves(tmp_path: Path) -> None:
    """BYD-12"""
    keys = Keys(tmp_path, ManualClock(), "very-secret")
    assert "very-secret" not in f"{keys!r} {keys} {[keys]}"
    assert keys.opens("very-secret")
    assert not keys.opens("very-secre")
    assert not keys.opens("\ud800")


async def test_no_token_in_any_address_is_accepted(app: FastAPI) -> None:
    """BYD-12"""
    async with client_of(app, BASE) as client:
        assert (await client.get(f"/api/state?token={TOKEN}")).status_code == 401
