# Two commands do everything: "make run" and "make test". Nothing is installed outside this folder.

PYTHON ?= python3
PREFIX ?= /usr/local
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

# A checkout that was moved must not run the code of its old place: the place is part of the stamps' names.
HERE := $(shell pwd | cksum | cut -d ' ' -f 1)
MADE := $(VENV)/made-$(HERE)
READY := $(VENV)/ready-$(HERE)
READY_TO_TEST := $(VENV)/ready-to-test-$(HERE)
SHIP ?= ship
PEERS := .venv-peers
READY_TO_COMPARE := $(PEERS)/ready-$(HERE)
READY_TO_AGREE := $(PEERS)-agreement/ready-$(HERE)
READY_TO_PACKAGE := $(VENV)/ready-to-package-$(HERE)
PYTEST := QT_QPA_PLATFORM=offscreen $(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder --max-worker-restart 0
BESIDE := $(VENV)/beside-the-tests.txt

# Hundreds of tests start a command or a window's children: without byte code on the disk each compiles all its modules.
unexport PYTHONDONTWRITEBYTECODE

.DELETE_ON_ERROR:
.PHONY: help run test lint types rules tests test-slow test-long test-ship test-peers bench package deb sbom locks install uninstall clean

help:
	@echo "make run         install into $(VENV) and open the sample workspace (a table of verdicts without a display)"
	@echo "make test        lint, types, import rules and three in four tests, those that are quick (four minutes)"
	@echo "make test-slow   the others, most of them of the window: before a change lands (four times as long)"
	@echo "make test-long   those, campaigns, properties on many more cases, and 120 faults put into the code (hours)"
	@echo "make test-ship   what people install: wheel, source archive and .deb built, installed and started (two minutes)"
	@echo "make test-peers  our numbers beside google-adk's and others' on 10,000 fresh cases (installs them, 1.7 GB)"
	@echo "make bench       the figures of docs/performance.md"
	@echo "make package     build the stand-alone program and start it once"
	@echo "make deb         build a package for Debian and Ubuntu (of the Python that PYTHON names)"
	@echo "make sbom        what the installers carry, as a software bill of materials (CycloneDX)"
	@echo "make locks       versions with hashes anew, after a change of constraints.txt"
	@echo "make install     install for everybody, below PREFIX (/usr/local); make uninstall takes it away"
	@echo "make clean       remove $(VENV), $(PEERS), $(PEERS)-agreement and everything built"

run: $(READY)
	$(BIN)/python -m trace_inspector --samples

# Types and import rules are looked at beside the tests, into a file that is shown at the end if they failed: whatever
# failed is the last thing on the screen. A wrong format is told before anything takes time. Ctrl+C ends all of it.
test: lint
	@$(MAKE) --no-print-directory --keep-going types rules > $(BESIDE) 2>&1 & beside=$$!; \
	trap 'kill $$beside 2>/dev/null' EXIT; trap 'exit 130' INT TERM HUP; \
	failed=; $(MAKE) --no-print-directory tests || failed=" tests"; \
	wait $$beside || { failed=" types or rules (just above)$$failed"; cat $(BESIDE); }; \
	trap - EXIT; \
	if [ -n "$$failed" ]; then echo "make test: FAILED:$$failed" >&2; exit 1; fi; \
	echo "make test: everything passed."

lint: $(READY_TO_TEST)
	$(BIN)/python -m ruff check .
	$(BIN)/python -m ruff format --check .

types: $(READY_TO_TEST)
	$(BIN)/python -m mypy

rules: $(READY_TO_TEST)
	$(BIN)/lint-imports

tests: $(READY_TO_TEST)
	$(PYTEST) --part quick

# Not part of "make test" and not of `.ci/run` (decision 0074). Which these are was measured: tests/slow_tests.txt.
test-slow: $(READY_TO_TEST)
	$(PYTEST) --part slow

# Not part of "make test". The marker "hypothesis" is on every property: the plugin of that library sets it. Where the
# variable is set, "campaign" is on every test of a module that asks for it (tests/helpers/campaigns.py).
test-long: test-slow
	TRACE_INSPECTOR_LONG=1 QT_QPA_PLATFORM=offscreen $(BIN)/python -m pytest -m "campaign or hypothesis" --timeout 3600 \
	  -n auto --dist loadfile --max-worker-restart 0
	$(BIN)/python -m tests.faults

# Not part of "make test": it fetches and installs all that the program needs, twice.
test-ship: $(READY_TO_PACKAGE)
	QT_QPA_PLATFORM=offscreen $(BIN)/python -m pytest -m "$(SHIP)" tests/ship --timeout 900 \
	  -n 2 --dist loadfile --max-worker-restart 0

# Not part of "make test": what we must equal is large, and the cases are new every time.
test-peers: $(READY_TO_TEST) $(READY_TO_COMPARE) $(READY_TO_AGREE)
	$(BIN)/python -m tests.peers --python $(PEERS)/bin/python

bench: $(READY_TO_TEST)
	$(BIN)/python -m benchmarks

package: $(READY_TO_PACKAGE)
	$(BIN)/python packaging/build.py
	$(BIN)/python packaging/smoke.py --extra judges

deb:
	$(PYTHON) packaging/deb.py

sbom: $(READY_TO_PACKAGE)
	$(BIN)/python packaging/sbom.py

locks: $(READY_TO_PACKAGE)
	$(BIN)/python packaging/locks.py

install:
	$(PYTHON) packaging/install.py install --prefix "$(PREFIX)"

uninstall:
	$(PYTHON) packaging/install.py uninstall --prefix "$(PREFIX)"

clean:
	rm -rf $(VENV) $(PEERS) $(PEERS)-agreement build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

# hatchling comes first, from the same pins, so that the build needs no environment of its own; setuptools for
# rouge-score, which is published as source only.
$(MADE): pyproject.toml constraints.txt
	@command -v $(PYTHON) >/dev/null || { \
	  echo "Trace Inspector needs Python 3.11 or newer, and there is no “$(PYTHON)” here." \
	       "Install Python, or name one: make run PYTHON=/path/to/python3" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "Trace Inspector needs Python 3.11 or newer, and “$(PYTHON)” is $$($(PYTHON) --version 2>&1)." \
	       "Name a newer one: make run PYTHON=python3.12" >&2; exit 1; }
	$(PYTHON) -m venv --clear $(VENV)
	$(PIP) install -c constraints.txt hatchling editables setuptools
	@touch $@

$(READY): $(MADE)
	$(PIP) install -c constraints.txt --no-build-isolation -e '.[judges]'
	@touch $@

# What tests need has in it what the program needs. Byte code is written when a module is first used: to compile all
# that is installed takes a quarter of the time.
$(READY_TO_TEST): $(MADE)
	$(PIP) install --no-compile -c constraints.txt --no-build-isolation -e '.[dev]'
	@touch $(READY) $@

$(READY_TO_PACKAGE): $(READY_TO_TEST)
	$(PIP) install -c constraints.txt --no-build-isolation -e '.[dev,packaging]'
	@touch $@

$(READY_TO_COMPARE): tests/peers/requirements.txt | $(READY)
	$(PYTHON) -m venv --clear $(PEERS)
	$(PEERS)/bin/python -m pip --disable-pip-version-check --quiet install -r tests/peers/requirements.txt
	@touch $@

# Nothing is looked for beyond what is listed: the file says why.
$(READY_TO_AGREE): tests/peers/requirements-agreement.txt | $(READY)
	$(PYTHON) -m venv --clear $(PEERS)-agreement
	$(PEERS)-agreement/bin/python -m pip --disable-pip-version-check --quiet install --no-deps -r tests/peers/requirements-agreement.txt
	@touch $@
