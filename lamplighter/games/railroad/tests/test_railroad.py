"""Railroad: published games, rulings, options, refusals, the box. Worked examples are files in examples/."""

from __future__ import annotations

import functools
import itertools
import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lamplighter
from lamplighter import bots, games
from lamplighter.engine.component_file import ComponentFile
from lamplighter.engine.match import Match
from lamplighter.engine.position import Position, parse_position
from lamplighter.engine.variant import Variant
from lamplighter.errors import BadBox, BadNotation, BadVariant, IllegalMove, LamplighterError, NoTakeBack
from lamplighter.games.railroad.components.board import behind
from lamplighter.games.railroad.components.catalogue import catalogue_of, entries_by_text
from lamplighter.games.railroad.notation import format_space
from lamplighter.games.railroad.rules import networks, routes
from lamplighter.games.railroad.state import Reason
from lamplighter.jit import BOUNDS_CHECKED, PURE
from lamplighter.lab.simulate import simulate

GAME = games.load("railroad")
SIZE, SPACES = 7, 49  # of the usual board
USUAL = {"rows": SIZE, "columns": SIZE}
CASES = GAME.folder.parents[3] / "shared" / "railroad" / "cases.json"
SLOW = PURE or BOUNDS_CHECKED
STRAIGHTS = ("A4", "A4", "A1", "B0")


def load(options: str = "") -> Variant:
    return lamplighter.load(f"railroad?{options}")


def put(position: Position, *moves: str, seat: int = 0) -> Position:
    """Draw routes directly: no dice, no structures, no check."""
    for move in moves:
        entry, space = divmod(position.parse_move(seat, move), SPACES)
        routes.draw(position.variant.box, position.state, seat, entry, space)
    return position


def may_put(position: Position, move: str, seat: int = 0) -> Reason:
    """§3 Whether a route may be drawn there, whatever was rolled."""
    entry, space = divmod(position.parse_move(seat, move), SPACES)
    return Reason(routes.check_place(position.variant.box, position.state, seat, entry, space))


def bit(space: str) -> int:
    return 1 << ((ord(space[0]) - ord("a")) * SIZE + int(space[1]))


def start(options: str = "", *outcomes: str) -> Match:
    match = load(options).match(typed=True)
    for outcome in outcomes:
        match.roll(outcome)
    return match


def reason(match: Match, move: str, seat: int = 0) -> str:
    """Why a move is refused; nothing if it is legal."""
    refusal = match.why(move, seat)
    return refusal.reason if isinstance(refusal, IllegalMove) else ""


def finish_drawing(match: Match, *seats: int) -> None:
    """As if these seats had drawn their results; they say done."""
    for seat in seats or match.waiting:
        match.position.state["todo"][seat] = 0
        match.play("done", seat)


# --- the published games --------------------------------------------------------------------------------------


@functools.cache
def cases() -> dict[str, Any]:
    if not CASES.exists():
        pytest.skip(f"the published games are not there: {CASES.name} is looked for beside the project")
    found: dict[str, Any] = json.loads(CASES.read_text(encoding="utf-8"))
    return found


def cut(board: str) -> list[str]:
    return [board[i : i + 5] for i in range(0, len(board), 5)]


def play_round(position: Position, placements: list[str]) -> Position | None:
    """One round as it was played. Where fewer than four results were drawn, the others are faces that fit nowhere."""
    drawn = [code[:2] for code in placements if code[0] != "S"]
    missing_a, missing_b = (most - sum(face[0] == die for face in drawn) for die, most in (("A", 3), ("B", 1)))
    for extra_a in itertools.combinations_with_replacement([f"A{i}" for i in range(6)], missing_a):
        for extra_b in itertools.combinations_with_replacement(["B0", "B1", "B2"], missing_b):
            trial = position.copy()
            for face in sorted([*drawn, *extra_a, *extra_b]):
                trial.roll(face)
            for code in placements:
                trial.play(code, 0)
            if trial.why("done", 0) is None:
                trial.play("done", 0)
                return trial
    return None


def play_rounds(position: Position, placements: list[str]) -> Position | None:
    """A whole board that is not cut into rounds, cut so that every round is a legal one."""
    left = int(position.variant.box["rounds"]) - position.turn + 1
    if left == 0:
        return None if placements else position
    for count in range(min(5, len(placements)), len(placements) - 5 * (left - 1) - 1, -1):
        dice = [code[0] for code in placements[: max(count, 0)]]
        if count >= 0 and dice.count("A") <= 3 and dice.count("B") <= 1 and dice.count("S") <= 1:
            after = play_round(position, placements[:count])
            end = play_rounds(after, placements[count:]) if after is not None else None
            if end is not None:
                return end
    return None


def test_published_games() -> None:
    """§2, §3, §7 2,548 games of a computer player: every move is legal in order, and the totals are equal."""
    listed = cases()["suites"]["games_moody"]
    assert len(listed) == 2548
    for case in listed[:: 500 if PURE else 100 if BOUNDS_CHECKED else 1]:
        position: Position | None = load().start()
        for board in case["rounds"]:
            assert position is not None
            position = play_round(position, cut(board))
        assert position is not None and position.is_over
        assert position.total(0) == case["total"], case["id"]


def test_published_games_of_people() -> None:
    """The same for 16 games of a person, which are not cut into rounds."""
    listed = cases()["suites"]["games_human"]
    assert len(listed) == 16
    for case in listed[:: 8 if SLOW else 1]:
        position = play_rounds(load().start(), cut(case["board"]))
        assert position is not None and position.is_over
        assert position.total(0) == case["total"], case["id"]


def unit_move(code: str) -> str:
    """`41DLDLo` as our move: row, column, sides n e s w as D or L, then o for an overpass."""
    space = f"{chr(ord('a') + int(code[0]))}{code[1]}"
    sides = [{"D": "h", "L": "r", "_": "-"}[letter] for letter in code[2:6]]
    wanted = "".join(sides) + ("*" if len({*sides} - {"-"}) == 2 and "o" not in code else "")
    found = entries_by_text(load())[wanted]
    return str(GAME.notation.format_move(load(), None, 0, found * SPACES)).replace(" a0 ", f" {space} ")


def test_published_units() -> None:
    """§3, §7 Small boards with the points of every line; and whether the last placement is legal."""
    names = {"exits": "exits", "road": "highway", "rail": "railway", "center": "centre", "errors": "errors"}
    for case in cases()["suites"]["moody_units"]["scores"]:
        if case["simple_ok"]:
            score = put(load().start(), *map(unit_move, case["moves"])).score(0)
            expected = {names[key]: points for key, points in case["expected"].items() if key != "total"}
            assert {key: score[key] for key in expected} == expected, case["id"]
    for case in cases()["suites"]["moody_units"]["placements"]:
        *before, last = map(unit_move, case["moves"])
        assert (may_put(put(load().start(), *before), last) == Reason.OK) == case["last_ok"], case["id"]


def test_faces_at_every_orientation() -> None:
    """§3.1 The eight orientations of the data file show the sides that it lists."""
    for row in cases()["suites"]["tile_edges"]:
        position = load().start()
        put(position, f"{row['tile']}d3{row['orientation']}")
        shown = GAME.notation.format_picture(position.state, 0, 24)
        assert shown[:4] == row["nesw"].lower().replace(".", "-")


# --- §7 against plain search ----------------------------------------------------------------------------------

Node = tuple[int, int]  # space, number of the segment in it


def plain_segments(state: Any, seat: int) -> dict[Node, dict[int, str]]:
    """§1.8 Every segment with its sides and their types."""
    found: dict[Node, dict[int, str]] = {}
    for space in range(SPACES):
        picture = GAME.notation.format_picture(state, seat, space)
        sides = {side: kind for side, kind in enumerate(picture[:4]) if kind != "-"}
        second: set[int] = set()
        if "*" not in picture:
            second = {side for side, kind in sides.items() if kind == "r"} if "h" in sides.values() else set()
        for letter, split in (("x", {1, 3}), ("a", {2, 3}), ("b", {1, 2})):
            second = split if letter in picture else second
        for number, group in enumerate((set(sides) - second, second)):
            if group:
                found[space, number] = {side: sides[side] for side in group}
    return found


def plain_neighbours(segments: dict[Node, dict[int, str]], node: Node, kinds: str) -> list[Node]:
    found = []
    for side, kind in segments[node].items():
        other = behind(USUAL, node[0], side)
        for number in range(2):
            if kind in kinds and segments.get((other, number), {}).get((side + 2) % 4) == kind:
                found.append((other, number))
    return found


def plain_longest(segments: dict[Node, dict[int, str]], kind: str, once: bool) -> int:
    """§7.2, R10 Every simple path over the segments of a type."""
    near = {node: plain_neighbours(segments, node, kind) for node in segments if kind in segments[node].values()}

    def walk(path: list[Node]) -> int:
        best = len({space for space, _ in path})
        for node in near[path[-1]]:
            if node not in path and not (once and node[0] in {space for space, _ in path}):
                best = max(best, walk([*path, node]))
        return best

    return max((walk([node]) for node in near), default=0)


def plain_networks(segments: dict[Node, dict[int, str]]) -> list[set[Node]]:
    found: list[set[Node]] = []
    for node in segments:
        if not any(node in network for network in found):
            network, ahead = {node}, [node]
            while ahead:
                for other in plain_neighbours(segments, ahead.pop(), "hr"):
                    if other not in network:
                        network.add(other)
                        ahead.append(other)
            found.append(network)
    return found


def random_board(variant: Variant, rng: random.Random, count: int, crowded: bool) -> Position:
    """Routes of the variant drawn by §3 without dice; a crowded board prefers spaces where more sides meet."""
    position = variant.start()
    box, state = variant.box, position.state
    entries = range(len(catalogue_of(variant).entries))
    for _ in range(count):
        free = int(box["open"]) & ~int(state["drawn"][0])
        fits = [(entry, int(routes.fitting_spaces(box, state, 0, entry)) & free) for entry in rng.sample(entries, 24)]
        places = [(entry, space) for entry, spaces in fits for space in range(SPACES) if spaces >> space & 1]
        if places:
            rng.shuffle(places)
            if crowded:
                places.sort(key=lambda place: -sum(int(offers) >> place[1] & 1 for offers in state["offers"][0]))
            routes.draw(box, state, 0, *places[0])
    return position


@pytest.mark.parametrize("options", ["", "edition=challenge", "expansion=lamps", "edition=challenge&expansion=lamps"])
@pytest.mark.parametrize("boards", [40, pytest.param(150, marks=pytest.mark.thorough)])
def test_lines_networks_and_loops_are_exact(options: str, boards: int) -> None:
    """§7.1, §7.2, §7.4, §4.4 F What bit operations find is what plain search finds."""
    rng = random.Random(options)
    for number in range(3 if SLOW else boards):
        variant = load(options)
        position = random_board(variant, rng, rng.randint(8, 30), crowded=number % 2 == 0)
        state, segments = position.state, plain_segments(position.state, 0)
        for once in (False, True):
            lengths = [networks.longest_line(variant.box, state, 0, kind, once) for kind in (0, 4)]
            assert lengths == [plain_longest(segments, kind, once) for kind in "hr"], position.text
        plain = plain_networks(segments)
        exits = []
        for network in plain:
            found = 0
            for space, segment in network:
                for side, kind in segments[space, segment].items():
                    mark = "hr".index(kind) * 4 + side
                    found += int(variant.box["exit_offers"][mark]) >> space & 1
            exits.append(found)
        assert position.score(0)["exits"] == sum(int(variant.box["exit_points"][n]) for n in exits)
        joined = [n for n in exits if n > 1]
        assert position.facts(0) == {"exits": sum(joined), "networks": len(joined), "specials": 0}
        links = sum(len(plain_neighbours(segments, node, "hr")) for node in segments) // 2
        assert bool(networks.has_loop(variant.box, state, 0)) == (links > len(segments) - len(plain)), position.text
        ends = sum(
            behind(USUAL, space, side) >= 0
            and segments.get((behind(USUAL, space, side), 0), {}).get((side + 2) % 4) != kind
            and segments.get((behind(USUAL, space, side), 1), {}).get((side + 2) % 4) != kind
            for (space, _), sides in segments.items()
            for side, kind in sides.items()
        )
        assert position.score(0)["errors"] == -ends


def test_a_line_that_crosses_itself() -> None:
    """R10, §7.2 The line c3 (east), c4, b4, b3, c3 (south), d3 has five spaces; entering c3 once leaves it four."""
    ring = ("c3 ns+ew", "b3 es", "b4 sw", "c4 nw")
    moves = [f"{name} {rest}" for name, rest in zip(("lamp-overpass", *["highway-curve"] * 3), ring, strict=True)]
    for option, lengths in (("true", [4, 5, 6]), ("false", [4, 5, 5])):
        position = put(load(f"expansion=lamps&line_may_cross_itself={option}").start(), *moves)
        found = [position.score(0)["highway"]]
        for more in ("highway-straight d3 ns", "highway-straight c2 ew"):
            found.append(put(position, more).score(0)["highway"])
        assert found == lengths
        assert not networks.has_loop(position.variant.box, position.state, 0), (
            "§4.4 F a route that only crosses over itself is no loop"
        )


def test_a_ring_beside_other_lines() -> None:
    """§7.2 A ring of four is one line of 4; a straight of 5 elsewhere is longer, whatever else is on the board."""
    ring = [f"highway-curve {where}" for where in ("b1 es", "b2 sw", "c2 nw", "c1 ne")]
    position = put(load("expansion=lamps").start(), *ring, "lamp-overpass d5 ns+ew")
    assert position.score(0)["highway"] == 4
    put(position, *(f"highway-straight f{column} ew" for column in range(5)))
    assert position.score(0)["highway"] == 5


def test_branches() -> None:
    """§7.2 A T adds its two longer arms; a station's railway is no highway."""
    position = put(load().start(), "highway-t c3 nes", "highway-straight b3 ns", "highway-straight a3 ns")
    assert position.score(0)["highway"] == 3
    put(position, "highway-straight c4 ew", "station-straight d3 n/s", "rail-straight e3 ns")
    assert (position.score(0)["highway"], position.score(0)["railway"]) == (4, 2)


# --- §2 the round ---------------------------------------------------------------------------------------------


def test_must_draw() -> None:
    """§2.2, R11 Done is refused while a result fits. One that fits nowhere is skipped, and the sheet says so."""
    match = start("", *STRAIGHTS)
    assert reason(match, "done") == "MUST_DRAW"
    for move in ("highway-straight a1 ns", "highway-straight b1 ns", "rail-straight b0 ew", "station-straight c1 n/s"):
        match.play(move)
    assert match.legal_moves()[-1] == "done"
    blocked = load().start()
    for face in STRAIGHTS:
        blocked.roll(face)
    # Every exit has a route of its own that leads back to the edge: only highways are open, at a0 and a6.
    for space, sides in (
        ("b0", "sw"),
        ("c0", "nw"),
        ("f0", "sw"),
        ("g0", "nw"),
        ("b6", "es"),
        ("c6", "ne"),
        ("f6", "es"),
    ):
        put(blocked, f"rail-curve {space} {sides}")
    put(blocked, "rail-curve g6 ne", "rail-curve a3 ne", "rail-curve a4 nw", "rail-curve g3 es", "rail-curve g4 sw")
    for space, sides in (("g1", "sw"), ("g2", "es"), ("g5", "es")):
        put(blocked, f"highway-curve {space} {sides}")
    assert not [move for move in blocked.legal_moves(0) if move.startswith("rail")]
    assert "fits nowhere: straight rail" in str(blocked.draw(0))
    while blocked.waiting and (moves := [move for move in blocked.legal_moves(0) if not move.startswith("special")]):
        blocked.play(moves[0])
    assert blocked.turn == 2, "the railway was not drawn, and nobody had to"


def test_equal_pictures_are_one_move() -> None:
    """§3.1, R18 Two pictures of a straight, four of a curve; equal dice and equal orientations are one move."""
    match = start("", "A4", "A4", "A4", "B2")
    straights = [move for move in match.legal_moves() if move.startswith("highway-straight")]
    assert straights == [f"highway-straight {space} {sides}" for sides in ("ns", "ew") for space in
                         (("a1", "a5", "g1", "g5") if sides == "ns" else ("d0", "d6"))]  # fmt: skip
    parse = match.position.parse_move
    assert parse(0, "A4A10") == parse(0, "A4A12") == parse(0, "a4a14") == parse(0, "highway-straight a1 sn")
    assert parse(0, "S0A10") == parse(0, "special:three-highways a1 wen/s")
    ways = {route.name: len(route.pictures) for route in catalogue_of(load("edition=challenge&expansion=lamps")).routes}
    assert ways["station-curve"] == 8 and ways["overpass"] == ways["rail-double-curve"] == 2
    assert ways["station-t-rail"] == 4 and ways["lamp-overpass"] == ways["highway-crossroads"] == 1


def test_take_back_any_mark() -> None:
    """§2.4 Any mark since the roll, as long as the others stand without it; nothing once the step is over."""
    match = start("", *STRAIGHTS)
    for move in ("highway-straight a1 ns", "highway-straight b1 ns", "rail-straight f0 ew"):
        match.play(move)
    with pytest.raises(NoTakeBack, match="depends on it"):
        match.take_back(0, "highway-straight a1 ns")
    assert match.take_back(0, "highway-straight b1 ns") == "highway-straight b1 ns"
    assert [entry.text for entry in match.log if entry.kind == "move"] == [
        "highway-straight a1 ns",
        "rail-straight f0 ew",
    ]
    match.play("highway-straight d0 ew")
    match.play("station-straight b1 n/s")
    match.play("done")
    with pytest.raises(NoTakeBack):
        match.take_back(0)


def draw_straights(match: Match, seat: int) -> None:
    """Draw the four routes of STRAIGHTS, one of them at the exit of d0, and say done."""
    for move in ("highway-straight d0 ew", "highway-straight a1 ns", "rail-straight f0 ew", "station-straight b1 n/s"):
        match.play(move, seat)
    match.play("done", seat)


def test_take_back_ends_with_the_step() -> None:
    """§2.4 With others, what was drawn stands when the Power Grid dice are used, though nothing was rolled in between."""
    match = start("expansion=power&seats=2", *STRAIGHTS, "up", "right")
    for seat in (0, 1):
        draw_straights(match, seat)
    match.play("right from d0w to d0", 0)
    assert match.take_back(0) == "right from d0w to d0"
    for seat in (0, 1):
        assert not match.can_take_back(seat)
        with pytest.raises(NoTakeBack):
            match.take_back(seat)


@pytest.mark.parametrize("options", ["expansion=power", "expansion=power&edition=challenge&goals=abc"])
def test_take_back_of_drawing_in_the_power_step_alone(options: str) -> None:
    """§2.4, §6.2 Alone, all that was done since the roll can be taken back until the round is over."""
    match = load(options).match(seed="question")
    match.roll()
    before = match.position.text
    while "done" not in match.legal_moves():
        match.play(match.legal_moves()[0])
    match.play("done")
    drawn = match.position.text
    match.play(next(move for move in match.legal_moves() if move != "done"))
    with pytest.raises(NoTakeBack, match="depends on it"):
        match.take_back(0, "done")
    match.take_back(0)
    assert match.position.text == drawn and match.position.state["power_step"] == 1
    assert match.can_take_back(0) and match.take_back(0) == "done"
    assert match.position.state["power_step"] == 0 and "done" in match.legal_moves()
    match.play("done")
    while match.can_take_back(0):
        match.take_back(0)
    assert match.position.text == before


def test_seats_finish_in_any_order() -> None:
    """§2.1, §2.4 Everybody draws at once; done can be taken back until all are done, then the round is over."""
    match = start("seats=3", *STRAIGHTS)
    moves = ("highway-straight a1 ns", "highway-straight b1 ns", "rail-straight f0 ew", "station-straight c1 n/s")
    for move, seat in itertools.product(moves, (2, 0, 1)):
        match.play(move, seat)
    match.play("done", 2)
    assert match.waiting == (0, 1)
    assert reason(match, "done", 2) == "NOT_WAITING"
    assert match.position.legal_actions(2) == []
    assert match.take_back(2) == "done"
    for seat in (1, 2, 0):
        match.play("done", seat)
    assert match.position.turn == 2 and not match.waiting


def test_rounds() -> None:
    """§1.9 Seven rounds, with Street Lamps six, with the Power Grid seven."""
    for options, rounds in (("", 7), ("expansion=lamps", 6), ("edition=challenge&expansion=power", 7)):
        match = load(options).match(seed=1)
        rng = random.Random(1)
        while not match.is_over:
            match.roll()
            assert match.position.turn <= rounds
            while match.waiting:
                match.act(0, rng.choice(match.position.legal_actions(0)))
        assert match.position.turn == rounds + 1


# --- §4 challenge ---------------------------------------------------------------------------------------------


def challenge(options: str = "", dice: tuple[str, ...] = ("A4", "A4", "B0", "B2")) -> Match:
    return start(f"edition=challenge&goals=abc{options}", *dice)


def test_village_points() -> None:
    """R1, §4.1, §7.5 Three villages are worth 6 in all, or 2 + 4 + 6."""
    for option, points in (("total", [2, 4, 6, 8]), ("per-step", [2, 6, 12, 20])):
        position = load(f"edition=challenge&village_points={option}&goals=abc").start()
        for space, worth in zip(("a2", "b5", "c4", "f4"), points, strict=True):
            assert put(position, f"station-straight {space} n/s").score(0)["villages"] == worth
        assert put(load("edition=challenge&goals=abc").start(), "overpass a2 ns").score(0)["villages"] == 0


def with_two_universities(options: str = "", dice: tuple[str, ...] = ("A4", "A4", "B0", "B2")) -> Match:
    match = challenge(options, dice)
    put(match.position, "rail-straight c0 ns", "rail-straight e1 ns")
    put(match.position, "highway-straight g5 ns", "highway-curve f5 es", "highway-curve f6 sw")
    return Match(match.variant, None, start=match.position)


def test_third_university_with_lamps() -> None:
    """§4.2, §5.1 The lamps of the special route that triggered it come first, then the extra one and its own lamps."""
    match = with_two_universities("&expansion=lamps", ("A4", "A4", "B0", "B2", "L0", "L0"))
    match.play("special:highway-crossroads g6 nesw")
    assert all(move.startswith("lamps") for move in match.legal_moves(0))
    match.play("lamps row a")
    assert {move.split(":")[0] for move in match.legal_moves(0)} == {"special", "skip"}
    match.play("special:rail-crossroads a3 nesw")
    assert len(match.legal_moves(0)) == 14
    match.play("lamps row a")
    assert reason(match, "special:three-rails b0 s/new") == "ONE_SPECIAL_A_ROUND"
    assert int(match.position.state["counted"][0]) == 1, "the extra one is outside the limits"


def test_third_university_where_nothing_fits() -> None:
    """R2, §4.2 If no special route fits, skip is the only move."""
    match = with_two_universities()
    match.play("highway-straight g6 ns")
    state = match.position.state
    state["specials"][0] = 0b111111
    assert match.legal_moves(0) == ["skip"]
    match.play("skip")
    assert "highway-straight a1 ns" in match.legal_moves(0)


def test_university_special_later() -> None:
    """R2, §4.2 Kept for later: the allowance goes first, the extra one where the limits forbid more."""
    match = with_two_universities("&university_special=later")
    with pytest.raises(BadNotation, match="nothing to skip"):
        match.why("skip", 0)
    match.play("highway-straight g6 ns")
    assert "highway-straight a1 ns" in match.legal_moves(0)
    match.play("special:highway-crossroads a1 nesw")
    state = match.position.state
    assert (int(state["counted"][0]), int(state["extra"][0])) == (1, 1)
    match.play("special:rail-crossroads a3 nesw")
    assert (int(state["counted"][0]), int(state["extra"][0])) == (1, 0)
    assert reason(match, "special:three-rails b0 s/new") == "ONE_SPECIAL_A_ROUND"


def test_fourth_university() -> None:
    """§4.2 A fourth one gives nothing."""
    match = with_two_universities()
    match.play("highway-straight g6 ns")
    match.play("skip")
    put(match.position, "highway-straight d0 ew", "highway-straight d1 ew", "highway-straight d2 ew")
    match.play("highway-straight d3 ew")
    assert int(match.position.state["extra"][0]) == 0


def test_factory_copy_drawn() -> None:
    """R3, §4.3 Any result, or only one that this seat has drawn; copies lapse with the round."""
    for option, why in (("any", ""), ("drawn", "COPY_NOT_DRAWN")):
        match = challenge(f"&factory_copy={option}")
        put(match.position, "highway-straight a1 ns", "highway-curve b1 nw", "highway-curve b0 ne")
        assert reason(match, "copy:highway-straight d0 ew") == "NO_COPY"
        match.play("highway-straight a0 ns")
        assert reason(match, "copy:highway-straight d0 ew") == ""
        assert reason(match, "copy:A4d01") == ""
        assert reason(match, "copy:station-straight d0 w/e") == why
        assert reason(match, "copy:rail-straight b0 ew") == "NOT_ROLLED"
        finish_drawing(match)
        assert int(match.position.state["copies"][0]) == 0


def test_special_on_a_factory() -> None:
    """§4.3 A special route there gives a copy too."""
    match = challenge()
    put(match.position, "highway-curve d6 es")
    match.play("special:highway-crossroads e6 nesw")
    assert int(match.position.state["copies"][0]) == 1


def test_solo_goals() -> None:
    """R4, §4.4 Alone goals 1, 2, 3 are early until round 3, 4, 5; late ones are worth 1, unless the option says 4."""
    for option, late in (("true", 1), ("false", 4)):
        position = load(f"edition=challenge&goals=dab&solo_goals={option}").start()
        for i, last in enumerate((3, 4, 5)):
            position.state["goal_round"][0, i] = last
            assert position.score(0)[f"goal{i + 1}"] == 4
            position.state["goal_round"][0, i] = last + 1
            assert position.score(0)[f"goal{i + 1}"] == late


def test_goals_are_one_variant_in_any_case() -> None:
    lower, upper = (load(f"edition=challenge&goals={letters}") for letters in ("dab", "DAB"))
    assert lower == upper == Variant(GAME, {"edition": "challenge", "goals": "dab"})
    assert (lower.options["goals"], lower.text) == ("DAB", upper.text)


def test_goals_after_power() -> None:
    """R5, §4.4 Checked when all have drawn, or when all have used the Power Grid dice."""
    for option, at_once in (("true", [4, 4]), ("false", [0, 0])):
        options = f"edition=challenge&goals=dab&seats=2&expansion=power&goals_before_power={option}"
        match = start(options, "A4", "A4", "B0", "B2", "up", "up")
        for seat in range(2):
            put(match.position, "highway-straight a0 ns", "highway-straight a6 ns", "highway-straight g0 ns", seat=seat)
        finish_drawing(match, 0)
        assert match.score(0)["goal1"] == 0
        finish_drawing(match, 1)
        assert [match.score(seat)["goal1"] for seat in range(2)] == at_once
        finish_drawing(match)
        assert [match.score(seat)["goal1"] for seat in range(2)] == [4, 4]


def test_goals_by_lot_or_by_name() -> None:
    """R6, §1.10, §4.4 Three different goals."""
    lot = load("edition=challenge").start()
    assert lot.outcomes() == {f"goal {letter}": 1 for letter in "abcdefghijkl"}
    lot.roll("goal c")
    assert len(lot.outcomes()) == 11 and "goal c" not in lot.outcomes()
    lot.roll("goal a")
    lot.roll("goal l")
    assert (lot.turn, list(lot.outcomes())) == (1, [f"A{i}" for i in range(6)])
    assert list(load("edition=challenge&goals=LCA").start().outcomes()) == [f"A{i}" for i in range(6)]
    assert load("edition=challenge&goals=lca").text == "railroad?seats=1&edition=challenge&goals=lca"
    for bad in ("aab", "abz", "ab", "true"):
        with pytest.raises(BadVariant, match="goals"):
            load(f"edition=challenge&goals={bad}")


GOAL_BOARDS = {
    "A": (["overpass c2 ns", "overpass c3 ns", "overpass d4 ns", "overpass e2 ns"], "overpass e4 ns"),
    "B": (["station-straight a2 n/s", "station-straight b5 n/s", "overpass f4 ns"], "station-straight c4 n/s"),
    "C": ([f"overpass b{col} ns" for col in range(6)], "overpass b6 ns"),
    "D": (["overpass a0 ns", "overpass g6 ns", "overpass a3 ew"], "overpass g0 ns"),
    "E": ([f"overpass {row}{col} ns" for row in "abc" for col in (4, 5, 6) if (row, col) != ("b", 5)], "overpass b5 ns"),
    "F": (["highway-curve b1 es", "highway-curve c1 ne", "station-curve b2 w/s"], "station-curve c2 w/n"),
    "G": (["special:highway-crossroads a1 nesw", *(f"highway-straight a{col} ew" for col in (2, 3, 4)), "highway-t a5 nsw",
           *(f"highway-straight {row}1 ns" for row in "bcdefg"), *(f"highway-straight {row}5 ns" for row in "bcdef")],
          "highway-straight g5 ns"),
    "H": (["station-straight c2 w/e", "station-straight c3 e/w", "station-straight c4 w/e"], "station-straight c5 e/w"),
    "I": ([f"highway-straight {row}2 ns" for row in "abcde"], "highway-straight f2 ns"),
    "J": ([f"rail-straight {row}2 ns" for row in "abcde"], "rail-straight f2 ns"),
    "K": ([f"highway-straight {row}1 ns" for row in "abcdef"], "highway-straight g1 ns"),
    "L": ([f"rail-straight {row}3 ns" for row in "abcdef"], "rail-straight g3 ns"),
}  # fmt: skip


@pytest.mark.parametrize("letter", GOAL_BOARDS)
def test_goals(letter: str) -> None:
    """§4.4, R17 Each goal is reached with the last of these routes and not before."""
    others = [other for other in "ABCD" if other != letter][:2]
    before, last = GOAL_BOARDS[letter]
    for moves, points in ((before, 0), ([*before, last], 4)):
        match = start(f"edition=challenge&goals={letter}{others[0]}{others[1]}", "A4", "A4", "B0", "B2")
        put(match.position, *moves)
        finish_drawing(match)
        assert match.score(0)["goal1"] == points


# --- §5 street lamps ------------------------------------------------------------------------------------------


def test_lamps_trigger_structures() -> None:
    """R7, §5.3 A lamp route in a factory earns a copy and in a university counts, unless the option says no."""
    dice = ("A4", "A4", "B0", "B2", "L0", "L1")
    for option, copies in (("true", 1), ("false", 0)):
        match = challenge(f"&expansion=lamps&lamps_trigger_structures={option}", dice)
        put(match.position, "highway-straight a1 ns", "highway-curve b1 nw", "highway-curve b0 ne")
        match.play("lamp-straight a0 ns")
        assert int(match.position.state["copies"][0]) == copies
        put(match.position, "highway-straight d0 ew", "highway-straight d1 ew", "highway-straight d2 ew")
        match.play("lamp-curve d3 sw")
        assert int(GAME.rules.active_universities(match.variant.box, match.position.state, 0)) == copies


def test_lamps_are_lit_once() -> None:
    """§5.1, §5.2, §3.4 A lamp in the crossing of two chosen lines is worth 1; lamp results need not be drawn."""
    match = start("expansion=lamps", *STRAIGHTS, "L0", "L5")
    match.play("lamp-straight a1 ns")
    for line, lit in (("row b", 0), ("row a", 1), ("column 1", 1)):
        match.position.state["choosing"][0] = 1
        match.play(f"lamps {line}")
        assert match.score(0)["expansion"] == lit
    finish_drawing(match)
    assert match.position.turn == 2


# --- §6 power grid --------------------------------------------------------------------------------------------


def powered(*faces: str, drawn: str = "", electrified: str = "", charges: int = 0, options: str = "") -> Match:
    """The Power Grid step of a first round, with these spaces drawn and electrified."""
    match = start(f"expansion=power{options}", *STRAIGHTS, *faces)
    put(match.position, *(f"rail-straight {space} ns" for space in f"{drawn} {electrified}".split()))
    finish_drawing(match)
    for space in electrified.split():
        match.position.state["electrified"][0] |= bit(space)
    match.position.state["charges"][0] = charges
    return Match(match.variant, None, start=match.position)


def test_power_order() -> None:
    """R8, §6.2 In either order; as rolled, using the second gives up the first."""
    for order, left in (("any", True), ("as-rolled", False)):
        match = powered("question", "right", electrified="d0", drawn="d1", options=f"&power_order={order}")
        match.play("right from d0 to d1")
        assert ("question charge" in match.legal_moves(0)) == left
        match = powered("question", "right", electrified="d0", drawn="d1", options=f"&power_order={order}")
        match.play("question charge")
        assert "right from d0 to d1" in match.legal_moves(0)


def test_faces_by_name() -> None:
    """A face is called by its route, and what is no route by its own text."""
    assert GAME.texts.say(load(), "A5") == "highway curve"
    assert GAME.texts.say(load(), "goal a").startswith("goal A: ")


def test_equal_power_dice() -> None:
    """§1.7, §6.2 Two question marks are one choice, twice."""
    match = powered("question", "question", drawn="b3")
    assert match.legal_moves(0) == ["done", "question b3", "question charge"]
    match.play("question charge")
    match.play("question charge")
    assert match.legal_moves(0) == ["done"]


def test_power_lines() -> None:
    """§6.3 Every length from the start, until a space has no route or is electrified already."""
    match = powered("up", "left", drawn="g1 f1 e1 c1", electrified="d1 d5 d4")
    from_the_exit = [f"up from g1s to {space}" for space in ("g1", "f1", "e1")]
    assert match.legal_moves(0) == ["done", "up from d1 to c1", *from_the_exit, "left charge d4"]
    assert reason(match, "up from g1s to d1") == "ALREADY_ELECTRIFIED"
    assert reason(match, "up from d1 to b1") == "NO_ROUTE"
    assert reason(match, "up from g2s to g2") == "NO_START"


def test_beside_the_accumulator() -> None:
    """R14, §6.1, §6.7 No route on it, no error towards it, and it continues nothing."""
    position = put(load("expansion=power").start(), *(f"highway-straight d{col} ew" for col in range(3)))
    assert (position.score(0)["errors"], position.score(0)["centre"]) == (0, 1)
    assert may_put(position, "highway-straight d3 ew") == Reason.ON_ACCUMULATOR
    assert may_put(position, "highway-straight d4 ew") == Reason.NOT_CONNECTED
    put(position, "rail-straight c3 ns")
    assert position.score(0)["errors"] == -1, "only its northern end"
    other = put(load().start(), *(f"highway-straight d{col} ew" for col in range(3)))
    assert other.score(0)["errors"] == -1 and may_put(other, "highway-straight d3 ew") == Reason.OK


def test_accumulator_university() -> None:
    """R9, §6.7 The university of d3 counts from the start only if the option says so; then two more are enough."""
    for option, count in (("false", 0), ("true", 1)):
        match = start(
            f"edition=challenge&expansion=power&goals=abc&accumulator_university={option}",
            "A4", "A4", "B0", "B2", "up", "up",
        )  # fmt: skip
        box, state = match.variant.box, match.position.state
        assert int(GAME.rules.active_universities(box, state, 0)) == count
        put(
            match.position,
            "rail-straight c0 ns",
            "highway-straight g5 ns",
            "highway-curve f5 es",
            "highway-curve f6 sw",
        )
        match.play("highway-straight g6 ns")
        assert ("skip" in match.legal_moves(0)) == bool(count)


def test_accumulator_centre() -> None:
    """R19, §6.7, §7.3 The accumulator's space is worth nothing, or 1 point from the start; for goal A four more are enough."""
    others = [f"overpass {space} ns" for space in ("c2", "c3", "d4", "e2")]
    for option, points, goal in (("false", 0, 0), ("true", 1, 4)):
        match = start(
            f"edition=challenge&expansion=power&goals=abc&accumulator_centre={option}",
            "A4", "A4", "B0", "B2", "up", "up",
        )  # fmt: skip
        assert match.score(0)["centre"] == points
        assert match.position.why_score("centre", 0).cells == ("d3",) * points
        put(match.position, *others)
        finish_drawing(match)
        assert (match.score(0)["centre"], match.score(0)["goal1"]) == (4 + points, goal)
    assert load("accumulator_centre=true").start().score(0)["centre"] == 0


def test_dead_end_station() -> None:
    """R20, §1.8 A dead end in a village and for goal H: no station, or one. It joins nothing and its closed side is no error."""
    for option, worth, more, goal in (("false", 0, 2, 0), ("true", 2, 6, 4)):
        match = start(f"edition=challenge&goals=hab&dead_end_station={option}", "A4", "A4", "C1", "B2")
        put(match.position, "highway-dead-end a2 e", "highway-straight a3 ew", "highway-dead-end a4 w")
        assert match.score(0)["villages"] == worth
        assert match.score(0)["errors"] == 0 and match.score(0)["highway"] == 3
        put(
            match.position, *(f"station-straight c{col} {sides}" for col, sides in ((2, "w/e"), (3, "e/w"), (4, "w/e")))
        )
        put(match.position, "rail-dead-end c5 w", "rail-dead-end f4 n")
        assert (match.score(0)["villages"], match.score(0)["railway"]) == (more, 2)
        finish_drawing(match)
        assert match.score(0)["goal1"] == goal, "three stations and a dead end"
        assert ("-h--*" in match.position.text) == bool(worth)


def test_power_step_in_every_round() -> None:
    """R16, §6.2 Also in the last round, and with nothing to use: it ends with done."""
    match = start("expansion=power")
    for turn in range(1, 8):
        for face in (*STRAIGHTS, "up", "up"):
            match.roll(face)
        finish_drawing(match)
        assert match.position.turn == turn and match.legal_moves(0) == ["done"]
        match.play("done")
    assert match.is_over


# --- refusals -------------------------------------------------------------------------------------------------


def refusals() -> list[tuple[Match, str, Reason]]:
    """A case for every reason but the one for actions that do not exist."""
    plain = start("", *STRAIGHTS)
    plain.play("highway-straight a1 ns")
    plain.play("highway-straight b1 ns")
    used = start("", *STRAIGHTS)
    used.play("special:highway-crossroads a1 nesw")
    later = start("", *STRAIGHTS)
    later.position.state["specials"][0], later.position.state["counted"][0] = 0b1, 1
    three = start("", *STRAIGHTS)
    three.position.state["specials"][0], three.position.state["counted"][0] = 0b111, 3
    lamps = start("expansion=lamps", *STRAIGHTS, "L0", "L0")
    choosing = start("expansion=lamps", *STRAIGHTS, "L0", "L0")
    choosing.play("special:highway-crossroads a1 nesw")
    extra = with_two_universities()
    extra.play("highway-straight g6 ns")
    copy = challenge("&factory_copy=drawn")
    copy.position.state["copies"][0] = 1
    drawing = start("expansion=power", *STRAIGHTS, "up", "up")
    power = powered("right", "question", electrified="d0 d2", drawn="d1", charges=3)
    once = powered("right", "question", electrified="d0", drawn="d1 b3")
    once.play("right from d0 to d1")
    seats = start("seats=2", *STRAIGHTS)
    finish_drawing(seats, 0)
    return [
        (seats, "done", Reason.NOT_WAITING),
        (plain, "rail-curve a3 ne", Reason.NOT_ROLLED),
        (plain, "highway-straight a5 ns", Reason.RESULT_USED),
        (plain, "station-straight a1 n/s", Reason.SPACE_TAKEN),
        (plain, "rail-straight c3 ns", Reason.NOT_CONNECTED),
        (plain, "rail-straight c1 ns", Reason.TYPES_CLASH),
        (drawing, "highway-straight d3 ew", Reason.ON_ACCUMULATOR),
        (later, "special:three-highways a1 new/s", Reason.SPECIAL_USED),
        (three, "special:rail-crossroads a3 nesw", Reason.NO_MORE_SPECIALS),
        (used, "special:rail-crossroads a3 nesw", Reason.ONE_SPECIAL_A_ROUND),
        (plain, "done", Reason.MUST_DRAW),
        (challenge(), "copy:highway-straight a1 ns", Reason.NO_COPY),
        (copy, "copy:highway-straight a1 ns", Reason.COPY_NOT_DRAWN),
        (choosing, "highway-straight a5 ns", Reason.CHOOSE_LAMPS),
        (lamps, "lamps column 0", Reason.NO_LAMPS_TO_CHOOSE),
        (extra, "highway-straight a1 ns", Reason.EXTRA_SPECIAL_FIRST),
        (extra, "copy:highway-straight a1 ns", Reason.EXTRA_SPECIAL_FIRST),
        (challenge(), "skip", Reason.NOTHING_TO_SKIP),
        (drawing, "up from g1s to g1", Reason.DRAW_FIRST),
        (power, "highway-straight a1 ns", Reason.DRAWING_IS_OVER),
        (power, "up charge e3", Reason.NOT_THIS_DIE),
        (once, "right from d1 to d2", Reason.DIE_USED),
        (power, "right from d4 to d5", Reason.NO_START),
        (power, "question c5", Reason.NO_ROUTE),
        (power, "question d0", Reason.ALREADY_ELECTRIFIED),
        (power, "right from d0 to d2", Reason.ALREADY_ELECTRIFIED),
        (power, "right from d2 to d3", Reason.ON_ACCUMULATOR),
        (power, "question d3", Reason.ON_ACCUMULATOR),
        (power, "right charge d2", Reason.FULLY_CHARGED),
        (power, "question charge", Reason.FULLY_CHARGED),
        (powered("right", "up", drawn="d2"), "right charge d2", Reason.CHARGE_FROM_ELECTRIFIED),
    ]


def test_every_refusal() -> None:
    """§2–§6, R15 Every reason can be met, and is the one that is given."""
    found = refusals()
    for match, move, expected in found:
        assert reason(match, move) == expected.name, move
    assert {expected for _, _, expected in found} == set(Reason) - {Reason.OK, Reason.NO_SUCH_ACTION}
    match = start("", *STRAIGHTS)
    for action in (-1, match.variant.action_count):
        assert GAME.rules.check(match.variant.box, match.position.state, 0, action) == Reason.NO_SUCH_ACTION


@pytest.mark.parametrize(
    ("options", "move", "hint"),
    [
        ("", "highway-curve a1", "write the route, the space and its sides"),
        ("", "highway-curv a1 ne", "did you mean 'highway-curve'"),
        ("", "highway-curve a1 ns", "cannot have the sides 'ns'"),
        ("", "highway-curve h1 ne", "there is no square"),
        ("", "three-rails a1 n/esw", "write 'special:three-rails'"),
        ("", "free:three-rails a1 n/esw", "neither 'special:' nor 'copy:'"),
        ("", "special:overpass a1 ns", "no special route"),
        ("", "copy:overpass a1 ns", "no factories"),
        ("", "C0a10", "no die of this variant"),
        ("edition=challenge", "copy:S0a10", "cannot be copied"),
        ("", "lamps row a", "without Street Lamps"),
        ("expansion=lamps", "lamps row 3", "write 'lamps row c'"),
        ("", "skip", "nothing to skip"),
        ("", "up from d1 to b1", "without the Power Grid"),
        ("expansion=power", "up", "write 'up from g1s to d1'"),
        ("expansion=power", "up from g1n to d1", "not on the edge"),
        ("expansion=power", "up from f1s to d1", "not on the edge"),
        ("expansion=power", "up from d1 to e1", "no arrow up leads"),
        ("expansion=power", "up charge d2", "from e3"),
        ("expansion=power", "question", "write 'question c4'"),
    ],
)
def test_moves_that_cannot_be_read(options: str, move: str, hint: str) -> None:
    with pytest.raises(BadNotation, match=hint):
        load(options).start().parse_move(0, move)


SHEET = "7/7/7/7/7/7/7,{},-,0.0,-,0,0.0.0"
FOUR = "1h-h-1r-r-1h-h-1/7/7/7/7/7/1h-h-5"


@pytest.mark.parametrize(
    ("options", "text", "hint"),
    [
        ("", "9;-;-;" + SHEET.format("-"), "not a round"),
        ("", "0;-;-;" + SHEET.format("-"), "round 0"),
        ("", "1;abc;-;" + SHEET.format("-"), "not the goals of this variant"),
        ("edition=challenge", "1;ab;-;" + SHEET.format("-"), "round 0"),
        ("edition=challenge", "1;aab;-;" + SHEET.format("-"), "are not goals"),
        ("", "1;-;A0.A0.A0.A0;" + SHEET.format("-"), "die 3 cannot show 'A0'"),
        ("", "1;-;A0.A0.A0.B0.B0;" + SHEET.format("-"), "more dice"),
        ("", "8;-;A0;" + SHEET.format("-"), "more dice"),
        ("", "1;-;A0.A0.A0.B0!;" + SHEET.format("-"), "Power Grid step"),
        ("", "1;-;-;" + SHEET.format("0"), "dice left"),
        ("", "1;-;A0.A0.A0.B0;" + SHEET.format("21"), "rising digits"),
        ("", "1;-;-;7/7/7,-,-,0.0,-,0,0.0.0", "7 rows"),
        ("", "1;-;-;7/7/7/7/7/7/8,-,-,0.0,-,0,0.0.0", "must describe 7 spaces"),
        ("", "1;-;-;7/7/7/7/7/7/6?,-,-,0.0,-,0,0.0.0", "must describe 7 spaces"),
        ("", "1;-;-;7/7/7/7/7/7/6h---,-,-,0.0,-,0,0.0.0", "no route of this variant"),
        ("", "1;-;-;7/7/7/7/7/7/6h-h-!,-,-,0.0,-,0,0.0.0", "no electricity"),
        ("", "1;-;-;7/7/7/7/7/7/5-h-h-r-r,-,-,0.0,-,0,0.0.0", "highway and railway meet"),
        ("expansion=power", "1;-;-;7/7/7/3h-h-3/7/7/7,-,-,0.0,-,0,0.0.0", "accumulator stands there"),
        ("", "1;-;-;7/7/7/7/7/7/7,-,-,0.0,-,0", "seven parts"),
        ("", "1;-;-;7/7/7/7/7/7/7,-,-,1.0,-,0,0.0.0", "special routes"),
        ("", "1;-;-;7/7/7/7/7/7/7,-,0,1.1,-,0,0.0.0", "in this round"),
        ("", "1;-;-;7/7/7/7/7/7/7,-,-,0.0,x,0,0.0.0", "extra special route"),
        ("", "1;-;-;7/7/7/7/7/7/7,-,-,0.0,f,0,0.0.0", "copies"),
        ("", "1;-;-;7/7/7/7/7/7/7,-,-,0.0,l,0,0.0.0", "lamps to choose"),
        ("", "1;-;-;7/7/7/7/7/7/7,-,-,0.0,q,0,0.0.0", "cannot read"),
        ("", "1;-;-;7/7/7/7/7/7/7,-,-,0.0,-,1,0.0.0", "charges"),
        ("", "1;-;-;7/7/7/7/7/7/7,-,-,0.0,-,0,1.0.0", "goals in rounds"),
        ("", "1;-;A0.A0.A0.B0;7/7/7/7/7/7/7,0123,-,0.0,d,0,0.0.0", "cannot be done yet"),
        ("", f"1;-;A0.A0.A0.B0;{FOUR},-,-,0.0,d,0,0.0.0", "all seats are done"),
        ("", f"1;-;-;{FOUR},-,-,0.0,-,0,0.0.0", "cannot have drawn 4 routes by now: 0 at most"),
        (
            "",
            f"1;-;-;7/{'/'.join(['1' + 'h-h-' * 5 + '1'] * 5)}/1h-h-3h-h-1,-,-,0.0,-,0,0.0.0",
            "27 routes by now: 0 at most",
        ),
        ("", f"1;-;A4.A4.A1.B0;{FOUR},0,-,0.0,-,0,0.0.0", "4 routes by now: 3 at most"),
        ("", "1;-;A4.A4.A1.B0;7/7/7/7/7/7/7,12,-,0.0,-,0,0.0.0", "must have drawn 2 routes"),
        ("", f"2;-;-;{FOUR},-,01,2.0,-,0,0.0.0", "cannot have used 2 special routes in 1 rounds"),
        ("expansion=lamps", "2;-;-;1h-h-o3h-h-o1/7/7/7/7/7/1h-h-o5,-,-,0.0,-,0,0.0.0", "3 lamp routes by now: 2"),
        ("expansion=lamps", "2;-;-;1h-h-i5/7/7/7/7/7/7,-,-,0.0,-,0,0.0.0", "cannot have a lit lamp"),
        ("expansion=power", "1;-;-;7/7/7/7/7/7/7,-,-,0.0,-,3,0.0.0", "cannot have 3 charges: 0 at most"),
        ("expansion=power", f"1;-;A4.A4.A1.B0.up.up!;{FOUR},5,-,0.0,-,2,0.0.0", "2 charges: 1 at most"),
        ("expansion=power", "1;-;A4.A4.A1.B0.up.up!;1h-h-!5/7/7/7/7/7/7,45,-,0.0,-,0,0.0.0", "1 electrified spaces"),
        ("edition=challenge&goals=abc", f"2;abc;-;{FOUR},-,-,0.0,-,0,0.1.0", "goal 2: the board does not show it"),
        (
            "edition=challenge&goals=cab",
            "3;cab;-;7/7/h-h-h-h-h-h-h-h-h-h-h-h-h-h-/7/7/7/7,-,-,0.0,-,0,0.0.0",
            "must have reached goal 1",
        ),
        ("edition=challenge&goals=abc", f"2;abc;-;{FOUR},-,0,0.0,-,0,0.0.0", "too few universities"),
    ],
)
def test_positions_that_cannot_be(options: str, text: str, hint: str) -> None:
    with pytest.raises(BadNotation, match=hint):
        parse_position(load(options), text)


def fields(match: Match, move: str) -> dict[str, Any]:
    """The named parts of a move, or of the next outcome."""
    position = match.position
    found: dict[str, Any] = GAME.notation.move_fields(match.variant, position.state, 0, position.parse_move(0, move))
    return found


def test_named_parts_of_drawings() -> None:
    """§4.2, §5.1 What other programs are told: cells by name and number, the extra special route, lamps that become active."""
    match = with_two_universities("&expansion=lamps", ("A4", "A4", "B0", "B2", "L0", "L0"))
    assert fields(match, "station-straight a1 n/s") == {
        "kind": "draw", "source": "result", "extra": False, "route": "station-straight", "code": "B0", "orientation": 0,
        "cell": "a1", "row": 0, "column": 1, "sides": "n/s", "station": True, "lamp": False,
    }  # fmt: skip
    assert not fields(match, "special:highway-crossroads g6 nesw")["extra"]
    match.play("lamp-straight a1 ns")
    match.play("special:highway-crossroads g6 nesw")
    lamps = {"kind": "lamps", "cells": ["a1"], "rows": [0], "columns": [1]}
    assert fields(match, "lamps row a") == {**lamps, "row": 0, "column": None}
    assert fields(match, "lamps column 1") == {**lamps, "row": None, "column": 1}
    assert fields(match, "lamps row b")["cells"] == []
    match.play("lamps row a")
    assert fields(match, "special:rail-crossroads a3 nesw")["extra"], "outside the limits"
    assert fields(match, "skip") == {"kind": "skip"}
    later = with_two_universities("&university_special=later")
    later.play("highway-straight g6 ns")
    assert not fields(later, "special:highway-crossroads a1 nesw")["extra"]
    later.play("special:highway-crossroads a1 nesw")
    assert fields(later, "special:rail-crossroads a3 nesw")["extra"]


def test_named_parts_of_the_power_grid() -> None:
    """§6.2–§6.5 Which die, the first or the second used, from where, and the spaces in their order."""
    match = powered("up", "question", drawn="g1 f1 e1", electrified="d1")
    arrow = {"kind": "power", "die": 4, "face": "up", "order": 1, "charge": False}
    three = {"cells": ["g1", "f1", "e1"], "rows": [6, 5, 4], "columns": [1, 1, 1]}
    assert fields(match, "up from g1s to e1") == {**arrow, "origin": "g1s", **three}
    assert fields(match, "up from d1 to c1") == {**arrow, "origin": "d1", "cells": ["c1"], "rows": [2], "columns": [1]}
    match.play("up from g1s to e1")
    question = {"kind": "power", "die": 5, "face": "question", "order": 2, "origin": None}
    none: dict[str, Any] = {"cells": [], "rows": [], "columns": []}
    assert fields(match, "question charge") == {**question, "charge": True, **none}
    assert fields(match, "question b2") == {**question, "charge": False, "cells": ["b2"], "rows": [1], "columns": [2]}
    charge = powered("right", "up", electrified="d2")
    told = {"kind": "power", "die": 4, "face": "right", "order": 1, "origin": "d2", "charge": True}
    assert fields(charge, "right charge d2") == {**told, **none}
    assert fields(charge, "left charge d4")["die"] is None, "no die shows it"


def test_named_parts_of_outcomes() -> None:
    """§2.1, §4.4 Goals and dice."""
    position = load("edition=challenge&expansion=power").start()
    told = []
    for text in ("goal c", "goal a", "goal l", "A4", "A4", "B0", "B2", "up"):
        outcomes = dict(zip(position.outcomes(), position.outcome_numbers()[0], strict=True))
        told.append(GAME.notation.outcome_fields(position.variant, position.state, outcomes[text]))
        position.roll(text)
    assert told[0] == {"kind": "goal", "goal": "C"}
    assert told[5] == {"kind": "die", "die": 2, "face": "B0", "route": "station-straight"}
    assert told[7] == {"kind": "die", "die": 4, "face": "up", "route": None}


# --- the box --------------------------------------------------------------------------------------------------


def test_the_box() -> None:
    """§1.1–§1.9 Exits, dice, special routes, structures and rounds as they stand in the box."""
    box = load("edition=challenge&expansion=power").box
    exits = {format_space(load(), space) for space in range(SPACES) if int(box["exit_spaces"]) >> space & 1}
    assert exits == {"a1", "a3", "a5", "b6", "d6", "f6", "g1", "g3", "g5", "b0", "d0", "f0"}
    assert int(box["exit_offers"][0]) == bit("a1") | bit("a5") and int(box["exit_offers"][7]) == bit("b0") | bit("f0")
    assert [int(box[name]).bit_count() for name in ("factories", "villages", "universities", "centre")] == [3, 4, 4, 9]
    assert list(box["exit_points"][:13]) == [0, 0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 45]
    assert int(box["specials"]) == 6 and int(box["rounds"]) == 7
    position = load("edition=challenge&expansion=power&goals=abc").start()
    seen = []
    while not position.waiting:
        seen.append(position.outcomes())
        position.roll(next(iter(position.outcomes())))
    route = {f"A{i}": 1 for i in range(6)}
    third, fourth = (
        dict.fromkeys(("B0", "B1", "C0", "C1", "C3", "C4"), 1),
        {"A2": 1, "A3": 1, "B2": 2, "D0": 1, "D3": 1},
    )
    power = {"up": 1, "right": 1, "down": 1, "left": 1, "question": 2}
    assert seen == [route, route, third, fourth, power, power]
    base = load().start()
    for _ in range(3):
        base.roll("A0")
    assert base.outcomes() == {"B0": 2, "B1": 2, "B2": 2}


@pytest.mark.parametrize(
    ("old", "new", "hint"),
    [
        ("size = 7", "size = 10", "from 3 to 9"),
        ("size = 7", "size = [8, 8]", "62 spaces at most, not 8 × 8"),
        ("size = 7", "size = [7]", "list of 2 entries"),
        ("size = 7", "size = [3, 7]", "is not a space: write A0 to C6"),
        ('accumulator = "D3"', 'accumulator = "Z9"', "not a space"),
        ('accumulator = "D3"', 'accumulator = "A3"', "outer edge"),
        ('"C2", "C3"', '"C2", "C2"', "stands twice"),
        ('middle_exits = ["A3N"', 'middle_exits = ["A2N"', "none of the exits"),
        ('{ space = "A1", side = "N", type = "H" }', '{ space = "A1", side = "N", type = "X" }', "cannot be 'X'"),
        ('{ space = "A1", side = "N", type = "H" }', '{ space = "A1", side = "S", type = "H" }', "not on the outer edge"),
        ('{ space = "A1", side = "N", type = "H" }', '{ space = "A3", side = "N", type = "H" }', "two exits"),
        ('villages = ["A2"', 'villages = ["A0"', "another structure"),
        ("lamps = 6", "lamps = 0", "from 1 to 20"),
        ("charges = 3", "charges = true", "whole number"),
        ("goal_points = [4, 2, 1]", 'goal_points = "many"', "list of 3"),
        ("exit_points = [0, 0, 4,", "exit_points = [0, 4,", "list of 13"),
        ("exit_points = [0, 0, 4,", "exit_points = [0, 1, 4,", "must begin with 0, 0"),
        ('A = { kind = "centre", at_least = 5 }', 'A = { kind = "middling", at_least = 5 }', "cannot be 'middling'"),
        ('F = { kind = "loop", at_least = 1 }', 'F = { kind = "loop", at_least = 2 }', "from 1 to 1"),
        ('base = ["A", "A", "A", "B"]', 'base = ["A", "A", "A", "L"]', "lamp die"),
        ('base = ["A", "A", "A", "B"]', 'base = ["A", "A", "A", "Q"]', "cannot be 'Q'"),
        ('lamps = ["L", "L"]', 'lamps = ["A"]', "route die"),
        ('B = ["B0", "B0", "B1"', 'B = ["B0", "L0", "B1"', "mixes"),
        ('B = ["B0", "B0", "B1"', 'B = ["B0", "B9", "B1"', "cannot be 'B9'"),
        ('A0 = { name = "rail-curve"', 'A0 = { name = "Rail Curve"', "small letters"),
        ('A0 = { name = "rail-curve"', 'A0 = { name = "rail-straight"', "stands twice"),
        ('A0 = { name = "rail-curve"', 'AA0 = { name = "rail-curve"', "letter and a digit"),
        ('B0 = { name = "station-straight", segments = [{ N = "H", S = "R" }], station = true }',
         'B0 = { name = "station-straight", segments = [{ N = "H", S = "R" }] }', "a station joins"),
        ('segments = [{ N = "H", S = "H" }, { E = "R", W = "R" }] }', 'segments = [{ N = "H" }, { E = "R", W = "R" }] }',
         "all four sides"),
        ('D0 = { name = "rail-double-curve", segments = [{ N = "R", W = "R" }, { S = "R", E = "R" }] }',
         'D0 = { name = "rail-double-curve", segments = [{ N = "R", W = "R", E = "R" }, { S = "R" }] }', "two sides each"),
        ('D0 = { name = "rail-double-curve", segments = [{ N = "R", W = "R" }, { S = "R", E = "R" }] }',
         'D0 = { name = "rail-double-curve", segments = [{ N = "R", W = "R" }, { W = "R", E = "R" }] }', "share a side"),
        ('segments = [{ N = "R", W = "R" }] }', "segments = [{}] }", "must name its sides"),
        ('segments = [{ N = "R", W = "R" }] }', 'segments = [{ X = "R" }] }', "unknown key 'X'"),
        ("S0 = {", "A0 = {", "among the routes already"),
        ("[limits]", "[limit]", "unknown key 'limit'"),
    ],
)  # fmt: skip
def test_bad_boxes_are_refused(old: str, new: str, hint: str) -> None:
    """Line and reason are named."""
    assert old in GAME.box_text
    with pytest.raises(BadBox, match=hint) as caught:
        Variant(GAME, {}, ComponentFile(GAME.box_text.replace(old, new, 1), "my.toml"))
    first = GAME.box_text[: GAME.box_text.index(old)].count("\n") + 1
    assert first <= caught.value.line <= first + new.count("\n") + 1


@pytest.mark.parametrize("dice", [4, 5])
def test_too_many_ways_to_lie(dice: int) -> None:
    """Five dice of curve stations only, each of them another one, are more than a set of entries holds."""
    codes = [f"{letter}{i}" for letter in "XYZ" for i in range(10)][: 6 * dice]
    route = '{} = {{ name = "more-{}", segments = [{{ N = "H", E = "R" }}], station = true }}'
    names = [f"E{i}" for i in range(dice)]
    faces = [f"{name} = {codes[6 * i : 6 * i + 6]}" for i, name in enumerate(names)]
    sets = [f"base = {names}", f"challenge = {names}", "none = []", "lamps = []", "power = []"]
    routes_text = [route.format(code, code.lower()) for code in codes]
    head, _, rest = GAME.box_text.partition("[sets]")
    middle = "\n".join(["[sets]", *sets, "[dice]", *faces, "[routes]", *routes_text])
    box = ComponentFile(f"{head}{middle}\n[specials]{rest.partition('[specials]')[2]}", "my.toml")
    if dice == 4:
        assert Variant(GAME, {"edition": "challenge"}, box).action_count > 0
    else:
        with pytest.raises(BadBox, match="can be drawn in 256 ways"):
            Variant(GAME, {}, box)


def test_options_are_named_in_the_rulings() -> None:
    """Every option has its ruling, and the ruling names the option."""
    rulings = (GAME.folder / "RULINGS.md").read_text(encoding="utf-8")
    for option in GAME.options[3:]:
        chapter = rulings.partition(f"## {option.ruling} ")[2].partition("\n## ")[0]
        assert f"`{option.name}=" in chapter, option.name


# --- bots -----------------------------------------------------------------------------------------------------


@pytest.mark.skipif(SLOW, reason="hundreds of matches need compiled kernels")
def test_greedy_draws_well() -> None:
    """The bot of one thought makes about 39 points alone, far more than chance."""
    means = {
        name: simulate(load(), bots.seat_bots(name, 1), 300, "1").summary()["seats"][0]["mean"]
        for name in ("uniform", "greedy")
    }
    assert means["greedy"] > 34 > means["uniform"] + 30


@pytest.mark.skipif(SLOW, reason="thousands of matches need compiled kernels")
def test_nobody_beats_the_best_possible_game() -> None:
    """§7 A base game is worth 83 points at most."""
    result = simulate(load(), bots.seat_bots("greedy", 1), 500, "2")
    assert np.concatenate(result.totals).max() <= 83


def test_rolls_in_rounds(tmp_path: Path) -> None:
    """A text a round is four outcomes, in the order of the dice; what is wrong is said with its line and round."""
    from lamplighter.bots.rolls import read_rolls

    rounds = ["A0A3A5B1", "B2A0A0A1", "a1 a2 a3 b0", "A0A3A5B1", "A0A3A5B1", "A0A3A5B1", "A0A3A5B1"]
    path = tmp_path / "rolls.jsonl"
    variant = lamplighter.load("railroad?seats=1")
    path.write_text(json.dumps(rounds))
    (rolls,) = read_rolls(variant, path)
    assert rolls.texts[:12] == ("A0", "A3", "A5", "B1", "A0", "A0", "A1", "B2", "A1", "A2", "A3", "B0")
    for wrong, said in (
        (["A0A3A5B1", "A0A3A5C1"], "line 1: round 2: no die of this variant has a face C1"),
        (["A0A3B1"], "line 1: round 1 has 3 dice, 'A0A3B1': this variant rolls 4"),
        (["A0A3B1B1"], "line 1: round 1: these dice cannot show 'A0A3B1B1' at once"),
        ([*rounds, "A0A3A5B1"], "line 1: round 8 is one too many: a match has 7"),
        (rounds[:6], "line 1: too short: it has 24 outcomes"),
        ("A0A3A5B1", "line 1: the rolls of a match are a list of rounds"),
    ):
        path.write_text(json.dumps(wrong))
        with pytest.raises(LamplighterError) as refused:
            read_rolls(variant, path)
        assert said in str(refused.value)
