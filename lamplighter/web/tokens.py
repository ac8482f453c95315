"""Secrets and names that nobody can guess: the token of a seat, the id of a table."""

from __future__ import annotations

import hashlib
import secrets


def hash_token(token: str) -> str:
    """Return a token as the store has it: hashed."""
    return hashlib.sha256(token.encode()).hexdigest()


def new_token() -> str:
    return secrets.token_urlsafe(24)


def new_table_id() -> str:
    """Return the id of a new table. It never looks like an option, since people hand it to commands."""
    while (table_id := secrets.token_urlsafe(9)).startswith("-"):
        pass
    return table_id
