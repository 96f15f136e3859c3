# The two commands of the README: `make quickstart` and `make test`.

PYTHON ?= python3
VENV   ?= .venv
PIP     = $(VENV)/bin/python -m pip --disable-pip-version-check install --quiet -c constraints.txt

.PHONY: quickstart test lint soak clean help

help: ## what there is to make
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

quickstart: $(VENV)/.installed ## install, build, run and report on this machine
	@$(VENV)/bin/portability run quickstart

test: lint ## the whole test suite
	$(VENV)/bin/python -m pytest -n auto

lint: $(VENV)/.installed-dev
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy

soak: $(VENV)/.installed-dev ## what takes longer than a test run should
	PORTABILITY_SOAK=1 $(VENV)/bin/python -m pytest -n auto -m soak

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "$(PYTHON) is older than 3.11; say which to use: make PYTHON=python3.12 ..."; exit 2; }
	@$(PYTHON) -m venv $(VENV) || \
	  { echo "no venv module for $(PYTHON); on Debian and Ubuntu: apt-get install python3-venv"; exit 2; }

# CMake and Ninja come from PyPI when the machine has none.
$(VENV)/.installed: pyproject.toml constraints.txt | $(VENV)/bin/python
	@echo "installing into $(VENV) (once)"
	@$(PIP) -e .
	@command -v cmake >/dev/null || $(PIP) cmake
	@command -v ninja >/dev/null || $(PIP) ninja
	@touch $@

$(VENV)/.installed-dev: $(VENV)/.installed
	@echo "installing the tools for tests into $(VENV) (once)"
	@$(PIP) -e '.[dev]'
	@touch $@

clean: ## remove the virtual environment and caches; never a workspace
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache
