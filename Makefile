# `make demo` and `make test` need Python 3.11 or newer and make. They install everything else into .venv.

PYTHON ?= $(shell for python in python3.11 python3.12 python3.13 python3.14 python3; do \
	$$python -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$python && break; \
	done)
WORKERS ?= auto
TIER ?= test
FUZZ_SECONDS ?= 60
SOAK_MINUTES ?= 30

VENV := .venv
RUN := $(VENV)/bin/python
BASE := $(VENV)/base
INSTALLED := $(VENV)/installed
# Python compiles what is imported on first use; compiling all packages here would take as long as installing them.
PIP := $(RUN) -m pip install --quiet --disable-pip-version-check --no-compile -c constraints.txt

# Python keeps what it compiles, also where the environment says otherwise: the tests start hundreds of processes.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help install demo check test test-all lint types package browser tests plain rllib agilerl recipes warm warm-toys static-page docs notebooks fuzz soak release-check bench leaderboard benchmark-table baselines examples solve train play web clean distclean

help:  ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

install: $(INSTALLED)  ## create .venv with all extras and the versions in constraints.txt

# The packages that the games need: `warm` compiles the games while the other packages are installed.
# Created again if it is older than one of these files.
$(BASE): pyproject.toml constraints.txt edge_envs/__init__.py
	@test -n "$(PYTHON)" || { echo "found no Python 3.11 or newer with venv: install one, or set PYTHON=..." >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(RUN) -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["dependencies"], sep="\n")' | $(PIP) -r /dev/stdin
	@touch $@

$(INSTALLED): $(BASE)
	$(PIP) -e ".[train,web,render,film,browser,chat,ray,textarena,minari,docs,dev,bench,examples]"
	@touch $@

demo: $(INSTALLED)  ## train a policy for a few minutes and evaluate it
	rm -rf runs/demo
	$(RUN) -m agents.train --config configs/falling_off/demo.yaml --out runs/demo
	$(RUN) -m agents.evaluate --game falling_off --agent runs/demo/policy --against random heuristic perfect --games 2000
	@echo "learning curves, results and replays: runs/demo/index.html"

# Two targets run at a time, one of them the installation; pytest then uses all cores.
test:  ## check with ruff, mypy and all tests except slow ones: 11 to 25 minutes
	$(MAKE) --jobs 2 browser warm lint types warm-toys
	$(MAKE) tests

check: $(INSTALLED)  ## check with ruff, mypy, and the fast rules and contract tests: 1 minute
	$(MAKE) --jobs 2 lint types tests TIER=check

# `plain` and `release-check` recompile everything, so they run alone.
test-all:  ## run all tests, all examples, the plain path, the release check and a soak test: hours
	$(MAKE) --jobs 2 browser warm lint types warm-toys package
	$(MAKE) tests TIER=all
	$(MAKE) --jobs 2 rllib agilerl recipes
	$(MAKE) plain
	$(MAKE) release-check
	$(RUN) -m tests.soak --minutes $(SOAK_MINUTES)

warm: $(BASE)  ## compile all games ahead of their first use
	$(RUN) -m tests.warm games

warm-toys: $(BASE)
	$(RUN) -m tests.warm toys

package: $(INSTALLED)  ## build the wheel and the sdist, and play one game in a clean environment
	$(RUN) scripts/release_check.py --quick

browser:  ## install Chromium for the browser tests with apt-get, if permitted
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || { test "$$(id -u)" = 0 && command -v apt-get >/dev/null \
		&& apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium >/dev/null; } \
		|| echo "Chromium is not installed, so the browser tests are skipped; to run them: apt-get install chromium" >&2

lint: $(INSTALLED)  ## check rules and format with ruff
	$(RUN) -m ruff check .
	$(RUN) -m ruff format --check .

types: $(INSTALLED)  ## check types with mypy
	$(RUN) -m mypy

# The tests in a file share fixtures and kernels, so one process runs them all.
tests: $(INSTALLED)  ## run pytest on all cores (WORKERS=1 for one process; TIER=check, test or all)
	$(RUN) -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder --tier $(TIER)

plain: $(INSTALLED)  ## run all contract, rules and search tests with kernels compiled without the linker
	EDGE_ENVS_LINKING=0 $(RUN) -m pytest -n $(WORKERS) --dist loadfile --tier all tests/contract tests/games tests/search

rllib: $(INSTALLED)  ## run the RLlib example and the tests of its bridge in a separate environment
	$(RUN) scripts/examples.py rllib_ppo
	.venvs/rllib_ppo/bin/python -m pytest --tier all tests/bridges/rllib_suite.py

agilerl: $(INSTALLED)  ## run the AgileRL example in a separate environment
	$(RUN) scripts/examples.py agilerl_ppo

recipes: $(INSTALLED)  ## run the other examples that need separate environments
	$(RUN) scripts/examples.py benchmarl_ippo
	$(RUN) scripts/examples.py d3rlpy_cql
	$(RUN) scripts/examples.py skrl_ppo
	$(RUN) scripts/examples.py verifiers_rollouts

static-page: $(INSTALLED)  ## write pages that need no server: tutorials, famous games, a game to play
	$(RUN) scripts/static_page.py

docs: static-page  ## build the documentation site in docs/_build
	$(RUN) -m sphinx -W --keep-going -q -b html docs docs/_build
	@echo "documentation site: docs/_build/index.html"

notebooks: $(INSTALLED)  ## run the notebooks of the documentation and store their outputs
	$(RUN) scripts/notebooks.py

fuzz: $(INSTALLED)  ## fuzz every target (FUZZ_SECONDS=60 per target, FUZZ="--seed 7 positions")
	$(RUN) -m tests.fuzz --seconds $(FUZZ_SECONDS) $(FUZZ)

soak: $(INSTALLED)  ## run the soak test (SOAK_MINUTES=30) and write docs/lab_notebook/soak.md
	$(RUN) -m tests.soak --minutes $(SOAK_MINUTES) --report docs/lab_notebook/soak.md

release-check: $(INSTALLED)  ## test the wheel and the sdist in clean environments with every installed Python
	$(RUN) scripts/release_check.py

bench: $(INSTALLED)  ## benchmark every API of every game against other libraries
	$(RUN) scripts/benchmark.py

examples: $(INSTALLED)  ## run the examples with other libraries and write their pages
	$(RUN) scripts/examples.py --docs docs

leaderboard: $(INSTALLED)  ## rate agents on all boards and write docs/leaderboard.md: an hour
	$(RUN) -m agents.leaderboard --docs docs
	$(RUN) -m edge_envs.web.ratings docs/leaderboard/results.json

benchmark-table: $(INSTALLED)  ## measure all policies under edge-bench v1 and write the tables of docs/benchmark.md: hours
	$(RUN) -m agents.benchmark --publish docs/benchmark.md

baselines: $(INSTALLED)  ## train the baselines with all seeds and draw their learning curves: 20 hours; the same command continues
	$(RUN) -m agents.baselines

solve: $(INSTALLED)  ## solve falling_off exactly
	$(RUN) scripts/solve.py falling_off --json

train: $(INSTALLED)  ## run the long training of falling_off
	$(RUN) -m agents.train --config configs/falling_off/ppo.yaml

play: $(INSTALLED)  ## play falling_off in the terminal
	$(RUN) scripts/play.py falling_off

web: $(INSTALLED)  ## play falling_off in the browser
	$(RUN) scripts/play.py falling_off --web

clean:  ## remove caches and built packages
	rm -rf dist .mypy_cache .ruff_cache .pytest_cache
	find . -path ./$(VENV) -prune -o -name __pycache__ -type d -exec rm -rf {} +

distclean: clean  ## also remove .venv and .venvs
	rm -rf $(VENV) .venvs
