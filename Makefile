# Covey in two commands: make demo, make test.
.PHONY: demo studio test test-all mutants soak scale bench utility rivals graphs reproduce papers docs screenshots clean
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

# Wrong versions of the code that privacy rests on, one by one: the tests must catch them all.
mutants: .venv/.ready-dev
	@$(BIN)/python scripts/mutants.py $(MUTANTS)

# Random valid plans for ten minutes: no crash, warning, NaN, impossible value or minute-long run.
# SOAK="--minutes 60", or SOAK="--seed 5 --count 1 --trace" for one plan again.
soak: .venv/.ready-dev
	@$(BIN)/python -m benchmarks.soak $(SOAK)

scale: .venv/.ready-dev
	@$(BIN)/python -m benchmarks.scale --rows 1e6 1e7

bench: .venv/.ready-dev
	@$(BIN)/python -m benchmarks.run --page docs/speed.md

graphs: .venv/.ready-dev
	@COVEY_DATA=$${COVEY_DATA:-../shared/data} $(BIN)/python -m benchmarks.graphs

utility: .venv/.ready-dev
	@COVEY_DATA=$${COVEY_DATA:-../shared/data} $(BIN)/python -m benchmarks.utility

# Beside MST and AIM, which need other versions than ours: they get an environment of their own.
# RIVALS="--quick" is a first look; see benchmarks/README.md.
rivals: .venv/.ready-dev .venv-rivals/.ready
	@COVEY_DATA=$${COVEY_DATA:-../shared/data} $(BIN)/python -m benchmarks.rivals $(RIVALS)

# One page for each paper, with its tables and figures; an interrupted run goes on where it stopped.
# QUICK="--quick" draws the figures with few points.
reproduce: .venv/.ready
	@COVEY_DATA=$${COVEY_DATA:-../shared/data} $(BIN)/covey reproduce $(QUICK) -o reproductions

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
	rm -rf .venv .venv-rivals .cache site covey-demo .mypy_cache .pytest_cache .ruff_cache .hypothesis

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

.venv-rivals/.ready: scripts/make_venv.sh
	@sh scripts/make_venv.sh .venv-rivals/opendp
	@echo "Installing MST and AIM of OpenDP into .venv-rivals/opendp (once; 1.4 GB) ..."
	@.venv-rivals/opendp/bin/python -m pip install --quiet --disable-pip-version-check "opendp[mbi]>=0.15" pandas
	@sh scripts/make_venv.sh .venv-rivals/dpmm
	@echo "Installing MST and AIM of dpmm into .venv-rivals/dpmm (once; 0.5 GB) ..."
	@.venv-rivals/dpmm/bin/python -m pip install --quiet --disable-pip-version-check dpmm || \
		echo "dpmm does not install here (it needs Python 3.10 or 3.11); the page will say so."
	@touch $@
