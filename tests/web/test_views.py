"""What a view offers: every legal move as a whole text, where it is made and what is paid for it."""

from __future__ import annotations

import random
import re
from typing import Any

from serving import Person

from lamplighter import games
from lamplighter.engine import plain
from lamplighter.engine.game import Game


def offered(view: dict[str, Any]) -> list[str]:
    """The moves that a browser can send for a sheet: of each target its own, or one of those that share it."""
    shown = re.findall(r' data-move="([^"]*)"', view["sheet"])
    return sorted(way["move"] for move in shown for way in view["ways"].get(move, [{"move": move}]))


def test_every_legal_move_is_offered_as_a_whole_text(own_game: Game, someone: Person) -> None:
    """Nobody who draws a sheet has to put a move together."""
    person, choice = someone.lay(f"{own_game.id}?seats={own_game.seats[0]}"), random.Random(5)
    for _ in range(12):
        view = person.view(0, sheet=True)
        assert offered(view) == sorted(view["moves"])
        if not view["moves"]:
            break
        person.move(choice.choice(view["moves"]), view)


def first_with_ways(someone: Person) -> tuple[Person, dict[str, Any]]:
    """A table of ours where one place has moves that differ only in what is paid, and its view."""
    for seed in range(25):  # dice and cards are new each time: enough tries that one comes
        for name in games.own_names():
            person, choice = someone.lay(f"{name}?seats={games.load(name).seats[0]}"), random.Random(seed)
            for _ in range(25):
                view = person.view(0, sheet=True)
                if view["ways"] or not view["moves"]:
                    break
                person.move(choice.choice(view["moves"]), view)
            if view["ways"]:
                return person, view
    raise AssertionError("nothing is ever paid in two ways")


def test_moves_that_share_a_place_are_told_apart(someone: Person) -> None:
    _, view = first_with_ways(someone)
    for move, ways in view["ways"].items():
        assert ways[0]["move"] == move and len(ways) > 1
        assert len({way["label"] for way in ways}) == len(ways)
        assert all(way["move"] in view["moves"] and way["label"] for way in ways)
    assert len(offered(view | {"ways": {}})) < len(view["moves"])  # without them, moves would be missing


def test_who_must_act_is_told_what_to_do_and_what_it_is_worth(own_game: Game, someone: Person) -> None:
    """Nobody else is told; points are those that the score then shows; a move that is not legal now is worth nothing."""
    person, choice = someone.lay(f"{own_game.id}?seats={own_game.seats[0]}"), random.Random(6)
    for _ in range(6):
        view = person.view(0, sheet=True)
        if not view["moves"]:
            break
        assert view["instruction"].endswith(".")
        assert view["final"] is None or view["final"] in view["moves"]
        move = choice.choice(view["moves"])
        told = person.post("worth", seat=0, move=move)
        assert told["legal"] and told["points"] == sum(line["points"] for line in told["lines"])
        assert all(line["title"] for line in told["lines"])
        total = view["seats"][0]["total"]
        person.move(move, view)
        entry = person.view(0)
        if entry["turn"] == view["turn"]:  # nothing else has happened since
            assert entry["seats"][0]["total"] == total + told["points"]
    assert not person.post("worth", seat=0, move="nothing of the kind")["legal"]
    assert Person(someone.url, person.table).view(sheet=True)["instruction"] == ""


def test_no_code_is_left_in_titles_and_lines_have_reasons(own_game: Game, someone: Person) -> None:
    person = someone.lay(f"{own_game.id}?seats={own_game.seats[0]}")
    lines = [line for line in person.view(0)["seats"][0]["lines"] if line["title"]]
    assert lines and not [line for line in lines if re.search(r"[a-z][0-9]|_|[a-z]-[a-z]", line["title"])]
    for line in lines:
        assert person.get(f"lines/{line['name']}", seat=0)["sentence"].endswith(".")


def test_what_a_move_did_to_another_sheet_is_told_marked_and_logged(someone: Person) -> None:
    """Until that seat acts, or the move is taken back; the log keeps it. Games in which nobody touches others have none."""
    touching = [name for name in games.own_names() if games.load(name).texts.effects is not plain.effects]
    assert touching
    for name in touching:
        game = games.load(name)
        person = someone.lay(
            f"{name}?seats={game.seats[0]}", ["me"] * game.seats[0], names=["Ana", "Bo"][: game.seats[0]]
        )
        first = person.view(sheet=True)["you"]
        other = 1 - first
        before = person.view(first, sheet=True)
        person.move(before["moves"][0], before)
        view = person.view(other, sheet=True)
        assert len(view["effects"]) == len(view["marks"]) == 1
        assert before["seats"][first]["name"] in view["effects"][0]
        assert f'data-mark="{view["marks"][0]}"' in view["sheet"]
        told = [entry["effects"] for entry in view["log"] if entry["kind"] == "move"]
        assert told == [view["effects"]]
        assert person.view(first, sheet=True)["log"][-1]["effects"] == []  # nobody did anything to this one
        mine = person.view(first, sheet=True)
        person.post("undo", seat=first, version=mine["version"], key="back")
        back = person.view(other, sheet=True)
        assert back["effects"] == back["marks"] == [] and not any(entry["effects"] for entry in back["log"])
        again = person.view(first, sheet=True)
        person.move(again["moves"][0], again)
        view = person.view(other, sheet=True)
        person.move(view["moves"][0], view)
        after = person.view(other, sheet=True)
        assert after["effects"] == after["marks"] == [] and any(entry["effects"] for entry in after["log"])


def test_the_log_says_by_name_who_begins(someone: Person) -> None:
    """It said "player 1 begins", in every language."""
    someone = someone.lay("last_minute?seats=2", seats=["me", "bot:easy"], name="Ana")
    view = someone.view(sheet=True)
    first = next(entry["text"] for entry in view["log"] if entry["kind"] == "chance")
    names = ["Ana", view["seats"][1]["name"].partition(" (")[0]]
    assert view["words"][first] == f"{names[int(first.split()[1])]} begins"
