#!/usr/bin/env python3
"""A bot in forty lines that speaks the engine protocol: any legal move, but the longest of a few. It needs Python alone.

lamplighter arena last_minute --seats 2 --bots ./examples/first_engine.py,greedy --games 20
"""

import random
import sys


def choose(legal: list[str], text: str) -> str:
    """Put your own thought here: `legal` has the moves, `text` is the position as docs/notation.md describes it."""
    tried = random.sample(legal, min(3, len(legal)))
    return max(tried, key=len)


def main() -> None:
    legal: list[str] = []
    text = ""
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "lamplighter":
            print("id name First Engine")
            print("lamplighterok")
        elif word == "isready":
            print("readyok")
        elif word == "text":
            text = rest
        elif word == "legal":
            legal = rest.split(" | ")
        elif word == "go":
            print(f"bestmove {choose(legal, text)}")
        elif word == "quit":
            break
        sys.stdout.flush()


if __name__ == "__main__":
    main()
