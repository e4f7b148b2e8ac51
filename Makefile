# `make demo` and `make test` need Python 3.11 or newer and make; everything else goes into .venv.

PYTHON ?= $(shell for python in python3.11 python3.12 python3.13 python3.14 python3; do \
	$$python -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$python && break; \
	done)
WORKERS ?= auto
TIER ?= test
FUZZ_SECONDS ?= 60
SOAK_MINUTES ?= 30

VENV := .venv
RUN := $(VENV)/bin/python
INSTALLED := $(VENV)/installed

.DEFAULT_GOAL := help
.PHONY: help install demo check test test-all lint types package browser tests plain rllib agilerl warm docs fuzz soak release-check bench leaderboard examples solve train play web clean distclean

help:  ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

install: $(INSTALLED)  ## make .venv with all extras and the versions of constraints.txt

# Missing or stale: older than what it was made from.
$(INSTALLED): pyproject.toml constraints.txt edge_envs/__init__.py
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer with venv is needed; name it with PYTHON=..." >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(RUN) -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[train,web,render,film,browser,chat,ray,textarena,minari,docs,dev,bench,examples]"
	@touch $@

demo: $(INSTALLED)  ## train a policy for some minutes and show how strong it has become
	rm -rf runs/demo
	$(RUN) -m agents.train --config configs/falling_off/demo.yaml --out runs/demo
	$(RUN) -m agents.evaluate --game falling_off --agent runs/demo/policy --against random heuristic perfect --games 2000
	@echo "curves, results and replays: runs/demo/index.html"

# Two at a time where one has a core to spare; pytest takes all of them.
test: $(INSTALLED) browser  ## ruff, mypy, the wheel and the tests but for the slow ones, in 10 minutes
	$(MAKE) --jobs 2 lint types package warm
	$(MAKE) tests

check: $(INSTALLED)  ## ruff, mypy and the fast rules and contract tests, in 2 minutes
	$(MAKE) --jobs 2 lint types tests TIER=check

# `plain` and `release-check` compile everything again, so they have both cores to themselves.
test-all: $(INSTALLED) browser  ## everything: all tests, RLlib, AgileRL, the plain path, the release check, a soak
	$(MAKE) --jobs 2 lint types package warm
	$(MAKE) tests TIER=all
	$(MAKE) --jobs 2 rllib agilerl
	$(MAKE) plain
	$(MAKE) release-check
	$(RUN) -m tests.soak --minutes $(SOAK_MINUTES)

warm: $(INSTALLED)  ## compile all games, so that what runs next need not
	$(RUN) -m edge_envs warm

package: $(INSTALLED)  ## the wheel and the sdist, and one game in a clean environment
	$(RUN) scripts/release_check.py --quick

browser:  ## Chromium for the tests of the page to play in, by apt-get where that is allowed
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || { test "$$(id -u)" = 0 && command -v apt-get >/dev/null \
		&& apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium >/dev/null; } \
		|| echo "there is no Chromium, so the tests of the page in a browser are skipped: apt-get install chromium" >&2

lint: $(INSTALLED)  ## ruff: rules and format
	$(RUN) -m ruff check .
	$(RUN) -m ruff format --check .

types: $(INSTALLED)  ## mypy
	$(RUN) -m mypy

# The tests of a file share their fixtures and kernels, so one process runs them.
tests: $(INSTALLED)  ## pytest on all cores (WORKERS=1: in one process; TIER=check, test or all)
	$(RUN) -m pytest -n $(WORKERS) --dist loadfile --tier $(TIER)

plain: $(INSTALLED)  ## all contract and rules tests with kernels that are compiled without the linker
	EDGE_ENVS_LINKING=0 $(RUN) -m pytest -n $(WORKERS) --dist loadfile --tier all tests/contract tests/games tests/search

rllib: $(INSTALLED)  ## the tests of the bridge to RLlib, in an environment of their own, and its example
	$(RUN) scripts/examples.py rllib_ppo
	.venvs/rllib_ppo/bin/python -m pytest --tier all tests/bridges/rllib_suite.py

agilerl: $(INSTALLED)  ## the example of AgileRL, in an environment of its own
	$(RUN) scripts/examples.py agilerl_ppo

docs: $(INSTALLED)  ## the documentation site, in docs/_build
	$(RUN) -m sphinx -W --keep-going -q -b html docs docs/_build
	@echo "docs/_build/index.html"

fuzz: $(INSTALLED)  ## look for faults at every door (FUZZ_SECONDS=60 a door, FUZZ="--seed 7 positions")
	$(RUN) -m tests.fuzz --seconds $(FUZZ_SECONDS) $(FUZZ)

soak: $(INSTALLED)  ## use everything at once under faults (SOAK_MINUTES=30), and write docs/soak.md
	$(RUN) -m tests.soak --minutes $(SOAK_MINUTES) --report docs/soak.md

release-check: $(INSTALLED)  ## try the wheel and the sdist in clean environments, with every Python that is there
	$(RUN) scripts/release_check.py

bench: $(INSTALLED)  ## time every API of every game beside its peers
	$(RUN) scripts/benchmark.py

examples: $(INSTALLED)  ## run the examples with other libraries, and write their pages
	$(RUN) scripts/examples.py --docs docs

leaderboard: $(INSTALLED)  ## rate agents on all boards and write docs/leaderboard.md, in 45 minutes
	$(RUN) -m agents.leaderboard --docs docs

solve: $(INSTALLED)  ## the exact solution of falling_off
	$(RUN) scripts/solve.py falling_off --json

train: $(INSTALLED)  ## the long training run of falling_off
	$(RUN) -m agents.train --config configs/falling_off/ppo.yaml

play: $(INSTALLED)  ## play falling_off in the terminal
	$(RUN) scripts/play.py falling_off

web: $(INSTALLED)  ## play falling_off in the browser
	$(RUN) scripts/play.py falling_off --web

clean:  ## remove caches and built packages
	rm -rf dist .mypy_cache .ruff_cache .pytest_cache
	find . -path ./$(VENV) -prune -o -name __pycache__ -type d -exec rm -rf {} +

distclean: clean  ## remove .venv and .venvs too
	rm -rf $(VENV) .venvs
