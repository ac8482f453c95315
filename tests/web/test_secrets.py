"""What nobody may learn: another's hand, the seed, what comes next, tokens.

A viewer's answers must not change when everything they may not see is taken out of the position. That is how every
endpoint is checked here, without a word about which cards there are.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import math
import random
import re
import sqlite3
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import pytest
from serving import HTTP, LocalServer, Person, all_at_once, is_secret, new_key, one_by_one, until, variant_where
from walks import first_at_once

from lamplighter import games
from lamplighter.engine import chance
from lamplighter.engine.game import Game
from lamplighter.engine.match import HIDDEN, Match
from lamplighter.web import views
from lamplighter.web.table import load_variant
from lamplighter.web.tokens import hash_token

SEATS = 3


def without_clock(text: str) -> str:
    return re.sub(r'"now":[\d.]+', "", text)


def answers(person: Person) -> dict[str, str]:
    """Everything that somebody can ask for while a match goes on."""
    paths = ["", "?seat=0", "?seat=1", "?seat=2", "?sheet=false", "replay", "record", "record.jsonl", "verify"]
    for seat in range(SEATS):
        paths += [f"sheets/{seat}.svg", f"sheets/{seat}.svg?theme=dark&large=1", f"sheets/{seat}.svg?seq=3"]
        paths += [f"lines/{line['name']}?seat={seat}" for line in person.view()["seats"][seat]["lines"]]
    found = {path: without_clock(person.ask("GET", path).text) for path in paths}
    for seat in range(SEATS):
        body = {"seat": seat, "move": "pass", "version": 0, "key": new_key()}
        found[f"moves {seat}"] = without_clock(person.ask("POST", "moves", body).text)
        found[f"explain {seat}"] = person.ask("POST", "explain", {"seat": seat, "move": "pass"}).text
    return found


def differing(server: LocalServer, person: Person, seat: int | None) -> list[str]:
    """The answers that change when what this viewer may not see is taken away."""
    table = server.table(person.table)
    until(lambda: not table.is_due, "nothing more comes by itself")  # else cards could be dealt to the blind position
    match, honest, real = table.match, answers(person), table.match.position
    match.position = real.seen_by(seat)
    try:
        blind = answers(person)
    finally:
        match.position = real
    return [path for path, text in honest.items() if text != blind[path]]


@pytest.fixture
def people(someone: Person) -> list[Person]:
    """Everybody at a table with hidden hands, and somebody who watches."""
    host = someone.lay(variant_where(is_secret, SEATS), ["me"] + ["open"] * (SEATS - 1))
    return [host, *(host.join(f"Player {seat}") for seat in range(1, SEATS)), host.watcher]


def play_some(people: list[Person], choice: random.Random, moves: int) -> Iterator[None]:
    """Let people play, and stop after every few moves."""
    for number in range(moves):
        waiting = people[-1].view()["waiting"]
        if not waiting:
            return
        people[choice.choice(waiting)].play(choice)
        if number % 15 == 0:
            yield


def test_hands_stay_hidden(server: LocalServer, people: list[Person]) -> None:
    listeners = [person.listen(0) for person in people]
    looked = 0
    for _ in play_some(people, random.Random(4), 400):
        looked += 1
        for person in people:
            seat = person.seats[0] if person.seats else None
            assert differing(server, person, seat) == []
    assert looked > 2 and people[0].view()["phase"] == "over"
    rows = server.table(people[0].table).log
    end = until(lambda: listeners[-1].seen[-1]["data"]["phase"] == "over" and rows[-1].seq, "the end is heard")
    for person, listener in zip(people, listeners, strict=True):
        mine = person.seats[0] if person.seats else None
        before_the_end = [event["data"] for event in listener.seen if event["event"] == "log"]
        heard = [entry for data in before_the_end if data["phase"] != "over" for entry in data["entries"]]
        dealt = [entry for entry in heard if entry["kind"] == "chance" and entry["seat"] is not None]
        assert all((entry["text"] == HIDDEN) == (entry["seat"] != mine) for entry in dealt) and len(dealt) > 10
        assert listener.last_id == end
        listener.close()


def test_a_leak_is_noticed(server: LocalServer, people: list[Person], monkeypatch: pytest.MonkeyPatch) -> None:
    next(play_some(people, random.Random(4), 3))
    watcher = people[-1]
    assert differing(server, watcher, None) == []
    with monkeypatch.context() as patch:
        patch.setattr(
            views, "_left", lambda position, seat: [{"name": server.table(watcher.table).match.position.text}]
        )
        assert "" in differing(server, people[0], 0)
    with monkeypatch.context() as patch:
        patch.setattr(views, "explain_score", lambda session, *_: {"cells": [session.table.match.position.text]})
        assert any(path.startswith("lines/") for path in differing(server, watcher, None))


def test_refusals_do_not_tell_the_position(server: LocalServer, people: list[Person]) -> None:
    """A refused move's own message has the whole position in it: that is for logs, not for players."""
    next(play_some(people, random.Random(4), 1))
    one = people[people[0].view()["waiting"][0]]
    view = one.view()
    move = view["moves"][0]
    one.move(move, view)
    answer = one.move(move, one.view())
    assert answer.status_code == 422
    assert server.table(one.table).match.position.text.partition(";")[2] not in answer.text
    told = one.ask("POST", "explain", {"seat": one.seats[0], "move": move})
    assert server.table(one.table).match.position.text.partition(";")[2] not in told.text


def test_after_the_end_hands_are_open(people: list[Person]) -> None:
    for _ in play_some(people, random.Random(5), 400):
        pass
    steps = people[-1].get("replay")["steps"]
    assert HIDDEN not in {step["text"] for step in steps}
    assert HIDDEN not in {entry["text"] for entry in people[-1].view()["log"]}


# --- dice and tokens ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("like", [all_at_once, one_by_one, is_secret])
def test_the_seed_and_the_next_outcome_are_told_at_the_end(server: LocalServer, someone: Person, like: Any) -> None:
    us = someone.lay(variant_where(like), ["me", "me"])
    seed = server.table(us.table).row.seed
    stream, choice, looks = us.listen(0), random.Random(6), 0
    while us.view()["phase"] != "over":
        if looks % 20 == 0:
            for person in (us, us.watcher):
                told = {path: person.ask("GET", path).text for path in ("", "verify", "record", "replay")}
                assert [path for path, text in told.items() if seed in text] == []
        looks += 1
        us.play(choice)
    assert us.view()["dice"]["seed"] == seed
    assert seed not in str(stream.seen)
    stream.close()


def test_what_is_told_depends_on_the_past_only(someone: Person) -> None:
    """Two tables of different seeds and the same past answer alike, but for the promise."""
    variant = variant_where(one_by_one)

    def told(us: Person) -> Any:
        view = us.view()
        moment = {name: value for name, value in view.items() if name not in ("id", "dice", "log", "seats")}
        moment["log"] = [(entry["kind"], entry["seat"], entry["text"]) for entry in view["log"]]
        moment["seats"] = [{**seat, "since": None} for seat in view["seats"]]
        return moment

    tables: dict[Any, Person] = {}
    for _ in range(200):  # of some 400 beginnings
        us = someone.lay(variant, ["me", "me"], names=["Ana", "Bo"])
        past = tuple(entry["text"] for entry in us.view()["log"])
        if past in tables:
            assert told(us) == told(tables[past])
            return
        tables[past] = us
    pytest.fail("no two of 200 tables began alike")


def test_tokens_are_not_stored(server: LocalServer, someone: Person) -> None:
    host = someone.lay(variant_where(all_at_once), ["me", "open"])
    guest = host.join("Bo")
    path = server.app.state.settings.database.removeprefix("sqlite:///")
    with sqlite3.connect(path) as database:
        dump = "\n".join(database.iterdump())
    database.close()
    for person in (host, guest):
        assert person.token not in dump
        assert hash_token(person.token) in dump


def test_tokens_and_ids_cannot_be_guessed(someone: Person) -> None:
    people = [someone.lay(variant_where(one_by_one), ["me", "me"]) for _ in range(20)]
    for words, length in (([p.table for p in people], 12), ([p.token for p in people], 32)):
        assert len(set(words)) == 20 and all(len(word) == length for word in words)


def test_no_answer_names_another_ones_token(someone: Person) -> None:
    host = someone.lay(variant_where(all_at_once), ["me", "open"])
    guest = host.join("Bo")
    guest.play()
    for person in (host, host.watcher):
        for path in ("", "?seat=1", "sheets/1.svg"):
            text = person.ask("GET", path).text
            assert guest.token not in text and hash_token(guest.token) not in text
    assert HTTP.cookies.jar is not None and not list(HTTP.cookies.jar)


# --- as a spectator -------------------------------------------------------------------------------------------


def test_who_sits_at_the_table_can_look_as_a_stranger(people: list[Person]) -> None:
    """A screen on the wall is opened in the host's own browser, whose cookie holds a seat."""
    next(play_some(people, random.Random(4), 3))
    host, stranger = people[0], people[-1]
    paths = ["", *(f"sheets/{seat}.svg" for seat in range(SEATS))]
    paths += [f"lines/{line['name']}" for line in stranger.view()["seats"][0]["lines"]]
    for path in paths:
        as_host, as_stranger = (without_clock(one.ask("GET", f"{path}?as=spectator").text) for one in (host, stranger))
        assert as_host == as_stranger
    assert without_clock(host.ask("GET", "").text) != without_clock(stranger.ask("GET", "").text)
    assert host.ask("GET", "sheets/0.svg").text != stranger.ask("GET", "sheets/0.svg").text


def test_the_stream_of_a_spectator_hides_hands(people: list[Person]) -> None:
    host = people[0]
    url = f"{host.url}/api/tables/{host.table}/events?as=spectator"
    headers = {"authorization": f"Bearer {host.token}", "last-event-id": "0"}
    with HTTP.stream("GET", url, headers=headers) as answer:
        lines = answer.iter_lines()
        data = json.loads(next(line for line in lines if line.startswith("data: ") and "entries" in line)[6:])
    dealt = [entry["text"] for entry in data["entries"] if entry["kind"] == "chance" and entry["seat"] is not None]
    assert dealt and set(dealt) == {HIDDEN}


def test_hidden_hands_are_not_typed_in(someone: Person) -> None:
    """Whoever types in sees what is left, and so what the others hold."""
    body = {"variant": variant_where(is_secret), "seats": ["me", "open"], "rolls": "typed"}
    assert "hidden" in someone.refused(400, "POST", "/api/tables", body)["message"]


# --- a spectator who wants to know the dice -------------------------------------------------------------------

Draw = tuple[np.ndarray, int, int]  # weights, the number of the draw, which outcome came


def draws_of(match: Match) -> list[Draw]:
    """What chance gave so far, as somebody who tries keys needs it."""
    position, found = match.variant.start(), list[Draw]()
    for entry in match.log:
        if entry.kind == "move":
            position.act(entry.seat or 0, entry.value)
            continue
        outcomes, weights = position.outcome_numbers()
        found.append((np.array(weights, np.int64), int(position.state["draws"]), outcomes.index(entry.value)))
        position.apply_outcome(entry.value)
    return found


def bits(draws: list[Draw]) -> float:
    """How much the draws tell: a wrong key gives all of them with a chance of 1 in 2 ** bits.

    Seats that draw from bags of their own share the number of a draw, and a wrong key that gives one of them gives all.
    """
    first = {number: (weights, index) for weights, number, index in reversed(draws)}
    return sum(math.log2(int(weights.sum()) / int(weights[index])) for weights, index in first.values())


def gives(key: int, draws: list[Draw], words: np.ndarray) -> bool:
    return all(chance.pick(weights, len(weights), key, draw, words) == index for weights, draw, index in draws)


def hex_digits(word: str) -> Iterator[str]:
    """A word as hexadecimal digits: as it stands, decoded, and hashed in the obvious ways."""
    plain = word.lower().removeprefix("0x")
    if re.fullmatch(r"[0-9a-f]{16,}", plain):
        yield plain
    raw = [word.encode()]
    with contextlib.suppress(ValueError):
        raw.append(base64.urlsafe_b64decode(word.replace("+", "-").replace("/", "_") + "=" * (-len(word) % 4)))
    with contextlib.suppress(ValueError):
        raw.append(bytes.fromhex(plain))
    for data in raw:
        yield data.hex()
        for hashed in (hashlib.sha256, hashlib.sha512, hashlib.blake2b, hashlib.sha1, hashlib.md5):
            yield hashed(data).hexdigest()
        yield hashlib.blake2b(data, digest_size=8).hexdigest()
        yield hashlib.blake2b(data, digest_size=32).hexdigest()


def foretold(texts: Iterable[str], match: Match) -> list[str]:
    """The words in these texts from which the dice of a match can be worked out."""
    draws, words = draws_of(match), np.zeros(4, np.int64)
    assert bits(draws) > 44, "too few draws: a wrong key could give them too"
    patterns = [re.compile(r"[0-9A-Za-z_+/=-]{8,}"), re.compile(r"[0-9A-Fa-f]{16,}")]
    found, tried = [], set[int]()
    for word in sorted({word for text in texts for pattern in patterns for word in pattern.findall(text)}):
        seeds = {word, word.lower(), word.removeprefix("0x")} | set(hex_digits(word))
        keys = {chance.seed_key(seed) for seed in seeds}
        for digits in hex_digits(word):
            keys |= {int(digits[at : at + 16], 16) for at in range(len(digits) - 15)}
            data = bytes.fromhex(digits[: len(digits) // 2 * 2])
            keys |= {int.from_bytes(data[at : at + 8], "little") for at in range(len(data) - 7)}
        if any(gives(chance.signed(key), draws, words) for key in keys - tried):
            found.append(word)
        tried |= keys
    return found


def read_by(stranger: Person) -> list[str]:
    """Everything that anybody can read of a match that goes on, headers and refusals too."""
    seats = range(len(stranger.view()["seats"]))
    paths = ["", "?sheet=true", "verify", "record", "record.jsonl", "record.pdf", "replay", "lines/no-such-line"]
    paths += [f"sheets/{seat}.svg" for seat in seats] + [f"sheets/{seat}.svg?seq=1" for seat in seats]
    paths += [
        f"/t/{stranger.table}",
        f"/t/{stranger.table}/replay",
        f"/t/{stranger.table}/screen",
        "/health",
        "/metrics",
    ]
    answers = [stranger.ask("GET", path) for path in paths]
    body = {"seat": 0, "move": "pass", "version": 0, "key": new_key()}
    answers += [stranger.ask("POST", path, body) for path in ("moves", "roll", "join", "explain", "rematch")]
    answers += [stranger.ask("POST", "/api/tables", {"variant": "x", "same_dice_as": stranger.table})]
    texts = [answer.text for answer in answers] + [str(answer.headers.multi_items()) for answer in answers]
    listener = stranger.listen(0)
    until(lambda: listener.entries, "the log comes")
    listener.close()
    return [*texts, str(listener.seen)]


def play_until_it_tells(server: LocalServer, us: Person) -> Match:
    """Play until the past would tell a right key from a wrong one."""
    choice = random.Random(8)
    while bits(draws_of(server.table(us.table).match)) < 45:
        until(lambda: us.view()["moves"], "it is our turn")
        us.play(choice)
    match: Match = server.table(us.table).match
    assert not match.is_over
    return match


def test_nothing_that_a_spectator_reads_tells_the_dice(server: LocalServer, someone: Person, own_game: Game) -> None:
    seats = max(2, own_game.seats[0])
    us = someone.lay(f"{own_game.id}?seats={seats}", ["me"] * seats)
    match = play_until_it_tells(server, us)
    texts = read_by(us.watcher)
    assert any(us.view()["dice"]["hash"] in text for text in texts)
    assert foretold(texts, match) == []


@pytest.mark.parametrize("name", first_at_once(games.own_names()))
def test_nothing_about_the_match_of_the_day_tells_its_dice(start: Any, name: str) -> None:
    """Also not what a finished one says, while others play with the same dice: their order apart, it has them all."""
    server = start()
    begun = [Person(server.url).post(f"/api/daily/{name}", name=who) for who in ("Ana", "Bo")]
    ana, bo = (Person(server.url, made["id"], made["token"], made["seats"]) for made in begun)
    match = play_until_it_tells(server, bo)
    assert foretold(read_by(bo), match) == []
    assert bo.watcher.refused(409, "GET", "")["code"] == "table/tomorrow"
    ana.play_on(random.Random(9))
    texts = [ana.ask("GET", path).text for path in ("", "verify", "record", "record.jsonl", "replay")]
    assert any(ana.view()["dice"]["hash"] in text for text in texts)
    assert foretold(texts, match) == []
    assert ana.view()["dice"]["hash"] != bo.view()["dice"]["hash"]


def leaks(seed: str) -> dict[str, str]:
    """Texts that give the dice away, each in its own manner."""
    key = chance.seed_key(seed)
    return {
        "the seed": seed,
        "the seed in base64": base64.b64encode(seed.encode()).decode(),
        "its bytes in base64": base64.urlsafe_b64encode(bytes.fromhex(seed)).decode().rstrip("="),
        "the old promise": chance.seed_hash(seed),
        "the key": chance.key_text(key),
        "the key within something": f"etag-{'ab' * 5}{key:016x}77",
        "the key backwards": key.to_bytes(8, "little").hex(),
        "the old promise in base64": base64.b64encode(bytes.fromhex(chance.seed_hash(seed))).decode(),
    }


def test_each_leak_would_be_found() -> None:
    match = load_variant(variant_where(one_by_one)).match()
    choice = random.Random(3)
    while bits(draws_of(match)) < 50:
        match.roll()
        match.play(choice.choice(match.legal_moves(match.waiting[0])), match.waiting[0])
    assert match.seed is not None
    for how, text in leaks(match.seed).items():
        assert foretold([f'{{"hash":"{text}"}}'], match), how
    salt = chance.new_seed()
    assert foretold([chance.promise(match.seed, salt), salt, chance.new_seed(), "Player-Name"], match) == []


def test_a_draw_that_two_seats_share_tells_once(own_game: Game) -> None:
    """If it counted twice, some of the many wrong keys that are tried would pass for the right one."""
    match = load_variant(f"{own_game.id}?seats={max(2, own_game.seats[0])}").match(seed="shared")
    match.roll()
    draws, words = draws_of(match), np.zeros(4, np.int64)
    assert bits(draws * 2) == bits(draws) > 0
    wrong = 100_000
    passed = sum(gives(key, draws[:3], words) for key in range(wrong))
    expected = wrong / 2 ** bits(draws[:3])
    assert abs(passed - expected) < 6 * expected**0.5 + 2


def test_a_promise_that_tells_is_noticed(server: LocalServer, someone: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    """The promise as it was: its first 16 digits are the key of the dice."""
    us = someone.lay(variant_where(one_by_one), ["me", "me"])
    match = play_until_it_tells(server, us)
    honest = views.dice
    monkeypatch.setattr(views, "dice", lambda table: honest(table) | {"hash": chance.seed_hash(table.row.seed)})
    assert foretold(read_by(us.watcher), match) == [chance.seed_hash(match.seed or "")]


def test_the_salt_is_told_with_the_seed(server: LocalServer, someone: Person) -> None:
    us = someone.lay(variant_where(one_by_one), ["me", "me"])
    row = server.table(us.table).row
    assert row.salt not in "".join(read_by(us.watcher)) and us.view()["dice"]["salt"] is None
    us.play_on()
    told = us.watcher.view()["dice"]
    assert (told["seed"], told["salt"]) == (row.seed, row.salt)
    assert chance.promise(told["seed"], told["salt"]) == told["hash"]


def test_nothing_of_a_class_tells_its_dice(server: LocalServer, someone: Person) -> None:
    """One child has played all the dice that another still plays with."""
    made = someone.post("/api/classes", variant=variant_where(all_at_once, 1), pace="free")
    teacher = Person(server.url, token=made["token"])
    quick, slow = (Person(server.url, token=letter * 40) for letter in "qs")
    texts = [json.dumps({name: made[name] for name in ("id", "code", "url")})]
    for child, name in ((quick, "Ana"), (slow, "Bo")):
        wanted = {"code": made["code"], "name": name, "token": child.token}
        texts.append(child.ask("POST", "/api/classes/join", wanted).text)
    texts.append(teacher.ask("POST", f"/api/classes/{made['id']}/start", {}).text)
    for child in (quick, slow):
        child.table = child.get("/api/classes/me", code=made["code"])["table"]
    quick.play_on(random.Random(7))
    texts += [teacher.ask("GET", f"/api/classes/{made['id']}").text, f"{quick.token} {slow.token}"]
    texts += [text for person in (quick, quick.watcher, slow) for text in read_by(person)]
    match = server.table(quick.table).match
    assert foretold(texts, match) == []
    teacher.post(f"/api/classes/{made['id']}/end")
    assert foretold([quick.ask("GET", "").text], match) == [match.seed]
