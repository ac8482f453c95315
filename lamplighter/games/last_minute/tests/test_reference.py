"""The worked examples, tables, counts and figures of Last Minute Christmas, on its slow reference."""

import random
import statistics
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest


def load_reference() -> ModuleType:
    """Import the reference that lies beside this file, under a name no other game uses."""
    spec = spec_from_file_location("last_minute_reference", Path(__file__).with_name("reference.py"))
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


reference = load_reference()

BAUBLE, CANDY_CANE, STAR, BOW, BELL, LIGHT = reference.FACES
NAMES = ["bauble", "candy-cane", "star", "bow", "bell", "light"]
TURNS = {2: 16, 3: 15, 4: 16, 5: 15}
# A small sheet of another make: two icons, one power box, tracks of 0 to 12 squares, four turns.
SMALL_SHEET = {
    "tree": ["+#.", "##.", "..#", "+.#"],
    "tracks": [[2], [], [1, 4], list(range(1, 13)), [5, 6, 7], [3]],
    "power_boxes": 1,
    "icon_bonus": 9,
    "turns": {"2": 4, "3": 4, "4": 4, "5": 4},
}


def start(*, sheet: dict[str, Any] | None = None, **options: object) -> Any:
    """Begin a match for three, seat 0 first, unless said otherwise; `sheet` replaces parts of the box."""
    defaults = {"seats": 3, "connect": 8, "cross_uses": "face", "first_player": "0", "wrap": False}
    return reference.Reference(defaults | options, reference.load_box() | (sheet or {}))


def roll(match: Any, *faces: int) -> None:
    """Reveal three dice."""
    assert len(faces) == 3
    for face in faces:
        match.reveal(str(face))


def pairs(match: Any, seat: int) -> set[tuple[int, str]]:
    """List the (face, ornament) part of the legal moves."""
    return {(int(face), ornament) for face, ornament, _ in (move.split() for move in match.moves(seat))}


def cells(match: Any, seat: int) -> set[str]:
    """List the cell part of the legal moves."""
    return {move.split()[2] for move in match.moves(seat)}


def close(match: Any, seat: int, *ornaments: int) -> None:
    """Cross what is free of these tracks."""
    for ornament in ornaments:
        match.sheets[seat].crossed[ornament] += match.free(seat, ornament)


def play_randomly(match: Any, rng: random.Random) -> Any:
    """Play to the end: fair chance, uniform moves, waiting seats in random order; check what always holds."""
    while not match.is_over():
        outcomes, waiting = match.outcomes(), match.waiting()
        assert bool(outcomes) != bool(waiting)
        if outcomes:
            match.reveal(rng.choices(list(outcomes), list(outcomes.values()))[0])
            continue
        seat = rng.choice(sorted(waiting))
        match.play(seat, rng.choice(sorted(match.moves(seat))))
        sheet = match.sheets[seat]
        assert 0 <= sheet.powers() <= match.power_boxes
        assert len(sheet.drawn) == len(sheet.turn_points) <= match.turns
        assert all(match.free(seat, ornament) >= 0 for ornament in reference.FACES)
        assert match.standing(seat) == (sum(match.score(seat).values()), match.score(seat)["powers"])
    assert match.waiting() == set()
    assert match.outcomes() == {}
    return match


# The sheet


def test_tree_counts() -> None:
    match = start()
    assert len(match.squares) == 24
    touching = sum(len(match.neighbours(cell, reference.SURROUNDING)) for cell in match.squares)
    assert touching == 2 * 63
    assert match.icons == {(0, 3), (2, 2), (2, 4), (4, 1), (4, 5), (5, 3)}


def test_box_values() -> None:
    box = reference.load_box()
    assert set(box) == {"tree", "ornaments", "tracks", "power_boxes", "icon_bonus", "turns"}
    assert box["ornaments"] == ["Bauble", "Candy cane", "Star", "Bow", "Bell", "Light"]
    assert box["tracks"] == [[1, 3, 6, 10, 15, 21]] * 6
    assert (box["power_boxes"], box["icon_bonus"]) == (6, 5)
    assert box["turns"] == {"2": 16, "3": 15, "4": 16, "5": 15}


def test_names_in_text() -> None:
    assert list(start().names.values()) == NAMES
    assert reference.format_cell((2, 3)) == "c3"


# Turns and seats


@pytest.mark.parametrize(
    ("seats", "active_turns", "demand"),
    [(2, 8, 24), (3, 5, 25), (4, 4, 28), (5, 3, 27)],
)
def test_everybody_is_active_equally_often(seats: int, active_turns: int, demand: int) -> None:
    """§2, §3: also the most squares of the tracks that one seat can need (draws and crossings)."""
    match = start(seats=seats, first_player="random")
    rng = random.Random(1)
    match.reveal("first 1")
    actives = []
    while not match.is_over():
        roll(match, *rng.choices(reference.FACES, k=3))
        (active,) = match.waiting()
        actives.append(active)
        match.play(active, min(match.moves(active)))
        assert match.waiting() == set(range(seats)) - {active}
        for seat in sorted(match.waiting()):
            match.play(seat, min(match.moves(seat)))
    assert actives == [(1 + turn) % seats for turn in range(TURNS[seats])]
    assert all(actives.count(seat) == active_turns for seat in range(seats))
    assert len(actives) + len(actives) - active_turns == demand


def test_first_seat_by_chance() -> None:
    match = start(seats=4, first_player="random")
    assert match.waiting() == set()
    assert match.chance_seat() is None
    assert match.outcomes() == {"first 0": 1, "first 1": 1, "first 2": 1, "first 3": 1}
    match.reveal("first 2")
    for _ in range(3):
        assert match.waiting() == set()
        assert match.outcomes() == {"1": 1, "2": 1, "3": 1, "4": 1, "5": 1, "6": 1}
        match.reveal("5")
    assert match.outcomes() == {}
    assert match.waiting() == {2}


def test_first_seat_by_option() -> None:
    match = start(first_player="2")
    roll(match, 1, 2, 3)
    assert match.waiting() == {2}


@pytest.mark.parametrize(
    "options",
    [{"seats": 1}, {"seats": 6}, {"connect": 6}, {"cross_uses": "die"}, {"first_player": "3"}],
)
def test_bad_options_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="must be"):
        start(**options)


def test_too_small_a_tree_is_refused() -> None:
    with pytest.raises(ValueError, match="too few"):
        start(sheet={"tree": ["#####", "#####"]})


def test_illegal_steps_are_refused() -> None:
    match = start()
    with pytest.raises(ValueError, match="outcome"):
        match.reveal("7")
    roll(match, 3, 4, 6)
    with pytest.raises(ValueError, match="outcome"):
        match.reveal("1")
    with pytest.raises(ValueError, match="illegal move"):
        match.play(0, "1 bauble c3")
    assert match.moves(1) == set()
    with pytest.raises(ValueError, match="illegal move"):
        match.play(1, "4 bow c3")


# Worked examples


def test_lucas_scores_four() -> None:
    match = start()
    match.sheets[0].drawn = {(1, 3): BOW, (2, 2): BAUBLE, (3, 3): BELL}
    roll(match, 3, 4, 6)
    match.play(0, "3 star c3")
    assert match.sheets[0].turn_points == [4]


def test_david_scores_three() -> None:
    match = start()
    match.sheets[0].drawn = {(2, 1): BOW, (2, 2): STAR, (3, 3): LIGHT, (4, 2): BOW}
    roll(match, 4, 4, 6)
    match.play(0, "4 bow d2")
    assert match.sheets[0].turn_points == [3]


def test_roll_of_3_4_6() -> None:
    match = start()
    roll(match, 3, 4, 6)
    assert pairs(match, 0) == {(3, "star"), (4, "bow"), (6, "light")}
    assert len(match.moves(0)) == 3 * 24
    match.play(0, "3 star c3")
    assert match.score(0) == dict.fromkeys(["turns", *NAMES, "powers", "icons"], 0) | {"turns": 1, "star": 1}
    assert match.sheets[0].circled[STAR] == 1
    assert match.sheets[0].crossed[STAR] == 0
    for seat in (1, 2):
        assert match.sheets[seat].crossed == {1: 0, 2: 0, 3: 1, 4: 0, 5: 0, 6: 0}
        assert pairs(match, seat) == {(4, "bow"), (6, "light")}
    match.play(2, "4 bow f0")
    assert match.waiting() == {1}
    match.play(1, "4 bow f0")
    assert [sheet.crossed[BOW] for sheet in match.sheets] == [0, 0, 0]
    assert match.outcomes() != {}


def test_star_track_with_two_circles_and_two_crosses() -> None:
    match = start()
    sheet = match.sheets[1]
    sheet.circled[STAR], sheet.crossed[STAR] = 2, 2
    assert match.free(1, STAR) == 2
    roll(match, 3, 3, 4)
    match.play(0, "3 star c3")
    assert match.free(1, STAR) == 1
    match.play(1, "3 star c3")
    assert match.free(1, STAR) == 0
    assert match.score(1)["star"] == 6
    assert match.facts(1)["closed"] == 1


def test_dice_3_and_2_with_one_power() -> None:
    match = start()
    match.sheets[1].power_boxes_circled = 1
    roll(match, 3, 6, 2)
    match.play(0, "6 light c3")
    assert pairs(match, 1) == {
        (3, "star"),
        (2, "candy-cane"),
        (3, "bow"),
        (2, "star"),
        (2, "bauble"),
        (3, "candy-cane"),
    }
    changed = [(3, BOW), (2, STAR), (2, BAUBLE), (3, CANDY_CANE)]
    assert [match.cost(face, ornament) for face, ornament in changed] == [1, 1, 1, 1]
    match.play(1, "3 bow c3")
    assert match.sheets[1].powers() == 0
    assert match.sheets[1].circled[BOW] == 1


@pytest.mark.parametrize(("cross_uses", "crossed"), [("face", STAR), ("drawn", BOW)])
def test_active_change_and_what_the_others_cross(cross_uses: str, crossed: int) -> None:
    match = start(cross_uses=cross_uses)
    match.sheets[0].power_boxes_circled = 1
    roll(match, 3, 2, 6)
    match.play(0, "3 bow c3")
    assert match.sheets[0].circled[BOW] == 1
    for seat in (1, 2):
        assert match.sheets[seat].crossed == dict.fromkeys(reference.FACES, 0) | {crossed: 1}
        assert pairs(match, seat) == {(2, "candy-cane"), (6, "light")}


def finished_sheet(match: Any, seat: int, powers: int, turn_points: int) -> None:
    """Fill in the sheet of the final example: circles 3/2/3/4/2/2, five icons."""
    sheet = match.sheets[seat]
    sheet.turn_points = [turn_points]
    sheet.circled = dict(zip(reference.FACES, (3, 2, 3, 4, 2, 2), strict=True))
    sheet.power_boxes_circled, sheet.power_boxes_crossed = 5, 5 - powers
    sheet.drawn = dict.fromkeys(sorted(match.icons)[:5], STAR)


def test_final_score_of_82() -> None:
    match = start()
    finished_sheet(match, 0, powers=1, turn_points=50)
    score = match.score(0)
    assert list(score) == ["turns", *NAMES, "powers", "icons"]
    assert [score[name] for name in NAMES] == [6, 3, 6, 10, 3, 3]
    assert (score["turns"], score["powers"], score["icons"]) == (50, 1, 0)
    assert match.standing(0) == (82, 1)
    match.sheets[0].drawn[(5, 3)] = STAR
    assert match.score(0)["icons"] == 5


def test_tie_at_82() -> None:
    match = start()
    finished_sheet(match, 0, powers=2, turn_points=49)
    finished_sheet(match, 1, powers=1, turn_points=50)
    finished_sheet(match, 2, powers=1, turn_points=50)
    assert match.standing(0)[0] == match.standing(1)[0] == 82
    assert match.standing(0) > match.standing(1) == match.standing(2)


# Dice and powers


def test_equal_dice_are_one_choice() -> None:
    match = start()
    roll(match, 3, 5, 3)
    assert pairs(match, 0) == {(3, "star"), (5, "bell")}
    match.play(0, "3 star c3")
    assert pairs(match, 1) == {(3, "star"), (5, "bell")}


def test_three_equal_dice() -> None:
    match = start()
    roll(match, 2, 2, 2)
    assert len(match.moves(0)) == 24
    match.play(0, "2 candy-cane c3")
    assert pairs(match, 1) == pairs(match, 2) == {(2, "candy-cane")}


def test_two_powers_at_once() -> None:
    match = start()
    match.sheets[0].power_boxes_circled = 2
    roll(match, 1, 1, 1)
    assert pairs(match, 0) == {(1, "bauble"), (1, "candy-cane"), (1, "star")}
    match.play(0, "1 star c3")
    assert match.sheets[0].powers() == 0


def test_six_cannot_become_seven() -> None:
    match = start()
    match.sheets[0].power_boxes_circled = 1
    roll(match, 6, 6, 6)
    assert pairs(match, 0) == {(6, "light"), (6, "bell")}


def test_wrap_goes_round() -> None:
    match = start(wrap=True)
    match.sheets[0].power_boxes_circled = 1
    roll(match, 6, 6, 6)
    assert pairs(match, 0) == {(6, "light"), (6, "bell"), (6, "bauble")}
    match.play(0, "6 bauble c3")
    assert match.sheets[0].powers() == 0


@pytest.mark.parametrize(
    ("wrap", "costs"), [(False, [0, 1, 2, 3, 4, 5]), (True, [0, 1, 2, 3, 2, 1])], ids=["straight", "wrap"]
)
def test_costs_from_face_one(wrap: bool, costs: list[int]) -> None:
    match = start(wrap=wrap)
    assert [match.cost(1, ornament) for ornament in reference.FACES] == costs
    assert [match.cost(6, ornament) for ornament in reversed(reference.FACES)] == costs


def test_dearer_way_is_a_choice_of_its_own() -> None:
    match = start()
    match.sheets[0].power_boxes_circled = 1
    roll(match, 3, 4, 4)
    assert {(3, "bow"), (4, "bow")} <= pairs(match, 0)
    match.play(0, "3 bow c3")
    assert match.sheets[0].powers() == 0
    assert match.dice == [4, 4]


def test_icon_enables_a_use_from_the_next_turn_on() -> None:
    match = start(seats=2)
    roll(match, 3, 3, 3)
    assert pairs(match, 0) == {(3, "star")}
    match.play(0, "3 star c2")
    assert match.score(0)["powers"] == 1
    assert match.facts(0)["covered"] == 1
    match.play(1, "3 star c3")
    assert match.score(1)["powers"] == 0
    roll(match, 3, 3, 3)
    match.play(1, "3 star c2")
    assert pairs(match, 0) == {(3, "candy-cane"), (3, "star"), (3, "bow")}


# Running out


def test_crossing_closes_a_track_before_the_passive_choice() -> None:
    match = start()
    match.sheets[1].circled[STAR] = 5
    roll(match, 3, 3, 4)
    match.play(0, "3 star c3")
    assert pairs(match, 1) == {(4, "bow")}
    assert pairs(match, 2) == {(3, "star"), (4, "bow")}


def test_crossing_a_closed_track_does_nothing() -> None:
    match = start()
    close(match, 1, STAR)
    roll(match, 3, 3, 4)
    match.play(0, "3 star c3")
    assert match.sheets[1].crossed == dict.fromkeys(reference.FACES, 0) | {STAR: 6}


def test_powers_must_be_used_before_the_rescue() -> None:
    match = start()
    close(match, 0, STAR, BOW)
    match.sheets[0].power_boxes_circled = 1
    roll(match, 3, 3, 3)
    assert pairs(match, 0) == {(3, "candy-cane")}
    match.play(0, "3 candy-cane c3")
    assert match.sheets[0].powers() == 0
    assert match.facts(0) == {"rescues": 0, "closed": 2, "covered": 0}


@pytest.mark.parametrize(("cross_uses", "crossed"), [("face", BOW), ("drawn", LIGHT)])
def test_rescue_of_the_active_player(cross_uses: str, crossed: int) -> None:
    match = start(cross_uses=cross_uses)
    close(match, 0, STAR, BOW, CANDY_CANE, BELL)
    match.sheets[0].power_boxes_circled = 1
    roll(match, 3, 4, 4)
    assert pairs(match, 0) == {(3, "bauble"), (3, "light"), (4, "bauble"), (4, "light")}
    match.play(0, "4 light c3")
    assert match.sheets[0].powers() == 1
    assert match.sheets[0].circled[LIGHT] == 1
    assert match.facts(0) == {"rescues": 1, "closed": 4, "covered": 0}
    for seat in (1, 2):
        assert match.sheets[seat].crossed == dict.fromkeys(reference.FACES, 0) | {crossed: 1}
        assert pairs(match, seat) == {(3, "star"), (4, "bow")}


def test_rescue_of_a_passive_player() -> None:
    match = start()
    close(match, 1, STAR, BOW, BELL)
    roll(match, 3, 3, 4)
    match.play(0, "3 star c3")
    open_names = ["bauble", "candy-cane", "light"]
    assert pairs(match, 1) == {(face, name) for face in (3, 4) for name in open_names}
    match.play(1, "4 light c3")
    assert match.facts(1)["rescues"] == 1
    assert match.facts(0)["rescues"] == match.facts(2)["rescues"] == 0


def test_every_track_full() -> None:
    match = start()
    close(match, 0, *reference.FACES)
    roll(match, 3, 4, 4)
    assert pairs(match, 0) == {(face, name) for face in (3, 4) for name in NAMES}
    match.play(0, "3 light c2")
    assert match.sheets[0].circled == dict.fromkeys(reference.FACES, 0)
    assert match.score(0)["turns"] == 1
    assert match.score(0)["powers"] == 1
    assert match.facts(0) == {"rescues": 1, "closed": 6, "covered": 1}


# Where to draw


@pytest.mark.parametrize(
    ("connect", "expected"),
    [(8, {"d2", "d3", "e1", "e3", "f1", "f2", "f3"}), (4, {"d2", "e1", "e3", "f2"})],
)
def test_connecting_squares(connect: int, expected: set[str]) -> None:
    match = start(connect=connect)
    match.sheets[0].drawn = {(4, 2): STAR}
    roll(match, 1, 1, 1)
    assert cells(match, 0) == expected


def test_first_draw_goes_anywhere() -> None:
    match = start()
    roll(match, 1, 1, 1)
    assert cells(match, 0) == {reference.format_cell(cell) for cell in match.squares}


def test_points_count_diagonals_even_with_connect_4() -> None:
    match = start(connect=4)
    match.sheets[0].drawn = {(2, 2): STAR, (3, 4): LIGHT, (1, 2): BOW}
    roll(match, 4, 4, 4)
    assert "c3" in cells(match, 0)
    match.play(0, "4 bow c3")
    assert match.sheets[0].turn_points == [3]


# Order and moment


def test_passive_order_does_not_matter() -> None:
    results = []
    for order in ((1, 2, 3), (3, 1, 2), (2, 3, 1)):
        match = start(seats=4)
        roll(match, 3, 4, 6)
        match.play(0, "3 star c3")
        for seat in order:
            match.play(seat, f"{'4 bow' if seat < 3 else '6 light'} c{seat}")
        results.append(match.sheets)
        assert match.active() == 1
    assert results[0] == results[1] == results[2]


def test_turn_points_count_from_the_moment_of_drawing() -> None:
    match = start()
    roll(match, 3, 4, 6)
    match.play(0, "3 star c3")
    assert [match.score(seat)["turns"] for seat in range(3)] == [1, 0, 0]
    match.play(2, "4 bow c3")
    assert [match.score(seat)["turns"] for seat in range(3)] == [1, 0, 1]


# Other sheets


def test_no_free_power_box() -> None:
    """A box that was used is spent: the next icon counts but enables nothing."""
    match = start(seats=2, sheet={"power_boxes": 1})
    roll(match, 3, 3, 3)
    match.play(0, "3 star c2")
    match.play(1, "3 star c3")
    roll(match, 3, 3, 3)
    match.play(1, "3 star c2")
    match.play(0, "3 bow c3")
    assert match.sheets[0].powers() == 0
    roll(match, 3, 3, 3)
    match.play(0, "3 star c4")
    assert match.sheets[0].powers() == 0
    assert match.facts(0)["covered"] == 2


def test_no_power_boxes_at_all() -> None:
    match = start(sheet={"power_boxes": 0})
    roll(match, 3, 3, 3)
    match.play(0, "3 star c2")
    assert match.score(0)["powers"] == 0
    assert match.facts(0)["covered"] == 1


def test_no_connecting_square() -> None:
    match = start(sheet=SMALL_SHEET)
    match.sheets[0].drawn = dict.fromkeys([(0, 0), (0, 1), (1, 0), (1, 1)], STAR)
    roll(match, 4, 4, 4)
    assert cells(match, 0) == {"c2"}
    match.connect = 4
    assert cells(match, 0) == {"c2", "d0", "d2"}
    match.connect = 8
    match.sheets[0].drawn |= dict.fromkeys([(2, 2), (3, 2)], STAR)
    match.play(0, "4 bow d0")
    assert match.sheets[0].turn_points == [1]
    assert match.score(0)["icons"] == 9


def test_tree_without_icons() -> None:
    match = start(sheet={"tree": ["#####"] * 4})
    assert match.score(0)["icons"] == 5
    assert match.facts(0)["covered"] == 0


def test_unequal_tracks() -> None:
    match = start(sheet=SMALL_SHEET)
    assert [match.free(0, ornament) for ornament in reference.FACES] == [1, 0, 2, 12, 3, 1]
    assert match.facts(0)["closed"] == 1
    roll(match, 2, 5, 5)
    assert pairs(match, 0) == {(5, "bell")}
    match.play(0, "5 bell a1")
    assert match.score(0)["bell"] == 5


# Whole matches


@pytest.mark.parametrize(
    ("seats", "connect", "cross_uses", "wrap", "sheet"),
    [
        (2, 8, "face", False, {}),
        (2, 4, "drawn", True, SMALL_SHEET),
        (3, 8, "face", True, SMALL_SHEET),
        (3, 4, "drawn", False, {}),
        (4, 8, "drawn", False, SMALL_SHEET),
        (4, 4, "face", True, {}),
        (5, 8, "drawn", True, {}),
        (5, 4, "face", False, SMALL_SHEET),
    ],
)
def test_matches_end(seats: int, connect: int, cross_uses: str, wrap: bool, sheet: dict[str, Any]) -> None:
    """Any two values of two options meet in one of the rows."""
    rng = random.Random(f"{seats} {connect} {cross_uses} {wrap} {len(sheet)}")
    options = {"seats": seats, "connect": connect, "cross_uses": cross_uses, "wrap": wrap}
    for _ in range(2):
        match = play_randomly(start(first_player="random", sheet=sheet, **options), rng)
        turns = 4 if sheet else TURNS[seats]
        for seat in range(seats):
            assert len(match.sheets[seat].turn_points) == len(match.sheets[seat].drawn) == turns
            assert match.moves(seat) == set()


def greedy_move(match: Any, seat: int, rng: random.Random) -> str:
    """Choose the move that raises the seat's own score most at once."""
    sheet = match.sheets[seat]
    gains: dict[str, int] = {}
    for text, choice in match.choices(seat).items():
        neighbours = match.neighbours(choice.cell, reference.SURROUNDING)
        around = [sheet.drawn[cell] for cell in neighbours if cell in sheet.drawn]
        circled = sheet.circled[choice.ornament]
        track = [0, *match.tracks[choice.ornament]]
        gain = len([ornament for ornament in around if ornament != choice.ornament])
        gain += track[circled + 1] - track[circled]
        gain += choice.cell in match.icons
        gain -= 0 if match.needs_rescue(seat) else match.cost(choice.face, choice.ornament)
        gains[text] = gain
    best = max(gains.values())
    return rng.choice(sorted(text for text, gain in gains.items() if gain == best))


@pytest.mark.parametrize(
    ("seats", "total", "rescues"), [(2, 78.3, 0.05), (3, 71.3, 0.11), (4, 78.1, 0.20), (5, 71.0, 0.18)]
)
def test_random_figures(seats: int, total: float, rescues: float) -> None:
    """Totals of uniform play; the spread of one total is about 4."""
    rng = random.Random(2024)
    matches = [play_randomly(start(seats=seats, first_player="random"), rng) for _ in range(40)]
    totals = [match.standing(seat)[0] for match in matches for seat in range(seats)]
    assert statistics.mean(totals) == pytest.approx(total, abs=1.5)
    assert 2.5 < statistics.stdev(totals) < 5.5
    uses = [match.facts(seat)["rescues"] for match in matches for seat in range(seats)]
    assert statistics.mean(uses) == pytest.approx(rescues, abs=0.12)


@pytest.mark.parametrize(
    ("seats", "total", "closed"),
    [(2, 97.6, 2.4), (3, 88.5, 2.5), (4, 94.7, 2.9), (5, 86.9, 2.7)],
)
def test_greedy_figures(seats: int, total: float, closed: float) -> None:
    """Totals of a one-ply player; ours need not be the one that the figures were measured with."""
    rng = random.Random(2025)
    totals, closed_tracks = [], []
    for _ in range(12):
        match = start(seats=seats, first_player="random")
        while not match.is_over():
            if match.outcomes():
                match.reveal(rng.choice(list(match.outcomes())))
            else:
                seat = min(match.waiting())
                match.play(seat, greedy_move(match, seat, rng))
        totals += [match.standing(seat)[0] for seat in range(seats)]
        closed_tracks += [match.facts(seat)["closed"] for seat in range(seats)]
    assert statistics.mean(totals) == pytest.approx(total, abs=4)
    assert statistics.mean(closed_tracks) == pytest.approx(closed, abs=0.6)
