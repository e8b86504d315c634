# The companion: `make` alone says what there is.
#
#   make run                                          its first page asks what you like
#   make run SOURCE=demo                              a small picture set that comes with it
#   make run SOURCE=camera                            your camera
#   make run SOURCE=../tables/kamikaze-1 PORT=8081    a picture set, another port

SHELL := /bin/sh
BIN := .venv/bin
TABLES ?= $(wildcard ../shared/tables)
export TABLES

PREPARE := @sh systemd/prepare.sh
DEVELOP := $(PREPARE) --extras dev,print

# tests run beside each other, as many as the machine has cores; WORKERS=0: one after the other, in one process
WORKERS ?= logical
BESIDE := -n $(WORKERS) --dist worksteal

# pytest's exit code 5: no test was chosen, which is no failure of a test
PYTEST := $(BIN)/pytest
NONE_IS_FINE := || { code=$$?; [ $$code -eq 5 ] && echo "No test has this mark yet."; }

# what is read for misspelt words
SPELT := companion vision web hardware tests docs examples systemd README.md CHANGELOG.md CONTRIBUTING.md Makefile

.PHONY: help run test types behaviour test-browser test-long coverage proof bench bench-bots bench-journal bench-door \
	bench-load attack fresh mutants clean

help: ## say what there is
	@sed -n 's/^\([a-z-]*\):.* ## /  make \1\t/p' Makefile | expand -t 22

run: ## start the companion (SOURCE=demo, camera, picamera2, none, a folder or a video; PORT=; CONFIG=; GAME=; CORNERS=; SPEED=; KEEP=)
	$(PREPARE)
	$(if $(wildcard examples/$(GAME)/pyproject.toml),@$(BIN)/python -m pip install --quiet ./examples/$(GAME))
	@exec $(BIN)/companion run $(if $(SOURCE),--source "$(SOURCE)") $(if $(PORT),--port $(PORT)) \
		$(if $(CONFIG),--config "$(CONFIG)") $(if $(GAME),--game "$(GAME)") $(if $(CORNERS),--corners "$(CORNERS)") \
		$(if $(SPEED),--speed $(SPEED)) $(if $(KEEP),--keep "$(KEEP)")

test: ## check style, types, rooms and behaviour (5 minutes)
	$(DEVELOP) --browser
	$(BIN)/ruff check .
	$(BIN)/lint-imports
	$(BIN)/vulture
	$(BIN)/codespell $(SPELT)
	$(MAKE) --no-print-directory -j 2 types behaviour

types: # beside the tests: mypy computes on one core for half a minute
	$(BIN)/mypy

behaviour:
	$(PYTEST) $(BESIDE) -m "not browser and not long"

test-browser: ## play the pages in a real Chromium
	$(DEVELOP) --browser
	$(PYTEST) -m "browser and not long" $(NONE_IS_FINE)

test-long: ## the tests that take minutes
	$(DEVELOP) --browser
	$(PYTEST) $(BESIDE) -m long $(NONE_IS_FINE)

coverage: ## which branches the quick tests take, and a page of those that they do not (build/coverage)
	$(DEVELOP)
	$(PYTEST) $(BESIDE) -m "not browser and not long" --cov --cov-report term:skip-covered --cov-report html:build/coverage

proof: ## follow 1,000 hidden games of War Chest; read every picture set in TABLES and compare with what is known (long)
	$(DEVELOP)
	$(BIN)/python -m tests.games.war_chest.hidden_play 1000
	$(BIN)/companion evaluate $(sort $(dir $(wildcard $(TABLES)/*/set.json))) --json

bench: ## measure, and keep the figures in docs/benchmarks.md (TABLES= is where the picture sets are)
	$(DEVELOP)
	$(BIN)/python -m tests.bench

fresh: ## make picture sets of tables nobody has seen, evaluate them, and keep the round (SEEDS=2000-2001; MAKER=; SPECS=; hours)
	$(DEVELOP)
	$(BIN)/python -m tests.bench.fresh $(if $(SPECS),--specs "$(SPECS)",--seeds "$(SEEDS)")

bench-bots: ## let the bots play each other, and keep the figures in docs/benchmarks.md (2 hours; goes on where it stopped)
	$(DEVELOP)
	$(BIN)/python -m tests.bench.bots $(BOTS)

mutants: ## how many small faults, put in at random, the tests find: writes docs/tests.md (SEED=; 20 minutes)
	$(DEVELOP)
	$(BIN)/python -m tests.bench.mutants --seed $(or $(SEED),1)

attack: ## play a hostile guest against a service that runs, and list what was tried in docs/reliability.md (2 minutes)
	$(DEVELOP)
	$(BIN)/python -m tests.bench.attack

bench-journal: ## kill the journal's writer, damage journals, and keep the figures in docs/reliability.md (5 minutes)
	$(DEVELOP)
	$(BIN)/python -m tests.bench.journal

bench-door: ## attack the pages, stop the service in every state, and keep the figures in docs/reliability.md (10 minutes)
	$(DEVELOP)
	$(BIN)/python -m tests.bench.door

bench-load: ## open 200 phones, some of them stuck, and keep the figures in docs/reliability.md (2 minutes)
	$(DEVELOP)
	$(BIN)/python -m tests.bench.load

clean: ## remove everything that was made here
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache build dist mutants
	find . -name __pycache__ -prune -exec rm -rf {} +
