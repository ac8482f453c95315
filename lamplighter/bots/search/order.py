"""The order of a turn's moves: a search keeps equal states once, so that a plan stands for all its other orders."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lamplighter.engine.position import Position


def can_begin_with(position: Position, seat: int, actions: tuple[int, ...], first: int) -> bool:
    """Return whether a plan can be played with this action first, and comes to the same state then."""
    if actions[0] == first:
        return True
    if first not in actions:
        return False
    rest = list(actions)
    rest.remove(first)
    end, other = position.copy(), position.copy()
    for action in actions:
        end.apply(seat, action)
    for action in (first, *rest):
        if other.refusal(seat, action) is not None:
            return False
        other.apply(seat, action)
    return other == end
