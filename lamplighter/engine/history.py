"""`History`: snapshots of a match in bounded memory, so that no moment costs a replay from the start."""

from __future__ import annotations

from lamplighter.engine.position import Position

STRIDE = 8  # entries between two snapshots, while there is room for all of them
ROOM = 32_768  # bytes of states that a match keeps


class History:
    """The position after every so many entries of a log, the first of them before any.

    When they need more than `ROOM` bytes, every second one goes and the stride doubles. A snapshot never changes, so
    copies share them.
    """

    def __init__(self, start: Position) -> None:
        self.stride = STRIDE
        self._kept = [start.copy()]

    def add(self, entries: int, position: Position) -> None:
        """Note the position after so many entries, one more than before."""
        if entries % self.stride:
            return
        self._kept.append(position.copy())
        if self.size > ROOM and len(self._kept) > 2:
            del self._kept[1::2]
            self.stride *= 2

    def last(self, entries: int) -> tuple[int, Position]:
        """Return the last snapshot that is not after so many entries: how many it is after, and a copy of it."""
        number = entries // self.stride
        return number * self.stride, self._kept[number].copy()

    def cut(self, entries: int) -> History:
        """Return a history of its own that ends after so many entries."""
        other = object.__new__(History)
        other.stride, other._kept = self.stride, self._kept[: entries // self.stride + 1]
        return other

    @property
    def size(self) -> int:
        """How many bytes the snapshots take."""
        return len(self._kept) * self._kept[0]._states.nbytes
