"""The API's own description, and thousands of requests made from it: the server is never at fault, and does what it says."""

from __future__ import annotations

import random
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from serving import HTTP, LocalServer, Person, one_by_one, variant_where

from lamplighter.web.api import ROUTERS
from lamplighter.web.app import create_app
from lamplighter.web.settings import Settings

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]


@pytest.fixture(scope="module")
def tables(server: LocalServer) -> dict[str, list[Person]]:
    """Tables that the requests are about: one in play, one that is over, one that calls."""
    someone = Person(server.url)
    play = someone.lay(variant_where(one_by_one), ["me", "me"])
    over = someone.lay(variant_where(one_by_one), ["me", "bot:uniform"])
    over.play_on(random.Random(1))
    return {"some": [play, over, someone.lay(variant_where(one_by_one), kind="caller"), Person("", "nowhere", "guess")]}


def test_the_api_does_what_it_says(server: LocalServer, tables: dict[str, list[Person]]) -> None:
    """Made here and not at import, since collecting the tests would take a second longer for every worker."""
    schema = schemathesis.openapi.from_dict(create_app(Settings("sqlite://", warm=False)).openapi())
    schema = schema.exclude(path_regex="/events$|pdf$|/api/puzzle$")  # the last one would make puzzles for a minute
    checked = 0
    for found in schema.get_all_operations():
        operation = found.ok()

        @given(case=operation.as_strategy())
        @settings(
            max_examples=6, derandomize=True, database=None, deadline=None, phases=[Phase.explicit, Phase.generate],
            suppress_health_check=list(HealthCheck),
        )  # fmt: skip
        def ask(case: Any) -> None:
            people = tables["some"]
            person = people[sum(map(ord, repr(case.body) + repr(case.query))) % len(people)]
            if "table_id" in (case.path_parameters or {}):
                case.path_parameters["table_id"] = person.table
            case.headers = {**(case.headers or {}), "authorization": f"Bearer {person.token}"}
            case.call_and_validate(base_url=server.url, checks=CHECKS, timeout=60)

        ask()
        checked += 1
    assert checked > 30


def test_every_address_is_described(server: LocalServer) -> None:
    told = HTTP.get(f"{server.url}/openapi.json").json()["paths"]
    served = {route.path for router in ROUTERS for route in router.routes}
    assert served - set(told) == set() and len(told) > 30
