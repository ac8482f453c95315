"""The rules of a game as a booklet: RULES.md, figures drawn from positions, and RULINGS.md behind them."""

from __future__ import annotations

from lamplighter import svg
from lamplighter.engine.match import Match
from lamplighter.engine.position import Position
from lamplighter.engine.variant import Variant
from lamplighter.paper import prose
from lamplighter.paper.document import Document
from lamplighter.paper.sheet import frame_sheet

EARLY = 0.3  # the share of a match after which the first figure is drawn
# mm that a figure may be wide and high: in a column, across the page, in large print
COLUMN, PAGE, LARGE = (81.0, 138.0), (172.0, 125.0), (172.0, 165.0)
LEGIBLE = 0.18  # mm for a unit of a figure; one that would be smaller in a column goes across the page

Figure = tuple[str, svg.Picture | str]


def add_rules(document: Document) -> None:
    game = document.variant.game
    rulings = game.folder / "RULINGS.md"
    texts = [game.rules_text, *([rulings.read_text(encoding="utf-8")] if rulings.exists() else [])]
    rules, *rest = (
        [block for block in blocks if (block["kind"], block.get("level")) != ("heading", 1)]
        for blocks in prose.parse(*texts)
    )
    figures = [
        {"kind": "figure", "caption": caption, **_placed(document, document.frame(drawn, caption))}
        for caption, drawn in _figures(document)
    ]
    rulings_only = [_without_test(block) for block in rest[0]] if rest else []
    document.add("rules", blocks=spread(rules, figures), rulings=rulings_only)


def _without_test(block: prose.Block) -> prose.Block:
    """A ruling as players want it: which test proves it is of no use at a table."""
    spans = block.get("spans", [])
    for i, span in enumerate(spans):
        if span["kind"] == "strong" and prose.plain(span["spans"]) == "Test":
            return {**block, "spans": spans[:i]}
    return block


def _placed(document: Document, picture: str) -> prose.Block:
    """A figure's picture, its width in mm, and whether it goes across both columns."""
    width, height = svg.size(document.pictures[picture])
    scale = min(COLUMN[0] / width, COLUMN[1] / height)
    wide = scale < LEGIBLE or document.style.large
    if wide:
        room = LARGE if document.style.large else PAGE
        scale = min(room[0] / width, room[1] / height)
    return {"picture": picture, "width": round(width * scale, 2), "wide": wide}


def spread(blocks: list[prose.Block], figures: list[prose.Block]) -> list[prose.Block]:
    """The blocks with the figures between them: before the headings, as evenly as they go."""
    places = [i for i, block in enumerate(blocks) if block["kind"] == "heading"] or [len(blocks)]
    found = list(blocks)
    for number, figure in reversed(list(enumerate(figures))):
        found.insert(places[number * len(places) // len(figures)], figure)
    return found


def _figures(document: Document) -> list[Figure]:
    """The game's own figures, or a sheet early in a match and at its end."""
    variant, style = document.variant, document.style
    figures = getattr(variant.game.picture, "figures", None) if variant.game.has_picture else None
    if figures and (own := list(figures(variant))):
        return own
    early, late = sample(variant)
    return [
        (
            f"A sheet in turn {early.turn} of a match.",
            frame_sheet(early, 0, style.theme, style.large),
        ),
        (
            f"The same sheet at the end, and what every line scores: {late.total(0)} points.",
            frame_sheet(late, 0, style.theme, style.large, panel=True),
        ),
    ]


def sample(variant: Variant, seed: str = "figure") -> tuple[Position, Position]:
    """A position early in a match and its last one, the same each time. Everybody plays what counts most at once."""
    match = variant.match(seed=seed)
    while not match.is_over:
        match.roll()
        if match.waiting:
            seat = match.waiting[0]
            match.act(seat, _best_action(match, seat))
    moments = map(match.at, range(int(EARLY * len(match.log)) + 1, len(match.log) + 1))
    return next((early for early in moments if early.waiting), match.position), match.position


def _best_action(match: Match, seat: int) -> int:
    """The legal action after which the seat counts most; of equal ones the first."""

    def value(action: int) -> int:
        after = match.position.copy()
        after.act(seat, action)
        return after.total(seat)

    return max(match.position.legal_actions(seat), key=value)
