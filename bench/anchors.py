"""Measure other people's game engines on request, so that ours can be compared with them in the same run.

Reads one request per line on standard input and answers each with one line of JSON, until `quit` or the end.

    openspiel connect_four 0.5
    {"engine": "openspiel", "game": "connect_four", "moves": 1407161, "games": 66316, "seconds": 0.501708}

A request that makes no sense is answered `{"error": "..."}`. Loading and a warm-up batch happen at the first
request for a game, outside the measured time. `seconds` is wall time spent: a batch is never cut short.

openspiel connect_four, openspiel dots_and_boxes (2 x 2 boxes; or dots_and_boxes(num_rows=3,num_cols=3), say)
    Whole games from the opening position, every move uniform over the legal ones, played by OpenSpiel's C++
    `RandomRolloutEvaluator`. Python cannot call that class directly, so the C++ `MCTSBot` does, with a single
    simulation: its search grows no tree and only hands the opening to the evaluator, which plays the batch.
    Python is entered once per batch of about 5000 moves. Measured: per game, a clone of the opening and the
    reading of the result; per move, terminal test, list of legal actions, random choice and application with
    OpenSpiel's own history keeping. Not measured: observations, tensors, strings, search.
    `games` is exact. The evaluator does not tell its moves, so `moves` is `games` times the mean length found
    once by a seeded Python loop of half a million moves over the same engine: exact for dots_and_boxes, whose
    games are all equally long; for connect_four an estimate with a standard error near 0.2 %.

pyspiel connect_four
    The same engine driven from Python, move by move, as programs do: `is_terminal()`, `legal_actions()`, `clone()`,
    `apply_action()`. A legal action is taken in turn rather than drawn, which is cheaper for both sides.

mcts connect_four
    OpenSpiel's C++ `MCTSBot` at the opening: one random rollout to the end for each simulation, no solving, 2,000
    simulations for each call. `moves` is the number of simulations.

pettingzoo connect_four
    `connect_four_v3.env()`, the usual wrapped AEC environment, without rendering: `last()`, a uniform choice
    among the columns its action mask allows, `step()`, until the game ends, then `reset()`. Observations and
    wrappers are included, as its users have them. In its favour, `random.choice` replaces the slower
    `action_space(agent).sample(mask)`, and each agent's closing `step(None)` is left out. Counts are exact.

Everything runs in one thread. Trust ratios of measurements taken alternately on one machine, not one figure.
"""

import importlib
import json
import os
import random
import sys
import time
from collections.abc import Callable
from functools import cache
from typing import Any

SEED = 20_240
LENGTH_SAMPLE = 500_000  # moves played from Python to learn the mean length of a game
BATCH_MOVES = 5_000  # moves per call into C++, a millisecond or two
SEARCHED = 2_000  # simulations of one search
MAX_SECONDS = 600.0
Batch = Callable[[], tuple[float, int]]  # plays some whole games and returns (moves, games)


def mean_length(game: Any) -> float:
    """Mean number of moves of a uniformly random game of OpenSpiel, by playing some thousands from Python."""
    rng, moves, games = random.Random(SEED), 0, 0
    while moves < LENGTH_SAMPLE:
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
            moves += 1
        games += 1
    return moves / games


def openspiel(name: str) -> Batch:
    """Random rollouts in OpenSpiel's C++, a batch per call."""
    if name.partition("(")[0] not in ("connect_four", "dots_and_boxes"):
        raise ValueError(f"unknown game for openspiel: {name}")
    spiel: Any = importlib.import_module("pyspiel")
    game = spiel.load_game(name)
    mean = mean_length(game)
    games = max(1, round(BATCH_MOVES / mean))
    evaluator = spiel.RandomRolloutEvaluator(games, SEED)
    # One simulation, hence one evaluation of the opening; exploration, memory and solving play no part.
    bot = spiel.MCTSBot(game, evaluator, 1.0, 1, 1, False, SEED, False)
    opening = game.new_initial_state()

    def batch() -> tuple[float, int]:
        bot.step(opening)
        return games * mean, games

    return batch


def pyspiel(name: str) -> Batch:
    """One random game of OpenSpiel, driven move by move from Python: legal actions, clone, apply, is it over?"""
    spiel: Any = importlib.import_module("pyspiel")
    game, rng = spiel.load_game(name), random.Random(SEED)

    def batch() -> tuple[float, int]:
        state, moves, first = game.new_initial_state(), 0, rng.randrange(7)
        while not state.is_terminal():
            legal = state.legal_actions()
            state.clone()
            state.apply_action(legal[(first + moves) % len(legal)])
            moves += 1
        return moves, 1

    return batch


def mcts(name: str) -> Batch:
    """One search of OpenSpiel's C++ MCTS; its simulations are counted."""
    spiel: Any = importlib.import_module("pyspiel")
    game = spiel.load_game(name)
    bot = spiel.MCTSBot(game, spiel.RandomRolloutEvaluator(1, SEED), 2.0, SEARCHED, 100, False, SEED, False)
    opening = game.new_initial_state()

    def batch() -> tuple[float, int]:
        bot.step(opening)
        return SEARCHED, 1

    return batch


def pettingzoo(name: str) -> Batch:
    """Random games of PettingZoo's connect four, one per call."""
    if name != "connect_four":
        raise ValueError(f"unknown game for pettingzoo: {name}")
    env: Any = importlib.import_module("pettingzoo.classic").connect_four_v3.env()
    rng = random.Random(SEED)

    def batch() -> tuple[float, int]:
        env.reset()
        moves = 0
        while True:
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                return moves, 1
            mask = observation["action_mask"].tolist()
            env.step(rng.choice([column for column, free in enumerate(mask) if free]))
            moves += 1

    return batch


ENGINES: dict[str, Callable[[str], Batch]] = {
    "openspiel": openspiel,
    "pyspiel": pyspiel,
    "pettingzoo": pettingzoo,
    "mcts": mcts,
}


@cache
def prepare(engine: str, game: str) -> Batch:
    """Load and warm up a game, once: later requests go on with fresh random games."""
    if engine not in ENGINES:
        raise ValueError(f"unknown engine: {engine}")
    batch = ENGINES[engine](game)
    batch()
    return batch


def measure(request: str) -> dict[str, Any]:
    """Serve one request line."""
    match request.split():
        case [engine, game, number]:
            wanted = float(number)
        case _:
            raise ValueError(f"expected 'engine game seconds', got: {request.strip()}")
    if not 0 < wanted <= MAX_SECONDS:  # false for nan too
        raise ValueError(f"seconds must be above 0 and at most {MAX_SECONDS:g}, got: {number}")
    batch = prepare(engine, game)
    moves, games, elapsed = 0.0, 0, 0.0
    start = time.perf_counter()
    while elapsed < wanted:
        played = batch()
        moves, games = moves + played[0], games + played[1]
        elapsed = time.perf_counter() - start
    return {"engine": engine, "game": game, "moves": round(moves), "games": games, "seconds": elapsed}


def main() -> None:
    """Answer requests until told to quit. Whatever the engines print goes to standard error."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    for line in sys.stdin:
        if line.strip() == "quit":
            break
        try:
            answer = measure(line)
        except Exception as error:  # an engine that is missing or fails must not end the others' measurements
            answer = {"error": str(error) or type(error).__name__}
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main()
