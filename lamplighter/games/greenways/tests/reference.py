"""Slow, plain reference of Greenways: sets, dictionaries and "try everything, keep what the rules allow".

The fast kernel is compared with this class step by step. Nothing here is drawn at random: chance is listed by
`outcomes` and told by `reveal`.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

STREET = "S"
GREENWAY = "G"
BLANK = "-"

Cell = tuple[int, int]
"""Row and column; the start tile lies at (0, 0), rows grow downwards."""

STEPS: tuple[Cell, ...] = ((-1, 0), (0, 1), (1, 0), (0, -1))
"""The neighbour beyond side 0, 1, 2, 3: north, east, south, west."""


def load_box() -> dict[str, object]:
    """The component data of `box.toml` beside the tests folder."""
    with (Path(__file__).parent.parent / "box.toml").open("rb") as file:
        return tomllib.load(file)


@dataclass(frozen=True)
class Tile:
    """A kind of tile."""

    id: str
    name: str
    sides: str
    count: int
    is_park: bool
    is_building: bool

    @property
    def is_intersection(self) -> bool:
        """§8: three or four street sides."""
        return self.sides.count(STREET) >= 3

    def pictures(self) -> set[str]:
        """The distinct sides after each quarter turn; no mirroring."""
        return {self.sides[-turns:] + self.sides[:-turns] for turns in range(4)}


@dataclass(frozen=True)
class PlacedTile:
    """A tile on the board, with its sides as they lie."""

    tile: Tile
    sides: str


Board = dict[Cell, PlacedTile]


@dataclass(frozen=True)
class Box:
    """The component data, checked."""

    hand: int
    goal_rows: int
    goal_columns: int
    points: dict[str, int]
    """§12: what a tile of each line is worth: street, greenway, park, longest, unused."""
    start: Tile
    tiles: dict[str, Tile]


# Reading the box


def parse_box(box: dict[str, object]) -> Box:
    """Check the loaded `box.toml` and give it names."""
    goal = table_of(box, "goal")
    entries = box["tiles"]
    if not isinstance(entries, list):
        raise ValueError("box: 'tiles' must be a list of tables")
    tiles = [parse_tile(entry, whole_number(entry, "count")) for entry in entries]
    start = parse_tile(table_of(box, "start"), 1)
    ids = [tile.id for tile in tiles] + [start.id]
    if len(set(ids)) != len(ids):
        raise ValueError(f"box: tile ids must be unique: {ids}")
    return Box(
        hand=whole_number(box, "hand", least=1),
        goal_rows=whole_number(goal, "rows"),
        goal_columns=whole_number(goal, "columns"),
        points=parse_points(table_of(box, "points")),
        start=start,
        tiles={tile.id: tile for tile in tiles},
    )


def parse_points(table: dict[str, object]) -> dict[str, int]:
    """§12: points for a park are always given, the others are 1 unless the box says so."""
    others = [key for key in ("street", "greenway", "longest", "unused") if key in table]
    usual = {"street": 1, "greenway": 1, "longest": 1, "unused": 1}
    return usual | {key: whole_number(table, key) for key in ["park", *others]}


def parse_tile(entry: dict[str, object], count: int) -> Tile:
    """One tile of the box."""
    sides = str(entry["sides"])
    if len(sides) != 4 or not set(sides) <= {STREET, GREENWAY, BLANK}:
        raise ValueError(f"box: sides {sides!r} of tile {entry['id']!r} must be four of S, G, -")
    return Tile(
        id=str(entry["id"]),
        name=str(entry["name"]),
        sides=sides,
        count=count,
        is_park=bool(entry.get("park", False)),
        is_building=bool(entry.get("building", False)),
    )


def table_of(table: dict[str, object], key: str) -> dict[str, object]:
    """The table under `key`."""
    value = table[key]
    if not isinstance(value, dict):
        raise ValueError(f"box: {key!r} must be a table, not {value!r}")
    return value


def whole_number(table: dict[str, object], key: str, least: int = 0) -> int:
    """The integer under `key`, which must be `least` or more."""
    value = table[key]
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise ValueError(f"{key!r} must be a whole number of {least} or more, not {value!r}")
    return value


# The board


def neighbours(cell: Cell) -> Iterator[tuple[int, Cell]]:
    """Each side number of a cell with the cell beyond it."""
    for side, (row_step, column_step) in enumerate(STEPS):
        yield side, (cell[0] + row_step, cell[1] + column_step)


def facing_side(board: Board, cell: Cell, side: int) -> str:
    """What the tile at `cell` shows towards somebody who looks at it across their own side `side`."""
    return board[cell].sides[(side + 2) % 4]


def neighbours_through(board: Board, cell: Cell, network: str) -> list[tuple[int, Cell]]:
    """The street (or greenway) sides of the tile at `cell`, each with the cell beyond it, empty or not."""
    return [(side, other) for side, other in neighbours(cell) if board[cell].sides[side] == network]


def linked_neighbours(board: Board, cell: Cell, network: str) -> list[Cell]:
    """§6: the neighbours that continue the street (or greenway) of the tile at `cell`."""
    return [
        other
        for side, other in neighbours_through(board, cell, network)
        if other in board and facing_side(board, other, side) == network
    ]


def component(board: Board, cell: Cell, network: str) -> set[Cell]:
    """The whole street (or greenway) that the tile at `cell` is part of."""
    found = {cell}
    to_visit = [cell]
    while to_visit:
        for other in linked_neighbours(board, to_visit.pop(), network):
            if other not in found:
                found.add(other)
                to_visit.append(other)
    return found


def components(board: Board, network: str) -> list[set[Cell]]:
    """Every street (or greenway) on the board, one tile being enough."""
    found: list[set[Cell]] = []
    for cell, placed in board.items():
        if network in placed.sides and not any(cell in one for one in found):
            found.append(component(board, cell, network))
    return found


def is_complete(board: Board, cells: set[Cell], network: str) -> bool:
    """§8, §9: no side of this street (or greenway) faces an empty cell."""
    return all(other in board for cell in cells for _, other in neighbours_through(board, cell, network))


def has_intersection(board: Board, cells: set[Cell]) -> bool:
    """§8: one of the cells holds an intersection."""
    return any(board[cell].tile.is_intersection for cell in cells)


def has_park(board: Board, cells: set[Cell]) -> bool:
    """§9: one of the cells holds a park."""
    return any(board[cell].tile.is_park for cell in cells)


# The five placement tests


def touches_board(board: Board, cell: Cell) -> bool:
    """§P1: the cell is empty and shares a side with a placed tile."""
    return cell not in board and any(other in board for _, other in neighbours(cell))


def sides_match(board: Board, cell: Cell, sides: str) -> bool:
    """§P2 (§6, §7): every touching side is equal: street, greenway or blank on both."""
    touching = [(side, other) for side, other in neighbours(cell) if other in board]
    return all(sides[side] == facing_side(board, other, side) for side, other in touching)


def is_connected(board: Board, cell: Cell, sides: str) -> bool:
    """§P3 (§5): a tile with a street or greenway joins one by at least one side; others need not."""
    if STREET not in sides and GREENWAY not in sides:
        return True
    touching = [(side, other) for side, other in neighbours(cell) if other in board]
    return any(sides[side] == facing_side(board, other, side) != BLANK for side, other in touching)


def keeps_apart(board: Board, cell: Cell, tile: Tile) -> bool:
    """§P4 (§10): no park beside a park, no building beside a building."""
    beside = [board[other].tile for _, other in neighbours(cell) if other in board]
    if tile.is_park and any(other.is_park for other in beside):
        return False
    return not (tile.is_building and any(other.is_building for other in beside))


def completes_properly(board: Board, cell: Cell, placed: PlacedTile) -> bool:
    """§P5 (§8, §9): a street this tile completes has an intersection, a greenway it completes has a park."""
    tentative = {**board, cell: placed}
    if STREET in placed.sides:
        street = component(tentative, cell, STREET)
        if is_complete(tentative, street, STREET) and not has_intersection(tentative, street):
            return False
    if GREENWAY in placed.sides:
        greenway = component(tentative, cell, GREENWAY)
        if is_complete(tentative, greenway, GREENWAY) and not has_park(tentative, greenway):
            return False
    return True


def broken_rule(board: Board, tile: Tile, cell: Cell, sides: str) -> str | None:
    """The first of §P1 to §P5 that this placement breaks; None if it is legal."""
    if not touches_board(board, cell):
        return "§P1"
    if not sides_match(board, cell, sides):
        return "§P2"
    if not is_connected(board, cell, sides):
        return "§P3"
    if not keeps_apart(board, cell, tile):
        return "§P4"
    if not completes_properly(board, cell, PlacedTile(tile, sides)):
        return "§P5"
    return None


def placements(board: Board, tile: Tile) -> Iterator[tuple[Cell, str]]:
    """Every legal cell and picture of a tile."""
    for cell in {beside for taken in board for _, beside in neighbours(taken)}:
        for sides in tile.pictures():
            if broken_rule(board, tile, cell, sides) is None:
                yield cell, sides


def is_usable(board: Board, tile: Tile) -> bool:
    """§4: the tile has a legal placement."""
    return any(True for _ in placements(board, tile))


# The end and the score


def is_won(board: Board, goal_rows: int, goal_columns: int) -> bool:
    """§11: the box around all tiles is large enough, and each of its rows and columns has a greenway tile."""
    rows = {row for row, _ in board}
    columns = {column for _, column in board}
    all_rows = set(range(min(rows), max(rows) + 1))
    all_columns = set(range(min(columns), max(columns) + 1))
    green = [cell for cell, placed in board.items() if GREENWAY in placed.sides]
    return (
        len(all_rows) >= goal_rows
        and len(all_columns) >= goal_columns
        and {row for row, _ in green} == all_rows
        and {column for _, column in green} == all_columns
    )


def score_streets(board: Board, intersection_counts: bool) -> int:
    """§12 A: one point per tile of a street that has an intersection.

    A dead end north of the start tile, a T south of it and a dead end on both its arms: 5 points.
    """
    return sum(
        1
        for street in components(board, STREET)
        if has_intersection(board, street)
        for cell in street
        if intersection_counts or not board[cell].tile.is_intersection
    )


def score_greenways(board: Board) -> int:
    """§12 B: one point per tile of a greenway that has a park, the parks included.

    A greenway end on one side of the start tile and a park on the other: 3 points.
    """
    return sum(len(greenway) for greenway in components(board, GREENWAY) if has_park(board, greenway))


def score_parks(board: Board, points: int) -> int:
    """§12 C: points for every park on the board, linked or not: 5 parks of 2 points are 10."""
    return points * sum(1 for placed in board.values() if placed.tile.is_park)


def score_longest(board: Board, longest: str) -> int:
    """§12 D: the tiles of one largest greenway, or of one longest simple path along a greenway.

    A park with three sides and one tile on each of them: 4 points, or 3 points along the path.
    """
    if longest == "component":
        return max((len(greenway) for greenway in components(board, GREENWAY)), default=0)
    starts = [cell for cell, placed in board.items() if GREENWAY in placed.sides]
    return max((longest_path_from(board, cell, {cell}) for cell in starts), default=0)


def longest_path_from(board: Board, cell: Cell, walked: set[Cell]) -> int:
    """Tiles of the longest greenway path that begins at `cell` and goes on outside `walked`."""
    return 1 + max(
        (
            longest_path_from(board, other, walked | {other})
            for other in linked_neighbours(board, cell, GREENWAY)
            if other not in walked
        ),
        default=0,
    )


# The match


def parse_move(move: str) -> tuple[str, Cell, str]:
    """`SC -1,0 S--S` is tile `SC` at (-1, 0) with the sides `S--S`."""
    tile_id, place, sides = move.split(" ")
    row, column = place.split(",")
    return tile_id, (int(row), int(column)), sides


def format_move(tile_id: str, cell: Cell, sides: str) -> str:
    """The text that `parse_move` reads."""
    return f"{tile_id} {cell[0]},{cell[1]} {sides}"


class Stage(Enum):
    """What a seat does next."""

    DRAWING = "draws tiles"
    PLACING = "must place a tile of the hand"
    PLACED = "waits for the next round"
    OVER = "has ended"


@dataclass
class SeatGame:
    """One seat's board and tiles; `pile`, `hand` and `aside` share no tile."""

    board: Board
    pile: Counter[str]
    hand: Counter[str] = field(default_factory=Counter)
    aside: Counter[str] = field(default_factory=Counter)
    stage: Stage = Stage.PLACED
    won: bool = False
    placed: int = 0
    redraws: int = 0


class Reference:
    """A match of Greenways: one solo game, or a race of several solo games side by side.

    Outcomes
        One tile per step, written as its id in the box (`SC`). Its weight is how many of the kind are left to
        draw from: not those already in this hand, and during a redraw not those set aside.

    Moves
        `<tile id> <row>,<column> <sides>`, for example `SC -1,0 S--S`. Row and column count from the start
        tile at `0,0`; rows grow downwards, columns to the right, both may be negative. The sides are the four
        letters north, east, south, west as the tile lies after turning: `S` street, `G` greenway, `-` blank.
        One move per distinct picture; equal tiles in the hand are one choice. A building reads `B 1,1 ----`.

    Rounds
        First each seat still playing, in ascending order, is dealt its whole hand, redraws included. Then all
        of them wait at once and place in any order. When the last has placed, the next round begins.

    Options
        `seats` (1 is the solo game), `leftover` (`return`, `discard`), `intersection_counts_in_A` (true,
        false), `longest` (`component`, `path`).
    """

    def __init__(self, options: dict[str, object], box: dict[str, object]) -> None:
        """§1: every seat has the start tile at (0, 0) and a pile of all other tiles."""
        self.box = parse_box(box)
        self.leftover = str(options["leftover"])
        self.longest = str(options["longest"])
        self.intersection_counts = bool(options["intersection_counts_in_A"])
        if self.leftover not in ("return", "discard"):
            raise ValueError(f"leftover must be 'return' or 'discard', not {self.leftover!r}")
        if self.longest not in ("component", "path"):
            raise ValueError(f"longest must be 'component' or 'path', not {self.longest!r}")
        start = PlacedTile(self.box.start, self.box.start.sides)
        counts = {tile.id: tile.count for tile in self.box.tiles.values()}
        seats = whole_number(options, "seats", least=1)
        self.seats = [SeatGame({(0, 0): start}, Counter(counts)) for _ in range(seats)]
        self._begin_round()

    # Whose turn

    def waiting(self) -> set[int]:
        """§2: once every hand is dealt, all seats that hold one."""
        if self.chance_seat() is not None:
            return set()
        return {seat for seat, game in enumerate(self.seats) if game.stage is Stage.PLACING}

    def chance_seat(self) -> int | None:
        """The lowest seat whose hand is not complete; None when no draw is due."""
        drawing = [seat for seat, game in enumerate(self.seats) if game.stage is Stage.DRAWING]
        return min(drawing, default=None)

    def is_over(self) -> bool:
        """Every seat's game has ended."""
        return all(game.stage is Stage.OVER for game in self.seats)

    # Drawing

    def outcomes(self) -> dict[str, int]:
        """§2: the tiles the next one may be, with how many of each there are."""
        seat = self.chance_seat()
        if seat is None:
            return {}
        return {tile_id: count for tile_id, count in self.seats[seat].pile.items() if count > 0}

    def reveal(self, outcome: str) -> None:
        """§2, §4: the tile goes to the hand; a full hand is kept if usable, else set aside."""
        seat = self.chance_seat()
        if seat is None or outcome not in self.outcomes():
            raise ValueError(f"outcome {outcome!r} is not among {self.outcomes()}")
        game = self.seats[seat]
        game.pile[outcome] -= 1
        game.hand[outcome] += 1
        if game.hand.total() < self.box.hand and game.pile.total() > 0:
            return
        game.pile += game.aside
        game.aside.clear()
        if self._has_usable(game, game.hand):
            game.stage = Stage.PLACING
        else:
            self._set_aside(game)

    def _set_aside(self, game: SeatGame) -> None:
        """§4: the unusable hand is out of the draw until the next hand is full.

        There is always a tile left to draw: the turn began with a usable tile in the pile, it is not in this
        hand, so it is among the rest. Should a changed rule ever leave none, the tiles go straight back.
        """
        game.redraws += 1
        game.aside = game.hand
        game.hand = Counter()
        if game.pile.total() == 0:
            game.pile += game.aside
            game.aside = Counter()

    def _has_usable(self, game: SeatGame, tiles: Counter[str]) -> bool:
        """§4: at least one of the tiles has a legal placement."""
        kinds = [self.box.tiles[tile_id] for tile_id, count in tiles.items() if count > 0]
        return any(is_usable(game.board, tile) for tile in kinds)

    def _begin_round(self) -> None:
        """§2: every seat whose game goes on draws again."""
        for game in self.seats:
            self._begin_hand(game)

    def _begin_hand(self, game: SeatGame) -> None:
        """§3: with no tile left to draw or to place the game ends, not won."""
        if game.stage is Stage.PLACED:
            game.stage = Stage.DRAWING if self._has_usable(game, game.pile) else Stage.OVER

    # Placing

    def moves(self, seat: int) -> set[str]:
        """§2: every legal placement of every tile of the hand; none when the seat is not waited for."""
        if seat not in self.waiting():
            return set()
        game = self.seats[seat]
        return {
            format_move(tile_id, cell, sides)
            for tile_id in game.hand
            for cell, sides in placements(game.board, self.box.tiles[tile_id])
        }

    def play(self, seat: int, move: str) -> None:
        """§2: place a tile of the hand; the others go back into the pile, or are gone with `discard`."""
        if move not in self.moves(seat):
            raise ValueError(f"illegal move {move!r} for seat {seat}")
        game = self.seats[seat]
        tile_id, cell, sides = parse_move(move)
        game.hand[tile_id] -= 1
        if self.leftover == "return":
            game.pile += game.hand
        game.hand = Counter()
        self._place(game, tile_id, cell, sides)
        if not any(other.stage in (Stage.DRAWING, Stage.PLACING) for other in self.seats):
            self._begin_round()

    def _place(self, game: SeatGame, tile_id: str, cell: Cell, sides: str) -> None:
        """§11: lay the tile; the game ends at once when the board is won."""
        game.board[cell] = PlacedTile(self.box.tiles[tile_id], sides)
        game.placed += 1
        game.won = is_won(game.board, self.box.goal_rows, self.box.goal_columns)
        game.stage = Stage.OVER if game.won else Stage.PLACED

    # The result

    def score(self, seat: int) -> dict[str, int]:
        """§12: the five lines, as if the game ended now; tiles in the hand or aside count as in the pile."""
        game, points = self.seats[seat], self.box.points
        unused = game.pile.total() + game.hand.total() + game.aside.total()
        return {
            "streets": points["street"] * score_streets(game.board, self.intersection_counts),
            "greenways": points["greenway"] * score_greenways(game.board),
            "parks": score_parks(game.board, points["park"]),
            "longest": points["longest"] * score_longest(game.board, self.longest),
            "unused": points["unused"] * unused,
        }

    def standing(self, seat: int) -> tuple[int, ...]:
        """Race: the higher total, then won before not won."""
        return sum(self.score(seat).values()), int(self.seats[seat].won)

    def facts(self, seat: int) -> dict[str, int]:
        """§3, §4: whether the board was won, tiles placed besides the start tile, and hands set aside."""
        game = self.seats[seat]
        return {"won": int(game.won), "placed": game.placed, "redraws": game.redraws}

    # For tests

    def why_not(self, seat: int, move: str) -> str | None:
        """The first of §P1 to §P5 that a move would break, whatever the hand; None if it would be legal."""
        tile_id, cell, sides = parse_move(move)
        tile = self.box.tiles[tile_id]
        if sides not in tile.pictures():
            raise ValueError(f"{sides!r} is no turn of tile {tile_id}")
        return broken_rule(self.seats[seat].board, tile, cell, sides)

    def put(self, seat: int, move: str) -> None:
        """Place a tile straight from the pile, between hands, as a turn of its own without a draw."""
        game = self.seats[seat]
        rule = self.why_not(seat, move)
        tile_id, cell, sides = parse_move(move)
        if rule is not None or game.stage is not Stage.DRAWING or game.hand.total() or game.aside.total():
            raise ValueError(f"cannot put {move!r}: {rule or 'the seat is not between hands'}")
        if game.pile[tile_id] == 0:
            raise ValueError(f"cannot put {move!r}: no such tile left in the pile")
        game.pile[tile_id] -= 1
        self._place(game, tile_id, cell, sides)
        self._begin_hand(game)
