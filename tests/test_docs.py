"""The texts: what they show is so, what they name exists, and what there is, they name.

Each checker has a case that it rejects. `python tests/test_docs.py` writes the tables of the guide again.
"""

from __future__ import annotations

import doctest
import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.main import get_command

import lamplighter
from examples import HEADER, Example
from lamplighter import errors, games
from lamplighter.cli import app
from lamplighter.engine import contract, record
from lamplighter.engine.contract import MODULES

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.rglob("*.md"))]
TEXTS = {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in PAGES}
COMMANDS = TEXTS["docs/commands.md"]
NOTATION = TEXTS["docs/notation.md"]


# --- parts of a page ------------------------------------------------------------------------------------------


def blocks(text: str) -> list[tuple[str, str]]:
    """The fenced blocks of a page: language and content."""
    found = re.findall(r"^( *)```(\w*)\n(.*?)^\1```$", text, re.MULTILINE | re.DOTALL)
    return [(language, re.sub(rf"^{indent}", "", content, flags=re.MULTILINE)) for indent, language, content in found]


def without_blocks(text: str) -> str:
    return re.sub(r"^( *)```\w*\n.*?^\1```$", "", text, flags=re.MULTILINE | re.DOTALL)


def code_spans(text: str) -> list[str]:
    """What stands between single backticks, outside the blocks."""
    return re.findall(r"`([^`\n]+)`", without_blocks(text))


def command_lines(text: str) -> list[list[str]]:
    """Every `lamplighter …` line of the blocks and code spans, as words without comment, pipe and redirection."""
    lines = [line for language, content in blocks(text) if language == "sh" for line in content.splitlines()]
    found = []
    for line in [*lines, *code_spans(text)]:
        match = re.match(r"(?:\w+=\S+ |time )*(?:\.venv/bin/)?lamplighter( .+)?$", line.split(" #")[0].strip())
        if match:
            found.append(shlex.split(re.split(r"\s[|>]\s", match[1] or "")[0]))
    return found


def sections(text: str) -> dict[str, str]:
    """The parts of a page by their `##` heading."""
    parts = re.split(r"^## (.+)$", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


# --- what they show is so -------------------------------------------------------------------------------------


def run_examples(text: str, name: str) -> tuple[int, int]:
    """Run the `>>>` examples of a page's Python blocks, one after the other: how many failed, of how many."""
    code = "\n".join(content for language, content in blocks(text) if language == "python")
    examples = doctest.DocTestParser().get_doctest(code, {}, name, name, 0)
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    failed, attempted = runner.run(examples)[:2]
    return failed, attempted


def test_the_readme_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    failed, attempted = run_examples(TEXTS["README.md"], "README.md")
    assert failed == 0
    assert attempted >= 10
    assert [path.name for path in tmp_path.iterdir()] == ["evening.lamp"]


def test_the_page_on_bots_runs() -> None:
    failed, attempted = run_examples(TEXTS["docs/bots.md"], "docs/bots.md")
    assert (failed, attempted >= 9) == (0, True)


def test_the_page_on_drawing_runs() -> None:
    failed, attempted = run_examples(TEXTS["docs/drawing.md"], "docs/drawing.md")
    assert (failed, attempted) == (0, 8)


def test_the_page_on_the_architecture_runs() -> None:
    failed, attempted = run_examples(TEXTS["docs/architecture.md"], "docs/architecture.md")
    assert failed == 0
    assert attempted >= 10


def test_a_wrong_result_is_noticed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_examples("```python\n>>> 1 + 1\n3\n>>> 2\n2\n```\n", "fake") == (1, 2)
    assert "Expected" in capsys.readouterr().out


def shown_positions(text: str) -> list[str]:
    """The lines of blocks without a language that are positions: a variant, then `;`."""
    return [
        line
        for language, content in blocks(text)
        for line in content.splitlines()
        if not language and re.match(r"\w+\?[\w=&]+;", line)
    ]


def shown_records(text: str) -> list[str]:
    """The blocks that are whole records, text or JSON lines."""
    return [content for _, content in blocks(text) if content.startswith(("[Game ", '{"lamplighter": "match"'))]


@pytest.mark.parametrize("text", shown_positions(NOTATION), ids=lambda text: text.partition("?")[0])
def test_shown_positions_are_positions(text: str) -> None:
    assert lamplighter.position(text).text == text


def games_without_position(text: str) -> list[str]:
    """Games of which a page shows no position."""
    shown = {position.partition("?")[0] for position in shown_positions(text)}
    return [name for name in games.own_names() if name not in shown]


def test_a_position_of_each_game_is_shown() -> None:
    assert games_without_position(NOTATION) == []
    assert games_without_position("```\nno position\n```\n") == games.own_names()


def test_shown_records_are_records() -> None:
    records = [record.parse_record(text) for text in shown_records(NOTATION)]
    assert len(records) == 2
    assert records[0].text in [content for _, content in blocks(NOTATION)], "it is what we write, digest and all"
    assert records[0].log[:5] == records[1].log


def test_the_shown_id_is_that_of_the_first_position() -> None:
    assert f"`{lamplighter.position(shown_positions(NOTATION)[0]).id}`" in NOTATION


def test_the_shown_replay_is_what_replay_says() -> None:
    match = record.parse_record(shown_records(NOTATION)[0])
    rows = [json.dumps(row, ensure_ascii=False) for row in record.replay_rows(match)]
    shown = [line for _, content in blocks(NOTATION) for line in content.splitlines() if '"scores"' in line]
    assert shown
    assert set(shown) <= set(rows)


def test_an_edited_record_is_noticed() -> None:
    """The record on the page is refused as soon as one of its dice is another one."""
    wrong = shown_records(NOTATION)[0].replace("first 1, 5, 4, 2", "first 1, 5, 4, 3")
    with pytest.raises(errors.BadRecord):
        record.parse_record(wrong)


def test_a_wrong_number_of_a_turn_is_noticed() -> None:
    """As docs/notation.md and docs/decisions/0005-records.md say."""
    wrong = shown_records(NOTATION)[0].replace("\n1. first", "\n2. first")
    with pytest.raises(errors.BadRecord, match="is in turn 2, but belongs to 1"):
        record.parse_record(wrong)


# --- what an author reads -------------------------------------------------------------------------------------

GUIDE = TEXTS["docs/adding-a-game.md"]


def shown_files(text: str) -> dict[str, str]:
    """The Python blocks of a page that begin with the name of a file, by that name."""
    found = (re.match(r"# (\S+\.py)\n(.*)", content, re.DOTALL) for kind, content in blocks(text) if kind == "python")
    return {match[1]: match[2] for match in found if match}


def stale_tables(text: str) -> list[str]:
    """The modules of the contract whose section on a page lacks the table of their members."""
    parts = sections(text)
    return [name for name in MODULES if contract.table(name) not in parts.get(f"{name}.py", "")]


def run(*arguments: str, given: str = "", **environment: str) -> str:
    """Run a command line of a page. It must end well."""
    known = {**os.environ, "NUMBA_DISABLE_JIT": "1", "COLUMNS": "200", "NO_COLOR": "1", **environment}
    done = subprocess.run(
        [sys.executable, "-m", "lamplighter", *arguments],
        input=given, capture_output=True, text=True, encoding="utf-8", env=known, cwd=ROOT, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_guide_has_the_tables_of_the_contract() -> None:
    assert contract.GUIDE in TEXTS
    assert stale_tables(GUIDE) == [], "python tests/test_docs.py writes them"


def test_a_stale_table_is_noticed() -> None:
    assert stale_tables(GUIDE.replace("| `waiting(box, state)` |", "| `waits(box, state)` |")) == ["rules"]


def untold_pairs(text: str) -> list[str]:
    """What the contract wants beside something else, and a page does not say."""
    said = " ".join(text.split())
    missing = []
    for name, others in contract.BESIDE.items():
        *first, last = (f"`{other}`" for other in others)
        listed = f"{', '.join(first)} and {last}" if first else last
        back = name.startswith("parse_") and f"`{others[0]}` needs `{name}`" in said and "the other way round" in said
        missing += [] if f"`{name}` needs {listed}" in said or back else [name]
    return missing


def test_the_guide_says_what_comes_together() -> None:
    assert untold_pairs(GUIDE) == []


def test_an_untold_pair_is_noticed() -> None:
    assert untold_pairs(GUIDE.replace("`is_over` and `MAX_OUTCOMES`", "`is_over`")) == ["outcomes"]


def test_the_guide_counts_the_names_that_must_be_known() -> None:
    needed = [name for name, need in MODULES.items() if not need.default]
    names = [member for name in needed for member in MODULES[name].members() if not member.default]
    assert f"**{len(names)} names in {len(needed)} files**" in GUIDE


@pytest.fixture(scope="module")
def smallest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The game that the guide begins with, as somebody would type it in."""
    folder = tmp_path_factory.mktemp("guide")
    for name, content in shown_files(sections(GUIDE)["The smallest game"]).items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(content, encoding="utf-8")
    (made,) = folder.iterdir()
    return made


def test_the_smallest_game_is_as_small_as_it_can_be(smallest: Path) -> None:
    assert {path.name for path in smallest.iterdir()} == {"__init__.py", "state.py", "rules.py"}
    assert sum(len((smallest / f"{name}.py").read_text().splitlines()) for name in ("state", "rules")) < 80


def test_the_smallest_game_plays(smallest: Path) -> None:
    name, known = smallest.name, {"LAMPLIGHTER_GAMES": str(smallest)}
    compiled = {"NUMBA_DISABLE_JIT": "", "NUMBA_CACHE_DIR": str(smallest.parent / "cache")}
    arguments = ("simulate", name, "--bots", "greedy,uniform", "--games", "50", "--json")
    summary = json.loads(run(*arguments, **known, **compiled))
    assert summary["seats"][0]["mean"] > summary["seats"][1]["mean"]
    typed = "11\n10\n0\n2\nquit\n"
    said = run("play", name, "--bots", "greedy", given=typed, XDG_STATE_HOME=str(smallest.parent), **known)
    assert "refused: next to a taken square" in said
    assert "greedy 1 wins" in said
    assert "Take squares that do not touch." in run("show", name, **known)


def test_the_bot_on_the_page_plays(tmp_path: Path) -> None:
    """As an installed package would bring it: a module, and an entry point in its metadata."""
    page = TEXTS["docs/bots.md"]
    for name, content in shown_files(page).items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    info = tmp_path / "lead-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: lead\nVersion: 1.0\n")
    (entries,) = (tomllib.loads(content) for kind, content in blocks(page) if kind == "toml")
    listed = "".join(
        f"{key} = {value}\n" for key, value in entries["project"]["entry-points"]["lamplighter.bots"].items()
    )
    (info / "entry_points.txt").write_text(f"[lamplighter.bots]\n{listed}")
    path = os.pathsep.join(filter(None, [str(tmp_path), str(ROOT), os.environ.get("PYTHONPATH", "")]))
    game = ("connect_four", "--games", "2", "--seed", "1", "--json")
    summary = json.loads(run("simulate", *game, "--bots", "lead?others=2,uniform", PYTHONPATH=path))
    assert [seat["bot"] for seat in summary["seats"]] == ["lead?others=2", "uniform"]
    assert summary["games"] == 2
    arena = ("arena", "last_minute", "--seats", "2", "--bots", "lead,easy", "--games", "16", "--seed", "1", "--json")
    lead, easy = json.loads(run(*arena, PYTHONPATH=path))["bots"]
    assert lead["mean"] > easy["mean"] and lead["win_rate"] > 0.6, "it is above easy, as the page says"


# --- commands -------------------------------------------------------------------------------------------------


def options(command: Any) -> list[str]:
    """The options of a command, in every spelling."""
    return [name for param in command.params if param.param_type_name == "option" for name in param.opts]


def all_commands(group: Any, before: str = "") -> dict[str, Any]:
    """The commands of a group by their name, those of a group within it as `group command`."""
    found = {}
    for name, command in group.commands.items():
        inner = getattr(command, "commands", None)
        found |= all_commands(command, f"{before}{name} ") if inner else {f"{before}{name}": command}
    return found


def undocumented(group: Any, text: str) -> list[str]:
    """Commands without a section or an example in it, and options that their command's section does not name.

    The commands of a group within it share a section.
    """
    parts, missing = sections(text), []
    for name, command in all_commands(group).items():
        part = parts.get(name.split()[0], "")
        said = [" ".join(words[: len(name.split())]) for words in command_lines(part)]
        missing += [] if part else [f"{name}: no section"]
        missing += [] if name in said else [f"{name}: no example"]
        spans = [word for span in code_spans(part) for word in span.split()]
        missing += [f"{name}: {option}" for option in options(command) if option not in spans]
    return missing + [f"{option}" for option in options(group) if option not in text]


def without_example(group: Any) -> list[str]:
    """Commands whose help does not end with an example of themselves."""
    return [
        name
        for name, command in all_commands(group).items()
        if f"Example: lamplighter {name}" not in (command.epilog or "")
    ]


def wrong_lines(group: Any, lines: list[list[str]]) -> list[str]:
    """Command lines that name a command or an option that there is not."""
    wrong = []
    for words in lines:
        known_commands = all_commands(group) | group.commands | {"": group}
        names = [" ".join(words[:count]) for count in (2, 1)] if words and not words[0].startswith("-") else [""]
        command = next((known_commands[name] for name in names if name in known_commands), None)
        known = [*options(command), "--help", "-h"] if command is not None else []
        used = [word.partition("=")[0] for word in words if re.match(r"--?[a-z]", word)]
        if command is None or any(option not in known for option in used):
            wrong.append(" ".join(words))
    return wrong


@pytest.fixture(scope="module")
def fake() -> Any:
    """A small command line of which half is documented."""
    small = typer.Typer(add_completion=False)

    @small.command(epilog="Example: lamplighter paint --red")
    def paint(red: bool = typer.Option(False, "--red", "-r"), blue: bool = typer.Option(False, "--blue")) -> None: ...

    @small.command(epilog="Paints.")
    def wash(hot: bool = typer.Option(False, "--hot")) -> None: ...

    return get_command(small)


FAKE_PAGE = (
    "# Commands\n\n## paint\n\n```sh\nlamplighter paint --red\n```\n\n`--red`, `-r` for red; --blue is only said.\n"
)


def test_every_command_and_option_is_documented() -> None:
    assert undocumented(get_command(app), COMMANDS) == []


def test_what_is_undocumented_is_noticed(fake: Any) -> None:
    assert undocumented(fake, FAKE_PAGE) == [
        "paint: --blue",
        "wash: no section",
        "wash: no example",
        "wash: --hot",
    ]


def test_commands_of_a_group_are_checked_too() -> None:
    small, inner = typer.Typer(add_completion=False), typer.Typer(name="house")
    small.add_typer(inner)

    @inner.command("paint", epilog="Example: lamplighter house paint")
    def paint(red: bool = typer.Option(False, "--red")) -> None: ...

    @inner.command("wash")
    def wash() -> None: ...

    group = get_command(small)
    page = "## house\n\n```sh\nlamplighter house paint --red\nlamplighter house wash --red\n```\n"
    assert undocumented(group, page) == ["house paint: --red"]
    assert without_example(group) == ["house wash"]
    assert wrong_lines(group, command_lines(page)) == ["house wash --red"]


def test_every_help_ends_with_an_example() -> None:
    assert without_example(get_command(app)) == []


def test_a_help_without_example_is_noticed(fake: Any) -> None:
    assert without_example(fake) == ["wash"]


@pytest.mark.parametrize("page", TEXTS)
def test_command_lines_exist(page: str) -> None:
    assert wrong_lines(get_command(app), command_lines(TEXTS[page])) == []


def test_a_wrong_command_line_is_noticed(fake: Any) -> None:
    page = (
        "```sh\nlamplighter paint -r     # fine\nLAMP=1 .venv/bin/lamplighter wash --hot > file\nlamplighter iron\n"
        "lamplighter paint --hot\n```\n`lamplighter wash --cold` and `lamplighter` and `lamplighter.load`\n"
    )
    lines = command_lines(page)
    assert len(lines) == 6
    assert wrong_lines(fake, lines) == ["iron", "paint --hot", "wash --cold"]


# --- names of files and targets -------------------------------------------------------------------------------

NAMED_FILE = re.compile(r"[\w.<>*-]+(?:/[\w.<>*-]+)*/?")
SUFFIXES = (".py", ".md", ".toml", ".cff", ".txt", ".svg")


def make_targets(makefile: str) -> set[str]:
    return set(re.findall(r"^([a-z]+):.*##", makefile, re.MULTILINE))


def missing_targets(text: str, makefile: str) -> list[str]:
    """Targets that a page names and the Makefile does not have."""
    lines = [line for _, content in blocks(text) for line in content.splitlines()] + code_spans(text)
    named = [match[1] for line in lines if (match := re.match(r"make (?:\w+=\S+ )*([a-z]+)", line.strip()))]
    return [target for target in named if target not in make_targets(makefile)]


def slug(heading: str) -> str:
    """The anchor that a heading gets."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def links(text: str) -> Iterator[tuple[str, str]]:
    """Relative links: file and anchor."""
    for target in re.findall(r"\]\(([^)\s]+)\)", without_blocks(text)):
        if not re.match(r"[a-z]+:", target):
            path, _, anchor = target.partition("#")
            yield path, anchor


def broken_links(text: str, page: Path) -> list[str]:
    """Relative links of a page that lead nowhere, to a file or to a heading."""
    broken = []
    for path, anchor in links(text):
        target = page.parent / path if path else page
        found = text if target == page else target.read_text(encoding="utf-8") if target.is_file() else ""
        if not target.exists():
            broken.append(path)
        elif anchor and anchor not in map(slug, re.findall(r"^#+ (.+)$", found, re.MULTILINE)):
            broken.append(f"{path}#{anchor}")
    return broken


def missing_files(text: str, root: Path) -> list[str]:
    """Files that a page names and that are nowhere: a path from the root, or a bare name in any folder of ours."""
    ours = ("lamplighter", "tests", "docs", "bench", "examples", ".ci")
    known = {path.name for folder in ours for path in (root / folder).rglob("*")} | {
        path.name for path in root.iterdir()
    }
    missing = []
    for span in code_spans(text):
        looks_so = span.endswith(SUFFIXES) or re.match(rf"(?:{'|'.join(map(re.escape, ours))})/", span)
        if looks_so and NAMED_FILE.fullmatch(span) and "<" not in span:
            there = any(root.glob(span.rstrip("/"))) if "/" in span else span in known
            missing += [] if there else [span]
    return missing


@pytest.mark.parametrize("page", TEXTS)
def test_links_and_targets_exist(page: str) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert broken_links(TEXTS[page], ROOT / page) == []
    assert missing_targets(TEXTS[page], makefile) == []


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md"])
def test_files_that_are_named_exist(page: str) -> None:
    assert missing_files(TEXTS[page], ROOT) == []


def test_every_target_is_in_contributing() -> None:
    targets = make_targets((ROOT / "Makefile").read_text(encoding="utf-8")) - {"help"}
    assert {target for target in targets if f"`make {target}`" not in TEXTS["CONTRIBUTING.md"]} == set()


def test_what_does_not_exist_is_noticed(tmp_path: Path) -> None:
    page = tmp_path / "PAGE.md"
    page.write_text(
        "# A page\n\n## Two words\n[a](PAGE.md#two-words) [b](#a-page) [c](gone.md) [d](PAGE.md#gone) [e](https://x.org)\n"
        "`make paint`, `make N=1 wash`, `tests/a.py`, `tests/gone.py`, `a.py`, `lost.md`, `evening.lamp`\n"
    )
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "a.py").touch()
    text = page.read_text()
    assert broken_links(text, page) == ["gone.md", "PAGE.md#gone"]
    assert missing_targets(text, "paint: x ## paints\nhidden:\n") == ["wash"]
    assert missing_files(text, tmp_path) == ["tests/gone.py", "lost.md"]


# --- decisions ------------------------------------------------------------------------------------------------

PARTS = ("Question", "Choice", "Why", "Measurement|Measured", "Consequences")


def faults_of_decision(name: str, text: str) -> list[str]:
    """What a decision's page lacks: its number in the title, or one of its parts, each begun by its name, in order."""
    number = re.match(r"(\d{4})-[a-z0-9-]+\.md$", name)
    title = re.match(r"# (\d+) \S", text)
    faults = [] if number and title and int(number[1]) == int(title[1]) else ["number"]
    places = [re.search(rf"^(?:## |\*\*)?(?:{part})\b", text, re.MULTILINE) for part in PARTS]
    faults += [part for part, place in zip(PARTS, places, strict=True) if place is None]
    starts = [place.start() for place in places if place]
    return faults + ([] if starts == sorted(starts) else ["order"])


def test_decisions_have_all_parts() -> None:
    pages = sorted((DOCS / "decisions").glob("*.md"))
    for path in pages:
        assert faults_of_decision(path.name, path.read_text(encoding="utf-8")) == [], path.name
    assert [int(path.name[:4]) for path in pages] == list(range(1, len(pages) + 1))


def test_an_incomplete_decision_is_noticed() -> None:
    whole = "# 0003 So\n\n## Question\n\n## Choice\n\n**Why.** Because.\n\nMeasured: 2 ×\n\n## Consequences\n"
    assert faults_of_decision("0003-so.md", whole) == []
    assert faults_of_decision("0004-so.md", whole) == ["number"]
    assert faults_of_decision("0003-so.md", whole.replace("Measured", "It took")) == ["Measurement|Measured"]
    swapped = whole.replace("Question", "Q").replace("Choice", "Question").replace("## Q\n", "## Choice\n")
    assert faults_of_decision("0003-so.md", swapped) == ["order"]


# --- lists that must be whole ---------------------------------------------------------------------------------


def error_codes(kind: type[errors.LamplighterError] = errors.LamplighterError) -> set[str]:
    """The codes of an exception and of all below it."""
    return {kind.code}.union(*(error_codes(child) for child in kind.__subclasses__()))


def not_in_code(names: set[str], text: str) -> list[str]:
    """Names that a page does not have as code, alone or with arguments."""
    spans = {span.partition("(")[0] for span in code_spans(text)}
    return sorted(names - spans)


def test_every_error_code_is_in_the_notation_or_on_the_server_page() -> None:
    assert len(error_codes()) >= 10
    assert not_in_code(error_codes(), NOTATION + TEXTS["docs/server.md"]) == []


def test_every_key_of_an_example_is_explained() -> None:
    keys = {name.removeprefix("_") for name in vars(Example) if re.fullmatch(r"_[a-z]+", name)} - {"seat"}
    assert not_in_code({*keys, *HEADER}, TEXTS["docs/adding-a-game.md"]) == []


def test_a_missing_name_is_noticed() -> None:
    page = "`move/illegal`, move/stale, `check(box)`\n```\n`apply`\n```\n"
    assert not_in_code({"move/illegal", "move/stale", "check", "apply"}, page) == ["apply", "move/stale"]


def test_the_citation_has_this_version() -> None:
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {lamplighter.__version__}\n" in citation
    assert f" {lamplighter.__version__}\n" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def rewrite_tables() -> None:
    """Write the tables of the contract into the guide."""
    text = GUIDE
    for name in MODULES:
        head = f"## {name}.py\n\n"
        before, _, after = text.partition(head)
        text = before + head + contract.table(name) + re.sub(r"\A(?:\|.*\n)*", "", after)
    (ROOT / contract.GUIDE).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    rewrite_tables()
