# One command each; every target sets up what it needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

# uv does not read pip's find-links setting, where a machine may offer a CPU-only torch.
export UV_FIND_LINKS ?= $(or $(PIP_FIND_LINKS),$(shell $(PYTHON) -m pip config get global.find-links 2>/dev/null))
export VIRTUAL_ENV := $(CURDIR)/$(VENV)

.PHONY: run test check bench setup system clean

run: setup
	$(BIN)/pentathlon sprint

test: check system
	$(BIN)/pytest -n 2 --dist loadgroup

check: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# What runs anywhere in minutes; bench/see_gpu.py needs a GPU, the other files of bench/ check rather than time.
bench: setup
	for run in engine.py eyes.py houses.py see.py server.py 'tabletop.py --demonstrations 18' 'offline.py --steps 60'; do \
	  echo "== bench/$$run"; $(BIN)/python bench/$$run || exit 1; done

# What only tests of the server and its pages need. As root it is installed, waiting for apt's lock; otherwise those tests
# are skipped and the last lines say so. PENTATHLON_TESTS_NEED makes that a failure, as in CI.
system:
	@.ci/system-packages

setup: $(STAMP)

$(STAMP): pyproject.toml constraints.txt examples/01_cartpole/pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed; try: make PYTHON=python3.11")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet uv
	$(BIN)/uv pip install --compile-bytecode -c constraints.txt -e '.[dev,ray]' -e examples/01_cartpole
	touch $@

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .import_linter_cache
