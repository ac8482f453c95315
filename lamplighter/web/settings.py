"""What a server can be told. Workers are processes of their own, so settings travel through the environment."""

from __future__ import annotations

import json
import math
import os
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import platformdirs

from lamplighter.errors import LamplighterError, suggest

VARIABLE = "LAMPLIGHTER_SERVER"
# as may a setting whose default is zero
MAY_BE_ZERO = ("hold", "hold_long", "away", "rest", "tables_per_hour", "table_limit")
KINDS = {"int": "a whole number", "float": "a number", "bool": "true or false", "str": "a text in quotes"}


def default_database() -> str:
    """An SQLite file in the user's data directory."""
    folder = Path(platformdirs.user_data_dir("lamplighter", appauthor=False))
    return f"sqlite:///{folder / 'tables.db'}"


@dataclass(frozen=True)
class Settings:
    """Everything about a server that is not in its database."""

    database: str = ""
    workers: int = 1
    hold: float = 2.0  # seconds in which the last move of a turn can be taken back before the next roll
    hold_long: float = 5.0  # the same at tables that chose the longer wait
    away: float = 30.0  # seconds without a sign of life after which a bot may take a seat over
    idle: float = 120.0  # seconds of somebody's turn after which the others may vote for a bot
    rest: float = 300.0  # seconds after which a table that nobody looks at leaves memory
    body_limit: int = 64 * 1024
    rate: float = 60.0  # requests a second of one client, in the long run
    burst: int = 600
    tables_per_hour: int = 120  # of one client
    streams: int = 100  # open event streams of one client
    connections: int = 300  # open connections of one client
    request_seconds: float = 20.0  # in which a request has to arrive
    tables_kept: int = 1000  # tables of the last 30 days that one client may have set up
    table_limit: int = 100_000  # in the store
    keep_days: float = 365.0  # after which a table that nobody touched is thrown away
    keep_lobby_days: float = 7.0  # the same where the match never began
    review_seconds: float = 20.0  # that bots think about a finished match that somebody wants reviewed
    contact: str = ""  # whom the privacy page names: an address to write to
    public: str = ""  # the address to invite friends by, where it differs from the one in the browser
    boxes: str = ""  # the folder of component files that people may choose
    public_metrics: bool = False  # whether other machines may read /metrics
    warm: bool = True  # load the kernels of all games before the first request

    @property
    def shared(self) -> bool:
        """Whether other processes may write to the same store."""
        return self.workers > 1 or not self.database.startswith("sqlite")

    def export(self) -> None:
        """Leave them for the worker processes."""
        os.environ[VARIABLE] = json.dumps(asdict(self))


def from_environment() -> Settings:
    """The settings that `export` left, or somebody wrote; the defaults without it."""
    text = os.environ.get(VARIABLE) or "{}"
    try:
        found = json.loads(text)
    except ValueError as error:
        raise LamplighterError(f"{VARIABLE} is not JSON ({error}): {_EXAMPLE}") from None
    if not isinstance(found, dict):
        raise LamplighterError(f"{VARIABLE} is not a JSON object: {_EXAMPLE}")
    for name, value in found.items():
        _check(name, value)
    return Settings(**{"database": default_database(), **found})


_EXAMPLE = f"write it as {VARIABLE}='{{\"rate\": 100}}'"


def _check(name: str, value: Any) -> None:
    """Refuse a setting that there is not, or a value that it cannot have."""
    known = {field.name: field for field in fields(Settings)}
    if name not in known:
        raise LamplighterError(f"there is no setting {name!r} for {VARIABLE}: {suggest(name, known)}")
    kind = str(known[name].type)
    number = kind in ("int", "float")
    fits = isinstance(value, (int, float) if kind == "float" else {"int": int, "bool": bool, "str": str}[kind])
    if not fits or (number and (isinstance(value, bool) or not math.isfinite(value))):
        raise LamplighterError(f"the setting {name!r} must be {KINDS[kind]}, not {json.dumps(value)}")
    zero = name in MAY_BE_ZERO or known[name].default == 0
    if number and (value < 0 or (value == 0 and not zero)):
        raise LamplighterError(f"the setting {name!r} must be {'at least' if zero else 'more than'} 0, not {value}")
