"""What people read of Railroad."""

from __future__ import annotations

import pytest

from lamplighter import load
from lamplighter.engine.labels import Labels
from lamplighter.engine.phrase import messages_of, translate
from lamplighter.engine.position import Position
from lamplighter.errors import BadVariant
from lamplighter.games.railroad.texts import _instruct_done


def rolled(*faces: str, options: str = "") -> Position:
    position = load(f"railroad{options}").start()
    for face in faces:
        position.roll(face)
    return position


def test_dice_are_drawn_one_after_the_other_until_only_done_is_left() -> None:
    position = rolled("A4", "A4", "A4", "B2")
    assert position.instruct(0) == "Choose a die, then a lit square."
    for space in ("a1", "b1", "c1"):
        position.play(f"highway-straight {space} ns")
    assert position.instruct(0) == "The last die: draw the overpass on a lit square."
    position.play("overpass d1 ns")
    assert position.instruct(0) == "Nothing left to place. Press Done, or add a special route."
    position.play("special:highway-crossroads e1 nesw")
    assert position.instruct(0) == "Nothing left to place. Press Done."
    assert "done" in position.legal_moves(0)


def test_extra_special_routes_lamps_and_power_have_sentences() -> None:
    position = rolled("A4", "A4", "A4", "B2", "L0", "L0", options="?expansion=lamps")
    position.play("special:highway-crossroads a1 nesw")
    assert position.instruct(0) == "Choose a row or a column: all its lamps are lit."
    position.play("lamps row a")
    for space in ("b1", "c1", "d1"):
        position.play(f"highway-straight {space} ns")
    position.play("overpass e1 ns")
    assert position.instruct(0) == "Nothing left to place. Press Done, or add a lamp route."
    power = rolled("A4", "A4", "A4", "B2", "up", "down", options="?expansion=power")
    for space in ("a1", "b1", "c1"):
        power.play(f"highway-straight {space} ns")
    power.play("overpass d1 ns")
    power.play("done")
    said = "Use the arrow down to electrify drawn squares in its direction, or press Done."
    assert power.instruct(0) == said, "the arrow up leads nowhere"
    power.play("down from a1n to d1")
    assert power.instruct(0) == "No Power Grid die is left that leads anywhere. Press Done."


def test_the_power_grid_die_that_is_left_says_what_it_does() -> None:
    """§6.3–§6.5"""
    position = rolled("A4", "A4", "A4", "B2", "question", "down", options="?expansion=power")
    for space in ("a1", "b1", "c1"):
        position.play(f"highway-straight {space} ns")
    position.play("overpass d1 ns")
    position.play("done")
    assert position.instruct(0) == "Choose a Power Grid die, then a lit square; or press Done."
    arrow, mark = position.copy(), position.copy()
    arrow.play("question a1")
    assert arrow.instruct(0) == "Use the arrow down to electrify drawn squares in its direction, or press Done."
    mark.play("down from a1n to c1")
    said = "Use the question mark to electrify any drawn square or charge the accumulator, or press Done."
    assert mark.instruct(0) == said
    mark.play("question charge")
    assert mark.instruct(0) == "No Power Grid die is left that leads anywhere. Press Done."


def test_what_may_be_added_is_a_list_with_or() -> None:
    sources = _instruct_done(["copy", "special", "lamp"], False)
    assert sources == "Nothing left to place. Press Done, or add a lamp route, a copy or a special route."
    messages = messages_of(load("railroad").game, "de")
    assert translate(sources, messages).endswith("eine Laternenstrecke, eine Kopie oder eine Spezialstrecke.")


def test_score_lines_and_options_say_what_a_goal_asks_for() -> None:
    """§4.4"""
    variant = load("railroad?edition=challenge&goals=hbl")
    names = [variant.game.texts.name_line(variant, variant.start().state, f"goal{number}") for number in (1, 2, 3)]
    assert names[:2] == ["goal H: 4 stations in one network", "goal B: stations in 3 villages"]
    assert names[2] == "goal L: 2 middle exits in one network"
    with pytest.raises(BadVariant) as refused:
        load("railroad?edition=challenge&goals=xyz")
    assert "§4.4 of the rules lists them" in str(refused.value) and "option" not in str(refused.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("A2", "rail junction"),
        ("station-t-rail", "station, rail junction"),
        ("special:three-rails", "special route: station with three rails"),
        ("copy:overpass", "copy: overpass"),
        ("goal c", "goal C: a full row or column"),
        ("lamps column 3", "light column 3"),
        ("up", "arrow up"),
        ("c3", "c3"),
        ("special:nothing", "special:nothing"),
    ],
)
def test_names(text: str, said: str) -> None:
    variant = load("railroad?edition=challenge")
    assert variant.game.texts.say(variant, text) == said


def test_lines_that_a_variant_lacks_have_no_name() -> None:
    def lines(text: str) -> list[str]:
        variant = load(text)
        state = variant.start().state
        return [name for line in variant.score_lines if (name := variant.game.texts.name_line(variant, state, line))]

    base = ["exits joined", "longest highway", "longest railway", "centre", "open ends"]
    assert lines("railroad") == base
    assert lines("railroad?expansion=lamps") == [*base, "street lamps"]
    assert lines("railroad?edition=challenge&goals=acl") == [
        *base,
        "villages",
        "goal A: 5 routes in the centre",
        "goal C: a full row or column",
        "goal L: 2 middle exits in one network",
    ]
    assert lines("railroad?edition=challenge")[-1] == "goal 3"


@pytest.mark.parametrize("options", ["", "?edition=challenge", "?expansion=lamps", "?expansion=power"])
def test_special_routes_copies_and_faces_are_labelled_as_on_the_sheet(options: str) -> None:
    position = load(f"railroad{options}").start()
    labels = Labels(position.variant)
    for typed, move in {
        "A1 a1 ns": "rail-straight a1 ns",  # a face and a space that look alike
        "straight rail A1 NS": "rail-straight a1 ns",
        "S3 a3 nesw": "special:rail-crossroads a3 nesw",
        "special route: station with three rails a3 w/nes": "special:three-rails a3 w/nes",
    }.items():
        assert labels.read(position, 0, typed) == move
    assert labels.show("special:three-rails a3 w/nes") == "S1 a3 w/nes"
    if "challenge" in options:
        assert labels.read(position, 0, "copy A1 a1 ns") == labels.read(position, 0, "copy: straight rail a1 ns")


def test_several_dice_are_typed_in_a_line() -> None:
    position = rolled()
    labels = Labels(position.variant)
    assert labels.read_outcomes(position, "A1, straight rail highway junction, B1", ["Ana"]) == ["A1", "A1", "A3", "B1"]
    assert labels.say("A1", ["Ana"]) == "A1 straight rail"
