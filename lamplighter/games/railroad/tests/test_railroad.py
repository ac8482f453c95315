"""Railroad: published games, worked examples of the Electricity pack, rulings, options and refusals."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest

import lamplighter
from lamplighter import bots, games
from lamplighter.engine.box import BoxFile
from lamplighter.engine.match import Match
from lamplighter.engine.position import Position
from lamplighter.engine.variant import Variant
from lamplighter.errors import BadBox, BadVariant, IllegalMove, NoTakeBack
from lamplighter.games.railroad import routes
from lamplighter.games.railroad.components import SPACES
from lamplighter.games.railroad.state import Reason
from lamplighter.jit import BOUNDS_CHECKED, PURE
from lamplighter.lab.simulate import simulate

GAME = games.load("railroad")
CASES = GAME.folder.parents[3] / "shared" / "railroad" / "cases.json"
EXITS = ["a1", "a3", "a5", "b6", "d6", "f6", "g1", "g3", "g5", "b0", "d0", "f0"]


def may_put(position: Position, move: str, seat: int = 0) -> Reason:
    """§3 Whether a route may be drawn there, whatever was rolled."""
    entry, space = divmod(position.parse_move(seat, move), SPACES)
    return Reason(routes.check_place(position.variant.box, position.state, seat, entry, space))


def put(position: Position, *moves: str, seat: int = 0) -> None:
    """Draw routes directly: no dice, no structures, no check."""
    for move in moves:
        entry, space = divmod(position.parse_move(seat, move), SPACES)
        routes.draw(position.variant.box, position.state, seat, entry, space)


def bit(space: str) -> int:
    return 1 << ((ord(space[0].lower()) - ord("a")) * 7 + int(space[1]))


def start(variant: str = "railroad", *outcomes: str) -> Match:
    match = lamplighter.load(variant).match(seed=None)
    for outcome in outcomes:
        match.reveal(outcome)
    return match


# --- the published games --------------------------------------------------------------------------------------


def cases() -> dict[str, Any]:
    if not CASES.exists():
        pytest.skip(f"the published games are not beside the project ({CASES.name})")
    found: dict[str, Any] = json.loads(CASES.read_text(encoding="utf-8"))
    return found


def play_round(position: Position, placements: list[str]) -> Position:
    """One round as it was played. Where fewer than four results were drawn, the others are faces that fit nowhere."""
    rolled = [code[:2] for code in placements if code[0] in "AB"]
    missing_a = 3 - sum(code[0] == "A" for code in rolled)
    missing_b = 1 - sum(code[0] == "B" for code in rolled)
    for extra_a in itertools.combinations_with_replacement([f"A{i}" for i in range(6)], missing_a):
        for extra_b in itertools.combinations_with_replacement(["B0", "B1", "B2"], missing_b):
            trial = position.copy()
            faces = sorted([*rolled, *extra_a, *extra_b])
            for face in faces:
                trial.reveal(face)
            for code in placements:
                trial.play(code, 0)
            if trial.why("done", 0) is None:
                trial.play("done", 0)
                return trial
    raise AssertionError(f"no faces let {placements} be a whole round")


def cut(board: str) -> list[str]:
    return [board[i : i + 5] for i in range(0, len(board), 5)]


def test_published_games() -> None:
    """Every placement of every round is legal in order, and the totals are equal."""
    listed = cases()["suites"]["games_moody"]
    chosen = listed[:: 400 if PURE else 40] if PURE or BOUNDS_CHECKED else listed
    variant = lamplighter.load("railroad")
    for case in chosen:
        position = variant.start()
        for board in case["rounds"]:
            position = play_round(position, cut(board))
        assert position.is_over
        assert position.total(0) == case["total"], case["id"]


def test_published_boards() -> None:
    """Whole boards of people, not cut into rounds: §3 holds for each placement, and the totals are equal."""
    for case in cases()["suites"]["games_human"]:
        position = lamplighter.load("railroad").start()
        for code in cut(case["board"]):
            assert may_put(position, code) == Reason.OK, (case["id"], code)
            put(position, code)
        assert position.total(0) == case["total"], case["id"]


def test_faces_at_every_orientation() -> None:
    """A code of five characters and a readable move are the same move."""
    position = lamplighter.load("railroad").start()
    for row in cases()["suites"]["tile_edges"]:
        action = position.parse_move(0, f"{row['tile']}d3{row['orientation']}")
        text = position.format_move(0, action)
        assert position.parse_move(0, text) == action
        highway = "".join(side for side, kind in zip("nesw", row["nesw"], strict=True) if kind == "H")
        lie = text.split()[2]
        if "/" in lie:
            assert lie.split("/")[0] == highway


# --- §7 counting ----------------------------------------------------------------------------------------------


def test_closed_loop() -> None:
    """§7.2 A loop of four curves is a highway of four; §4.4 F it is a loop."""
    position = lamplighter.load("railroad?edition=challenge&goals=fab").start()
    put(position, "highway-curve c2 es", "highway-curve c3 sw", "highway-curve d2 ne", "highway-curve d3 nw")
    assert position.score(0)["highway"] == 4
    assert position.score(0)["errors"] == 0
    assert bool(GAME.module("lines").has_loop(position.state, 0))


def test_all_twelve_exits() -> None:
    """§7.1 One network with eight exits is worth 28, and one with all twelve 45."""
    stations = {f"{row}{col}": "special:station-cross {} ns/ew" for row in "abcdefg" for col in range(7)}
    position = lamplighter.load("railroad").start()
    put(position, *(move.format(space) for space, move in stations.items()))
    assert position.facts(0)["exits"] == 8
    assert position.score(0)["exits"] == 28
    for space in ("a3", "g3"):
        stations[space] = "rail-straight {} ns"
    for space in ("d0", "d6"):
        stations[space] = "highway-straight {} ew"
    stations |= dict.fromkeys(("b3", "f3"), "special:rail-crossroads {} nesw")
    stations |= dict.fromkeys(("d1", "d5"), "special:highway-crossroads {} nesw")
    full = lamplighter.load("railroad").start()
    put(full, *(move.format(space) for space, move in stations.items()))
    assert full.facts(0)["exits"] == 12
    assert full.score(0)["exits"] == 45
    assert full.score(0)["centre"] == 9


def test_errors_and_edges() -> None:
    """§7.4 Against a blank side and in the open it is an error, at the outer edge it is none; §3.3 a blank side is no clash."""
    position = lamplighter.load("railroad").start()
    put(position, "highway-straight a1 ns")
    assert position.score(0)["errors"] == -1
    put(position, "highway-curve b1 es")
    assert position.score(0)["errors"] == -3
    assert may_put(position, "highway-straight a2 ew") == Reason.NOT_CONNECTED
    assert may_put(position, "rail-straight b2 ew") == Reason.TYPES_CLASH
    assert may_put(position, "station-straight c1 w/e") == Reason.NOT_CONNECTED
    assert may_put(position, "highway-straight b1 ns") == Reason.SPACE_TAKEN
    assert may_put(position, "overpass c1 ew") == Reason.TYPES_CLASH
    assert may_put(position, "rail-straight d0 ew") in (Reason.TYPES_CLASH, Reason.NOT_CONNECTED)
    assert may_put(position, "station-curve b2 n/w") in (Reason.TYPES_CLASH, Reason.NOT_CONNECTED)


def test_village_points() -> None:
    """R1, §4.1 Three villages are worth 6 in all, or 2 + 4 + 6."""
    for option, points in (("total", 6), ("per-step", 12)):
        position = lamplighter.load(f"railroad?edition=challenge&village_points={option}&goals=abc").start()
        put(position, "station-straight a2 n/s", "station-straight b5 n/s", "station-straight c4 n/s")
        assert position.score(0)["villages"] == points


def test_line_may_cross_itself() -> None:
    """R10, §7.2 A line through both curves of one space counts it once, or may not come back to it."""
    moves = (
        "lamp-double-curve c3 ne+sw", "highway-curve c4 nw", "highway-curve b4 sw", "highway-curve b3 es",
    )  # fmt: skip
    lengths = []
    for option in ("true", "false"):
        position = lamplighter.load(f"railroad?expansion=lamps&line_may_cross_itself={option}").start()
        put(position, *moves, "highway-straight c2 ew", "highway-straight d3 ns")
        lengths.append(position.score(0)["highway"])
    assert lengths[0] >= lengths[1]


def test_standing() -> None:
    """§7.6 Equal totals: fewer errors stand higher."""
    variant = lamplighter.load("railroad?seats=2")
    position = variant.start()
    put(position, "rail-straight b0 ew", seat=0)  # 1 space of railway, 1 error
    assert position.totals == [0, 0]
    assert position.winners() == [1]


# --- §2 the round ---------------------------------------------------------------------------------------------


def test_must_draw() -> None:
    """§2.2 Done is refused while a result fits; specials never keep anybody from it."""
    match = start("railroad", "A4", "A4", "A1", "B0")
    refusal = match.why("done", 0)
    assert isinstance(refusal, IllegalMove) and refusal.reason == "MUST_DRAW"
    match.play("highway-straight a1 ns")
    match.play("highway-straight b1 ns")
    match.play("rail-straight b0 ew") if match.why("rail-straight b0 ew", 0) is None else match.play(
        "rail-straight f0 ew"
    )
    match.play("station-straight c1 n/s")
    assert match.why("done", 0) is None
    match.play("done")
    assert not match.waiting


REFUSED = [
    ("rail-curve a3 ns", "BadNotation"),
    ("rail-curve a3 ne", "NOT_ROLLED"),
    ("highway-straight c3 ns", "NOT_CONNECTED"),
    ("rail-straight a1 ns", "TYPES_CLASH"),
    ("lamps row a", "BadNotation"),
    ("done", "MUST_DRAW"),
]


@pytest.mark.parametrize(("move", "reason"), REFUSED)
def test_refusals(move: str, reason: str) -> None:
    """§2.1, §3.2, §3.3 Each refusal has a reason of its own."""
    match = start("railroad", "A4", "A4", "A1", "B0")
    if reason == "BadNotation":
        with pytest.raises(lamplighter.engine.position.BadNotation):
            match.why(move, 0)
        return
    refusal = match.why(move, 0)
    assert isinstance(refusal, IllegalMove) and refusal.reason == reason


def test_specials_are_limited() -> None:
    """§2.3 One a round, three a match, each once."""
    match = start("railroad", "A4", "A4", "A1", "B0")
    match.play("special:highway-crossroads a1 nesw")
    for move, reason in (
        ("special:rail-crossroads a3 nesw", "ONE_SPECIAL_A_ROUND"),
        ("special:highway-crossroads a5 nesw", "SPECIAL_USED"),
    ):
        refusal = match.why(move, 0)
        assert isinstance(refusal, IllegalMove) and refusal.reason in (reason, "ONE_SPECIAL_A_ROUND")
    match.position.state["counted_now"][0] = 0
    refusal = match.why("special:highway-crossroads a5 nesw", 0)
    assert isinstance(refusal, IllegalMove) and refusal.reason == "SPECIAL_USED"
    match.position.state["counted"][0] = 3
    refusal = match.why("special:rail-crossroads a3 nesw", 0)
    assert isinstance(refusal, IllegalMove) and refusal.reason == "NO_MORE_SPECIALS"


def test_take_back_any_mark() -> None:
    """§2.4 Any mark since the roll, as long as the others stand without it; nothing once the step is over."""
    match = start("railroad", "A4", "A4", "A1", "B0")
    match.play("highway-straight a1 ns")
    match.play("highway-straight b1 ns")
    match.play("rail-straight f0 ew")
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


def test_seats_finish_in_any_order() -> None:
    """§2.4 A seat that is done may take that back until all are; then the round is over for everybody."""
    match = start("railroad?seats=2", "A4", "A4", "A1", "B0")
    for seat in (1, 0):
        for move in (
            "highway-straight a1 ns",
            "highway-straight b1 ns",
            "rail-straight f0 ew",
            "station-straight c1 n/s",
        ):
            match.play(move, seat)
    match.play("done", 1)
    assert match.waiting == (0,)
    assert match.take_back(1) == "done"
    match.play("done", 1)
    match.play("done", 0)
    assert match.position.turn == 2


# --- §4 challenge ---------------------------------------------------------------------------------------------


def challenge(*moves: str, options: str = "", dice: tuple[str, ...] = ("A4", "A4", "B0", "B2")) -> Match:
    match = start(f"railroad?edition=challenge&goals=abc{options}", *dice)
    for move in moves:
        match.play(move)
    return match


def test_third_university() -> None:
    """R2, §4.2 The third one asks for an extra special at once: drawn or skipped, and nothing else before."""
    match = challenge()
    put(match.position, "rail-straight c0 ns", "rail-straight e1 ns")
    put(match.position, "highway-straight g5 ns", "highway-curve f5 es", "highway-curve f6 sw")
    match._set_mark()
    refused = match.why("skip", 0)
    assert isinstance(refused, IllegalMove) and refused.reason == "NOTHING_TO_SKIP"
    match.play("highway-straight g6 ns")
    assert all(move.startswith("special:") or move == "skip" for move in match.legal_moves(0))
    other = match.why("highway-straight a1 ns", 0)
    assert isinstance(other, IllegalMove) and other.reason == "EXTRA_SPECIAL_FIRST"
    match.play("skip")
    assert match.why("highway-straight a1 ns", 0) is None
    later = challenge(options="&university_special=later")
    put(later.position, "rail-straight c0 ns", "rail-straight e1 ns")
    put(later.position, "highway-straight g5 ns", "highway-curve f5 es", "highway-curve f6 sw")
    later.play("highway-straight g6 ns")
    assert later.why("highway-straight a1 ns", 0) is None


def test_factory_copies() -> None:
    """R3, §4.3 A route in a factory lets any result be drawn once more, or only one that was drawn."""
    for option, allowed in (("any", True), ("drawn", False)):
        match = challenge(options=f"&factory_copy={option}")
        put(match.position, "highway-straight a1 ns", "highway-curve b1 nw")
        refused = match.why("copy:highway-straight d0 ew", 0)
        assert isinstance(refused, IllegalMove) and refused.reason == "NO_COPY"
        put(match.position, "highway-curve b0 ne")
        match.play("highway-straight a0 ns")
        assert match.why("copy:highway-straight d0 ew", 0) is None
        refusal = match.why("copy:station-straight d0 w/e", 0)
        assert (refusal is None) == allowed


def test_solo_goals() -> None:
    """R4, §4.4 Alone a late goal is worth 1, unless the option says 4."""
    for option, points in (("true", 1), ("false", 4)):
        position = lamplighter.load(f"railroad?edition=challenge&goals=dab&solo_goals={option}").start()
        position.state["goal_round"][0, 0] = 5
        assert position.score(0)["goal1"] == points
        position.state["goal_round"][0, 0] = 3
        assert position.score(0)["goal1"] == 4


def test_goals_are_checked_after_drawing() -> None:
    """R5, §4.4 A goal counts when everybody has drawn, and first, second and later rounds give 4, 2 and 1."""
    match = start("railroad?edition=challenge&goals=dab&seats=2&expansion=power", "A4", "A4", "B0", "B2", "up", "up")
    for seat in range(2):
        put(match.position, "highway-straight a0 ns", "highway-straight a6 ns", "highway-straight g0 ns", seat=seat)
        match.position.state["todo"][seat] &= ~0b1111
        if seat == 0:
            match.play("done", 0)
            assert match.score(0)["goal1"] == 0
    match.play("done", 1)
    assert [match.score(seat)["goal1"] for seat in range(2)] == [4, 4]
    position = match.position
    position.state["goal_round"][0, 0], position.state["goal_round"][1, 0] = 2, 4
    assert [position.score(seat)["goal1"] for seat in range(2)] == [4, 2]


def test_goals_by_lot_or_by_name() -> None:
    """R6, §4.4 Three different goals."""
    lot = lamplighter.load("railroad?edition=challenge").start()
    assert len(lot.outcomes()) == 12
    lot.reveal("goal c")
    assert len(lot.outcomes()) == 11
    for bad in ("aab", "abz", "ab"):
        with pytest.raises(BadVariant, match="goals"):
            lamplighter.load(f"railroad?edition=challenge&goals={bad}")


# --- §5 street lamps ------------------------------------------------------------------------------------------


def test_leaflet_street_lamps() -> None:
    """§5.1, §5.2 The top row holds three lamps: choosing it after a special route is worth 3 points."""
    match = start("railroad?expansion=lamps", "A4", "A4", "A1", "B0", "L0", "L1")
    for space in ("a1", "a2", "a4", "b4"):
        put(match.position, f"lamp-straight {space} ns")
        match.position.state["lamps"][0] |= bit(space)
    refused = match.why("lamps row a", 0)
    assert isinstance(refused, IllegalMove) and refused.reason == "NO_LAMPS_TO_CHOOSE"
    match.play("special:highway-crossroads d0 nesw")
    assert len(match.legal_moves(0)) == 14
    refused = match.why("highway-straight a5 ns", 0)
    assert isinstance(refused, IllegalMove) and refused.reason == "CHOOSE_LAMPS"
    match.play("lamps row a")
    assert match.score(0)["expansion"] == 3
    match.position.state["choosing"][0] = 1
    match.play("lamps column 4")
    assert match.score(0)["expansion"] == 4


def test_lamp_routes_and_structures() -> None:
    """R7, §5.3 A lamp route in a factory earns a copy, unless the option says no."""
    for option, copies in (("true", 1), ("false", 0)):
        match = start(
            f"railroad?edition=challenge&expansion=lamps&goals=abc&lamps_trigger_structures={option}",
            "A4", "A4", "B0", "B2", "L0", "L1",
        )  # fmt: skip
        put(match.position, "highway-straight a1 ns", "highway-curve b1 nw", "highway-curve b0 ne")
        match.play("lamp-straight a0 ns")
        assert int(match.position.state["copies"][0]) == copies


# --- §6 power grid --------------------------------------------------------------------------------------------


def powered(*faces: str, charges: int = 0, electrified: str = "", drawn: str = "", options: str = "") -> Match:
    """The Power Grid step of a first round, with these spaces drawn and electrified."""
    match = start(f"railroad?expansion=power{options}", "A4", "A4", "A1", "B0", *faces)
    state = match.position.state
    for space in (drawn + " " + electrified).split():
        put(match.position, f"rail-straight {space} ns")
    state["todo"][0] &= ~0b1111
    match.play("done")
    for space in electrified.split():
        match.position.state["electrified"][0] |= bit(space)
    match.position.state["charges"][0] = charges
    match._set_mark()
    return match


def test_leaflet_score() -> None:
    """§6.6 Five linked exits and two charges are 10 points; the exit above a5 is not linked."""
    match = powered("up", "up", charges=2, electrified="a1 a2 a3 a5 b2 b4 b5 c2 d0 d1 d2 e2 f0 f2 g0 g1 g2")
    assert match.score(0)["expansion"] == 10


def test_leaflet_electrify_from_an_exit() -> None:
    """§6.3 From the exit left of d0 to the right: d0, d1, d2, not the accumulator."""
    match = powered("right", "up", drawn="d0 d1 d2 d4")
    assert match.why("right from d0w to d2", 0) is None
    match.play("right from d0w to d2")
    assert int(match.position.state["electrified"][0]) == bit("d0") | bit("d1") | bit("d2")
    used = match.why("right from d0w to d0", 0)
    assert isinstance(used, IllegalMove) and used.reason in ("DIE_USED", "ALREADY_ELECTRIFIED")


def test_leaflet_charge() -> None:
    """§6.4 From d2 to the right: one charge. At three charges it is no move; a line that just arrives does not charge."""
    match = powered("right", "right", electrified="d0 d1 d2")
    match.play("right charge d2")
    assert int(match.position.state["charges"][0]) == 1
    full = powered("right", "right", electrified="d0 d1 d2", charges=3)
    refused = full.why("right charge d2", 0)
    assert isinstance(refused, IllegalMove) and refused.reason == "FULLY_CHARGED"
    arriving = powered("right", "right", drawn="d0 d1 d2")
    refused = arriving.why("right charge d2", 0)
    assert isinstance(refused, IllegalMove) and refused.reason == "CHARGE_FROM_ELECTRIFIED"


def test_leaflet_line_need_not_follow_the_route() -> None:
    """§6.3 Down from a2: b2 holds an east-west railway and c2 a curve."""
    match = powered("down", "up", electrified="a1 a2 a3 d0 d1 d2", drawn="")
    put(match.position, "rail-straight b2 ew", "highway-curve c2 ne")
    match.play("down from a2 to c2")
    assert int(match.position.state["electrified"][0]) & (bit("b2") | bit("c2")) == bit("b2") | bit("c2")


def test_question_mark() -> None:
    """R11, §6.5 Any space with a route that is not electrified, or a charge."""
    match = powered("question", "question", electrified="d0", drawn="b3")
    taken = match.why("question d0", 0)
    assert isinstance(taken, IllegalMove) and taken.reason == "ALREADY_ELECTRIFIED"
    empty = match.why("question c5", 0)
    assert isinstance(empty, IllegalMove) and empty.reason == "NO_ROUTE"
    match.play("question b3")
    match.play("question charge")
    assert int(match.position.state["charges"][0]) == 1


def test_power_order() -> None:
    """R8, §6.2 In either order; as rolled, the second gives up the first."""
    free = powered("question", "right", electrified="d0", drawn="d1")
    free.play("right from d0 to d1")
    assert "question charge" in free.legal_moves(0)
    strict = powered("question", "right", electrified="d0", drawn="d1", options="&power_order=as-rolled")
    strict.play("right from d0 to d1")
    assert strict.legal_moves(0) == ["done"]


def test_power_exits() -> None:
    """R12, §6.3 An edge space with any route lets an arrow in, whatever its type."""
    match = powered("down", "up", drawn="a1")
    assert match.why("down from a1n to a1", 0) is None
    nothing = match.why("down from a5n to a5", 0)
    assert isinstance(nothing, IllegalMove) and nothing.reason == "NO_ROUTE"


def test_sides_that_face_the_accumulator() -> None:
    """R13, §6.1, §6.7 No route on it, no error towards it, and it continues nothing."""
    match = start("railroad?expansion=power", "A4", "A4", "A1", "B0", "up", "up")
    refused = match.why("highway-straight d3 ns", 0)
    assert isinstance(refused, IllegalMove) and refused.reason == "ON_ACCUMULATOR"
    position = match.position
    put(position, "highway-straight d0 ew", "highway-straight d1 ew", "highway-straight d2 ew")
    assert position.score(0)["errors"] == 0
    assert position.score(0)["centre"] == 1
    assert may_put(position, "highway-straight d4 ew") == Reason.NOT_CONNECTED


def test_accumulator_university() -> None:
    """R9, §6.7 The university of d3 counts from the start only if the option says so."""
    counts = []
    for option in ("false", "true"):
        variant = lamplighter.load(
            f"railroad?edition=challenge&expansion=power&goals=abc&accumulator_university={option}"
        )
        counts.append(int(GAME.rules.active_universities(variant.box, variant.start().state, 0)))
    assert counts == [0, 1]


# --- the box --------------------------------------------------------------------------------------------------


def test_the_box() -> None:
    """§1.1–§1.9 Exits, dice, special routes, structures and rounds as they stand in the box."""
    data = BoxFile(GAME.box_text).data
    assert sorted(exit_["space"].lower() for exit_ in data["board"]["exits"]) == sorted(EXITS)
    assert data["sets"]["base"] == ["A", "A", "A", "B"]
    assert data["sets"]["challenge"] == ["A", "A", "C", "D"]
    assert len(data["specials"]) == 6
    assert data["rounds"] == {"none": 7, "lamps": 6, "power": 7}
    base = lamplighter.load("railroad").start()
    assert base.outcomes() == {f"A{i}": 1 for i in range(6)}
    for face in ("A0", "A0", "A0"):
        base.reveal(face)
    assert base.outcomes() == {"B0": 2, "B1": 2, "B2": 2}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("size = 7", "size = 9"),
        ('accumulator = "D3"', 'accumulator = "Z9"'),
        ('type = "H" },\n    { space = "A3"', 'type = "X" },\n    { space = "A3"'),
        ("goal_points = [4, 2, 1]", 'goal_points = "many"'),
    ],
)
def test_bad_boxes_are_refused(old: str, new: str) -> None:
    assert old in GAME.box_text
    with pytest.raises(BadBox) as caught:
        Variant(GAME, {}, BoxFile(GAME.box_text.replace(old, new, 1), "my.toml"))
    assert caught.value.line > 0


# --- bots -----------------------------------------------------------------------------------------------------


@pytest.mark.skipif(PURE or BOUNDS_CHECKED, reason="hundreds of matches need compiled kernels")
def test_greedy_beats_uniform() -> None:
    variant = Variant(GAME)
    means = [
        simulate(variant, bots.seat_bots(name, 1), 200, "1").summary()["seats"][0]["mean"]
        for name in ("uniform", "greedy")
    ]
    assert means[1] > means[0] + 5
