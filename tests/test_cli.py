"""The command line, with real files; what depends on processes, pipes and terminals has real ones."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
import time
from pathlib import Path

import click
import numpy as np
import pytest
import typer
from commands import Done, run_command
from rich.markdown import Markdown
from rich.text import Text

from lamplighter import games, load, read
from lamplighter.bots import seat_bots
from lamplighter.cli import app, terminal
from lamplighter.engine.game import format_value
from lamplighter.engine.labels import Labels
from lamplighter.engine.variant import Variant
from lamplighter.jit import PURE
from lamplighter.lab.simulate import simulate

GAME = next(name for name in games.own_names() if games.load(name).seats[0] > 1)
SEATS = games.load(GAME).seats[0]


def run(*arguments: str, given: str = "", expect: int = 0, cwd: Path | None = None, columns: int = 200) -> Done:
    """Run a command; a traceback is never an answer."""
    result = run_command(*arguments, given=given, cwd=cwd, columns=columns)
    assert result.returncode == expect, result.stdout + result.stderr
    assert "Traceback" not in result.stderr, result.stderr
    return result


@pytest.fixture(scope="module")
def record_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("records")
    run("simulate", GAME, "--seats", str(SEATS), "--games", "2", "--records", str(folder))
    return sorted(folder.iterdir())[0]


@pytest.mark.parametrize("command", ["arena", "analyse", "hindsight", "engine"])
def test_help_of_a_command(command: str) -> None:
    """Every option has a line, and the last one is an example."""
    shown = run(command, "-h").stdout
    assert f"lamplighter {command} [OPTIONS]" in shown.splitlines()[0]
    assert f"Example: lamplighter {command} " in shown
    for line in shown.partition("Options:")[2].partition("Example:")[0].splitlines():
        if line.strip().startswith("-"):
            assert len(line.split()) > 2, line


def test_help_does_not_load_numba() -> None:
    program = (
        "import sys; from lamplighter.cli import main; sys.argv = ['lamplighter', '--help']\n"
        "try: main()\nexcept SystemExit: pass\n"
        "bad = [m for m in ('numba', 'numpy', 'rich.markdown') if m in sys.modules]; assert not bad, bad"
    )
    subprocess.run([sys.executable, "-c", program], check=True, capture_output=True)


@pytest.mark.parametrize("command", ["replay", "analyse", "hindsight", "verify"])
@pytest.mark.parametrize("form", ["lamp", "jsonl"])
def test_no_record_steers_the_terminal(command: str, form: str, tmp_path: Path) -> None:
    match = load("connect_four").match(seed="1", players=["Ana", "Bo"])
    match.play("c")
    path = tmp_path / f"match.{form}"
    match.save(path)
    path.write_text(path.read_text().replace('"Ana"', json.dumps("\x1b]0;mine\x07")))
    done = run(command, str(path), expect=2)
    assert "control character U+001B" in done.stdout + done.stderr
    assert not {"\x1b", "\x07"} & set(done.stdout + done.stderr)


def test_what_is_shown_in_a_terminal_does_not_steer_it() -> None:
    with terminal.console.capture() as shown:
        terminal.console.print(Text("a\x1b[2Jb\x9b1mc\x07", "bold"), "d\x1b]0;e", Markdown("f\x1bg"))
    assert not {"\x1b", "\x9b", "\x07"} & set(shown.get()) and "\N{REPLACEMENT CHARACTER}[2Jb" in shown.get()


def test_listing_games_does_not_load_numba() -> None:
    program = (
        "import sys; from lamplighter.cli import main; sys.argv = ['lamplighter', 'games', '--json']\n"
        "try: main()\nexcept SystemExit: pass\n"
        "assert 'numba' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True, capture_output=True)


def test_games() -> None:
    rows = json.loads(run("games", "--json").stdout)
    assert {row["id"] for row in rows} == set(games.names())
    for row in rows:
        assert {"id", "title", "seats", "options", "source"} <= set(row)
    text = run("games").stdout
    assert all(name in text for name in games.names())


@pytest.mark.parametrize("name", games.names())
def test_show(name: str) -> None:
    text = run("show", name, "--seed", "3").stdout
    game = games.load(name)
    assert game.title in text
    assert "A random match" in text
    assert "total" in text
    assert text == run("show", name, "--seed", "3").stdout
    fresh = run("show", name).stdout
    (seed,) = re.findall(r"A random match seed (\S+)", fresh)
    assert run("show", name, "--seed", seed).stdout == fresh, "what it calls the seed shows the same match again"
    assert game.title in run("show", name, "--rules").stdout
    assert run("show", name, "--box-file").stdout == game.box_text


def test_simulate_json() -> None:
    result = json.loads(
        run(
            "simulate", GAME, "--seats", str(SEATS), "--bots", "uniform", "--games", "4", "--seed", "9", "--json"
        ).stdout
    )
    expected = {"game", "variant", "games", "moves", "seconds", "games_per_second", "moves_per_second", "seats"}
    assert expected <= set(result)
    assert (result["game"], result["games"], len(result["seats"])) == (GAME, 4, SEATS)
    for seat in result["seats"]:
        assert {"bot", "mean", "sd", "quantiles", "win_rate", "lines"} <= set(seat)
        assert sum(seat["lines"].values()) == pytest.approx(seat["mean"], abs=0.01)
    assert sum(seat["win_rate"] for seat in result["seats"]) == pytest.approx(1, abs=0.01)


def test_simulate_does_not_depend_on_threads() -> None:
    games_played = "6" if PURE else "300"
    common = ("simulate", GAME, "--seats", str(SEATS), "--games", games_played, "--json")
    one, two = (json.loads(run(*common, "--threads", threads).stdout) for threads in ("1", "2"))
    for key in ("games", "moves", "seats"):
        assert one[key] == two[key]


def test_a_simulation_that_is_stopped_has_no_gaps() -> None:
    """What was played until then are the first matches, so that their records are those of the summary."""
    variant, played = Variant(games.load(GAME), {"seats": SEATS}), 100 if PURE else 200_000
    bots = seat_bots("uniform", SEATS)

    def stop(done: int) -> None:
        raise KeyboardInterrupt

    stopped = simulate(variant, bots, played, "7", 2, stop)
    assert 0 < stopped.games < played
    again = simulate(variant, bots, stopped.games, "7")
    assert np.array_equal(np.concatenate(stopped.totals), np.concatenate(again.totals))


def test_greedy_beats_uniform() -> None:
    count = "3" if PURE else "200"
    bots = ",".join(["greedy"] + ["uniform"] * (SEATS - 1))
    seats = json.loads(run("simulate", GAME, "-n", str(SEATS), "--bots", bots, "--games", count, "--json").stdout)[
        "seats"
    ]
    assert seats[0]["mean"] > seats[1]["mean"]
    assert "win" in run("simulate", GAME, "-n", str(SEATS), "--games", "2").stdout


def test_replay_and_verify(record_file: Path) -> None:
    rows = [json.loads(line) for line in run("replay", str(record_file), "--json").stdout.splitlines()]
    assert [row["seq"] for row in rows] == list(range(1, len(rows) + 1))
    assert rows[-1]["kind"] == "end"
    for row in rows:
        assert set(row) == {"seq", "kind", "seat", "text", "fields", "scores"}
        assert len(row["scores"]) == SEATS
    assert {row["kind"] for row in rows} == {"chance", "move", "end"}
    assert "total" in run("replay", str(record_file)).stdout
    named = read(record_file)
    named.players[0] = "[/x]"
    named.save(record_file)
    assert "[/x]" in run("replay", str(record_file)).stdout, "a name is no markup"
    checked = run("verify", str(record_file)).stdout
    assert checked.startswith("ok")
    assert "dice against the seed" in checked
    assert "digest" in checked


def test_tampered_record(record_file: Path, tmp_path: Path) -> None:
    text = record_file.read_text(encoding="utf-8")
    body = text.partition("\n\n")[2]
    moves = re.findall(r"(\d+): ([^|\n]+?) (?:\||\n)", body)
    seat, move = moves[SEATS]
    earlier = next(text for who, text in moves if who == seat and text != move)
    bad = tmp_path / "bad.lamp"
    bad.write_text(text.replace(f"{seat}: {move}", f"{seat}: {earlier}"), encoding="utf-8")
    for command in ("replay", "verify"):
        result = run(command, str(bad), expect=2)
        assert re.search(r"entry \d+", result.stderr)
        assert result.stdout == "" or "ok" not in result.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("play", GAME[:-1]), f"did you mean '{GAME}'"),
        (("show", f"{GAME}?saets=2"), "did you mean 'seats'"),
        (("simulate", f"{GAME}?seats=99"), "seats cannot be '99'"),
        (("simulate", GAME, "--bots", "greedyy"), "did you mean 'greedy'"),
        (("simulate", GAME, "--bots", ",".join(["greedy"] * 9)), "bots for"),
        (("simulate", GAME, "--box", "nosuch.toml"), "nosuch.toml: cannot be read"),
        (("replay", "nosuch.lamp"), "cannot read 'nosuch.lamp'"),
        (("play",), "say which game"),
        (("play", GAME, "--rolls", "typd"), "did you mean 'typed'"),
        (("play", GAME, "--rolls", "typed", "--seed", "1"), "exclude each other"),
        (("play", GAME, "--at", "3"), "--at goes with --from"),
        (("warm", "nosuch"), "there is no game 'nosuch'"),
    ],
)
def test_bad_input_is_answered_with_a_sentence(arguments: tuple[str, ...], message: str) -> None:
    result = run(*arguments, expect=2)
    assert message in " ".join(result.stderr.split())
    assert result.stderr.startswith("error: ")


def test_play_save_and_resume(tmp_path: Path) -> None:
    """Two people at one keyboard: a refusal, an undo, a saved file that goes on."""
    match = load(f"{GAME}?seats={SEATS}").match(seed="table")
    match.roll()
    seat = match.waiting[0]
    legal = match.legal_moves(seat)
    script = ["nonsense", "help", "moves", legal[0], "undo", legal[-1], "score", "sheet", "save here.lamp", "quit"]
    start = ("play", GAME, "--seats", str(SEATS), "--bots", "none", "--seed", "table", "--names", "Ana,Bo")
    result = run(*start, given="\n".join(script) + "\n", cwd=tmp_path)
    assert "cannot read the move 'nonsense'" in result.stdout
    assert f"taken back: {legal[0]}" in result.stdout
    assert "saved; go on with" in result.stdout
    saved = (tmp_path / "here.lamp").read_text(encoding="utf-8")
    assert f"{seat}: {legal[-1]}" in saved
    again = run("play", "--from", "here.lamp", given="score\nquit\n", cwd=tmp_path)
    assert "Ana" in again.stdout or "Bo" in again.stdout
    cut = run("play", "--from", "here.lamp", "--at", "1", given="quit\n", cwd=tmp_path)
    assert "Traceback" not in cut.stdout
    assert run("play", "--from", "here.lamp", "--at", "99", expect=2, cwd=tmp_path)


def first_moves(name: str, seats: int, seed: str = "table") -> tuple[list[str], list[str]]:
    """The legal moves of the seat that acts first, in notation and as a terminal shows them."""
    match = load(f"{name}?seats={seats}").match(seed=seed)
    match.roll()
    labels = Labels(match.variant)
    legal = match.legal_moves(match.waiting[0])
    return legal, [labels.show(move) for move in legal]


@pytest.mark.parametrize("name", games.own_names())
def test_a_move_is_typed_as_it_is_labelled_and_the_sheet_is_drawn_again(name: str, tmp_path: Path) -> None:
    """A refused move shows no sheet; one that is played does."""
    seats = games.load(name).seats[0]
    legal, shown = first_moves(name, seats)
    match = load(f"{name}?seats={seats}").match(seed="table")
    match.roll()
    seat = match.waiting[0]
    before = str(match.view(seat).position.draw(seat))
    match.play(legal[-1], seat)
    after = str(match.view(seat).position.draw(seat))
    start = ("play", name, "-n", str(seats), "--bots", "none", "--seed", "table")
    said = run(*start, given=f"nonsense\n{shown[-1].upper()}\nquit\n", cwd=tmp_path).stdout
    lines = [line.rstrip() for line in said.splitlines()]
    assert f"Type a move, such as {shown[0]!r}" in said
    assert "\n".join(lines).count(before.rstrip()) == 1
    assert after.rstrip() in "\n".join(lines)


@pytest.mark.parametrize("name", games.own_names())
def test_a_list_of_moves_wraps_between_them(name: str, tmp_path: Path) -> None:
    seats = games.load(name).seats[0]
    shown = set(first_moves(name, seats)[1])
    start = ("play", name, "-n", str(seats), "--bots", "none", "--seed", "table")
    said = run(*start, given="moves\nquit\n", cwd=tmp_path, columns=57).stdout
    listed = said.partition(" legal moves\n")[2].partition("> ")[0].splitlines()[:-1]
    found = [move for line in listed for move in re.split(r" {3,}", line.strip()) if move]
    assert found and set(found) == shown
    assert max(map(len, listed)) <= 57


def test_rules_are_rendered(tmp_path: Path) -> None:
    """Headings, bold and tables as a terminal shows them, one paragraph or all."""
    start = ("play", GAME, "-n", str(SEATS), "--bots", "none", "--seed", "table")
    for said in (run(*start, given="rules\nrules 3\nquit\n", cwd=tmp_path).stdout, run("show", GAME, "--rules").stdout):
        assert "§3" in said
        assert not re.search(r"\*\*|^#|\[G\] ", said, re.MULTILINE)


def test_one_bot_is_an_opponent_in_a_game_for_one(tmp_path: Path) -> None:
    name = next(name for name in games.own_names() if games.load(name).default_seats == 1)
    said = run("play", name, "--bots", "easy", "--seed", "table", given="score\nquit\n", cwd=tmp_path).stdout
    assert "You> " in said
    assert "easy 1" in said


def commands() -> dict[str, click.Command]:
    """Every command by its words."""
    found: dict[str, click.Command] = {}

    def collect(command: click.Command, words: str) -> None:
        if isinstance(command, click.Group):
            for name, part in command.commands.items():
                collect(part, f"{words} {name}".strip())
        else:
            found[words] = command

    collect(typer.main.get_command(app), "")
    return found


@pytest.mark.parametrize("words", commands())
def test_o_means_output(words: str) -> None:
    """`-o` names a file or folder to write, as in other tools, wherever a command writes one; and nothing else."""
    options = [one for one in commands()[words].params if isinstance(one, click.Option)]
    writes = [one for one in options if {"--out", "--records"} & set(one.opts)]
    assert [one for one in options if "-o" in one.opts] == writes
    assert [one.opts for one in options if "--option" in one.opts] in ([], [["--option", "-D"]])
    shorts = [opt for one in options for opt in one.opts if len(opt) == 2]
    assert len(shorts) == len(set(shorts))


def test_o_writes_and_capital_d_chooses(tmp_path: Path) -> None:
    name, option = next((g, o) for g in games.own_names() for o in games.load(g).options[1:] if not o.when)
    value = format_value(option.values[-1])
    run("show", name, "-D", f"{option.name}={value}", "--svg", "-o", "here.svg", cwd=tmp_path)
    assert (tmp_path / "here.svg").read_text(encoding="utf-8").startswith("<svg")
    run("simulate", name, "-D", f"{option.name}={value}", "--games", "1", "-o", "there", cwd=tmp_path)
    [record] = (tmp_path / "there").iterdir()
    assert f"{option.name}={value}" in record.read_text(encoding="utf-8") or value == format_value(option.default)


def test_why_names_the_rule(tmp_path: Path) -> None:
    """`why` on a move that is refused prints the paragraph of the rules."""
    match = load(f"{GAME}?seats={SEATS}").match(seed="table")
    match.roll()
    seat = match.waiting[0]
    for action in range(match.variant.action_count):
        refusal = match.position.refusal(seat, action)
        if refusal is not None:
            break
    assert refusal is not None
    given = f"why {refusal.move}\nwhy {match.legal_moves(seat)[0]}\n{refusal.move}\nquit\n"
    result = run("play", GAME, "-n", str(SEATS), "--bots", "none", "--seed", "table", given=given, cwd=tmp_path)
    assert refusal.rule in result.stdout
    assert "is legal" in result.stdout
    assert "refused: " in result.stdout


def test_why_explains_a_scoring_line(tmp_path: Path) -> None:
    """`why LINE` at the prompt and `show --why LINE` say the sentence and the cells; other words are still moves."""
    match = load(f"{GAME}?seats={SEATS}").match(seed="table")
    match.roll()
    seat, line = match.waiting[0], match.variant.score_lines[0]
    wanted = str(match.position.why_score(line, seat))
    given = f"why {line}\nwhy nonsense\nquit\n"
    result = run("play", GAME, "-n", str(SEATS), "--bots", "none", "--seed", "table", given=given, cwd=tmp_path)
    assert wanted in result.stdout
    assert result.stdout.count("cannot read the move") == 1, "nonsense is no move, and a scoring line need not be one"
    shown = run("show", GAME, "--seed", "7", "--why", line)
    assert f", {line}: " in shown.stdout and "Cells: " in shown.stdout
    assert "there is no scoring line 'nosuch'" in run("show", GAME, "--why", "nosuch", expect=2).stderr


def test_play_against_bots_to_the_end(tmp_path: Path) -> None:
    """Always the first legal move: the bots answer, and the match ends with a winner."""
    from lamplighter.cli.play import start_match

    match, seated = start_match(f"{GAME}?seats={SEATS}", "uniform", None, "full", "own", None, None)
    from lamplighter.bots.seat import SeatedBot

    bots = {seat: SeatedBot(bot, match, seat) for seat, bot in seated.items()}
    typed = []
    while not match.is_over:
        match.roll()
        people = [seat for seat in match.waiting if seat not in bots]
        if people:
            typed.append(match.legal_moves(people[0])[0])
            match.play(typed[-1], people[0])
        elif match.waiting:
            match.play(bots[match.waiting[0]].choose(match).move, match.waiting[0])
    assert load(GAME)
    given = "\n".join(typed) + "\n"
    result = run("play", GAME, "-n", str(SEATS), "--bots", "uniform", "--seed", "full", given=given, cwd=tmp_path)
    assert "The end" in result.stdout
    assert "wins" in result.stdout or "share the victory" in result.stdout


def test_typed_dice(tmp_path: Path) -> None:
    match = load(f"{GAME}?seats={SEATS}").match(seed="dice")
    texts = match.roll()
    given = "\n".join(["no such outcome", *texts, "quit"]) + "\n"
    result = run("play", GAME, "-n", str(SEATS), "--bots", "none", "--rolls", "typed", given=given, cwd=tmp_path)
    assert "the next outcome can be" in result.stdout
    assert match.players[match.waiting[0]] in result.stdout


def test_completion_at_a_real_terminal(tmp_path: Path) -> None:
    """In a pseudo-terminal: pick the game from the menu, complete a command with Tab, and leave."""
    import select

    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(tmp_path)
        os.environ.update(TERM="xterm", COLUMNS="120", LINES="50")
        os.execv(sys.executable, [sys.executable, "-m", "lamplighter", "play"])
    seen = ""

    def wait_for(text: str) -> None:
        """Read what the program shows until the text is there; answer its question where the cursor is."""
        nonlocal seen
        end = time.monotonic() + 60
        while not re.search(text, seen, re.DOTALL):
            assert time.monotonic() < end, seen
            ready, _, _ = select.select([terminal], [], [], 0.2)
            if ready:
                try:
                    data = os.read(terminal, 65536)
                except OSError:
                    data = b""
                assert data or re.search(text, seen, re.DOTALL), seen
                seen += data.decode(errors="replace")
                if b"\x1b[6n" in data:
                    os.write(terminal, b"\x1b[1;1R")

    wait_for("Which game")
    os.write(terminal, f"{GAME}\n".encode())
    wait_for("How many players")
    os.write(terminal, b"\n")
    wait_for("Against bots or people")
    os.write(terminal, b"people\n")
    wait_for(r"Player \d>")
    os.write(terminal, b"scor")
    wait_for(r"scor\b.*\bscore\b")  # the completion comes up below
    os.write(terminal, b"\t\r")
    wait_for("total")
    os.write(terminal, b"quit\r")
    _, status = os.waitpid(pid, 0)
    assert os.waitstatus_to_exitcode(status) == 0


@pytest.mark.thorough
def test_warm_and_clear(tmp_path: Path) -> None:
    env = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path), "NO_COLOR": "1"}
    name = "connect_four"
    warm = [sys.executable, "-m", "lamplighter", "warm"]
    first = subprocess.run([*warm, name], env=env, capture_output=True, text=True, check=True)
    assert "1 game ready" in first.stdout
    if not PURE:
        compiled = sorted(tmp_path.rglob("*.program"))
        assert compiled
        records = tmp_path / "records"
        for command in (
            ("simulate", name, "--games", "2", "--records", str(records)),
            ("show", name),
            ("arena", name, "--bots", "easy,medium", "--games", "2"),
        ):
            subprocess.run([sys.executable, "-m", "lamplighter", *command], env=env, capture_output=True, check=True)
        assert sorted(tmp_path.rglob("*.program")) == compiled, "something was left to compile"
    cleared = subprocess.run([*warm, "--clear"], env=env, capture_output=True, text=True, check=True)
    assert "compiled files removed" in cleared.stdout
    assert not list(tmp_path.rglob("*.nbi"))


@pytest.mark.parametrize("switch", [{"LAMPLIGHTER_CACHE": "0"}, {"NUMBA_CACHE_DIR": os.devnull}])
def test_warm_without_a_cache(switch: dict[str, str]) -> None:
    """Nothing is compiled in vain."""
    env = {**os.environ, "NO_COLOR": "1", **switch}
    warm = [sys.executable, "-m", "lamplighter", "warm"]
    assert "nothing to warm" in subprocess.run(warm, env=env, capture_output=True, text=True, check=True).stdout


def test_output_into_a_closed_pipe() -> None:
    command = f"{sys.executable} -m lamplighter games --json | head -1"
    result = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    assert "Traceback" not in result.stderr
