"""What a player asks about one move: whether it is legal and why not, and what it would be worth."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lamplighter.engine.phrase import SOURCE, messages_of, translate
from lamplighter.errors import BadNotation, IllegalMove, LamplighterError
from lamplighter.web.table import Table
from lamplighter.web.views import line_title


def explain(
    table: Table, seat: int, move: str, source: str, cell: str, orientation: str, language: str = SOURCE
) -> dict[str, Any]:
    """Whether a move would be legal, and if not why: the rule and a sentence."""
    messages = messages_of(table.variant.game, language)
    text = move or _pointed_at(table, seat, source, cell, orientation)
    if text is None:
        outside = "it would leave the grid"
        return _answer(f"{source} {cell}", outside, "", translate(outside, messages))
    try:
        refusal = table.match.why(text, seat)
    except BadNotation as error:
        return _answer(text, str(error), "", translate("it does not fit here", messages))
    if refusal is None:
        return {**_answer(text, "", "", ""), "legal": True}
    return _answer(text, message_of(refusal), refusal.rule, translate(refusal.sentence, messages))


def worth(table: Table, seat: int, move: str, language: str = SOURCE) -> dict[str, Any]:
    """What a move would change in the score of its seat at once: the points, and every line that changes."""
    before, variant, messages = (
        table.match.position.seen_by(seat),
        table.variant,
        messages_of(table.variant.game, language),
    )
    after, old = before.copy(), before.score(seat)
    try:
        after.play(move, seat)
    except LamplighterError:  # the table has gone on since it was asked
        return {"move": move, "legal": False, "points": 0, "lines": []}
    changes = {name: points - old[name] for name, points in after.score(seat).items() if points != old[name]}
    titles = {name: line_title(variant, before.state, name, messages) for name in changes}
    lines = [{"name": name, "title": titles[name], "points": points} for name, points in changes.items()]
    return {"move": move, "legal": True, "points": sum(changes.values()), "lines": lines}


def message_of(error: LamplighterError) -> str:
    """What is said about an error. A refused move's own words have the whole position, and so everybody's hand."""
    if isinstance(error, IllegalMove):
        return f"illegal move {error.move!r}: {error.rule} {error.sentence}"
    return str(error)


def _answer(move: str, message: str, rule: str, sentence: str) -> dict[str, Any]:
    return {"legal": False, "move": move, "message": message, "rule": rule, "sentence": sentence}


def _pointed_at(table: Table, seat: int, source: str, cell: str, orientation: str) -> str | None:
    """The text of a move that was pointed at: a legal one of the same kind, moved there; None if it leaves the grid."""
    picture, state = table.variant.game.picture, table.match.position.seen_by(seat).state
    targets = [one for one in picture.targets(table.variant, state, seat) if one.source == source and one.cell]
    if not targets:
        return f"{source} {cell}"
    like = next((one for one in targets if one.orientation == orientation), targets[0])
    cells = picture.draw(table.variant, state, seat).cells
    return shifted(like.move, like.cell, cell, {name: box[:2] for name, box in cells.items()})


def shifted(move: str, start: str, end: str, corners: Mapping[str, tuple[float, float]]) -> str | None:
    """A move with all its cells moved as far as from one cell to another; None if one of them leaves the grid.

    >>> corners = {"a0": (0, 0), "a1": (9, 0), "b0": (0, 9), "b1": (9, 9)}
    >>> shifted("lay 5c a0 a1", "a0", "b0", corners), shifted("lay 5c a0 a1", "a0", "a1", corners)
    ('lay 5c b0 b1', None)
    """
    if start not in corners or end not in corners:
        return None
    there = {corner: name for name, corner in corners.items()}
    right, down = (corners[end][axis] - corners[start][axis] for axis in (0, 1))
    words = []
    for word in move.split(" "):
        if word in corners:
            word = there.get((corners[word][0] + right, corners[word][1] + down), "")
        words.append(word)
    return " ".join(words) if all(words) else None
