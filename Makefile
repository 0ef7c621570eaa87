# Every target sets up ./.venv by itself, with nothing but Python 3.11+ and pip. Second calls are fast.
#   make demo        the main job on built-in data
#   make test        the tests that need Python alone
#   make test-full   also those that need a JRE, a browser, LaTeX or another engine
#   make check       style, types, layers, and a documentation build without a warning
#   make bench       speed, as ratios in one run
#   make docs        the site, in docs/_build/html
#   make clean       remove what the above made, but for the environment (make distclean: that too)

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMPS := $(VENV)/.stamps
# An option for pytest: make test PYTEST_ARGS="-k kappa"
PYTEST_ARGS ?=
WORKERS     ?= auto

MAKEFLAGS += --no-print-directory
.DEFAULT_GOAL := help
.PHONY: help demo test test-full check bench docs clean distclean system-packages
.SUFFIXES:

help:
	@sed -n 's/^#   //p' Makefile

# --- the environment: pip first (25.1 knows dependency groups), then the package, then a group at a time ---

$(STAMPS)/pip:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "ordeval needs Python 3.11 or later; $(PYTHON) is $$($(PYTHON) --version 2>&1). Try make PYTHON=python3.12 ..." >&2; exit 1; }
	@echo "setting up $(VENV)" >&2
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install -qq --upgrade 'pip>=25.1'
	@mkdir -p $(STAMPS) && touch $@

$(STAMPS)/package: $(STAMPS)/pip pyproject.toml src/ordeval/__about__.py
	@echo "installing ordeval into $(VENV)" >&2
	@$(BIN)/python -m pip install -qq --editable .
	@touch $@

$(STAMPS)/group-%: $(STAMPS)/package
	@echo "installing the $* tools into $(VENV)" >&2
	@$(BIN)/python -m pip install -qq --group $*
	@touch $@

# --- what people run ---

demo: $(STAMPS)/package
	@$(BIN)/ordeval demo

test: $(STAMPS)/group-test
	@$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -q $(PYTEST_ARGS)

# One process: an engine, a browser and a cluster are each enough for two cores.
test-full: $(STAMPS)/group-test-full system-packages
	@$(BIN)/python -m pytest -m 'full or slow' -q $(PYTEST_ARGS)

system-packages:
	@bash .ci/system-packages

check: $(STAMPS)/group-lint $(STAMPS)/group-docs
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/sphinx-build -W --keep-going -q -b html docs docs/_build/html

docs: $(STAMPS)/group-docs
	$(BIN)/sphinx-build -W --keep-going -q -b html docs docs/_build/html
	@echo "docs/_build/html/index.html"

bench: $(STAMPS)/group-bench
	@$(BIN)/python -m benchmarks

clean:
	rm -rf build dist docs/_build docs/measures docs/generated .pytest_cache .mypy_cache .ruff_cache .hypothesis \
	  .import_linter_cache .benchmarks spark-warehouse metastore_db derby.log
	find src tests docs -name __pycache__ -type d -prune -exec rm -rf {} +

distclean: clean
	rm -rf $(VENV)
