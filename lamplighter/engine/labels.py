"""Moves and outcomes as a sheet labels them: what is shown can be typed, and so can the notation."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Sequence

from lamplighter.engine.phrase import Phrase
from lamplighter.engine.position import Position
from lamplighter.engine.variant import Variant
from lamplighter.errors import BadChance, BadNotation


def _spaced(text: str) -> str:
    return " ".join(text.lower().split())


class Labels:
    """The labels of a variant's dice, cards and tiles, in both directions."""

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        listed = variant.game.texts.labels(variant)
        self._shown = {word: labels[0] for word, labels in listed.items()}
        self._words = {_spaced(label): word for word, labels in listed.items() for label in labels}
        longest = sorted(self._words, key=len, reverse=True)
        self._pattern = re.compile("|".join(rf"(?<![\w-]){re.escape(label)}(?![\w-])" for label in longest) or "(?!)")

    # --- moves

    def show(self, move: str) -> str:
        """Return a move with the labels of the sheet in it."""
        return " ".join(self._show_word(word) for word in move.split(" "))

    def _show_word(self, word: str) -> str:
        return self._shown.get(word) or "+".join(self._shown.get(part, part) for part in word.split("+"))

    def readings(self, typed: str) -> Iterable[str]:
        """Yield what somebody may have meant, in notation.

        A label may look like something else (a face A1, a square a1): at first only the first one is taken for a label.
        """
        clean = _spaced(typed)
        put = functools.partial(self._pattern.sub, lambda found: self._words[found[0]])
        return dict.fromkeys((clean, put(clean, count=1), put(clean)))

    def read(self, position: Position, seat: int, typed: str) -> str:
        """Return the move that somebody typed, legal or not, in notation. Raise `BadNotation` if there is none."""
        for reading in self.readings(typed):
            try:
                return position.format_move(seat, position.parse_move(seat, reading))
            except BadNotation:
                continue
        position.parse_move(seat, typed)  # says what is wrong with it, in the words that were typed
        raise AssertionError(typed)

    def find(self, typed: str, legal: Sequence[str]) -> list[str]:
        """Return the legal moves that begin like this, as notation or as the sheet labels them; an exact one alone."""
        readings = list(self.readings(typed))
        known = {move: (_spaced(move), _spaced(self.show(move))) for move in legal}
        if exact := [move for move, texts in known.items() if any(reading in texts for reading in readings)]:
            return exact
        return [m for m, texts in known.items() if any(text.startswith(r) for text in texts for r in readings)]

    # --- outcomes

    def say(self, outcome: str, players: Sequence[str]) -> str:
        """Return an outcome as its label and in words: `A1 straight rail`."""
        label, said = self.show(outcome), self.variant.game.texts.say(self.variant, outcome)
        if isinstance(said, Phrase):
            return said.with_names(players)
        return said if _spaced(said).startswith(_spaced(label)) else f"{label} {said}"

    def read_outcomes(self, position: Position, line: str, players: Sequence[str]) -> list[str]:
        """Return the outcomes that a line names by notation, label or words; several with commas or spaces between them."""
        trial, rest, found = position.copy(), _spaced(line), []
        while rest:
            names: dict[str, str] = {}
            for text in trial.outcomes():
                for name in (text, self.show(text), self.variant.game.texts.say(self.variant, text)):
                    names.setdefault(_spaced(name), text)
                names.setdefault(_spaced(self.say(text, players)), text)
            fitting = [name for name in names if f"{rest} ".startswith((f"{name} ", f"{name},"))]
            if not fitting:
                can = ", ".join(self.say(text, players) for text in trial.outcomes())
                raise BadChance(f"the next outcome can be {can}, not {rest!r}" if can else trial.next_chance)
            name = max(fitting, key=len)
            found += trial.roll(names[name])
            rest = rest[len(name) :].lstrip(" ,")
        return found
