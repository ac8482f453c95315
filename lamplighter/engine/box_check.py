"""Checks a component file on its own, before anybody plays with it. Nothing here needs a kernel."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from lamplighter.engine import registry
from lamplighter.engine.component_file import ComponentFile
from lamplighter.engine.game import Game
from lamplighter.engine.variant import Variant, parse_variant
from lamplighter.errors import BadBox, UnknownGame


@dataclass(frozen=True)
class BoxCheck:
    """A component file that can be played: with `variant`, and with all numbers of seats but those in `refused`."""

    variant: Variant
    refused: Mapping[int, BadBox]

    def remarks(self) -> list[tuple[int, str]]:
        """Return what is worth knowing of the file, each with its line (0: nowhere in particular)."""
        found = self.variant.oddities()
        reasons: dict[tuple[int, str], list[str]] = {}
        for seats, error in self.refused.items():
            reasons.setdefault((error.line, error.reason), []).append(str(seats))
        for (line, reason), seats_refused in reasons.items():
            found.append((line, f"not for {' or '.join(seats_refused)} players: {reason}"))
        return sorted(found, key=lambda one: one[0])


def game_of(file: ComponentFile) -> Game:
    """Return the game that a component file is for, as it says at its top."""
    if not file.game:
        raise BadBox('it does not say its game: write game = "ID" into its first line', 0, file.name)
    try:
        return registry.load(file.game)
    except UnknownGame as error:
        raise BadBox(str(error), file.line_of("game"), file.name) from None


def check_box(game: Game, file: ComponentFile, options: Mapping[str, str] | None = None) -> BoxCheck:
    """Build a game with a component file, for every number of seats unless `options` say one. One at least must be possible."""
    chosen = dict(options or {})
    wanted = [chosen.pop("seats")] if "seats" in chosen else [str(seats) for seats in game.options[0].values]
    built: list[Variant] = []
    refused: dict[int, BadBox] = {}
    for seats in wanted:
        try:
            built.append(parse_variant(game, {"seats": seats, **chosen}, file))
        except BadBox as error:
            refused[int(seats)] = error
    if not built:
        raise next(iter(refused.values()))
    return BoxCheck(built[0], dict(sorted(refused.items())))
