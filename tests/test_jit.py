"""The compile cache: named by what the code is, harmless when it cannot be written, and off on request."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from lamplighter import jit

PROGRAM = """
import sys
sys.path.insert(0, sys.argv[1])
from outside import answer
print(answer())
"""


def run_outside(folder: Path, **environment: str) -> str:
    """Call a kernel that lives in a folder outside the package, in a process of its own."""
    result = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(folder)],
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
    before = sorted((path, path.stat().st_mtime_ns) for path in cache.rglob("*.nb?"))
    assert before
    run_outside(tmp_path, NUMBA_CACHE_DIR=str(cache))
    assert sorted((path, path.stat().st_mtime_ns) for path in cache.rglob("*.nb?")) == before


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


def test_kernels_live_only_where_the_fingerprint_looks() -> None:
    """A kernel module of the package outside the core belongs to one game's folder."""
    for path in jit.PACKAGE.rglob("*.py"):
        if "jit import" in path.read_text(encoding="utf-8") and "kernel" in path.read_text(encoding="utf-8"):
            home = path.relative_to(jit.PACKAGE).parts
            assert home[0] in ("engine", "bots") or home[0] == "games", path


def test_bits() -> None:
    assert jit.count_bits(0b1011) == 3
    assert jit.first_bit(0b1011000) == 3
    assert jit.first_bit(1 << 61) == 61

    @jit.kernel
    def both(bits: int) -> int:
        return 100 * jit.count_bits(bits) + jit.first_bit(bits)

    assert both(0b1011000) == 303
