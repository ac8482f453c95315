"""The promises of docs/architecture.md and of the rulebooks, checked. Each checker has a case that it rejects."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from lamplighter import bots, games
from lamplighter.engine.contract import MODULES
from lamplighter.engine.game import Game

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "lamplighter"


# --- imports and ids ------------------------------------------------------------------------------------------


def test_import_contracts() -> None:
    linter = Path(sys.executable).parent / "lint-imports"
    result = subprocess.run([linter, "--no-cache"], cwd=ROOT, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout


def files_naming(game_id: str, root: Path, allowed: Path) -> list[Path]:
    """Text files below `root`, but not in `allowed`, that contain the id as a word."""
    word = re.compile(rf"\b{re.escape(game_id)}\b")
    found = []
    for path in sorted(root.rglob("*")):
        text_file = path.suffix in (".py", ".toml", ".html", ".js", ".css") and allowed not in path.parents
        if text_file and word.search(path.read_text(encoding="utf-8")):
            found.append(path)
    return found


def test_no_file_outside_a_folder_names_its_game(own_game: Game) -> None:
    assert files_naming(own_game.id, PACKAGE, own_game.folder) == []


def test_naming_a_game_outside_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text("if game == 'chess': pass")
    (tmp_path / "chess").mkdir()
    (tmp_path / "chess" / "fine.py").write_text("chess")
    assert files_naming("chess", tmp_path, tmp_path / "chess") == [tmp_path / "bad.py"]


# --- bots -----------------------------------------------------------------------------------------------------


def bots_named(root: Path, names: Iterable[str]) -> list[str]:
    """Texts in the code below `root` that name a bot: bots are found by `lamplighter.bots`, and listed nowhere else."""
    quoted = re.compile(rf"""["'](?:bot:)?({"|".join(map(re.escape, names))})["']""")
    files = [path for path in sorted(root.rglob("*")) if path.suffix in (".py", ".js", ".html")]
    return [f"{path.name}: {name}" for path in files for name in quoted.findall(path.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("folder", ["engine", "lab", "paper", "web"])
def test_nothing_else_lists_bots(folder: str) -> None:
    assert bots_named(PACKAGE / folder, bots.names()) == []


def test_a_named_bot_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text("seats = ['bot:hal', 'hal 9', \"hal\"]")
    assert bots_named(tmp_path, ["hal", "max"]) == ["bad.py: hal", "bad.py: hal"]


# --- a test file for every module -----------------------------------------------------------------------------


def untested(package: Path, tests: Path) -> list[str]:
    """Modules and packages in a folder that have no test file of their name. One that has only a docstring needs none."""
    found = []
    for path in sorted(package.iterdir()):
        if path.name == "__init__.py":
            name, code = package.name, path.read_text(encoding="utf-8")
        elif path.suffix == ".py" or (path / "__init__.py").exists():
            name, code = path.stem, "\n\n"
        else:
            continue
        if len(code.splitlines()) > 1 and not (tests / f"test_{name}.py").exists():
            found.append(name)
    return found


@pytest.mark.parametrize("package", ["engine", "bots", "lab"])
def test_every_module_has_a_test_file_of_its_name(package: str) -> None:
    assert untested(PACKAGE / package, ROOT / "tests" / package) == []


def test_a_module_without_a_test_file_is_noticed(tmp_path: Path) -> None:
    for name in ("one/__init__.py", "one/two.py", "one/three/__init__.py", "one/five.py", "tests/test_five.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("import this\nimport that\n")
    assert untested(tmp_path / "one", tmp_path / "tests") == ["one", "three", "two"]


# --- rules and rulings ----------------------------------------------------------------------------------------


def paragraphs(rules: str) -> dict[str, str]:
    """The numbered paragraphs of a RULES.md."""
    parts = re.split(r"\*\*(§[\w.]+)\*\*", rules)
    return {parts[i]: parts[i + 1] for i in range(1, len(parts), 2)}


def cited(text: str) -> set[str]:
    """The paragraphs that a text names; `§4–§6` names all three.

    >>> sorted(cited("§4–§6, §P1"))
    ['§4', '§5', '§6', '§P1']
    """
    found = set(re.findall(r"§[A-Z]?\d+(?:\.\d+)?|§[A-Z]\b", text))
    for prefix, low, last, high in re.findall(r"§([A-Z]?(?:\d+\.)?)(\d+)–§?([A-Z]?(?:\d+\.)?)(\d+)", text):
        if last in ("", prefix):
            found |= {f"§{prefix}{number}" for number in range(int(low), int(high) + 1)}
    return found


def uncited(rules: str, code: str, tests: str) -> list[str]:
    """Paragraphs that can be enforced and that no kernel, or no test, names."""
    missing = []
    for number, text in paragraphs(rules).items():
        if "(table talk)" in text:
            continue
        missing += [f"{number} in code"] if number not in cited(code) else []
        missing += [f"{number} in a test"] if number not in cited(tests) else []
    return missing


def read_all(folder: Path, *patterns: str) -> str:
    return "\n".join(path.read_text(encoding="utf-8") for pattern in patterns for path in sorted(folder.glob(pattern)))


def test_every_paragraph_is_in_kernel_and_test(own_game: Game) -> None:
    folder = own_game.folder
    code = read_all(folder, "*.py", "[!t]*/*.py")  # the packages of a large game, not its tests
    tests = read_all(folder, "tests/*.py", "tests/examples/*.txt")
    assert len(paragraphs(own_game.rules_text)) >= 5
    assert uncited(own_game.rules_text, code, tests) == []


def test_an_uncited_paragraph_is_noticed() -> None:
    rules = "**§1** a\n\n**§2** b\n\n**§3** c (table talk)\n\n**§4** d"
    assert uncited(rules, "§1 §4", "§1–§2") == ["§2 in code", "§4 in a test"]


def missing_ruling_tests(rulings: str, tests: str, examples: set[str]) -> list[str]:
    """Rulings without a test, or whose test does not exist."""
    missing = []
    for ruling in re.split(r"^## ", rulings, flags=re.MULTILINE)[1:]:
        number = ruling.split()[0]
        named = re.findall(r"`(\w+)`", ruling.partition("**Test**")[2])
        if not named:
            missing.append(f"{number} names no test")
        missing += [f"{number}: {name}" for name in named if f"def {name}(" not in tests and name not in examples]
    return missing


def test_every_ruling_has_its_test(own_game: Game) -> None:
    folder = own_game.folder
    rulings = (folder / "RULINGS.md").read_text(encoding="utf-8")
    shared = read_all(ROOT / "tests", "*.py")
    examples = {path.stem for path in (folder / "tests" / "examples").glob("*.txt")}
    numbers = re.findall(r"^## R(\d+)", rulings, re.MULTILINE)
    assert [int(number) for number in numbers] == list(range(1, len(numbers) + 1))
    assert missing_ruling_tests(rulings, shared + read_all(folder, "tests/*.py"), examples) == []


def test_a_ruling_without_test_is_noticed() -> None:
    rulings = "# x\n## R1 a\n**Test** `test_a`\n## R2 b\n**Test** `gone`\n## R3 c\n"
    assert missing_ruling_tests(rulings, "def test_a(", set()) == ["R2: gone", "R3 names no test"]


# --- folders --------------------------------------------------------------------------------------------------


def test_every_own_game_is_complete(own_game: Game) -> None:
    folder = own_game.folder
    for name in ("RULES.md", "RULINGS.md", "box.toml", "state.py", "explain.py", "notation.py", "sheet.py"):
        assert (folder / name).exists(), name
    for name in ("components", "rules"):
        assert (folder / f"{name}.py").exists() or (folder / name / "__init__.py").exists(), name
    for name in ("reference.py", "counts.txt", f"test_{own_game.id}.py"):
        assert (folder / "tests" / name).exists(), name
    for name in ("short", "typical", "longest"):
        assert (folder / "tests" / "playthroughs" / f"{name}.txt").exists(), name
    assert len((folder / "__init__.py").read_text(encoding="utf-8").splitlines()) < 60


KINDS = {  # what a reader finds in the folder of every game, and nothing else
    "__init__.py", "RULES.md", "RULINGS.md", "box.toml", "bench.toml", "lesson.toml", "medals.toml", "components", "state.py",
    "rules", "explain.py", "notation.py", "texts.py", "locale", "sheet.py", "picture", "MINUTE.md", "evaluate.py", "features",
    "ceiling.py",
    "observe.py", "weights", "tests", "__pycache__",
}  # fmt: skip
PACKAGES = ("components", "rules", "picture", "features")  # a file in a small game, a folder in a large one
RULES_FILES = {  # of a package `rules`, which kernels are where, in this order; its other files are the game's own
    "turns.py": ["setup", "waiting", "chance_seat", "outcomes", "apply_chance", "is_over"],
    "legality.py": ["check", "legal_actions"],
    "effects.py": ["apply"],
    "scoring.py": ["score", "standing", "facts"],
}

WITH_DEFAULT = {need.name for need in MODULES["rules"].members() if need.default}


def strange_files(names: Iterable[str]) -> list[str]:
    """Names in a game's folder that no other game has."""
    return [name for name in names if name not in KINDS | {f"{package}.py" for package in PACKAGES}]


def test_the_same_kinds_of_file_in_every_game(own_game: Game) -> None:
    assert strange_files(sorted(path.name for path in own_game.folder.iterdir())) == []
    for package in PACKAGES:
        assert not ((own_game.folder / package).is_dir() and (own_game.folder / f"{package}.py").exists())


def test_a_file_of_another_kind_is_noticed() -> None:
    assert strange_files(["rules", "rules.py", "board.py", "state.py"]) == ["board.py"]


def misplaced(text: str, order: list[str]) -> list[str]:
    """Functions that a file lacks though they have no default, or that come before one that they should follow."""
    order = [name for name in order if f"def {name}(" in text or name not in WITH_DEFAULT]
    places = [text.find(f"def {name}(") for name in order]
    return [name for i, name in enumerate(order) if places[i] < 0 or places[i] < max(places[: i + 1])]


def test_the_order_of_the_rules(own_game: Game) -> None:
    """The rules go from set-up through chance, legality and effects to scoring, in every game."""
    package = own_game.folder / "rules"
    if package.is_dir():
        for name, order in RULES_FILES.items():
            assert misplaced((package / name).read_text(encoding="utf-8"), order) == [], name
    else:
        order = ["setup", "outcomes", "apply_chance", "check", "legal_actions", "apply", "is_over", "score"]
        assert misplaced((own_game.folder / "rules.py").read_text(encoding="utf-8"), order) == []


def test_rules_out_of_order_are_noticed() -> None:
    text = "def setup(): ...\ndef check(): ...\ndef apply(): ...\n"
    assert misplaced(text, ["setup", "check", "apply"]) == []
    assert misplaced(text, ["setup", "apply", "check", "score"]) == ["check", "score"]
    assert misplaced(text, ["setup", "check", "legal_actions", "apply"]) == []


def files_without_kernels_named(package: Path) -> list[str]:
    """Files of a package `rules` that its docstring does not tell about."""
    opening = (package / "__init__.py").read_text(encoding="utf-8").split('"""')[1]
    return [path.stem for path in sorted(package.glob("[!_]*.py")) if not re.search(rf"\b{path.stem}\b", opening)]


def test_a_package_of_rules_says_which_rule_is_where(own_game: Game, tmp_path: Path) -> None:
    package = own_game.folder / "rules"
    if package.is_dir():
        assert files_without_kernels_named(package) == []
        opening = (package / "__init__.py").read_text(encoding="utf-8").split('"""')[1]
        headings = re.findall(r"^## (\d+) ([^\[\n]+)", own_game.rules_text, re.MULTILINE)
        places = [opening.find(title.strip()) for _, title in headings]
        assert places == sorted(places) and -1 not in places, "the headings of RULES.md, in their order"
    (tmp_path / "__init__.py").write_text('"""turns: everything"""')
    (tmp_path / "secret.py").touch()
    assert files_without_kernels_named(tmp_path) == ["secret"]


def test_references_stand_alone(own_game: Game) -> None:
    """A reference that borrowed from the kernel, or from NumPy, would prove nothing."""
    text = (own_game.folder / "tests" / "reference.py").read_text(encoding="utf-8")
    imports = re.findall(r"^\s*(?:from|import) (\S+)", text, re.MULTILINE)
    assert not [name for name in imports if name.split(".")[0] in ("numpy", "numba", "lamplighter")]


def test_third_party_games_are_found() -> None:
    assert "connect_four" in games.names()
    assert "connect_four" not in games.own_names()


@pytest.mark.parametrize(
    ("folder", "reason"),
    [
        ("nothing", "not a game's folder"),
        ("other", "must have a GAME whose id is 'other'"),
        (games.own_names()[0], "rename yours"),
    ],
)
def test_a_wrong_folder_is_a_sentence(folder: str, reason: str, tmp_path: Path) -> None:
    """What LAMPLIGHTER_GAMES names must be a game, under its own name."""
    path = tmp_path / folder
    if folder != "nothing":
        path.mkdir()
        (path / "__init__.py").write_text("GAME = None\n")
    result = subprocess.run(
        [sys.executable, "-m", "lamplighter", "games"],
        capture_output=True, text=True, env={**os.environ, "LAMPLIGHTER_GAMES": str(path), "COLUMNS": "300"},
    )  # fmt: skip
    assert result.returncode == 2
    assert reason in result.stderr
    assert "Traceback" not in result.stderr


def test_nothing_names_this_machine() -> None:
    """No path of one machine and no package address in what is shipped."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode:
        pytest.skip("not a git checkout")
    bad = re.compile(r"/wor[k]/|/roo[t]/|/hom[e]/[a-z]+/|index-ur[l]|https?://(?:pypi|files\.pythonhosted)")
    for name in listed.stdout.splitlines():
        path = ROOT / name
        if path.suffix in (".py", ".md", ".toml", ".txt", ".cff", "") and path.is_file():
            assert not bad.search(path.read_text(encoding="utf-8", errors="replace")), name
