"""Playthroughs and counts: what a game does, written down so that a change cannot go unnoticed.

`python tests/snapshots.py` (or `make snapshots`) writes them anew. A difference in one is a change of the rules and
belongs in the changelog.
"""

from __future__ import annotations

import sys
from pathlib import Path

from lamplighter import bots, games
from lamplighter.engine import record
from lamplighter.engine.game import Game
from lamplighter.engine.match import Match
from lamplighter.engine.position import Position
from lamplighter.engine.variant import Variant
from lamplighter.lab.simulate import record_match

LARGEST = 50_000  # bytes of a playthrough
MOST_LINES = 30_000  # lines of play that a count may walk through


# --- playthroughs ---------------------------------------------------------------------------------------------


def playthrough_matches(game: Game) -> dict[str, Match]:
    """Three whole matches: the fewest seats, as it is usually played, and as many seats as there is room for."""
    fewest, usual = (Variant(game, {"seats": seats}) for seats in (game.seats[0], game.default_seats))
    for seats in range(game.seats[1], 0, -1):
        longest = record_match(Variant(game, {"seats": seats}), bots.seat_bots("uniform", seats), "longest", 0)
        if seats == game.seats[0] or len(_render(longest, 1000).encode()) <= LARGEST:
            break
    return {
        "short": record_match(fewest, bots.seat_bots("uniform", fewest.seats), "short", 0),
        "typical": record_match(usual, bots.seat_bots("greedy", usual.seats), "typical", 0),
        "longest": longest,
    }


def render(match: Match) -> str:
    """A match for people: each entry with what was legal and what it scored, and sheets as often as room allows."""
    for every in (1, 2, 4, 8, 16, 1000):
        text = _render(match, every)
        if len(text.encode()) <= LARGEST:
            break
    return text


def _render(match: Match, every: int) -> str:
    """The record's header, then the entries, with a sheet in every so many turns."""
    head = record.tags(match)
    lines = [f"{key}: {head[key]}" for key in ("Game", "RulesVersion", "Variant", "Seed", "Result")]
    position = match.variant.start()
    turn = -1
    for entry in match.log:
        if entry.kind == "move" and entry.turn != turn:
            turn = entry.turn
            seat = entry.seat or 0
            lines += ["", f"turn {turn}"]
            lines += [f"the sheet of seat {seat}", str(position.draw(seat))] if (turn - 1) % every == 0 else []
        who = "all" if entry.seat is None else f"seat {entry.seat}"
        if entry.kind == "chance":
            lines.append(f"{who} <- {entry.text}  (of {len(position.outcomes())})")
            position.apply_outcome(entry.value)
        else:
            legal = len(position.legal_actions(entry.seat or 0))
            position.act(entry.seat or 0, entry.value)
            lines.append(f"{who} -> {entry.text}  (of {legal}, {position.total(entry.seat or 0)} points)")
    for seat in range(match.variant.seats):
        lines += ["", f"seat {seat} at the end", str(position.draw(seat))]
        lines += [f"  {name:<16}{points:>5}" for name, points in position.score(seat).items()]
        lines += [f"  ({name} {value})" for name, value in position.facts(seat).items()]
    lines.append(f"\nwinners: {match.winners()}")
    return "\n".join(line.rstrip() for line in "\n".join(lines).splitlines()) + "\n"


def read_back(text: str) -> Match:
    """The match of a rendered playthrough, played again by its moves."""
    lines = text.splitlines()
    head = dict(line.split(": ", 1) for line in lines[:5])
    from lamplighter import load

    match = load(head["Variant"]).match(seed=head["Seed"])
    for line in lines[5:]:
        if " <- " in line and line.split(" <- ")[0].removeprefix("seat ").strip() in ("all", *map(str, range(9))):
            match.confirm_outcome(line.split(" <- ")[1].rpartition("  (")[0])
        elif " -> " in line and line.startswith("seat "):
            who, move = line.split(" -> ")
            match.play(move.rpartition("  (")[0], int(who.removeprefix("seat ")))
    return match


# --- counts ---------------------------------------------------------------------------------------------------


def count_lines(position: Position, depth: int) -> int:
    """How many lines of play of this many entries there are; of seats that wait at once the lowest goes first."""
    if position.waiting:
        seat = position.waiting[0]
        steps = position.legal_actions(seat)
    else:
        seat, steps = -1, position.outcome_numbers()[0]
    if depth <= 1 or not steps:
        return len(steps)
    total = 0
    for step in steps:
        following = position.copy()
        if seat < 0:
            following.apply_outcome(step)
        else:
            following.act(seat, step)
        total += count_lines(following, depth - 1)
    return total


def count_starts(game: Game) -> list[tuple[str, int]]:
    """Where counting begins: variants, and how many entries of their first match are played before."""
    usual = Variant(game)
    most = Variant(game, {"seats": game.seats[1]})
    length = len(record_match(usual, bots.seat_bots("uniform", usual.seats), "counts", 0).log)
    return [(usual.text, 0), (usual.text, length // 3), (usual.text, 2 * length // 3), (most.text, 12)]


def position_at(variant_text: str, entries: int) -> Position:
    from lamplighter import load

    variant = load(variant_text)
    match = record_match(variant, bots.seat_bots("uniform", variant.seats), "counts", 0)
    return match.at(entries)


def count_rows(game: Game) -> list[str]:
    """`variant | entries played before | depth | lines of play`, as deep as stays quick."""
    rows = []
    for text, entries in count_starts(game):
        position = position_at(text, entries)
        for depth in range(1, 6):
            count = count_lines(position, depth)
            if count > MOST_LINES and depth > 1:
                break
            rows.append(f"{text} | {entries} | {depth} | {count}")
            if count * 60 > MOST_LINES * 40:
                break
    return rows


# --- writing --------------------------------------------------------------------------------------------------


def write(game: Game) -> None:
    folder = game.folder / "tests"
    (folder / "playthroughs").mkdir(exist_ok=True)
    for name, match in playthrough_matches(game).items():
        (folder / "playthroughs" / f"{name}.txt").write_text(render(match), encoding="utf-8")
    (folder / "counts.txt").write_text("\n".join(count_rows(game)) + "\n", encoding="utf-8")


def main(names: list[str]) -> None:
    for name in names or games.own_names():
        write(games.load(name))
        print(f"{name}: {Path(games.load(name).folder).name}/tests")


if __name__ == "__main__":
    main(sys.argv[1:])
