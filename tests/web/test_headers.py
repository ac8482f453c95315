"""What stands in headers: a forged Host gets into no answer, and caches are told what depends on whom."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass

import httpx
import pytest
from serving import HTTP, LocalServer, Person, all_at_once, variant_where

from lamplighter import games
from lamplighter.web import pages
from lamplighter.web.api import ROUTERS
from lamplighter.web.middleware import PERSONAL
from lamplighter.web.service import today

FORGED = "forged.example"
HOSTS = {"host": FORGED, "x-forwarded-host": FORGED, "forwarded": f"host={FORGED}", "x-original-host": FORGED}
SERVED = sorted(
    {route.path for router in (*ROUTERS, pages.router) for route in router.routes if "GET" in route.methods}
)
OTHERS = ["/openapi.json", "/static/page.css", "/static", "/static/", "/help/", "//help/", "/nothing", "/api/nothing/"]


@dataclass
class Visited(Person):
    """Somebody at a finished table, who also teaches a class and is a child of it."""

    class_id: str = ""
    code: str = ""
    teacher: str = ""


@pytest.fixture(scope="module")
def finished(server: LocalServer) -> Visited:
    person = Person(server.url).lay(variant_where(all_at_once), name="Ana")
    person.play_on(random.Random(3))
    made = person.post("/api/classes", variant=variant_where(all_at_once))
    person.post("/api/classes/join", code=made["code"], name="Ana", token=made["token"])
    return Visited(person.url, person.table, person.token, person.seats, made["id"], made["code"], made["token"])


def address(path: str, person: Visited) -> str:
    """An address of a route that there is."""
    view = person.view()
    variant, rolled = view["variant"], next(entry["text"] for entry in view["log"] if entry["kind"] == "chance")
    known = {
        "table_id": person.table, "table": person.table, "game": variant.partition("?")[0], "seat": "0", "view": "replay",
        "line": view["seats"][0]["lines"][0]["name"], "language": "fr",
        "class_id": person.class_id, "code": person.code, "entry": "1", "day": today(),
    }  # fmt: skip
    filled = re.sub(r"\{(\w+)\}", lambda found: known[found[1]], path)
    query = {"/face.svg": f"?text={rolled}", "/classes/me": f"?code={person.code}"}
    return filled + next((more for end, more in query.items() if path.endswith(end)), "")


def ask(person: Visited, path: str, method: str = "GET", **headers: str) -> httpx.Response:
    """An answer with the first part of its body: event streams do not end."""
    headers |= {"authorization": f"Bearer {person.teacher if path.startswith('/api/classes') else person.token}"}
    raw = {name: value.encode("latin-1") for name, value in headers.items()}
    with HTTP.stream(method, person.url + address(path, person), headers=raw, json={"text": "x"}) as answer:
        if "event-stream" in answer.headers.get("content-type", ""):
            answer._content = next(answer.iter_bytes())
        else:
            answer.read()
    return answer


def said_to(answer: httpx.Response) -> str:
    return f"{list(answer.headers.items())} {answer.text}"


@pytest.mark.parametrize("path", SERVED + OTHERS)
def test_a_forged_host_is_not_repeated(path: str, finished: Visited) -> None:
    answer = ask(finished, path, **HOSTS)
    lacking = "/minute" in path and not games.load(variant_where(all_at_once).partition("?")[0]).minute_text
    too_early = path.endswith("/better")  # nobody has asked for a review
    assert answer.status_code < 400 or path in OTHERS or lacking or too_early
    assert FORGED not in said_to(answer)


@pytest.mark.parametrize("path", ["/api/qr", "/api/tables", "/api/tables/{table_id}/rematch", "/help", "/nothing/"])
def test_a_forged_host_is_not_repeated_to_who_sends_something(path: str, finished: Visited) -> None:
    assert FORGED not in said_to(ask(finished, path, "POST", **HOSTS))


@pytest.mark.parametrize("host", ["[", "a:b:c", "a b", "", "localhost:99999", "\xff"])
def test_an_odd_host_is_no_mistake_of_the_server(host: str, finished: Visited) -> None:
    for path in ("/", "/nothing", "/api/games", "/api/nothing"):
        assert ask(finished, path, host=host).status_code in (200, 400, 404)


def test_a_slash_too_many_stays_on_this_server(server: LocalServer) -> None:
    for path, location in (
        ("/help/", "/help"),
        ("//forged.example/", "/forged.example"),
        ("/%5Cforged/", "/%5Cforged"),
    ):
        answer = HTTP.get(httpx.URL(server.url + "/").copy_with(raw_path=path.encode()))
        assert (answer.status_code, answer.headers["location"]) == (307, location)


def varies(answer: httpx.Response) -> set[str]:
    return {name.strip().lower() for name in answer.headers.get("vary", "").split(",")} - {""}


@pytest.mark.parametrize("path", SERVED)
def test_caches_are_told_what_depends_on_whom(path: str, finished: Visited) -> None:
    answer = ask(finished, path)
    kept = answer.headers["cache-control"]
    if path.startswith(PERSONAL):
        assert {"authorization", "cookie"} <= varies(answer)
        assert "no-store" in kept or "private" in kept
    elif answer.headers["content-type"].startswith("text/html"):
        assert {"accept-language", "cookie"} <= varies(answer)
        assert kept == "no-cache"
    elif path == "/api/games":
        assert varies(answer) == {"accept-language", "cookie"}, "games are described in the language of the asker"
    else:
        assert not varies(answer)


def test_caches_are_told_about_errors_too(server: LocalServer, finished: Visited) -> None:
    for answer in (HTTP.get(f"{server.url}/nothing"), HTTP.get(f"{server.url}/t/!")):
        assert {"accept-language", "cookie"} <= varies(answer)
    refused = finished.watcher.ask("POST", "rematch")
    assert refused.status_code == 403
    assert {"authorization", "cookie"} <= varies(refused) and refused.headers["cache-control"] == "no-store"
    large = HTTP.post(f"{server.url}/help", content=b"x" * 70_000, headers={"accept": "text/html"})
    assert large.status_code == 413
    assert {"accept", "accept-language", "cookie"} <= varies(large)


@pytest.mark.parametrize("liked", ["FR", "fr_FR", "Fr-ca;q=0.8, *;q=0.1"])
def test_a_language_in_capitals_is_understood(liked: str, server: LocalServer) -> None:
    answer = HTTP.get(f"{server.url}/help", headers={"accept-language": liked})
    assert answer.status_code == 200 and answer.headers["content-language"] == "fr"
