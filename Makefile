# Covey in two commands: make demo, make test.
.PHONY: demo test bench reproduce clean
BIN := .venv/bin

demo: .venv/.ready
	@$(BIN)/covey demo

test: .venv/.ready-dev
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/pytest -n 2

bench: .venv/.ready-dev
	@$(BIN)/python -m benchmarks.run

reproduce: .venv/.ready
	@COVEY_DATA=$${COVEY_DATA:-../shared/data} $(BIN)/covey reproduce -o reproductions.html

clean:
	rm -rf .venv covey-demo .mypy_cache .pytest_cache .ruff_cache .hypothesis

.venv/.ready: pyproject.toml scripts/make_venv.sh
	@sh scripts/make_venv.sh .venv
	@echo "Installing covey into .venv (once; about a minute) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

.venv/.ready-dev: .venv/.ready
	@echo "Installing what the tests need into .venv (once) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[dev]"
	@touch $@
