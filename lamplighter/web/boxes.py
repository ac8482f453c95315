"""The component files that a server offers: those of one folder, read when it starts.

People choose among them by name, and nobody else's words are ever a path: a name is looked up among what was read.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from lamplighter.engine.box_check import check_box, game_of
from lamplighter.engine.variant import read_box, split_variant
from lamplighter.errors import BadBox, BadVariant, LamplighterError, shown, suggest

NAME_LIMIT = 120  # bytes of a file's name as variants write it, which fit into a request


@dataclass(frozen=True, slots=True)
class OfferedBox:
    """A component file that can be chosen for a new table."""

    name: str  # of its file
    title: str
    text: str


class Boxes:
    """The component files of a folder by game and name, and why others there are left out."""

    def __init__(self, folder: str = "") -> None:
        self._offered: dict[str, dict[str, OfferedBox]] = {}
        self.problems: list[str] = []  # a line each
        try:
            files = sorted(path for path in Path(folder).glob("*.toml") if path.is_file()) if folder else []
        except OSError as error:
            self.problems.append(f"{folder}: cannot be read: {error.strerror}")
            files = []
        for path in files:
            try:
                self._read(path)
            except LamplighterError as error:
                self.problems.append(" ".join(str(error).split()))
            except Exception as error:  # a game from outside may not have expected it, and a server starts all the same
                self.problems.append(f"{path}: cannot be used: {type(error).__name__}")

    def _read(self, path: Path) -> None:
        if len(quote(path.name)) > NAME_LIMIT or not path.name.isprintable():
            raise BadBox(f"its name is too long, or cannot be shown: at most {NAME_LIMIT} plain letters", 0, str(path))
        file = read_box(str(path))
        game = game_of(file)
        check_box(game, file)
        box = OfferedBox(path.name, file.title or path.stem, file.text)
        self._offered.setdefault(game.id, {})[box.name] = box

    def __len__(self) -> int:
        return sum(map(len, self._offered.values()))

    def of(self, game: str) -> list[OfferedBox]:
        """Return the boxes of a game; where two have one title, their names tell them apart."""
        listed = sorted(self._offered.get(game, {}).values(), key=lambda box: (box.title.casefold(), box.name))
        titles = [box.title for box in listed]
        return [
            OfferedBox(box.name, f"{box.title} ({box.name})" if titles.count(box.title) > 1 else box.title, box.text)
            for box in listed
        ]

    def text(self, variant_text: str) -> str | None:
        """Return the text of the box that a variant names; None if it names none. One that is not offered is refused."""
        game, pairs = split_variant(variant_text)
        name = pairs.get("box")
        return self.find(game, name).text if name else None

    def find(self, game: str, name: str) -> OfferedBox:
        """Return a box of a game by the name of its file. One that is not offered is refused."""
        offered = self._offered.get(game, {})
        if not offered:
            raise BadVariant("option 'box' cannot be used here: this server offers no boxes for this game")
        if name not in offered:
            raise BadVariant(f"this server has no box {shown(name)}: {suggest(name, offered)}")
        return offered[name]
