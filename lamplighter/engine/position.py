"""`Position`: the friendly face of a state. Moves are text, refusals are sentences, scores have names."""

from __future__ import annotations

import base64
import zlib
from typing import TYPE_CHECKING, Any

import numpy as np

from lamplighter.errors import BadChance, BadNotation, IllegalMove, LamplighterError, NotYourTurn

if TYPE_CHECKING:
    from lamplighter.engine.drawing import Drawing
    from lamplighter.engine.variant import State, Variant


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
            variant.game.rules.setup(variant.box, self._states[0])
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
        step = getattr(self._rules, "step", None)
        return int(step(self.variant.box, self.state)) if step is not None else 0

    @property
    def waiting(self) -> tuple[int, ...]:
        """The seats that must act now; none when chance is due or the match is over."""
        mask = int(self._rules.waiting(self.variant.box, self.state))
        return tuple(seat for seat in range(self.variant.seats) if mask >> seat & 1)

    @property
    def is_over(self) -> bool:
        return bool(self._rules.is_over(self.variant.box, self.state))

    def score(self, seat: int) -> dict[str, int]:
        """Every scoring line of a seat, as if the match ended now. They sum to `total`."""
        lines = np.zeros(len(self.variant.score_lines), np.int64)
        self._rules.score(self.variant.box, self.state, self._seat(seat), lines)
        return dict(zip(self.variant.score_lines, lines.tolist(), strict=True))

    def total(self, seat: int) -> int:
        return sum(self.score(seat).values())

    @property
    def totals(self) -> list[int]:
        return [self.total(seat) for seat in range(self.variant.seats)]

    def facts(self, seat: int) -> dict[str, int]:
        """What else the game counts, by name."""
        names = self.variant.game.state.FACTS
        values = np.zeros(max(1, len(names)), np.int64)
        self._rules.facts(self.variant.box, self.state, self._seat(seat), values)
        return dict(zip(names, values.tolist(), strict=False))

    def winners(self) -> list[int]:
        """The seats that would win if the match ended now; several share the victory."""
        ranks = [self._rules.standing(self.variant.box, self.state, seat) for seat in range(self.variant.seats)]
        return [seat for seat, rank in enumerate(ranks) if rank == max(ranks)]

    # --- moves ------------------------------------------------------------------------------------------------

    def legal_actions(self, seat: int) -> list[int]:
        out = np.zeros(self.variant.game.state.MAX_LEGAL, np.int64)
        n = self._rules.legal_actions(self.variant.box, self.state, self._seat(seat), out)
        return [int(action) for action in out[:n]]

    def legal_moves(self, seat: int | None = None) -> list[str]:
        """What a seat may do now, as text."""
        seat = self._acting_seat(seat)
        return [self.format_move(seat, action) for action in self.legal_actions(seat)]

    def why(self, move: str, seat: int | None = None) -> IllegalMove | None:
        """Why a move is refused, with the rule; None if it is legal."""
        seat = self._acting_seat(seat)
        return self.refusal(seat, self.parse_move(seat, move))

    def refusal(self, seat: int, action: int) -> IllegalMove | None:
        """Why an action is refused; None if it is legal."""
        states = self.variant.game.state
        reason = states.Reason(self._rules.check(self.variant.box, self.state, self._seat(seat), action))
        if reason == states.Reason.OK:
            return None
        rule, sentence = states.REFUSALS[reason]
        kind = NotYourTurn if reason.name == "NOT_WAITING" else IllegalMove
        return kind(self.format_move(seat, action), rule, reason.name, sentence, self.text)

    def play(self, move: str, seat: int | None = None) -> int:
        """Play a move for a seat (or for the only seat that waits); the action it is. An illegal one is refused."""
        seat = self._acting_seat(seat)
        action = self.parse_move(seat, move)
        self.act(seat, action)
        return action

    def act(self, seat: int, action: int) -> None:
        """Play an action by its number."""
        refusal = self.refusal(seat, action)
        if refusal is not None:
            raise refusal
        self._rules.apply(self.variant.box, self.state, seat, action)

    # --- chance -----------------------------------------------------------------------------------------------

    def chances(self) -> tuple[list[int], list[int]]:
        """The next die's or card's outcomes and their integer weights, as numbers; empty when none is due."""
        room = self.variant.game.state.MAX_OUTCOMES
        out, weights = np.zeros(room, np.int64), np.zeros(room, np.int64)
        n = 0 if self.waiting else self._rules.outcomes(self.variant.box, self.state, out, weights)
        return out[:n].tolist(), weights[:n].tolist()

    def outcomes(self) -> dict[str, int]:
        """The next die's or card's outcomes as text, with their integer weights."""
        return {self.format_outcome(outcome): weight for outcome, weight in zip(*self.chances(), strict=True)}

    @property
    def chance_seat(self) -> int | None:
        """Whom the next outcome is dealt to; None if it is for everybody."""
        seat = int(self._rules.chance_seat(self.variant.box, self.state))
        return None if seat < 0 else seat

    def reveal(self, text: str) -> int:
        """Let the next die or card be this; the outcome it is."""
        outcome = self.parse_outcome(text)
        self.happen(outcome)
        return outcome

    def happen(self, outcome: int) -> None:
        """Let the next outcome be this number."""
        outcomes, _ = self.chances()
        if outcome not in outcomes:
            raise BadChance(f"{self._next_chance()}, not number {outcome}")
        self._rules.apply_chance(self.variant.box, self.state, outcome)

    # --- text -------------------------------------------------------------------------------------------------

    def format_move(self, seat: int, action: int) -> str:
        return str(self.variant.game.notation.format_move(self.variant, self.state, seat, action))

    def parse_move(self, seat: int, text: str) -> int:
        """The action that a move text names, legal or not."""
        clean = " ".join(text.lower().split())
        try:
            return int(self.variant.game.notation.parse_move(self.variant, self.state, seat, clean))
        except BadNotation as error:
            raise BadNotation(f"cannot read the move {text!r}: {error}") from None

    def format_outcome(self, outcome: int) -> str:
        return str(self.variant.game.notation.format_outcome(self.variant, self.state, outcome))

    def parse_outcome(self, text: str) -> int:
        """The outcome that a text names, among those that can come now."""
        clean = " ".join(text.lower().split())
        for outcome in self.chances()[0]:
            if self.format_outcome(outcome).lower() == clean:
                return outcome
        raise BadChance(f"{self._next_chance()}, not {text!r}")

    def _next_chance(self) -> str:
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
        """The position as a short word for links. It holds everything but the variant, which stands beside it."""
        packer = zlib.compressobj(9, wbits=-15, zdict=self._starting_text())
        body = packer.compress(self.text.partition(";")[2].encode()) + packer.flush()
        check = zlib.crc32(self.text.encode()).to_bytes(4, "big")[:3]
        return base64.urlsafe_b64encode(check + body).decode().rstrip("=")

    def _starting_text(self) -> bytes:
        return self.variant.start().text.partition(";")[2].encode()

    def draw(self, seat: int) -> Drawing:
        """A seat's sheet as lines of text in colours."""
        from lamplighter.engine.drawing import Drawing

        return Drawing(self.variant.game.sheet.draw_text(self.variant, self.state, self._seat(seat)))

    def svg(
        self,
        seat: int,
        targets: bool = False,
        why: str = "",
        theme: str | None = "light",
        large: bool = False,
        prefix: str = "",
        panel: bool = False,
    ) -> str:
        """A seat's sheet as a picture; with its legal targets, or with the cells behind a scoring line lit.

        `panel` puts the score beside it, line by line.
        """
        from lamplighter import svg
        from lamplighter.panel import beside, draw_panel, say_points

        seen, picture = self.seen_by(self._seat(seat)), self.variant.game.picture
        drawn = picture.draw(self.variant, seen.state, seat)
        listed = picture.targets(self.variant, seen.state, seat) if targets and seat in self.waiting else []
        cells = picture.score_cells(self.variant, seen.state, seat).get(why, []) if why else []
        if panel:
            drawn = beside(drawn, draw_panel(self.score(seat), why, large))
        title = f"{self.variant.game.title}, turn {self.turn}, {say_points(self.total(seat))}"
        return svg.frame(drawn, title, str(seen.draw(seat)), listed, cells, theme, large, prefix)

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
        return Position(self.variant, self.state)

    def seen_by(self, seat: int | None) -> Position:
        """A copy without what this seat (None: a spectator) may not see."""
        copy = self.copy()
        hide = getattr(self._rules, "hide", None)
        if hide is not None:
            hide(self.variant.box, copy.state, -1 if seat is None else seat)
        return copy

    @property
    def key(self) -> bytes:
        """Equal for equal positions of a variant."""
        return self._states.tobytes()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self.key == other.key and self.variant == other.variant

    __hash__ = None  # type: ignore[assignment]

    # --- helpers ----------------------------------------------------------------------------------------------

    @property
    def _rules(self) -> Any:
        return self.variant.game.rules

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
    """The position that a line of text describes, without the variant in front (see `lamplighter.position`)."""
    try:
        return Position(variant, variant.game.notation.parse_position(variant, text))
    except BadNotation as error:
        raise BadNotation(f"cannot read the position {text!r}: {error}") from None


def parse_id(variant: Variant, word: str) -> Position:
    """The position of an `id`, for the same variant."""
    try:
        data = base64.urlsafe_b64decode(word + "=" * (-len(word) % 4))
        packer = zlib.decompressobj(wbits=-15, zdict=variant.start()._starting_text())
        position = parse_position(variant, packer.decompress(data[3:]).decode())
    except (ValueError, zlib.error):
        raise BadNotation(f"{word!r} is not the id of a position") from None
    if zlib.crc32(position.text.encode()).to_bytes(4, "big")[:3] != data[:3]:
        raise BadNotation(f"{word!r} is the id of a position of another variant, or damaged")
    return position
