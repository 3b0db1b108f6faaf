# Every task of the project. `make` or `make help` lists them; each sets up what it needs.
.DEFAULT_GOAL := help
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PYTHONDONTWRITEBYTECODE := 1
# Where `make setup` puts NVIDIA's run-time compiler; the tests of kernels fail without it.
export CUPRUM_NVRTC ?= $(CURDIR)/$(VENV)/nvrtc

# What the extension module is built from: no tests, no benchmarks.
RUST_SOURCES = $(shell find crates -type f \( -name '*.rs' -o -name '*.cu*' -o -name '*.cpp' -o -name '*.h' -o -name Cargo.toml \) \
	-not -path '*/tests/*' -not -path '*/benches/*' -not -name '*tests.rs')

.PHONY: help
help: ## List the tasks
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sort | awk -F ':.*## ' '{printf "  make %-14s %s\n", $$1, $$2}'

# dev: what did not change is not compiled again, for working. release: what is shipped, measured and tested by CI.
PROFILE ?= dev
CARGO_PROFILE = $(if $(filter release,$(PROFILE)),--release)

.PHONY: setup
setup: $(VENV)/.stamp-setup ## Create .venv and install the pinned development tools (once)

$(VENV)/.stamp-build: requirements-build.txt
	@command -v cargo >/dev/null || { echo "cargo is missing: install Rust from https://rustup.rs" >&2; exit 1; }
	@$(PYTHON) -c 'import sys, venv; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "$(PYTHON) is older than 3.11 or has no venv; set PYTHON=" >&2; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet -r requirements-build.txt
	touch $@

$(VENV)/.stamp-setup: requirements-dev.txt | $(VENV)/.stamp-build
	$(BIN)/python -m pip install --quiet -r requirements-dev.txt
	ln -sfn $$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/nvidia/cu13/lib $(VENV)/nvrtc
	touch $@

.PHONY: develop
develop: $(VENV)/.stamp-$(PROFILE) ## Build the extension module and install the packages into .venv (PROFILE=release: as shipped)

.PHONY: release
release: $(VENV)/.stamp-release ## The same as it is shipped: for measuring

# The module is in one place, whichever profile it is of. Cargo knows what has to be compiled.
INSTALL = VIRTUAL_ENV=$(CURDIR)/$(VENV) $(BIN)/maturin develop --locked --quiet
BUILT_FROM = $(VENV)/.stamp-build pyproject.toml Cargo.toml Cargo.lock $(RUST_SOURCES)

$(VENV)/.stamp-dev: $(BUILT_FROM)
	$(INSTALL) --profile dev
	rm -f $(VENV)/.stamp-release
	touch $@

$(VENV)/.stamp-release: $(BUILT_FROM)
	$(INSTALL) --release --strip
	rm -f $(VENV)/.stamp-dev
	touch $@

# Machine code of the kernels, which the wheel carries.
KERNELS := python/cuprum/kernels
SHIP_KERNELS = $(BIN)/python -c "from cuprum import _cuprum; print(_cuprum.ship_kernels('$(KERNELS)') >> 10, 'KiB of kernels')"

.PHONY: kernels
kernels: setup release ## Compile the kernels for all GPUs that the wheel serves
	$(SHIP_KERNELS)

$(VENV)/.stamp-wheel: requirements-wheel.txt $(VENV)/.stamp-setup
	$(BIN)/python -m pip install --quiet -r requirements-wheel.txt
	touch $@

# Zig links against an old glibc, so that the wheel runs on every Linux since 2014. The module is built first, for it
# compiles the kernels, and packed once more with them.
WHEELS := target/wheels
BUILD_WHEEL = PATH=$(CURDIR)/$(BIN):$$PATH $(BIN)/maturin build --release --strip --quiet --zig \
	--target x86_64-unknown-linux-gnu --compatibility manylinux_2_17 --interpreter $(BIN)/python

.PHONY: wheel
wheel: $(VENV)/.stamp-wheel ## Build the wheel into target/wheels and check its size
	rm -rf $(WHEELS)/*.whl target/unpacked
	$(BUILD_WHEEL) --out target/unpacked
	$(BIN)/python -m zipfile -e target/unpacked/*.whl target/unpacked
	PYTHONPATH=target/unpacked $(SHIP_KERNELS)
	$(BUILD_WHEEL) --out $(WHEELS)
	@for wheel in $(WHEELS)/*.whl; do \
		size=$$(stat -c %s "$$wheel"); echo "$$wheel: $$((size / 1024)) KiB"; \
		test "$$size" -lt 41943040 || { echo "larger than 40 MB" >&2; exit 1; }; done

.PHONY: sdist
sdist: $(VENV)/.stamp-build ## Pack the sources into target/wheels; pip builds them where Rust is
	rm -f $(WHEELS)/*.tar.gz
	$(BIN)/maturin sdist --out $(WHEELS)
	@ls -l $(WHEELS)/*.tar.gz

.PHONY: test-install
test-install: wheel sdist ## Install both into fresh environments, and use them and every extra
	$(BIN)/python -m pytest python/test_install.py

.PHONY: crates
crates: ## Pack every crate as a registry takes it, and build what was packed
	CARGO_PROFILE_DEV_OPT_LEVEL=0 cargo package --workspace --locked --exclude cuprum-python --exclude cuprum-testing

.PHONY: build
build: develop ## Build all that `make test` runs
	cargo test $(CARGO_PROFILE) --locked --no-run

# Where nobody says otherwise, tests are about the CPU, also on a machine with a GPU.
test-python test-libraries test-install docs: export CUPRUM_DEVICE ?= cpu

.PHONY: test
test: test-rust test-python ## Run every test and documentation example

.PHONY: test-rust
test-rust: setup ## Run the Rust tests and the examples in the documentation
	cargo test $(CARGO_PROFILE) --locked --no-fail-fast

# Python tests that run once more with all data on the emulator, which has the place of a GPU; those of
# pylibcuprum do so too.
EMULATED = $(addprefix python/tests/cuprum/test_, \
	arguments.py assignment.py astype.py at_iat.py boolean_selection.py columns_of_one_name.py \
	dataframe.py datetime_index.py enlargement.py fillna.py getitem.py groupby.py groupby_agg.py \
	groupby_head_tail_nth.py groupby_keys.py groupby_transform.py groupby_value_counts.py \
	iloc.py isna_dropna.py loc.py loc_levels.py merge.py offsets.py operands_along_axes.py operators.py \
	partial_string_indexing.py records.py replace.py series.py time_zones.py to_datetime.py to_datetime_formats.py \
	to_datetime_offsets.py to_numpy.py)

# On all cores; who is done takes tests from others.
PYTEST = $(BIN)/python -m pytest -n auto --dist worksteal

.PHONY: test-python
test-python: setup develop ## Run the Python tests and the examples in the docstrings
	$(PYTEST) python/tests
	CUPRUM_DEVICE=emulator CUPRUM_FALLBACK=host $(PYTEST) $(EMULATED) python/tests/pylibcuprum
	$(PYTEST) --doctest-modules python/cuprum python/pylibcuprum --ignore-glob='*/tests/*'

# Libraries that take frames, in an environment of their own: .venv has the package's own tools.
LIBRARIES := .venv-libraries

$(LIBRARIES)/.stamp: requirements-libraries.txt
	test -x $(LIBRARIES)/bin/python || $(PYTHON) -m venv $(LIBRARIES)
	$(LIBRARIES)/bin/python -m pip install --quiet -r requirements-libraries.txt
	touch $@

.PHONY: test-libraries
test-libraries: develop $(LIBRARIES)/.stamp ## Run the tests of docs/other-libraries.md, with the libraries in .venv-libraries
	PYTHONPATH=python $(LIBRARIES)/bin/python -m pytest python/tests/libraries

$(VENV)/.stamp-docs: requirements-docs.txt $(VENV)/.stamp-setup
	$(BIN)/python -m pip install --quiet -r requirements-docs.txt
	touch $@

# A page that does not run, a link that leads nowhere and a name that is documented twice are errors.
.PHONY: docs
docs: release $(VENV)/.stamp-docs ## Build the documentation into target/docs: guides, the reference, rustdoc
	rm -rf target/docs
	PYTHONPATH=python $(BIN)/python -m sphinx -b html -q -W --keep-going -d target/doctrees docs target/docs
	RUSTDOCFLAGS="-D warnings" cargo doc --release --locked --no-deps --quiet -p cuprum -p cuprum-compute -p cuprum-column -p cuprum-io -p cuprum-runtime
	rm -rf target/docs/rust && cp -r target/doc target/docs/rust
	@echo "open target/docs/index.html"

.PHONY: test-docs
test-docs: docs ## Open the documentation in a browser (Debian's chromium and chromium-driver)
	PYTHONPATH=python $(BIN)/python -m pytest docs/test_site.py

.PHONY: pandas-suite
pandas-suite: setup develop ## Run pandas' own tests against Cuprum: DIR=frame/methods (minutes; many are refused)
	$(BIN)/python python/tests/pandas_suite/run.py $(or $(DIR),frame/methods) $(ARGS)

.PHONY: pandas-docs
pandas-docs: setup develop ## Run the examples in pandas' docstrings with Cuprum beside pandas: SHOW=--show for those that differ
	$(BIN)/python python/tests/pandas_suite/docstrings.py $(SHOW)

.PHONY: fuzz
fuzz: setup develop ## Run the property tests over and over with new seeds
	for round in {1..20}; do CUPRUM_EMULATOR_SEEDS=10 cargo test $(CARGO_PROFILE) --locked --quiet; done
	HYPOTHESIS_PROFILE=thorough $(PYTEST) python/tests

.PHONY: kills
kills: setup develop ## Kill a thousand processes while they write files
	CUPRUM_KILLS=1000 $(BIN)/python -m pytest -s python/tests/cuprum/test_killed_writers.py

# Memcheck is some 40 times slower than the processor: the crates that own memory, and the kernels that
# write to places they have computed. The emulator's threads have stacks of 64 KB side by side, which
# valgrind must not take for one.
MEMCHECK = cargo test --release --locked --lib \
	--config 'target."cfg(all())".runner="valgrind --quiet --error-exitcode=9 --leak-check=no --max-stackframe=40000"'

.PHONY: memcheck
memcheck: ## Run tests of memory and of moving rows under valgrind (minutes)
	@command -v valgrind >/dev/null || apt-get install --yes --quiet valgrind || \
		{ echo "valgrind is missing: install it with the system's package manager" >&2; exit 1; }
	$(MEMCHECK) --test spilling -p cuprum-runtime -- --test-threads=1
	$(MEMCHECK) -p cuprum-io -- --test-threads=1 snappy
	PROPTEST_CASES=64 $(MEMCHECK) --tests -p cuprum-column -- --test-threads=1 --skip at_every_offset
	$(MEMCHECK) -p cuprum-elements -p cuprum-elementwise -p cuprum-relational -- --test-threads=1 copying \
		contiguous_split::tests::hostile distribute stream_compaction::compress stream_compaction::tests
	$(MEMCHECK) --test shared_memory -p cuprum-compute -- --test-threads=1 while_written

# The standard library is built with it: locks that are not look like none. Kernels run in fibers, which it does not know.
.PHONY: racecheck
racecheck: ## Run the tests of threads, memory and spilling under ThreadSanitizer (minutes; a nightly Rust with rust-src)
	CARGO_TARGET_DIR=target/racecheck RUSTFLAGS=-Zsanitizer=thread TSAN_OPTIONS=allocator_may_return_null=1 \
		cargo +nightly test -Zbuild-std --locked --package cuprum-runtime --lib --target x86_64-unknown-linux-gnu -- \
		--skip driver --skip kernel --skip primitives --skip emulator --skip fork

# Every package that is built, with its features.
FEATURES = cargo tree --locked --prefix none --no-dedupe --format '{p} {f}'

.PHONY: check
check: check-rust check-python ## Check formatting, lints and types, Rust and Python

.PHONY: check-rust
check-rust: ## Check formatting, lints, layers and features of the crates
	cargo fmt --all --check
	cargo clippy $(CARGO_PROFILE) --locked --all-targets -- -D warnings
	@! comm -23 <($(FEATURES) --package cuprum-python --edges no-dev | sort -u) <($(FEATURES) | sort -u) | grep . || \
		{ echo "built twice: the tests need other features of these (see crates/python/Cargo.toml)" >&2; exit 1; }
	$(PYTHON) crates/layers.py

.PHONY: check-python
check-python: setup ## Check formatting, lints and types of the packages
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(PYTHON) python/labels_as_keys.py

.PHONY: format
format: setup ## Format the code, Rust and Python
	cargo fmt --all
	$(BIN)/ruff check --fix-only --quiet .
	$(BIN)/ruff format .

.PHONY: demo
demo: release ## Run the report on the flights of 2013 (examples/flights.py)
	$(BIN)/python examples/flights.py

.PHONY: bench
bench: setup release ## Time Cuprum, pandas, Polars and DuckDB side by side
	$(BIN)/python benchmarks/compare.py

.PHONY: bench-rust
bench-rust: ## Run the Rust benchmarks (one family: cargo bench --bench join)
	cargo bench

.PHONY: gpu-bundle
gpu-bundle: ## Build target/gpu-bundle.tar.xz: tests and benchmarks for a machine with an NVIDIA GPU
	crates/runtime/gpu/bundle.sh target/gpu-bundle

.PHONY: gpu-python
gpu-python: setup release ## Build target/gpu-python.tar.xz: the Python tests for a machine with an NVIDIA GPU
	PYTHON=$(BIN)/python crates/python/gpu/bundle.sh target/gpu-python

.PHONY: clean
clean: ## Remove everything that was built, .venv too
	rm -rf target $(VENV) $(LIBRARIES) .mypy_cache .pytest_cache .ruff_cache .hypothesis python/cuprum/*.so $(KERNELS)
	find python -name __pycache__ -type d -prune -exec rm -rf {} +
