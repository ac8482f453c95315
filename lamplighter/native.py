"""Compile kernels with Numba, a whole program at a time.

Numba compiles every function to machine code on its own, and again as a part of each function that calls it, so that a chain
of calls costs the square of its length. Here a kernel stays intermediate code until a `Program` needs it: a few *entries*,
which Python calls, and *exports*, which other programs call by their addresses. All that they need is optimised together and
becomes machine code once. A program is one file of the cache.

Only `jit` uses this module. It relies on how Numba 0.68 builds libraries of code, which is no public interface. Numba has no
types, so whatever inherits from it or is decorated by it is marked for the type checker.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import hashlib
import itertools
import os
import pickle
import secrets
import sys
import threading
import typing
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numba
import numpy as np
from llvmlite import ir
from numba import _dynfunc, types
from numba.core import cgutils, compiler, serialize
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher, cpu_target
from numba.extending import intrinsic, overload
from numba.np.arrayobj import make_array, populate_array

Function = Callable[..., Any]
OPTIONS = {"nopython": True, "nogil": True, "error_model": "numpy", "boundscheck": None}
PLAIN = {**OPTIONS, "_nrt": False}
Entries = Mapping[str, tuple[Function, tuple[Any, ...]]]  # functions by name, with the types of their arguments
KEPT = 8  # programs of one name in the cache: the newest ones
WORD = ir.IntType(64)
EXPORT_WORDS = 6  # arguments of an export: box, state, two more, and the lengths of these two
FAILED = -(1 << 63)  # what an export returns after an error; only kernels whose indices are checked have errors
ROOM = 1 << 40  # elements of an array of unknown length


# --- libraries of code ------------------------------------------------------------------------------------------


class _NoEnvironments:
    """A code generator that places no environments: only entries have one."""

    def __init__(self, codegen: Any) -> None:
        self._codegen = codegen

    def __getattr__(self, name: str) -> Any:
        return getattr(self._codegen, name)

    def set_env(self, name: str, environment: Any) -> None:
        pass


class _Pending(JITCodeLibrary):  # type: ignore[misc]
    """The intermediate code of a function that becomes machine code later, as a part of a program."""

    @property
    def codegen(self) -> Any:
        return _NoEnvironments(self._codegen)

    def add_linking_library(self, library: Any) -> None:
        self._linking_libraries.append(library)

    def get_pointer_to_function(self, name: str) -> int:
        return super().get_pointer_to_function(name) if self._finalized else 0

    def _ensure_finalized(self) -> None:
        pass

    def _get_module_for_linking(self) -> Any:
        raise TypeError("only a kernel can call a kernel: decorate the calling function with lamplighter.jit.kernel")

    def _optimize_functions(self, module: Any) -> None:
        module.data_layout = self._codegen._data_layout  # the whole program is optimised at once


class _Whole(_Pending):
    """The code of a program: its entries and exports, with everything that they need."""

    def finish(self, functions: Mapping[str, str], environments: Mapping[str, str], public: set[str]) -> None:
        """Make machine code, with new names for functions and environments. These and `public` can be reached from outside."""
        for part in _parts_of(self):
            if part._finalized:
                self._final_module.link_in(part._get_module_for_linking(), preserve=True)
            else:
                self._final_module.link_in(part._final_module.clone())
        for function in self._final_module.functions:
            if function.name in functions:
                function.name = functions[function.name]
            elif not function.is_declaration and function.name not in public:
                function.linkage = "internal"  # one body, which LLVM may inline or drop
        for old, new in environments.items():
            self._final_module.get_global_variable(old).name = new
        self._linking_libraries: list[Any] = []
        self.finalize()


def _parts_of(whole: Any) -> list[Any]:
    """Return the libraries that one needs, each once."""
    found: dict[Any, None] = {}
    left = list(whole._linking_libraries)
    while left:
        library = left.pop()
        if library not in found:
            found[library] = None
            if not library._finalized:
                left.extend(library._linking_libraries)
    return list(found)


class _KernelCompiler(compiler.Compiler):  # type: ignore[misc]
    def __init__(self, typing_context: Any, target: Any, library: Any, *more: Any) -> None:
        flags = more[2]
        flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
        super().__init__(typing_context, target, _Pending(target.codegen(), "kernel"), *more)


class _EntryCompiler(compiler.Compiler):  # type: ignore[misc]
    def __init__(self, typing_context: Any, target: Any, library: Any, *more: Any) -> None:
        more[2].no_cfunc_wrapper = True
        super().__init__(typing_context, target, library, *more)


# --- kernels ----------------------------------------------------------------------------------------------------


class Kernel(CPUDispatcher):  # type: ignore[misc]
    """A function for other kernels. Called from Python, it is compiled as a program of its own."""

    def __init__(self, function: Function, folder: Callable[[], Path | None], allocates: bool, inlined: bool) -> None:
        self._own = {**OPTIONS, "_nrt": allocates}
        super().__init__(function, targetoptions={**self._own, "forceinline": inlined}, pipeline_class=_KernelCompiler)
        self._folder = folder

    def __call__(self, *arguments: Any) -> Any:
        return self._alone(*arguments)

    def compile(self, signature: Any) -> Any:
        found = super().compile(signature)
        if len(self.overloads) > 1:
            _FORMS[f"{self.py_func.__module__}.{self.py_func.__name__}"] = len(self.overloads)
        return found

    def get_call_template(self, arguments: Any, named: Any) -> Any:
        """Return how a call is compiled: for numbers of one width, so that there is one body of the kernel."""
        named = {name: _widened(kind) for name, kind in named.items()}
        return super().get_call_template(tuple(map(_widened, arguments)), named)

    @functools.cached_property
    def _alone(self) -> Any:
        return _Alone(self.py_func, self._own, self._folder)


_FORMS: dict[str, int] = {}  # kernels that were compiled more than once, for other arguments


def _widened(kind: Any) -> Any:
    """Return the type that a kernel takes where it is given this one: of a constant or a small integer, int64."""
    kind = types.unliteral(kind)
    if isinstance(kind, types.Integer) and kind.bitwidth < 64:
        return types.int64
    if isinstance(kind, types.BaseTuple) and not isinstance(kind, types.BaseNamedTuple):
        return types.BaseTuple.from_types([_widened(one) for one in kind])
    return kind


class _Alone(CPUDispatcher):  # type: ignore[misc]
    """A kernel that is called from Python: a program for each kind of arguments."""

    def __init__(self, function: Function, options: Mapping[str, Any], folder: Callable[[], Path | None]) -> None:
        super().__init__(function, targetoptions=options)
        self._folder, self._held = folder, list[Any]()

    def compile(self, arguments: tuple[Any, ...]) -> Any:
        """Return the function for these types, from the cache or compiled now."""
        with global_compiler_lock:
            folder = self._folder()
            code = self.py_func.__code__
            closure = [cell.cell_contents for cell in self.py_func.__closure__ or ()]
            what = repr((arguments, code.co_code, code.co_consts, closure))
            name = f"{self.py_func.__module__}.{code.co_name}-{hashlib.sha256(what.encode()).hexdigest()[:16]}"
            wanted = {"alone": (self.py_func, arguments)}
            found = read_or_compile(folder and folder / f"{name}.program", name, wanted, {}, self.targetoptions)
            entry = found.entries["alone"].trusting  # type: ignore[attr-defined]
            self._held.append((arguments, found))  # Numba forgets the code of a type that nobody holds
            self._insert([one._code for one in arguments], entry, False)
            return entry


def _compile_entry(function: Function, arguments: Any, library: Any, options: Mapping[str, Any]) -> Any:
    """Add a function that Python calls to the code of a program."""
    flags = compiler.Flags()
    cpu_target.options.parse_as_flags(flags, dict(options))
    return compiler.compile_extra(
        cpu_target.typing_context,
        cpu_target.target_context,
        function,
        arguments,
        None,
        flags,
        {},
        library,
        _EntryCompiler,
    )


# --- types ------------------------------------------------------------------------------------------------------


def numba_type(annotation: Any, records: Mapping[str, Any]) -> Any:
    """Return the Numba type of an annotation: `int`, an array of `jit`, a record of a game by its name, or a tuple of these."""
    if annotation is int:
        return types.int64
    if annotation is float:
        return types.float64
    if annotation is bool:
        return types.boolean
    if isinstance(annotation, type) and issubclass(annotation, tuple):
        parts = typing.get_type_hints(annotation, include_extras=True).values()
        return types.BaseTuple.from_types([numba_type(part, records) for part in parts], pyclass=annotation)
    layout = annotation.__metadata__[0]
    if layout in records:
        return numba.typeof(np.zeros(1, records[layout]))
    name, dimensions, order = layout.split()
    return types.Array(getattr(types, name), int(dimensions), order)


def entry_types(function: Function, records: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return the types of a function's parameters by their annotations."""
    hints = typing.get_type_hints(function, include_extras=True)
    hints.pop("return", None)
    return tuple(numba_type(hint, records) for hint in hints.values())


# --- programs ---------------------------------------------------------------------------------------------------


class Export(NamedTuple):
    """A kernel that other programs call. It takes a box, a state if it has one, then integers and arrays of integers."""

    kernel: Any
    box: Any  # dtypes
    state: Any  # None: it takes no state
    arrays: tuple[bool, ...]  # of the parameters after box and state: whether each is an array


class Loaded(NamedTuple):
    """A program in memory."""

    entries: dict[str, Function]
    addresses: dict[str, int]  # of its exports
    forms: dict[str, int]  # kernels that had to be compiled more than once, for other arguments


def read_or_compile(
    path: Path | None,
    name: str,
    entries: Entries,
    exports: Mapping[str, Export],
    options: Mapping[str, Any] = PLAIN,
    announce: Callable[[], None] = lambda: None,
) -> Loaded:
    """Return a program from its file, or announce it, compile it and write the file; without a path it is only compiled."""
    if path is not None and path.exists() and (found := load_program(path.read_bytes(), entries, exports)):
        return found
    announce()
    content = compile_program(name, entries, exports, options)
    if path is not None:
        _keep(path, content)
    made = load_program(content, entries, exports)
    assert made is not None
    return made


def _keep(path: Path, content: bytes) -> None:
    """Write a program into the cache, whole or not at all, and remove the oldest ones of its name."""
    partial = path.with_suffix(f".{os.getpid()}-{threading.get_ident()}")
    try:
        partial.write_bytes(content)
        partial.replace(path)
        found = sorted(path.parent.parent.glob(f"*/{path.name}"), key=lambda one: -one.stat().st_mtime)
        for one in found[KEPT:]:
            one.unlink()
    except OSError:
        partial.unlink(missing_ok=True)


def compile_program(name: str, entries: Entries, exports: Mapping[str, Export], options: Mapping[str, Any]) -> bytes:
    """Compile entries and exports. Return them as the bytes of a file."""
    with global_compiler_lock, _no_garbage_collection():
        _FORMS.clear()
        stamp = secrets.token_hex(8)  # no two programs in one process may have a symbol in common
        library = _Whole(cpu_target.target_context.codegen(), name)
        library.enable_object_caching()
        made = {entry: _compile_entry(function, arguments, library, options)
                for entry, (function, arguments) in entries.items()}  # fmt: skip
        symbols = {export: _add_export(library, f"{export}.{stamp}", what) for export, what in exports.items()}
        wrappers = {one.fndesc.llvm_cpython_wrapper_name: f"{entry}.{stamp}" for entry, one in made.items()}
        environments = {one.fndesc.env_name: f"{entry}.{stamp}.environment" for entry, one in made.items()}
        library.finish(wrappers, environments, set(symbols.values()))
        known = {entry: one.environment for entry, one in made.items()}
        content: bytes = serialize.dumps(
            (name, stamp, _machine(), library._get_compiled_object(), known, symbols, dict(_FORMS))
        )
        return content


@contextlib.contextmanager
def _no_garbage_collection() -> Iterator[None]:
    """Keep everything until the end: the compiler makes millions of small objects, and looking through them takes a tenth."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def load_program(content: bytes, entries: Entries, exports: Mapping[str, Export]) -> Loaded | None:
    """Return a program from the bytes of its file; None if they are damaged, of another machine, or of other functions."""
    try:
        name, stamp, machine, code, known, symbols, forms = pickle.loads(content)
    except Exception:  # whatever is wrong with the file: it is made again
        return None
    if machine != _machine() or set(known) != set(entries) or set(symbols) != set(exports):
        return None
    with global_compiler_lock:
        context = cpu_target.target_context
        context.refresh()  # what allocates memory needs the runtime of Numba
        codegen = context.codegen()
        library = codegen.create_library(name)
        library.enable_object_caching()
        library._set_compiled_object(code)
        library._finalize_final_module()
        found = {}
        for entry, environment in known.items():
            address = codegen._engine.get_function_address(f"{entry}.{stamp}")
            function = _dynfunc.make_function(sys.modules[__name__], entry, "", address, environment, (library,))
            codegen.set_env(f"{entry}.{stamp}.environment", environment)
            found[entry] = _fixed(function, entries[entry][1])
        addresses = {export: codegen._engine.get_function_address(symbol) for export, symbol in symbols.items()}
    return Loaded(found, addresses, forms)


@functools.cache
def _machine() -> Any:
    return (numba.__version__, *cpu_target.target_context.codegen().magic_tuple())


def _fixed(entry: Function, arguments: tuple[Any, ...]) -> Function:
    """Return an entry that looks at the types of its arguments, and refuses others. `entry` itself trusts its caller."""

    names = ", ".join(f"a{i}" for i in range(len(arguments)))
    made = CPUDispatcher(eval(f"lambda {names}: None"), targetoptions=OPTIONS)
    # a column of one row counts as contiguous, and is as good
    kinds = list(itertools.product(*((one, one.copy(layout="C")) if _is_column(one) else (one,) for one in arguments)))
    for kind in kinds:
        made._insert([one._code for one in kind], entry, False)
    made._can_compile = False
    made.trusting, made.kinds = entry, kinds  # Numba forgets the code of a type that nobody holds
    return made  # type: ignore[no-any-return]


def _is_column(kind: Any) -> bool:
    return isinstance(kind, types.Array) and kind.layout == "A"


def _add_export(library: Any, symbol: str, export: Export) -> str:
    """Add a function of C's calling convention that calls a kernel. Return its name."""
    context = cpu_target.target_context
    records = [numba.from_dtype(layout) for layout in (export.box, export.state) if layout is not None]
    numbers = types.Array(types.int64, 1, "C")
    arguments = (*records, *(numbers if array else types.int64 for array in export.arrays))
    export.kernel.compile(arguments)
    made = export.kernel.overloads[arguments]
    library.add_linking_library(made.library)
    module = library.create_ir_module(symbol)
    function = ir.Function(module, ir.FunctionType(WORD, [WORD] * EXPORT_WORDS), symbol)
    builder = ir.IRBuilder(function.append_basic_block())
    words = list(function.args)
    given = [
        builder.inttoptr(word, context.get_value_type(record)) for word, record in zip(words, records, strict=False)
    ]
    for word, length, array in zip(words[2:4], words[4:6], export.arrays, strict=False):
        given.append(_array_at(context, builder, numbers, word, length) if array else word)
    callee = context.declare_function(module, made.fndesc)
    returns = made.signature.return_type
    status, result = context.call_conv.call_function(builder, callee, returns, arguments, given)
    with builder.if_then(status.is_error, likely=False):
        builder.ret(ir.Constant(WORD, FAILED))
    if isinstance(returns, types.NoneType):
        builder.ret(ir.Constant(WORD, 0))
    else:
        plain = returns.dtype if isinstance(returns, types.EnumMember) else returns
        builder.ret(context.cast(builder, result, plain, types.int64))
    library.add_ir_module(module)
    return symbol


def _array_at(context: Any, builder: Any, kind: Any, address: Any, length: Any) -> Any:
    """Return an array of integers at an address."""
    array = make_array(kind)(context, builder)
    data = builder.inttoptr(address, context.get_data_type(kind.dtype).as_pointer())
    size = context.get_constant(types.intp, 8)
    populate_array(array, data, [length], [size], size, None)
    return array._getvalue()


# --- calls from one program into another ------------------------------------------------------------------------


def _word_of(context: Any, builder: Any, kind: Any, value: Any) -> tuple[Any, Any]:
    """Return an argument of an export as a word, and its length: of an array the address."""
    if isinstance(kind, types.Array):
        array = make_array(kind)(context, builder, value)
        return builder.ptrtoint(array.data, WORD), builder.extract_value(array.shape, 0)
    return context.cast(builder, value, kind, types.int64), ir.Constant(WORD, 0)


def _row_at(context: Any, builder: Any, kind: Any, rows: Any, row: Any) -> Any:
    """Return the address of a row of words."""
    array = make_array(kind)(context, builder, rows)
    stride = builder.extract_value(array.strides, 0)
    return builder.add(builder.ptrtoint(array.data, WORD), builder.mul(row, stride))


def teach_calls(call: Function, copy: Function, checked: bool) -> None:
    """Tell Numba what `jit.call` and `jit.copy_row` are."""

    @intrinsic  # type: ignore[untyped-decorator]
    def call_export(_context: Any, table: Any, which: Any, states: Any, row: Any, one: Any, two: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            kinds = signature.args
            addresses = make_array(kinds[0])(context, builder, arguments[0]).data
            number = context.cast(builder, arguments[1], kinds[1], types.int64)
            row = context.cast(builder, arguments[3], kinds[3], types.int64)
            state = _row_at(context, builder, kinds[2], arguments[2], row)
            first, first_length = _word_of(context, builder, kinds[4], arguments[4])
            second, second_length = _word_of(context, builder, kinds[5], arguments[5])
            box = builder.load(builder.gep(addresses, [ir.Constant(WORD, 0)]))
            address = builder.load(builder.gep(addresses, [number]))
            function = builder.inttoptr(address, ir.FunctionType(WORD, [WORD] * EXPORT_WORDS).as_pointer())
            return builder.call(function, [box, state, first, second, first_length, second_length])

        return types.int64(table, which, states, row, one, two), generate

    @intrinsic  # type: ignore[untyped-decorator]
    def copy_words(_context: Any, target: Any, to: Any, source: Any, row: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            kinds = signature.args
            to, row = (context.cast(builder, arguments[i], kinds[i], types.int64) for i in (1, 3))
            bytes_in_a_row = builder.extract_value(make_array(kinds[2])(context, builder, arguments[2]).strides, 0)
            pointer = ir.IntType(8).as_pointer()
            there, here = (
                builder.inttoptr(_row_at(context, builder, kinds[i], arguments[i], number), pointer)
                for i, number in ((0, to), (2, row))
            )
            cgutils.raw_memcpy(builder, there, here, bytes_in_a_row, 1)
            return context.get_dummy_value()

        return types.void(target, to, source, row), generate

    def checked_call(table, which, states, row, one, two):  # type: ignore[no-untyped-def]
        result = call_export(table, which, states, row, one, two)
        if result == FAILED:
            raise IndexError("an index of a kernel is out of range: run it as plain Python to see where")
        return result

    @overload(call, inline="always")
    def called(table, which, states, row, one, two):  # type: ignore[no-untyped-def]
        if checked:
            return checked_call
        return lambda table, which, states, row, one, two: call_export(table, which, states, row, one, two)

    @overload(copy, inline="always")
    def copied(target, to, source, row):  # type: ignore[no-untyped-def]
        return lambda target, to, source, row: copy_words(target, to, source, row)
