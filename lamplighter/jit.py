"""The only door to Numba: one decorator, the compile cache, bit helpers, and the switch to plain Python.

With `NUMBA_DISABLE_JIT=1` nothing here imports Numba and every kernel is the plain Python function it looks like.

Numba's own cache notices a change only in the file of the cached function, so that an edited callee or constant
elsewhere runs stale code without a word. Here the cache lies in a folder named after a fingerprint of all sources that
a kernel can see, the Numba version and the bounds flag: an edit of any of them makes a new folder.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.metadata
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

PURE = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
BOUNDS_CHECKED = os.environ.get("NUMBA_BOUNDSCHECK", "0") not in ("", "0")
PACKAGE = Path(__file__).resolve().parent
CORE = tuple(PACKAGE / name for name in ("jit.py", "engine", "bots"))  # what kernels of every folder may use

Function = TypeVar("Function", bound=Callable[..., Any])


# --- the cache ------------------------------------------------------------------------------------------------


def cache_root() -> Path:
    """Where compiled kernels live: `NUMBA_CACHE_DIR` if the user set one, else the user's cache folder."""
    if "NUMBA_CACHE_DIR" in os.environ:
        return Path(os.environ["NUMBA_CACHE_DIR"]) / "lamplighter"
    import platformdirs

    return Path(platformdirs.user_cache_dir("lamplighter", appauthor=False)) / "kernels"


@functools.cache
def fingerprint(folder: Path) -> str:
    """A name for the very code that a kernel in `folder` can see: that folder and the core, as import contracts say.

    Numba, NumPy, Python and the bounds flag are part of it. The processor is not: Numba's index tells those apart.
    """
    digest = hashlib.sha256()
    for part in (importlib.metadata.version("numba"), np.__version__, sys.version, str(BOUNDS_CHECKED)):
        digest.update(part.encode() + b"\0")
    for root in (*CORE, folder):
        for path in sorted(root.rglob("*.py")) if root.is_dir() else [root]:
            if "tests" not in path.relative_to(root.parent).parts[1:]:
                digest.update(str(path.relative_to(root.parent)).encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


@functools.cache
def cache_folder(folder: Path = PACKAGE / "engine") -> Path | None:
    """The folder for kernels of this fingerprint, made and tried; None when there can be none."""
    if os.environ.get("LAMPLIGHTER_CACHE", "1") == "0":
        return None
    try:
        path = cache_root() / fingerprint(folder)
        path.mkdir(parents=True, exist_ok=True)
        probe = path / f".probe-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError:
        return None
    return path


def clear_cache() -> int:
    """Delete every compiled kernel, of this and of older sources; the number of files that went."""
    root = cache_root()
    files = sum(1 for path in root.rglob("*") if path.is_file()) if root.is_dir() else 0
    shutil.rmtree(root, ignore_errors=True)
    cache_folder.cache_clear()
    return files


# --- compiling ------------------------------------------------------------------------------------------------


def _home(function: Callable[..., Any]) -> Path:
    """The folder whose sources a kernel belongs to: its game's, or its own."""
    folder = Path(function.__code__.co_filename).resolve().parent
    for ancestor in (folder, *folder.parents):
        if ancestor.parent == PACKAGE / "games":
            return ancestor
    return folder


def _njit(function: Callable[..., Any], *signature: Any) -> Any:
    import numba

    folder = cache_folder(_home(function))
    if folder is not None:
        numba.config.CACHE_DIR = str(folder)  # read by Numba when the decorator runs
    return numba.njit(*signature, cache=folder is not None, nogil=True, error_model="numpy")(function)


def kernel(function: Function) -> Function:
    """Mark a function as a kernel: compiled on first use and cached, without the GIL; plain in the pure mode."""
    return function if PURE else _njit(function)


def specialise(function: Function, result: Any, *arguments: Any) -> Function:
    """Compile `function` for exactly these argument types, so that kernels passed to it are cache hits on every start.

    A type is a dtype (a record), a NumPy scalar type, `[type]` for a one-dimensional array, `(result, *arguments)` for
    a function, or None for nothing.
    """
    return function if PURE else _njit(function, _numba_type(result)(*map(_numba_type, arguments)))


def _numba_type(kind: Any) -> Any:
    from numba import from_dtype, types

    if kind is None:
        return types.void
    if isinstance(kind, list):
        return types.Array(_numba_type(kind[0]), 1, "C")
    if isinstance(kind, tuple):
        return types.FunctionType(_numba_type(kind[0])(*map(_numba_type, kind[1:])))
    return from_dtype(np.dtype(kind))


# --- bits -----------------------------------------------------------------------------------------------------
# A set of up to 62 squares is an int64, one bit a square (never uint64: it turns to float when mixed with ints).


def count_bits(bits: int) -> int:
    """How many squares are in the set."""
    return int(bits).bit_count()


def first_bit(bits: int) -> int:
    """The lowest square of a set that is not empty."""
    bits = int(bits)
    return (bits & -bits).bit_length() - 1


if not PURE:
    from llvmlite import ir as _ir
    from numba.core import types as _types
    from numba.extending import intrinsic as _intrinsic
    from numba.extending import overload as _overload

    @_intrinsic  # type: ignore[untyped-decorator]
    def _ctpop(_context: Any, _bits: Any) -> Any:
        def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            return builder.ctpop(arguments[0])

        return _types.int64(_types.int64), generate

    @_intrinsic  # type: ignore[untyped-decorator]
    def _cttz(_context: Any, _bits: Any) -> Any:
        def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            return builder.cttz(arguments[0], _ir.Constant(_ir.IntType(1), 1))

        return _types.int64(_types.int64), generate

    @_overload(count_bits, inline="always")
    def _count_bits(bits):  # type: ignore[no-untyped-def]  # Numba wants both signatures alike, annotations too
        return lambda bits: _ctpop(bits)

    @_overload(first_bit, inline="always")
    def _first_bit(bits):  # type: ignore[no-untyped-def]
        return lambda bits: _cttz(bits)
