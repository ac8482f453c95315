"""The example bot plays whole matches against a real server."""

from __future__ import annotations

import importlib.util
import threading
from pathlib import Path
from typing import Any

import pytest
from serving import UNLIMITED, Person, ServerProcess, all_at_once, one_by_one, until, variant_where

from lamplighter.web.settings import Settings

PATH = Path(__file__).parents[2] / "examples" / "table_bot.py"


@pytest.fixture(scope="module")
def table_bot() -> Any:
    spec = importlib.util.spec_from_file_location("table_bot", PATH)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_it_is_short() -> None:
    assert len(PATH.read_text(encoding="utf-8").splitlines()) < 40


@pytest.mark.parametrize("like", [all_at_once, one_by_one])
def test_it_plays_a_match_to_the_end(someone: Person, table_bot: Any, like: Any) -> None:
    host = someone.lay(variant_where(like), ["me", "open"])
    ends: list[Any] = []
    link = f"{someone.url}/t/{host.table}#seat=ignored"
    thread = threading.Thread(target=lambda: ends.append(table_bot.play(link, "Robin")))
    thread.start()
    last = host.play_on()
    thread.join(30)
    assert ends == [last["result"]]
    assert last["seats"][1]["name"] == "Robin"


def test_a_full_table_is_no_place_for_it(someone: Person, table_bot: Any) -> None:
    host = someone.lay(variant_where(one_by_one), ["me", "me"])
    with pytest.raises(table_bot.HTTPError) as refused:
        table_bot.play(f"{someone.url}/t/{host.table}")
    refused.value.close()
    assert refused.value.code == 409


@pytest.mark.thorough
def test_it_comes_back_when_the_server_does(tmp_path: Path, table_bot: Any) -> None:
    server = ServerProcess(Settings(f"sqlite:///{tmp_path}/tables.db", **UNLIMITED))
    try:
        host = Person(server.url).lay(variant_where(one_by_one), ["me", "open"])
        ends: list[Any] = []
        thread = threading.Thread(
            target=lambda: ends.append(table_bot.play(f"{server.url}/t/{host.table}")), daemon=True
        )
        thread.start()
        until(lambda: host.view()["phase"] == "play" and host.view()["waiting"] == [0], "the bot waits for us")
        server.kill()
        server.start()
        last = host.play_on()
        thread.join(30)
        assert ends == [last["result"]]
    finally:
        server.close()
