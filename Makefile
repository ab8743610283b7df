# Everything goes through here: each command makes .venv and installs what it needs, a second call is quick.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
export PIP_CONSTRAINT := $(CURDIR)/constraints.txt
export PIP_BUILD_CONSTRAINT := $(CURDIR)/constraints.txt

.DEFAULT_GOAL := help
.PHONY: help run test test-all lint format bench puzzles docs clean

help:  ## Show these commands
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 12

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "quiesce needs Python 3.11 or newer; this is $$($(PYTHON) --version). Try: make PYTHON=python3.12"; exit 1; }
	@echo "making $(VENV)"
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); echo "on Debian: apt-get install python3-venv"; exit 1; }

$(VENV)/.runs: pyproject.toml constraints.txt | $(BIN)/python
	@echo "installing quiesce"
	@$(PIP) install --editable .
	@touch $@

$(VENV)/.develops: pyproject.toml constraints.txt | $(BIN)/python
	@echo "installing quiesce and the tools to work on it"
	@$(PIP) install --editable '.[dev]'
	@touch $@ $(VENV)/.runs

run: $(VENV)/.runs  ## Show what quiesce does
	@$(BIN)/quiesce warmup
	@$(BIN)/quiesce analyse

test: lint  ## All that CI runs, in minutes
	@$(BIN)/quiesce warmup
	@$(BIN)/python -m pytest

test-all: lint  ## The slow suites too
	@$(BIN)/quiesce warmup
	@$(BIN)/python -m pytest -m ''

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

docs: $(VENV)/.runs  ## Write the reference pages made from the code
	@$(BIN)/python tools/write_reference.py

clean:  ## Remove all that was made here
	@rm -rf $(VENV) dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
	@find . -name __pycache__ -prune -exec rm -rf {} +
