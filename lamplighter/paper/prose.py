"""Markdown as plain data: blocks of spans, which `document.typ` sets. Numbers of rules and rulings become links.

A paragraph that begins with a bold § is a *rule*; a `§3` or `R6` anywhere else is a link to it, if it is there. A heading may be
followed by `<!-- when: edition=challenge -->`: its part is only for variants with that option.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

Block = dict[str, Any]
Span = dict[str, Any]

_READER = MarkdownIt("commonmark", {"typographer": True}).enable(["table", "smartquotes"])
_ADDRESS = re.compile(r"(§[A-Z]?\d+(?:\.\d+)*|§[A-Z]\b|\bR\d+\b|\[[A-Z]\])")
_RULINGS = re.compile(r"(\s*\(R\d+(?:, R\d+)*\))")  # behind a sentence: which rulings it rests on
_RULING = re.compile(r"(R\d+)\s+(.*)", re.DOTALL)
_WHEN = re.compile(r"<!-- when: ([\w=]+) -->")


def parse(*texts: str) -> list[list[Block]]:
    """The blocks of several texts that may point at each other's rules."""
    parsed = [_blocks(iter(_READER.parse(text)), "") for text in texts]
    known: set[str] = set()
    for blocks in parsed:
        for block in blocks:
            if "address" in block and block["address"] in known:
                del block["address"]  # a second place of that name cannot be pointed at
            known.add(block.get("address", ""))
    for blocks in parsed:
        for block in blocks:
            _link(block, known)
    return parsed


# --- blocks ---------------------------------------------------------------------------------------------------


def _blocks(tokens: Iterator[Token], end: str) -> list[Block]:
    """All blocks up to the token that ends them."""
    found: list[Block] = []
    for token in tokens:
        if token.type == end:
            break
        if token.type == "heading_open":
            found.append(_heading(int(token.tag[1]), _inline(tokens)))
        elif token.type == "paragraph_open":
            found.append(_paragraph(_inline(tokens)))
        elif token.type in ("fence", "code_block"):
            found.append({"kind": "code", "text": token.content.rstrip("\n")})
        elif token.type == "html_block" and (when := _WHEN.fullmatch(token.content.strip())) and found:
            found[-1]["when"] = when[1]
        elif token.type == "hr":
            found.append({"kind": "line"})
        elif token.type == "blockquote_open":
            found.append({"kind": "quote", "blocks": _blocks(tokens, "blockquote_close")})
        elif token.type in ("bullet_list_open", "ordered_list_open"):
            found.append(_list(tokens, token.type))
        elif token.type == "table_open":
            found.append(_table(tokens))
    return found


def _inline(tokens: Iterator[Token]) -> list[Span]:
    """The spans of the inline token that comes next; its closing tag is passed over."""
    content = next(tokens)
    next(tokens)
    return _spans(iter(content.children or []), "")


def _heading(level: int, spans: list[Span]) -> Block:
    block: Block = {"kind": "heading", "level": level, "spans": spans}
    first = spans[0] if spans else {}
    if first.get("kind") == "text" and (found := _RULING.fullmatch(first["text"])):
        block |= {"address": found[1], "spans": [{"kind": "text", "text": found[2]}, *spans[1:]]}
    return block


def _paragraph(spans: list[Span]) -> Block:
    first = spans[0] if spans else {}
    if first.get("kind") == "strong" and plain(first["spans"]).startswith("§"):
        return {"kind": "rule", "address": plain(first["spans"]), "spans": _trimmed(spans[1:])}
    return {"kind": "paragraph", "spans": spans}


def _trimmed(spans: list[Span]) -> list[Span]:
    """Without the space before the first word."""
    if spans and spans[0]["kind"] == "text":
        return [{"kind": "text", "text": spans[0]["text"].lstrip()}, *spans[1:]]
    return spans


def _list(tokens: Iterator[Token], opening: str) -> Block:
    items = []
    for token in tokens:
        if token.type == opening.replace("open", "close"):
            break
        if token.type == "list_item_open":
            items.append(_blocks(tokens, "list_item_close"))
    return {"kind": "list", "ordered": opening.startswith("ordered"), "items": items}


def _table(tokens: Iterator[Token]) -> Block:
    rows: list[list[list[Span]]] = []
    align: list[str] = []
    for token in tokens:
        if token.type == "table_close":
            break
        if token.type == "tr_open":
            rows.append([])
        elif token.type in ("th_open", "td_open"):
            if token.type == "th_open":
                style = str(token.attrs.get("style", ""))
                align.append(style.removeprefix("text-align:") or "left")
            rows[-1].append(_inline(tokens))
    return {"kind": "table", "align": align, "rows": rows}


# --- spans ----------------------------------------------------------------------------------------------------


def _spans(tokens: Iterator[Token], end: str) -> list[Span]:
    found: list[Span] = []
    for token in tokens:
        if token.type == end:
            break
        if token.type == "text" and token.content:
            found.append({"kind": "text", "text": token.content})
        elif token.type == "softbreak":
            found.append({"kind": "text", "text": " "})
        elif token.type == "hardbreak":
            found.append({"kind": "break"})
        elif token.type == "code_inline":
            found.append({"kind": "code", "text": token.content})
        elif token.type in ("strong_open", "em_open"):
            kind = token.type.removesuffix("_open")
            found.append({"kind": kind, "spans": _spans(tokens, f"{kind}_close")})
        elif token.type == "link_open":
            found.append({"kind": "link", "to": str(token.attrs["href"]), "spans": _spans(tokens, "link_close")})
        elif token.type in ("image", "html_inline"):
            found.append({"kind": "text", "text": token.content})
    return _joined(found)


def _joined(spans: list[Span]) -> list[Span]:
    """Neighbouring texts as one."""
    found: list[Span] = []
    for span in spans:
        if found and span["kind"] == found[-1]["kind"] == "text":
            found[-1] = {"kind": "text", "text": found[-1]["text"] + span["text"]}
        else:
            found.append(span)
    return found


def plain(spans: list[Span]) -> str:
    """The words of spans without their looks."""
    return "".join(span.get("text") or plain(span.get("spans", [])) for span in spans)


# --- links ----------------------------------------------------------------------------------------------------


def _link(block: Block, known: set[str]) -> None:
    if "spans" in block:
        block["spans"] = _linked(block["spans"], known)
    for row in block.get("rows", []):
        row[:] = [_linked(cell, known) for cell in row]
    for inner in [*block.get("blocks", []), *(inner for item in block.get("items", []) for inner in item)]:
        _link(inner, known)


def _linked(spans: list[Span], known: set[str]) -> list[Span]:
    found: list[Span] = []
    for span in spans:
        if span["kind"] == "text":
            for part in filter(None, _RULINGS.split(span["text"])):
                inner = _addressed(part, known)
                found += [{"kind": "rulings", "spans": inner}] if _RULINGS.fullmatch(part) else inner
        elif span["kind"] in ("strong", "em"):
            found.append({**span, "spans": _linked(span["spans"], known)})
        else:
            found.append(span)
    return _joined(found)


def _addressed(text: str, known: set[str]) -> list[Span]:
    """A text with its marks, and with the numbers of rules and rulings as links."""
    found: list[Span] = []
    for part in filter(None, _ADDRESS.split(text)):
        if part in known:
            found.append({"kind": "address", "text": part})
        else:
            found.append({"kind": "mark" if re.fullmatch(r"\[[A-Z]\]", part) else "text", "text": part})
    return found
