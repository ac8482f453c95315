"""Where dice, cards and tiles come from. A kernel only lists what may come next, with integer weights.

Three sources use that list: it can be *enumerated* (planners), *seeded* (play; this file) or *typed in* (real dice on
a table). A seeded outcome depends on nothing but the seed and the number of the draw, so a roll is the same in every
version, on every machine, however many other things happened in between, and no state holds the future.

The generator is Philox4x32-10 (Salmon and others, 2011), which turns a key and a counter into four random words. Bots
use sfc32 streams, which are faster and need not be addressable. All arithmetic is on 32-bit words inside an int64, so
that it is the same compiled and interpreted.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from typing import Any

from lamplighter.jit import inlined_kernel, kernel

WORD = 0xFFFFFFFF
Array = Any  # of int64

KEY_TEXT = re.compile(r"0x[0-9a-f]{16}")


def new_seed() -> str:
    """Return a seed, or a salt, that nobody can guess: 128 random bits."""
    return secrets.token_hex(16)


def derive(secret: str, purpose: str, *parts: str) -> bytes:
    """Return 32 bytes that belong to a secret, a purpose and further parts: HMAC-SHA-256 over `part/…/secret`.

    The purpose is the key, so that what is derived for one purpose tells nothing about another. The dice have a hash of
    their own, `seed_key`, which nothing else may use.
    """
    if any("/" in part for part in parts):
        raise ValueError("a part with a slash could be taken for two parts")
    return hmac.digest(f"lamplighter {purpose}".encode(), "/".join((*parts, secret)).encode(), "sha256")


def promise(seed: str, salt: str) -> str:
    """Return what is shown of a seed before it is revealed. Salt and seed are revealed together; then anybody can check it."""
    return derive(seed, "promise", salt).hex()


def seed_hash(seed: str) -> str:
    """Return the promise of old records and tables. It is only for checking them: its first 16 digits are the key of the dice."""
    return hashlib.sha256(seed.encode()).hexdigest()


def seed_key(seed: str) -> int:
    """Return the 64-bit key of a seed text, as a non-negative int. `0x` and 16 digits are the key itself.

    All dice follow from the key, so no part of this hash may be shown before the match has ended.

    >>> hex(seed_key("0x00000000000000ff"))
    '0xff'
    """
    if KEY_TEXT.fullmatch(seed):
        return int(seed, 16)
    return int.from_bytes(hashlib.sha256(seed.encode()).digest()[:8], "big")


def key_text(key: int) -> str:
    """Return the seed text that stands for exactly this key."""
    return f"0x{key & 0xFFFFFFFFFFFFFFFF:016x}"


def signed(key: int) -> int:
    """Return a 64-bit key as kernels take it: an int64 of the same bits."""
    return key - (1 << 64) if key >= 1 << 63 else key


@inlined_kernel
def philox(key: int, counter: int, domain: int, out: Array) -> None:
    """Write four random words for `key` at (`counter`, `domain`) into `out`."""
    key0, key1 = key & WORD, (key >> 32) & WORD
    word0, word1, word2, word3 = counter & WORD, (counter >> 32) & WORD, domain & WORD, (domain >> 32) & WORD
    for _ in range(10):
        product0 = word0 * 0xD2511F53  # as int64 this may wrap; its low 64 bits, all we read, are right
        product1 = word2 * 0xCD9E8D57
        word0 = ((product1 >> 32) & WORD) ^ (word1 ^ key0)
        word2 = ((product0 >> 32) & WORD) ^ (word3 ^ key1)
        word1, word3 = product1 & WORD, product0 & WORD
        key0, key1 = (key0 + 0x9E3779B9) & WORD, (key1 + 0xBB67AE85) & WORD
    out[0], out[1], out[2], out[3] = word0, word1, word2, word3


@inlined_kernel
def draw_below(key: int, draw: int, bound: int, words: Array) -> int:
    """Return a number below `bound`, each exactly as likely, for draw number `draw` of `key`. `words` has room for four."""
    block = 0
    while True:
        philox(key, draw, block, words)
        for i in range(4):
            word = int(words[i])
            if word <= WORD - bound or word < (WORD + 1) - (WORD + 1) % bound:  # the first is seldom wrong, and quick
                return (word & WORD) % (bound & WORD)  # the masks promise the compiler a short division
        block += 1


@inlined_kernel
def pick(weights: Array, n: int, key: int, draw: int, words: Array) -> int:
    """Return the index of the outcome that seed `key` gives at draw number `draw`, among `n` weighted ones."""
    total, alike = 0, 0
    for i in range(n):
        total += int(weights[i])
        alike += int(weights[i] == 1)
    rest = draw_below(key, draw, total, words)
    if alike == n:
        return rest
    index, passed = 0, 0
    for i in range(n):  # to the end: a processor that guesses where to stop loses more time than it saves
        passed += int(weights[i])
        index += int(passed <= rest)
    return index


@kernel
def start_stream(key: int, stream: int, out: Array) -> None:
    """Start the random stream number `stream` of `key` (for bots) in `out`: four words."""
    philox(key, stream, 0x626F7473, out)
    for _ in range(4):
        next_word(out)


@kernel
def next_word(stream: Array) -> int:
    """Return the next 32 random bits of a stream (sfc32, Chris Doty-Humphrey)."""
    a, b, c, counter = int(stream[0]), int(stream[1]), int(stream[2]), int(stream[3])
    word = (a + b + counter) & WORD
    stream[3] = (counter + 1) & WORD
    stream[0] = b ^ (b >> 9)
    stream[1] = (c + (c << 3)) & WORD
    stream[2] = (((c << 21) | (c >> 11)) + word) & WORD
    return word


@kernel
def below(bound: int, stream: Array) -> int:
    """Return a number below `bound` from a stream. Its bias is below bound / 2^32, which a bot does not notice."""
    return (next_word(stream) * bound) >> 32
