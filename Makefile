# The commands of the repository. `make help` lists them; README.md and CONTRIBUTING.md explain them.

# The first that is new enough; `make PYTHON=…` names another.
PYTHON ?= $(shell for name in python3 python3.14 python3.13 python3.12 python3.11; do \
  $$name -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$name && break; done)
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
# Stamps live inside the environment they describe, so that removing .venv forgets them too.
STAMPS := $(VENV)/stamps

.DEFAULT_GOAL := help
.PHONY: help install run dev web test check check-python check-web check-generated bench ledger lock generate clean

help: ## List the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

$(STAMPS)/venv:
	@echo "Making the virtual environment in $(VENV)"
	@python="$(PYTHON)"; test -n "$$python" || \
	  { echo "Pilothouse needs Python 3.11 or newer, and none was found on PATH." >&2; exit 1; }; \
	$$python -m venv $(VENV) || \
	  { echo "Python could not make a virtual environment. On Debian and Ubuntu: apt install python3-venv" >&2; exit 1; }
	@mkdir -p $(STAMPS) && touch $@

$(STAMPS)/run: requirements/run.txt requirements/build.txt | $(STAMPS)/venv
	@echo "Installing the locked dependencies"
	@$(PIP) install --quiet --no-deps --require-hashes -r requirements/run.txt -r requirements/build.txt
	@touch $@

$(STAMPS)/dev: requirements/dev.txt $(STAMPS)/run
	@echo "Installing the locked development tools"
	@$(PIP) install --quiet --no-deps --require-hashes -r requirements/dev.txt
	@touch $@

# Only a machine without a suitable Node.js downloads one.
$(STAMPS)/node: requirements/node.txt | $(STAMPS)/venv
	@$(BIN)/python -m tools.node check || \
	  { echo "Installing Node.js into $(VENV)"; $(PIP) install --quiet --no-deps --require-hashes -r requirements/node.txt; }
	@touch $@

# The build hook would build the front end too; building it first shows what npm and Vite have to say.
$(STAMPS)/package: pyproject.toml hatch_build.py src/pilothouse/__init__.py $(STAMPS)/run $(STAMPS)/node
	@echo "Building the front end"
	@$(BIN)/python -m tools.frontend
	@echo "Installing Pilothouse"
	@$(PIP) install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

# Python writes no bytecode where PYTHONDONTWRITEBYTECODE is set, and would compile all of this at every start.
$(STAMPS)/compiled: $(shell find src/pilothouse -name '*.py') | $(STAMPS)/package
	@$(BIN)/python -m compileall -q src/pilothouse
	@touch $@

install: $(STAMPS)/package $(STAMPS)/compiled web ## Set up everything that running needs

# Compares a hash of web/ with that of the last build, which takes no time when nothing changed.
web: $(STAMPS)/package
	@$(BIN)/python -m tools.frontend

run: install ## Start the server on 127.0.0.1:3333 (ARGS="--port 4000" passes through)
	@$(BIN)/pilothouse serve $(ARGS)

dev: $(STAMPS)/package $(STAMPS)/dev ## Start server and front end with hot reload
	@$(BIN)/python -m tools.dev $(ARGS)

# The gates run beside each other, once everything is installed that they share; each tells its story in one piece.
check: $(STAMPS)/package $(STAMPS)/dev $(STAMPS)/node ## Run the gates: style, types, imports, sizes, generated files
	@$(MAKE) --no-print-directory -j2 $(if $(filter output-sync,$(.FEATURES)),--output-sync=target) \
	  check-python check-web check-generated

check-python: $(STAMPS)/package $(STAMPS)/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy $(wildcard src tests tools bench hatch_build.py)
	$(BIN)/lint-imports
	$(BIN)/python -m tools.sizes

check-web: $(STAMPS)/node
	$(BIN)/python -m tools.node npm run check

# Neither needs the package to be installed: types that are yet to be generated may keep the front end from building.
check-generated: $(STAMPS)/dev $(STAMPS)/node
	PYTHONPATH=src $(BIN)/python -m tools.generated --check

generate: $(STAMPS)/dev $(STAMPS)/node ## Write the OpenAPI schema and the TypeScript types again
	PYTHONPATH=src $(BIN)/python -m tools.generated

test: check web ## Run the gates, then every test, browser included
	$(BIN)/python -m tools.suite

bench: install $(STAMPS)/dev ## Measure what docs/performance.md claims
	$(BIN)/python -m bench $(ARGS)

ledger: $(STAMPS)/venv ## Print the requirements that no test names
	@$(BIN)/python -m tools.ledger

lock: $(STAMPS)/dev ## Compile the requirement locks again from pyproject.toml
	$(BIN)/python -m tools.lock $(ARGS)

clean: ## Remove everything that was built or installed
	rm -rf $(VENV) .make dist build web/node_modules src/pilothouse/static
	rm -rf .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .coverage .coverage.* htmlcov web/coverage
	find . -name __pycache__ -type d -not -path './.git/*' -prune -exec rm -rf {} +
