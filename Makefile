# Every target sets up what it needs in ./.venv and its neighbours by itself, with nothing but Python 3.11+ and pip. Second calls are fast.
#   make demo           the main job on built-in data, ending in a report
#   make test           the tests that need Python alone, with the newest of all packages
#   make test-minimums  the same with the oldest that pyproject.toml promises (Python 3.11 or 3.12)
#   make test-full      that, and the tests that need a JRE, a browser, LaTeX or another engine
#   make test-frameworks  the tests with evaluation frameworks: Inspect AI, lm-evaluation-harness, MLflow (make test-full runs them too)
#   make check          style, types, layers, workflows, and a documentation build without a warning
#   make bench          speed and correctness beside all others, in one run (TORCH=no: without torch; QUICK=yes: small)
#   make corrected      coverage of scores corrected for a judge's errors, on real data, written to docs/evidence/corrected.md
#   make trained        training with the losses of measures beside cross-entropy, on real data, written to docs/howto/torch.md
#   make decided        what decisions gain on seven public data sets, written to docs/evidence/decided.md
#   make gated          how often gates are wrong and right on real data, written to docs/evidence/gated.md
#   make calibration    coverage, size, power and ranks by simulation, written to docs/evidence/calibration.md (QUICK=yes: printed, in a minute)
#   make fuzz           100,000 generated inputs and 1,000 injected faults (TRIES=, FAULTS=, SECONDS=: fewer; SEED=2: others)
#   make dist           the source distribution and the wheel, built twice and compared, with a list of components
#   make docs           the site, in docs/_build/html
#   make door           write the names and types of the measures from the registry, after a change there
#   make clean          remove what the above made, but for the environments (make distclean: those too)

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMPS := $(VENV)/.stamps
# An option for pytest: make test PYTEST_ARGS="-k kappa"
PYTEST_ARGS ?=
WORKERS     ?= auto

MAKEFLAGS += --no-print-directory
.DEFAULT_GOAL := help
.PHONY: help demo test test-minimums test-minimum-engines test-full test-frameworks check bench bench-environment calibration corrected decided gated trained fuzz dist docs door clean distclean system-packages
# Stamps made on the way to another are kept.
.PRECIOUS: %/.stamps/pip %/.stamps/package
.SUFFIXES:

help:
	@sed -n 's/^#   //p' Makefile

# --- the environment: pip first (25.1 knows dependency groups), then the package, then a group at a time ---

%/.stamps/pip:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "ordeval needs Python 3.11 or later; $(PYTHON) is $$($(PYTHON) --version 2>&1). Try make PYTHON=python3.12 ..." >&2; exit 1; }
	@echo "setting up $*" >&2
	@test -x $*/bin/python || $(PYTHON) -m venv $*
	@$*/bin/python -m pip install -qq --upgrade 'pip>=25.1'
	@mkdir -p $(@D) && touch $@

%/.stamps/package: %/.stamps/pip pyproject.toml src/ordeval/__about__.py
	@echo "installing ordeval into $*" >&2
	@$*/bin/python -m pip install -qq --editable .
	@touch $@

$(STAMPS)/group-%: $(STAMPS)/package
	@echo "installing the $* tools into $(VENV)" >&2
	@$(BIN)/python -m pip install -qq --upgrade --group $*
	@touch $@

$(STAMPS)/report: $(STAMPS)/package
	@echo "installing what the report needs into $(VENV)" >&2
	@$(BIN)/python -m pip install -qq --editable '.[report]'
	@touch $@

# An oracle that cannot live with the newest of the others: the tests call its interpreter.
IRRCAC := .venv-irrcac

$(IRRCAC)/.stamps/irrcac: $(IRRCAC)/.stamps/pip pyproject.toml
	@echo "installing the oracle irrCAC into $(IRRCAC)" >&2
	@$(IRRCAC)/bin/python -m pip install -qq --group oracle-irrcac
	@$(IRRCAC)/bin/python -m pip install -qq --no-deps --group oracle-irrcac-alone
	@touch $@

# The oldest of everything, which the newest Pythons have no wheels for.
MINIMUMS    := .venv-minimums
OLD_PYTHONS := $(PYTHON) python3.11 python3.12
IS_OLD      := import sys; sys.exit(sys.version_info[:2] not in {(3, 11), (3, 12)})

$(MINIMUMS)/.stamps/%: override PYTHON = $(shell for python in $(OLD_PYTHONS); do \
  $$python -c '$(IS_OLD)' 2>/dev/null && echo $$python && exit; done; echo python3.11)

$(MINIMUMS)/.stamps/minimums: $(MINIMUMS)/.stamps/pip pyproject.toml src/ordeval/__about__.py
	@echo "installing ordeval and the oldest packages that it promises to work with into $(MINIMUMS)" >&2
	@$(MINIMUMS)/bin/python -m pip install -qq --editable . --group minimums
	@touch $@

$(MINIMUMS)/.stamps/engines: $(MINIMUMS)/.stamps/minimums
	@echo "installing the oldest engines and torch into $(MINIMUMS)" >&2
	@$(MINIMUMS)/bin/python -m pip install -qq --group minimums-engines --group minimums-torch
	@touch $@

# Evaluation frameworks bring a hundred packages, with limits of their own.
FRAMEWORKS := .venv-frameworks

$(FRAMEWORKS)/.stamps/frameworks: $(FRAMEWORKS)/.stamps/pip pyproject.toml src/ordeval/__about__.py
	@echo "installing ordeval and evaluation frameworks into $(FRAMEWORKS)" >&2
	@$(FRAMEWORKS)/bin/python -m pip install -qq --editable . --group frameworks
	@touch $@

# --- what people run ---

demo: $(STAMPS)/report
	@$(BIN)/ordeval demo

# Each worker of the tests has a core: more threads of linear algebra and of polars would wait for each other.
test test-minimums: export OMP_NUM_THREADS := 1
test test-minimums: export POLARS_MAX_THREADS := 1

test: $(STAMPS)/group-test
	@$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -q $(PYTEST_ARGS)

test-minimums: $(MINIMUMS)/.stamps/minimums $(IRRCAC)/.stamps/irrcac
	@$(MINIMUMS)/bin/python -m pytest -m 'not full and not slow and not frameworks' -n $(WORKERS) --dist worksteal -q $(PYTEST_ARGS)

# A part of the tests of engines: labels in groups, weights, counts, long frames, ratings. Old engines leave sockets
# open, and fork where polars warns of it.
OLD_ENGINES := test_torchmetrics or ((dask or pyspark) and (add_up or count_c or axes or gold_in_a_column or first))

test-minimum-engines: $(MINIMUMS)/.stamps/engines system-packages
	@$(MINIMUMS)/bin/python -m pytest -m full -q tests/engines tests/adapters/test_torchmetrics.py \
	  -k '$(OLD_ENGINES)' -W ignore::ResourceWarning -W 'ignore:Using fork:RuntimeWarning' \
	  -W ignore::pytest.PytestUnraisableExceptionWarning

test-frameworks: $(FRAMEWORKS)/.stamps/frameworks
	@DO_NOT_TRACK=true HF_HUB_OFFLINE=1 $(FRAMEWORKS)/bin/python -m pytest -m frameworks -q tests/adapters/frameworks tests/test_readme.py tests/test_docstrings.py $(PYTEST_ARGS)

# `make test` takes a tenth of the random examples. Here all are taken, also by what is run before.
test-full: export ORDEVAL_EXAMPLES := all

# Of the tests of one file, which share a browser or a cluster, one runs at a time (tests/conftest.py). Whoever asks
# for a part of these tests does not ask for the minimums.
test-full: $(if $(PYTEST_ARGS),,test-minimums test-minimum-engines test-frameworks) $(STAMPS)/group-test-full $(IRRCAC)/.stamps/irrcac system-packages
	@$(if $(PYTEST_ARGS),,$(BIN)/python -m pytest -m '(slow or later or examples) and not full and not frameworks' -n $(WORKERS) --dist worksteal -q)
	@$(BIN)/python -m pytest -m 'full$(if $(PYTEST_ARGS), or slow or later)' -n $(WORKERS) --dist loadfile -q $(PYTEST_ARGS)

system-packages:
	@bash .ci/system-packages

check: $(STAMPS)/group-lint $(STAMPS)/group-docs $(STAMPS)/group-test
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/zizmor --offline --no-progress --quiet .github action.yml
	$(BIN)/sphinx-build -a -W --keep-going -q -b html docs docs/_build/html

# All pages are written (-a): of pages that are not, Sphinx forgets the words that they are found by.
docs: $(STAMPS)/group-docs
	$(BIN)/sphinx-build -a -W --keep-going -q -b html docs docs/_build/html
	@echo "docs/_build/html/index.html"

# The list of components is that of an environment into which only the wheel was installed.
dist: $(STAMPS)/group-release
	@rm -rf dist build
	@$(BIN)/python -m tools.dist dist
	@$(BIN)/twine check --strict dist/*
	@$(PYTHON) -m venv build/wheel && build/wheel/bin/python -m pip install -qq dist/*.whl
	@$(BIN)/cyclonedx-py environment build/wheel --pyproject pyproject.toml --output-reproducible -o build/sbom.cdx.json
	@echo build/sbom.cdx.json

door: $(STAMPS)/package
	@$(BIN)/python tools/write_door.py

# The competitors live in an environment of their own. One that does not install is no failure: its rows say so.
BENCH  := .venv-bench
TORCH  ?= yes
QUICK  ?= no
OTHERS := others engines alone $(if $(filter yes,$(TORCH)),torch)

$(BENCH)/.stamps/bench: $(BENCH)/.stamps/package
	@echo "installing what is measured into $(BENCH)" >&2
	@$(BENCH)/bin/python -m pip install -qq --group bench
	@touch $@

$(BENCH)/.stamps/try-%: $(BENCH)/.stamps/bench
	@echo "installing bench-$* into $(BENCH)" >&2
	@if $(BENCH)/bin/python -m pip install -qq $(if $(filter alone,$*),--no-deps) --group bench-$*; then touch $@; \
	  else echo "bench-$* could not be installed; its rows will say so" >&2; fi

bench-environment: $(OTHERS:%=$(BENCH)/.stamps/try-%)

bench: bench-environment
	@$(BENCH)/bin/python -m benchmarks $(if $(filter yes,$(QUICK)),--quick) --json bench.json

# Simulations need nothing but the package.
calibration: $(STAMPS)/package
	@$(BIN)/python -m benchmarks.calibration $(if $(filter yes,$(QUICK)),--quick) --json calibration.json

# Real data lies beside the repository, in ../shared.
corrected: $(STAMPS)/package
	@$(BIN)/python -m benchmarks.corrected --page docs/evidence/corrected.md

decided: $(STAMPS)/group-test
	@$(BIN)/python -m benchmarks.decided --page docs/evidence/decided.md

gated: $(STAMPS)/package
	@$(BIN)/python -m benchmarks.gates --page docs/evidence/gated.md

trained: $(BENCH)/.stamps/try-torch
	@$(BENCH)/bin/python -m benchmarks.trained --page docs/howto/torch.md

# Each finding is shown with the name that makes it again: python -m tools.fuzz --only NAME
TRIES   ?= 100000
FAULTS  ?= 1000
SECONDS ?= 7200
SEED    ?= 1

fuzz: $(STAMPS)/group-test
	@OMP_NUM_THREADS=1 $(BIN)/python -m tools.fuzz --tries $(TRIES) --faults $(FAULTS) --seconds $(SECONDS) --seed $(SEED)

clean:
	rm -rf build dist ordeval-demo docs/_build $(addprefix docs/,measures generated which_measure.md gallery reference/api reference/commands) \
	  .pytest_cache .mypy_cache .ruff_cache .hypothesis \
	  .import_linter_cache .benchmarks spark-warehouse metastore_db derby.log
	find src tests docs -name __pycache__ -type d -prune -exec rm -rf {} +

distclean: clean
	rm -rf $(VENV) $(BENCH) $(IRRCAC) $(MINIMUMS) $(FRAMEWORKS)
