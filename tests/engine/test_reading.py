"""Bad input: what is too long, of the wrong type or in other digits is refused with a sentence, and at once."""

from __future__ import annotations

import base64
import contextlib
import functools
import json
import re
import resource
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any

import pytest

import lamplighter
from lamplighter import games
from lamplighter.engine import reading, record
from lamplighter.engine.component_file import ComponentFile
from lamplighter.engine.game import Game
from lamplighter.engine.position import parse_id
from lamplighter.engine.variant import Variant, read_box
from lamplighter.errors import BadBox, BadNotation, BadRecord, BadVariant, LamplighterError

GAME = games.own_names()[0]
HEAD = f'[Game "{GAME}"]\n[Variant "{GAME}"]\n\n'
CPU = 20  # seconds of processor time; reading a line took minutes when time grew with the square of its length
ODD_DIGITS = ("²", "٣", "𝟙", "½", "１", "9" * 5000, "1_0", " 1", "+1", "-0")


# --- time -----------------------------------------------------------------------------------------------------

LONG = {
    "spaces": "1. {x" + " " * 400_000 + "y",
    "spaces before a remark": "1. a" + " " * 400_000 + "b",
    "open braces": "1. " + "{" * 400_000,
    "closed braces": "1. " + "{}" * 200_000,
    "bars": "1. " + "|" * 400_000 + "x",
    "backslashes": '[A "' + "\\" * 400_000 + '"]',
    "quotes": "[A " + '"' * 400_000 + "]",
    "brackets": "[" * 400_000,
    "digits": "9" * 400_000 + ". a",
    "commas": "1. " + "," * 400_000 + "x",
    "nested JSON": '{"tags":' * 50_000,
}


def test_long_lines_are_refused_at_once() -> None:
    """All of them together, in the time that one may take: 400 kB each, where 40 kB of spaces took four seconds."""
    program = "import json, sys; from lamplighter.engine.record import parse_record as read\n"
    program += "from lamplighter.errors import BadRecord\n"
    program += "for text in json.load(sys.stdin):\n"
    program += "    try: read(text)\n    except BadRecord as error: print('refused', str(error)[:300])"
    texts = json.dumps([line if line[0] in "[{" else HEAD + line for line in LONG.values()])
    limit = functools.partial(resource.setrlimit, resource.RLIMIT_CPU, (CPU, CPU))
    done = subprocess.run(
        [sys.executable, "-c", program], input=texts, capture_output=True, text=True, preexec_fn=limit
    )
    assert done.returncode == 0, done.stderr[-500:]
    assert [line for line in done.stdout.splitlines() if line.startswith("refused ")] == done.stdout.splitlines()
    assert len(done.stdout.splitlines()) == len(LONG)


def test_the_clock_ends_what_takes_too_long() -> None:
    program = f"import resource; resource.setrlimit(resource.RLIMIT_CPU, (1, 1))\nwhile True: {'x' in 'y'}"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True).returncode != 0


# --- limits ---------------------------------------------------------------------------------------------------


def test_what_is_too_long_names_its_limit(tmp_path: Path) -> None:
    start = lamplighter.load(GAME).start()
    longest = {
        "2,000,000": lambda: record.parse_record(" " * 2_000_001),
        "1,000 ": lambda: start.parse_move(0, "x" * 1001),
        "1,000": lambda: start.parse_outcome("x" * 1001),
        "50,000": lambda: lamplighter.position(f"{GAME};" + "x" * 50_001),
        "50,000 ": lambda: parse_id(start.variant, "x" * 50_001),
        "4,000": lambda: lamplighter.load("x" * 4001),
        "100,000": lambda: ComponentFile("#" * 100_001),
    }
    for limit, read in longest.items():
        with pytest.raises(LamplighterError, match=f"may have at most {limit.strip()} characters") as caught:
            read()
        assert len(str(caught.value)) < 1000
    path = tmp_path / "long"
    path.write_text("#" * 3_000_000, encoding="utf-8")
    for reader in (record.read, record.read_tags):
        with pytest.raises(BadRecord, match="2,000,000"):
            reader(path)
    with pytest.raises(BadBox, match="100,000"):
        read_box(str(path))


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="a file without an end")
def test_a_file_without_an_end() -> None:
    for read in (record.read, record.read_tags, read_box):
        with pytest.raises(LamplighterError):
            read("/dev/zero")
    with pytest.raises(BadBox, match="cannot be read"):
        read_box("a\0b")


def test_an_id_does_not_unpack_without_end(game: Game) -> None:
    """A few hundred bytes that come to many megabytes: no more is unpacked than a position may have."""
    variant = Variant(game)
    packer = zlib.compressobj(9, wbits=-15)
    body = packer.compress(b"\0" * 30_000_000) + packer.flush()
    word = base64.urlsafe_b64encode(b"abc" + body).decode().rstrip("=")
    with pytest.raises(BadNotation, match="50,000"):
        parse_id(variant, word[:50_000])
    position = variant.start()
    assert parse_id(variant, position.id) == position


# --- types ----------------------------------------------------------------------------------------------------

ROW = {"seq": 1, "kind": "chance", "seat": None, "text": "1"}
WRONG: list[Any] = [
    {**ROW, "seat": "0"}, {**ROW, "seat": 0.0}, {**ROW, "seat": True}, {**ROW, "seat": {}}, {**ROW, "kind": ["move"]},
    {**ROW, "kind": None}, {**ROW, "text": 7}, {**ROW, "text": None}, {**ROW, "comment": {}}, {**ROW, "comment": None},
    {"kind": "move", "text": "x"}, [], "x", 7, None, [[ROW]],
]  # fmt: skip


@pytest.mark.parametrize("row", WRONG, ids=json.dumps)
def test_an_entry_of_the_wrong_type_is_refused_with_its_number(row: Any) -> None:
    match = lamplighter.load(GAME).match(seed="types")
    match.roll()
    lines = record.format_json_lines(match).splitlines()
    lines[2] = json.dumps(row)
    with pytest.raises(BadRecord, match="entry 2 is damaged") as caught:
        record.parse_record("\n".join(lines))
    assert caught.value.entry == 2


@pytest.mark.parametrize(
    "line",
    [
        "{" + '"tags": []}',
        '{"tags": {"Game": 7}}',
        '{"tags": {"Game": {"a": 1}}}',
        '{"tags": {"Game": null}}',
        '{"tags": {"Game": "\\ud800"}}',
        '{"tags": "Game"}',
        '{"tags": {"Game": ' + "9" * 5000 + "}}",
        '{"a":' * 100_000,
    ],
)
def test_a_first_line_of_the_wrong_type(line: str) -> None:
    with pytest.raises(BadRecord):
        record.parse_record(line)


@pytest.mark.parametrize("line", ['[A "\\ud800"]', "[A 7]", '[A ["x"]]', "[A]", "[]", '[A B "x"]', '[A "x" "y"]'])
def test_a_tag_of_the_wrong_type(line: str) -> None:
    with pytest.raises(BadRecord, match="tag line"):
        record.parse_record(line)


def test_odd_line_breaks_survive() -> None:
    """Only a line feed ends a line of a record; Unicode knows more signs that could."""
    names = ["Ana\u2028Bo\u2029", "\u2028Cy"]
    match = Variant(games.load(GAME), {"seats": 2}).match(seed="names", players=names)
    match.roll()
    match.comment("one\u2028two\r\nthree {four}")
    for text in (match.text, record.format_json_lines(match)):
        assert record.parse_record(text).players == names
    assert record.parse_record(match.text).log[-1].comment == "one two three (four)"


def test_a_record_reads_no_file(tmp_path: Path) -> None:
    """A record from somebody else must not open files here: its components are in it, or it is refused."""
    with pytest.raises(BadRecord, match="Box, which has its text, is missing"):
        record.parse_record(f'[Game "{GAME}"]\n[Variant "{GAME}?box={tmp_path}/x.toml"]\n')


# --- digits ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("digits", ODD_DIGITS, ids=range(len(ODD_DIGITS)))
def test_only_plain_digits_are_numbers(game: Game, digits: str) -> None:
    variant = Variant(game)
    assert reading.parse_number(digits) is None
    with pytest.raises(BadVariant):
        lamplighter.load(f"{game.id}?seats={digits.strip() if digits != ' 1' else 'x'}")
    match = variant.match(seed="digits")
    match.roll()
    seat, text = match.waiting[0], match.position.text
    parts = re.split("([0-9]+)", match.legal_moves(seat)[0])
    for place in range(1, len(parts), 2):
        with pytest.raises(LamplighterError):
            match.play("".join([*parts[:place], digits.strip() + "x", *parts[place + 1 :]]), seat)
        if digits[0] not in "19 +-":
            with pytest.raises(LamplighterError):
                match.play("".join([*parts[:place], digits, *parts[place + 1 :]]), seat)
    head, _, body = text.partition(";")
    parts = re.split("([0-9]+)", body)
    for place in range(1, min(len(parts), 40), 2):
        if digits[0] not in " +-1":
            with pytest.raises(LamplighterError):
                lamplighter.position(head + ";" + "".join([*parts[:place], digits, *parts[place + 1 :]]))
    for line in (f"{digits}. 0: x", f"1. {digits}: x", f"1. {digits}=x", f"1. 0: {digits}"):
        with pytest.raises(BadRecord):
            record.parse_record(f'[Game "{game.id}"]\n[Variant "{game.id}"]\n\n{line}\n')


@pytest.mark.parametrize(
    "text",
    ["a = " + "9" * 5000, "a = " + "[" * 5000, "a." * 60 + "a" + ".a" * 60 + " = 1", 'a = "\\ud800"', "a = 1\na = 2"],
    ids=range(5),
)
def test_component_files_that_break_their_reader(text: str) -> None:
    with pytest.raises(BadBox):
        ComponentFile(text)


def test_a_number_where_a_list_should_be(own_game: Game) -> None:
    """Every key in turn holds a number, a text, a list or a table: the file is read or refused, nothing else."""
    for key in ComponentFile(own_game.box_text).data:
        rest = re.sub(rf"(?ms)^\[+{key}[\].].*?(?=^\[|\Z)|^{key} *=.*?(?=^[\[\w]|\Z)", "", own_game.box_text)
        for other in ("7", '"x"', "[]", "[1]", '[["x"]]', "{}", "{ a = 1 }", "true", "-1", "1e9", "1979-05-27"):
            with contextlib.suppress(LamplighterError):
                Variant(own_game, {}, ComponentFile(f"{key} = {other}\n{rest}"))
