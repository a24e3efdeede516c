# Every verb of the project. Each target makes .venv by itself; nothing else has to be installed but Python >= 3.10.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
JOBS ?= auto
PRODUCTS := ascend910b ascend950 ascend910

.PHONY: conformance test self-test cases cases-aclnn faults bench lint types format wheel cann clean

conformance: $(VENV)/installed  ## judge the simulator against the torch reference, write build/record.jsonl
	$(BIN)/python -m conformance run --runner simulator

test: self-test cases  ## self-tests, then the whole case set on the simulator as every product

self-test: $(VENV)/installed
	$(BIN)/python -m pytest tests -q -n $(JOBS) --cov --cov-report=term:skip-covered --cov-fail-under=95

cases: $(VENV)/installed
	for product in $(PRODUCTS); do \
		$(BIN)/python -m pytest cases -q -n $(JOBS) -r fE --product $$product --record build/$$product.jsonl || exit 1; \
	done

cases-aclnn: cann  ## the whole case set through the C ABI of the simulated CANN, as its default product
	$(BIN)/python -m pytest cases -q -n $(JOBS) -r fE --runner aclnn --cann build/cann --record build/aclnn.jsonl

faults: $(VENV)/installed  ## run the catalogue of faulty implementations, write docs/detection.md
	$(BIN)/python -m conformance faults --jobs 2 --markdown docs/detection.md

bench: $(VENV)/installed  ## measure speed against peers, write benchmarks/results.md
	$(BIN)/python -m benchmarks

cann: $(VENV)/installed  ## build the simulated CANN into build/cann
	$(BIN)/python -m conformance cann build build/cann

lint: $(VENV)/installed  ## style of the code, and every truth of the data
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/python -m conformance lint

types: $(VENV)/installed
	$(BIN)/mypy

format: $(VENV)/installed
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/python -m conformance lint --fix

wheel: $(VENV)/installed
	$(BIN)/pip wheel --no-deps -w dist .

$(VENV)/installed: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet -c constraints.txt -e ".[dev]"
	-$(BIN)/python -m conformance cache compile
	touch $@

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache
