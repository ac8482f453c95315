"""The command line, run within the process of the tests: a process of its own costs a second for each command."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

from lamplighter.cli import main, terminal


@dataclass(frozen=True)
class Done:
    """The exit code of a command, and what it printed."""

    returncode: int
    stdout: str
    stderr: str


def run_command(
    *arguments: str, given: str = "", cwd: Path | None = None, columns: int = 200, **environment: str
) -> Done:
    """Run a command as a shell would, without a terminal, and return how it ended."""
    streams = [io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2)]
    read = io.TextIOWrapper(io.BytesIO(given.encode()), encoding="utf-8")
    code = 0
    with contextlib.ExitStack() as stack:
        stack.enter_context(contextlib.chdir(cwd or Path.cwd()))
        stack.enter_context(mock.patch.multiple(sys, stdin=read, stdout=streams[0], stderr=streams[1]))
        stack.enter_context(mock.patch.object(sys, "argv", ["lamplighter", *arguments]))
        stack.enter_context(mock.patch.dict(os.environ, {"NO_COLOR": "1", "COLUMNS": str(columns), **environment}))
        for console in (terminal.console, terminal.errors):
            stack.enter_context(mock.patch.object(console, "_width", columns))
        try:
            main()
        except SystemExit as end:
            code = int(end.code or 0)
        shown = [stream.buffer.getvalue().decode() for stream in streams]  # type: ignore[attr-defined]
    return Done(code, *shown)
