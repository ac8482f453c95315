"""Collects what a person can read of a game, from its source and from matches that are played. Rules booklets are left out."""

from __future__ import annotations

import ast
import itertools
import random
import re
from collections.abc import Iterable, Iterator, Mapping
from html import unescape
from pathlib import Path

from walks import random_match, variants

from lamplighter import svg
from lamplighter.engine.explanation import score_reasons
from lamplighter.engine.game import Game
from lamplighter.engine.lesson import FILE as LESSON
from lamplighter.engine.lesson import parse_lesson
from lamplighter.engine.phrase import NUMBER, Phrase, Seat
from lamplighter.engine.position import Position
from lamplighter.engine.variant import Variant

WORD = re.compile(r"[a-z]{2}")  # what has none is a code: a cell, a suit, a tile, the sides of a tile
SIDES = re.compile(r"[nesw/]+")  # of a route in a move
TEXT = re.compile(r"<text[^>]*>([^<]+)</text>|<title>([^<]+)</title>")  # the sheet's own title has an id
BOOKLET = ("booklet.py",)
MOVES = 40  # about so many moves of a position are looked at


def keys(text: object) -> Iterator[str]:
    """Return what has to be translated in order to say a text: templates, words, and texts with `#` for their numbers."""
    if isinstance(text, Phrase):
        if WORD.search(re.sub(r"\{\w+\}", "", text.template)):
            yield text.template
        for value in text.values.values():
            yield from keys(value)
    elif isinstance(text, list | tuple):
        for one in text:
            yield from keys(one)
    elif isinstance(text, str | Seat) and WORD.search(str(text)):
        yield NUMBER.sub("#", str(text))


def missing(asked: Iterable[str], messages: Mapping[str, str]) -> set[str]:
    """Return what has no translation. A text with numbers may be there with its numbers, too."""
    known = set(messages) | {NUMBER.sub("#", key) for key in messages}
    return {key for key in asked if key not in known}


# --- from the source ------------------------------------------------------------------------------------------


def written_in(source: str) -> set[str]:
    """Return the templates of all phrases in a piece of source. One that is glued together is refused: word order differs."""
    found = set()
    tree = ast.parse(source)
    for scope in (node for node in ast.walk(tree) if isinstance(node, ast.Module | ast.FunctionDef)):
        named = _named_in(scope)
        for call in _calls_in(scope):
            for template in _templates_of(call):
                found |= set(_literals(template, named))
    return found


def _calls_in(scope: ast.Module | ast.FunctionDef) -> Iterator[ast.Call]:
    """Return the calls of a function, or those of a module that are in none."""
    waiting: list[ast.AST] = list(scope.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Call):
            yield node
        waiting += [child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.FunctionDef)]


def _named_in(scope: ast.Module | ast.FunctionDef) -> dict[str, list[ast.expr]]:
    """Return what is assigned to each name in a function."""
    found: dict[str, list[ast.expr]] = {}
    for node in ast.walk(scope):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            found.setdefault(node.targets[0].id, []).append(node.value)
    return found


def _templates_of(call: ast.Call) -> list[ast.expr]:
    """Return the templates that a call is about, if it is one of those that make a phrase."""
    name = getattr(call.func, "id", "")
    if name == "counted":
        return [*call.args[1:4], *(word.value for word in call.keywords if word.arg == "none")]
    return call.args[:1] if name == Phrase.__name__ else []


def _literals(template: ast.expr, named: Mapping[str, list[ast.expr]]) -> Iterator[str]:
    """Return the sentences that a template can be. What a table says is found in that table."""
    if isinstance(template, ast.IfExp):
        yield from _literals(template.body, named)
        yield from _literals(template.orelse, named)
    elif isinstance(template, ast.Name) and template.id in named:
        for value in named[template.id]:
            yield from _literals(value, {})
    elif not isinstance(template, ast.Subscript):
        whole = isinstance(template, ast.Constant) and isinstance(template.value, str)
        assert whole, f"write whole sentences, not {ast.unparse(template)}"
        yield from keys(Phrase(ast.literal_eval(template)))


def tables_in(source: str) -> set[str]:
    """Return the values of the tables of names at the top of a module, as texts.py has them."""
    tables = [one.value for one in ast.parse(source).body if isinstance(one, ast.Assign)]
    values = itertools.chain.from_iterable(table.values for table in tables if isinstance(table, ast.Dict))
    return {one.value for one in values if isinstance(one, ast.Constant) and isinstance(one.value, str)}


def in_source(game: Game) -> set[str]:
    """Return what stands in a game's folder: phrases, names, options, refusals, the lesson."""
    found: set[str] = set()
    for path in sorted(game.folder.rglob("*.py")):
        if "tests" not in path.relative_to(game.folder).parts and path.name not in BOOKLET:
            found |= written_in(path.read_text(encoding="utf-8"))
    texts = game.folder / "texts.py"
    if texts.exists():
        found |= tables_in(texts.read_text(encoding="utf-8"))
    told: list[object] = [game.title, game.summary, game.source]
    for option in game.options:
        told += [option.called, option.help, *map(option.label, option.values)]
    told += [sentence for _, sentence in game.state.REFUSALS.values()]
    if game.has_lesson:
        told += parse_lesson(game, (game.folder / LESSON).read_text(encoding="utf-8")).texts
    return found | set(keys(told))


def shared_source(folder: Path) -> set[str]:
    """Return the phrases of the engine, which every game may say."""
    sources = [path for path in sorted(folder.glob("*.py")) if path.stem != "phrase"]
    return {text for path in sources for text in written_in(path.read_text(encoding="utf-8"))}


# --- from matches ---------------------------------------------------------------------------------------------


def in_matches(game: Game) -> set[str]:
    """Return what is shown in matches of all variants with the game's own box, and on its blank sheets."""
    found: set[str] = set()
    for number, variant in enumerate(variants(game)):
        if not variant.box_title:
            found |= set(keys(list(_blank(variant))))
            found |= set(keys(list(_shown(variant, seed=number))))
    return found


def _blank(variant: Variant) -> Iterator[object]:
    picture = variant.game.picture if variant.game.has_picture else None
    if picture is not None:
        yield from words_of(svg.frame(picture.draw(variant, None, 0), "", ""))


def _shown(variant: Variant, seed: int) -> Iterator[object]:
    game, match = variant.game, random_match(variant, seed)
    rng = random.Random(seed)
    looked_at = {0, len(match.log), *(rng.randrange(len(match.log) + 1) for _ in range(4))}
    for number in sorted(looked_at):
        position = match.at(number)
        yield from _words_of_position(position)
        if number and match.log[number - 1].kind == "move":
            before = match.at(number - 1).state
            for seat in range(variant.seats):
                yield game.texts.effects(variant, before, position.state, seat)
    for step in match.log:
        yield from _said(variant, step.text)


def _words_of_position(position: Position) -> Iterator[object]:
    variant, game, state = position.variant, position.variant.game, position.state
    for seat in range(variant.seats):
        yield list(words_of(position.svg(seat))) if game.has_picture else []
        for line in position.seen_by(seat).draw(seat).lines:
            yield [text.strip() for text, _ in line]
        for line_name in variant.score_lines:
            yield game.texts.name_line(variant, state, line_name)
        yield list(score_reasons(variant, state, seat).values())
        yield game.texts.verdict(variant, state, seat) if position.is_over else ""
        left = getattr(game.notation, "left_to_draw", None)
        for name in left(variant, state, seat) if left else []:
            yield from _said(variant, name)
    for seat in position.waiting:
        yield game.texts.instruct(variant, state, seat)
        yield game.texts.question(variant, state, seat)
        moves = position.legal_moves(seat)
        for move in moves[:: 1 + len(moves) // MOVES]:
            yield from _said(variant, move)
        targets = game.picture.targets(variant, state, seat) if game.has_picture else []
        for source in {target.source for target in targets}:
            yield from _said(variant, source)


def _said(variant: Variant, text: str) -> Iterator[object]:
    """Return a move or an outcome as the page says it: whole, or word by word."""
    say = variant.game.texts.say
    said = say(variant, text)
    if said != text or isinstance(said, Phrase):
        yield said
        return
    for word in itertools.chain.from_iterable(part.split("+") for part in text.split(" ")):
        spoken = say(variant, word)
        if spoken != word or not SIDES.fullmatch(word):
            yield spoken


def words_of(drawn: str) -> Iterator[str]:
    """Return the words of a drawn sheet; a paragraph is one text."""
    for paragraph in svg.PARAGRAPH.finditer(drawn):
        yield svg.words_of(paragraph)
    for found in TEXT.finditer(svg.PARAGRAPH.sub("", drawn)):
        yield unescape(found[1] or found[2])


def shown_of(game: Game) -> set[str]:
    """Return everything."""
    return in_source(game) | in_matches(game)
