"""The picture of a sheet: the game's own, or its text sheet in letters of equal width where it draws none."""

from __future__ import annotations

from lamplighter import svg
from lamplighter.engine.phrase import SOURCE, Phrase, messages_of, translate_sheet
from lamplighter.engine.position import Position
from lamplighter.engine.text_sheet import TextSheet
from lamplighter.engine.variant import Variant
from lamplighter.score_panel import beside, draw_panel

FONT = "13px 'DejaVu Sans Mono',monospace"  # Typst brings the first one along
WIDE, HIGH = 7.83, 15.0  # units of a letter in it, and from line to line, so that the lines of a frame meet


def draw_blank(variant: Variant) -> svg.Picture:
    """Return the sheet before play."""
    if variant.game.has_picture:
        blank: svg.Picture = variant.game.picture.draw(variant, None, 0)
        return blank
    return draw_text(variant.start().draw(0))


def draw_sheet(position: Position, seat: int) -> svg.Picture:
    """Return a seat's sheet."""
    variant, seen = position.variant, position.seen_by(seat)
    if variant.game.has_picture:
        drawn: svg.Picture = variant.game.picture.draw(variant, seen.state, seat)
        return drawn
    return draw_text(seen.draw(seat))


def frame_sheet(
    position: Position, seat: int, theme: str, large: bool = False, panel: bool = False, language: str = SOURCE
) -> str:
    """Return a seat's sheet as a whole SVG, with the score beside it if that is asked for."""
    if position.variant.game.has_picture:
        return position.svg(seat, theme=theme, large=large, panel=panel, language=language)
    messages = messages_of(position.variant.game, language)
    words = position.seen_by(seat).draw(seat).translate_by(messages)
    drawn = draw_text(words)
    if panel:
        drawn = beside(drawn, draw_panel(position.score(seat), "", large))
    title = Phrase("{game}, turn {turn}", game=position.variant.game.title, turn=position.turn).translate_by(messages)
    return translate_sheet(svg.frame(drawn, title, str(words), theme=theme, large=large), messages)


def draw_text(drawing: TextSheet) -> svg.Picture:
    """Return a text sheet as a picture."""
    body, widest = [], 0
    for row, line in enumerate(drawing.lines):
        column = 0
        for words, role in line:
            if words.strip():
                look = "ts p" if role == "print" else "ts"
                kept = words.replace(" ", "\u00a0")  # SVG drops other spaces at the ends
                body.append(
                    svg.element("text", kept, x=column * WIDE, y=(row + 0.8) * HIGH, class_=look, style=f"font:{FONT}")
                )
            column += len(words)
        widest = max(widest, column)
    return svg.Picture(max(widest, 1) * WIDE, max(len(drawing.lines), 1) * HIGH, body)
