"""The sheet as a picture: symbols lie as moves say, sources are drawn, and scoring lines have exactly their spaces."""

from __future__ import annotations

import random
import re

import pytest
from walks import random_match, random_positions

from lamplighter import load, position, svg
from lamplighter.engine.position import Position
from lamplighter.games.railroad import explain, picture
from lamplighter.games.railroad.components.catalogue import SIDES, catalogue_of
from lamplighter.games.railroad.components.goals import goal_words
from lamplighter.games.railroad.components.tables import GOAL_LETTERS, KINDS
from lamplighter.games.railroad.notation import bits_of, format_space, parse_space
from lamplighter.games.railroad.picture import booklet, paper, route_symbols

VARIANTS = [
    "railroad",
    "railroad?seats=3&edition=challenge&expansion=lamps",
    "railroad?edition=challenge&expansion=power&goals=fhk",
    "railroad?edition=challenge&goals=cel&line_may_cross_itself=false",
]


@pytest.fixture(params=VARIANTS)
def walked(request: pytest.FixtureRequest) -> list[Position]:
    variant = load(request.param)
    return [found for seed in range(4) for found in random_positions(variant, seed, 6)]


def turned(side: str, transform: str | None) -> str:
    """Where a transform takes a side, by geometry."""
    x, y = route_symbols.STEPS[side]
    if transform and "scale(-1 1)" in transform:
        x = -x
    quarters = int(found[1]) // 90 if (found := re.search(r"rotate\((\d+)\)", transform or "")) else 0
    for _ in range(quarters):
        x, y = -y, x
    return next(name for name, step in route_symbols.STEPS.items() if step == (x, y))


@pytest.mark.parametrize("text", VARIANTS)
def test_symbols_lie_as_moves_say(text: str) -> None:
    variant = load(text)
    found = catalogue_of(variant)
    for entry, symbol in zip(found.entries, route_symbols.entry_symbols(variant), strict=True):
        route = found.routes[entry.route]
        assert symbol[:-1] == route.code
        assert symbol in route_symbols.route_symbols(variant)[route.code]
        transform = route_symbols.transform_of(int(symbol[-1]))
        picture_ = {frozenset((turned(side, transform), kind) for side, kind in segment) for segment in route.picture}
        assert picture_ == entry.picture


def test_turning_a_symbol_the_wrong_way_is_noticed() -> None:
    assert turned("N", "rotate(90)") == "E"
    assert turned("W", "rotate(90)scale(-1 1)") == "S"
    assert turned("W", None) == "W"


def test_routes_reach_exactly_their_sides() -> None:
    """A line ends in the middle of each side that the route has, and of no other."""
    ends = {f"{dx * 24} {dy * 24}": side for side, (dx, dy) in route_symbols.STEPS.items()}
    for route in catalogue_of(load(VARIANTS[1])).routes:
        segments = [dict(segment) for segment in sorted(route.picture, key=sorted)]
        lines = [str(part) for part in route_symbols.draw_route(segments) if "w1" in str(part) or "w7" in str(part)]
        drawn = re.sub(r"A24 24 0 0 [01] ", "L", "".join(lines))
        reached = {side for end, side in ends.items() if re.search(rf"(?<![\d.-]){end}(?![\d.])", drawn)}
        assert reached == {side for segment in segments for side in segment}, route.name


def test_the_most_moves_make_a_small_sheet() -> None:
    """Of the positions in 700 random matches the one with the most legal moves."""
    board = "1hhhhxo5/7/7/rhrhh--h3rh-h*hhhh/7/5h-h-1/5hhhhao1"
    text = "railroad?seats=1&edition=challenge&expansion=lamps;2;ghd;A3.A5.C4.B2.L5.L0;"
    crowded = position(f"{text}{board},012345,2,1.0,-,0,0.0.0")
    assert len(crowded.legal_moves()) == 303
    for kept in ({"theme": None, "prefix": "you-"}, {"panel": True}):
        assert len(crowded.svg(0, targets=True, **kept).encode()) < 60_000


def test_every_source_of_a_target_is_drawn(walked: list[Position]) -> None:
    for moment in walked:
        for seat in moment.waiting:
            drawn = picture.draw(moment.variant, moment.state, seat)
            shown = "".join(map(str, drawn.body))
            for target in picture.targets(moment.variant, moment.state, seat):
                assert not target.symbol or target.symbol in drawn.symbols
                if target.cell is not None and not target.source.startswith("copy:"):
                    assert f'data-source="{target.source}"' in shown


def test_scoring_lines_have_as_many_spaces_as_points(walked: list[Position]) -> None:
    for moment in walked:
        for seat in range(moment.variant.seats):
            score, cells = moment.score(seat), explain.score_cells(moment.variant, moment.state, seat)
            assert list(cells) == list(score)
            for line in ("highway", "railway", "centre"):
                assert len(cells[line]) == len(set(cells[line])) == score[line]
            assert len(cells["errors"]) == -score["errors"]
            joined = [met for met in explain.exit_networks(moment.variant, moment.state, seat) if met.bit_count() > 1]
            assert sum(met.bit_count() for met in joined) == moment.facts(seat)["exits"]
            assert len(explain.network_spaces(moment.variant, moment.state, seat)) == moment.facts(seat)["networks"]
            assert {
                space for met in joined for space in (format_space(moment.variant, one) for one in bits_of(met))
            } <= set(cells["exits"])
            assert bool(cells["villages"]) == bool(score["villages"])
            for i in (1, 2, 3):
                assert bool(cells[f"goal{i}"]) == bool(score[f"goal{i}"])
            if moment.variant.box["power"]:
                assert len(cells["expansion"]) * int(moment.state["charges"][seat]) == score["expansion"]
            else:
                assert len(cells["expansion"]) == score["expansion"]


@pytest.mark.parametrize("kind", KINDS)
def test_spaces_behind_a_goal(kind: str) -> None:
    """§4.4 As many spaces as the goal counts; a full line has seven, a block nine, a loop at least four."""
    variant = load("railroad?edition=challenge")
    goals = variant.game.module("rules.goals")
    goal = variant.box["goal_kind"].tolist().index(KINDS.index(kind))
    met = 0
    for seed in range(12):
        moment = random_match(variant, seed).position
        count = int(goals.goal_count(variant.box, moment.state, 0, KINDS.index(kind)))
        spaces = explain.behind_goal(variant, moment.state, 0, goal).bit_count()
        if kind == "loop":
            assert (spaces >= 4) if count else spaces == 0
        elif kind in ("line", "block", "opposite"):
            assert (spaces >= {"line": 7, "block": 9, "opposite": 2}[kind]) if count else spaces == 0
        else:
            assert spaces == count
        met += count > 0
    assert met or kind in ("loop", "block", "line", "middle", "opposite")


def test_a_loop_of_four_curves() -> None:
    """§4.4, §7.2 Only the four spaces of the ring, although more is joined to it."""
    start = "railroad?edition=challenge&goals=abf;3;abf;-;"
    moment = position(f"{start}7/7/2-hh---hh3/2hhh-h--h3/2h-h-4/7/7,-,-,0.0,-,0,2.0.2")
    loop = explain.behind_goal(moment.variant, moment.state, 0, "ABCDEFGHIJKL".index("F"))
    assert [space for space in range(49) if loop >> space & 1] == [16, 17, 23, 24]


def test_a_result_and_its_copy_share_a_target() -> None:
    variant = load("railroad?edition=challenge&goals=abc")
    rng = random.Random(5)
    for seed in range(20):
        for moment in random_positions(variant, seed, 8):
            if moment.waiting and int(moment.state["copies"][0]) and int(moment.state["todo"][0]):
                shared = [t for t in picture.targets(variant, moment.state, 0) if len(t.moves) > 1]
                if shared:
                    target = rng.choice(shared)
                    assert target.moves == (target.move, f"copy:{target.move}")
                    return
    raise AssertionError("no position in which a factory copies a result that is not drawn yet")


@pytest.mark.parametrize("text", VARIANTS)
def test_cut_out_faces_are_those_of_the_dice(text: str) -> None:
    variant = load(text)
    faces = paper.cutouts(variant)[0].kinds
    assert sum(count for _, count in faces) == 6 * int(variant.box["dice"])
    for piece, _ in faces:
        links = re.findall(r'href="#([^"]+)"', "".join(map(str, piece.body)))
        assert all(link in piece.symbols for link in links)


def test_goals_drawn_by_lot_are_cut_out() -> None:
    """§4.4 All twelve if the match draws three of them; none if they are chosen, or in the base game."""
    assert [len(paper.cutouts(load(text))) for text in VARIANTS] == [1, 2, 1, 1]
    variant = load("railroad?edition=challenge")
    cards = paper.cutouts(variant)[1].kinds
    assert [count for _, count in cards] == [1] * 12
    said = [" ".join(re.findall(r">([^<>]+)</text>", "".join(map(str, card.body)))) for card, _ in cards]
    assert said == [f"{letter} {goal_words(variant, i)}" for i, letter in enumerate(GOAL_LETTERS)]


def test_blank_sheet_has_room_for_every_line() -> None:
    """§1.11 Rounds, the score, and what the variant needs besides."""
    for text in VARIANTS:
        variant = load(text)
        drawn = svg.frame(picture.draw(variant, None, 0), "blank", "blank")
        assert ">total<" in drawn and ">round<" in drawn
        assert (">villages<" in drawn) == bool(variant.box["challenge"])
        assert (">lamps<" in drawn) == bool(variant.box["lamps"])
        assert (">power<" in drawn) == bool(variant.box["power"])


def test_sides_are_in_the_order_of_the_compass() -> None:
    assert "".join(route_symbols.STEPS) == SIDES


def test_figures_tell_the_truth() -> None:
    """§3.2, §3.3, §6.6, §7 Curves fit where they are said to, and the examples have the points that are told."""
    variant = load("railroad")
    state = booklet.example(variant, booklet.STARTED)
    found = catalogue_of(variant)
    check, reasons = variant.game.module("rules.routes").check_place, variant.game.state.Reason
    for place, fits in booklet.CURVES.items():
        space, sides = place.split(" ")
        entry = next(
            i for i, e in enumerate(found.entries) if found.routes[e.route].name == "highway-curve" and e.sides == sides
        )
        reason = reasons(check(variant.box, state, 0, entry, parse_space(variant, space)))
        wanted = {"a3": reasons.TYPES_CLASH, "e4": reasons.NOT_CONNECTED}.get(space, reasons.OK)
        assert reason == wanted and fits == (wanted == reasons.OK)
    score = Position(variant, booklet.example(variant, booklet.SCORED)).score(0)
    assert [score[line] for line in ("exits", "highway", "railway", "errors")] == [4, 5, 2, -2]
    challenge = load("railroad?edition=challenge&goals=abc")
    state = booklet.example(challenge, booklet.CHALLENGE)
    assert int(challenge.game.rules.active_universities(challenge.box, state, 0)) == 3
    assert Position(challenge, state).score(0)["villages"] == 2
    assert bits_of(int(state["drawn"][0]) & int(challenge.box["factories"])) == [parse_space(challenge, "e6")]
    lamps = load("railroad?expansion=lamps")
    lit = Position(lamps, booklet.example(lamps, booklet.LIT, special=booklet.HIGHWAY_CROSSROADS))
    assert lit.why_score("expansion", 0).cells == ("a1", "a2", "a4") and lit.score(0)["expansion"] == 3
    powered = load("railroad?expansion=power")
    linked = Position(powered, booklet.example(powered, booklet.LINKED, 2))
    assert linked.why_score("expansion", 0).cells == ("a1", "a3", "d0", "f0", "g1")
    assert linked.score(0)["expansion"] == 10
    moment = position(f"{powered.text};7;-;A4.A4.A4.B0.right.down!;{booklet.ARROWS},45,-,0.0,-,0,0.0.0")
    assert {"right from d0w to d2", "down from a2 to c2"} <= set(moment.legal_moves(0))
    moment.play("right from d0w to d2", 0)
    assert "down from a2 to d2" not in moment.legal_moves(0)


def test_figures_of_the_parts_in_play() -> None:
    """The first three figures are always the same; those of the Challenge board and of the expansion follow."""
    for text, count in (
        ("", 3),
        ("edition=challenge", 4),
        ("expansion=lamps", 4),
        ("edition=challenge&expansion=power", 7),
    ):
        drawn = picture.figures(load(f"railroad?{text}"))
        assert len(drawn) == count
        for _, figure in drawn:
            links = re.findall(r'href="#([^"]+)"', "".join(map(str, figure.body)))
            assert all(link in figure.symbols for link in links)


def marks_of(style: str, drawn: Position) -> int:
    """How many open ends are marked on the board in a style; the legend has one of each."""
    paths = re.findall(rf'<path d="([^"]*)" class="error {style}"/>', drawn.svg(0))
    return sum(d.count("M") for d in paths) - 1


def test_every_open_end_is_marked(walked: list[Position]) -> None:
    """§7.4 By an arrowhead, or by a bar if the next space is drawn: together as many as are paid for."""
    for drawn in walked:
        joinable, lost = marks_of("both", drawn), marks_of("fat", drawn)
        assert joinable + lost == -drawn.score(0)["errors"]
        full = int(drawn.state["drawn"][0]).bit_count()
        assert lost == 0 or full > 1


def test_an_end_that_cannot_be_joined_any_more_looks_different() -> None:
    start = load("railroad").start()
    for face in ("A5", "A0", "A0", "B2"):
        start.roll(face)
    start.play("highway-curve a1 ne")
    start.play("rail-curve a3 nw")
    assert (marks_of("both", start), marks_of("fat", start)) == (2, 0)
    start.play("rail-curve a2 es")  # joins the railway, and leaves the highway before its blank side
    assert (marks_of("both", start), marks_of("fat", start)) == (1, 1)
