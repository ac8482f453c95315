"""The only door to Numba: one decorator, the compile cache, bit helpers, and the switch to plain Python.

With `NUMBA_DISABLE_JIT=1` nothing here imports Numba and every kernel is the plain Python function it looks like.

Numba's own cache notices a change only in the file of the cached function, so that an edited callee or constant
elsewhere runs stale code without a word. Here the cache is in a folder named after a fingerprint of all sources that
a kernel can see, the Numba version and the bounds flag: an edit of any of them makes a new folder.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.metadata
import os
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar, cast

import numpy as np

PURE = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
BOUNDS_CHECKED = os.environ.get("NUMBA_BOUNDSCHECK", "0") not in ("", "0")
PACKAGE = Path(__file__).resolve().parent
# what kernels of every folder may use; only these and a game's own folder decide whether a kernel is compiled again
CORE = tuple(PACKAGE / name for name in ("jit.py", "engine/chance.py", "engine/defaults.py", "engine/loops.py"))

# parts of a game's folder that are for people: a kernel sees one only if a file of kernels imports it
FOR_PEOPLE = frozenset(("explain", "notation", "picture", "sheet", "tests", "texts"))
IMPORTS_THEM = re.compile(rf"^\s*(?:from|import)\b.*\b(?:{'|'.join(sorted(FOR_PEOPLE))})\b", re.MULTILINE)

Function = TypeVar("Function", bound=Callable[..., Any])


# --- the cache ------------------------------------------------------------------------------------------------


def cache_root() -> Path:
    """Return where compiled kernels are: `NUMBA_CACHE_DIR` if the user set one, else the user's cache folder."""
    if os.environ.get("NUMBA_CACHE_DIR"):
        return Path(os.environ["NUMBA_CACHE_DIR"]).resolve() / "lamplighter"
    import platformdirs

    return Path(platformdirs.user_cache_dir("lamplighter", appauthor=False)) / "kernels"


def sources(root: Path) -> list[Path]:
    """Return the sources below a folder that a kernel in it can see; a file is its own only source."""
    if not root.is_dir():
        return [root]
    files = [path for path in sorted(root.rglob("*.py")) if "tests" not in path.relative_to(root).parts]
    seen = [path for path in files if path.relative_to(root).with_suffix("").parts[0] not in FOR_PEOPLE]
    return files if any(IMPORTS_THEM.search(path.read_text(encoding="utf-8")) for path in seen) else seen


@functools.cache
def fingerprint(folder: Path, *more: Path) -> str:
    """Return a name for exactly the code that a kernel in `folder` can see: that folder and the core, as import contracts say.

    `more` are files of loops that are compiled against its kernels.

    Numba, NumPy, Python and the bounds flag are part of it. The processor is not: Numba's index tells those apart.
    """
    digest = hashlib.sha256()
    for part in (importlib.metadata.version("numba"), np.__version__, sys.version, str(BOUNDS_CHECKED)):
        digest.update(part.encode() + b"\0")
    for root in (*CORE, folder, *more):
        for path in sources(root):
            digest.update(str(path.relative_to(root.parent)).encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


@functools.cache
def cache_folder(folder: Path = CORE[0], *more: Path) -> Path | None:
    """Return the folder for kernels of this fingerprint, made and tried; None when there can be none."""
    if os.environ.get("LAMPLIGHTER_CACHE", "1") == "0":
        return None
    try:
        path = cache_root() / fingerprint(folder, *more)
        path.mkdir(parents=True, exist_ok=True)
        probe = path / f".probe-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError:
        return None
    return path


def clear_cache() -> int:
    """Delete every compiled kernel, of this and of older sources. Return how many files were removed."""
    root = cache_root()
    files = sum(1 for path in root.rglob("*") if path.is_file()) if root.is_dir() else 0
    shutil.rmtree(root, ignore_errors=True)
    cache_folder.cache_clear()
    return files


# --- compiling ------------------------------------------------------------------------------------------------


def home_of(path: Path) -> Path:
    """Return what a kernel in this file can see, besides the core: the folder of its game, or the package it belongs to."""
    if path in CORE:
        return path
    folder = path.parent
    for ancestor in (folder, *folder.parents):
        if ancestor.parent == PACKAGE / "games":
            return ancestor
    while (folder.parent / "__init__.py").exists():
        folder = folder.parent
    return folder


def _njit(function: Callable[..., Any], home: Path, *more: Path, allocates: bool = False, inlined: bool = False) -> Any:
    import numba

    _teach_bits()
    folder = cache_folder(home, *more)
    if folder is not None:
        numba.config.CACHE_DIR = str(folder)  # read by Numba when the decorator runs
    options = {"nogil": True, "error_model": "numpy", "_nrt": allocates, "forceinline": inlined}
    return numba.njit(cache=folder is not None, **options)(function)


def kernel(function: Function) -> Function:
    """Mark a function as a kernel: compiled on first use and cached, without the GIL; plain in the pure mode.

    The arrays that it uses belong to whoever called it from Python, so references to them are not counted. That saves up to
    a quarter of the time, and it means that a kernel cannot make an array.
    """
    return function if PURE else _njit(function, home_of(Path(function.__code__.co_filename).resolve()))


def inlined_kernel(function: Function) -> Function:
    """Mark a function as a kernel whose code is put wherever it is called: one that is called from few places, with arrays."""
    home = home_of(Path(function.__code__.co_filename).resolve())
    return function if PURE else _njit(function, home, inlined=True)


def allocating_kernel(function: Function) -> Function:
    """Mark a function as a kernel that makes arrays of its own. It is slower: references are counted in it."""
    home = home_of(Path(function.__code__.co_filename).resolve())
    return function if PURE else _njit(function, home, allocates=True)


INLINED: set[Callable[..., Any]] = set()


def inlined_loop(function: Function) -> Function:
    """Mark a function whose code `compile_for` puts wherever it is called: a call with many arrays takes as long as a move."""
    INLINED.add(function)
    return function


def compile_for(folder: Path, function: Function, name: str, /, *more: Path, **meanings: Any) -> Function:
    """Compile a copy of `function` in which the global names in `meanings` mean these kernels of a game's folder.

    The copy calls the game's own functions, so that LLVM can inline them. It is filed in the cache of that folder under
    `name`, which must be the only one of its kind there: Numba tells cached functions apart by name, code and argument
    types, not by what their globals mean. `more` are the files of the loop, if they are not of the core.
    """
    copy = FunctionType(function.__code__, {**function.__globals__, **meanings}, name, function.__defaults__)
    copy.__qualname__ = name
    copy.__doc__ = function.__doc__
    inlined = function in INLINED
    return cast("Function", copy if PURE else _njit(copy, home_of(folder / "__init__.py"), *more, inlined=inlined))


def direct(function: Function, *arguments: Any) -> Function:
    """Return a kernel as it is compiled for arguments like these. A call takes a quarter of the time.

    Numba looks at the types of all arguments in every call, which takes longer than a move. Here nothing looks, so this is for
    arrays that never change.
    """
    if PURE:
        return function
    import numba

    return cast("Function", cast("Any", function).compile(tuple(numba.typeof(argument) for argument in arguments)))


# --- bits -----------------------------------------------------------------------------------------------------
# A set of up to 62 squares is an int64, one bit a square (never uint64: it turns to float when mixed with ints). One of 64
# uses the sign too; in plain Python it is then negative, so that whoever takes its squares one by one counts them first.

ALL_BITS = (1 << 64) - 1  # of an int64, the sign among them
NATURAL = (1 << 63) - 1  # of an int64, without the sign


def count_bits(bits: int) -> int:
    """Return how many squares are in the set."""
    return (int(bits) & ALL_BITS).bit_count()


def first_bit(bits: int) -> int:
    """Return the lowest square of a set that is not empty."""
    bits = int(bits)
    return (bits & -bits).bit_length() - 1


def natural(n: int) -> int:
    """Return a number that is not negative, and say so to the compiler: an index then needs no code for counting from the end."""
    return n


SPARE = 8  # numbers for which `list_bits` needs room behind the last


def list_bits(bits: int, first: int, out: Any, n: int) -> int:
    """Write `first` + square for every square of a set to `out`, after `n` numbers that are there. Return how many are there now.

    Eight are written at a time, so that the processor seldom has to guess how many there are. Those behind the last mean
    nothing.
    """
    end = n + count_bits(bits)
    while True:
        n = natural(n)
        for i in range(SPARE):
            out[n + i] = first + first_bit(bits)
            bits &= bits - 1
        n += SPARE
        if n >= end:
            return end


@functools.cache
def _teach_bits() -> None:
    """Tell Numba which instruction each helper is. Only what compiles needs it, so that importing this file stays cheap."""
    from llvmlite import ir
    from numba.core import types
    from numba.extending import intrinsic, overload

    # What is not typed here cannot be: Numba's decorators have no types, and `overload` wants the decorated function to have
    # the same signature as the lambda that it returns, which cannot be annotated.

    @intrinsic  # type: ignore[untyped-decorator]
    def ctpop(_context: Any, _bits: Any) -> Any:
        def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            return builder.ctpop(arguments[0])

        return types.int64(types.int64), generate

    @intrinsic  # type: ignore[untyped-decorator]
    def cttz(_context: Any, _bits: Any) -> Any:
        def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

        return types.int64(types.int64), generate

    @overload(count_bits, inline="always")
    def count(bits):  # type: ignore[no-untyped-def]
        return lambda bits: ctpop(bits)

    @overload(first_bit, inline="always")
    def first(bits):  # type: ignore[no-untyped-def]
        return lambda bits: cttz(bits)

    @overload(natural, inline="always")
    def not_negative(n):  # type: ignore[no-untyped-def]
        return lambda n: n & NATURAL

    @overload(list_bits, strict=False)
    def listed(bits, first, out, n):  # type: ignore[no-untyped-def]
        return list_bits
