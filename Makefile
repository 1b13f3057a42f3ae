# Covey in two commands: make demo, make test.
.PHONY: demo studio test test-all scale bench utility graphs reproduce papers docs screenshots clean
BIN := .venv/bin

demo: .venv/.ready
	@$(BIN)/covey demo

# Covey in the browser, on this machine alone.
studio: .venv/.ready-studio
	@$(BIN)/covey studio

test: .venv/.ready-dev
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/pytest -n 2 --dist loadgroup

# Everything, also what takes long: all tests of Studio in a browser and of Spark.
test-all: .venv/.ready-dev
	@$(BIN)/pytest -n 2 --dist loadgroup --thorough

scale: .venv/.ready-dev
	@$(BIN)/python -m benchmarks.scale --rows 1e6 1e7

bench: .venv/.ready-dev
	@$(BIN)/python -m benchmarks.run

graphs: .venv/.ready-dev
	@COVEY_DATA=$${COVEY_DATA:-../shared/data} $(BIN)/python -m benchmarks.graphs

utility: .venv/.ready-dev
	@COVEY_DATA=$${COVEY_DATA:-../shared/data} $(BIN)/python -m benchmarks.utility

reproduce: .venv/.ready
	@COVEY_DATA=$${COVEY_DATA:-../shared/data} $(BIN)/covey reproduce -o reproductions.html

# The tables of docs/papers, written by covey itself; the values of the literature are on the index.
papers: .venv/.ready
	@for paper in 000 001 002 003 004; do \
		COVEY_DATA=$${COVEY_DATA:-../shared/data} $(BIN)/covey reproduce $$paper -o docs/papers/$$paper.md || exit; \
	done
	@COVEY_DATA=$${COVEY_DATA:-../shared/data} $(BIN)/covey reproduce literature -o docs/papers/index.md

docs: .venv/.ready-docs
	@$(BIN)/zensical build --strict
	@echo "Open site/index.html."

screenshots: .venv/.ready-dev
	@$(BIN)/python scripts/screenshots.py docs/images

clean:
	rm -rf .venv .cache site covey-demo .mypy_cache .pytest_cache .ruff_cache .hypothesis

.venv/.ready: pyproject.toml scripts/make_venv.sh
	@sh scripts/make_venv.sh .venv
	@echo "Installing covey into .venv (once; about a minute) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

.venv/.ready-dev: .venv/.ready
	@echo "Installing what the tests need into .venv (once) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[dev]"
	@touch $@

.venv/.ready-studio: .venv/.ready
	@echo "Installing what Studio needs into .venv (once) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[studio]"
	@touch $@

.venv/.ready-docs: .venv/.ready
	@echo "Installing what the documents need into .venv (once) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[docs]"
	@touch $@
