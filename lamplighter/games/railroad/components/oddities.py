"""What is odd about a component file though it can be played: each as a sentence, and where in the file it stands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from lamplighter.games.railroad.components.board import read_size

if TYPE_CHECKING:
    from lamplighter.engine.component_file import ComponentFile, Path

Oddity = tuple[str, "Path"]
EDITIONS, EXPANSIONS = ("base", "challenge"), ("none", "lamps", "power")


def oddities(file: ComponentFile) -> list[tuple[str, Path]]:
    """Return what is odd about a file that `build` accepts; nothing about the usual box."""
    parts = (_dice, _routes, _exits, _structures, _numbers, _goals)
    return [found for part in parts for found in part(file)]


def _sets(file: ComponentFile) -> dict[str, list[str]]:
    found: dict[str, list[str]] = file.get("sets")
    return found


def _shown(file: ComponentFile, *names: str) -> list[dict[str, Any]]:
    """The routes on the dice of some sets; lamp dice and route dice alike."""
    codes = {face for name in names for die in _sets(file)[name] for face in file.get("dice", die)}
    return [route for code, route in file.get("routes").items() if code in codes]


def _types(routes: list[dict[str, Any]]) -> set[str]:
    return {kind for route in routes for segment in route["segments"] for kind in segment.values()}


def _dice(file: ComponentFile) -> Iterator[Oddity]:
    """§1.2, §1.3, §1.6, §1.7 Dice that nobody rolls, expansions without dice."""
    used = {die for dice in _sets(file).values() for die in dice}
    for die in file.get("dice"):
        if die not in used:
            yield f"die {die} is in no set, so nobody rolls it", ("dice", die)
    for name in ("lamps", "power"):
        if not _sets(file)[name]:
            yield f"the expansion {name} has no dice", ("sets", name)


def _routes(file: ComponentFile) -> Iterator[Oddity]:
    """§1.2–§1.4 Routes that no die shows, and routes that look alike."""
    faces = {face for dice in _sets(file).values() for die in dice for face in file.get("dice", die)}
    for code, route in file.get("routes").items():
        if code not in faces:
            yield f"no die in play shows the route {code}, {route['name']}", ("routes", code)
    seen: dict[tuple[Any, ...], str] = {}
    for table in ("routes", "specials"):
        for code, route in file.get(table).items():
            look = _look(route)
            if look in seen:
                yield f"{code} looks like {seen[look]}: players cannot tell them apart", (table, code)
            seen.setdefault(look, code)


def _look(route: dict[str, Any]) -> tuple[Any, ...]:
    """What all ways to turn a route have in common: it tells routes apart."""
    from lamplighter.games.railroad.components.catalogue import read_route

    pictures = read_route("A0", route, ends=False).pictures
    return frozenset(pictures), bool(route.get("station")), bool(route.get("lamp"))


def _exits(file: ComponentFile) -> Iterator[Oddity]:
    """§1.1 Exits that no route can continue, and only one exit."""
    exits = file.get("board", "exits")
    if len(exits) == 1:
        yield "one exit alone scores nothing", ("board", "exits")
    for edition in EDITIONS:
        types = _types(_shown(file, edition))
        for i, found in enumerate(exits):
            if found["type"] not in types:
                what = "highway" if found["type"] == "H" else "railway"
                yield (
                    f"no die of the {edition} set continues the {what} exit at {found['space']}",
                    ("board", "exits", i),
                )
    if not file.get("board", "centre"):
        yield "the board has no centre", ("board", "centre")


def _structures(file: ComponentFile) -> Iterator[Oddity]:
    """§1.5, §6.1 Structures under the accumulator, and universities that are too few."""
    accumulator = file.get("board", "accumulator")
    for name, what in (("factories", "factory"), ("villages", "village")):
        spaces = file.get("structures", name)
        if accumulator in spaces:
            where = ("structures", name, spaces.index(accumulator))
            yield (
                f"the {what} at {accumulator} lies under the accumulator, so it is of no use with the Power Grid",
                where,
            )
    needed, there = file.get("limits", "universities_for_special"), len(file.get("structures", "universities"))
    if needed > there:
        path: Path = ("limits", "universities_for_special")
        yield f"{needed} universities are needed for the extra special route, and the board has {there}", path
    stations = [route for route in [*_shown(file, "challenge"), *file.get("specials").values()] if route.get("station")]
    if file.get("structures", "villages") and not stations:
        yield "no route of the Challenge edition holds a station, so villages never count", ("structures", "villages")


def _numbers(file: ComponentFile) -> Iterator[Oddity]:
    """§1.9, §2.3, §4.4, §7.1 Limits that cannot be met, and tracks that fall."""
    rows, columns = read_size(file)
    for edition in EDITIONS:
        for expansion in EXPANSIONS:
            rounds, dice = file.get("rounds", expansion), len(_sets(file)[edition])
            if rounds * dice > rows * columns:
                words = (
                    f"{rounds} rounds of {dice} routes ({edition}, {expansion}) do not fit on {rows} × {columns} spaces"
                )
                yield words, ("rounds", expansion)
    limits, specials = file.get("limits"), len(file.get("specials"))
    if limits["specials_a_game"] > specials:
        words = f"a match allows {limits['specials_a_game']} special routes, and there are {specials}"
        yield words, ("limits", "specials_a_game")
    if limits["specials_a_round"] > limits["specials_a_game"]:
        yield "a round allows more special routes than a match", ("limits", "specials_a_round")
    for name, rises in (
        ("exit_points", True),
        ("village_points", True),
        ("goal_points", False),
        ("solo_goal_points", False),
    ):
        track = file.get("scoring", name)
        for i in range(1, len(track)):
            if (track[i] < track[i - 1]) == rises and track[i] != track[i - 1]:
                yield (
                    f"{name} should not {'fall' if rises else 'rise'}: {track[i]} follows {track[i - 1]}",
                    ("scoring", name, i),
                )
    for i, last in enumerate(file.get("scoring", "solo_goal_rounds")):
        if last > max(file.get("rounds").values()):
            yield (
                f"goal {i + 1} is early until round {last}, and no match is so long",
                ("scoring", "solo_goal_rounds", i),
            )


def _goals(file: ComponentFile) -> Iterator[Oddity]:
    """§4.4 Goals that cannot be reached, and goals that are the same."""
    most = _most(file)
    goals = file.get("goals")
    alike = Counter((goal["kind"], goal["at_least"]) for goal in goals.values())
    for letter, goal in goals.items():
        if goal["at_least"] > most[goal["kind"]]:
            words = f"goal {letter} asks for {goal['at_least']} ({goal['kind']}), and there can be {most[goal['kind']]} at most"
            yield words, ("goals", letter)
        if alike[goal["kind"], goal["at_least"]] > 1:
            yield f"goal {letter} is the same as another one", ("goals", letter)


def _most(file: ComponentFile) -> dict[str, int]:
    """How much a board can have of what each kind of goal counts."""
    rows, columns = read_size(file)
    board, spaces = file.get("board"), rows * columns
    routes = [*_shown(file, "challenge"), *file.get("specials").values()]
    types = _types(routes)
    stations = any(route.get("station") for route in routes)
    sides = Counter(found["side"] for found in board["exits"])
    return {
        "centre": len(board["centre"]),
        "villages": len(file.get("structures", "villages")) if stations else 0,
        "line": rows + columns,
        "corners": 4,
        "block": (rows - 2) * (columns - 2),
        "loop": 1,
        "exits": len(board["exits"]),
        "stations": spaces if stations else 0,
        "highway": spaces if "H" in types else 0,
        "railway": spaces if "R" in types else 0,
        "opposite": min(sides["N"], sides["S"]) + min(sides["E"], sides["W"]),
        "middle": len(board["middle_exits"]),
    }
