"""`lamplighter train`: files that are made, gone on with, put aside or refused, and the command in them."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from lamplighter import games
from lamplighter.bots.search.program import has_features
from lamplighter.bots.search.rivals import Rivalry
from lamplighter.bots.search.weights import Weights, read_weights
from lamplighter.cli import app
from lamplighter.errors import LamplighterError
from lamplighter.jit import PURE

pytestmark = pytest.mark.skipif(PURE, reason="a fit plays dozens of matches")
GAME = next(name for name in games.names() if has_features(games.load(name)))
QUICK = ["train", GAME, "--matches", "10", "--rivals", "2", "--sweeps", "1"]


def train(*more: str) -> str:
    """Run the command. Return what it printed; what it refuses is raised."""
    done = CliRunner().invoke(app, [*QUICK, *more], catch_exceptions=True)
    if isinstance(done.exception, LamplighterError):
        raise done.exception
    return done.output


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path / "lamplighter" / "weights" / GAME


def test_the_same_seed_makes_the_same_file_and_the_file_says_how(tmp_path: Path) -> None:
    one, two = tmp_path / "one.json", tmp_path / "two.json"
    assert "sweep 1: played for" in train("--seed", "7", "-o", str(one))
    assert train("--seed", "7", "-o", str(two)) and one.read_bytes() == two.read_bytes()
    words = shlex.split(read_weights(one).command)
    assert words[:2] == ["lamplighter", "train"] and words[-2:] == ["--seed", "7"]
    CliRunner().invoke(app, [*words[1:], "-o", str(tmp_path / "again.json")])
    assert (tmp_path / "again.json").read_bytes() == one.read_bytes()


def test_a_file_is_gone_on_with_and_not_written_over(tmp_path: Path) -> None:
    path = tmp_path / "one.json"
    train("-o", str(path))
    with pytest.raises(LamplighterError, match="is there already: go on with --resume"):
        train("-o", str(path))
    train("-o", str(path), "--resume")
    found = read_weights(path)
    assert found.sweeps == 2 and " && " in found.command and found.command.endswith("--resume")
    with pytest.raises(LamplighterError, match="cannot be read"):
        train("-o", str(tmp_path / "none.json"), "--resume")


def test_a_seed_of_several_words_can_be_typed_again(tmp_path: Path) -> None:
    train("--seed", "two words", "-o", str(tmp_path / "one.json"))
    assert shlex.split(read_weights(tmp_path / "one.json").command)[-2:] == ["--seed", "two words"]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--deep", "8"), "it goes with none of them"),
        (("--rolls", "2"), "it goes with none of them"),
        (("--rivals", "0", "--deep", "8"), "say with --nodes how many the first one has"),
        (("--rivals", "0", "--width", "3"), "--width would change nothing: say --rolls or --nodes"),
        (("--memory", "0.5", "--threads", "2"), "--memory and --threads would change nothing: leave out"),
    ],
)
def test_options_that_would_do_nothing_are_refused(tmp_path: Path, more: tuple[str, ...], said: str) -> None:
    with pytest.raises(LamplighterError, match=said):
        train("-o", str(tmp_path / "one.json"), *more)
    assert not list(tmp_path.iterdir())


def test_rivals_do_not_go_on_with_a_net(tmp_path: Path) -> None:
    path = tmp_path / "net.json"
    train("-o", str(path), "--rivals", "0", "--rolls", "1", "--nodes", "2")
    before = path.read_bytes()
    with pytest.raises(LamplighterError, match="has hidden nodes, and --rivals fits a plain sum"):
        train("-o", str(path), "--resume")
    assert path.read_bytes() == before


@pytest.mark.parametrize("text", ["", "older"], ids=["no weights", "other rules"])
def test_weights_that_nobody_can_use_make_room(own_folder: Path, text: str) -> None:
    """The message about such weights says `lamplighter train GAME`, and that has to work."""
    train()
    (path,) = own_folder.glob("*.json")
    body = json.loads(path.read_text())
    spoilt = json.dumps(body | {"rules_version": body["rules_version"] - 1}) if text else '{"game": '
    path.write_text(spoilt)
    said = train()
    old = path.with_suffix(".old")
    assert "put aside" in said and str(old.name) in said and old.read_text() == spoilt
    assert read_weights(path).rules_version == body["rules_version"]
    with pytest.raises(LamplighterError, match="is there already"):
        train()


def test_what_was_saved_outlives_a_crash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second sweep is stopped, and so is the writing of a third: the file is that of the first."""
    path = tmp_path / "one.json"
    train("-o", str(path))
    before = path.read_bytes()

    def stopped(*_: object) -> float:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Rivalry, "sweep", stopped)
        assert CliRunner().invoke(app, [*QUICK, "-o", str(path), "--resume"]).exit_code != 0
    assert path.read_bytes() == before
    real = Path.write_text

    def full_disk(self: Path, text: str, **more: str) -> int:
        real(self, text[:100], **more)
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_text", full_disk)
        with pytest.raises(LamplighterError, match="No space left"):
            train("-o", str(path), "--resume")
    assert path.read_bytes() == before and [one.name for one in tmp_path.glob("*one*")] == ["one.json"]
    assert isinstance(read_weights(path), Weights)
