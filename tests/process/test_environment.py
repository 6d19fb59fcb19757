"""What of the server's environment an agent gets to see."""

from __future__ import annotations

from pathlib import Path

from pilothouse.process.environment import Environment, instance_of
from tests.process.conftest import Start

SERVER = {
    "PATH": "/bin",
    "HOME": "/home/someone",
    "LC_ALL": "C",
    "XDG_RUNTIME_DIR": "/run/x",
    "https_proxy": "http://proxy",
    "CARGO_HOME": "/cargo",
    "SSH_AUTH_SOCK": "/agent",
    "PILOTHOUSE_TOKEN": "secret",
    "PILOTHOUSE_SPAWN": "outer",
    "AWS_SECRET_ACCESS_KEY": "secret",
    "DATABASE_URL": "secret",
    "PYTHONPATH": "/src",
    "LD_PRELOAD": "/evil.so",
    "MAKEFLAGS": "--jobserver-auth=3,4",
    "MY_KEY": "mine",
}


def test_only_the_allow_list_passes() -> None:
    passed = Environment(SERVER, "i").for_spawn()
    assert passed == {
        "PATH": "/bin",
        "HOME": "/home/someone",
        "LC_ALL": "C",
        "XDG_RUNTIME_DIR": "/run/x",
        "https_proxy": "http://proxy",
        "CARGO_HOME": "/cargo",
        "SSH_AUTH_SOCK": "/agent",
        "PILOTHOUSE_DATA": "i",
    }


def test_what_the_person_names_or_configures_passes_too() -> None:
    environment = Environment(SERVER, "i", named=("MY_KEY",))
    assert environment.for_spawn()["MY_KEY"] == "mine"
    assert environment.for_spawn({"MY_KEY": "other", "MORE": "x"}) == {
        **environment.for_spawn(),
        "MY_KEY": "other",
        "MORE": "x",
    }


def test_our_token_never_passes_whoever_asks_for_it() -> None:
    environment = Environment(SERVER, "i", named=("PILOTHOUSE_TOKEN", "PILOTHOUSE_*", "*"))
    passed = environment.for_spawn({"PILOTHOUSE_TOKEN": "again", "PILOTHOUSE_DATA": "another"})
    assert "PILOTHOUSE_TOKEN" not in passed
    assert passed["PILOTHOUSE_DATA"] == "i"
    assert "secret" not in repr(environment)


async def test_a_program_gets_exactly_that_and_its_marker(start: Start) -> None:
    spawned = await start(
        "env -0", env={**Environment(SERVER, "i").for_spawn(), "PATH": "/usr/bin:/bin"}, spawn_id="s9"
    )
    printed = b"".join([piece async for piece in spawned.output()]).decode()
    seen = dict(item.split("=", 1) for item in printed.split("\0") if item)
    assert seen.pop("PILOTHOUSE_SPAWN") == "s9"
    assert seen.pop("PILOTHOUSE_DATA") == "i"
    added_by_the_shell = {"PWD", "_", "SHLVL", "OLDPWD"}
    assert seen.keys() - added_by_the_shell == {
        "PATH",
        "HOME",
        "LC_ALL",
        "XDG_RUNTIME_DIR",
        "https_proxy",
        "CARGO_HOME",
        "SSH_AUTH_SOCK",
    }


def test_an_instance_is_its_directory(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    one.mkdir()
    two.mkdir()
    (tmp_path / "link").symlink_to(one)
    assert instance_of(one) == instance_of(tmp_path / "link")
    assert instance_of(one) != instance_of(two)
    before = instance_of(one)
    one.rename(tmp_path / "away")
    one.mkdir()
    assert instance_of(one) != before
