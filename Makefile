# Two commands for a fresh clone: `make crawl URL=https://some.site/` and `make test`.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
WORKERS ?= 3
PYTEST = $(BIN)/python -m tests -n $(WORKERS) --dist loadfile --no-loadscope-reorder
COMPILED = $(BIN)/python -c 'import sys; from extractors.kernels import state; sys.exit(state().module is None)'
AGAIN = if $(COMPILED); then TOPICRAWL_COMPILED=off $(PYTEST) tests/extractors; \
  else $(call SAY,NOT_BUILT); fi
# Ctrl-C of the crawl does not reach it: a shell's background process ignores it
COMPILE_MEANWHILE = $(COMPILED) || test -e $(VENV)/.compiled || { $(call SAY,MEANWHILE); \
  nice $(MAKE) --no-print-directory $(VENV)/.compiled </dev/null >$(VENV)/compile.log 2>&1 & }
INSTALLED_FROM := pyproject.toml setup.py requirements/constraints.txt requirements/install

# the reader's language, as TOPICRAWL_LANG or the locale says
CHINESE := $(filter zh% ZH%,$(firstword $(TOPICRAWL_LANG) $(LC_ALL) $(LC_MESSAGES) $(LANG)))
define HELP
make help                                                    these lines
make crawl URL=https://some.site/ [ARGS='-a max_pages=200']   install, then crawl one site into data/topicrawl.db
make console                                                 install, then serve the web console of data/topicrawl.db
make test                                                    install, then check style, types and behaviour (WORKERS=3 processes)
make lint                                                    style and types only
make clean                                                   remove the virtual environment and caches
endef
define HELP_ZH
make help                                                    显示这些内容
make crawl URL=https://some.site/ [ARGS='-a max_pages=200']   安装，然后抓取一个站点，存入 data/topicrawl.db
make console                                                 安装，然后运行 data/topicrawl.db 的控制台
make test                                                    安装，然后检查代码风格、类型和行为（WORKERS=3 个进程）
make lint                                                    只检查风格和类型
make clean                                                   移除虚拟环境和缓存
endef
WHICH = $(if $(CHINESE),请指定站点：,Say which site: )make crawl URL=https://some.site/
CRAWLING = crawling $(URL) politely; Ctrl-C stops, the same command continues
CRAWLING_ZH = 正在限速抓取 $(URL)；Ctrl-C 停止，同一命令可继续
COMPILING = compiling the extension, once: a minute
COMPILING_ZH = 正在编译扩展，只需一次，约一分钟
MEANWHILE = the extension is compiled meanwhile, for later starts
MEANWHILE_ZH = 扩展同时编译，供下次启动使用
TOO_OLD = needs Python 3.11 or newer; $(PYTHON) is older. Say which: make PYTHON=python3.12 ...
TOO_OLD_ZH = 需要 Python 3.11 或更高版本，$(PYTHON) 过低。请指定：make PYTHON=python3.12 ...
NOT_BUILT = the compiled extension is not built here: all tests ran without it
NOT_BUILT_ZH = 此处没有编译扩展：全部测试未使用扩展
SAY = echo "topicrawl: $($(1)$(if $(CHINESE),_ZH))"

.PHONY: help crawl console test lint clean

help:
	@$(info $(if $(CHINESE),$(HELP_ZH),$(HELP))):

crawl:
	@test -n "$(URL)" || { echo "$(WHICH)"; exit 2; }
	@$(MAKE) --no-print-directory $(VENV)/.ready
	@$(COMPILE_MEANWHILE)
	@$(call SAY,CRAWLING)
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
	  { $(call SAY,TOO_OLD); exit 2; }
	@echo "topicrawl: 0/3 $(if $(CHINESE),虚拟环境,virtual environment) $(VENV) ($(PYTHON))"
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.ready: $(INSTALLED_FROM) | $(BIN)/python
	@requirements/install $(VENV)

$(VENV)/.ready-%: $(INSTALLED_FROM) | $(BIN)/python
	@requirements/install $(VENV) $*

$(VENV)/.compiled: setup.py $(wildcard extractors/kernels/*.p*x*) | $(VENV)/.ready
	@$(COMPILED) || { $(call SAY,COMPILING); $(BIN)/python setup.py -q build_ext --inplace; }
	@touch $@
