"""Figures for the rules: worked examples on the town alone. They show the box of the game, not another one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lamplighter.engine.position import parse_position
from lamplighter.engine.variant import Variant
from lamplighter.games.switch_on.components.cards import CARD_NAMES
from lamplighter.games.switch_on.picture.town import draw_cables, draw_decorations, draw_town, lay_out
from lamplighter.svg import Picture

if TYPE_CHECKING:
    from lamplighter.engine.position import Position

EXAMPLES = (  # strands, decorations, and what the figure shows
    (
        "-",
        "wreath:a0f7+bauble:g1+banner:a4+reindeer:c4+sleigh:e6",
        "Where decorations go without a strand (§4, §5). A banner is on the entrance a4, a reindeer and a sleigh are on street "
        "squares, a bauble is on a tree, and wreaths are anywhere. Nothing is ever drawn on the church, c6 and c7.",
    ),
    (
        "line4:f0f1f2f3+line4:f0g0h0i0+corner3:a7a8b8+arch3:d3e3f3+dash3:d3d4d5+arch4:g5g6g7g8",
        "-",
        "Strands (§7 to §9). Two lines of 4 meet dot on dot at f0, one of them comes from Power. An arch spans the street "
        "from f3 to d3, and a dashed strand goes on across. All of these have power and glow. The corner at a8 and the "
        "arch over open ground from g5 to g8 are not joined to Power: they are dark.",
    ),
    (
        "line4:f0f1f2f3+line4:f0g0h0i0+corner3:a7a8b8+arch3:d3e3f3+dash3:d3d4d5",
        "lantern:a8+star:f0f2+angel:f1+bauble:e4+banner:e0+reindeer:e3",
        "Scoring (§S1 to §S5). The lantern at a8 has no power and is struck. Star, angel and star are near the "
        "small tree at g1: 40 + 52 + 40, and the host 35 × 2. Banner 25, reindeer 10 × 2, bauble 8 × 2. Twelve squares "
        "with light strands: 60. The crowd is {total}.",
    ),
    (
        "-",
        "wreath:a3a5+banner:a4+reindeer:e1e2+sleigh:e3",
        "Patterns without strands (§13, §14). Wreath, banner and wreath are a gate, two reindeer and a sleigh a team: 40 "
        "each. The wreath at a5 is near the great tree and counts three times, the sleigh is near a small one and "
        "counts twice; no pattern lies near one tree as a whole. Decorations {decorations}, patterns {patterns}.",
    ),
)  # fmt: skip


def figures(variant: Variant) -> list[tuple[str, Picture]]:
    """Return captions and pictures; none for a box of one's own."""
    if variant.own_box:
        return []
    standard, found = Variant(variant.game, {"first_player": "0"}), []
    for cables, decorations, caption in EXAMPLES:
        cards = ".".join((*CARD_NAMES, CARD_NAMES[-1]))
        turn = "24;0;over"
        position = parse_position(standard, f"{turn};{cards};0,0,-,{cables},{decorations};0,0,-,-,-")
        said = caption.format(total=position.total(0), **position.score(0))
        found.append((said, _draw(position)))
    return found


def _draw(position: Position) -> Picture:
    variant, state = position.variant, position.state
    town = lay_out(variant, 16, 16)
    body = [*draw_town(variant, town.left, town.top), *draw_cables(town, state, 0), *draw_decorations(town, state, 0)]
    boxes = town.boxes()
    right, bottom = (max(box[i] + box[i + 2] for box in boxes.values()) + 4 for i in (0, 1))
    return Picture(right, bottom, body, town.symbols, boxes)
