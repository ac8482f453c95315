"""The main path in Firefox: from the first page to a few moves on the sheet, and one that is taken back."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from serving import PATIENCE, ServerProcess, all_at_once, until, variant_where

PREFERENCES = {"marionette.port": 0, "intl.accept_languages": "en", "datareporting.policy.dataSubmissionEnabled": False}
MIDDLE = """(found) => {
  const one = found.find((one) => one.checkVisibility());
  one?.scrollIntoView({ block: "nearest" });
  const box = one?.getBoundingClientRect();
  return box?.width ? [box.x + box.width / 2, box.y + box.height / 2].map(Math.round) : null;
}"""


class Firefox:
    """The system's Firefox with an empty profile, driven by Marionette: WebDriver's commands as JSON through a socket.

    It needs no package beside the browser's own. Without Firefox the test is skipped.
    """

    def __init__(self, folder: Path) -> None:
        path = os.environ.get("FIREFOX") or shutil.which("firefox-esr") or shutil.which("firefox")
        if not path:
            pytest.skip("no Firefox: `apt-get install firefox-esr`, or say where it is with FIREFOX=/path/to/it")
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in PREFERENCES.items()]
        (folder / "user.js").write_text("\n".join(lines), encoding="utf-8")
        command = [path, "--headless", "--no-remote", "--marionette", "--profile", str(folder)]
        surroundings = os.environ | {"HOME": str(folder)}
        self.log = folder / "firefox.log"
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log, env=surroundings)
        port = folder / "MarionetteActivePort"
        until(lambda: port.exists() and port.read_text(), "Firefox listens")
        self._socket = socket.create_connection(("127.0.0.1", int(port.read_text())), timeout=2 * PATIENCE)
        self._stream = self._socket.makefile("rb")
        self._receive()  # its greeting
        self._number = 0
        self.call("WebDriver:NewSession")

    def _receive(self) -> Any:
        length = b""
        while not length.endswith(b":"):
            byte = self._stream.read(1)
            assert byte, (
                f"Firefox has closed the connection: {self.log.read_text(encoding='utf-8', errors='replace')[-2000:]}"
            )
            length += byte
        return json.loads(self._stream.read(int(length[:-1])))

    def call(self, name: str, **values: Any) -> Any:
        """Send a command and return its result."""
        self._number += 1
        sent = json.dumps([0, self._number, name, values]).encode()
        self._socket.sendall(b"%d:%s" % (len(sent), sent))
        _, _, error, result = self._receive()
        assert not error, error
        return result["value"] if isinstance(result, dict) and "value" in result else result

    def script(self, code: str) -> Any:
        return self.call("WebDriver:ExecuteScript", script=f"return {code}", args=[])

    def place(self, selector: str) -> Any:
        """Return the middle of the first of these that is to be seen; None if there is none."""
        return self.script(f"({MIDDLE})([...document.querySelectorAll({json.dumps(selector)})])")

    def click(self, selector: str) -> None:
        """Click with the mouse on the first of these that is to be seen, as soon as there is one."""
        x, y = until(lambda: self.place(selector), f"{selector} is to be seen")
        steps = [{"type": "pointerMove", "x": x, "y": y}, {"type": "pointerDown", "button": 0}]
        steps.append({"type": "pointerUp", "button": 0})
        self.call("WebDriver:PerformActions", actions=[{"type": "pointer", "id": "mouse", "actions": steps}])

    def close(self) -> None:
        self._stream.close()
        self._socket.close()
        self.process.terminate()
        self.process.wait(PATIENCE)


@pytest.fixture
def firefox(tmp_path: Path) -> Iterator[Firefox]:
    made = Firefox(tmp_path)
    yield made
    made.close()


@pytest.mark.thorough
def test_play_and_take_back(firefox: Firefox, server: ServerProcess) -> None:
    def moment() -> Any:
        return firefox.script("(({ you, version }) => `${you} ${version}`)(document.querySelector('#main').dataset)")

    def sheet() -> Any:
        return firefox.script("document.querySelector('#words pre').textContent")

    firefox.call("WebDriver:Navigate", url=server.url)
    firefox.click(f"[data-play={variant_where(all_at_once).partition('?')[0]}]")
    until(lambda: "/t/" in firefox.call("WebDriver:GetCurrentURL"), "there is a table")
    seen = []
    for _ in range(3):
        until(lambda: firefox.place("#status.mine"), "it is your turn")
        before = moment()
        seen.append(sheet())
        if not firefox.place("#paper .spot"):
            firefox.click("#paper .source[aria-pressed=false]")
        firefox.click("#paper .spot")
        until(lambda before=before: moment() != before, "the move is played")
    assert len(set(seen)) == 3
    before, after = moment(), sheet()
    firefox.click("#undo:not([disabled])")
    until(lambda: moment() != before, "the move is taken back")
    assert sheet() == seen[-1] != after
