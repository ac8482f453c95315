"""`make tools`: it installs what tests need, also on a new machine, and says what is missing where it cannot."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).parent.parent
# an apt-get that has no list of packages before its first update, and writes down what it was asked
APT = """#!/bin/sh
echo "$*" >> {folder}/asked
case "$*" in
  *update*) : > {folder}/list ;;
  *) test -e {folder}/list ;;
esac
"""
PROGRAMS = ("sh", "id", "find", "grep", "ls")


def make_tools(folder: Path, **more: str) -> str:
    """Run the target where there is no Chromium, with programs of this folder only."""
    for name in PROGRAMS:
        found = shutil.which(name)
        if found and name not in more:
            (folder / name).symlink_to(found)
    for name, script in more.items():
        (folder / name).write_text(script)
        (folder / name).chmod(0o755)
    make = shutil.which("make")
    assert make, "make is missing: `apt-get install make`"
    surroundings = os.environ | {"PATH": str(folder), "CHROMIUM": "no-chromium", "SHELL": f"{folder}/sh"}
    done = subprocess.run([make, "-s", "tools"], cwd=ROOT, env=surroundings, capture_output=True, text=True, check=True)
    return done.stdout


def test_a_new_machine_gets_a_list_of_packages_first(tmp_path: Path) -> None:
    root = "#!/bin/sh\necho 0\n"
    said = make_tools(tmp_path, id=root, **{"apt-get": APT.format(folder=tmp_path)})
    asked = (tmp_path / "asked").read_text().splitlines()
    assert "missing" not in said
    assert [line.split()[2] for line in asked[:3]] == ["install", "update", "install"]
    assert asked[2].endswith("chromium-headless-shell")


def test_without_sudo_it_says_what_is_missing(tmp_path: Path) -> None:
    somebody = "#!/bin/sh\necho 1000\n"
    said = make_tools(tmp_path, id=somebody, **{"apt-get": APT.format(folder=tmp_path)})
    assert "chromium-headless-shell is missing: please install it" in said
    assert not (tmp_path / "asked").exists()


def test_without_apt_it_says_what_is_missing(tmp_path: Path) -> None:
    assert "chromium-headless-shell is missing: please install it" in make_tools(tmp_path)
