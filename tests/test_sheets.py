"""Drawn sheets of every game that has a picture: well-formed, complete, small, the same each time, and readable.

Each checker has a case that it rejects.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from walks import random_match, random_positions, variants

from lamplighter import games, load, svg
from lamplighter.engine.position import Position, parse_position
from lamplighter.engine.variant import Variant
from lamplighter.errors import LamplighterError
from lamplighter.score_panel import beside, draw_panel
from lamplighter.strokes import die

DRAWN = [name for name in games.names() if games.load(name).has_picture]
BARE = [name for name in games.names() if name not in DRAWN]
LARGEST = 60_000  # bytes
LOOKS = re.compile(r"(style|fill|stroke|opacity|color|font|text-anchor|visibility|display)(-.*)?")
SEEDS = st.integers(0, 2**32)


def some_positions(name: str, seed: int) -> Iterator[Position]:
    """Positions of any variant, at least one of them with somebody to act."""
    variant = random.Random(seed).choice(variants(games.load(name)))
    yield from random_positions(variant, seed, 2)


def seats_to_draw(position: Position) -> list[int]:
    """Whoever acts, and one seat that only looks."""
    return sorted({*position.waiting, position.variant.seats - 1})


def several_ways(position: Position, seat: int) -> list[svg.Target]:
    """The targets of a seat that several moves share."""
    if seat not in position.waiting:
        return []
    listed = position.variant.game.picture.targets(position.variant, position.seen_by(seat).state, seat)
    return [target for target in listed if len(target.ways()) > 1]


# --- what a sheet must be -------------------------------------------------------------------------------------


def moves_of(target: ElementTree.Element, parent: ElementTree.Element, targets: Iterable[svg.Target]) -> list[str]:
    """The moves of a target as drawn: as many as it says, or its group."""
    move, count = target.attrib["data-move"], int(target.get("data-ways", parent.get("data-ways", "1")))
    ways = [way for one in targets if one.move == move for way in one.ways()] or [move]
    return ways if len(ways) == count else [f"{move} in {count} ways"]


def faults(text: str, moves: Iterable[str] = (), targets: Iterable[svg.Target] = ()) -> list[str]:
    """What is wrong with a sheet on which these moves are legal, and made at these targets."""
    targets = list(targets)
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        return [f"not well-formed: {error}"]
    found = [] if len(text.encode()) < LARGEST else [f"{len(text.encode())} bytes"]
    for tag in ("title", "desc"):
        element = root.find(f"{{*}}{tag}")
        found += [f"no {tag}"] if element is None or not (element.text or "").strip() else []
    elements = list(root.iter())
    ids = Counter(element.get("id") for element in elements if element.get("id"))
    found += [f"id {name} stands {count} times" for name, count in ids.items() if count > 1]
    cells = {element.get("data-cell") for element in root.iterfind("{*}g[@class='cells']/{*}rect")}
    parents = {child: parent for parent in elements for child in parent}
    shown: Counter[str] = Counter()
    for element in elements:
        link = element.get("href", "")
        found += [f"nothing has the id {link}"] if link and link[1:] not in ids else []
        found += [f"{name} on {element.tag}" for name in element.attrib if LOOKS.fullmatch(name)]
        if "data-move" in element.attrib:
            shown.update(moves_of(element, parents[element], targets))
            found += (
                [] if "data-source" in {**parents[element].attrib, **element.attrib} else ["a target without source"]
            )
            cell = element.get("data-cell")
            found += [f"target in {cell}, which is no cell"] if cell is not None and cell not in cells else []
    wanted = Counter(moves)
    found += [f"{shown[move]} targets for {move!r}" for move in wanted if shown[move] != 1]
    found += [f"a target for {move!r}, which is not legal" for move in shown if move not in wanted]
    return found


@pytest.mark.parametrize("name", DRAWN)
@given(seed=SEEDS)
def test_sheets_show_every_legal_move_once(name: str, seed: int) -> None:
    for position in some_positions(name, seed):
        for seat in seats_to_draw(position):
            moves = position.legal_moves(seat) if seat in position.waiting else []
            assert faults(position.svg(seat, targets=True), moves, several_ways(position, seat)) == []
            assert faults(position.svg(seat)) == []


def unflipped(flip: Callable[[str], str], pieces: dict[str, set[str]]) -> list[str]:
    """The orientations whose mirror image is none of the same piece, or does not lead back."""
    return [one for known in pieces.values() for one in known if flip(one) not in known or flip(flip(one)) != one]


@pytest.mark.parametrize("name", [name for name in DRAWN if hasattr(games.load(name).picture, "flip")])
def test_a_mirrored_piece_lies_as_one_of_its_kind(name: str) -> None:
    variant, pieces = games.load(name), {}
    for seed in range(25):
        for position in random_positions(Variant(variant), seed, 40):
            for seat in position.waiting:
                for target in variant.picture.targets(position.variant, position.seen_by(seat).state, seat):
                    pieces.setdefault(target.source, set()).add(target.orientation)
    turned = {source: known for source, known in pieces.items() if len(known - {""}) > 1}
    assert turned and unflipped(variant.picture.flip, turned) == []
    assert unflipped(lambda one: one + "?", turned)


@pytest.mark.parametrize("name", DRAWN)
def test_several_sheets_share_a_page(name: str) -> None:
    """Ids differ, every link stays on its own sheet, and the look is left to the page."""
    position = next(position for position in random_positions(load(name), 2, 9) if position.waiting)
    sheets = [position.svg(position.waiting[0], targets=True, theme=None, prefix=prefix) for prefix in ("a-", "b-")]
    for prefix, sheet in zip(("a-", "b-"), sheets, strict=True):
        names = re.findall(r' (?:id|href|aria-labelledby)="#?([^"]+)"', sheet)
        assert len(names) > 10 and all(found.startswith(prefix) for found in names)
        assert "<style" not in sheet
    seat = position.waiting[0]
    assert faults(sheets[0], position.legal_moves(seat), several_ways(position, seat)) == []
    assert sheets[0].replace('"a-', '"b-').replace("#a-", "#b-") == sheets[1]


@pytest.mark.parametrize("name", DRAWN)
def test_blank_sheets(name: str) -> None:
    for variant in variants(games.load(name)):
        blank = variant.game.picture.draw(variant, None, 0)
        text = svg.frame(blank, "blank", "a blank sheet")
        assert faults(text) == []
        assert text == svg.frame(variant.game.picture.draw(variant, None, 0), "blank", "a blank sheet")
        for box in blank.cells.values():
            assert box[0] >= 0 and box[0] + box[2] <= blank.width + 0.01
            assert box[1] >= 0 and box[1] + box[3] <= blank.height + 0.01


@pytest.mark.parametrize("name", DRAWN)
@given(seed=SEEDS)
def test_equal_positions_are_equal_bytes(name: str, seed: int) -> None:
    for position in some_positions(name, seed):
        again = parse_position(position.variant, position.text.partition(";")[2])
        for seat in seats_to_draw(position):
            assert position.svg(seat, targets=True) == again.svg(seat, targets=True)


def test_faults_are_noticed() -> None:
    good = svg.frame(
        svg.Picture(9, 9, [svg.use("o", 1, 1)], {"o": [svg.circle(0, 0, 1, "ink")]}, {"a1": (0, 0, 9, 9)}), "t", "d",
        [target := svg.Target("x", "x", "a1", pays=("x", "y"))],
    )  # fmt: skip
    assert faults(good, ["x", "y"], [target]) == []
    for damage, remark in (
        ((good, "</svg>", ""), "not well-formed"),
        ((good, ">d<", "><"), "no desc"),
        ((good, "#o", "#p"), "nothing has the id #p"),
        ((good, 'id="o"', 'id="title"'), "id title stands 2 times"),
        ((good, '<use href="#o"', '<use href="#o" fill-opacity="1"'), "fill-opacity on"),
        ((good, '<use href="#o"', '<use href="#o" style="x"'), "style on"),
        ((good, 'data-source="x" data-cell="a1"', 'data-cell="b9"'), "target in b9, which is no cell"),
        ((good, ' data-source="x"', ""), "a target without source"),
        ((good, 'data-ways="2"', ""), "0 targets for 'y'"),
        ((good, 'data-ways="2"', 'data-ways="3"'), "a target for 'x in 3 ways', which is not legal"),
        (
            (good, '<g class="targets">', '<g class="targets"><g data-source="x" data-move="x" data-ways="2"/>'),
            "2 targets for 'y'",
        ),
        ((good, ">d<", f">{'d' * LARGEST}<"), "bytes"),
    ):
        text, old, new = damage
        assert old in text, old
        assert any(remark in fault for fault in faults(text.replace(old, new), ["x", "y"], [target])), remark


# --- score and notebooks --------------------------------------------------------------------------------------


def first_variant() -> Variant:
    return load(DRAWN[0])


@pytest.mark.parametrize("name", DRAWN)
def test_the_score_stands_beside_the_sheet(name: str) -> None:
    position = random_match(load(name), 5).position
    line = position.variant.score_lines[0]
    plain, shown = position.svg(0), position.svg(0, why=line, panel=True)
    assert faults(shown) == []
    assert svg.size(shown)[0] > svg.size(plain)[0]
    lines = [e for e in ElementTree.fromstring(shown).iter() if e.get("data-line")]
    assert [e.get("data-line") for e in lines] == list(position.variant.score_lines)
    assert [e.get("data-line") for e in lines if any(inner.get("class") == "why" for inner in e)] == [line]
    for element, (name_of_line, points) in zip(lines, position.score(0).items(), strict=True):
        assert [inner.text for inner in element if inner.text] == [name_of_line, str(points).replace("-", "−")]


def test_panel_adds_up() -> None:
    panel = draw_panel({"roads": 12, "errors": -3})
    text = "".join(str(part) for part in panel.body)
    assert ">−3<" in text and ">9<" in text
    assert draw_panel({"roads": 12}, large=True).height > draw_panel({"roads": 12}).height
    both = beside(svg.Picture(50, 10, [die(0, 0, 9, 6)], cells={"a1": (0, 0, 9, 9)}), panel)
    assert (both.width, both.height) == (50 + panel.width, panel.height)
    assert set(both.cells) == {"a1"}


def test_notebooks_show_the_sheet() -> None:
    match = random_match(first_variant(), 3, 12)
    seat = match.waiting[0] if match.waiting else 0
    assert match._repr_svg_() == match.position._repr_svg_() == match.position.svg(seat)


@pytest.mark.skipif(not BARE, reason="every game has a picture")
def test_a_game_without_picture_says_so() -> None:
    position = load(BARE[0]).start()
    assert position._repr_svg_() is None
    with pytest.raises(LamplighterError, match=f"{BARE[0]} has no drawn sheet"):
        position.svg(0)


# --- colours --------------------------------------------------------------------------------------------------


def low_contrast(theme: str) -> list[str]:
    """Texts that cannot be read in a theme, from its own stylesheet: all need 4.5 to 1."""
    css, colours = svg.stylesheet(theme), svg.THEMES[theme]
    found = []
    for name, rule, ground in (("text", r"\.t,[^}]*fill:", "paper"), ("print", r"\.p{fill:", "paper"),
                               ("onlamp", r"\.onlamp{fill:", "lamp")):  # fmt: skip
        colour = re.search(rule + r"(#[0-9a-f]{6})", css)
        assert colour is not None, name
        ratio = svg.contrast(colour[1], colours[ground])
        found += [f"{theme}: {name} on {ground} {ratio:.2f}"] if ratio < 4.5 else []
    return found


@pytest.mark.parametrize("theme", svg.THEMES)
def test_text_can_be_read(theme: str) -> None:
    assert set(svg.THEMES[theme]) == set(svg.ROLES)
    assert low_contrast(theme) == []


def test_a_pale_theme_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    pale = {**svg.THEMES["light"], "ink": "#999999", "print": "#bbbbbb", "lamp": "#767676"}
    monkeypatch.setitem(svg.THEMES, "fog", pale)
    monkeypatch.setattr(svg, "on_lamp", lambda theme: "#888888")
    assert [fault.split(" on ")[0] for fault in low_contrast("fog")] == ["fog: text", "fog: print", "fog: onlamp"]


def test_contrast_is_the_formula_of_the_wcag() -> None:
    assert svg.contrast("#000000", "#ffffff") == pytest.approx(21)
    assert svg.contrast("#ffffff", "#000000") == pytest.approx(21)
    assert svg.contrast("#336699", "#336699") == pytest.approx(1)
    assert svg.contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.005)
    assert svg.contrast("#0000ff", "#ffffff") == pytest.approx(8.59, abs=0.005)
