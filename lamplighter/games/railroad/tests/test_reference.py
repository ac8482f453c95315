"""Railroad's slow reference against the rules: every example, table and count that can be checked on it."""

import copy
import json
import random
from collections import Counter
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest


def load_reference() -> ModuleType:
    """Import the reference that lies beside this file, under a name no other game uses."""
    spec = spec_from_file_location("railroad_reference", Path(__file__).with_name("reference.py"))
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


module = load_reference()
SIDES, oriented, parse_space, sides_of = module.SIDES, module.oriented, module.parse_space, module.sides_of
format_space = module.format_space
Reference = Any  # the class comes from a file loaded by path, so its type is not known here

DEFAULTS: dict[str, object] = {
    "seats": 1,
    "edition": "base",
    "expansion": "none",
    "goals": "random",
    "village_points": "total",
    "university_special": "at-once",
    "factory_copy": "any",
    "goals_before_power": True,
    "solo_goals": True,
    "lamps_trigger_structures": True,
    "power_order": "any",
    "accumulator_university": False,
    "line_may_cross_itself": True,
    "accumulator_centre": False,
    "dead_end_station": False,
}
BOX: Any = module.load_box()
# Collected games and examples, which may lie beside the project but are no part of it.
CASES = Path(__file__).resolve().parents[4].parent / "shared" / "railroad" / "cases.json"


def new(**options: object) -> Reference:
    """A fresh match, with options that differ from the defaults."""
    return module.Reference(DEFAULTS | options, BOX)


def roll(reference: Reference, faces: str) -> None:
    """Reveal several outcomes."""
    for face in faces.split():
        reference.reveal(face)


def put_all(reference: Reference, texts: str, seat: int = 0) -> None:
    """Draw several routes, written one after another with commas."""
    for text in texts.split(","):
        reference.put(seat, text.strip())


def close_exits(reference: Reference, seat: int = 0) -> None:
    """Put a dead end on every exit, so that nothing can be drawn."""
    for (row, column), side in reference.exits:
        kind = {"H": "highway", "R": "rail"}[reference.exits[(row, column), side]]
        reference.put(seat, f"{kind}-dead-end {'abcdefg'[row]}{column} {side.lower()}")


def all_done(reference: Reference) -> None:
    """Let every seat that is waited for say done."""
    for seat in sorted(reference.waiting()):
        reference.play(seat, "done")


def in_power_step(results: str, **options: object) -> Reference:
    """A match in its Power Grid step with the given dice."""
    reference = new(expansion="power", **options)
    reference.step = "power"
    reference.sheets[0].power_results = results.split()
    return reference


def names(moves: set[str]) -> set[str]:
    """The first words of moves."""
    return {move.split()[0] for move in moves}


def random_match(rng: random.Random, **options: object) -> tuple[Reference, Counter[str]]:
    """Play at random; count outcomes, moves and done."""
    reference, counts = new(**options), Counter[str]()
    while not reference.is_over():
        outcomes = reference.outcomes()
        if outcomes:
            assert not reference.waiting()
            assert reference.chance_seat() is None
            reference.reveal(rng.choices(list(outcomes), list(outcomes.values()))[0])
            counts["outcomes"] += 1
            continue
        seat = rng.choice(sorted(reference.waiting()))
        moves = reference.moves(seat)
        assert moves
        move = rng.choice(sorted(moves))
        reference.play(seat, move)
        counts["done" if move == "done" else "moves"] += 1
    assert not reference.waiting()
    assert not reference.outcomes()
    return reference, counts


# §1 The box.


def test_board() -> None:
    """§1.1 Twelve exits on twelve edge spaces, nine centre spaces."""
    reference = new()
    assert len(reference.exits) == 12
    assert len({space for space, _ in reference.exits}) == 12
    assert Counter(reference.exits.values()) == {"H": 6, "R": 6}
    assert Counter(side for _, side in reference.exits) == {"N": 3, "E": 3, "S": 3, "W": 3}
    assert len(reference.centre) == 9
    assert reference.middle_exits <= set(reference.exits)


@pytest.mark.parametrize(
    ("die", "weights"),
    [
        ("A", {"A0": 1, "A1": 1, "A2": 1, "A3": 1, "A4": 1, "A5": 1}),
        ("B", {"B0": 2, "B1": 2, "B2": 2}),
        ("C", {"C0": 1, "C1": 1, "B0": 1, "B1": 1, "C3": 1, "C4": 1}),
        ("D", {"B2": 2, "D0": 1, "D3": 1, "A2": 1, "A3": 1}),
        ("L", {"L0": 1, "L1": 1, "L2": 1, "L3": 1, "L4": 1, "L5": 1}),
        ("P", {"up": 1, "right": 1, "down": 1, "left": 1, "question": 2}),
    ],
)
def test_faces(die: str, weights: dict[str, int]) -> None:
    """§1.2, §1.3, §1.6, §1.7 The faces of each die."""
    reference = new()
    reference.dice = [die]
    assert reference.outcomes() == weights


@pytest.mark.parametrize(
    ("edition", "expansion", "dice", "rounds"),
    [
        ("base", "none", "AAAB", 7),
        ("base", "lamps", "AAABLL", 6),
        ("base", "power", "AAABPP", 7),
        ("challenge", "none", "AACD", 7),
        ("challenge", "lamps", "AACDLL", 6),
        ("challenge", "power", "AACDPP", 7),
    ],
)
def test_dice_and_rounds(edition: str, expansion: str, dice: str, rounds: int) -> None:
    """§1.9 The dice and the rounds of each variant."""
    reference = new(edition=edition, expansion=expansion)
    assert "".join(reference.dice) == dice
    assert reference.rounds == rounds


def test_distinct_pictures() -> None:
    """§3.1 How many ways each route can lie, and how that is written."""
    reference = new()
    expected = {
        "rail-curve": 4, "rail-straight": 2, "rail-t": 4, "highway-t": 4, "highway-straight": 2,
        "highway-curve": 4, "station-straight": 4, "station-curve": 8, "overpass": 2, "rail-dead-end": 4,
        "highway-dead-end": 4, "station-t-highway": 4, "station-t-rail": 4, "rail-double-curve": 2,
        "highway-double-curve": 2, "lamp-straight": 2, "lamp-curve": 4, "lamp-t": 4, "lamp-crossroads": 1,
        "lamp-overpass": 1, "lamp-double-curve": 2, "three-highways": 4, "three-rails": 4,
        "highway-crossroads": 1, "rail-crossroads": 1, "station-corner": 4, "station-cross": 2,
    }  # fmt: skip
    assert {route.name: len(reference.pictures[code]) for code, route in reference.routes.items()} == expected
    for code, route in reference.routes.items():
        distinct = {oriented(route.picture, orientation) for orientation in range(8)}
        assert set(reference.pictures[code].values()) == distinct
    lies = {reference.routes[code].name: set(pictures) for code, pictures in reference.pictures.items()}
    assert lies["rail-curve"] == {"ne", "es", "sw", "nw"}
    assert lies["station-straight"] == {"n/s", "e/w", "s/n", "w/e"}
    assert lies["station-t-highway"] == {"ns/w", "ns/e", "ew/n", "ew/s"}
    assert lies["rail-double-curve"] == {"ne+sw", "nw+es"}
    assert lies["lamp-overpass"] == {"ns+ew"}
    assert lies["overpass"] == {"ns", "ew"}
    assert lies["three-highways"] == {"new/s", "nes/w", "esw/n", "nsw/e"}
    assert lies["station-corner"] == {"ne/sw", "es/nw", "sw/ne", "nw/es"}
    assert lies["station-cross"] == {"ns/ew", "ew/ns"}


def test_stations_and_lamps() -> None:
    """§1.4, §1.6 Which routes are stations; which carry a lamp."""
    routes = new().routes
    assert {code for code, route in routes.items() if route.station} == {
        "B0", "B1", "C3", "C4", "S0", "S1", "S4", "S5",
    }  # fmt: skip
    assert {code for code, route in routes.items() if route.lamp} == {f"L{face}" for face in range(6)}


def test_orientation() -> None:
    """§3.1 A mirror image changes E and W, a quarter turn goes clockwise."""
    curve = new().routes["B1"].picture  # highway north, railway east
    assert sides_of(oriented(curve, 1)) == {"E": "H", "S": "R"}
    assert sides_of(oriented(curve, 4)) == {"N": "H", "W": "R"}
    assert sides_of(oriented(curve, 5)) == {"E": "H", "N": "R"}


# §2 The round.


def test_same_time_and_same_result() -> None:
    """§2.1, §2.4 All seats draw together; the step ends when the last one is done."""
    reference = new(seats=3)
    assert reference.waiting() == set()
    for seat in range(3):
        close_exits(reference, seat)
    roll(reference, "A0 A1 A2 B2")
    assert reference.waiting() == {0, 1, 2}
    reference.play(1, "done")
    assert reference.waiting() == {0, 2}
    assert reference.moves(1) == set()
    reference.play(0, "done")
    assert reference.outcomes() == {}
    reference.play(2, "done")
    assert reference.outcomes()
    assert reference.round == 2


def test_done_waits_for_every_result() -> None:
    """§2.2 Done is refused while an undrawn result has a space, and only then."""
    reference = new()
    roll(reference, "A4 A4 A1 B2")
    assert "done" not in reference.moves(0)
    drawn = ["highway-straight a1 ns", "highway-straight b1 ns", "rail-straight a3 ns", "overpass c1 ns"]
    for text in drawn:
        assert text in reference.moves(0)
        reference.play(0, text)
    assert "done" in reference.moves(0)
    assert names(reference.moves(0)) == {"done"} | {f"special:{route.name}" for route in reference.specials.values()}


def test_equal_results_are_one_move() -> None:
    """§2.2 Two equal results are a multiset: one move, twice."""
    reference = new()
    roll(reference, "A4 A4 A4 B2")
    assert names(reference.moves(0)) >= {"highway-straight", "overpass"}
    reference.play(0, "highway-straight a1 ns")
    reference.play(0, "highway-straight a5 ns")
    reference.play(0, "highway-straight g1 ns")
    assert "highway-straight" not in names(reference.moves(0))


def test_result_without_a_space_is_skipped() -> None:
    """§2.2 Without any legal space the seat may only say done."""
    reference = new()
    close_exits(reference)
    roll(reference, "A0 A1 A2 B2")
    assert reference.moves(0) == {"done"}


def test_special_limits() -> None:
    """§2.3 One a round, three a match, each once."""
    reference = new()
    close_exits(reference)
    used: list[str] = []
    specials_of_the_box = {f"special:{route.name}" for route in reference.specials.values()}
    put_all(reference, "highway-straight c3 ns, rail-straight e5 ns")
    for turn in range(1, 8):
        roll(reference, "A1 A1 A1 B2")
        while True:
            moves = reference.moves(0)
            specials = sorted(move for move in moves if move.startswith("special:"))
            if len(used) < min(turn, 3):
                assert specials
                assert not names(set(specials)) & set(used)
                reference.play(0, specials[0])
                used.append(specials[0].split()[0])
                assert not names(reference.moves(0)) & specials_of_the_box
            elif "done" in moves:
                assert not specials
                reference.play(0, "done")
                break
            else:
                reference.play(0, min(moves))
    assert reference.is_over()
    assert reference.facts(0)["specials"] == 3


# §3 Drawing.


def test_first_moves() -> None:
    """§3.2 On an empty sheet a straight fits every exit of its type in one way."""
    reference = new()
    roll(reference, "A4 A1 A5 B2")
    moves = reference.moves(0)
    straight = {move for move in moves if move.startswith("highway-straight")}
    assert straight == {f"highway-straight {lie}" for lie in ("a1 ns", "a5 ns", "g1 ns", "g5 ns", "d0 ew", "d6 ew")}
    assert sum(move.startswith("highway-curve") for move in moves) == 12
    assert sum(move.startswith("overpass") for move in moves) == 12
    assert "overpass a1 ew" not in moves  # a railway against a highway exit


def test_placement_rules() -> None:
    """§3.1-§3.3 Empty space, something continued, no highway against railway, blank sides are free."""
    reference = new()
    assert not reference.may_put(0, "rail-straight d6 ew")  # the exit is a highway
    assert not reference.may_put(0, "highway-straight d6 ns")  # continues nothing
    assert not reference.may_put(0, "highway-straight d3 ew")
    reference.put(0, "highway-curve d6 es")
    assert not reference.may_put(0, "highway-curve d6 es")
    assert reference.may_put(0, "highway-curve e6 nw")
    assert not reference.may_put(0, "rail-curve e6 nw")
    assert not reference.may_put(0, "highway-straight e6 ew")  # its side meets a blank side, nothing is continued
    reference.put(0, "rail-straight b6 ew")
    assert not reference.may_put(0, "highway-t c6 nsw")  # no end of its own meets a type: d6 is blank to the north
    assert reference.may_put(0, "rail-t b5 nes")


# §4 Challenge structures.


def test_villages() -> None:
    """§4.1 Stations activate villages; other routes do not; 2, 4, 6, 8."""
    reference = new(edition="challenge")
    per_step = new(edition="challenge", village_points="per-step")
    expected = [(2, 2), (4, 6), (6, 12), (8, 20)]
    put_all(reference, "rail-straight a2 ew")
    assert reference.score(0)["villages"] == 0
    for space, points in zip(("a2", "b5", "c4", "f4"), expected, strict=True):
        for match in (reference, per_step):
            match.put(0, f"station-t-rail {space} w/ns")
        assert (reference.score(0)["villages"], per_step.score(0)["villages"]) == points
    base = new()
    base.put(0, "station-straight a2 n/s")
    assert base.score(0)["villages"] == 0


def challenge_beside_c0(**options: object) -> Reference:
    """Two universities active and a railway that leads down into the one in C0."""
    reference = new(edition="challenge", goals="ABC", **options)
    reference.put(0, "rail-curve b0 sw")
    reference.sheets[0].universities = 2
    roll(
        reference,
        "A1 A1 C0 B2" + {"lamps": " L3 L3", "power": " up up"}.get(str(options.get("expansion")), ""),
    )
    return reference


def test_third_university() -> None:
    """§4.2 The third university asks for an extra special at once, outside the limits."""
    reference = challenge_beside_c0()
    reference.play(0, "special:rail-crossroads f0 nesw")
    reference.sheets[0].specials_counted = 3
    reference.play(0, "rail-straight c0 ns")
    moves = reference.moves(0)
    assert "skip" in moves
    assert all(move == "skip" or move.startswith("special:") for move in moves)
    assert not names(moves) & {f"special:{reference.specials[code].name}" for code in reference.sheets[0].specials_used}
    reference.play(0, "special:three-rails d0 w/nes")
    assert "done" not in reference.moves(0)
    assert "rail-straight" in names(reference.moves(0))
    assert reference.sheets[0].specials_counted == 3
    assert reference.facts(0)["specials"] == 2


def test_third_university_declined_and_fourth() -> None:
    """§4.2 Skipped is lost; a fourth university gives nothing."""
    reference = challenge_beside_c0()
    reference.play(0, "rail-straight c0 ns")
    reference.play(0, "skip")
    assert "skip" not in reference.moves(0)
    reference.put(0, "rail-curve f6 es")
    reference.play(0, "rail-straight g6 ns")
    assert reference.sheets[0].universities == 4
    assert "skip" not in reference.moves(0)


def test_university_special_kept_for_later() -> None:
    """§4.2 With the option the extra special waits; the counted allowance is used first."""
    reference = challenge_beside_c0(university_special="later")
    reference.play(0, "rail-straight c0 ns")
    sheet = reference.sheets[0]
    assert "skip" not in reference.moves(0)
    assert (sheet.extra_specials, sheet.specials_counted) == (1, 0)
    reference.play(0, "special:three-rails d0 w/nes")
    assert (sheet.extra_specials, sheet.specials_counted) == (1, 1)
    reference.play(0, "special:rail-crossroads f0 nesw")
    assert (sheet.extra_specials, sheet.specials_counted) == (0, 1)
    assert not any(move.startswith("special:") for move in reference.moves(0))


def test_lamp_choice_comes_before_the_extra_special() -> None:
    """§4.2, §5.1 A special in the third university: lamps, extra special, lamps again."""
    reference = challenge_beside_c0(expansion="lamps")
    reference.play(0, "special:rail-crossroads c0 nesw")
    lamps = {f"lamps row {letter}" for letter in "abcdefg"} | {f"lamps column {column}" for column in range(7)}
    assert reference.moves(0) == lamps
    reference.play(0, "lamps row c")
    assert "skip" in reference.moves(0)
    assert names(reference.moves(0)) <= {"skip"} | {f"special:{route.name}" for route in reference.specials.values()}
    reference.play(0, "special:three-rails d0 w/nes")
    assert reference.moves(0) == lamps
    reference.play(0, "lamps column 6")
    assert "rail-straight" in names(reference.moves(0))


def beside_factory(**options: object) -> Reference:
    """A railway that leads into the factory in F2."""
    reference = new(edition="challenge", goals="ABC", **options)
    put_all(reference, "rail-straight f0 ew, rail-straight f1 ew")
    return reference


def test_factory_copy() -> None:
    """§4.3 A factory repeats one of the four results, drawn or not; what is left lapses."""
    reference, drawn_only = beside_factory(), beside_factory(factory_copy="drawn")
    for match in (reference, drawn_only):
        roll(match, "A1 A4 C1 B2")
        assert not any(name.startswith("copy:") for name in names(match.moves(0)))
        match.play(0, "rail-straight f2 ew")

    def copies(match: Reference) -> set[str]:
        return {name for name in names(match.moves(0)) if name.startswith("copy:")}

    assert copies(reference) == {
        "copy:rail-straight",
        "copy:highway-straight",
        "copy:highway-dead-end",
        "copy:overpass",
    }
    assert copies(drawn_only) == {"copy:rail-straight"}
    reference.play(0, "copy:highway-straight a1 ns")
    assert copies(reference) == set()
    assert "highway-straight" in names(reference.moves(0))  # the result itself is still to be drawn
    for text in ("highway-straight a5 ns", "highway-dead-end d0 w", "overpass g1 ns"):
        drawn_only.play(0, text)
    assert "done" in drawn_only.moves(0)  # a copy never blocks
    drawn_only.play(0, "done")
    roll(drawn_only, "A1 A4 C1 B2")
    assert copies(drawn_only) == set()


def test_factory_counts_every_route() -> None:
    """§4.3, §5.3 A special, a copy and a lamp route set off a factory; a lamp die is never copied."""
    reference = beside_factory()
    put_all(
        reference,
        "rail-straight b6 ew, rail-curve b5 es, rail-straight c5 ns, rail-straight d5 ns, rail-curve e5 ne",
    )
    roll(reference, "A1 A4 C1 B2")
    reference.play(0, "special:rail-crossroads f2 nesw")
    assert reference.sheets[0].copies == 1
    reference.play(0, "copy:rail-straight e6 ew")
    assert reference.sheets[0].copies == 1  # one used, one gained
    for triggers in (True, False):
        lit = new(edition="challenge", goals="ABC", expansion="lamps", lamps_trigger_structures=triggers)
        put_all(lit, "highway-straight g1 ns, highway-curve f1 es")
        roll(lit, "A1 A4 C1 B2 L0 L3")
        lit.play(0, "lamp-straight f2 ew")
        assert lit.sheets[0].copies == triggers
        assert not any(name.startswith("copy:lamp") for name in names(lit.moves(0)))


# For each goal a drawing that just misses it, and the route that completes it.
GOAL_EXAMPLES = {
    "A": (
        "rail-straight c2 ns, rail-straight c3 ns, rail-straight c4 ns, rail-straight d2 ns",
        "rail-straight e4 ns",
    ),
    "B": ("station-curve a2 n/e, station-curve b5 n/e", "station-curve f4 n/e"),
    "C": (", ".join(f"rail-straight a{column} ns" for column in range(6)), "rail-straight a6 ns"),
    "D": ("rail-straight a0 ns, rail-straight g6 ns", "rail-straight a6 ns"),
    "E": (
        ", ".join(f"rail-straight {space} ns" for space in ("a4", "a5", "a6", "b4", "b5", "b6", "c4", "c6")),
        "rail-straight c5 ns",
    ),
    "F": (
        "highway-curve c2 es, station-curve c3 w/s, rail-straight d3 ns, station-curve e3 w/n, highway-curve e2 ne",
        "highway-straight d2 ns",
    ),
    "G": (
        "highway-t a1 nes, highway-straight b1 ns, highway-straight c1 ns, highway-t d1 nsw, "
        "highway-straight d0 ew, highway-straight e1 ns, highway-straight f1 ns, highway-straight g1 ns, "
        "highway-straight a2 ew, highway-straight a3 ew, highway-straight a4 ew",
        "highway-curve a5 nw",
    ),
    "H": (
        "station-straight a1 n/s, station-straight b1 s/n, station-straight d1 s/n",
        "station-straight c1 n/s",
    ),
    "I": (", ".join(f"highway-straight d{column} ew" for column in range(5)), "highway-straight d5 ew"),
    "J": (", ".join(f"rail-straight b{column} ew" for column in range(5)), "overpass b5 ns"),
    "K": (", ".join(f"highway-straight d{column} ew" for column in range(6)), "highway-straight d6 ew"),
    "L": (
        "highway-curve d0 nw, station-straight c0 s/n, rail-curve b0 es, rail-straight b1 ew, "
        "rail-straight b2 ew, rail-straight a3 ns",
        "rail-curve b3 nw",
    ),
}


@pytest.mark.parametrize("goal", sorted(GOAL_EXAMPLES))
def test_goals(goal: str) -> None:
    """§4.4 Each goal: all but the last route is not enough."""
    reference = new(edition="challenge")
    before, last = GOAL_EXAMPLES[goal]
    put_all(reference, before)
    assert not reference.has_goal(reference.sheets[0], goal)
    reference.put(0, last)
    assert reference.has_goal(reference.sheets[0], goal)


def test_crossing_over_is_no_loop() -> None:
    """§4.4 F: a route that only passes over itself does not come back to its start."""
    reference = new(edition="challenge")
    put_all(reference, "highway-curve c3 sw, highway-curve d3 nw, highway-curve d2 ne, lamp-overpass c2 ns+ew")
    assert not reference.has_goal(reference.sheets[0], "F")
    reference.put(0, "lamp-crossroads c2 nesw")
    assert reference.has_goal(reference.sheets[0], "F")


def test_goal_blocks() -> None:
    """§4.4 E: any of the 25 blocks."""
    for row in range(5):
        for column in range(5):
            reference = new(edition="challenge")
            for down in range(3):
                for right in range(3):
                    reference.put(0, f"rail-straight {'abcdefg'[row + down]}{column + right} ns")
            assert reference.has_goal(reference.sheets[0], "E")


def test_goal_draw() -> None:
    """§4.4 Three of twelve goals, without replacement, before the dice."""
    reference = new(edition="challenge")
    assert reference.outcomes() == {f"goal {letter}": 1 for letter in "abcdefghijkl"}
    reference.reveal("goal c")
    assert reference.outcomes() == {f"goal {letter}": 1 for letter in "abdefghijkl"}
    reference.reveal("goal l")
    reference.reveal("goal a")
    assert reference.goals == ["C", "L", "A"]
    assert "A0" in reference.outcomes()
    assert "A0" in new(edition="challenge", goals="LAC").outcomes()


@pytest.mark.parametrize("before_power", [True, False])
def test_goals_by_round(before_power: bool) -> None:
    """§4.4 All who reach a goal in the first such round get 4, in the second 2, later 1."""
    power = {"expansion": "power", "goals_before_power": before_power}
    reference = new(seats=4, edition="challenge", goals="DAB", **power)
    for seat in range(4):
        close_exits(reference, seat)
    reach = {1: [0, 1], 3: [2], 4: [], 5: [3]}
    for turn in range(1, 8):
        for seat in reach.get(turn, []):
            put_all(reference, "rail-dead-end a0 n, rail-dead-end a6 n, rail-dead-end g0 s", seat)
        roll(reference, "A0 A0 C0 B2 up up")
        all_done(reference)
        if turn == 1:
            assert reference.score(0)["goal1"] == (4 if before_power else 0)
        all_done(reference)
    assert reference.is_over()
    assert [reference.score(seat)["goal1"] for seat in range(4)] == [4, 4, 2, 1]
    assert [reference.score(seat)["goal2"] for seat in range(4)] == [0, 0, 0, 0]


@pytest.mark.parametrize(("solo_goals", "late"), [(True, 1), (False, 4)])
def test_solo_goals(solo_goals: bool, late: int) -> None:
    """§4.4 Alone: by round 3, 4, 5 for 4 points, later 1; without the option always 4."""
    for turn, expected in ((3, [4, 4, 4]), (4, [late, 4, 4]), (5, [late, late, 4]), (6, [late, late, late])):
        reference = new(edition="challenge", goals="DCE", solo_goals=solo_goals)
        close_exits(reference)
        for now in range(1, turn + 1):
            if now == turn:
                for row, column in reference.all_spaces:
                    if (row, column) not in reference.sheets[0].spaces:
                        reference.put(0, f"rail-dead-end {'abcdefg'[row]}{column} n")
            roll(reference, "A0 A0 C0 B2")
            all_done(reference)
        assert [reference.score(0)[f"goal{number}"] for number in (1, 2, 3)] == expected


# §5 Street Lamps.


def test_street_lamps_example() -> None:
    """§5.1, §5.2 Four lamps, three of them in the chosen top row: 3 points. A lamp counts once."""
    reference = new(expansion="lamps")
    put_all(reference, "lamp-t a1 new, lamp-straight a2 ew, lamp-curve a4 es, lamp-straight b4 ns")
    roll(reference, "A1 A1 A1 B2 L0 L0")
    reference.play(0, "special:highway-crossroads g1 nesw")
    assert len(reference.moves(0)) == 14
    reference.play(0, "lamps row a")
    assert reference.score(0)["expansion"] == 3
    assert {format_space(space) for space in reference.sheets[0].active_lamps} == {"a1", "a2", "a4"}
    reference.sheets[0].owes_lamp_choice = True
    reference._choices_of.clear()
    reference.play(0, "lamps column 4")
    assert reference.score(0)["expansion"] == 4


def test_lamp_choice_without_lamps() -> None:
    """§5.1 The choice is asked for even if no lamp stands anywhere."""
    reference = new(expansion="lamps")
    roll(reference, "A1 A1 A1 B2 L0 L0")
    reference.play(0, "special:highway-crossroads g1 nesw")
    assert len(reference.moves(0)) == 14
    reference.play(0, "lamps row a")
    assert reference.score(0)["expansion"] == 0


def test_lamp_results_are_optional() -> None:
    """§3.4 Lamp results may be drawn, each once, and never block done."""
    reference = new(expansion="lamps")
    roll(reference, "A4 A4 A4 B2 L0 L0")
    reference.play(0, "lamp-straight a1 ns")
    assert "lamp-straight" in names(reference.moves(0))
    for text in (
        "highway-straight b1 ns",
        "highway-straight c1 ns",
        "highway-straight d1 ns",
        "overpass e1 ns",
    ):
        reference.play(0, text)
    assert "done" in reference.moves(0)
    reference.play(0, "lamp-straight a5 ns")
    assert "lamp-straight" not in names(reference.moves(0))


# §6 Power Grid.

ROW_D = "highway-straight d0 ew, highway-straight d1 ew, highway-straight d2 ew"


def test_power_from_an_exit() -> None:
    """§6.3 Right from the exit beside D0: up to D0, D1 or D2, and no further than the accumulator."""
    reference = in_power_step("right up")
    put_all(reference, ROW_D)
    assert reference.moves(0) == {"done"} | {f"right from d0w to d{column}" for column in range(3)}
    reference.play(0, "right from d0w to d2")
    assert reference.sheets[0].electrified == {parse_space(text) for text in ("d0", "d1", "d2")}
    assert reference.sheets[0].charges == 0
    assert reference.moves(0) == {"done"}  # the exit of D0 faces right, and nothing lies above


def test_power_charge() -> None:
    """§6.4 Right from D2, already electrified, charges; at three charges it is no move."""
    reference = in_power_step("right right")
    put_all(reference, ROW_D)
    reference.sheets[0].electrified = {parse_space(text) for text in ("d0", "d1", "d2")}
    assert reference.moves(0) == {"done", "right charge d2"}
    reference.play(0, "right charge d2")
    assert reference.sheets[0].charges == 1
    reference.sheets[0].charges = 3
    reference._choices_of.clear()
    assert reference.moves(0) == {"done"}


def test_power_arrives_then_charges() -> None:
    """§6.2, §6.4 The second die may build on the first, which itself only arrives."""
    reference = in_power_step("right right")
    put_all(reference, ROW_D)
    reference.play(0, "right from d0w to d2")
    assert reference.sheets[0].charges == 0
    reference.play(0, "right charge d2")
    assert reference.sheets[0].charges == 1


def test_power_ignores_the_drawn_line() -> None:
    """§6.3 Down from A2 over B2 and C2, although the railway in B2 runs east and west."""
    reference = in_power_step("down down")
    put_all(
        reference,
        "highway-straight a1 ew, highway-straight a2 ew, highway-straight a3 ew, rail-straight b2 ew",
    )
    put_all(reference, "highway-curve c2 ne")
    reference.sheets[0].electrified = {parse_space(text) for text in ("a1", "a2", "a3")}
    moves = reference.moves(0)
    assert moves == {"done", "down from a2 to b2", "down from a2 to c2"}
    reference.play(0, "down from a2 to c2")
    assert {parse_space("b2"), parse_space("c2")} <= reference.sheets[0].electrified


def test_power_question() -> None:
    """§6.5 Any one space with a route that is not electrified yet, or one charge."""
    reference = in_power_step("question left")
    put_all(reference, ROW_D)
    reference.sheets[0].electrified = {parse_space("d1")}
    assert reference.moves(0) == {
        "done", "question d0", "question d2", "question charge", "left from d1 to d0",
    }  # fmt: skip
    reference.play(0, "question charge")
    assert reference.sheets[0].charges == 1
    assert reference.moves(0) == {"done", "left from d1 to d0"}


def test_power_order() -> None:
    """§6.2 In any order; as rolled, the first die is given up by using the second."""
    for order, left in (
        ("any", {"done", "right from d0w to d0", "right from d1 to d2"}),
        ("as-rolled", {"done"}),
    ):
        reference = in_power_step("right question", power_order=order)
        put_all(reference, ROW_D)
        assert {"question d1", "right from d0w to d2"} <= reference.moves(0)
        reference.play(0, "question d1")
        assert reference.moves(0) == left


def test_power_score_example() -> None:
    """§6.6 Two charges, five exits linked, one electrified exit not linked: 10 points."""
    reference = in_power_step("up up")
    rows = {"a": "1235", "b": "245", "c": "2", "d": "012", "e": "2", "f": "02", "g": "012"}
    for space in [row + column for row, columns in rows.items() for column in columns]:
        reference.put(0, f"rail-straight {space} ns")
    reference.sheets[0].electrified = set(reference.sheets[0].spaces)
    assert len(reference.sheets[0].electrified) == 17
    reference.sheets[0].charges = 2
    found = {format_space(space) + side for space, side in reference.powered_exits(reference.sheets[0])}
    assert found == {"a1N", "a3N", "d0W", "f0W", "g1S"}
    assert reference.score(0)["expansion"] == 10


def test_accumulator() -> None:
    """§6.1, §6.7 Nothing is drawn on D3; ends that face it are no errors, and continue nothing."""
    reference = new(expansion="power")
    put_all(reference, ROW_D)
    assert reference.score(0)["errors"] == 0
    assert reference.score(0)["centre"] == 1
    assert not reference.may_put(0, "highway-straight d3 ew")
    assert not reference.may_put(0, "highway-straight d4 ew")
    plain = new()
    put_all(plain, ROW_D)
    assert plain.score(0)["errors"] == -1
    assert plain.may_put(0, "highway-straight d3 ew")


def test_accumulator_university() -> None:
    """§6.7 The university under the accumulator counts only with the option."""
    for active in (False, True):
        reference = new(edition="challenge", expansion="power", accumulator_university=active)
        assert reference.sheets[0].universities == active


# §7 Scoring.


@pytest.mark.parametrize(("counts", "points"), [(False, [0, 1]), (True, [1, 2])])
def test_accumulator_centre(counts: bool, points: list[int]) -> None:
    """§6.7, §7.3 The accumulator's space counts for the centre only if the option says so; without the Power Grid never."""
    reference = new(expansion="power", accumulator_centre=counts)
    assert reference.score(0)["centre"] == points[0]
    put_all(reference, "highway-straight d2 ew")
    assert reference.score(0)["centre"] == points[1]
    assert new(accumulator_centre=counts).score(0)["centre"] == 0


@pytest.mark.parametrize(("counts", "points"), [(False, 0), (True, 2)])
def test_dead_end_station(counts: bool, points: int) -> None:
    """§1.8, §4.1 A dead end is a station only if the option says so; a straight never is."""
    reference = new(edition="challenge", dead_end_station=counts)
    put_all(reference, "rail-dead-end a2 w, highway-straight b5 ns")
    assert reference.score(0)["villages"] == points
    assert reference.count_errors(reference.sheets[0]) == 3


def test_twelve_exits() -> None:
    """§7.1 All twelve exits in one network: 45, on a railway round the board."""
    reference = new()
    for space in reference.all_spaces:
        if not {0, 6} & set(space):
            continue
        wanted = {}
        for side in SIDES:
            row, column = space[0] + {"N": -1, "S": 1}.get(side, 0), space[1] + {"W": -1, "E": 1}.get(side, 0)
            if (space, side) in reference.exits:
                wanted[side] = reference.exits[space, side]
            elif 0 <= row < 7 and 0 <= column < 7 and {0, 6} & {row, column}:
                wanted[side] = "R"
        code, lie = next(
            (code, lie)
            for code, pictures in reference.pictures.items()
            for lie, picture in pictures.items()
            if len(picture) == 1 and sides_of(picture) == wanted
        )
        prefix = "special:" if code.startswith("S") else ""
        reference.put(0, f"{prefix}{reference.routes[code].name} {'abcdefg'[space[0]]}{space[1]} {lie}")
    score = reference.score(0)
    assert (score["exits"], score["highway"], score["railway"], score["errors"]) == (45, 1, 24, 0)
    assert reference.facts(0) == {"exits": 12, "networks": 1, "specials": 0}


def test_exit_table() -> None:
    """§7.1 4 (n - 1) points for n = 2 .. 11, 45 for 12, nothing for one."""
    assert BOX["scoring"]["exit_points"] == [0, 0, *(4 * (number - 1) for number in range(2, 12)), 45]


def test_exit_needs_its_type() -> None:
    """§7.1 A route that leaves the exit's side blank does not belong to it."""
    reference = new()
    put_all(reference, "highway-curve d0 sw, highway-curve e0 ne, highway-t e1 nsw, highway-straight f1 ns")
    put_all(reference, "highway-curve g1 nw")
    assert reference.facts(0) == {"exits": 0, "networks": 0, "specials": 0}
    reference.put(0, "highway-straight g1 ns")
    assert reference.facts(0) == {"exits": 2, "networks": 1, "specials": 0}
    assert reference.score(0)["exits"] == 4


def test_closed_loop() -> None:
    """§7.2 Four highway curves in a ring: 4."""
    reference = new()
    put_all(reference, "highway-curve c2 es, highway-curve c3 sw, highway-curve d2 ne, highway-curve d3 nw")
    assert reference.score(0)["highway"] == 4
    assert reference.score(0)["errors"] == 0


def test_line_crosses_itself() -> None:
    """§7.2 Over a highway twice: the space counts once; without the option the line ends before it."""
    for may_cross, length in ((True, 6), (False, 5)):
        reference = new(line_may_cross_itself=may_cross)
        put_all(reference, "lamp-straight c1 ew, lamp-overpass c2 ns+ew, lamp-curve c3 sw, lamp-curve d3 nw")
        put_all(reference, "lamp-curve d2 ne, lamp-straight b2 ns")
        assert reference.score(0)["highway"] == length


def test_stations_and_branches() -> None:
    """§7.2 A line goes on through stations and overpasses of its type, and takes one branch only."""
    reference = new()
    put_all(
        reference,
        "highway-straight d0 ew, overpass d1 ew, special:three-highways d2 new/s, highway-straight d3 ew",
    )
    put_all(reference, "highway-straight c2 ns, rail-straight e2 ns")
    assert reference.score(0)["highway"] == 4
    assert reference.score(0)["railway"] == 2


def test_errors() -> None:
    """§7.4 Open ends inside; the outer edge, a joined side and a closed dead end are none."""
    reference = new()
    put_all(reference, "highway-curve a0 nw")
    assert reference.score(0)["errors"] == 0
    put_all(reference, "highway-straight d0 ew")
    assert reference.score(0)["errors"] == -1
    put_all(reference, "rail-straight d1 ns")  # blank towards the highway, and two open ends of its own
    assert reference.score(0)["errors"] == -3
    put_all(reference, "rail-dead-end c1 s")
    assert reference.score(0)["errors"] == -2


def test_standing() -> None:
    """§7.6 The total, then fewer errors; every line is always there and they sum to the total."""
    reference = new(seats=2)
    put_all(reference, "highway-straight d0 ew", 0)
    assert tuple(reference.score(0)) == module.LINES
    assert reference.standing(0) == (0, -1)
    assert reference.standing(1) == (0, 0)
    assert reference.standing(1) > reference.standing(0)


# Whole matches.


@pytest.mark.parametrize("edition", ["base", "challenge"])
@pytest.mark.parametrize(
    ("expansion", "rounds", "dice", "steps"), [("none", 7, 4, 1), ("lamps", 6, 6, 1), ("power", 7, 6, 2)]
)
def test_random_matches(edition: str, expansion: str, rounds: int, dice: int, steps: int) -> None:
    """§1.9, §2.4, §8 Random matches end after the right number of steps and score within sane bounds."""
    rng, totals = random.Random(20), []
    for seats in [1] * 12 + [2, 6]:
        reference, counts = random_match(rng, seats=seats, edition=edition, expansion=expansion)
        assert counts["outcomes"] == rounds * dice + (3 if edition == "challenge" else 0)
        assert counts["done"] == rounds * steps * seats
        for seat in range(seats):
            score = reference.score(seat)
            assert sum(score.values()) == reference.standing(seat)[0]
            assert edition == "challenge" or not any(score[line] for line in ("villages", "goal1", "goal2", "goal3"))
            assert expansion != "none" or score["expansion"] == 0
            assert 0 <= reference.facts(seat)["exits"] <= 12
            totals.append(sum(score.values()))
    if (edition, expansion) == ("base", "none"):
        assert max(totals) <= 83  # the best possible base match
    assert -16 < sum(totals) / len(totals) < 14  # aimless drawing leaves many open ends


def test_copies_are_independent() -> None:
    """A deep copy in the middle of a match goes its own way."""
    reference = new(edition="challenge", goals="ABC")
    roll(reference, "A4 A1 C0 B2")
    before = reference.moves(0)
    other = copy.deepcopy(reference)
    other.play(0, "highway-straight a1 ns")
    assert reference.moves(0) == before
    assert not reference.sheets[0].spaces


def test_refusals() -> None:
    """Unknown options, outcomes and moves are refused."""
    with pytest.raises(ValueError, match="edition"):
        new(edition="deluxe")
    with pytest.raises(ValueError, match="goals"):
        new(edition="challenge", goals="AAB")
    reference = new()
    with pytest.raises(ValueError, match="outcome"):
        reference.reveal("B0")
    roll(reference, "A4 A1 A0 B2")
    with pytest.raises(ValueError, match="illegal move"):
        reference.play(0, "done")


# Collected games and examples.


@pytest.fixture(scope="module")
def cases() -> Any:
    """The collected cases, where they are at hand."""
    if not CASES.exists():
        pytest.skip("the collected games (shared/railroad/cases.json beside the project) are not here")
    return json.loads(CASES.read_text())


def test_tile_edges(cases: Any) -> None:
    """§3.1 Sides of every route in every orientation."""
    routes = new().routes
    assert len(cases["suites"]["tile_edges"]) == 120
    for case in cases["suites"]["tile_edges"]:
        sides = sides_of(oriented(routes[case["tile"]].picture, case["orientation"]))
        assert "".join(sides.get(side, ".") for side in SIDES) == case["nesw"]


def test_box_faces(cases: Any) -> None:
    """§1.2-§1.6 The pictures in the box are those of the data, in some orientation."""
    reference = new()
    facts = cases["facts"]
    dice = {"A": "base_A", "B": "base_B", "C": "challenge_C", "D": "challenge_D", "L": "street_lamp"}
    for die, key in dice.items():
        ours = Counter(
            (
                frozenset(reference.pictures[code].values()),
                reference.routes[code].station,
                reference.routes[code].lamp,
            )
            for code in BOX["dice"][die]
        )
        theirs = Counter[Any]()
        for face in facts["dice"][key]["faces"]:
            picture = frozenset(frozenset(segment.items()) for segment in face["segments"])
            pictures = frozenset(oriented(picture, orientation) for orientation in range(8))
            theirs[pictures, face.get("station", False), bool(face.get("lamp", 0))] += 1
        assert ours == theirs
    for face in facts["specials"]:
        route = reference.specials[face["code"]]
        assert route.picture == frozenset(frozenset(segment.items()) for segment in face["segments"])
        assert route.station == face.get("station", False)


def unit_text(reference: Reference, move: str) -> str:
    """A move of the unit suite (`41DLDLo`) as `<route> <space> <lie>`."""
    kinds = {"D": "H", "L": "R"}
    sides = {side: kinds[mark] for side, mark in zip(SIDES, move[2:6], strict=True) if mark in kinds}
    for code, route in reference.routes.items():
        if code[0] in "ABS" and (len(route.picture) == 2) == move.endswith("o"):
            for lie, picture in reference.pictures[code].items():
                if sides_of(picture) == sides:
                    prefix = "special:" if code in reference.specials else ""
                    return f"{prefix}{route.name} {'abcdefg'[int(move[0])]}{move[1]} {lie}"
    raise AssertionError(move)


def test_units(cases: Any) -> None:
    """§3, §7 The small scoring and placement cases, a space counted once."""
    suite = cases["suites"]["moody_units"]
    lines = {"exits": "exits", "road": "highway", "rail": "railway", "center": "centre", "errors": "errors"}
    checked = 0
    for case in suite["scores"]:
        if not case["simple_ok"]:
            continue
        reference = new()
        for move in case["moves"]:
            reference.put(0, unit_text(reference, move))
        score = reference.score(0)
        for key, value in case["expected"].items():
            assert (sum(score.values()) if key == "total" else score[lines[key]]) == value, case["name"]
        checked += 1
    assert checked == 18
    for case in suite["placements"]:
        reference = new()
        *before, last = [unit_text(reference, move) for move in case["moves"]]
        for text in before:
            assert reference.may_put(0, text)
            reference.put(0, text)
        assert reference.may_put(0, last) == case["last_ok"], case["name"]


def test_collected_games(cases: Any) -> None:
    """§3, §7, §8 Every sixteenth collected game: each placement legal in order, equal total."""
    games = cases["suites"]["games_moody"] + cases["suites"]["games_human"]
    assert len(games) == 2564
    for game in games[::16]:
        reference = new()
        board = game["board"] if "board" in game else "".join(game["rounds"])
        for index in range(0, len(board), 5):
            text = reference.describe(board[index : index + 2], board[index + 2 : index + 4], int(board[index + 4]))
            assert reference.may_put(0, text), (game["id"], text)
            reference.put(0, text)
        assert sum(reference.score(0).values()) == game["total"], game["id"]


def test_collected_rounds(cases: Any) -> None:
    """§2 Some of the games as real rounds: reveal the dice, draw in the given order, say done."""
    full = [
        game for game in cases["suites"]["games_moody"] if all(len(x) - 5 * ("S" in x) == 20 for x in game["rounds"])
    ]
    for game in full[::120]:
        reference = new()
        for turn in game["rounds"]:
            placements = [turn[index : index + 5] for index in range(0, len(turn), 5)]
            roll(reference, " ".join(sorted(item[:2] for item in placements if item[0] != "S")))
            for item in placements:
                reference.play(0, reference.describe(item[:2], item[2:4], int(item[4])))
            reference.play(0, "done")
        assert reference.is_over()
        assert sum(reference.score(0).values()) == game["total"]
