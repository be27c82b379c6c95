# Two commands for a fresh clone: `make crawl URL=https://some.site/` and `make test`.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
WORKERS ?= 3
PYTEST = $(BIN)/python -m tests -n $(WORKERS) --dist loadfile --no-loadscope-reorder
COMPILED = $(BIN)/python -c 'import sys; from extractors.kernels import state; sys.exit(state().module is None)'
AGAIN = if $(COMPILED); then TOPICRAWL_COMPILED=off $(PYTEST) tests/extractors; \
  else echo "the compiled extension is not built here: all tests ran without it"; fi
BUILT_FROM := pyproject.toml setup.py requirements/constraints.txt $(wildcard extractors/kernels/*.p*x*)
PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint requirements/constraints.txt

.PHONY: help crawl console test lint clean

help:
	@echo "make help                                                    these lines"
	@echo "make crawl URL=https://some.site/ [ARGS='-a max_pages=200']   install, then crawl one site into data/topicrawl.db"
	@echo "make console                                                 install, then serve the web console of data/topicrawl.db"
	@echo "make test                                                    install, then check style, types and behaviour (WORKERS=3 processes)"
	@echo "make lint                                                    style and types only"
	@echo "make clean                                                   remove the virtual environment and caches"

crawl:
	@test -n "$(URL)" || { echo "Say which site: make crawl URL=https://some.site/"; exit 2; }
	@$(MAKE) --no-print-directory $(VENV)/.ready
	$(BIN)/scrapy crawl site -a url="$(URL)" $(ARGS) || test $$? -eq 3  # a limit that was set is no failure

console: $(VENV)/.ready-console
	$(BIN)/scrapy console $(ARGS)

test: lint
	$(PYTEST) $(ARGS)
	$(if $(ARGS),,@$(AGAIN))

lint: $(VENV)/.ready-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache build dist *.egg-info

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "topicrawl needs Python 3.11 or newer; $(PYTHON) is older. Say which: make PYTHON=python3.12 ..."; exit 2; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.ready: $(BUILT_FROM) | $(BIN)/python
	$(PIP_INSTALL) --editable .
	@touch $@

$(VENV)/.ready-console: $(BUILT_FROM) | $(BIN)/python
	$(PIP_INSTALL) --editable '.[console]'
	@touch $@ $(VENV)/.ready

$(VENV)/.ready-test: $(BUILT_FROM) | $(BIN)/python
	$(PIP_INSTALL) --editable '.[test]'
	@touch $@ $(VENV)/.ready
