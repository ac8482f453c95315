"""What a server can be told. Workers are processes of their own, so settings travel through the environment."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

import platformdirs

VARIABLE = "LAMPLIGHTER_SERVER"


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
    away: float = 30.0  # seconds without a sign of life after which a bot may take a seat over
    rest: float = 300.0  # seconds after which a table that nobody looks at leaves memory
    body_limit: int = 64 * 1024
    rate: float = 40.0  # requests a second of one client, in the long run
    burst: int = 400
    tables_per_hour: int = 120  # of one client
    streams: int = 100  # open event streams of one client
    table_limit: int = 100_000  # in the store
    keep_days: float = 365.0  # after which a table that nobody touched is thrown away
    keep_lobby_days: float = 7.0  # the same where the match never began
    public: str = ""  # the address to invite friends by, where it differs from the one in the browser
    warm: bool = True  # load the kernels of all games before the first request

    @property
    def shared(self) -> bool:
        """Whether other processes may write to the same store."""
        return self.workers > 1 or not self.database.startswith("sqlite")

    def export(self) -> None:
        """Leave them for the worker processes."""
        os.environ[VARIABLE] = json.dumps(asdict(self))


def from_environment() -> Settings:
    """The settings that `export` left; the defaults without it."""
    found = json.loads(os.environ.get(VARIABLE, "{}"))
    return Settings(**{"database": default_database(), **found})
