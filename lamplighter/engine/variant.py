"""A variant: a game with every choice made. Its text form, such as `game?seats=4&option=value`, reloads."""

from __future__ import annotations

import functools
from collections.abc import Collection, Mapping
from numbers import Integral
from pathlib import PurePath
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote

from lamplighter.engine.component_file import ComponentFile
from lamplighter.engine.game import Game, Value, format_value
from lamplighter.engine.reading import BOX_LIMIT, VARIANT_LIMIT, need_short, read_file
from lamplighter.errors import BadBox, BadVariant, LamplighterError, shown, suggest

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
        self,
        game: Game,
        options: Mapping[str, Value] | None = None,
        box: ComponentFile | None = None,
        box_name: str = "",
    ) -> None:
        chosen = {name: game.option(name).parse(format_value(value)) for name, value in (options or {}).items()}
        self.game = game
        self.options: dict[str, Value] = {option.name: option.default for option in game.options} | chosen
        self.own_box = box is not None
        self.box_name = box_name or (box.name if box else "")
        self.file = box or ComponentFile(game.box_text, f"{game.id}/box.toml")
        if self.file.game not in ("", game.id):
            self.file.fail(f"this is a component file for {shown(self.file.game)}, not for {game.id!r}", "game")
        self.boxes = game.components.build(self.file, self.options)  # an array of one record, as kernels take it
        self.box: Box = self.boxes[0]
        self.score_lines: tuple[str, ...] = game.components.score_lines(self.file)
        self.kept: dict[str, Any] = {}  # what a game's texts and pictures work out once for a variant
        self._hash = hash((game.id, tuple(self.options.items())))

    @property
    def seats(self) -> int:
        return int(self.options["seats"])

    @property
    def text(self) -> str:
        """The text that loads this variant again: seats and whatever differs from the default."""
        return self._format(())

    @property
    def short_text(self) -> str:
        """The text without options that change nothing beside the others: for new matches. Records keep theirs."""
        return self._format([option.name for option in self.game.idle_options(self.options)])

    def _format(self, without: Collection[str]) -> str:
        pairs = [("seats", format_value(self.seats))]
        for option in self.game.options[1:]:
            if self.options[option.name] != option.default and option.name not in without:
                pairs.append((option.name, format_value(self.options[option.name])))
        if self.own_box:
            pairs.append(("box", quote(self.box_name, safe="/.-_")))
        return f"{self.game.id}?" + "&".join(f"{name}={value}" for name, value in pairs)

    @property
    def box_title(self) -> str:
        """What people call the component file: its title, or the name of the file; empty for the game's own."""
        return (self.file.title or PurePath(self.box_name).stem) if self.own_box else ""

    def oddities(self) -> list[tuple[int, str]]:
        """Return what is odd in the component file though it can be played: lines (0: nowhere in particular) and sentences."""
        find = getattr(self.game.components, "oddities", None)
        found = [(self.file.line_of(*path), sentence) for sentence, path in find(self.file)] if find else []
        return sorted(found, key=lambda one: one[0])

    @functools.cached_property
    def action_count(self) -> int:
        return int(self.game.rows.action_count(self.boxes))

    @functools.cached_property
    def max_legal(self) -> int:
        """The most legal actions that a seat can have at once."""
        return self.game.state.MAX_LEGAL or self.action_count

    def start(self) -> Position:
        """The position before the first die or card."""
        from lamplighter.engine.position import Position

        return Position(self)

    def match(
        self, seed: str | int | None = None, players: tuple[str, ...] | list[str] = (), typed: bool = False
    ) -> Match:
        """Begin a match. Without a seed it rolls dice that nobody can guess, a seed repeats its dice, `typed` waits for yours."""
        from lamplighter.engine.match import Match

        if isinstance(seed, bool) or not isinstance(seed, str | Integral | None):
            raise LamplighterError(
                f"a seed is a text or a whole number, not {shown(seed)}; leave it out for fresh dice"
            )
        if isinstance(players, str):
            raise LamplighterError(f"players are a list of names, not {shown(players)}")
        if typed and seed is not None:
            raise LamplighterError("a match with typed dice has no seed: leave out seed or typed")
        fresh = "" if seed is None else str(seed)
        return Match(self, None if typed else fresh, players)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Variant)
            and self.game.id == other.game.id
            and self.options == other.options
            and (self.file.text == other.file.text or self.file.data == other.file.data)
            and self._box_bytes == other._box_bytes
        )

    @functools.cached_property
    def _box_bytes(self) -> bytes:
        """For comparing, which caches of what a variant's texts are made from do often."""
        return bytes(self.boxes.tobytes())

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return f"<{self.text}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (self.game.id, self.options, self.file.text if self.own_box else None, self.box_name)


def _rebuild(game_id: str, options: dict[str, Value], box_text: str | None, box_name: str) -> Variant:
    from lamplighter.engine import registry

    box = ComponentFile(box_text, box_name) if box_text is not None else None
    return Variant(registry.load(game_id), options, box, box_name)


def split_variant(text: str) -> tuple[str, dict[str, str]]:
    """Return the game's name and the options of a variant text, not looked at yet."""
    name, _, query = need_short(text, VARIANT_LIMIT, "a variant", BadVariant).strip().partition("?")
    pairs: dict[str, str] = {}
    for part in filter(None, query.split("&")):
        key, equals, value = part.partition("=")
        if not equals:
            raise BadVariant(f"cannot read {shown(part)} in {shown(text)}: write option=value, joined with &")
        if key in pairs:
            raise BadVariant(f"option {shown(key)} is given twice in {shown(text)}")
        pairs[key] = unquote(value)
    return name, pairs


def parse_variant(game: Game, pairs: Mapping[str, str], box: ComponentFile | None = None) -> Variant:
    """Return a variant from option texts. `box=FILE` names a component file, unless `box` brings it."""
    known = [*(option.name for option in game.options), "box"]
    for key in pairs:
        if key not in known:
            raise BadVariant(f"{game.id} has no option {shown(key)}: {suggest(key, known)}")
    options = {key: value for key, value in pairs.items() if key != "box"}
    name = pairs.get("box", "")
    if name and box is None:
        box = read_box(name)
    return Variant(game, options, box, name)


def read_box(name: str) -> ComponentFile:
    """Read a component file from disk."""
    try:
        return ComponentFile(read_file(name, BOX_LIMIT), name)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not a text file"
        raise BadBox(f"cannot be read: {reason}", 0, name) from None
