"""Bad input of every kind, made from good input: whatever Lamplighter reads must be read or refused with a sentence.

    python tests/fuzz/fuzzing.py --seconds 60               # all kinds in turn
    python tests/fuzz/fuzzing.py --repeat tests/fuzz/found/record-0123456789ab.txt

An input is *found* when something other than a LamplighterError comes out of it, a server answers with 500 or more, or it
takes more processor time than anything may. It is kept in `found`, and `make test` runs it from then on.
"""

from __future__ import annotations

import argparse
import atexit
import contextlib
import functools
import hashlib
import json
import logging
import random
import re
import signal
import socket
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

import lamplighter
from lamplighter import bots, games
from lamplighter.bots.rolls import read_rolls
from lamplighter.bots.search.program import has_features
from lamplighter.bots.search.weights import (
    Weights,
    box_hash,
    check_weights,
    count_features,
    deciding_options,
    read_weights,
)
from lamplighter.engine.component_file import ComponentFile
from lamplighter.engine.labels import Labels
from lamplighter.engine.match import Match
from lamplighter.engine.position import Position, parse_id
from lamplighter.engine.record import format_json_lines, parse_record
from lamplighter.engine.variant import Variant
from lamplighter.errors import LamplighterError
from lamplighter.lab.simulate import record_match

FOUND = Path(__file__).parent / "found"
CPU_LIMIT = 10.0  # seconds of processor time for one input; the slowest good one takes a tenth of one
PATIENCE = 60.0  # seconds in which a server has to answer


class TooSlow(BaseException):
    """An input took more processor time than anything may."""


class Broken(Exception):
    """Something came out that contradicts itself, or a server made a mistake."""


@dataclass(frozen=True)
class Input:
    """What a target gets: where it happens, which stays as it is, and the text that is changed."""

    head: str
    body: str

    @property
    def text(self) -> str:
        return f"{self.head}\n{self.body}"

    @classmethod
    def parse(cls, text: str) -> Input:
        head, _, body = text.partition("\n")
        return cls(head, body)


@dataclass(frozen=True)
class Target:
    """One kind of input: good ones to begin with, and what is done with each."""

    kind: str
    corpus: Callable[[], list[Input]]
    run: Callable[[Input], None]
    timed: bool = True


# --- good input, from real matches ----------------------------------------------------------------------------


@functools.cache
def played() -> tuple[Match, ...]:
    """A short and a whole match of every game, with the fewest and the usual seats."""
    found = []
    for name in games.names():
        game = games.load(name)
        for number, seats in enumerate(sorted({game.seats[0], game.default_seats})):
            variant = Variant(game, {"seats": seats})
            found.append(record_match(variant, bots.seat_bots("uniform", seats), "fuzz", number))
            found[-1].comment("a remark | with a bar")
    return tuple(found)


@functools.lru_cache(maxsize=256)
def moment(head: str) -> Match:
    """A match at a moment: `VARIANT NUMBER ENTRIES`, typed if NUMBER has a `t` behind it."""
    text, number, entries = head.split(" ")
    whole = next(match for match in played() if match.variant.text == text)
    match = whole.branch(int(entries))
    if number.endswith("t"):
        match.seed = None
    return match


def moments(typed: bool) -> Iterator[tuple[str, Match]]:
    for match in played():
        for part in (0, 3, 7):
            head = f"{match.variant.text} 0{'t' if typed else ''} {len(match.log) * part // 8}"
            yield head, moment(head)


def records() -> list[Input]:
    return [Input("", match.text) for match in played()]


def json_records() -> list[Input]:
    return [Input("", format_json_lines(match)) for match in played()]


def positions() -> list[Input]:
    return [Input("", match.position.text) for _, match in moments(typed=False)]


def ids() -> list[Input]:
    return [Input(match.variant.text, match.position.id) for _, match in moments(typed=False)]


def variants() -> list[Input]:
    texts = [match.variant.text for match in played()]
    for name in games.names():
        options = games.load(name).options
        texts += [f"{name}?{option.name}={str(value).lower()}" for option in options for value in option.values[:3]]
        texts += [f"{name}?" + "&".join(f"{option.name}={str(option.default).lower()}" for option in options)]
    return [Input("", text) for text in texts]


def moves() -> list[Input]:
    found = []
    for head, match in moments(typed=False):
        seat = match.waiting[0] if match.waiting else None
        texts = match.legal_moves(seat)[:6] if seat is not None else []
        texts += [entry.text for entry in match.log if entry.kind == "move"][-4:]
        found += [Input(head, text) for text in texts or ["pass"]]
    return found


def rolls() -> list[Input]:
    found = []
    for head, match in moments(typed=True):
        texts = list(match.position.outcomes())[:4] + [entry.text for entry in match.log if entry.kind == "chance"][-2:]
        found += [Input(head, text) for text in [*texts, ", ".join(texts[:3])] if text]
    return found


def weights() -> list[Input]:
    found = []
    for name in games.names():
        variant = Variant(games.load(name))
        if variant.game.has("evaluate") and has_features(variant.game):
            n = count_features(variant)
            fitted_for, rows = deciding_options(variant), ((0.5,) * (n + 2), (0.25,) * (n + 2))
            made = Weights(
                name, variant.game.rules_version, fitted_for, box_hash(variant), n, 1, "1", "train", rows,
                hidden=((1.0,),) * (n + 1),
            )  # fmt: skip
            made.save(scratch())
            found.append(Input(variant.text, scratch().read_text(encoding="utf-8")))
    return found


def roll_files() -> list[Input]:
    found = []
    for match in played():
        if match.is_over and not match.variant.game.draws_follow_play:
            texts = [entry.text for entry in match.log if entry.kind == "chance"]
            found.append(Input(match.variant.text, "# rolls\n" + json.dumps(texts) + "\n" + json.dumps(texts)))
    return found


def boxes() -> list[Input]:
    return [Input(name, games.load(name).box_text) for name in games.names() if games.load(name).box_text]


# --- what is done with it -------------------------------------------------------------------------------------


def look_at(position: Position) -> None:
    """Ask a position that was accepted everything there is."""
    if lamplighter.position(position.text) != position:
        raise Broken("a position does not read back")
    if parse_id(position.variant, position.id) != position:
        raise Broken("an id does not read back")
    for seat in range(position.variant.seats):
        position.score(seat), position.facts(seat), str(position.draw(seat))
    position.winners(), position.outcomes()
    for seat in position.waiting:
        position.legal_moves(seat)


def run_record(given: Input) -> None:
    match = parse_record(given.body)
    for text in (match.text, format_json_lines(match)):
        again = parse_record(text)
        if again.position != match.position or again.players != match.players or again.tags != match.tags:
            raise Broken("a record does not read back")


def run_position(given: Input) -> None:
    look_at(lamplighter.position(given.body))


def run_id(given: Input) -> None:
    look_at(parse_id(lamplighter.load(given.head), given.body))


def run_variant(given: Input) -> None:
    variant = lamplighter.load(given.body)
    if lamplighter.load(variant.text) != variant:
        raise Broken("a variant does not read back")


def run_move(given: Input) -> None:
    match = moment(given.head)
    for seat in (*range(match.variant.seats), None):
        with contextlib.suppress(LamplighterError):
            match.why(given.body, seat)
    match.copy().play(given.body)


def run_roll(given: Input) -> None:
    match = moment(given.head).copy()
    match.position.parse_outcome(given.body) if "," not in given.body else None
    match.roll(*Labels(match.variant).read_outcomes(match.position, given.body, match.players))


def run_box(given: Input) -> None:
    variant = Variant(games.load(given.head), {}, ComponentFile(given.body, "fuzz.toml"))
    match, choice = variant.match(seed="fuzz"), random.Random(1)
    while not match.is_over and len(match.log) < 40:
        match.roll()
        for seat in match.waiting[:1]:
            match.act(seat, choice.choice(match.position.legal_actions(seat)))
    if parse_record(match.text).position != match.position:
        raise Broken("a match with these components does not read back")


@functools.cache
def scratch() -> Path:
    """A file that readers of files are given."""
    folder = tempfile.TemporaryDirectory(prefix="fuzz-")
    atexit.register(folder.cleanup)
    return Path(folder.name) / "file"


def written(given: Input) -> Path:
    scratch().write_text(given.body, encoding="utf-8", errors="replace")
    return scratch()


def run_weights(given: Input) -> None:
    check_weights(read_weights(written(given)), lamplighter.load(given.head), "fuzz.json")


def run_roll_file(given: Input) -> None:
    read_rolls(lamplighter.load(given.head), written(given))


# --- a server -------------------------------------------------------------------------------------------------


@functools.cache
def server() -> Any:
    """A real server in this process, and a table there."""
    from serving import UNLIMITED, LocalServer, Person, all_at_once, variant_where

    from lamplighter.web.settings import Settings

    logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)  # it notes every request that is none
    folder = tempfile.mkdtemp(prefix="fuzz-")
    made = LocalServer(Settings(f"sqlite:///{folder}/tables.db", hold=0.0, **UNLIMITED))
    return made, Person(made.url).lay(variant_where(all_at_once), ["me", "open"], name="Ana")


def close_server() -> None:
    """Stop the server, if one was needed: its thread would keep the process alive."""
    if server.cache_info().currsize:
        server()[0].close()
        server.cache_clear()


def requests() -> list[Input]:
    """One request for every address, as it goes over the wire. TABLE and TOKEN are put in when it is sent."""
    game, bodies = games.own_names()[0], dict[str, Any]()
    bodies["/api/tables"] = {"variant": f"{game}?seats=2", "seats": ["me", "bot:uniform"], "names": ["Bo"]}
    bodies[f"/api/daily/{game}"] = {"name": "Cy"}
    bodies["/api/qr"] = {"text": "/t/TABLE"}
    table = {
        "join": {"name": "Bo", "seat": 1}, "session": {"token": "TOKEN"}, "seats/0": {"name": "Ana"},
        "moves": {"seat": 0, "move": "pass", "version": 0, "key": "k1", "done": False},
        "undo": {"seat": 0, "version": 0, "key": "k2"}, "done": {"seat": 0}, "nudge": {"seat": 1}, "leave": {},
        "explain": {"seat": 0, "move": "x", "source": "1", "cell": "c3", "orientation": "ne"}, "roll": {"text": "1, 2"},
        "unroll": {}, "call": {}, "enter": {"names": ["x"]}, "rematch": {},
    }  # fmt: skip
    bodies |= {f"/api/tables/TABLE/{path}": body for path, body in table.items()}
    looks = ["", "?seat=0&sheet=false&as=spectator", "/events", "/replay", "/record", "/record.jsonl", "/verify"]
    looks += ["/lines/x?seat=0&seq=3", "/sheets/0.svg?theme=dark&large=1&seq=2"]
    paths = [f"/api/tables/TABLE{path}" for path in looks]
    paths += ["/", "/t/TABLE", "/t/TABLE/replay", "/api/games", f"/games/{game}", "/help", "/api/daily", "/health"]
    paths += [f"/api/games/{game}/sheet.svg", "/static/page.css", "/race/TABLE?seat=0", "/api/bots", "/no/such/page"]
    head = "Host: localhost\r\nAuthorization: Bearer TOKEN\r\nAccept-Language: fr\r\nConnection: close\r\n"
    found = [
        f"GET {path} HTTP/1.1\r\n{head}Last-Event-ID: 3\r\nCookie: seat=TOKEN; browser=x\r\n\r\n" for path in paths
    ]
    for path, body in bodies.items():
        data = json.dumps(body)
        sized = f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n{data}"
        found.append(f"POST {path} HTTP/1.1\r\n{head}{sized}")
    return [Input("", text) for text in found]


def run_request(given: Input) -> None:
    made, person = server()
    text = given.body.replace("TABLE", person.table).replace("TOKEN", person.token)
    head, blank, body = text.partition("\r\n\r\n")
    head = re.sub(r"(?i)(content-length: )[0-9]{1,6}(?=\r\n|$)", rf"\g<1>{len(body.encode(errors='replace'))}", head)
    host, port = made.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), PATIENCE) as wire:
        wire.sendall((head + blank + body).encode(errors="replace"))
        wire.shutdown(socket.SHUT_WR)
        try:
            answer = wire.recv(64)
        except TimeoutError:
            raise Broken("the server does not answer") from None
        except ConnectionError:
            return
    status = re.match(rb"HTTP/1\.[01] ([0-9]{3})", answer)
    if status and int(status[1]) >= 500:
        raise Broken(f"the server answers with {int(status[1])}")


TARGETS = {
    target.kind: target
    for target in (
        Target("record", records, run_record),
        Target("jsonl", json_records, run_record),
        Target("position", positions, run_position),
        Target("id", ids, run_id),
        Target("variant", variants, run_variant),
        Target("move", moves, run_move),
        Target("roll", rolls, run_roll),
        Target("box", boxes, run_box),
        Target("weights", weights, run_weights),
        Target("rolls", roll_files, run_roll_file),
        Target("http", requests, run_request, timed=False),  # it works on threads of its own
    )
}


# --- changing it ----------------------------------------------------------------------------------------------

TOKENS = [
    "", " ", "\t", "\r\n", "\n\n", "\0", "\x7f", "\u2028", "\x85", "é", "\u200d", "𝟙", "²", "٣", "½", "Ⅷ", "-", "+", "0",
    "00", "-1", "1", "7", "64", "255", "256", "65536", "2147483648", "9223372036854775808", "1e400", "NaN", "0x10", "1_0",
    "9" * 20, "9" * 5000, "null", "true", "[]", "{}", '""', '"', "'", "\\", "\\u0000", "\\ud800", "{", "}", "|", "[", "]",
    "=", ":", ";", ",", ".", "/", "?", "&", "%", "%00", "%ff", "%zz", "#", "..", "../" * 9, "[" * 3000, "{" * 3000,
    " " * 20000, "a." * 3000, "|" * 5000, "\\" * 5001, '{"a":' * 2000, "seats", "box", "Seat0", "Salt", "Promise", "*",
]  # fmt: skip


def mutate(given: Input, corpus: list[Input], choice: random.Random) -> Input:
    """An input that differs a little, or a lot."""
    body = given.body
    for _ in range(choice.choice([1, 1, 1, 2, 3, 6])):
        body = choice.choice(CHANGES)(body, choice.choice(corpus).body, choice)[:400_000]
    return Input(given.head, body)


def _span(text: str, choice: random.Random) -> tuple[int, int]:
    start = choice.randint(0, len(text))
    return start, min(len(text), start + choice.choice([0, 1, 1, 2, 5, 20, 200]))


def _replace(text: str, other: str, choice: random.Random) -> str:
    start, end = _span(text, choice)
    return text[:start] + choice.choice(TOKENS) + text[end:]


def _letter(text: str, other: str, choice: random.Random) -> str:
    at = choice.randint(0, len(text))
    return text[:at] + chr(choice.choice([choice.randint(32, 126), choice.randint(0, 0xD7FF)])) + text[at + 1 :]


def _remove(text: str, other: str, choice: random.Random) -> str:
    start, end = _span(text, choice)
    return text[:start] + text[end:]


def _repeat(text: str, other: str, choice: random.Random) -> str:
    start, end = _span(text, choice)
    return text[:end] + text[start:end] * choice.choice([1, 2, 50]) + text[end:]


def _splice(text: str, other: str, choice: random.Random) -> str:
    (start, end), (first, last) = _span(text, choice), _span(other, choice)
    return text[:start] + other[first:last] + text[end:]


def _cross(text: str, other: str, choice: random.Random) -> str:
    return text[: choice.randint(0, len(text))] + other[choice.randint(0, len(other)) :]


def _word(text: str, other: str, choice: random.Random) -> str:
    """Another word, of the same text, of another one or of our own, in place of one."""
    words = re.findall(r"\w+", text) or [""]
    new = choice.choice([choice.choice(words), choice.choice(re.findall(r"\w+", other) or [""]), choice.choice(TOKENS)])
    found = list(re.finditer(rf"\b{re.escape(choice.choice(words))}\b", text)) or [None]
    place = choice.choice(found)
    return text if place is None else text[: place.start()] + new + text[place.end() :]


def _number(text: str, other: str, choice: random.Random) -> str:
    places = list(re.finditer("-?[0-9]+", text))
    if not places:
        return text
    place = choice.choice(places)
    new = choice.choice(
        [str(int(place[0][:9]) + choice.choice([-1, 1])), str(choice.randint(0, 300)), choice.choice(TOKENS)]
    )
    return text[: place.start()] + new + text[place.end() :]


def _lines(text: str, other: str, choice: random.Random) -> str:
    lines = text.split("\n")
    if len(lines) < 2:
        return text
    one, two = choice.randrange(len(lines)), choice.randrange(len(lines))
    lines[one], lines[two] = lines[two], choice.choice([lines[one], lines[two], ""])
    return "\n".join(lines)


CHANGES = [_replace, _letter, _remove, _repeat, _splice, _cross, _word, _word, _number, _number, _lines]


# --- finding --------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def cpu_limit(seconds: float) -> Iterator[None]:
    """Stop what takes more processor time than this."""

    def stop(*_: Any) -> None:
        raise TooSlow(f"more than {seconds} seconds of processor time")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def problem(target: Target, given: Input, limit: float = CPU_LIMIT) -> str | None:
    """What is wrong with how an input is taken; None if it is read or refused as it should be."""
    try:
        with cpu_limit(limit) if target.timed else contextlib.nullcontext():
            target.run(given)
    except LamplighterError as error:
        return None if str(error).strip() else "a refusal without a word"
    except TooSlow as error:
        return f"TooSlow: {error}"
    except Exception as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        return f"{type(error).__name__}: {str(error)[:200]} ({Path(last.filename).name}:{last.lineno})"
    return None


def search(
    target: Target, seed: int, count: int | None = None, seconds: float | None = None
) -> Iterator[tuple[Input, str]]:
    """Try so many changed inputs, or for so long. Every input that is found, with what is wrong; each trouble once."""
    corpus, choice, known = target.corpus(), random.Random(f"{target.kind}/{seed}"), set[str]()
    problem(target, corpus[0])  # what starts with the first input, such as a server, takes nothing of the time
    end, number = None if seconds is None else time.monotonic() + seconds, 0
    while (count is None or number < count) and (end is None or time.monotonic() < end):
        given = mutate(choice.choice(corpus), corpus, choice)
        number += 1
        wrong = problem(target, given)
        place = wrong and re.sub(r":.*\(|[0-9a-f]{8,}", "(", wrong)
        if wrong and place not in known:
            known.add(str(place))
            yield given, wrong
    print(f"{target.kind}: {number} inputs, {len(known)} found", flush=True)


def keep(kind: str, given: Input) -> Path:
    """Write an input down, for ever."""
    name = hashlib.sha256(given.text.encode(errors="surrogatepass")).hexdigest()[:12]
    path = FOUND / f"{kind}-{name}.txt"
    path.write_bytes(given.text.encode(errors="surrogatepass"))
    return path


def read_kept(path: Path) -> tuple[Target, Input]:
    return TARGETS[path.name.partition("-")[0]], Input.parse(path.read_bytes().decode(errors="surrogatepass"))


def main() -> int:
    options = argparse.ArgumentParser(description="Look for input that Lamplighter takes badly.")
    options.add_argument("--seconds", type=float, default=60.0, help="for all kinds together")
    options.add_argument("--seed", type=int, default=None, help="the same seed tries the same inputs")
    options.add_argument("--kinds", nargs="*", default=list(TARGETS), choices=list(TARGETS))
    options.add_argument("--repeat", type=Path, help="run one file, with its traceback")
    chosen = options.parse_args()
    if chosen.repeat:
        target, given = read_kept(chosen.repeat)
        target.run(given)
        print("read without complaint")
        return 0
    seed, found = random.randrange(10**6) if chosen.seed is None else chosen.seed, 0
    print(f"--seed {seed}")
    for kind in chosen.kinds:
        for given, wrong in search(TARGETS[kind], seed, seconds=chosen.seconds / len(chosen.kinds)):
            found += 1
            print(f"FOUND {wrong}\n  python tests/fuzz/fuzzing.py --repeat {keep(kind, given)}", flush=True)
    return 1 if found else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    finally:
        close_server()
