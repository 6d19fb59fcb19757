"""Chooses what agents and checks see of the server's environment: an allow-list, and what the person named."""

from __future__ import annotations

import fnmatch
import functools
import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

SPAWN_VARIABLE = "PILOTHOUSE_SPAWN"
"""Names the spawn of a process. Everything that the agent starts inherits it, so that strays can be found."""
INSTANCE_VARIABLE = "PILOTHOUSE_DATA"
"""Names the DATA_DIR of the spawn: two servers on one machine must never end each other's processes."""

ALLOWED: tuple[str, ...] = (
    # who and where
    *("HOME", "USER", "LOGNAME", "SHELL", "PATH", "TMPDIR", "TZ", "HOSTNAME"),
    # language and terminal
    *("LANG", "LANGUAGE", "LC_*", "TERM", "COLORTERM", "NO_COLOR", "FORCE_COLOR"),
    # desktop directories and agents that hold keys
    *("XDG_*", "DBUS_SESSION_BUS_ADDRESS", "SSH_AUTH_SOCK", "SSH_AGENT_PID", "GPG_TTY", "GNUPGHOME"),
    # the network
    *("HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY", "FTP_PROXY"),
    *("http_proxy", "https_proxy", "no_proxy", "all_proxy", "ftp_proxy"),
    *("SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS"),
    # git
    *("GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL", "EMAIL"),
    *("GIT_SSH", "GIT_SSH_COMMAND", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM"),
    # toolchains
    *("VIRTUAL_ENV", "CONDA_PREFIX", "CONDA_DEFAULT_ENV", "CONDA_EXE", "PYENV_ROOT", "PIPX_HOME", "PIPX_BIN_DIR"),
    *("PIP_CACHE_DIR", "PIP_CONFIG_FILE", "UV_CACHE_DIR", "UV_PYTHON_INSTALL_DIR", "POETRY_HOME"),
    *(
        "NVM_DIR",
        "NVM_BIN",
        "NODE_PATH",
        "NODE_OPTIONS",
        "NPM_CONFIG_PREFIX",
        "NPM_CONFIG_CACHE",
        "PNPM_HOME",
        "BUN_INSTALL",
    ),
    *("DENO_DIR", "DENO_INSTALL", "VOLTA_HOME", "FNM_DIR", "COREPACK_HOME", "PLAYWRIGHT_BROWSERS_PATH"),
    *("CARGO_HOME", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN", "CARGO_TARGET_DIR", "SCCACHE_DIR", "CCACHE_DIR"),
    *("GOPATH", "GOROOT", "GOBIN", "GOCACHE", "GOMODCACHE", "GOPROXY", "GOPRIVATE", "GOFLAGS", "GOTOOLCHAIN"),
    *("JAVA_HOME", "JDK_HOME", "MAVEN_HOME", "M2_HOME", "MAVEN_OPTS", "GRADLE_HOME", "GRADLE_USER_HOME", "SDKMAN_DIR"),
    *("KOTLIN_HOME", "SCALA_HOME", "ANDROID_HOME", "ANDROID_SDK_ROOT", "DOTNET_ROOT", "NUGET_PACKAGES"),
    *("GEM_HOME", "GEM_PATH", "RBENV_ROOT", "RVM_PATH", "BUNDLE_PATH", "COMPOSER_HOME", "ASDF_DIR", "ASDF_DATA_DIR"),
    *("MISE_DATA_DIR", "HOMEBREW_PREFIX", "HOMEBREW_CELLAR", "HOMEBREW_REPOSITORY", "NIX_PATH", "NIX_SSL_CERT_FILE"),
    *("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "LIBRARY_PATH", "CPATH", "PKG_CONFIG_PATH", "MANPATH", "INFOPATH"),
    *("CC", "CXX", "CFLAGS", "CXXFLAGS", "LDFLAGS", "DOCKER_HOST", "DOCKER_CONFIG"),
)

_OURS = "PILOTHOUSE_"
"""Our own variables never reach an agent, whoever names them: one of them is the key to this server."""


def instance_of(data_dir: Path) -> str:
    """A name for this DATA_DIR. The inode tells it from the same path in a container."""
    path = data_dir.resolve()
    status = path.stat()
    return hashlib.sha256(f"{path}\0{status.st_dev}\0{status.st_ino}".encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Environment:
    """Makes the environment of each spawn from the server's own."""

    source: Mapping[str, str] = field(repr=False)
    instance: str
    named: Iterable[str] = ()
    """Further variables of `source` that the person lets through, by name."""
    live: Sequence[str] = ()
    """Those named while Pilothouse runs. All copies share the list, and read it again for each spawn."""

    def for_spawn(self, extra: Mapping[str, str] | None = None) -> dict[str, str]:
        wanted = _any_of((*ALLOWED, *self.named, *self.live))
        chosen = {name: value for name, value in self.source.items() if wanted.match(name)} | dict(extra or {})
        chosen = {name: value for name, value in chosen.items() if not name.upper().startswith(_OURS)}
        return chosen | {INSTANCE_VARIABLE: self.instance}


@functools.cache
def _any_of(patterns: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(map(fnmatch.translate, patterns)))
