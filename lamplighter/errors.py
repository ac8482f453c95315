"""Everything Lamplighter raises on purpose.

* LamplighterError                 something a person can mend; `code` is stable and goes over the wire
  * UnknownGame      game/unknown     no game of that name (with the nearest ones)
  * BadGame          game/bad         a game's folder lacks something, or its rules never end
  * BadVariant       variant/bad      an option or a value that the game does not have
  * BadBox           box/bad          a component file that is wrong (with its line)
  * BadNotation      text/bad         a move, an outcome or a position that cannot be read
  * IllegalMove      move/illegal     read, and refused by a rule
    * NotYourTurn    move/not-waiting the seat has nothing to do now
  * NoTakeBack       move/no-take-back nothing of this seat can be taken back now
  * BadChance        chance/bad       an outcome that cannot come now
  * BadRecord        record/bad       a match file that is damaged, edited or not ours
    * MissingRecord  record/bad       there is no such file; also a FileNotFoundError
  * CannotStart      error            a port, a file or a database is not as a server needs it

Messages are lower case and name the input, the rule and the way out.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Any


class LamplighterError(Exception):
    """Something a person can mend."""

    code = "error"

    def __reduce__(self) -> tuple[Any, ...]:
        """Let it travel between processes, whatever the arguments of its kind are."""
        return _revive, (type(self), self.args, self.__dict__)


def _revive(kind: type[LamplighterError], args: tuple[Any, ...], fields: dict[str, Any]) -> LamplighterError:
    error = kind.__new__(kind, *args)
    error.args = args
    error.__dict__.update(fields)
    return error


class UnknownGame(LamplighterError):
    code = "game/unknown"


class BadGame(LamplighterError):
    code = "game/bad"


class BadVariant(LamplighterError):
    code = "variant/bad"


class BadBox(LamplighterError):
    """A component file is wrong: `line` says where (0 when nowhere in particular)."""

    code = "box/bad"

    def __init__(self, reason: str, line: int = 0, name: str = "component file") -> None:
        self.reason, self.line, self.name = reason, line, name
        super().__init__(f"{name}, line {line}: {reason}" if line else f"{name}: {reason}")


class BadNotation(LamplighterError):
    code = "text/bad"


class IllegalMove(LamplighterError):
    """A move that was understood and refused.

    `rule` is the paragraph, `reason` the name of the refusal, `sentence` what a player is told, and `told` the same in the
    language of that player.
    """

    code = "move/illegal"

    def __init__(self, move: str, rule: str, reason: str, sentence: str, position: str) -> None:
        self.move, self.rule, self.reason, self.sentence = move, rule, reason, sentence
        self.told = sentence
        super().__init__(f"illegal move {move!r}: {rule} {sentence}, in {position}")


class NotYourTurn(IllegalMove):
    code = "move/not-waiting"


class NoTakeBack(LamplighterError):
    code = "move/no-take-back"


class BadChance(LamplighterError):
    code = "chance/bad"


class BadRecord(LamplighterError):
    """A match file is refused: `entry` is the number of the log entry, from 1 (0: the header)."""

    code = "record/bad"

    def __init__(self, message: str, entry: int = 0) -> None:
        self.entry = entry
        super().__init__(message)


class MissingRecord(BadRecord, FileNotFoundError):
    """There is no match file of that name."""

    def __str__(self) -> str:
        return str(self.args[0])


class CannotStart(LamplighterError):
    """A port, a file or a database is not as a server needs it."""


LONGEST_SHOWN = 100  # characters of a text that a message quotes


def shown(value: object) -> str:
    """Return a value as a message quotes it, cut off if it is long.

    >>> shown("c3"), len(shown("c" * 1000))
    ("'c3'", 101)
    """
    text = repr(value[: LONGEST_SHOWN + 1] if isinstance(value, str | list) else value)
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"


def suggest(word: str, known: Iterable[str]) -> str:
    """Return the end of a message about an unknown word: the nearest known ones, or all of them.

    >>> suggest("conect", ["connect", "wrap"])
    "did you mean 'connect'?"
    """
    names = list(known)
    near = difflib.get_close_matches(word[:LONGEST_SHOWN].lower(), names, n=3, cutoff=0.5)
    if near:
        return "did you mean " + " or ".join(repr(name) for name in near) + "?"
    return "there are: " + ", ".join(names) if names else "there are none"
