# Everything goes through here: each command makes .venv and installs what it needs, a second call is quick.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
export PIP_CONSTRAINT := $(CURDIR)/constraints.txt
export PIP_BUILD_CONSTRAINT := $(CURDIR)/constraints.txt

.DEFAULT_GOAL := help
.PHONY: help run serve web browser test test-all lint format bench puzzles soak opponents clients harvest wheel coverage mutants contract docs clean

PAGE := src/quiesce/web/static/index.html
NPM_NEEDED := the page of the web board is built by npm (Node.js 20 or newer), which is not installed
UNSEEN := the web board is NOT tested in a browser
ON_ALL_CORES := --numprocesses auto --dist loadgroup
MINUTES ?= 10
MODULES ?=
NATIVE_FOR ?= x86_64 $(if $(shell command -v aarch64-linux-gnu-ld),aarch64) $(if $(shell command -v lld-link),win_amd64)
OPPONENTS := stockfish glaurung toga2 gnuchess ethereal-chess fairymax
CLIENTS := polyglot xboard fairymax gnuchess pychess scid gnome-chess xvfb xdotool dbus

help:  ## Show these commands
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 12

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "quiesce needs Python 3.11 or newer; this is $$($(PYTHON) --version). Try: make PYTHON=python3.12"; exit 1; }
	@echo "making $(VENV)"
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); echo "on Debian: apt-get install python3-venv"; exit 1; }

$(VENV)/.runs: pyproject.toml constraints.txt | $(BIN)/python
	@echo "installing quiesce"
	@$(PIP) install --no-compile --editable .
	@touch $@

$(VENV)/.develops: pyproject.toml constraints.txt | $(BIN)/python
	@echo "installing quiesce and the tools to work on it"
	@$(PIP) install --editable '.[dev]'
	@touch $@ $(VENV)/.runs

$(VENV)/.serves: pyproject.toml constraints.txt | $(BIN)/python
	@echo "installing quiesce and the web board"
	@$(PIP) install --editable '.[web]'
	@touch $@ $(VENV)/.runs

$(VENV)/.documents: pyproject.toml constraints.txt | $(BIN)/python
	@echo "installing quiesce and what builds its pages"
	@$(PIP) install --editable '.[docs]'
	@touch $@ $(VENV)/.runs

web/node_modules: web/package.json web/package-lock.json
	@command -v npm > /dev/null || { echo "$(NPM_NEEDED)"; exit 1; }
	@cd web && npm ci --silent && touch node_modules

$(PAGE): web/node_modules web/tsconfig.json web/build.js $(wildcard web/src/*)
	@echo "building the page of the web board"
	@cd web && npm run --silent check && npm run --silent build

run: $(VENV)/.runs  ## Show what quiesce does
	@$(BIN)/quiesce warmup
	@$(BIN)/quiesce analyse

serve: $(VENV)/.serves web  ## Play and analyse in the browser
	@$(BIN)/quiesce serve

web: $(PAGE)  ## Build the page of the web board into the package

browser:  # what tests in a browser need; where it cannot be had they are skipped, with a word
	@$(MAKE) --no-print-directory web || echo "*** NO PAGE: $(UNSEEN) ***"
	@command -v chromium > /dev/null || { test "$$(id -u)" = 0 && command -v apt-get > /dev/null && \
		echo "installing chromium" && { apt-get -qq update; apt-get -qq -y install chromium; } > /dev/null 2>&1; } || \
		echo "*** NO CHROMIUM: $(UNSEEN) ***"

# tests call kernels one by one
test test-all coverage mutants: export QUIESCE_OPEN = 1

test: lint browser  ## All that CI runs, in minutes
	@$(BIN)/quiesce warmup
	@$(BIN)/python -m pytest $(ON_ALL_CORES)

test-all: lint browser  ## The slow suites too
	@$(BIN)/quiesce warmup
	@$(BIN)/python -m pytest -m '' $(ON_ALL_CORES)

lint: $(VENV)/.develops  ## Check style and types
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

format: $(VENV)/.develops  ## Let ruff tidy up
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

bench: $(VENV)/.runs  ## Speed of search and board, beside Stockfish's where one is installed
	@$(BIN)/quiesce bench
	@$(BIN)/quiesce bench board
	@$(BIN)/quiesce bench start

puzzles: $(VENV)/.runs  ## Solve a hundred puzzles at fixed nodes
	@$(BIN)/quiesce suite puzzles --nodes 100000 --least 95 --again

soak: $(VENV)/.develops web opponents  ## Games, fuzzing and kills for MINUTES, and one table of what went wrong
	@$(BIN)/quiesce warmup
	@$(BIN)/python -m tools.soak --minutes $(MINUTES)

opponents:  # engines to play against; those that cannot be had are left out
	@for name in $(OPPONENTS); do test -x /usr/games/$$name || missing=1; done; test -z "$$missing" || \
		{ test "$$(id -u)" = 0 && command -v apt-get > /dev/null && echo "installing engines to play against" && \
		{ apt-get -qq update; apt-get -qq -y install $(OPPONENTS); } > /dev/null 2>&1; } || \
		echo "some of $(OPPONENTS) are not installed: those are not played"

clients: $(VENV)/.develops  ## Play in xboard, PyChess, Scid, GNOME Chess and more, where they can be installed
	@dpkg-query --show $(CLIENTS) > /dev/null 2>&1 || \
		{ test "$$(id -u)" = 0 && command -v apt-get > /dev/null && echo "installing clients to play in" && \
		{ apt-get -qq update; DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends install $(CLIENTS); } \
		> /dev/null 2>&1; } || echo "some of $(CLIENTS) are not installed: what needs them is skipped"
	@$(BIN)/quiesce warmup
	@$(BIN)/python -m tools.clients

harvest: $(VENV)/.runs  ## Make positions to learn from in idle time; DO=pause, resume, stop, renew or state
	@$(BIN)/python tools/harvest.py $(DO)

wheel: $(VENV)/.develops web  ## Build what users install, sdist and wheels, into dist
	@rm -rf dist
	@$(BIN)/python tools/build_native.py $(NATIVE_FOR:%=--machine %)
	@$(BIN)/python -m build --no-isolation
	@for machine in $(NATIVE_FOR); do QUIESCE_WHEEL=$$machine $(BIN)/python -m build --no-isolation --wheel || exit 1; done
	@ls -l dist

coverage: $(VENV)/.develops web  ## Lines that tests run: of shells, and of kernels without the compiler; eight minutes
	@$(BIN)/quiesce warmup
	@$(BIN)/python tools/measure_coverage.py

mutants: $(VENV)/.develops  ## Plant faults in the sources, and say which the tests miss; MODULES="uci/player.py" for some
	@$(BIN)/quiesce warmup
	@$(BIN)/python -m tools.mutants $(MODULES)

contract: $(VENV)/.develops  ## Fetch python-chess's own tests of engines, which `make test` then runs on ours
	@$(BIN)/python tools/fetch_contract.py

docs: $(VENV)/.documents  ## Write the reference pages from the code, and build all pages as HTML
	@$(BIN)/python tools/write_reference.py
	@$(BIN)/python -m sphinx --fail-on-warning --nitpicky --quiet docs build/docs
	@echo "built: build/docs/index.html"

clean:  ## Remove all that was made here
	@rm -rf $(VENV) build dist web/node_modules $(dir $(PAGE)) .mypy_cache .pytest_cache .ruff_cache .hypothesis
	@find . -name __pycache__ -prune -exec rm -rf {} +
