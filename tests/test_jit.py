"""The compile cache: named by what the code is, harmless when it cannot be written, and off on request."""

from __future__ import annotations

import ast
import os
import re
import stat
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from lamplighter import games, jit
from lamplighter.bots import hindsight_kernels
from lamplighter.bots.search import program
from lamplighter.cli import warm_cache

PROGRAM = """
import sys
sys.path.insert(0, sys.argv[1])
from outside import answer
print(answer())
"""


def run_outside(folder: Path, **environment: str) -> str:
    """Call a kernel that lives in a folder outside the package, in a process of its own.

    It writes no byte code: Python would take that of a file changed within the same second, of the same length, for current.
    """
    result = subprocess.run(
        [sys.executable, "-B", "-c", PROGRAM, str(folder)],
        capture_output=True, text=True, check=True, env={**os.environ, **environment},
    )  # fmt: skip
    return result.stdout.strip()


def write_outside(folder: Path, constant: int) -> None:
    package = folder / "outside"
    package.mkdir(exist_ok=True)
    (package / "numbers.py").write_text(f"CONSTANT = {constant}\n")
    (package / "__init__.py").write_text(
        "from lamplighter.jit import kernel\nfrom outside.numbers import CONSTANT\n"
        "@kernel\ndef answer():\n    return CONSTANT\n"
    )


@pytest.mark.skipif(jit.PURE, reason="nothing is compiled")
def test_a_changed_constant_in_another_file_is_seen(tmp_path: Path) -> None:
    """Numba alone would run the stale 21 here."""
    cache = {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    write_outside(tmp_path, 21)
    assert run_outside(tmp_path, **cache) == "21"
    write_outside(tmp_path, 67)
    assert run_outside(tmp_path, **cache) == "67"
    assert len(list((tmp_path / "cache" / "lamplighter").iterdir())) >= 2


@pytest.mark.skipif(jit.PURE, reason="nothing is compiled")
def test_the_second_start_is_a_cache_hit(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    write_outside(tmp_path, 5)
    run_outside(tmp_path, NUMBA_CACHE_DIR=str(cache))
    before = sorted((path, path.stat().st_mtime_ns) for path in cache.rglob("*.program"))
    assert before
    run_outside(tmp_path, NUMBA_CACHE_DIR=str(cache))
    assert sorted((path, path.stat().st_mtime_ns) for path in cache.rglob("*.program")) == before


@pytest.mark.skipif(jit.PURE, reason="nothing is compiled")
def test_no_cache_at_all_still_works(tmp_path: Path) -> None:
    write_outside(tmp_path, 8)
    missing = tmp_path / "file"
    missing.write_text("a file where the folder should be")
    assert run_outside(tmp_path, NUMBA_CACHE_DIR=str(missing)) == "8"
    assert run_outside(tmp_path, LAMPLIGHTER_CACHE="0", NUMBA_CACHE_DIR=str(tmp_path / "unused")) == "8"
    assert not (tmp_path / "unused").exists()


def test_read_only_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "read-only"
    folder.mkdir()
    folder.chmod(stat.S_IRUSR | stat.S_IXUSR)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(folder))
    jit.cache_folder.cache_clear()
    try:
        found = jit.cache_folder()
        assert found is None if os.geteuid() else found is not None  # root may write anywhere
    finally:
        folder.chmod(stat.S_IRWXU)
        jit.cache_folder.cache_clear()


def test_clearing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    jit.cache_folder.cache_clear()
    folder = jit.cache_folder()
    assert folder is not None
    (folder / "a.nbi").touch()
    assert jit.clear_cache() == 1
    assert not folder.exists()
    assert jit.clear_cache() == 0
    jit.cache_folder.cache_clear()


def test_fingerprint_follows_the_sources(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("A = 1\n")
    jit.fingerprint.cache_clear()
    first = jit.fingerprint(tmp_path)
    (tmp_path / "a.py").write_text("A = 2\n")
    jit.fingerprint.cache_clear()
    assert jit.fingerprint(tmp_path) != first


def test_what_people_read_compiles_nothing_again(tmp_path: Path) -> None:
    """Unless a file of kernels imports it."""
    (tmp_path / "picture").mkdir()
    (tmp_path / "rules.py").write_text("from .state import SIZE\n")
    texts, picture, state = tmp_path / "texts.py", tmp_path / "picture" / "sheet.py", tmp_path / "state.py"

    def changes(path: Path) -> bool:
        jit.fingerprint.cache_clear()
        path.write_text("A = 1\n")
        first = jit.fingerprint(tmp_path)
        jit.fingerprint.cache_clear()
        path.write_text("A = 2\n")
        return jit.fingerprint(tmp_path) != first

    assert [changes(path) for path in (texts, picture, state)] == [False, False, True]
    (tmp_path / "rules.py").write_text("from .texts import A\n")
    assert changes(texts)
    jit.fingerprint.cache_clear()


def test_the_core_is_part_of_every_fingerprint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An edit of what all kernels share must be noticed by all of them."""
    shared = tmp_path / "shared.py"
    shared.write_text("A = 1\n")
    empty = tmp_path / "empty"
    empty.mkdir()
    monkeypatch.setattr(jit, "CORE", (shared,))
    jit.fingerprint.cache_clear()
    first = jit.fingerprint(empty)
    shared.write_text("A = 2\n")
    jit.fingerprint.cache_clear()
    assert jit.fingerprint(empty) != first
    jit.fingerprint.cache_clear()


def imported(path: Path) -> set[str]:
    """What a module imports from the package when it runs, leaving out what only the type checker reads."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found: set[str] = set()
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("lamplighter"):
            found |= {f"{node.module}.{name.name}" for name in node.names}
    return found


def test_kernels_live_only_where_the_fingerprint_looks() -> None:
    """A kernel module of the package outside the core belongs to one game's folder."""
    for path in jit.PACKAGE.rglob("*.py"):
        if "\n@kernel\n" in path.read_text(encoding="utf-8"):
            for_all = {*jit.CORE, *warm_cache.SEARCH_FILES, Path(str(hindsight_kernels.__file__))}
            assert path in for_all or path.relative_to(jit.PACKAGE).parts[0] == "games", path


def test_the_core_needs_nothing_outside_itself() -> None:
    """A constant from another file would be frozen into kernels that are not compiled again when it changes."""
    core = {".".join(("lamplighter", *path.relative_to(jit.PACKAGE).with_suffix("").parts)) for path in jit.CORE}
    core = {name.removesuffix(".__init__") for name in core} | {"lamplighter.errors"}
    for path in jit.CORE:
        for name in imported(path):
            assert name in core or name.rpartition(".")[0] in core, f"{path.name} imports {name}"


def test_the_cache_knows_a_program_by_its_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server asks, before anything is loaded, whether it has to wait for the compiler."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    rules = tmp_path / "game" / "rules.py"
    rules.parent.mkdir()
    monkeypatch.setattr(games, "load", lambda name: SimpleNamespace(folder=rules.parent))
    try:
        for text in ("A = 1\n", "A = 2\n"):
            rules.write_text(text)
            jit.cache_folder.cache_clear()
            jit.fingerprint.cache_clear()
            assert not warm_cache.is_warm("game")
            path = jit.Program("game", (rules.parent,), {}).path
            assert path is not None
            path.touch()
            assert warm_cache.is_warm("game")
    finally:
        jit.cache_folder.cache_clear()
        jit.fingerprint.cache_clear()


def test_warming_up_knows_the_sources_of_the_search() -> None:
    """Else it would count as compiled when it is not, or never."""
    assert program.SOURCES == warm_cache.SEARCH_FILES
    folder = jit.cache_folder(*warm_cache.SEARCH_FILES)
    assert program.PROGRAM.path == (folder and folder / f"{warm_cache.SEARCH}.program")


@pytest.mark.skipif(jit.PURE, reason="nothing is compiled")
def test_a_damaged_program_is_made_again(tmp_path: Path) -> None:
    write_outside(tmp_path, 5)
    cache = {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    run_outside(tmp_path, **cache)
    (found,) = (tmp_path / "cache").rglob("*.program")
    whole = found.read_bytes()
    for damaged in (b"", b"no program", whole[: len(whole) // 2]):
        found.write_bytes(damaged)
        assert run_outside(tmp_path, **cache) == "5"
        assert len(found.read_bytes()) > 1000


def test_bits() -> None:
    assert jit.count_bits(0b1011) == 3
    assert jit.count_bits(-1) == 64 and jit.count_bits(-1 << 63) == 1, "the sign is a bit too"
    assert jit.first_bit(0b1011000) == 3
    assert jit.first_bit(1 << 61) == 61

    @jit.kernel
    def both(bits: int) -> int:
        return 100 * jit.count_bits(bits) + jit.first_bit(bits)

    assert both(0b1011000) == 303
    assert both(-1 << 63) == 163


@pytest.mark.parametrize("squares", [[], [0], [63], [3, 5, 61], list(range(8)), list(range(9)), list(range(64))])
def test_listing_bits(squares: list[int]) -> None:
    """What was there stays, and every square follows in order, also the one that is the sign."""

    @jit.kernel
    def listed(bits: int, out: np.ndarray[Any, Any], n: int) -> int:
        return jit.list_bits(bits, 100, out, n)

    bits = sum(1 << square for square in squares if square < 63) - (1 << 63 if 63 in squares else 0)
    out = np.full(2 + 64 + jit.SPARE, -1, np.int64)
    assert listed(bits, out, 2) == 2 + len(squares)
    assert out[: 2 + len(squares)].tolist() == [-1, -1, *(100 + square for square in squares)]


answer: Any = None  # see `bind`


def ask_for_answer(number: int) -> int:
    return answer() + number


@pytest.mark.skipif(jit.PURE, reason="nothing is compiled")
def test_copies_of_one_function_do_not_mix() -> None:
    """The same code with the same arguments, where only what a global name means is different."""

    @jit.kernel
    def one() -> int:
        return 1

    @jit.kernel
    def two() -> int:
        return 2

    assert [jit.bind(ask_for_answer, answer=meaning)(10) for meaning in (one, two)] == [11, 12]


@pytest.mark.skipif(jit.PURE, reason="nothing is compiled")
def test_only_an_allocating_kernel_makes_arrays() -> None:
    @jit.allocating_kernel
    def allowed(n: int) -> int:
        return len(np.zeros(n, np.int64))

    @jit.kernel
    def refused(n: int) -> int:
        return len(np.zeros(n, np.int64))

    assert allowed(3) == 3
    with pytest.raises(Exception, match="array passed into the function"):
        refused(3)


@pytest.mark.skipif(jit.PURE, reason="nothing is compiled")
def test_only_a_kernel_calls_a_kernel() -> None:
    """What else Numba compiles would need machine code of the kernel, which there is none of."""
    import numba

    @jit.kernel
    def double(n: int) -> int:
        return 2 * n

    @numba.njit  # type: ignore[untyped-decorator]
    def stranger(n: int) -> int:
        return double(n) + 1

    with pytest.raises(Exception, match=r"decorate the calling function with lamplighter\.jit\.kernel"):
        stranger(3)
    assert jit.kernel(stranger.py_func)(3) == 7


@pytest.mark.skipif(jit.PURE, reason="nothing is compiled")
def test_entries_look_at_their_arguments_unless_told_to_trust() -> None:
    loops, states = games.load("connect_four").loops.batches, np.zeros((3, 3), np.int64)
    words = np.zeros(4, np.int64)
    with pytest.raises(TypeError):
        loops.number_rows(states, 1, words)
    once, again = np.zeros(3, np.int64), np.zeros(3, np.int64)
    loops.number_rows(once, 1, words)
    jit.trusting(loops.number_rows)(again, 1, words)
    assert once.tolist() == again.tolist() != [0, 0, 0]


# --- what is said while it compiles ---------------------------------------------------------------------------


def run_cold(cache: Path, *command: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run a command of ours, with a cache of its own."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache), **more}
    return subprocess.run([sys.executable, *command], capture_output=True, text=True, check=True, env=environment)


@pytest.mark.skipif(jit.PURE, reason="nothing is compiled")
def test_a_command_says_that_it_compiles_and_how_long_that_takes(tmp_path: Path) -> None:
    """Once for each program that takes long; the first time with the command that compiles everything at once."""
    name = games.own_names()[0]
    show = ("-m", "lamplighter", "show", name, "--seed", "1")
    first, again = (run_cold(tmp_path, *show) for _ in range(2))
    said = first.stderr.splitlines()
    hint = r" \(lamplighter warm compiles everything now\)"
    assert re.fullmatch(rf"compiling {games.load(name).title}, once, about \d+ s{hint}", said[0])
    assert all(line.startswith("compiling ") and "warm" not in line for line in said[1:])
    assert again.stderr == "" and first.stdout == again.stdout


def test_a_library_is_quiet_unless_somebody_listens(caplog: pytest.LogCaptureFixture) -> None:
    large = jit.Program("large", (jit.PACKAGE / "games" / games.own_names()[0],), {}, title="Large")
    large._announce()
    assert caplog.messages == []
    with caplog.at_level("INFO", "lamplighter.compile"):
        large._announce()
        jit.Program("small", (jit.CORE[0].parent / "version.py",), {}, title="Small")._announce()
    (said,) = caplog.messages
    assert said.startswith(f"compiling Large, once, about {large.seconds} s") and large.seconds >= jit.LONG


@pytest.mark.skipif(jit.PURE, reason="nothing is compiled")
def test_a_cache_that_cannot_be_written_is_told_once(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("a file where the folder should be")
    show = ("-m", "lamplighter", "show", "connect_four", "--seed", "1")
    said = run_cold(tmp_path / "file", *show).stderr
    assert said.count("compiled code cannot be kept in ") == 1 and "set NUMBA_CACHE_DIR to a folder" in said
    assert "kept" not in run_cold(tmp_path / "file", *show, LAMPLIGHTER_CACHE="0").stderr, "somebody wanted none"
