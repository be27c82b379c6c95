# Two commands for a fresh clone: `make crawl URL=https://some.site/` and `make test`.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
WORKERS ?= 3
PYTEST = $(BIN)/python -m tests -n $(WORKERS) --dist loadfile --no-loadscope-reorder
COMPILED = $(BIN)/python -c 'import sys; from extractors.kernels import state; sys.exit(state().module is None)'
AGAIN = if $(COMPILED); then TOPICRAWL_COMPILED=off $(PYTEST) tests/extractors; \
  else echo "the compiled extension is not built here: all tests ran without it"; fi
# Ctrl-C of the crawl does not reach it: a shell's background process ignores it
COMPILE_MEANWHILE = $(COMPILED) || test -e $(VENV)/.compiled || { echo "topicrawl: the extension is compiled meanwhile, for later starts"; \
  nice $(MAKE) --no-print-directory $(VENV)/.compiled </dev/null >$(VENV)/compile.log 2>&1 & }
INSTALLED_FROM := pyproject.toml setup.py requirements/constraints.txt requirements/install

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
	@$(COMPILE_MEANWHILE)
	@echo "topicrawl: crawling $(URL) politely; Ctrl-C stops, the same command continues"
	@$(BIN)/scrapy crawl site -a url="$(URL)" $(ARGS) || test $$? -eq 3  # a limit that was set is no failure

console: $(VENV)/.ready-console
	@$(COMPILE_MEANWHILE)
	$(BIN)/scrapy console $(ARGS)

test: lint
	$(PYTEST) $(ARGS)
	$(if $(ARGS),,@$(AGAIN))

lint: $(VENV)/.ready-test $(VENV)/.compiled
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache build dist *.egg-info

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "topicrawl needs Python 3.11 or newer; $(PYTHON) is older. Say which: make PYTHON=python3.12 ..."; exit 2; }
	@echo "topicrawl: 0/3 virtual environment $(VENV) of $(PYTHON)"
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.ready: $(INSTALLED_FROM) | $(BIN)/python
	@requirements/install $(VENV)

$(VENV)/.ready-%: $(INSTALLED_FROM) | $(BIN)/python
	@requirements/install $(VENV) $*

$(VENV)/.compiled: setup.py $(wildcard extractors/kernels/*.p*x*) | $(VENV)/.ready
	@$(COMPILED) || { echo "topicrawl: compiling the extension, once: a minute"; $(BIN)/python setup.py -q build_ext --inplace; }
	@touch $@
