"""A short run of the fuzzer over every kind of input, and every input that it ever found."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent / "fuzz"))

from fuzzing import FOUND, TARGETS, Input, Target, close_server, problem, read_kept, search

from lamplighter.errors import BadNotation, LamplighterError
from lamplighter.jit import BOUNDS_CHECKED, PURE

COUNTS = {"move": 600, "roll": 600, "variant": 300, "http": 300}  # the others are replayed by the rules: 100


@pytest.fixture(scope="module", autouse=True)
def no_server_is_left() -> Iterator[None]:
    yield
    close_server()


@pytest.mark.parametrize("kind", TARGETS)
def test_changed_input_is_read_or_refused(kind: str) -> None:
    target = TARGETS[kind]
    assert [(given.text[:200], wrong) for given in target.corpus()[:40] if (wrong := problem(target, given))] == []
    count = COUNTS.get(kind, 100) // (10 if PURE or BOUNDS_CHECKED else 1)
    assert [(given.text[:500], wrong) for given, wrong in search(target, seed=1, count=count)] == []


@pytest.mark.parametrize("path", sorted(FOUND.glob("*.txt")), ids=lambda path: path.stem)
def test_what_was_found_stays_mended(path: Path) -> None:
    assert problem(*read_kept(path)) is None


def crash_on(word: str) -> Target:
    """A target that has a mistake, which only changed input meets."""

    def run(given: Input) -> None:
        if word in given.body:
            raise KeyError(word)
        raise BadNotation("refused")

    return Target("record", lambda: [Input("", "one two three"), Input("", "four 5 six")], run)


def test_a_crash_is_found() -> None:
    [(given, wrong)] = search(crash_on("²"), seed=1, count=500)
    assert "²" in given.body and wrong.startswith("KeyError")
    assert list(search(crash_on("no such word"), seed=1, count=500)) == []


def test_the_time_is_for_changed_input(monkeypatch: pytest.MonkeyPatch) -> None:
    """A kind that has to start something first, such as a server, is tried as long as the others."""
    now, tried = [0.0], list[str]()
    monkeypatch.setattr("fuzzing.time.monotonic", lambda: now[0])

    def run(given: Input) -> None:
        now[0] += 1.0 if tried else 100.0
        tried.append(given.body)

    assert list(search(Target("http", lambda: [Input("", "one two")], run), seed=1, seconds=20.0)) == []
    assert len(tried) == 1 + 20


def test_an_endless_loop_is_found() -> None:
    def run(given: Input) -> None:
        while True:
            pass

    before = signal.getsignal(signal.SIGPROF)
    assert "TooSlow" in (problem(Target("move", list, run), Input("", "x"), limit=0.2) or "")
    assert signal.getsignal(signal.SIGPROF) is before


def test_a_refusal_needs_words() -> None:
    def run(given: Input) -> None:
        raise LamplighterError("")

    assert problem(Target("move", list, run), Input("", "x")) == "a refusal without a word"
