"""Switch-On, slowly: a second implementation of the rules with sets and dicts, to check the kernel against.

No speed, no drawing, no notation parser beyond splitting words. Rules are cited as §1 to §16 (fixed by the
source), §D §C §F §L §I §H §N (draw, choose, funds, cable, decorate, hand limit, next) and §S1 to §S5
(scoring).
"""

import tomllib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum
from itertools import combinations, permutations
from pathlib import Path
from typing import Any, cast

Cell = tuple[int, int]  # (row, column), row 0 at the top
Squares = tuple[Cell, ...]  # the squares of a cable or pattern, in order

SUITS = ("s", "c", "h", "d")
PLAIN_RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "j", "q", "k")
COURTS = ("j", "q", "k")
JOKER = "joker"
CARDS = (*(rank + suit for suit in SUITS for rank in (*PLAIN_RANKS, "a")), JOKER)  # canonical order
SHOP_LETTERS = "HP"
EMPTY_LETTERS = "sE."
NAMED_COSTS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {  # the cards, and what they have in common
    "black": (("black",), ()),
    "red": (("red",), ()),
    "any": (("any",), ()),
    "same-suit": (("any", "any"), ("same-suit",)),
    "same-rank": (("any", "any"), ("same-rank",)),
    "run": (("any", "any"), ("run",)),
    "court+any": (("court", "any"), ()),
}
STEPS = {"row": ((0, 1),), "column": ((1, 0),), "diagonal": ((1, 1), (1, -1))}


class Phase(Enum):
    """Where the state machine stands."""

    FIRST = "first player"
    DEAL = "deal"
    DRAW = "draw"
    CHOOSE = "choose"
    FUNDS = "funds"
    CABLE = "cable"
    DECORATE = "decorate"
    LIMIT = "limit"
    OVER = "over"


@dataclass(frozen=True)
class Shape:
    """A row of the chart of cables."""

    name: str
    card: str  # what the card must be that buys it
    kind: str
    cells: tuple[tuple[int, int, str], ...]
    dots: tuple[int, ...]


@dataclass(frozen=True)
class Decoration:
    """A row of the chart of decorations."""

    name: str
    letter: str
    power: bool
    where: tuple[str, ...]
    cards: tuple[str, ...]
    common: tuple[str, ...]
    points: int


@dataclass(frozen=True)
class Pattern:
    """A row of the chart of special patterns."""

    name: str
    forms: tuple[tuple[tuple[int, int, str], ...], ...]  # every way to lie: rows down, columns right, letter
    points: int


@dataclass(frozen=True)
class Cable:
    """A strand drawn on a sheet."""

    shape: str
    kind: str
    path: Squares
    dots: frozenset[Cell]  # §8 the squares with a black dot


@dataclass
class Sheet:
    """A seat's paper and hand."""

    money: int
    cable: int
    hand: list[str] = field(default_factory=list)
    cables: list[Cable] = field(default_factory=list)
    decorations: dict[Cell, str] = field(default_factory=dict)  # square -> decoration name


def load_box() -> dict[str, object]:
    """Read the default components."""
    with (Path(__file__).parent.parent / "box.toml").open("rb") as file:
        return tomllib.load(file)


def parse_cell(text: str) -> Cell:
    """`c3` -> (2, 3)."""
    return ord(text[0]) - ord("a"), int(text[1:])


def format_cell(cell: Cell) -> str:
    """(2, 3) -> `c3`."""
    return chr(ord("a") + cell[0]) + str(cell[1])


def in_card_order(cards: Iterable[str]) -> list[str]:
    """Sort by suit s c h d, within a suit 2 to ace, jokers last."""
    return sorted(cards, key=CARDS.index)


def is_wild(card: str) -> bool:
    """§6 Jokers and aces are wild."""
    return card == JOKER or card[0] == "a"


def rank_of(card: str) -> str:
    """`10s` -> `10`."""
    return card[:-1]


def suit_of(card: str) -> str:
    """`10s` -> `s`."""
    return card[-1]


def band_of(card: str) -> str:
    """§7 `number` for 2 to 10, `court` for j q k."""
    return "court" if rank_of(card) in COURTS else "number"


def meets(condition: str, card: str) -> bool:
    """§B2 Whether a card is what a condition asks for, all its words; a wild card is anything."""
    if is_wild(card):
        return True
    for word in condition.split():
        if word in ("black", "red"):
            met = (suit_of(card) in ("s", "c")) == (word == "black")
        elif word in ("number", "court"):
            met = band_of(card) == word
        elif word in SUITS:
            met = suit_of(card) == word
        elif "-" in word:
            low, high = word.split("-")
            met = rank_of(card) in PLAIN_RANKS[PLAIN_RANKS.index(low) : PLAIN_RANKS.index(high) + 1]
        elif word in ("any", "wild"):
            met = word == "any"
        else:
            met = rank_of(card) == word
        if not met:
            return False
    return True


def share(common: str, cards: list[str]) -> bool:
    """§B2 Whether cards have this in common; wild ones become whatever is missing."""
    plain = [card for card in cards if not is_wild(card)]
    if common == "same-suit":
        return len({suit_of(card) for card in plain}) <= 1
    if common == "same-colour":
        return len({suit_of(card) in ("s", "c") for card in plain}) <= 1
    if common == "same-rank":
        return len({rank_of(card) for card in plain}) <= 1
    ranks = {rank_of(card) for card in plain}
    if len(ranks) < len(plain):
        return False
    runs = [PLAIN_RANKS[i : i + len(cards)] for i in range(len(PLAIN_RANKS) - len(cards) + 1)]
    return any(ranks <= set(run) for run in runs)


def pays(conditions: tuple[str, ...], common: tuple[str, ...], cards: tuple[str, ...]) -> bool:
    """§2 §6 §B2 Exactly as many cards as conditions, each for one of them, and all that they must share."""
    if len(cards) != len(conditions):
        return False
    dealt = any(all(map(meets, conditions, order)) for order in permutations(cards))
    return dealt and all(share(one, list(cards)) for one in common)


def is_paid(cost: str, cards: tuple[str, ...]) -> bool:
    """§2 §6 Whether cards pay a cost that has a name: `same-suit` is paid by 5c+ah, `run` by kd+as but not by 2s+kd."""
    return pays(*NAMED_COSTS[cost], cards)


def as_tuple(value: Any) -> tuple[Any, ...]:
    """One entry or a list of them."""
    return tuple(value) if isinstance(value, list) else (value,)


def forms_of(row: dict[str, Any]) -> tuple[tuple[tuple[int, int, str], ...], ...]:
    """§13 §B4 Every way in which a pattern may lie."""
    if "lines" in row:
        steps = [step for direction in row["directions"] for step in STEPS[direction]]
        return tuple(
            tuple((down * i, right * i, letter) for i, letter in enumerate(line))
            for line in row["lines"]
            for down, right in steps
        )
    form = [(r, c, letter) for r, text in enumerate(row["shape"]) for c, letter in enumerate(text) if letter != "."]
    found = set()
    for mirror in (False, True) if row.get("mirrored") else (False,):
        for quarter in range(4) if row.get("turned") else (0,):
            turned = [(r, -c, x) if mirror else (r, c, x) for r, c, x in form]
            for _ in range(quarter):
                turned = [(-c, r, x) for r, c, x in turned]
            corner = min(turned)
            found.add(tuple(sorted((r - corner[0], c - corner[1], x) for r, c, x in turned)))
    return tuple(found)


def distance(one: Cell, other: Cell) -> int:
    """§14 §B5 How many spaces two squares are apart, diagonals included; a square and itself 0."""
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))


def best_disjoint(patterns: list[tuple[frozenset[Cell], int]]) -> int:
    """§13 §S4 The largest sum over patterns that share no square: leave the first, or take it, and go on."""
    if not patterns:
        return 0
    (squares, points), rest = patterns[0], patterns[1:]
    apart = [other for other in rest if not squares & other[0]]
    taken = points + best_disjoint(apart)
    if len(apart) == len(rest):
        return taken
    return max(taken, best_disjoint(rest))


class Reference:
    """One match of Switch-On.

    Squares are row letter and column from 0 (`f0` = row 5, column 0). Cards are rank and suit, `2s` to `10s`,
    `js` `qs` `ks` `as`, suits s c h d, and `joker`. Their order is s c h d, in a suit 2 to ace, jokers last.

    Outcomes
        `first 0`             the first player, if drawn; weight 1 each; for nobody in particular
        `7d`, `joker`         the next card of the deal or of a turn's draw; weight = copies left face down

    Moves
        `funds` `decorate` `cable`      choose, by the active seat
        `raise 7d 2+2`                  funds: the card (or `none`), then its units as money + cable
        `pass`                          cable: none
        `lay ks line4 f0 f1 f2 f3`      cable: the card, the shape, the squares along the cable, beginning at
                                        the end that comes first row by row: `lay 5c corner3 h8 i8 i7`,
                                        never `lay 5c corner3 i7 i8 h8`
        `hang star 5c+ah f0`            decorate: the decoration, the cards in order, the square
        `stop`                          decorate: no more
        `discard 2s`                    hand limit, one card at a time
    """

    def __init__(self, options: dict[str, object], box: dict[str, object]) -> None:
        """`options` must be complete; `box` is what `load_box` gives."""
        chosen = cast("dict[str, Any]", options)
        self.seats: int = chosen["seats"]
        hands = cast("dict[str, Any]", box).get("hands", {"start": 6, "limit": 8})
        self.hand_start: int = hands["start"] if chosen["hand_start"] == "sheet" else chosen["hand_start"]
        self.hand_limit: int = hands["limit"] if chosen["hand_limit"] == "sheet" else chosen["hand_limit"]
        self.tree_mode: str = chosen["tree_mode"]
        self.track_limit: str = chosen["track_limit"]
        self.unpowered_cable_scores: bool = chosen["unpowered_cable_scores"]
        if not 2 <= self.seats <= 4:
            raise ValueError(f"seats must be 2 to 4, not {self.seats}")
        if self.tree_mode not in ("labelled", "count"):
            raise ValueError(f"tree_mode must be labelled or count, not {self.tree_mode!r}")
        self._read_box(cast("dict[str, Any]", box))

        self.sheets = [Sheet(self.start_money, self.start_cable) for _ in range(self.seats)]
        self.deck = Counter({card: 2 if card == JOKER else 1 for card in CARDS})  # face-down cards left
        self.phase = Phase.FIRST
        self.active = 0
        self.turn = 0  # 1 is the first
        self.end_turn: int | None = None  # the turn whose draw took the last face-down card
        self.receivers: list[int] = []  # seats the coming cards go to, in order
        self.busy: set[int] = set()  # seats that still have to act in this phase
        if chosen["first_player"] != "random":
            self._begin_deal(int(chosen["first_player"]))

    def _read_box(self, box: dict[str, Any]) -> None:
        self.town: dict[Cell, str] = {
            (row, col): letter for row, letters in enumerate(box["map"]["rows"]) for col, letter in enumerate(letters)
        }
        kinds = {
            letter: tree if isinstance(tree, dict) else {"times": tree, "reach": 1}
            for letter, tree in box["trees"].items()
        }
        self.trees = {cell: kinds[letter]["times"] for cell, letter in self.town.items() if letter in kinds}
        self.reach = {cell: kinds[letter]["reach"] for cell, letter in self.town.items() if letter in kinds}
        self.grounds: list[dict[str, str]] = box.get("grounds", [])
        self.shop_letters = SHOP_LETTERS + "".join(one["letter"] for one in self.grounds if one["strands"] == "shop")
        self.empty_letters = EMPTY_LETTERS + "".join(one["letter"] for one in self.grounds if one["strands"] == "empty")
        tracks = box["tracks"]
        self.money_limit: int = tracks.get("limit", tracks.get("money_limit"))
        self.cable_limit: int = tracks.get("limit", tracks.get("cable_limit"))
        if self.track_limit != "sheet":
            self.money_limit = self.cable_limit = int(self.track_limit)
        self.start_money: int = box["tracks"]["start_money"]
        self.start_cable: int = box["tracks"]["start_cable"]
        self.raise_funds: dict[str, Any] = box["raise_funds"]
        self.cable_points: int = box["scoring"]["cable_points"]
        self.shapes = {
            row["name"]: Shape(
                row["name"],
                row["card"] if "card" in row else f"{row['suit']} {row['band']}",
                row["kind"],
                tuple((*cell,) for cell in row["cells"]),
                tuple(row.get("dots", (0, len(row["cells"]) - 1))),
            )
            for row in box["shapes"]
        }
        self.decorations = {}
        for row in box["decorations"]:
            named = isinstance(row["cost"], str) and row["cost"] in NAMED_COSTS
            cards, common = (
                NAMED_COSTS[row["cost"]] if named else (as_tuple(row["cost"]), as_tuple(row.get("relation", [])))
            )
            self.decorations[row["name"]] = Decoration(
                row["name"], row["letter"], row["power"], as_tuple(row["where"]), cards, common, row["points"]
            )
        self.patterns = [Pattern(row["name"], forms_of(row), row["points"]) for row in box["patterns"]]
        self.clean_placements = {shape.name: self._clean_placements(shape) for shape in self.shapes.values()}

    # What is due

    def waiting(self) -> set[int]:
        """The seats that must act now."""
        return set(self.busy)

    def chance_seat(self) -> int | None:
        """The seat the next card goes to; None for the first player's draw."""
        return self.receivers[0] if self.phase in (Phase.DEAL, Phase.DRAW) else None

    def outcomes(self) -> dict[str, int]:
        """§D Every card that may come next with its copies left; before the deal, the first player."""
        if self.phase is Phase.FIRST:
            return {f"first {seat}": 1 for seat in range(self.seats)}
        if self.phase in (Phase.DEAL, Phase.DRAW):
            return {card: copies for card, copies in self.deck.items() if copies > 0}
        return {}

    def is_over(self) -> bool:
        """§N Whether the last turn has been played."""
        return self.phase is Phase.OVER

    # Chance

    def reveal(self, outcome: str) -> None:
        """§D Carry out one outcome, and what follows by itself."""
        if outcome not in self.outcomes():
            raise ValueError(f"outcome {outcome!r} is not due in phase {self.phase.value}")
        if self.phase is Phase.FIRST:
            self._begin_deal(int(outcome.split()[1]))
            return
        self.deck[outcome] -= 1
        self.sheets[self.receivers.pop(0)].hand.append(outcome)
        if self.receivers:
            return
        if self.phase is Phase.DEAL:
            self._begin_turn()
        else:
            self._end_draw()

    def _clockwise(self) -> list[int]:
        """§1 All seats, beginning with the active one."""
        return [(self.active + step) % self.seats for step in range(self.seats)]

    def _begin_deal(self, first: int) -> None:
        """Setup: the opening hands, card by card, round by round from the first player."""
        if not 0 <= first < self.seats:
            raise ValueError(f"first player {first} is not one of {self.seats} seats")
        self.active = first
        self.phase = Phase.DEAL
        self.receivers = self._clockwise() * self.hand_start

    def _begin_turn(self) -> None:
        """§D From the active seat clockwise one card each while there are any; none once the end is near."""
        self.turn += 1
        if self.end_turn is None:
            self.receivers = self._clockwise()[: self.deck.total()]
        if self.receivers:
            self.phase = Phase.DRAW
        else:
            self._end_draw()

    def _end_draw(self) -> None:
        """§10 §D The turn that leaves no face-down card triggers the end."""
        if self.end_turn is None and self.deck.total() == 0:
            self.end_turn = self.turn
        self.phase = Phase.CHOOSE
        self.busy = {self.active}

    # Moves

    def moves(self, seat: int) -> set[str]:
        """Every legal move of a seat; none if the seat is not waited for."""
        if seat not in self.busy:
            return set()
        sheet = self.sheets[seat]
        if self.phase is Phase.CHOOSE:  # §C
            return {"funds", "decorate", "cable"}
        if self.phase is Phase.FUNDS:
            return self._funds_moves(sheet)
        if self.phase is Phase.CABLE:
            return self._cable_moves(sheet)
        if self.phase is Phase.DECORATE:
            return self._decorate_moves(sheet)
        return {f"discard {card}" for card in sheet.hand}

    def play(self, seat: int, move: str) -> None:
        """Carry out one legal move, and what follows by itself."""
        if move not in self.moves(seat):
            raise ValueError(f"illegal move {move!r} of seat {seat} in phase {self.phase.value}")
        sheet = self.sheets[seat]
        verb, *words = move.split()
        if self.phase is Phase.CHOOSE:
            self.phase = Phase(verb)
            self.busy = set(range(self.seats))
        elif verb == "raise":
            self._raise(sheet, words[0], words[1])
            self.busy.remove(seat)
        elif verb == "lay":
            self._lay(sheet, words[0], words[1], words[2:])
            self.busy.remove(seat)
        elif verb == "hang":
            self._hang(sheet, words[0], words[1].split("+"), words[2])
        elif verb == "discard":
            sheet.hand.remove(words[0])
            if len(sheet.hand) <= self.hand_limit:
                self.busy.remove(seat)
        else:  # pass or stop
            self.busy.remove(seat)
        if not self.busy:
            self._end_phase()

    def _end_phase(self) -> None:
        """§H §N After the action the hand limit, after the limit the next turn or the end."""
        if self.phase is not Phase.LIMIT:
            self.phase = Phase.LIMIT
            self.busy = {seat for seat, sheet in enumerate(self.sheets) if len(sheet.hand) > self.hand_limit}
            if self.busy:
                return
        if self.end_turn is not None and self.turn == self.end_turn + self.seats:
            self.phase = Phase.OVER
            return
        self.active = (self.active + 1) % self.seats
        self._begin_turn()

    # Raise Funds

    def units(self, card: str) -> int:
        """§F Units for a discarded card, or for `none`: 7d gives 3 + 1."""
        if card == "none":
            return int(self.raise_funds["none"])
        if card in self.raise_funds.get("card", {}):
            return int(self.raise_funds["card"][card])
        if is_wild(card):
            return int(self.raise_funds["wild"])
        return int(self.raise_funds["rank"][rank_of(card)]) + int(self.raise_funds["bonus"][suit_of(card)])

    def _funds_moves(self, sheet: Sheet) -> set[str]:
        """§F Any card or none, its units split in any way, even where some are lost."""
        return {
            f"raise {card} {money}+{self.units(card) - money}"
            for card in ["none", *sheet.hand]
            for money in range(self.units(card) + 1)
        }

    def _raise(self, sheet: Sheet, card: str, split: str) -> None:
        """§16 §F Discard, then move both tracks; surplus over the limit is lost."""
        if card != "none":
            sheet.hand.remove(card)
        money, cable = split.split("+")
        sheet.money = min(self.money_limit, sheet.money + int(money))
        sheet.cable = min(self.cable_limit, sheet.cable + int(cable))

    # Install Light Cable

    def _has_ground(self, cell: Cell, ground: str) -> bool:
        """§5 §9 Shop squares (Power is one), empty squares, or either; trees and churches are neither."""
        letter = self.town.get(cell)
        if letter is None:
            return False
        is_shop, is_empty = letter in self.shop_letters, letter in self.empty_letters
        general = {"H": is_shop, "e": is_empty, "*": is_shop or is_empty}
        return any(general.get(one, one == letter) for one in ground)

    def _clean_placements(self, shape: Shape) -> dict[Squares, frozenset[Cell]]:
        """§7 §9 §B3 Where a shape fits a clean sheet, turned and mirrored, with its dots; only a dot may lie on Power.

        Squares are in the order of the chart. A line whose dots are the same from both ends begins with the end that comes
        first row by row. Of several orders with the same squares and dots the first is taken.
        """
        steps = [abs(a[0] - b[0]) + abs(a[1] - b[1]) for a, b in zip(shape.cells, shape.cells[1:], strict=False)]
        last = len(shape.cells) - 1
        two_ways = all(step == 1 for step in steps) and {last - dot for dot in shape.dots} == set(shape.dots)
        orders: dict[tuple[frozenset[Cell], frozenset[Cell]], set[Squares]] = {}
        fitting = set()
        for corner_row, corner_col in self.town:
            for mirror in (1, -1):
                turned = [(row, col * mirror, ground) for row, col, ground in shape.cells]
                for _ in range(4):
                    turned = [(col, -row, ground) for row, col, ground in turned]
                    path = tuple((corner_row + row, corner_col + col) for row, col, _ in turned)
                    grounds = [ground for _, _, ground in turned]
                    if not all(cell in self.town for cell in path):
                        continue
                    dots = frozenset(path[dot] for dot in shape.dots)
                    orders.setdefault((frozenset(path), dots), set()).update(
                        (path, path[::-1]) if two_ways else (path,)
                    )
                    on_power = any(self.town[cell] == "P" for cell in set(path) - dots)
                    if all(map(self._has_ground, path, grounds)) and not on_power:
                        fitting.add((frozenset(path), dots))
        return {min(orders[key]): key[1] for key in fitting}

    def may_lay(self, sheet: Sheet, shape: str, path: Squares) -> bool:
        """§8 §9 Whether a shape may be drawn on these squares: over old cable only dot on dot."""
        if path not in self.clean_placements[shape]:
            return False
        for old in sheet.cables:
            if old.shape == shape and set(old.path) == set(path):
                return False
            for cell in set(path) & set(old.path):
                if cell not in self.clean_placements[shape][path] or cell not in old.dots:
                    return False
        return True

    def _buys(self, card: str, shape: Shape) -> bool:
        """§6 §7 Suit and band of the card give the shape; a wild card buys any."""
        return meets(shape.card, card)

    def _cable_moves(self, sheet: Sheet) -> set[str]:
        """§L Pass, or with at least one cable left any card, shape and placement that go together."""
        found = {"pass"}
        if sheet.cable < 1:
            return found
        for name, shape in self.shapes.items():
            cards = [card for card in sheet.hand if self._buys(card, shape)]
            if not cards:
                continue
            for path in self.clean_placements[name]:
                if self.may_lay(sheet, name, path):
                    cells = " ".join(map(format_cell, path))
                    found.update(f"lay {card} {name} {cells}" for card in cards)
        return found

    def _lay(self, sheet: Sheet, card: str, shape: str, cells: list[str]) -> None:
        """§7 §L Pay one cable and the card, draw the shape."""
        sheet.cable -= 1
        sheet.hand.remove(card)
        path = tuple(map(parse_cell, cells))
        sheet.cables.append(Cable(shape, self.shapes[shape].kind, path, self.clean_placements[shape][path]))

    # Install Decorations

    def light_squares(self, sheet: Sheet) -> set[Cell]:
        """Squares with light cable, powered or not."""
        return {cell for cable in sheet.cables if cable.kind == "light" for cell in cable.path}

    def may_hang(self, sheet: Sheet, decoration: str, cell: Cell) -> bool:
        """§3 §4 §5 Whether the square suits the decoration and holds none yet."""
        if cell in sheet.decorations:
            return False
        letter = self.town[cell]
        own = {one["name"]: one["letter"] for one in self.grounds}
        for where in self.decorations[decoration].where:
            if where == "cable":
                suits = cell in self.light_squares(sheet)
            elif where == "tree":
                suits = cell in self.trees
            elif where == "any":
                suits = letter != "C"
            else:
                letters = {"shop": "HP", "open": ".", "street": "s", "entrance": "E", **own}
                suits = letter in letters.get(where, where)
            if suits:
                return True
        return False

    def _decorate_moves(self, sheet: Sheet) -> set[str]:
        """§2 §I Stop, or with money left any decoration, set of cards that pays it, and square."""
        found = {"stop"}
        if sheet.money < 1:
            return found
        hand = in_card_order(sheet.hand)
        for name, decoration in self.decorations.items():
            payments = {
                "+".join(cards)
                for cards in combinations(hand, len(decoration.cards))
                if pays(decoration.cards, decoration.common, cards)
            }
            squares = [cell for cell in self.town if self.may_hang(sheet, name, cell)]
            found.update(f"hang {name} {payment} {format_cell(cell)}" for payment in payments for cell in squares)
        return found

    def _hang(self, sheet: Sheet, decoration: str, cards: list[str], cell: str) -> None:
        """§2 §I Pay one money and the cards, draw the decoration."""
        sheet.money -= 1
        for card in cards:
            sheet.hand.remove(card)
        sheet.decorations[parse_cell(cell)] = decoration

    # Scoring

    def powered_squares(self, sheet: Sheet) -> set[Cell]:
        """§12 §S1 Squares of all cables, light or dashed, that hang together with Power from end to end."""
        dots = {cell for cell, letter in self.town.items() if letter == "P"}
        powered: set[Cell] = set()
        left = list(sheet.cables)
        while joined := [cable for cable in left if dots & cable.dots]:
            for cable in joined:
                dots.update(cable.dots)
                powered.update(cable.path)
                left.remove(cable)
        return powered

    def surviving(self, sheet: Sheet) -> dict[Cell, Decoration]:
        """§12 §S2 The decorations left once unpowered light decorations are struck."""
        powered = self.powered_squares(sheet)
        drawn = {cell: self.decorations[name] for cell, name in sheet.decorations.items()}
        return {cell: one for cell, one in drawn.items() if not one.power or cell in powered}

    def multiplier(self, squares: Iterable[Cell]) -> int:
        """§14 What trees near all these squares make of their points: f0 is beside the small tree g1, so 2.

        `labelled`: the best tree's own value. `count`: one more for each tree, at most 3.
        """
        wanted = list(squares)
        values = [
            value
            for tree, value in self.trees.items()
            if all(distance(tree, cell) <= self.reach[tree] for cell in wanted)
        ]
        if self.tree_mode == "count":
            return min(3, 1 + len(values))
        return max(values, default=1)

    def patterns_on(self, drawn: dict[Cell, Decoration]) -> list[tuple[frozenset[Cell], int]]:
        """§13 §S4 Every special pattern to be seen, overlapping or not, with its points after trees."""
        found = []
        for pattern in self.patterns:
            for form in pattern.forms:
                for row, col in sorted(drawn):
                    cells = {(row + down, col + right): letter for down, right, letter in form}
                    if all(cell in drawn and drawn[cell].letter == letter for cell, letter in cells.items()):
                        found.append((frozenset(cells), pattern.points * self.multiplier(cells)))
        return found

    def score(self, seat: int) -> dict[str, int]:
        """§11 §S3 §S4 §S5 The crowd, line by line, if the match ended now.

        Star, angel and star on f0 f1 f2, powered and beside the small tree g1: 2 x 66 and 2 x 35.
        """
        sheet = self.sheets[seat]
        drawn = self.surviving(sheet)
        lit = self.light_squares(sheet)
        if not self.unpowered_cable_scores:
            lit &= self.powered_squares(sheet)
        return {
            "decorations": sum(one.points * self.multiplier([cell]) for cell, one in drawn.items()),
            "patterns": best_disjoint(self.patterns_on(drawn)),
            "cable": self.cable_points * len(lit),
        }

    def standing(self, seat: int) -> tuple[int, ...]:
        """§11 The total, then powered light decorations, then squares with light cable, powered or not."""
        total = sum(self.score(seat).values())
        return total, self.facts(seat)["powered"], len(self.light_squares(self.sheets[seat]))

    def facts(self, seat: int) -> dict[str, int]:
        """§S2 Light decorations that score, cables drawn, light decorations that would be struck."""
        sheet = self.sheets[seat]
        light = sum(self.decorations[name].power for name in sheet.decorations.values())
        powered = sum(one.power for one in self.surviving(sheet).values())
        return {"powered": powered, "cables": len(sheet.cables), "struck": light - powered}

    # For tests: draw without paying and without asking whether it is legal.

    def put_cable(self, seat: int, shape: str, cells: str) -> None:
        """Draw a cable, e.g. `put_cable(0, "line3", "a0 a1 a2")`."""
        path = tuple(map(parse_cell, cells.split()))
        dots = frozenset(path[dot] for dot in self.shapes[shape].dots)
        self.sheets[seat].cables.append(Cable(shape, self.shapes[shape].kind, path, dots))

    def put_decoration(self, seat: int, decoration: str, cell: str) -> None:
        """Draw a decoration, e.g. `put_decoration(0, "star", "f0")`."""
        self.sheets[seat].decorations[parse_cell(cell)] = decoration
