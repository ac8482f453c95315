"""Why a score of Last Minute Christmas is what it is: the squares behind every scoring line, and a sentence about it."""

from __future__ import annotations

from lamplighter.engine.phrase import Phrase, all_of
from lamplighter.engine.variant import State, Variant
from lamplighter.games.last_minute.components import ornament_names, squares_in
from lamplighter.games.last_minute.notation import format_square, ornament_on


def score_cells(variant: Variant, state: State, seat: int) -> dict[str, list[str]]:
    """Return the squares behind every scoring line."""
    squares = range(int(variant.box["squares"]))
    held = {square: ornament_on(state, seat, square) for square in squares}
    icons = [
        format_square(variant, square)
        for square in squares
        if int(variant.box["icons"]) >> square & 1 and held[square] >= 0
    ]
    found = {"turns": [format_square(variant, square) for square in squares if held[square] >= 0]}
    for ornament, name in enumerate(ornament_names(variant.file)):
        found[name] = [format_square(variant, square) for square in squares if held[square] == ornament]
    return found | {"powers": icons, "icons": icons}


def score_reasons(variant: Variant, state: State, seat: int) -> dict[str, str]:
    """Return a sentence for every scoring line that says how its points come about."""
    box = variant.box
    turns = [str(points) for points in state["turn_points"][seat].tolist() if points]
    icons = squares_in(int(box["icons"]))
    covered = [square for square in icons if int(state["decorated"][seat]) >> square & 1]
    powers, bonus = int(state["powers"][seat]), int(box["icon_bonus"])
    words = "{n} of {all} icons are covered: the bonus of {bonus} is for all of them (§14)."
    found = {
        "turns": Phrase("Your turn boxes: {sum} (§10).", sum=" + ".join(turns))
        if turns
        else Phrase("Your turn boxes are empty so far (§10)."),
        "powers": Phrase("{n} circled +1/−1 not used yet, worth 1 point each (§14).", n=powers),
        "icons": Phrase(words, n=len(covered), all=len(icons), bonus=bonus),
    }
    for ornament, name in enumerate(ornament_names(variant.file)):
        values = box["tracks"][ornament, : int(state["circled"][seat, ornament])].tolist()
        found[name] = (
            Phrase(
                "You circled {values} on this track; the highest counts: {last} (§14).",
                values=all_of(values),
                last=values[-1],
            )
            if values
            else Phrase("Nothing is circled on this track yet (§14).")
        )
    return {line: found[line] for line in variant.score_lines}
