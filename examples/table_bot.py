"""A bot that joins a table by its link and plays any legal move: python examples/table_bot.py http://localhost:8000/t/ID"""

import json
import random
import sys
import time
import uuid
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.request import Request, urlopen


def ask(address, token="", body=None):
    headers = {"content-type": "application/json", "authorization": f"Bearer {token}"}
    return urlopen(Request(address, None if body is None else json.dumps(body).encode(), headers))


def play(link, name="Robin"):
    table = link.partition("#")[0].replace("/t/", "/api/tables/")
    token = json.load(ask(f"{table}/join", body={"name": name}))["token"]
    while True:
        try:
            with ask(f"{table}/events", token) as events:
                while (view := json.load(ask(f"{table}?sheet=false", token)))["phase"] != "over":
                    if view["moves"]:
                        move = {"seat": view["you"], "move": random.choice(view["moves"]), "version": view["version"]}
                        ask(f"{table}/moves", token, move | {"key": uuid.uuid4().hex}).close()
                    else:  # others have to act: wait until something happens
                        next(line for line in events if line.startswith(b"data:"))
                return view["result"]
        except HTTPError as error:
            if error.code != 409:  # else the table has moved on since: look again
                raise
        except (OSError, HTTPException, StopIteration):  # the server is away: it comes back, and so do we
            time.sleep(1)


if __name__ == "__main__":
    print(play(sys.argv[1]))
