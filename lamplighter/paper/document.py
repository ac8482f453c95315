"""What goes on paper, as data for `document.typ`: the style of a print, its pictures, its sections."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from lamplighter import svg
from lamplighter.engine.variant import Variant
from lamplighter.errors import LamplighterError, suggest
from lamplighter.paper import typeset
from lamplighter.version import VERSION

Section = dict[str, Any]

# name → width and height of an upright page in mm, and Typst's name for it
PAPERS = {"a4": (210.0, 297.0, "a4"), "letter": (215.9, 279.4, "us-letter")}
SIDE, TOP, BOTTOM = 11.0, 10.0, 15.0  # the margins in mm; the page number stands in the lower one


@dataclass(frozen=True)
class Style:
    """How a print is made."""

    paper: str = "a4"
    low_ink: bool = False
    large: bool = False
    colour: bool = False

    def __post_init__(self) -> None:
        if self.low_ink and self.colour:
            raise LamplighterError("a print saves ink or has colours: choose one of --low-ink and --colour")
        if self.paper not in PAPERS:
            raise LamplighterError(f"there is no paper {self.paper!r}: {suggest(self.paper, PAPERS)}")

    @property
    def theme(self) -> str:
        return "low-ink" if self.low_ink else "colour" if self.colour else "print"

    def room(self, flipped: bool = False) -> tuple[float, float]:
        """The width and height inside the margins, in mm."""
        width, height, _ = PAPERS[self.paper]
        if flipped:
            width, height = height, width
        return width - 2 * SIDE, height - TOP - BOTTOM


@dataclass
class Document:
    """A print that grows section by section. Equal pictures are stored once."""

    variant: Variant
    style: Style
    subtitle: str
    sections: list[Section] = field(default_factory=list)
    pictures: dict[str, str] = field(default_factory=dict)

    def add(self, kind: str, **content: Any) -> None:
        self.sections.append({"kind": kind, **content})

    def picture(self, drawn: str) -> str:
        """Keep an SVG; its name for `document.typ`."""
        for name, known in self.pictures.items():
            if known == drawn:
                return name
        name = f"picture-{len(self.pictures) + 1}.svg"
        self.pictures[name] = drawn
        return name

    def frame(self, drawn: svg.Picture | str, title: str = "", description: str = "") -> str:
        """Keep a drawn sheet or piece; its name for `document.typ`."""
        if isinstance(drawn, str):
            return self.picture(drawn)
        return self.picture(svg.frame(drawn, title, description, theme=self.style.theme, large=self.style.large))

    def pdf(self) -> bytes:
        game = self.variant.game
        data = {
            "title": game.title,
            "subtitle": self.subtitle,
            "credits": game.source,
            "engine": f"lamplighter {VERSION}",
            "paper": PAPERS[self.style.paper][2],
            "margin": {"x": SIDE, "top": TOP, "bottom": BOTTOM},
            "large": self.style.large,
            "grey": svg.THEMES[self.style.theme]["print"],
            "faint": svg.THEMES[self.style.theme]["faint"],
            "sections": self.sections,
        }
        return typeset.pdf(data, {name: typeset.with_paper_font(drawn) for name, drawn in self.pictures.items()})


def describe(variant: Variant) -> str:
    """For how many a variant is, and what is chosen otherwise than usual."""
    chosen = [
        f"{option.name.replace('_', ' ')} {str(variant.options[option.name]).lower()}"
        for option in variant.game.options[1:]
        if variant.options[option.name] != option.default
    ]
    own = [f"box “{variant.box_title}”"] if variant.own_box else []
    return ", ".join([f"for {variant.seats} player{'s' if variant.seats > 1 else ''}", *chosen, *own])
