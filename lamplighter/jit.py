"""Compile kernels, or run them as plain Python: the decorator, programs and their cache, calls between programs, bit helpers.

With `NUMBA_DISABLE_JIT=1` nothing here imports Numba and every kernel is the plain Python function it looks like.

Compiled code is kept in one file a *program*: the kernels of a game with the loops around them, or the search, which calls the
kernels of any game. A file is named after a fingerprint of all sources that the program can see, so that an edit makes a new one.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.metadata
import logging
import os
import re
import shutil
import sys
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, cast

import numpy as np

if TYPE_CHECKING:
    from lamplighter.native import Export, Loaded

log = logging.getLogger(
    "lamplighter.compile"
)  # the command line shows it; elsewhere it is quiet unless somebody wants it
PURE = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
BOUNDS_CHECKED = os.environ.get("NUMBA_BOUNDSCHECK", "0") not in ("", "0")
PACKAGE = Path(__file__).resolve().parent
# what kernels of every folder may use; only these and a game's own folder decide whether a kernel is compiled again
CORE = tuple(
    PACKAGE / name for name in ("jit.py", "native.py", "engine/chance.py", "engine/defaults.py", "engine/loops.py")
)

# parts of a game's folder that are for people: a kernel sees one only if a file of kernels imports it
FOR_PEOPLE = frozenset(("explain", "notation", "picture", "sheet", "tests", "texts"))
IMPORTS_THEM = re.compile(rf"^\s*(?:from|import)\b.*\b(?:{'|'.join(sorted(FOR_PEOPLE))})\b", re.MULTILINE)

# what compiling takes: see `Program.seconds`
BYTES_A_SECOND, PART_OF_SOURCES = 20_000, 40_000
LONG = 2  # seconds that nobody should wait without a word

Function = TypeVar("Function", bound=Callable[..., Any])

# arrays as the entries of a program take them: the type of a number, the dimensions, C for contiguous rows
Ints = Annotated[Any, "int64 1 C"]
IntRows = Annotated[Any, "int64 2 C"]
IntColumn = Annotated[Any, "int64 1 A"]
Floats = Annotated[Any, "float64 1 C"]
FloatRows = Annotated[Any, "float64 2 C"]
FloatColumn = Annotated[Any, "float64 1 A"]
Singles = Annotated[Any, "float32 1 C"]
SingleRows = Annotated[Any, "float32 2 C"]
ByteRows = Annotated[Any, "uint8 2 C"]
Boxes = Annotated[Any, "boxes"]  # an array of one box of a game
States = Annotated[Any, "states"]  # an array of its states
Words = IntRows  # states of any game, a row of words each
Table = Ints  # the addresses of a game's kernels, see `engine.table`


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
    if PACKAGE in path.parents:
        return folder
    while (folder.parent / "__init__.py").exists():
        folder = folder.parent
    return folder


def _njit(function: Callable[..., Any], allocates: bool = False, inlined: bool = False, bound: bool = False) -> Any:
    from lamplighter.native import Kernel

    def folder() -> Path | None:
        """Return where it is kept when Python calls it. Nothing would tell a bound one from that of another game."""
        file = Path(function.__code__.co_filename).resolve()
        return None if bound else cache_folder(home_of(file), PACKAGE / "engine" / "table.py")

    _teach()
    return Kernel(function, folder, allocates, inlined)


def kernel(function: Function) -> Function:
    """Mark a function as a kernel: compiled as a part of what calls it, without the GIL; plain in the pure mode.

    The arrays that it uses belong to whoever called it from Python, so references to them are not counted. That saves up to
    a quarter of the time, and it means that a kernel cannot make an array.
    """
    return function if PURE else cast("Function", _njit(function))


def inlined_kernel(function: Function) -> Function:
    """Mark a function as a kernel whose code is put wherever it is called: one that is called from few places, with arrays."""
    return function if PURE else cast("Function", _njit(function, inlined=True))


def allocating_kernel(function: Function) -> Function:
    """Mark a function as a kernel that makes arrays of its own. It is slower: references are counted in it."""
    return function if PURE else cast("Function", _njit(function, allocates=True))


def bind(function: Function, /, **meanings: Any) -> Function:
    """Return a copy of a kernel in which the global names in `meanings` mean these kernels of a game.

    The copy calls the game's own functions, so that LLVM can inline them.
    """
    copy = FunctionType(
        function.__code__, {**function.__globals__, **meanings}, function.__name__, function.__defaults__
    )
    copy.__doc__, copy.__annotations__ = function.__doc__, function.__annotations__
    return cast("Function", copy if PURE else _njit(copy, bound=True))


class Program:
    """Functions that are compiled together: entries, which Python calls, and exports, which other programs call.

    It is read from the cache when it is first used, or compiled, which takes seconds.
    """

    def __init__(
        self,
        name: str,
        sources: tuple[Path, ...],
        entries: Mapping[str, Callable[..., Any]],
        exports: Mapping[str, Export] | None = None,
        records: Mapping[str, Any] | None = None,
        title: str = "",
    ) -> None:
        self.name, self.exports, self._records, self.title = name, exports or {}, records or {}, title or name
        self._functions = {name: getattr(one, "py_func", one) for name, one in entries.items()}
        self._sources, self._lock = sources, threading.Lock()

    def __getattr__(self, name: str) -> Callable[..., Any]:
        """Return an entry. It is an attribute from then on."""
        if name.startswith("_") or name not in self._functions:
            raise AttributeError(name)
        found: Callable[..., Any] = self._functions[name] if PURE else self.load().entries[name]
        setattr(self, name, found)
        return found

    @property
    def path(self) -> Path | None:
        """The file of the cache; None where there is no cache."""
        folder = cache_folder(*self._sources)
        return None if folder is None else folder / f"{self.name}.program"

    def load(self) -> Loaded:
        """Return the program, from the cache or compiled now."""
        with self._lock:
            if "_loaded" not in vars(self):
                self._loaded = self._make()
            return self._loaded

    def _make(self) -> Loaded:
        from lamplighter import native

        _teach()
        entries = {name: (one, native.entry_types(one, self._records)) for name, one in self._functions.items()}
        return native.read_or_compile(self.path, self.name, entries, self.exports, announce=self._announce)

    @property
    def seconds(self) -> int:
        """Estimate the seconds that compiling takes, as measured on one machine. Without exports it is a part of the sources."""
        size = sum(path.stat().st_size for root in self._sources for path in sources(root))
        return 1 + (size if self.exports else min(size, PART_OF_SOURCES)) // BYTES_A_SECOND

    def _announce(self) -> None:
        if self.path is None and os.environ.get("LAMPLIGHTER_CACHE", "1") != "0":
            _warn_of_cache()
        if self.seconds >= LONG:
            log.info("compiling %s, once, about %d s%s", self.title, self.seconds, _name_warm())


@functools.cache
def _warn_of_cache() -> None:
    log.warning(
        "compiled code cannot be kept in %s, so it is compiled again at every start: "
        "set NUMBA_CACHE_DIR to a folder that can be written", cache_root(),
    )  # fmt: skip


_warm_hints = iter([" (lamplighter warm compiles everything now)"])


def _name_warm() -> str:
    """Return how to compile everything at once, the first time that somebody waits."""
    return next(_warm_hints, "")


def trusting(entry: Function) -> Function:
    """Return an entry of a program that does not look at the types of its arguments. A call takes a quarter of the time.

    Looking at them takes longer than a move, so this is for arrays that never change.
    """
    return cast("Function", getattr(entry, "trusting", entry))


# --- calls from one program into another ------------------------------------------------------------------------


def call(table: Any, which: int, states: Any, row: int, one: Any, two: Any) -> int:
    """Call kernel number `which` of a game for the state in a row, with two more arguments: integers, or arrays of integers.

    In plain Python the table is an `engine.table.PlainTable`.
    """
    return int(table.call(which, states, row, one, two))


def copy_row(target: Any, to: int, source: Any, row: int) -> None:
    """Copy a state from one array of words to another."""
    target[to] = source[row]


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
def _teach() -> None:
    """Tell Numba what the helpers of this file are. Only what compiles needs it, so that importing this file stays cheap."""
    from lamplighter.native import teach_calls

    teach_calls(call, copy_row, BOUNDS_CHECKED)
    _teach_bits()


def _teach_bits() -> None:
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
