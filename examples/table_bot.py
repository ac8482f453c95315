"""A bot that joins a table by its link and plays any legal move: python examples/table_bot.py http://localhost:8000/t/ID"""

import json
import random
import sys
import uuid
from urllib.error import HTTPError
from urllib.request import Request, urlopen


def ask(address, token="", body=None):
    data = None if body is None else json.dumps(body).encode()
    headers = {"content-type": "application/json", "authorization": f"Bearer {token}"}
    return urlopen(Request(address, data, headers))


def play(link, name="Robin"):
    table = link.partition("#")[0].replace("/t/", "/api/tables/")
    token = json.load(ask(f"{table}/join", body={"name": name}))["token"]
    with ask(f"{table}/events", token) as events:
        while (view := json.load(ask(f"{table}?sheet=false", token)))["phase"] != "over":
            if not view["moves"]:  # others have to act: wait until something happens
                next(line for line in events if line.startswith(b"data:"))
                continue
            move = {"seat": view["you"], "move": random.choice(view["moves"]), "version": view["version"]}
            try:
                ask(f"{table}/moves", token, move | {"key": uuid.uuid4().hex}).close()
            except HTTPError as error:
                if error.code != 409:  # the table has moved on since: look again
                    raise
    return view["result"]


if __name__ == "__main__":
    print(play(sys.argv[1]))
