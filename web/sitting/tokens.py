"""Tokens: what a phone's cookie holds. The server keeps only their hashes."""

from __future__ import annotations

import secrets
from hashlib import sha256
from typing import Final

TOKEN_BYTES: Final = 24
MAX_TOKEN: Final = 64
"""No cookie of ours is longer."""


def new_token() -> tuple[str, bytes]:
    """A token that nobody can guess, and its hash."""
    token = secrets.token_urlsafe(TOKEN_BYTES)
    return token, sha256(token.encode()).digest()


def hash_of(token: str) -> bytes | None:
    """The hash by which a token is known; None for what is no token of ours by its form alone."""
    if not token or len(token) > MAX_TOKEN or not token.isascii():
        return None
    return sha256(token.encode()).digest()
