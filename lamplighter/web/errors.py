"""What a table refuses, and the HTTP status that tells it."""

from __future__ import annotations

from typing import Any

from lamplighter.errors import IllegalMove, LamplighterError, NoTakeBack, UnknownGame
from lamplighter.web.trouble import StoreTrouble


class NoTable(LamplighterError):
    code = "table/unknown"


class NoClass(LamplighterError):
    code = "class/unknown"


class NotYours(LamplighterError):
    code = "seat/not-yours"


class Full(LamplighterError):
    code = "table/full"


class NotNow(LamplighterError):
    """Refused in the current state of the table, which `view` shows. It may be accepted later."""

    code = "table/not-now"
    view: dict[str, Any] | None = None


class Stale(NotNow):
    """The seat has moved on since the version that was named."""

    code = "move/stale"


class Tomorrow(NotNow):
    """Today's match would tell its dice to somebody who may still play them."""

    code = "table/tomorrow"


class NameTaken(LamplighterError):
    """A child of the class has this name; its number would show that it is the same child."""

    code = "class/name-taken"


class OtherChild(LamplighterError):
    """This browser is in the class under another name than the one that was typed."""

    code = "class/other-child"


class TooMany(LamplighterError):
    """Refused for now: after `wait` seconds there may be room."""

    code = "table/too-many"

    def __init__(self, message: str, wait: float) -> None:
        self.wait = wait
        super().__init__(message)


class Busy(LamplighterError):
    """The server has too much to do now: after `wait` seconds it may be better."""

    code = "server/busy"
    wait = 3.0


class Damaged(LamplighterError):
    """The store has something that cannot be: the stored log is corrupt."""

    code = "table/damaged"


class OlderRules(LamplighterError):
    """The match was played by rules that this server no longer has."""

    code = "table/older-rules"

    def __init__(self, table_id: str, played: int, now: int | None) -> None:
        self.table_id, self.played, self.now = table_id, played, now
        has = "no longer has this game" if now is None else f"has version {now}"
        super().__init__(
            f"this match was played with version {played} of the rules, and the server {has}: it cannot continue, "
            "but its moves are safe and can be downloaded as a record"
        )


STATUS: list[tuple[type[LamplighterError], int]] = [
    (NoTable, 404),
    (NoClass, 404),
    (UnknownGame, 404),
    (NotYours, 403),
    (OlderRules, 410),
    (Full, 409),
    (NotNow, 409),
    (NameTaken, 409),
    (OtherChild, 409),
    (NoTakeBack, 409),
    (TooMany, 429),
    (Damaged, 500),
    (StoreTrouble, 503),
    (Busy, 503),
    (IllegalMove, 422),
    (LamplighterError, 400),
]


def status_of(error: LamplighterError) -> int:
    """The HTTP status of a refusal."""
    return next(status for kind, status in STATUS if isinstance(error, kind))
