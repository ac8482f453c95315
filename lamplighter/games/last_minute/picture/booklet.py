"""The figures of the rules booklet. All but the last are drawn from any box; the last is a position of the usual one."""

from __future__ import annotations

from lamplighter.engine.variant import Variant
from lamplighter.games.last_minute.components import ornament_names
from lamplighter.games.last_minute.notation import parse_position
from lamplighter.games.last_minute.picture.ornaments import ROOM, place_ornament, symbols
from lamplighter.games.last_minute.picture.plan import ROW, WIDTH
from lamplighter.games.last_minute.picture.sheet import draw, draw_power_box, draw_square, draw_value
from lamplighter.strokes import die, pencil_cross
from lamplighter.svg import Element, Picture, group, path, rect, text

BAUBLE, _, STAR, BOW, BELL, LIGHT = range(6)
Cell = tuple[int, int]
COUNTED = (  # §14 a sheet of 50 + 31 + 1 = 82 points
    "17;0;-;1/x23/x15621/434/x15613/x32x144,323422,121112,1,0,1222333553543432;"
    "2/164/4x153x1/534/621x11/x243x3,323422,112121,0,0,1233244234245244"
)
Figure = tuple[str, Picture]


def figures(variant: Variant) -> list[Figure]:
    """Return the sheet, a turn, a power, points of a turn; and of the usual box the final count."""
    found = [_sheet(variant), _turn(variant), _power(variant), _points_of_a_turn(variant)]
    return found if variant.own_box else [*found, _final_count(Variant(variant.game, {"seats": 2}))]


def _sheet(variant: Variant) -> Figure:
    blank = draw(variant, None, 0)
    words = (
        "A sheet: the tree, the power boxes, a track for each ornament with a box for its points, a box for each "
        "turn, and the boxes of the final count (§1)."
    )
    return words, Picture(blank.width, blank.height, blank.body, blank.symbols)


def _turn(variant: Variant) -> Figure:
    """§4–§7 The three dice of David's turn, and what he and another player write on the track of the 3."""
    drawn: list[Element] = []
    for i, face in enumerate((3, 4, 6)):
        x = 20 + i * 78
        drawn += [die(x, 10, 30, face), place_ornament(face - 1, x + 52, 25, 1)]
    drawn.append(group(rect(16, 6, 38, 38, "may", 9)))
    for i, (who, circled) in enumerate((("David", True), ("the others", False))):
        y = 60 + i * (ROW + 6)
        drawn += [text(14, y + 18, who, "ts small"), place_ornament(STAR, 86, y + ROW / 2, 0.62)]
        values = [int(value) for value in variant.box["tracks"][STAR, : int(variant.box["track_length"][STAR])]]
        step = min(34.0, (WIDTH - 116) / len(values))
        for n, value in enumerate(values):
            last = n == len(values) - 1
            drawn += draw_value(104 + n * step, y, step, value, circled and n == 0, last and not circled)
    three, four, six = (ornament_names(variant.file)[face] for face in (STAR, BOW, LIGHT))
    words = (
        f"David rolls 3, 4 and 6: {three}, {four} or {six}. He takes the 3, draws a {three} and circles its lowest free "
        f"value. All others cross out their highest free value of the {three}, and then use the 4 or the 6 (§4–§7)."
    )
    return words, Picture(WIDTH, 126, drawn, symbols(1))


def _power(variant: Variant) -> Figure:
    """§12, §13 An icon is covered and a box circled; a turn later a 3 becomes a 4, and the box is crossed out."""
    drawn: list[Element] = []
    for left, ornament, crossed in ((14, BELL, False), (194, BOW, True)):
        boxes = left + (122 if crossed else 60)
        drawn += draw_square(left + 22, 38, ROOM, not crossed, ornament)
        drawn += draw_power_box((boxes, 10, 30, 26), True, crossed)
        drawn += draw_power_box((boxes, 40, 30, 26), False, False)
        if crossed:
            drawn += [die(left + 50, 23, 30, 3), path(f"M{left + 84} 38h10m-4 -4l4 4l-4 4", "ink thin")]
            drawn.append(text(left + 106, 43, "4", "t bold"))
    names = ornament_names(variant.file)
    words = (
        f"Left, David draws a {names[BELL]} on a ±1 square and circles a power box (§12). Right, his next turn: the dice "
        f"show 3 and 2, but he crosses the box out, makes the 3 a 4, and draws a {names[BOW]} (§13)."
    )
    return words, Picture(WIDTH, 76, drawn, symbols(1))


def _points_of_a_turn(variant: Variant) -> Figure:
    """§10 Lucas scores 4 and David 3."""
    lucas = {(0, 1): BOW, (1, 0): BAUBLE, (1, 1): STAR, (2, 1): BELL}
    david = {(0, 0): BOW, (0, 1): STAR, (1, 1): BOW, (1, 2): LIGHT, (2, 1): BOW}
    drawn = [*_nine_squares(lucas, 14), *_nine_squares(david, 200)]
    drawn += [text(80, 162, "Lucas: 1 + 3 = 4", "t bold"), text(266, 162, "David: 1 + 2 = 3", "t bold")]
    names = ornament_names(variant.file)
    words = (
        f"Left, Lucas has drawn the {names[STAR]} in the middle. Three ornaments are around it, and none is a "
        f"{names[STAR]}: 1 + 3 = 4 points. Right, David has drawn the {names[BOW]} in the middle. Of the four ornaments "
        f"around it two are {names[BOW]}s themselves, which are crossed out here: 1 + 2 = 3 points (§10)."
    )
    return words, Picture(WIDTH, 172, drawn, symbols(1))


def _nine_squares(held: dict[Cell, int], left: float) -> list[Element]:
    """Draw nine squares around one that was just drawn in; what is of the same kind as it is crossed out."""
    drawn: list[Element] = []
    for row in range(3):
        for col in range(3):
            x, y, ornament = left + (col + 0.5) * ROOM, 8 + (row + 0.5) * ROOM, held.get((row, col), -1)
            drawn += draw_square(x, y, ROOM, False, ornament)
            if (row, col) == (1, 1):
                drawn.append(rect(x - 22, y - 22, 44, 44, "may", 10))
            elif ornament == held[1, 1]:
                drawn.append(pencil_cross(x, y, 14, "error"))
    return drawn


def _final_count(variant: Variant) -> Figure:
    state = parse_position(variant, COUNTED)
    drawn = draw(variant, state, 0)
    words = (
        "The end: 50 in the turn boxes, 6 + 3 + 6 + 10 + 3 + 3 = 31 for the highest circles, 1 for the power left, and "
        "nothing for the icons, of which one is not covered: 82 points (§14)."
    )
    return words, Picture(drawn.width, drawn.height, drawn.body, drawn.symbols)
