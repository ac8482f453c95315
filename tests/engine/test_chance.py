"""Chance: known answers of the generator, fair and repeatable draws, typed dice."""

from __future__ import annotations

import collections
import hmac

import numpy as np
import pytest

from lamplighter.engine import chance
from lamplighter.engine.game import Game
from lamplighter.engine.variant import Variant
from lamplighter.errors import BadChance, LamplighterError
from lamplighter.jit import PURE

# Known answers of Philox4x32-10 as its authors publish them: key, counter, domain → four words.
KNOWN = [
    (0, 0, 0, (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    (-1, -1, -1, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
    (0x299F31D0A4093822, 0x85A308D3243F6A88, 0x0370734413198A2E, (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1)),
]


@pytest.mark.parametrize(("key", "counter", "domain", "words"), KNOWN)
def test_known_answers(key: int, counter: int, domain: int, words: tuple[int, ...]) -> None:
    out = np.zeros(4, np.int64)
    chance.philox(chance.signed(key), chance.signed(counter), domain, out)
    assert tuple(out.tolist()) == words


def test_seeds_are_stable() -> None:
    """These numbers must never change: old records name their seed."""
    key = chance.signed(chance.seed_key("Ana's birthday"))
    words = np.zeros(4, np.int64)
    assert [chance.draw_below(key, draw, 6, words) for draw in range(12)] == [2, 4, 3, 5, 0, 3, 1, 2, 2, 3, 5, 5]


@pytest.mark.parametrize("bound", [2, 3, 6, 7, 54])
def test_draws_are_fair(bound: int) -> None:
    count = 200 * bound if PURE else 4000 * bound
    words = np.zeros(4, np.int64)
    seen = collections.Counter(chance.draw_below(7, draw, bound, words) for draw in range(count))
    expected = count / bound
    statistic = sum((seen[value] - expected) ** 2 / expected for value in range(bound))
    assert statistic < bound + 6 * (2 * bound) ** 0.5  # chi-square, far out in its tail


def test_weights_are_kept() -> None:
    weights = np.array([1, 0, 3, 6], np.int64)
    words = np.zeros(4, np.int64)
    count = 2000
    seen = collections.Counter(chance.pick(weights, 4, 11, draw, words) for draw in range(count))
    assert seen[1] == 0
    for index, share in ((0, 0.1), (2, 0.3), (3, 0.6)):
        assert seen[index] / count == pytest.approx(share, abs=0.04)


@pytest.mark.parametrize("weights", [[1, 1, 1, 1], [1, 0, 3, 6], [0, 2], [2, 0], [5], [0, 0, 3, 0]])
def test_an_outcome_is_found_by_its_part_of_all_weights(weights: list[int]) -> None:
    """The number that is drawn below the sum counts through the outcomes, each as often as its weight."""
    words, places = np.zeros(4, np.int64), [i for i, weight in enumerate(weights) for _ in range(weight)]
    for draw in range(50):
        found = chance.pick(np.array(weights, np.int64), len(weights), 3, draw, words)
        assert found == places[chance.draw_below(3, draw, sum(weights), words)]


def test_streams_differ() -> None:
    streams = []
    for number in range(3):
        stream = np.zeros(4, np.int64)
        chance.start_stream(5, number, stream)
        streams.append([chance.below(1000, stream) for _ in range(20)])
    assert streams[0] != streams[1] != streams[2]
    assert all(0 <= value < 1000 for stream in streams for value in stream)


def test_the_promise_can_be_checked_and_tells_nothing_of_the_key() -> None:
    """What is derived for one purpose has no digit in common with the key of the dice, nor with another purpose."""
    seed, salt = chance.new_seed(), chance.new_seed()
    shown = chance.promise(seed, salt)
    assert shown == chance.promise(seed, salt)
    assert shown != chance.promise(seed, chance.new_seed()) and shown != chance.promise(chance.new_seed(), salt)
    assert len(seed) == len(salt) == 32, "128 bits"
    key = chance.seed_key(seed).to_bytes(8, "big")
    derived = [chance.derive(seed, purpose, salt) for purpose in ("promise", "bot", "daily")]
    assert len(set(derived)) == 3
    assert all(key not in value and key[::-1] not in value for value in derived)
    assert key in bytes.fromhex(chance.seed_hash(seed)), "the old promise gave the key away"


def test_the_promise_is_stable() -> None:
    """As everybody can calculate it: printf %s SALT/SEED | openssl dgst -sha256 -hmac "lamplighter promise"."""
    found = hmac.new(b"lamplighter promise", b"salt/seed", "sha256").hexdigest()
    assert chance.promise("seed", "salt") == found
    assert found == "7ad8baf0e6cb41d145bf34baa1e306ea326641b564f1bd6e8fe9ea3b0fedefae"


def test_parts_cannot_run_into_each_other() -> None:
    assert chance.derive("x", "bot", "a", "b") != chance.derive("b/x", "bot", "a", "c")
    with pytest.raises(ValueError, match="slash"):
        chance.derive("x", "bot", "a/b")


def test_keys_as_text() -> None:
    assert chance.seed_key(chance.key_text(0xABC)) == 0xABC
    assert chance.seed_key(chance.key_text(chance.signed(2**64 - 1))) == 2**64 - 1
    assert chance.seed_key("7") != chance.seed_key("8")
    assert chance.new_seed() != chance.new_seed()


def test_same_seed_same_outcomes(game: Game) -> None:
    matches = [Variant(game).match(seed=seed) for seed in ("x", "x", "y")]
    for match in matches:
        while not match.is_over and len(match.log) < 30:
            match.roll()
            for seat in match.waiting[:1]:
                match.act(seat, match.position.legal_actions(seat)[0])
    assert matches[0].log == matches[1].log
    if any(entry.kind == "chance" for entry in matches[0].log):
        assert matches[0].log != matches[2].log


def test_typed_outcomes(own_game: Game) -> None:
    variant = Variant(own_game)
    seeded, typed = variant.match(seed=3), variant.match(typed=True)
    texts = seeded.roll()
    typed.roll(*texts)
    assert typed.position == seeded.position
    assert typed.log == seeded.log
    with pytest.raises(BadChance, match="rolls its own"):
        seeded.roll(texts[0])
    with pytest.raises(BadChance):
        variant.match(typed=True).roll("no such outcome")


def test_too_many_players(game: Game) -> None:
    with pytest.raises(LamplighterError, match="players for"):
        Variant(game).match(players=["x"] * 99)
