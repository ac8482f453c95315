"""What goes wrong with the store (disk full, database away, read-only file): noted once, and told as what it is."""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Iterator

import sqlalchemy as sa

from lamplighter.errors import LamplighterError

log = logging.getLogger("lamplighter.web")
REPEAT = 60.0  # seconds until a trouble that lasts is logged again


class StoreTrouble(LamplighterError):
    """The store cannot be read or written now. Nothing is lost: whoever asked tries again after `wait` seconds."""

    code = "store/away"
    wait = 2.0

    def __init__(self) -> None:
        super().__init__("the server cannot reach its database: your moves are safe, try again in a moment")


class Troubles:
    """Turns errors of a database into `StoreTrouble`, and logs a line when they begin and when they end."""

    def __init__(self, what: str) -> None:
        self._what = what  # "read" or "written"
        self._lock = threading.Lock()
        self._since: float | None = None
        self._logged = 0.0
        self._count = 0

    @property
    def now(self) -> bool:
        """Whether the last thing that was tried failed."""
        return self._since is not None

    @contextlib.contextmanager
    def noted(self) -> Iterator[None]:
        """Note how a piece of work with the database ends."""
        try:
            yield
        except sa.exc.IntegrityError:
            raise  # the database works: it refuses
        except (sa.exc.DBAPIError, sa.exc.TimeoutError) as error:
            self._begin(error)
            raise StoreTrouble from None
        else:
            if self._since is not None:
                self._end()

    def _begin(self, error: sa.exc.SQLAlchemyError) -> None:
        with self._lock:
            now = time.monotonic()
            self._count += 1
            if self._since is None:
                self._since, self._logged = now, 0.0
            if now - self._logged < REPEAT and self._logged:
                return
            self._logged = now
        reason = str(getattr(error, "orig", None) or error).strip().splitlines()
        log.error("the store cannot be %s: %s", self._what, reason[0] if reason else type(error).__name__)

    def _end(self) -> None:
        with self._lock:
            if self._since is None:
                return
            seconds, count = time.monotonic() - self._since, self._count
            self._since, self._count = None, 0
        log.warning("the store can be %s again after %.1f s and %d failed attempts", self._what, seconds, count)
