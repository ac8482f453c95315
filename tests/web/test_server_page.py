"""docs/server.md names what there is: addresses, settings, metrics, codes. Each checker has a case that it rejects."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import fields
from pathlib import Path

from prometheus_client.metrics import MetricWrapperBase
from serving import HTTP, LocalServer

from lamplighter.web import errors, metrics
from lamplighter.web.settings import Settings

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "server.md").read_text(encoding="utf-8")


def unnamed(words: Iterable[str], text: str) -> list[str]:
    """The words that no code span of a page is."""
    return sorted(set(words) - set(re.findall(r"`([^`\n]+)`", text)))


def test_what_is_not_named_is_noticed() -> None:
    assert unnamed(["a", "b c", "d"], "`a` and `b c`, but d") == ["d"]


def test_every_address_is_named(server: LocalServer) -> None:
    paths = HTTP.get(f"{server.url}/openapi.json").json()["paths"]
    addresses = [f"{method.upper()} {path}" for path, methods in paths.items() for method in methods]
    assert unnamed(addresses, PAGE) == []
    told = re.findall(r"`((?:GET|POST) /[^`\n?]*)`", PAGE)
    assert {address for address in told if "ID" not in address} - set(addresses) == {"GET /openapi.json"}


def test_every_setting_is_named() -> None:
    assert unnamed((field.name for field in fields(Settings)), PAGE) == []


def test_every_metric_is_named(server: LocalServer) -> None:
    made = [metric for metric in vars(metrics).values() if isinstance(metric, MetricWrapperBase)]
    names = {sample.name.removesuffix("_created") for metric in made for sample in metric.describe()} or set()
    assert len(made) == 8
    told = set(re.findall(r"`(lamplighter_\w+)`", PAGE))
    assert {name.removesuffix("_total") for name in told} == names


def test_every_code_is_named() -> None:
    known = [
        kind.code for kind in vars(errors).values() if isinstance(kind, type) and kind.__module__ == errors.__name__
    ]
    written = re.findall(r'"((?:request|rate|body|server)/[a-z-]+)"', _sources())
    assert len(written) >= 5
    assert unnamed([*known, *written], PAGE) == []


def _sources() -> str:
    return "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "lamplighter" / "web").rglob("*.py"))
