"""Match files: what is written reads back, and what was cut or edited is refused with the entry's number."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from pathlib import Path

import pytest
from walks import random_step

import lamplighter
from lamplighter import bots, games
from lamplighter.engine import chance, record
from lamplighter.engine.match import Match
from lamplighter.engine.variant import Variant
from lamplighter.errors import BadRecord, LamplighterError, NoTakeBack
from lamplighter.lab.simulate import record_match

GAME = games.load(games.own_names()[1])


@pytest.fixture(scope="module")
def finished() -> Match:
    variant = Variant(GAME, {"seats": max(2, GAME.seats[0])})
    return record_match(variant, bots.seat_bots("uniform", variant.seats), "records", 1)


def without_digest(text: str) -> str:
    return "\n".join(line for line in text.splitlines() if not line.startswith("[Digest")) + "\n"


@pytest.mark.parametrize("name", ["match.lamp", "match.jsonl"])
def test_save_and_read(finished: Match, tmp_path: Path, name: str) -> None:
    finished.save(tmp_path / name)
    again = lamplighter.read(tmp_path / name)
    assert again.position == finished.position
    assert again.players == finished.players
    assert record.read_tags(tmp_path / name)["Result"] == " ".join(map(str, finished.totals))
    assert [path.name for path in tmp_path.iterdir()] == [name], "nothing else is left behind"


def test_header_alone_is_read(finished: Match, tmp_path: Path) -> None:
    """A damaged body does not matter to whoever only wants the header."""
    path = tmp_path / "x.lamp"
    path.write_text(finished.text.partition("\n\n")[0] + "\n\nnot a turn\n", encoding="utf-8")
    assert record.read_tags(path)["Game"] == GAME.id
    with pytest.raises(BadRecord, match="not a turn"):
        lamplighter.read(path)


def test_unfinished_goes_on(finished: Match) -> None:
    again = record.parse_record(finished.branch(len(finished.log) // 2).text)
    assert record.tags(again)["Result"] == "*"
    for entry in finished.log[len(again.log) :]:
        if entry.kind == "chance":
            if not again.waiting:
                again.roll()
        else:
            again.act(entry.seat or 0, entry.value)
    assert again.totals == finished.totals


def test_cut_off_is_refused(finished: Match) -> None:
    lines = finished.text.splitlines()
    with pytest.raises(BadRecord, match="cut off") as caught:
        record.parse_record("\n".join(lines[:-1]) + "\n")
    assert 0 < caught.value.entry < len(finished.log)


def test_an_illegal_move_is_refused_with_entry_and_rule(finished: Match) -> None:
    text = without_digest(finished.text)
    number, entry = [(i, entry) for i, entry in enumerate(finished.log, 1) if entry.kind == "move"][3]
    body = text.replace(f"{entry.seat}: {entry.text}", f"{entry.seat}: {entry.text}", 1)
    rows = record.format_json_lines(finished).splitlines()
    row = json.loads(rows[number])
    earlier = next(e for e in finished.log[: number - 1] if e.kind == "move" and e.seat == entry.seat)
    row["text"] = earlier.text
    rows[number] = json.dumps(row)
    with pytest.raises(BadRecord, match=rf"entry {number} .*refused") as caught:
        record.parse_record("\n".join(rows))
    assert caught.value.entry == number
    assert "§" in str(caught.value)
    assert record.parse_record(body).totals == finished.totals


def test_a_changed_roll_is_refused(finished: Match) -> None:
    rows = record.format_json_lines(finished).splitlines()
    number, others = 0, []
    position = finished.variant.start()
    for number, entry in enumerate(finished.log, 1):  # noqa: B007  (the first entry that could have been another)
        others = [text for text in position.outcomes() if text != entry.text]
        if entry.kind == "chance" and others:
            break
        position.apply_outcome(entry.value)
    row = json.loads(rows[number])
    rows[number] = json.dumps({**row, "text": others[0]})
    with pytest.raises(BadRecord, match=rf"entry {number} .*seed .* gives"):
        record.parse_record("\n".join(rows))


def test_a_changed_result_is_refused(finished: Match) -> None:
    result = " ".join(map(str, finished.totals))
    wrong = " ".join(str(total + 1) for total in finished.totals)
    with pytest.raises(BadRecord, match="the rules count"):
        record.parse_record(finished.text.replace(f'[Result "{result}"]', f'[Result "{wrong}"]'))


def test_a_legal_edit_is_noticed_by_the_digest(finished: Match) -> None:
    half = finished.variant.match(seed=finished.seed)
    while len([entry for entry in half.log if entry.kind == "move"]) < 1:
        half.roll()
        half.act(half.waiting[0], half.position.legal_actions(half.waiting[0])[0])
    other = next(text for text in _alternatives(half) if text != half.log[-1].text)
    edited = half.text.replace(half.log[-1].text, other)
    with pytest.raises(BadRecord, match="digest"):
        record.parse_record(edited)
    assert record.parse_record(without_digest(edited)).log[-1].text == other


def _alternatives(match: Match) -> list[str]:
    before = match.copy()
    seat = match.log[-1].seat
    before.take_back(seat)
    return before.legal_moves(seat)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "tag Game is missing"),
        ("hello", "not a match record"),
        ('[Game "nosuch"]\n[Variant "nosuch"]\n', "there is no game"),
        (f'[Game "{GAME.id}"]\n[Variant "{GAME.id}?sets=2"]\n', "did you mean 'seats'"),
        (f'[Game "{GAME.id}"]\n[Variant "{GAME.id}"]\n[RulesVersion "99"]\n', "version 99 of the rules"),
        (f'[Game "{GAME.id}"]\n[Variant "other?seats=2"]\n', "differ"),
        ('{"lamplighter": "match"}\n', "no tags"),
        ('{"lamplighter": "match", "tags": {"Game": "x"}}\n', "tag Variant is missing"),
    ],
)
def test_bad_files_say_why(text: str, reason: str) -> None:
    with pytest.raises(BadRecord, match=reason):
        record.parse_record(text)


# as a server wrote it before promises had a salt: the name of the dice's own hash is SeedHash
OLD = """\
[Game "last_minute"]
[Variant "last_minute?seats=2"]
[RulesVersion "1"]
[Engine "lamplighter 0.1.0"]
[Seed "7"]
[Seat0 "Ana"]
[Seat1 "Bo"]
[SeedHash "7902699be42c8a8e46fbbb4501726517e86b22c56a189f7625a6da49081b2451"]
[Result "*"]
[Digest "6ee051a113e6301b"]

1. first 1, 5, 4, 2 | 1: 5 bell c3 {a remark} | 0: 2 candy-cane d4
"""


def test_an_old_promise_is_checked_as_before() -> None:
    assert len(record.parse_record(OLD).log) == 6
    assert len(record.parse_record(record.parse_record(OLD).text).log) == 6
    with pytest.raises(BadRecord, match="not the one that was promised"):
        record.parse_record(OLD.replace("7902699b", "7902699c"))


def promised(match: Match) -> Match:
    """The match as a server writes it down."""
    copy = match.copy()
    copy.tags["Salt"] = chance.new_seed()
    copy.tags["Promise"] = chance.promise(copy.seed or "", copy.tags["Salt"])
    return copy


@pytest.mark.parametrize("form", [record.format_record, record.format_json_lines])
def test_a_promise_is_checked(finished: Match, form: Callable[[Match], str]) -> None:
    match = promised(finished)
    assert record.parse_record(form(match)).tags == match.tags
    for tag in ("Salt", "Promise"):
        wrong = match.copy()
        wrong.tags[tag] = chance.new_seed()
        with pytest.raises(BadRecord, match="not the one that was promised"):
            record.parse_record(form(wrong))
    without = match.copy()
    del without.tags["Salt"]
    with pytest.raises(BadRecord, match="Salt is missing"):
        record.parse_record(form(without))


def test_a_record_without_its_seed_is_no_function_of_it(finished: Match) -> None:
    """The digest of a record whose seed is not told yet is that of typed dice: nobody can try seeds against it."""
    told, held_back = finished.copy(), finished.copy()
    held_back.seed = None
    assert record.digest(held_back) != record.digest(told)
    typed = finished.variant.match(typed=True, players=finished.players)
    for entry in finished.log:
        if entry.kind == "chance":
            typed.apply_outcome(entry.value)
        else:
            typed.act(entry.seat or 0, entry.value)
    assert held_back.text == typed.text
    assert finished.seed is not None and finished.seed not in held_back.text


def test_missing_and_binary_files(tmp_path: Path) -> None:
    with pytest.raises(BadRecord, match="No such file"):
        lamplighter.read(tmp_path / "nothing.lamp")
    with pytest.raises(FileNotFoundError, match=r"^cannot read '.*nothing\.lamp': No such file") as missing:
        lamplighter.read(tmp_path / "nothing.lamp")
    again = pickle.loads(pickle.dumps(missing.value))
    assert (type(again), str(again), again.entry) == (lamplighter.MissingRecord, str(missing.value), 0)
    (tmp_path / "x").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadRecord, match="not a text file"):
        record.read_tags(tmp_path / "x")
    with pytest.raises(LamplighterError, match="cannot write"):
        Variant(GAME).match(seed=1).save(tmp_path / "no" / "such" / "folder.lamp")


def test_own_components_travel_with_the_record(tmp_path: Path) -> None:
    box = tmp_path / "mine.toml"
    box.write_text("# mine\n" + GAME.box_text, encoding="utf-8")
    variant = lamplighter.load(f"{GAME.id}?box={box}")
    match = variant.match(seed=2)
    match.roll()
    text = match.text
    box.unlink()
    assert record.parse_record(text).position.key == match.position.key


def test_take_back_stops_at_an_outcome(finished: Match) -> None:
    import random

    match = finished.variant.match(seed="t")
    match.roll()
    seat = match.waiting[0]
    with pytest.raises(NoTakeBack, match="nothing that can be taken back"):
        match.take_back(seat)
    while match.waiting:
        random_step(match, random.Random(1))
    if not match.is_over:
        match.roll()
        with pytest.raises(NoTakeBack, match="before the last outcome or step"):
            match.take_back(seat)


@pytest.mark.parametrize("form", [record.format_record, record.format_json_lines])
@pytest.mark.parametrize("value", ["\x1b[2J", "\x07", "\x9b31m", "\N{RIGHT-TO-LEFT OVERRIDE}ana", "two\nlines"])
def test_a_tag_with_a_control_character_is_refused(finished: Match, form: Callable[[Match], str], value: str) -> None:
    """It would steer the terminal in which a name is shown."""
    name = finished.players[0]
    text = form(finished).replace(json.dumps(name), json.dumps(value), 1)
    with pytest.raises(BadRecord, match=r"the tag Seat0 has the control character U\+[0-9A-F]{4}: take it out"):
        record.parse_record(text)


@pytest.mark.parametrize("form", [record.format_record, record.format_json_lines])
def test_what_a_program_put_into_a_name_or_a_comment_does_not_spoil_the_record(form: Callable[[Match], str]) -> None:
    match = Variant(games.load("connect_four")).match(seed="1", players=["A\x1b[2Jna", "Bo"])
    match.play("c")
    match.comment("odd\x1b one")
    again = record.parse_record(form(match))
    assert again.players == ["A\N{REPLACEMENT CHARACTER}[2Jna", "Bo"]
    assert again.log[-1].comment == "odd\N{REPLACEMENT CHARACTER} one"
