"""What all tests share: the games as fixtures, and small budgets where kernels run as plain Python."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest
from hypothesis import HealthCheck, settings

from lamplighter import games
from lamplighter.cli.warm_cache import SEARCH, is_warm
from lamplighter.engine.game import Game
from lamplighter.jit import BOUNDS_CHECKED, PURE

settings.register_profile("compiled", max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
settings.register_profile("slow", max_examples=4, deadline=None, suppress_health_check=list(HealthCheck))
settings.load_profile("slow" if PURE or BOUNDS_CHECKED or os.environ.get("CI_QUICK") else "compiled")


if (
    signal.getsignal(signal.SIGINT) is signal.SIG_IGN
):  # a shell starts what runs in the background so, and children inherit it
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_sessionstart(session: pytest.Session) -> None:
    """Compile what is not in the cache, once: else every worker would, and tests would wait for it in the middle."""
    config = session.config
    if PURE or config.option.collectonly or hasattr(config, "workerinput"):
        return
    names = games.names()
    if not (is_warm(SEARCH) and all(is_warm(name, "batches") for name in names)):
        with config.pluginmanager.getplugin("capturemanager").global_and_fixture_disabled():
            subprocess.run([sys.executable, "-m", "lamplighter", "warm", "--all"], check=True)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """`game` goes over every game there is, `own_game` over those that ship with us."""
    for fixture, names in (("game", games.names()), ("own_game", games.own_names())):
        if fixture in metafunc.fixturenames:
            metafunc.parametrize(fixture, names, indirect=True)


@pytest.fixture
def game(request: pytest.FixtureRequest) -> Game:
    return games.load(request.param)


@pytest.fixture
def own_game(request: pytest.FixtureRequest) -> Game:
    return games.load(request.param)
