"""A variant: a game with every choice made. Its text form, such as `game?seats=4&option=value`, reloads."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote

from lamplighter.engine.box import BoxFile
from lamplighter.engine.game import Game, Value, format_value
from lamplighter.errors import BadBox, BadVariant, suggest

if TYPE_CHECKING:
    from lamplighter.engine.match import Match
    from lamplighter.engine.position import Position

Box = Any  # a record of components.BOX: what never changes during a match
State = Any  # a record of state.STATE: what does


class Variant:
    """A game with its options chosen and its box built: everything a match needs that does not change.

    >>> from lamplighter import load
    >>> load("connect_four").text
    'connect_four?seats=2'
    """

    def __init__(
        self, game: Game, options: Mapping[str, Value] | None = None, box: BoxFile | None = None, box_name: str = ""
    ) -> None:
        chosen = {name: game.option(name).parse(format_value(value)) for name, value in (options or {}).items()}
        self.game = game
        self.options: dict[str, Value] = {option.name: option.default for option in game.options} | chosen
        self.own_box = box is not None
        self.box_name = box_name or (box.name if box else "")
        self.file = box or BoxFile(game.box_text, f"{game.id}/box.toml")
        self._boxes = game.components.build(self.file, self.options)
        self.box: Box = self._boxes[0]
        self.score_lines: tuple[str, ...] = game.components.score_lines(self.file)

    @property
    def seats(self) -> int:
        return int(self.options["seats"])

    @property
    def text(self) -> str:
        """The text that loads this variant again: seats and whatever differs from the default."""
        pairs = [("seats", format_value(self.seats))]
        for option in self.game.options[1:]:
            if self.options[option.name] != option.default:
                pairs.append((option.name, format_value(self.options[option.name])))
        if self.own_box:
            pairs.append(("box", quote(self.box_name, safe="/.-_")))
        return f"{self.game.id}?" + "&".join(f"{name}={value}" for name, value in pairs)

    @functools.cached_property
    def action_count(self) -> int:
        return int(self.game.rules.action_count(self.box))

    def start(self) -> Position:
        """The position before the first die or card."""
        from lamplighter.engine.position import Position

        return Position(self)

    def match(self, seed: str | int | None = "", players: tuple[str, ...] | list[str] = ()) -> Match:
        """A new match. `seed=""` rolls unguessable dice, a seed repeats them, None waits for dice to be typed in."""
        from lamplighter.engine.match import Match

        return Match(self, seed=seed, players=players)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Variant)
            and self.game.id == other.game.id
            and self.options == other.options
            and self._boxes.tobytes() == other._boxes.tobytes()
            and self.file.data == other.file.data
        )

    def __hash__(self) -> int:
        return hash((self.game.id, tuple(self.options.items())))

    def __repr__(self) -> str:
        return f"<{self.text}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (self.game.id, self.options, self.file.text if self.own_box else None, self.box_name)


def _rebuild(game_id: str, options: dict[str, Value], box_text: str | None, box_name: str) -> Variant:
    from lamplighter.engine import shelf

    box = BoxFile(box_text, box_name) if box_text is not None else None
    return Variant(shelf.load(game_id), options, box, box_name)


def split_variant(text: str) -> tuple[str, dict[str, str]]:
    """The game's name and the options of a variant text, unread."""
    name, _, query = text.strip().partition("?")
    pairs: dict[str, str] = {}
    for part in filter(None, query.split("&")):
        key, equals, value = part.partition("=")
        if not equals:
            raise BadVariant(f"cannot read {part!r} in {text!r}: write option=value, joined with &")
        if key in pairs:
            raise BadVariant(f"option {key!r} stands twice in {text!r}")
        pairs[key] = unquote(value)
    return name, pairs


def parse_variant(game: Game, pairs: Mapping[str, str], box: BoxFile | None = None) -> Variant:
    """A variant from option texts. `box=FILE` names a component file, unless `box` brings it."""
    known = [*(option.name for option in game.options), "box"]
    for key in pairs:
        if key not in known:
            raise BadVariant(f"{game.id} has no option {key!r}: {suggest(key, known)}")
    options = {key: value for key, value in pairs.items() if key != "box"}
    name = pairs.get("box", "")
    if name and box is None:
        box = read_box(name)
    return Variant(game, options, box, name)


def read_box(name: str) -> BoxFile:
    """A component file from disk."""
    try:
        return BoxFile(Path(name).read_text(encoding="utf-8"), name)
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not a text file"
        raise BadBox(f"cannot be read: {reason}", 0, name) from None
