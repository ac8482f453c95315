"""The files in `deploy` are what the programs that read them accept, and a server plays behind them."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import ssl
import subprocess
import time
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from serving import PATIENCE, UNLIMITED, ServerProcess, free_port, new_key, one_by_one, until, variant_where
from typer.main import get_command

from lamplighter.cli import app
from lamplighter.web.app import create_app
from lamplighter.web.settings import Settings

ROOT = Path(__file__).parent.parent.parent
DEPLOY = ROOT / "deploy"


def program(name: str, package: str) -> str:
    found = shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin:/sbin")
    if found is None:
        pytest.skip(f"{name} is not installed: run `make all-tools` or `apt-get install {package}`")
    return found


def wrong_commands(text: str) -> list[str]:
    """Calls of `lamplighter` in a text whose command or options there are not."""
    commands, wrong = get_command(app).commands, []
    for line in re.findall(r"bin/lamplighter ([a-z].*)$", text, re.MULTILINE):
        name, *words = shlex.split(line)
        known = {option for param in commands[name].params for option in param.opts} if name in commands else set()
        used = {word for word in words if word.startswith("-")}
        wrong += [] if name in commands and used <= known else [line]
    return wrong


# --- systemd ---------------------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_systemd_accepts_the_unit(tmp_path: Path) -> None:
    unit = (DEPLOY / "lamplighter.service").read_text()
    assert wrong_commands(unit) == []
    assert wrong_commands("ExecStart=/opt/bin/lamplighter serve --logs json --paint red") != []
    there = tmp_path / "lamplighter.service"
    there.write_text(unit.replace("/opt/lamplighter/bin/lamplighter", "/bin/true"))
    command = [program("systemd-analyze", "systemd"), "verify", "--man=no", str(there)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    there.write_text(there.read_text().replace("ProtectSystem=strict", "ProtectSystem=somewhat"))
    assert "somewhat" in subprocess.run(command, capture_output=True, text=True, check=False).stderr


# --- the container ---------------------------------------------------------------------------------------------


def instructions(text: str) -> list[tuple[str, str]]:
    """The instructions of a Containerfile, lines that go on joined."""
    whole = re.sub(r"\\\n\s*", " ", re.sub(r"^#.*\n", "", text, flags=re.MULTILINE))
    return [(line.split(" ", 1)[0], line.split(" ", 1)[1]) for line in whole.splitlines() if line.strip()]


def faults_of_container(text: str) -> list[str]:
    """What a Containerfile copies or calls that there is not."""
    faults = [f"no {line}" for line in wrong_commands(text)]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    found = instructions(text)
    for name, words in found:
        if name == "COPY" and "--from=" not in words:
            faults += [f"no {source}" for source in words.split()[:-1] if not (ROOT / source).exists()]
    for extras in re.findall(r"'\.\[([\w,]+)\]'", text):
        faults += [f"no extra {extra}" for extra in extras.split(",") if extra not in project["optional-dependencies"]]
    users = [words for name, words in found if name == "USER"]
    return faults + ([] if users and users[-1] != "root" else ["it runs as root"])


def test_the_containerfile_copies_and_calls_what_there_is(tmp_path: Path) -> None:
    text = (DEPLOY / "Containerfile").read_text()
    assert faults_of_container(text) == []
    names = [name for name, _ in instructions(text)]
    assert names.count("FROM") == 2
    assert {"HEALTHCHECK", "VOLUME", "USER", "ENTRYPOINT", "CMD"} <= set(names)
    parts = dict(instructions(text))
    words = [*re.findall(r'"([^"]+)"', parts["ENTRYPOINT"]), *re.findall(r'"([^"]+)"', parts["CMD"])]
    assert wrong_commands(f"bin/{' '.join(words)}") == []
    health = re.search(r"127\.0\.0\.1:\d+(/\w+)", parts["HEALTHCHECK"])
    assert health is not None
    assert health[1] in create_app(Settings(f"sqlite:///{tmp_path}/t.db")).openapi()["paths"]


def unpinned(text: str) -> list[str]:
    """Calls of pip in a file that take whatever version there is."""
    pinned = "PIP_CONSTRAINT=" in text
    return [
        line
        for line in re.findall(r"pip install[^\n]*", text)
        if not pinned and "--constraint constraints.txt" not in line
    ]


def test_what_is_installed_is_pinned() -> None:
    for name in ("Containerfile", "lamplighter.service"):
        text = (DEPLOY / name).read_text()
        assert "pip install" in text and unpinned(text) == []
    assert unpinned("RUN pip install x\n# pip install --constraint constraints.txt y") == ["pip install x"]


def test_a_wrong_containerfile_is_noticed() -> None:
    text = "FROM x\nCOPY gone lamplighter .\nRUN pip install '.[web,paint]'\nRUN bin/lamplighter paint\n"
    assert faults_of_container(text) == ["no paint", "no gone", "no extra paint", "it runs as root"]


# --- nginx -----------------------------------------------------------------------------------------------------


def nginx_configuration(folder: Path, server: str, http: int, https: int) -> str:
    """Our file, with other ports and paths: what has to be changed on a real machine too, and its temporary folders."""
    text = (DEPLOY / "nginx.conf").read_text()
    changes = {
        "listen 80;": f"listen 127.0.0.1:{http};",
        "        listen [::]:80;\n": "",
        "listen 443 ssl http2;": f"listen 127.0.0.1:{https} ssl http2;",
        "        listen [::]:443 ssl http2;\n": "",
        "/etc/letsencrypt/live/games.example.org/fullchain.pem": f"{folder}/cert.pem",
        "/etc/letsencrypt/live/games.example.org/privkey.pem": f"{folder}/key.pem",
        "/run/nginx.pid": f"{folder}/nginx.pid",
        "/var/log/nginx/error.log": f"{folder}/error.log",
        "http://127.0.0.1:8000": server,
        "worker_processes auto;": "worker_processes 1;" + (" user root;" if os.geteuid() == 0 else ""),
    }
    for old, new in changes.items():
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    return text.replace("http {\n", "http {\n" + "".join(f"    {kind}_temp_path {folder}/{kind};\n" for kind in kinds))


@pytest.fixture
def proxied(tmp_path: Path) -> Iterator[tuple[str, Callable[[str], httpx.Client]]]:
    """A server behind nginx with a certificate of its own: its plain address, and clients at any local address."""
    nginx, openssl = program("nginx", "nginx-light"), program("openssl", "openssl")
    names = "subjectAltName=DNS:games.example.org,IP:127.0.0.1"
    make = [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=games.example.org"]
    make += ["-addext", names, "-keyout", str(tmp_path / "key.pem"), "-out", str(tmp_path / "cert.pem")]
    subprocess.run(make, check=True, capture_output=True)
    trust = ssl.create_default_context(cafile=str(tmp_path / "cert.pem"))
    limits: dict[str, Any] = UNLIMITED | {"tables_per_hour": 2}
    server = ServerProcess(Settings(f"sqlite:///{tmp_path}/tables.db", hold=0.0, **limits))
    http, https = free_port(), free_port()
    file = tmp_path / "nginx.conf"
    file.write_text(nginx_configuration(tmp_path, server.url, http, https))
    command = [nginx, "-p", str(tmp_path), "-e", f"{tmp_path}/error.log", "-c", str(file)]
    checked = subprocess.run([*command, "-t"], capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stderr
    assert "warn" not in checked.stderr
    process = subprocess.Popen([*command, "-g", "daemon off;"])
    clients: list[httpx.Client] = []

    def client(address: str) -> httpx.Client:
        transport = httpx.HTTPTransport(verify=trust, local_address=address)
        clients.append(httpx.Client(transport=transport, timeout=PATIENCE, base_url=f"https://127.0.0.1:{https}"))
        return clients[-1]

    try:
        until(lambda: (tmp_path / "nginx.pid").exists() and (tmp_path / "nginx.pid").read_text(), "nginx starts")
        yield f"http://127.0.0.1:{http}", client
    finally:
        for one in clients:
            one.close()
        process.terminate()
        process.wait(PATIENCE)
        server.close()


@pytest.mark.thorough
def test_a_match_behind_nginx(proxied: tuple[str, Callable[[str], httpx.Client]]) -> None:
    plain, client = proxied
    ana = client("127.0.0.2")
    moved = httpx.get(f"{plain}/t/x?a=1")
    assert (moved.status_code, moved.headers["location"]) == (301, "https://games.example.org/t/x?a=1"), (
        "not what the client calls it"
    )
    page = ana.get("/")
    assert page.status_code == 200
    assert "Lamplighter" in page.text
    assert page.headers["strict-transport-security"]
    assert page.headers["content-security-policy"]
    assert ana.get("/metrics").status_code == 403
    assert ana.get("/static/table.js").headers.get("content-encoding") == "gzip"

    answer = ana.post("/api/tables", json={"variant": variant_where(one_by_one), "seats": ["me", "me"], "name": "Ana"})
    assert answer.status_code == 201
    assert "; Secure" in answer.headers["set-cookie"]
    api = f"/api/tables/{answer.json()['id']}"
    ana.headers["authorization"] = f"Bearer {answer.json()['token']}"
    with ana.stream("GET", f"{api}/events") as stream:
        lines = stream.iter_lines()
        assert stream.headers["content-type"].startswith("text/event-stream")
        assert "content-encoding" not in stream.headers
        assert next(lines) == "event: hello"
        view = ana.get(api, params={"sheet": False}).json()
        body = {"seat": view["you"], "move": view["moves"][0], "version": view["version"], "key": new_key()}
        begun = time.monotonic()
        assert ana.post(f"{api}/moves", json=body | {"done": True}).status_code == 200
        told = next(line for line in lines if line.startswith("data:") and view["moves"][0] in line)
        assert told, f"it came {time.monotonic() - begun:.1f} s after the move, while the stream was open"


@pytest.mark.thorough
def test_nginx_passes_the_address_of_the_client(proxied: tuple[str, Callable[[str], httpx.Client]]) -> None:
    """Every client has limits of its own, and nobody gets others by claiming to be somebody else."""
    client = proxied[1]
    body = {"variant": variant_where(one_by_one), "seats": ["me", "me"]}
    ana, bo = client("127.0.0.2"), client("127.0.0.3")
    assert [ana.post("/api/tables", json=body).status_code for _ in range(3)] == [201, 201, 429]
    claimed = ana.post("/api/tables", json=body, headers={"X-Forwarded-For": "192.0.2.7"})
    assert claimed.status_code == 429
    assert bo.post("/api/tables", json=body).status_code == 201


def test_the_caddyfile_says_the_same() -> None:
    """What both proxies need: the same server behind, metrics closed, streams passed on at once."""
    caddy, nginx = ((DEPLOY / name).read_text() for name in ("Caddyfile", "nginx.conf"))
    assert "reverse_proxy 127.0.0.1:8000" in caddy and "proxy_pass http://127.0.0.1:8000;" in nginx
    assert "/metrics" in caddy and "location = /metrics" in nginx
    assert "flush_interval -1" in caddy and "proxy_buffering off;" in nginx
