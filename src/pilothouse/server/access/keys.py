"""What opens the server: tokens and login cookies, of which the disk holds digests alone.

Whoever reads the file learns nothing that opens anything. A digest is keyed with `PILOTHOUSE_TOKEN` where that is set:
so everybody is logged out when it changes, and the file does not help to guess it.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import json
import logging
import os
import secrets
from pathlib import Path

from pilothouse.domain.clock import Clock
from pilothouse.settings import Settings

log = logging.getLogger(__name__)

FILE = "token"
COOKIE_SECONDS = 30 * 24 * 3600
_KEPT = {"tokens": 20, "cookies": 100}
_BYTES = 32
Digests = dict[str, int]
"""Digest to when it was made, in seconds since 1970; the newest last."""


class Keys:
    """Shows none of them, except the token that belongs into a login link."""

    def __init__(self, data_dir: Path, clock: Clock, fixed: str | None = None) -> None:
        self._file, self._clock = data_dir / FILE, clock
        self._secret = (fixed or "").encode()
        self._link = fixed or secrets.token_urlsafe(_BYTES)
        self._tokens, self._cookies = self._load()

    @classmethod
    def of(cls, settings: Settings, clock: Clock) -> Keys:
        fixed = settings.pilothouse_token
        return cls(settings.data_dir, clock, fixed.get_secret_value() if fixed else None)

    def __repr__(self) -> str:
        return "Keys(…)"

    __str__ = __repr__

    @property
    def link_token(self) -> str:
        """For the link that a start prints. Where it is not fixed, it opens this server until that ends."""
        return self._link

    def new_token(self) -> str:
        """One that lasts, for another device or a script."""
        value = secrets.token_urlsafe(_BYTES)
        self._tokens[self._digest(value)] = self._now()
        self._save()
        return value

    def opens(self, token: str) -> bool:
        digest = self._digest(token)
        return any(secrets.compare_digest(digest, known) for known in (self._digest(self._link), *self._tokens))

    def new_cookie(self) -> str:
        value = secrets.token_urlsafe(_BYTES)
        self._cookies[self._digest(value)] = self._now()
        self._save()
        return value

    def knows(self, cookie: str) -> bool:
        made = self._cookies.get(self._digest(cookie))
        return made is not None and -60 <= self._now() - made <= COOKIE_SECONDS

    def forget(self, cookie: str) -> None:
        if self._cookies.pop(self._digest(cookie), None) is not None:
            self._save()

    def _digest(self, value: str) -> str:
        return hmac.new(self._secret, value.encode(errors="surrogatepass"), hashlib.sha256).hexdigest()

    def _now(self) -> int:
        return int(self._clock.now().timestamp())

    def _load(self) -> tuple[Digests, Digests]:
        try:
            text = self._file.read_text().strip()
        except (FileNotFoundError, NotADirectoryError, UnicodeDecodeError):
            return {}, {}
        if not text:
            return {}, {}
        if not text.startswith("{"):
            return self._migrated(text)
        try:
            kept = json.loads(text)
            return dict(kept["tokens"]), dict(kept["cookies"])
        except (ValueError, KeyError, TypeError):
            log.warning("%s cannot be read; everybody has to log in again", self._file)
            return {}, {}

    def _migrated(self, token: str) -> tuple[Digests, Digests]:
        """Older versions kept the token itself here. Its link goes on opening the server that it was made for."""
        digest = hmac.new(b"", token.encode(), hashlib.sha256).hexdigest()
        self._tokens, self._cookies = {digest: self._now()}, {}
        self._save()
        return self._tokens, self._cookies

    def _save(self) -> None:
        """Written whole or not at all. On a full disk a login holds until the server ends."""
        now = self._now()
        self._cookies = {key: made for key, made in self._cookies.items() if now - made <= COOKIE_SECONDS}
        state = {"tokens": self._tokens, "cookies": self._cookies}
        for name, digests in state.items():
            for oldest in list(digests)[: -_KEPT[name]]:
                del digests[oldest]
        fresh = self._file.with_suffix(".new")
        try:
            self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            fresh.unlink(missing_ok=True)
            file = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
            with os.fdopen(file, "w") as out:
                json.dump(state, out)
            fresh.replace(self._file)
        except OSError as error:
            log.warning("logins cannot be kept over a restart: %s", error)
            with contextlib.suppress(OSError):
                fresh.unlink(missing_ok=True)
