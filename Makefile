# Everything runs through here; `make` alone lists what there is. Set-up happens by itself.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
LOCALE := lamplighter/web/locale
# one more than there are cores, since many tests wait: for browsers, servers and clocks
WORKERS ?= $(shell echo $$(( $$(nproc 2>/dev/null || echo 2) + 1 )))
# tests that share a server, a browser or a database run in one worker
PYTEST = $(BIN)/python -m pytest -n $(WORKERS) --dist loadgroup --max-worker-restart 0
# HOST=0.0.0.0 lets phones and other devices of the network join
HOST ?= 127.0.0.1
PORT ?= 8000
SECONDS ?= 60
# what runs kernels; the rest would only be the same again in plain Python or with bounds checked
KERNEL_TESTS := tests/test_every_game.py tests/test_against_reference.py tests/test_examples.py tests/test_snapshots.py \
	tests/engine tests/bots tests/test_hidden.py lamplighter/games --ignore-glob='*/test_reference.py' --ignore-glob='*_picture.py'
ifdef QUICK
KERNEL_TESTS := tests/test_examples.py tests/test_snapshots.py tests/engine/test_batch.py tests/engine/test_loops.py tests/bots/test_search.py \
	tests/bots/test_tree.py tests/test_hidden.py
endif
# what an edit of one game can break: its own tests, and those that every game must pass
GAME_FOLDER ?= lamplighter/games/$(GAME)
GAME_TESTS := $(GAME_FOLDER) tests/test_every_game.py tests/test_against_reference.py tests/test_examples.py \
	tests/test_snapshots.py tests/test_hidden.py tests/test_explain.py tests/test_rules_text.py
FONTS := /usr/share/fonts /usr/local/share/fonts $(HOME)/.local/share/fonts $(HOME)/.fonts
# a new machine has no list of packages yet, so a failed install is tried once more after an update
APT = $$(test "$$(id -u)" = 0 || echo sudo) apt-get -y -q
INSTALL = (command -v apt-get >/dev/null && echo "installing $(1)" && ($(APT) install --no-install-recommends $(1) || \
	($(APT) update && $(APT) install --no-install-recommends $(1)))) || echo "$(1) is missing: please install it"
export PIP_CONSTRAINT := $(CURDIR)/constraints.txt
export UV_CONSTRAINT := $(PIP_CONSTRAINT)
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# uv does in seconds what takes pip half a minute
UV := $(shell command -v uv 2>/dev/null)
PIP_INSTALL = $(if $(UV),$(UV) pip install -q --python $(BIN)/python,$(BIN)/pip install -q)

.DEFAULT_GOAL := help
.PHONY: help play test test-all test-rest tools all-tools screens check pure bounds snapshots texts fuzz bench warm clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):[^#]*## /  \1\t/' | expand -t 14

play: $(VENV)/.play ## set everything up and open the game server
	@$(BIN)/lamplighter serve --host $(HOST) --port $(PORT) --open

test: $(VENV)/.test $(if $(GAME),,tools) ## set everything up and run the tests, compiled; with GAME=railroad those of one game
ifdef GAME
	$(PYTEST) -m "not thorough" -k $(GAME) $(GAME_TESTS)
else
	$(PYTEST) -m "not thorough"
endif

test-all: test test-rest ## all tests: also every width, font, language and theme, faults of processes, long fuzzing

test-rest: $(VENV)/.test all-tools # what `make test` leaves out
	$(PYTEST) -m thorough

tools: # a browser, its font and a database server, for `make test`: from the system's packages where there is apt
	@command -v $${CHROMIUM:-chromium-headless-shell} >/dev/null || command -v chromium >/dev/null || $(call INSTALL,chromium-headless-shell)
	@find $(FONTS) 2>/dev/null | grep -q /DejaVuSans-Bold.ttf || $(call INSTALL,fonts-dejavu-core)
	@ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null || $(call INSTALL,postgresql)

all-tools: tools # what only `make test-all` needs: more browsers, a narrow font, and what a server runs behind
	@command -v $${CHROMIUM:-chromium} >/dev/null || $(call INSTALL,chromium)
	@command -v $${FIREFOX:-firefox-esr} >/dev/null || $(call INSTALL,firefox-esr)
	@find $(FONTS) 2>/dev/null | grep -q /YanoneKaffeesatz-Bold.otf || $(call INSTALL,fonts-yanone-kaffeesatz)
	@PATH="$$PATH:/usr/sbin" command -v nginx >/dev/null || $(call INSTALL,nginx-light)
	@command -v openssl >/dev/null || $(call INSTALL,openssl)
	@command -v systemd-analyze >/dev/null || $(call INSTALL,systemd)

screens: $(VENV)/.test all-tools ## pictures of every page at three widths, to look at, into the folder screens
	$(BIN)/python tests/browser/screens.py screens

check: $(VENV)/.dev ## format, lint, types, imports, spelling
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/codespell

pure: $(VENV)/.dev ## the tests with kernels as plain Python, and every line of the rules covered; QUICK=1: a short form
	NUMBA_DISABLE_JIT=1 $(PYTEST) -m "not thorough" $(KERNEL_TESTS)
ifndef QUICK
	NUMBA_DISABLE_JIT=1 $(BIN)/python tests/rules_coverage.py
endif

bounds: $(VENV)/.test ## the tests with every array index checked; QUICK=1: a short form
	NUMBA_BOUNDSCHECK=1 $(PYTEST) -m "not thorough" $(KERNEL_TESTS)

snapshots: $(VENV)/.test ## write playthroughs and counts again (a difference is a change of the rules)
	$(BIN)/python tests/snapshots.py
	$(BIN)/python tests/test_new_game.py

texts: $(VENV)/.test ## bring the message catalogues of the web pages up to date
	$(BIN)/pybabel -q extract -F $(LOCALE)/babel.cfg -k t -k tn:1,2 --add-location=file --sort-output --omit-header -o $(LOCALE)/lamplighter.pot .
	$(BIN)/pybabel -q update -i $(LOCALE)/lamplighter.pot -d $(LOCALE) -D lamplighter -N --ignore-obsolete --ignore-pot-creation-date --width=120

fuzz: $(VENV)/.test ## look for input that is taken badly, for SECONDS=60; what is found becomes a test
	$(BIN)/python tests/fuzz/fuzzing.py --seconds $(SECONDS)

bench: $(VENV)/.dev bench/.venv/.ready ## measure speed as ratios against other engines, side by side
	$(BIN)/python bench/run.py

warm: $(VENV)/.play ## compile all kernels into the cache
	$(BIN)/lamplighter warm

clean: ## remove what set-up made
	rm -rf $(VENV) bench/.venv

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || (echo "Python 3.11 or newer is needed: make PYTHON=python3.12 …"; exit 1)
	@$(if $(UV),$(UV) venv -q --python $(PYTHON) $(VENV),$(PYTHON) -m venv $(VENV)) || (rm -rf $(VENV); $(call INSTALL,python3-venv); $(PYTHON) -m venv $(VENV))

$(VENV)/.play: pyproject.toml constraints.txt | $(BIN)/python
	@echo "setting up (once) …"
	@$(PIP_INSTALL) -e ".[web,print]"
	@touch $@

$(VENV)/.test: pyproject.toml constraints.txt examples/connect_four/pyproject.toml | $(BIN)/python
	@echo "setting up for the tests (once) …"
	@$(PIP_INSTALL) -e ".[test]"
	@$(PIP_INSTALL) --no-deps -e examples/connect_four
	@touch $@ $(VENV)/.play

$(VENV)/.dev: $(VENV)/.test
	@echo "setting up what checks the code (once) …"
	@$(PIP_INSTALL) -e ".[dev]"
	@touch $@

bench/.venv/.ready: bench/requirements.txt
	@echo "setting up the engines to compare with (once) …"
	@$(PYTHON) -m venv bench/.venv
	@PIP_CONSTRAINT= bench/.venv/bin/pip install -q -r bench/requirements.txt
	@touch $@
