# Everything sets itself up: `make play` and `make test` need only Python 3.11 or newer, make and bash.
SHELL := bash
PYTHON ?= python3
BIN := .venv/bin
COMPILE := UV_CUSTOM_COMPILE_COMMAND="make lock" $(BIN)/uv pip compile pyproject.toml --quiet --upgrade \
	--universal --python-version 3.11 --generate-hashes --no-annotate

.PHONY: setup play test quick lint style soak contract-full audit bench bench-players pictures screens lock clean

setup: .venv/dev.stamp  ## Only set up; the other targets do so by themselves.

play: .venv/run.stamp  ## Run the bot: on Discord with DISCORD_TOKEN, else on the embedded local Discord.
	@$(BIN)/python -m bot

# Many tests wait for a bot or a browser, so two workers for each core keep the cores busy (`tests/workers.py`); mypy
# runs beside them, and its report comes last. A fixed hash seed makes every run the same. Compiled modules are kept
# even where the environment says otherwise: every worker, and every process that a test starts, would compile them all.
test: export PYTHONHASHSEED = 0
test: export PYTHONDONTWRITEBYTECODE =
test: style  ## Lint, types, import rules and all tests.
	@mkdir -p build; $(BIN)/mypy > build/types.txt 2>&1 & types=$$!; \
	$(BIN)/python -m pytest --dist worksteal \
		--numprocesses $$($(BIN)/python -c 'import os; print(2 * os.cpu_count())'); tests=$$?; \
	wait $$types; types=$$?; cat build/types.txt; exit $$((tests | types))

quick: lint  ## The inner loop: lint, and the tests that start no bot, browser or database server.
	PENCILBOX_TRIALS=0.02 $(BIN)/python -m pytest -m "not (soak or full_description or slow)" \
		--dist worksteal --numprocesses auto $(if $(K),-k $(K))

lint: style
	$(BIN)/mypy

style: .venv/dev.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-cache

soak: .venv/dev.stamp  ## The long runs that `make test` only samples, by a random seed that is printed.
	@seed=$${PENCILBOX_SEED:-$$RANDOM$$RANDOM}; echo "To repeat this run: make soak PENCILBOX_SEED=$$seed"; \
	PENCILBOX_SEED=$$seed PENCILBOX_TRIALS=$${PENCILBOX_TRIALS:-1} \
	$(BIN)/python -m pytest --hypothesis-seed=$$seed -m "soak or hypothesis or sampled"

contract-full: .venv/dev.stamp  ## All end-to-end tests with Discord's full API description, which DISCORD_OPENAPI names.
	@test -n "$(DISCORD_OPENAPI)" || { echo "Name the description: make contract-full DISCORD_OPENAPI=PATH" >&2; exit 2; }
	DISCORD_OPENAPI="$(abspath $(DISCORD_OPENAPI))" $(BIN)/python -m pytest -m "not soak" tests/contract tests/sandbox tests/e2e

bench: .venv/dev.stamp  ## Measure, as ratios within one run.
	$(BIN)/python -m tests.bench.moves
	$(BIN)/python -m tests.bench.playouts
	$(BIN)/python -m tests.bench.pictures
	$(BIN)/python -m tests.bench.computers
	$(BIN)/python -m tests.bench.ladder

bench-players: .venv/bench.stamp  ## Measure how strong the computer players are.
	$(BIN)/python -m tests.bench.players

pictures: .venv/run.stamp  ## Make the pictures of the README again, from docs/pictures/records.jsonl.
	@$(BIN)/python -m render.readme_pictures

screens: .venv/dev.stamp  ## Take the screens of the first game, the App Directory, the Activity and the events again, in Chromium.
	PENCILBOX_SCREENS=docs/pictures/screens $(BIN)/python -m pytest -q -m '' tests/e2e/page/test_first_game.py tests/e2e/page/test_directory.py
	PENCILBOX_ACTIVITY_SCREENS=docs/pictures/activity $(BIN)/python -m pytest -q -m '' tests/e2e/page -k "takeback_during or tapped_in or hint_offers"
	PENCILBOX_CUP_SCREENS=docs/pictures/cup PENCILBOX_MATCH_SCREENS=docs/pictures/match PENCILBOX_VOTE_SCREENS=docs/pictures/vote-game \
	  $(BIN)/python -m pytest -q -m '' tests/e2e/page/test_cup.py tests/e2e/page/test_match.py tests/e2e/page/test_vote_games.py

audit:  ## Hold the compiled requirements against the known vulnerabilities; needs a package index and its list of those.
	@PYTHON="$(PYTHON)" .ci/audit

lock: .venv/dev.stamp  ## Compile the requirements again from pyproject.toml; all files have the same versions.
	$(COMPILE) --group dev --output-file requirements/dev.txt
	$(COMPILE) --constraint requirements/dev.txt --output-file requirements/run.txt
	$(COMPILE) --group dev --group bench --constraint requirements/dev.txt --output-file requirements/bench.txt
	$(filter-out pyproject.toml,$(COMPILE)) --group audit --output-file requirements/audit.txt

clean:  ## Remove everything that can be made again. The games in data/ stay.
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis build

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and \
		"Pencilbox needs Python 3.11 or newer; name one with: make PYTHON=/path/to/python3")'
	$(PYTHON) -m venv --without-pip .venv

.venv/run.stamp: requirements/run.txt | .venv/bin/python
	@echo "Setting up (this happens once) ..."
	@requirements/install "$(PYTHON)" requirements/run.txt
	@touch $@

.venv/dev.stamp: requirements/dev.txt | .venv/bin/python
	@echo "Setting up (this happens once) ..."
	@requirements/install "$(PYTHON)" requirements/dev.txt
	@touch $@ .venv/run.stamp

.venv/bench.stamp: requirements/bench.txt | .venv/bin/python
	@echo "Setting up (this happens once) ..."
	@requirements/install "$(PYTHON)" requirements/bench.txt
	@touch $@ .venv/dev.stamp .venv/run.stamp
