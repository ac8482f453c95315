"""What a table refuses, and the HTTP status that tells it."""

from __future__ import annotations

from typing import Any

from lamplighter.errors import IllegalMove, LamplighterError, NoTakeBack, UnknownGame


class NoTable(LamplighterError):
    code = "table/unknown"


class NotYours(LamplighterError):
    code = "seat/not-yours"


class Full(LamplighterError):
    code = "table/full"


class NotNow(LamplighterError):
    """Refused as the table stands now, which `view` shows; later or elsewhere it may go."""

    code = "table/not-now"
    view: dict[str, Any] | None = None


class Stale(NotNow):
    """The seat has moved on since the version that was named."""

    code = "move/stale"


class TooMany(LamplighterError):
    """Refused for now: after `wait` seconds there may be room."""

    code = "table/too-many"

    def __init__(self, message: str, wait: float) -> None:
        self.wait = wait
        super().__init__(message)


class Damaged(LamplighterError):
    """The store has something that cannot be: nobody's fault who asks."""

    code = "table/damaged"


STATUS: list[tuple[type[LamplighterError], int]] = [
    (NoTable, 404),
    (UnknownGame, 404),
    (NotYours, 403),
    (Full, 409),
    (NotNow, 409),
    (NoTakeBack, 409),
    (TooMany, 429),
    (Damaged, 500),
    (IllegalMove, 422),
    (LamplighterError, 400),
]


def status_of(error: LamplighterError) -> int:
    """The HTTP status of a refusal."""
    return next(status for kind, status in STATUS if isinstance(error, kind))
