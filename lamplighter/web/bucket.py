"""How often somebody may do something."""

from __future__ import annotations

import time
from collections import OrderedDict

CLIENTS = 10_000  # whose rate is remembered


class Bucket:
    """So many requests at once, and so many a second in the long run."""

    def __init__(self, rate: float, burst: float) -> None:
        self.rate, self.burst = rate, burst
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, client: str, cost: float = 1.0) -> float:
        """Take what a request costs; 0 if there was enough, else the seconds to wait."""
        cost = min(cost, self.burst)
        now = time.monotonic()
        left, then = self._left.pop(client, (self.burst, now))
        left = min(self.burst, left + (now - then) * self.rate)
        ok = left >= cost
        self._left[client] = (left - cost if ok else left, now)
        if len(self._left) > CLIENTS:
            self._left.popitem(last=False)
        return 0.0 if ok else (cost - left) / self.rate
