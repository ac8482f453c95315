"""`Position`: the friendly face of a state. Moves are text, refusals are sentences, scores have names."""

from __future__ import annotations

import base64
import zlib
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from lamplighter.engine.phrase import SOURCE, Phrase, messages_of, translate_sheet
from lamplighter.engine.reading import MOVE_LIMIT, POSITION_LIMIT, need_short
from lamplighter.errors import BadChance, BadNotation, IllegalMove, LamplighterError, NotYourTurn, shown

if TYPE_CHECKING:
    from collections.abc import Collection

    from lamplighter.engine.explanation import Explanation
    from lamplighter.engine.text_sheet import TextSheet
    from lamplighter.engine.variant import State, Variant

LARGEST = 1 << 62  # numbers that kernels take are smaller
NO_ACTION = -1  # stands for all others


class Position:
    """A moment of a match. It changes as moves are played; `copy` keeps a moment.

    >>> from lamplighter import load
    >>> position = load("connect_four").start()
    >>> position.legal_moves()
    ['a', 'b', 'c', 'd', 'e', 'f', 'g']
    """

    def __init__(self, variant: Variant, state: State | None = None) -> None:
        self.variant = variant
        self._states = np.zeros(1, variant.game.state.STATE)
        if state is None:
            self._rows.setup(variant.boxes, self._states, 0)
        else:
            self._states[0] = state

    @property
    def state(self) -> State:
        """The record itself, as kernels take it."""
        return self._states[0]

    # --- what is so -------------------------------------------------------------------------------------------

    @property
    def turn(self) -> int:
        """The number of the turn or round, from 1; 0 before the first."""
        return int(self.state["turn"])

    @property
    def step(self) -> int:
        """Changes when everything played so far has become final although no outcome was revealed."""
        return int(self._rows.step(self.variant.boxes, self._states, 0))

    @property
    def waiting(self) -> tuple[int, ...]:
        """The seats that must act now; none when chance is due or the match is over."""
        mask = int(self._rows.waiting(self.variant.boxes, self._states, 0))
        return tuple(seat for seat in range(self.variant.seats) if mask >> seat & 1)

    @property
    def is_over(self) -> bool:
        return bool(self._rows.is_over(self.variant.boxes, self._states, 0))

    def score(self, seat: int) -> dict[str, int]:
        """Return every scoring line of a seat, as if the match ended now. They sum to `total`."""
        lines = np.zeros(len(self.variant.score_lines), np.int64)
        self._rows.score(self.variant.boxes, self._states, 0, self._seat(seat), lines)
        return dict(zip(self.variant.score_lines, lines.tolist(), strict=True))

    def why_score(self, line: str, seat: int) -> Explanation:
        """Explain a scoring line of a seat: its points, the cells behind it, and a sentence."""
        from lamplighter.engine.explanation import explain_line

        seen = self.seen_by(self._seat(seat))
        return explain_line(self.variant, seen.state, seat, line, seen.score(seat).get(line, 0))

    def total(self, seat: int) -> int:
        return sum(self.score(seat).values())

    @property
    def totals(self) -> list[int]:
        return [self.total(seat) for seat in range(self.variant.seats)]

    def facts(self, seat: int) -> dict[str, int]:
        """Return what else the game counts, by name."""
        names = self.variant.game.state.FACTS
        values = np.zeros(max(1, len(names)), np.int64)
        self._rows.facts(self.variant.boxes, self._states, 0, self._seat(seat), values)
        return dict(zip(names, values.tolist(), strict=False))

    def results(self) -> Any:
        """Return a record a seat, as if the match ended now: total, standing, lines, facts (`batch.result_dtype`)."""
        from lamplighter.engine.batch import result_dtype

        results = np.zeros(self.variant.seats, result_dtype(self.variant).base)
        for seat in range(self.variant.seats):
            lines, facts = list(self.score(seat).values()), list(self.facts(seat).values())
            results[seat] = (sum(lines), self._standing(seat, sum(lines)), lines, facts)
        return results

    def winners(self) -> list[int]:
        """Return the seats that would win if the match ended now; several share the victory."""
        ranks = [self._standing(seat, sum(self.score(seat).values())) for seat in range(self.variant.seats)]
        return [seat for seat, rank in enumerate(ranks) if rank == max(ranks)]

    def _standing(self, seat: int, total: int) -> int:
        return int(self._rows.standing(self.variant.boxes, self._states, 0, seat, total))

    # --- moves ------------------------------------------------------------------------------------------------

    def legal_actions(self, seat: int) -> list[int]:
        out = np.zeros(self.variant.max_legal, np.int64)
        n = self._rows.legal_actions(self.variant.boxes, self._states, 0, self._seat(seat), out)
        return cast("list[int]", out[:n].tolist())

    def legal_moves(self, seat: int | None = None) -> list[str]:
        """Return what a seat may do now, as text."""
        seat = self._acting_seat(seat)
        variant, state, format_move = self.variant, self.state, self.variant.game.notation.format_move
        return [str(format_move(variant, state, seat, action)) for action in self.legal_actions(seat)]

    def why(self, move: str, seat: int | None = None) -> IllegalMove | None:
        """Return why a move is refused, with the rule; None if it is legal."""
        seat = self._acting_seat(seat)
        return self.refusal(seat, self.parse_move(seat, move))

    def refusal(self, seat: int, action: int) -> IllegalMove | None:
        """Return why an action is refused; None if it is legal. A number that is no action is refused, too."""
        states = self.variant.game.state
        asked = action if -LARGEST < action < LARGEST else NO_ACTION
        found = self._rows.check(self.variant.boxes, self._states, 0, self._seat(seat), asked)
        if found == 0:
            return None
        reason = states.Reason(found)
        rule, sentence = states.REFUSALS[reason]
        kind = NotYourTurn if reason.name == "NOT_WAITING" else IllegalMove
        return kind(self._name(seat, action), rule, reason.name, sentence, self.text)

    def _name(self, seat: int, action: int) -> str:
        """Return an action as a refusal names it: as text, or by its number where the notation has no text for that."""
        try:
            return self.format_move(seat, action)
        except (ArithmeticError, LookupError, ValueError):
            if 0 <= action < self.variant.action_count:
                raise
            return f"number {action}"

    def play(self, move: str, seat: int | None = None) -> int:
        """Play a move for a seat, or for the only seat that waits. Return its action. Refuse an illegal one."""
        seat = self._acting_seat(seat)
        action = self.parse_move(seat, move)
        self.act(seat, action)
        return action

    def act(self, seat: int, action: int) -> None:
        """Play an action by its number."""
        refusal = self.refusal(seat, action)
        if refusal is not None:
            raise refusal
        self.apply(seat, action)

    def apply(self, seat: int, action: int) -> None:
        """Play an action that is known to be legal."""
        self._rows.apply(self.variant.boxes, self._states, 0, seat, action)

    def instruct(self, seat: int) -> str:
        """Return one sentence that says what a seat that must act has to do now."""
        seen = self.seen_by(self._seat(seat))
        return cast("str", self.variant.game.texts.instruct(self.variant, seen.state, seat))

    # --- chance -----------------------------------------------------------------------------------------------

    def outcome_numbers(self) -> tuple[list[int], list[int]]:
        """Return the next die's or card's outcomes and their integer weights, as numbers; empty when none is due."""
        outcomes, weights = self.outcome_arrays()
        return outcomes.tolist(), weights.tolist()

    def outcome_arrays(self) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        """Return the same as `outcome_numbers`, as kernels take it."""
        room = self.variant.game.state.MAX_OUTCOMES
        outcomes, weights = np.zeros(room, np.int64), np.zeros(room, np.int64)
        boxes, states = self.variant.boxes, self._states
        n = 0 if self._rows.waiting(boxes, states, 0) else self._rows.outcomes(boxes, states, 0, outcomes, weights)
        return outcomes[:n], weights[:n]

    def outcomes(self) -> dict[str, int]:
        """Return the next die's or card's outcomes as text, with their integer weights."""
        return {self.format_outcome(outcome): weight for outcome, weight in zip(*self.outcome_numbers(), strict=True)}

    @property
    def chance_seat(self) -> int | None:
        """Whom the next outcome is dealt to; None if it is for everybody."""
        seat = int(self._rows.chance_seat(self.variant.boxes, self._states, 0))
        return None if seat < 0 else seat

    def roll(self, *texts: str) -> list[str]:
        """Let chance happen: apply each text as one outcome. Return their texts as a log writes them."""
        rolled: list[str] = []
        for text in texts:
            outcome = self.parse_outcome(text)
            rolled.append(self.format_outcome(outcome))
            self.apply_chance(outcome)
        return rolled

    def apply_outcome(self, outcome: int) -> None:
        """Apply the next outcome by its number."""
        self.need_outcome(outcome)
        self.apply_chance(outcome)

    def apply_chance(self, outcome: int) -> None:
        """Apply an outcome that is known to be one that can come."""
        self._rows.apply_chance(self.variant.boxes, self._states, 0, outcome)

    def need_outcome(self, outcome: int) -> None:
        """Refuse a number that is not one of the outcomes that can come now."""
        if outcome not in self.outcome_numbers()[0]:
            raise BadChance(f"{self.next_chance}, not number {outcome}")

    # --- text -------------------------------------------------------------------------------------------------

    def format_move(self, seat: int, action: int) -> str:
        return str(self.variant.game.notation.format_move(self.variant, self.state, seat, action))

    def parse_move(self, seat: int, text: str) -> int:
        """Return the action that a move text names, legal or not."""
        clean = " ".join(need_short(text, MOVE_LIMIT, "a move").lower().split())
        try:
            return int(self.variant.game.notation.parse_move(self.variant, self.state, seat, clean))
        except BadNotation as error:
            raise BadNotation(f"cannot read the move {shown(text)}: {error}") from None

    def format_outcome(self, outcome: int) -> str:
        return str(self.variant.game.notation.format_outcome(self.variant, self.state, outcome))

    def parse_outcome(self, text: str) -> int:
        """Return the outcome that a text names, among those that can come now."""
        clean = " ".join(need_short(text, MOVE_LIMIT, "an outcome", BadChance).lower().split())
        for outcome in self.outcome_numbers()[0]:
            if self.format_outcome(outcome).lower() == clean:
                return outcome
        raise BadChance(f"{self.next_chance}, not {shown(text)}")

    @property
    def next_chance(self) -> str:
        """What can come next, as part of a refusal."""
        known = list(self.outcomes())
        if not known:
            return "the match is over" if self.is_over else f"no outcome is due: seats {list(self.waiting)} must act"
        return "the next outcome can be " + ", ".join(known)

    @property
    def text(self) -> str:
        """The position as a line of text that `parse_position` reads."""
        return f"{self.variant.text};{self.variant.game.notation.format_position(self.variant, self.state)}"

    @property
    def id(self) -> str:
        """The position as a short word for links. It has everything but the variant, which the link names beside it."""
        packer = zlib.compressobj(9, wbits=-15, zdict=self._starting_text())
        body = packer.compress(self.text.partition(";")[2].encode()) + packer.flush()
        check = zlib.crc32(self.text.encode()).to_bytes(4, "big")[:3]
        return base64.urlsafe_b64encode(check + body).decode().rstrip("=")

    def _starting_text(self) -> bytes:
        return self.variant.start().text.partition(";")[2].encode()

    def draw(self, seat: int) -> TextSheet:
        """Return a seat's sheet as lines of text in colours."""
        from lamplighter.engine.text_sheet import TextSheet

        return TextSheet(self.variant.game.sheet.draw_text(self.variant, self.state, self._seat(seat)))

    def svg(
        self,
        seat: int,
        targets: bool | Collection[str] = False,
        why: str = "",
        theme: str | None = "light",
        large: bool = False,
        prefix: str = "",
        panel: bool = False,
        language: str = SOURCE,
    ) -> str:
        """Return a seat's sheet as a picture, with its legal targets, or with the cells behind a scoring line lit.

        `targets` may also be some moves, for their targets alone.
        `panel` puts the score beside it, line by line. `language` is one that the game speaks; English otherwise.
        """
        from lamplighter import svg
        from lamplighter.engine.explanation import score_cells
        from lamplighter.score_panel import beside, draw_panel, say_points

        seen, picture = self.seen_by(self._seat(seat)), self.variant.game.picture
        drawn = picture.draw(self.variant, seen.state, seat)
        listed = picture.targets(self.variant, seen.state, seat) if targets and seat in self.waiting else []
        if not isinstance(targets, bool):
            listed = [one for one in listed if not one.ways().keys().isdisjoint(targets)]
        cells = score_cells(self.variant, seen.state, seat).get(why, []) if why else []
        if panel:
            drawn = beside(drawn, draw_panel(self.score(seat), why, large))
        messages = messages_of(self.variant.game, language)
        title = Phrase(
            "{game}, turn {turn}, {points}",
            game=self.variant.game.title,
            turn=self.turn,
            points=say_points(self.total(seat)),
        )
        words = str(seen.draw(seat).translate_by(messages))
        framed = svg.frame(drawn, title.translate_by(messages), words, listed, cells, theme, large, prefix)
        return translate_sheet(framed, messages)

    def _repr_svg_(self) -> str | None:
        """The sheet of whoever is to act, for notebooks; None where a game has no picture."""
        return self.svg(self.waiting[0] if self.waiting else 0) if self.variant.game.has_picture else None

    def __str__(self) -> str:
        sheets = [str(self.draw(seat)) for seat in range(self.variant.seats)]
        return "\n\n".join(dict.fromkeys(sheets))  # a board that all share is drawn once

    def __repr__(self) -> str:
        return f"<position {self.text}>"

    # --- copies -----------------------------------------------------------------------------------------------

    def copy(self) -> Position:
        other = object.__new__(type(self))
        # copying the bytes is ten times quicker than letting NumPy copy a record field by field
        other.variant, other._states = self.variant, np.frombuffer(bytearray(self.key), self._states.dtype)
        return other

    def seen_by(self, seat: int | None) -> Position:
        """Return a copy without what this seat (None: a spectator) may not see."""
        copy = self.copy()
        self._rows.hide(self.variant.boxes, copy._states, 0, -1 if seat is None else seat)
        return copy

    def resample(self, seat: int, stream: Any) -> None:
        """Fill what a seat (-1: a spectator) may not see with a draw from what it may still believe.

        `stream` is of `chance.start_stream`.
        """
        self._rows.resample(self.variant.boxes, self._states, 0, seat, stream)

    @property
    def key(self) -> bytes:
        """Equal for equal positions of a variant."""
        return self._states.tobytes()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self.key == other.key and self.variant == other.variant

    __hash__ = None  # type: ignore[assignment]

    # --- helpers ----------------------------------------------------------------------------------------------

    @property
    def _rows(self) -> Any:
        return self.variant.game.rows

    def _seat(self, seat: int) -> int:
        if not 0 <= seat < self.variant.seats:
            raise LamplighterError(f"there is no seat {seat}: seats are 0 to {self.variant.seats - 1}")
        return seat

    def _acting_seat(self, seat: int | None) -> int:
        if seat is not None:
            return self._seat(seat)
        if len(self.waiting) == 1:
            return self.waiting[0]
        if self.waiting:
            raise LamplighterError(f"say which seat: {list(self.waiting)} all have to act")
        rest = "the match is over" if self.is_over else "chance comes first: roll"
        raise LamplighterError(f"nobody has to act: {rest}")


def parse_position(variant: Variant, text: str) -> Position:
    """Return the position that a line of text describes, without the variant in front (see `lamplighter.position`)."""
    need_short(text, POSITION_LIMIT, "a position")
    try:
        return Position(variant, variant.game.notation.parse_position(variant, text))
    except BadNotation as error:
        raise BadNotation(f"cannot read the position {shown(text)}: {error}") from None


def parse_id(variant: Variant, word: str) -> Position:
    """Return the position of an `id`, for the same variant."""
    need_short(word, POSITION_LIMIT, "an id")
    try:
        data = base64.urlsafe_b64decode(word + "=" * (-len(word) % 4))
        packer = zlib.decompressobj(wbits=-15, zdict=variant.start()._starting_text())
        text = packer.decompress(data[3:], POSITION_LIMIT).decode()
    except (ValueError, zlib.error):
        raise BadNotation(f"{shown(word)} is not the id of a position") from None
    if packer.unconsumed_tail:
        raise BadNotation(
            f"{shown(word)} is not the id of a position: it unpacks to more than {POSITION_LIMIT:,} bytes"
        )
    position = parse_position(variant, text)
    if zlib.crc32(position.text.encode()).to_bytes(4, "big")[:3] != data[:3]:
        raise BadNotation(f"{shown(word)} is the id of a position of another variant, or damaged")
    return position
