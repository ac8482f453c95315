"""Paper: PDFs open, have their pages and sizes, can be searched, and survive every name a player may have."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path
from typing import Any

import pypdf
import pytest
from walks import first_at_once, random_match

from lamplighter import games, load, svg
from lamplighter.cli import main
from lamplighter.engine.match import Match
from lamplighter.engine.variant import Variant
from lamplighter.errors import LamplighterError
from lamplighter.paper import PAPERS, Style, page_count, png, print_game, print_match, prose
from lamplighter.paper.booklet import sample, spread
from lamplighter.paper.layout import READABLE, WRITABLE, fit
from lamplighter.paper.sheet import draw_blank
from lamplighter.strokes import die
from lamplighter.svg import THEMES, Picture, Pieces

DRAWN = [name for name in games.names() if games.load(name).has_picture]
BARE = [name for name in games.names() if name not in DRAWN]
GAME = next(name for name in DRAWN if games.load(name).default_seats > 1)
NAMES = [r"#let *x* = @y \z $5 [q]", '<b>&"`_w_`" ~ //', "= Zoë – Ж ±1 {u}", "#", "\\"]


def open_pdf(document: bytes) -> pypdf.PdfReader:
    return pypdf.PdfReader(io.BytesIO(document), strict=True)


def words(document: bytes) -> str:
    """All text of a PDF, with single spaces."""
    return " ".join(" ".join(page.extract_text() for page in open_pdf(document).pages).split())


def sizes(document: bytes) -> set[tuple[float, float]]:
    """The pages' sizes in mm, short side first."""
    boxes = [page.mediabox for page in open_pdf(document).pages]
    return {tuple(sorted((round(float(b.width) / 72 * 25.4, 1), round(float(b.height) / 72 * 25.4, 1)))) for b in boxes}


def a_match(steps: int | None = None) -> Match:
    """A random match of players with difficult names."""
    variant = load(GAME)
    match = random_match(variant, 7, steps)
    match.players = [NAMES[seat % len(NAMES)] for seat in range(variant.seats)]
    return match


# --- blank sheets ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("paper", first_at_once(list(PAPERS)))
@pytest.mark.parametrize("name", DRAWN)
def test_blank_sheets(name: str, paper: str) -> None:
    variant, style = load(name), Style(paper)
    layout = fit(variant.game.picture.draw(variant, None, 0), style)
    pieces = page_count(print_game(variant, style, 1)) - 1
    for copies in (1, layout.count, layout.count + 1):
        made = print_game(variant, style, copies)
        pages = open_pdf(made).pages
        assert len(pages) == page_count(made) == -(-copies // layout.count) + pieces
        assert sizes(made) == {PAPERS[paper][:2]}
        text = words(made)
        assert text.count("Name") >= copies
        assert variant.game.title in text
        assert f"page 1 of {len(pages)}" in text
    credit = " ".join(variant.game.source.split())
    assert credit[:40] in text


@pytest.mark.parametrize("name", DRAWN)
def test_sheets_can_be_read_and_written_on(name: str) -> None:
    variant = load(name)
    blank = variant.game.picture.draw(variant, None, 0)
    for style in (Style(), Style("letter"), Style(large=True)):
        layout = fit(blank, style)
        scale = layout.width / blank.width
        assert scale >= READABLE * 0.99
        assert all(min(box[2:]) * scale >= WRITABLE * 0.99 for box in blank.cells.values())
        room = style.room(layout.flipped)
        assert layout.columns * layout.width <= room[0] and layout.rows * layout.height <= room[1]
    assert fit(blank, Style(large=True)).count == 1


def test_small_sheets_go_four_to_a_page() -> None:
    assert fit(Picture(300, 300, []), Style()).count == 4
    assert fit(Picture(360, 620, []), Style()).count == 2
    assert fit(Picture(360, 620, [], cells={"a1": (0, 0, 15, 15)}), Style()).count == 1


def test_without_a_number_every_player_has_a_sheet_and_pages_are_full() -> None:
    variant = load(GAME)
    layout = fit(variant.game.picture.draw(variant, None, 0), Style())
    assert words(print_game(variant)).count("Name") == -(-variant.seats // layout.count) * layout.count


def test_styles_differ() -> None:
    variant = load(GAME)
    made = {style: print_game(variant, style, 1) for style in (Style(), Style(low_ink=True), Style(large=True))}
    assert len(set(made.values())) == 3
    assert print_game(variant, Style(), 1) == made[Style()], "equal prints are equal bytes"


def test_colours_are_for_those_who_ask() -> None:
    variant = load(GAME)
    assert print_game(variant, Style(colour=True), 1) != print_game(variant, Style(), 1)
    greys = {colour for theme in ("print", "low-ink") for colour in THEMES[theme].values()}
    assert all(len(set(re.findall("..", colour[1:]))) == 1 for colour in greys), "without colours all is grey"
    assert any(len(set(re.findall("..", colour[1:]))) > 1 for colour in THEMES["colour"].values())
    with pytest.raises(LamplighterError, match="choose one of"):
        Style(low_ink=True, colour=True)


def test_every_sheet_has_one_place_for_the_total(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in games.names():
        variant = load(name)
        text = words(print_game(variant, copies=2)).lower()
        expected = draw_blank(variant)
        assert (text.count("total") >= 2) or expected.has_total, name
    plain = Picture(300, 300, [svg.text(10, 10, "totals")])
    named = Picture(300, 300, [svg.group(svg.text(10, 10, "Total"))])
    said = Picture(300, 300, [svg.text(10, 10, "crowd")], has_total=True)
    variant = load(GAME)
    for blank, boxes in ((plain, 3), (named, 0), (said, 0)):
        monkeypatch.setattr(variant.game.picture, "draw", lambda *given, blank=blank: blank)
        printed = words(print_game(variant, copies=3))
        assert printed.count("Total") == boxes + 3 * (blank is named)


def test_fonts_are_embedded_and_free_to_ship() -> None:
    free = ("LibertinusSerif", "DejaVuSansMono", "NewCM")
    for page in open_pdf(print_game(load(GAME), rules=True)).pages:
        fonts = page["/Resources"].get("/Font", {})
        assert fonts
        for font in fonts.values():
            base = font.get_object()
            assert any(name in base["/BaseFont"] for name in free), base["/BaseFont"]
            descriptor = base["/DescendantFonts"][0].get_object()["/FontDescriptor"]
            assert {"/FontFile", "/FontFile2", "/FontFile3"} & set(descriptor)


# --- pieces ---------------------------------------------------------------------------------------------------


def with_dice(monkeypatch: pytest.MonkeyPatch, width: float, height: float, *counts: int) -> Variant:
    """A variant whose game has dice to cut out, so many of each face."""
    variant = load(GAME)
    kinds = [(Picture(40, 40, [die(4, 4, 32, face)]), count) for face, count in enumerate(counts, 1)]
    listed = [Pieces("faces of dice", width, height, kinds)]
    monkeypatch.setattr(variant.game.picture, "cutouts", lambda variant: listed, raising=False)
    return variant


@pytest.mark.parametrize(("width", "height", "pages"), [(20, 20, 1), (63, 88, 4)])
def test_pieces_to_cut_out(monkeypatch: pytest.MonkeyPatch, width: float, height: float, pages: int) -> None:
    made = print_game(with_dice(monkeypatch, width, height, 6, 6, 6, 6, 6, 6), copies=1)
    assert page_count(made) == 1 + pages
    assert f"{games.load(GAME).title}: faces of dice 36 pieces, 6 of each kind" in words(made)


def test_pieces_may_be_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "9 pieces of 3 kinds" in words(print_game(with_dice(monkeypatch, 20, 20, 2, 3, 4), copies=1))


def test_pieces_of_several_sizes_share_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    variant = with_dice(monkeypatch, 20, 20, 1, 1)
    both = [*variant.game.picture.cutouts(variant), Pieces("cards", 63, 88, [(Picture(63, 88, []), 3)])]
    monkeypatch.setattr(variant.game.picture, "cutouts", lambda variant: both)
    made = print_game(variant, copies=1)
    assert page_count(made) == 2
    assert "faces of dice 2 pieces, all different" in words(made) and "cards 3 pieces, 3 of each kind" in words(made)


def test_no_pieces_no_page(monkeypatch: pytest.MonkeyPatch) -> None:
    assert page_count(print_game(with_dice(monkeypatch, 20, 20), copies=1)) == 1


def test_a_piece_larger_than_the_page_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(LamplighterError, match="pieces of 400 × 20 mm do not fit on a4 paper"):
        print_game(with_dice(monkeypatch, 400, 20, 1))


# --- rules ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", DRAWN)
def test_rules_are_there_whole(name: str) -> None:
    game = games.load(name)
    made = print_game(load(name), copies=1, rules=True)
    assert page_count(made) > page_count(print_game(load(name), copies=1))
    text = words(made)
    for number in re.findall(r"\*\*(§[\w.]+)\*\*", game.rules_text):
        assert number in text
    for heading in re.findall(r"^## ([^\[\n]+)$", game.rules_text, re.MULTILINE):
        assert heading.split()[-1] in text
    if (game.folder / "RULINGS.md").exists():
        for number in re.findall(r"^## (R\d+)", (game.folder / "RULINGS.md").read_text(encoding="utf-8"), re.MULTILINE):
            assert number in text
    assert "**" not in text and "##" not in text


def test_figures_of_the_game_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    variant = load(GAME)
    own = [("One die #1", Picture(40, 40, [die(4, 4, 32, 1)])), ("A start", variant.start().svg(0, theme="print"))]
    monkeypatch.setattr(variant.game.picture, "figures", lambda variant: own, raising=False)
    text = words(print_game(variant, copies=1, rules=True))
    assert "One die #1" in text and "A start" in text


def test_sample_is_the_same_each_time() -> None:
    (early, late), again = sample(load(GAME)), sample(load(GAME))
    assert (early, late) == again
    assert late.is_over and not early.is_over


def test_nothing_is_left_for_typst_to_warn_of(monkeypatch: pytest.MonkeyPatch) -> None:
    import typst

    seen: list[Any] = []

    def compile_and_listen(files: Any, **options: Any) -> bytes:
        made, warnings = typst.compile_with_warnings(files, **options)
        seen.extend(warnings)
        assert isinstance(made, bytes)
        return made

    monkeypatch.setattr(typst, "compile", compile_and_listen)
    print_game(load(GAME), rules=True)
    print_match(a_match())
    png(load(GAME).start().svg(0))
    assert seen == []


def test_prose() -> None:
    rules, rulings = prose.parse(
        '# T\n\n**§1** [G] See R1 and §9, "so".\n\n- a `#x`\n- *b*\n\n'
        "| a | b |\n|---|--:|\n| §1 | 2 |\n\n```\n#raw\n```\n",
        "## R1 Why *so*?\n\n**Ruling** §1\n\n## R1 Again\n",
    )
    kinds = [block["kind"] for block in rules]
    assert kinds == ["heading", "rule", "list", "table", "code"]
    assert rules[1]["address"] == "§1"
    assert [(span["kind"], span["text"]) for span in rules[1]["spans"]] == [
        ("mark", "[G]"), ("text", " See "), ("address", "R1"), ("text", " and §9, “so”.")
    ]  # fmt: skip
    assert rules[2]["items"][0][0]["spans"][1] == {"kind": "code", "text": "#x"}
    assert rules[3]["align"] == ["left", "right"] and len(rules[3]["rows"]) == 2
    assert rules[3]["rows"][1][0] == [{"kind": "address", "text": "§1"}]
    assert rules[4]["text"] == "#raw"
    assert rulings[0]["address"] == "R1" and "address" not in rulings[2]


def test_figures_are_spread_over_the_rules() -> None:
    text: list[dict[str, Any]] = [{"kind": kind} for kind in ("paragraph", "heading", "rule", "heading", "rule")]
    shown = spread(text, [{"kind": "figure"}, {"kind": "figure"}])
    assert [b["kind"] for b in shown] == ["paragraph", "figure", "heading", "rule", "figure", "heading", "rule"]
    assert spread([{"kind": "rule"}], [{"kind": "figure"}])[-1]["kind"] == "figure"


# --- matches --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("style", [Style(), Style("letter", low_ink=True), Style(large=True)])
def test_a_match_on_paper(style: Style) -> None:
    match = a_match()
    made = print_match(match, style)
    assert sizes(made) == {PAPERS[style.paper][:2]}
    text = words(made)
    for name, total in zip(match.players, match.totals, strict=True):
        assert " ".join(name.split()) in text
        assert f"{total} points" in text
    for line in match.variant.score_lines:
        assert line in text
    assert ("wins with" in text) or ("share the victory" in text)
    assert match.log[-1].text in text
    assert match.variant.game.title in text
    assert made == print_match(match, style)


@pytest.mark.parametrize("name", DRAWN)
def test_matches_of_every_game(name: str) -> None:
    game = games.load(name)
    for seats in {game.seats[0], game.seats[1]}:
        match = random_match(load(f"{name}?seats={seats}"), 3)
        assert f"{match.totals[-1]} points".replace("-", "−") in words(print_match(match))


def test_an_unfinished_match_and_a_remark() -> None:
    match = a_match(steps=12)
    match.comment('hm #1 "really" *?*')
    text = words(print_match(match))
    assert "not finished: turn" in text
    assert 'hm #1 "really" *?*' in text
    assert "not finished" in words(print_match(load(GAME).match(seed=1)))


def test_names_in_other_scripts_do_no_harm() -> None:
    match = a_match(steps=3)
    match.players[0] = "小明 😀 \u202eabc \x07"
    assert page_count(print_match(match)) >= 1


# --- pictures and the command line ----------------------------------------------------------------------------


def test_png() -> None:
    drawn = load(GAME).start().svg(0)
    made = png(drawn, 2)
    assert made.startswith(b"\x89PNG")
    width = int.from_bytes(made[16:20], "big")
    assert width == pytest.approx(2 * float(re.search(r'viewBox="0 0 ([\d.]+)', drawn)[1]), abs=1)  # type: ignore[index]
    assert png(drawn) == made


def test_without_typst_a_sentence_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "typst", None)
    for work in (lambda: print_game(load(GAME)), lambda: png(load(GAME).start().svg(0))):
        with pytest.raises(LamplighterError, match=re.escape("pip install 'lamplighter[print]'")):
            work()


def command(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    """Run a command in this process; its exit code."""
    monkeypatch.setattr(sys, "argv", ["lamplighter", *arguments])
    with pytest.raises(SystemExit) as end:
        main()
    return int(end.value.code or 0)


def test_print_command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    assert command(monkeypatch, "print", GAME, "--copies", "3", "--paper", "Letter", "--large") == 0
    made = (tmp_path / f"{GAME}.pdf").read_bytes()
    assert page_count(made) >= 3 and sizes(made) == {PAPERS["letter"][:2]}
    assert f"{GAME}.pdf: {page_count(made)} pages, letter" in capsys.readouterr().out
    match = random_match(load(GAME), 1)
    match.save(tmp_path / "evening.lamp")
    assert command(monkeypatch, "print", "--record", "evening.lamp", "--low-ink") == 0
    assert command(monkeypatch, "print", "--record", "evening.lamp", "--out", "b.pdf") == 0
    assert "The moves" in words((tmp_path / "evening.pdf").read_bytes())
    assert (tmp_path / "b.pdf").read_bytes() == print_match(match)


@pytest.mark.parametrize("name", BARE)
def test_a_game_without_a_picture_is_printed_with_its_text_sheet(name: str) -> None:
    variant = load(name)
    last = str(variant.start().draw(0)).splitlines()[-1].split()
    for made in (print_game(variant, rules=True), print_match(random_match(variant, 1))):
        assert set(last) <= set(words(made).replace("\u00a0", " ").split())


def test_show_command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    line = load(GAME).score_lines[0]
    sheet = ("show", GAME, "--seed", "3")
    assert command(monkeypatch, *sheet, "--svg", "--png") == 0
    plain = (tmp_path / f"{GAME}.svg").read_text(encoding="utf-8")
    assert (tmp_path / f"{GAME}.png").read_bytes() == png(plain)
    assert command(monkeypatch, *sheet, "--svg", "--out", "a.svg", "--theme", "dark", "--large", "--why", line) == 0
    lit = (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert plain != lit and f'data-line="{line}"' in lit and "data-line" not in plain


def test_a_variant_may_be_given_apart(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    seats = games.load(GAME).seats[1]
    for text in (f"seats={seats}", f"{GAME}?seats={seats}"):
        assert command(monkeypatch, "print", GAME, "--variant", text) == 0
        assert f"for {seats} players" in words((tmp_path / f"{GAME}.pdf").read_bytes())


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("print", GAME, "--paper", "a5"), "there is no paper 'a5': did you mean 'a4'?"),
        (("print", GAME, "--copies", "0"), "cannot print 0 copies: 1 or more"),
        (("print", GAME, "--copies", "-2"), "cannot print -2 copies: 1 or more"),
        (("print", "--record", "nosuch.lamp"), "cannot read 'nosuch.lamp'"),
        (("print", GAME[:-1]), f"did you mean '{GAME}'"),
        (("print",), "say which game to print, or a match with --record FILE"),
        (("print", "--seats", "2"), "say which game to print"),
        (("print", GAME, "--record", "x.lamp"), "--record prints a match"),
        (("print", GAME, "--out", "x.png"), "'x.png' should end in .pdf"),
        (("print", GAME, "--out", "nosuch/x.pdf"), "cannot write 'nosuch/x.pdf'"),
        (("print", GAME, "--variant", "seats"), "cannot read 'seats'"),
        (("show", GAME, "--svg", "--theme", "drak"), "did you mean 'dark'"),
        (("show", GAME, "--svg", "--why", "nosuch"), "there is no scoring line 'nosuch'"),
        (("show", GAME, "--svg", "--out", "a.png"), "'a.png' should end in .svg"),
        (("show", GAME, "--svg", "--png", "--out", "a.png"), "--out names one file"),
        (("show", GAME, "--panel"), "go with --svg or --png"),
    ],
)
def test_bad_input_is_answered_with_a_sentence(
    arguments: tuple[str, ...],
    sentence: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert command(monkeypatch, *arguments) == 2
    said = " ".join(capsys.readouterr().err.split())
    assert said.startswith("error: ") and sentence in said
    assert list(tmp_path.iterdir()) == []
