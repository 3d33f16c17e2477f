# `make demo` and `make test` work on a fresh machine: they install what is missing (see ./setup).

SHELL := /bin/bash
PATH := $(HOME)/.cargo/bin:$(PATH)
export PATH

# For `make fuzz` and `make fuzz-c`: how many generated programs, and from which seed.
COUNT ?= 10000
SEED ?= $(shell date +%s)

.PHONY: demo build test lint bench fuzz fuzz-c fuzz-verify fuzz-checks fuzz-states doc clean setup

demo: build
	target/release/boolero verify examples/c-lock/lock.c
	target/release/boolero verify examples/c-off-by-one/clear.c --checks bounds; test $$? -eq 10
	target/release/boolero check examples/lock-broken/lock.bp; test $$? -eq 10

build: setup
	cargo build --release --locked

test:
	@./setup test
	cargo test --locked

lint:
	@./setup lint
	cargo fmt --check
	cargo clippy --locked --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --locked --no-deps --document-private-items

bench: setup
	cargo bench --locked

# Every engine against the explicit one on generated programs.
fuzz: setup
	@echo "SEED=$(SEED) COUNT=$(COUNT)"
	BOOLERO_SEED=$(SEED) BOOLERO_COUNT=$(COUNT) cargo test --release --locked --lib engine::agreement -- engine::metamorphic --nocapture

# C programs of our generator and of Csmith, compiled, run by the machine and run as a model; and small errors, which the
# sanitizers of clang judge.
fuzz-c: COUNT = 500
fuzz-c:
	@./setup test
	@echo "SEED=$(SEED) COUNT=$(COUNT)"
	CI=1 BOOLERO_SEED=$(SEED) BOOLERO_COUNT=$(COUNT) cargo test --release --locked --lib llvm::tests -- --nocapture

# Verdicts on small C programs against all their runs.
fuzz-verify: COUNT = 2000
fuzz-verify:
	@./setup test
	@echo "SEED=$(SEED) COUNT=$(COUNT)"
	CI=1 BOOLERO_SEED=$(SEED) BOOLERO_COUNT=$(COUNT) cargo test --release --locked --lib cegar::tests -- --skip attack --nocapture

# Programs with planted faults, and the same programs without: every check, in all places and on all paths.
fuzz-checks: COUNT = 2000
fuzz-checks:
	@./setup test
	@echo "SEED=$(SEED) COUNT=$(COUNT)"
	CI=1 BOOLERO_SECONDS=20 BOOLERO_ITERATIONS=40 BOOLERO_SEED=$(SEED) BOOLERO_COUNT=$(COUNT) cargo test --release --locked --lib cegar::tests::attack -- --nocapture

# All states against all runs, with every reduction.
fuzz-states: COUNT = 2000
fuzz-states:
	@./setup test
	@echo "SEED=$(SEED) COUNT=$(COUNT)"
	CI=1 BOOLERO_SEED=$(SEED) BOOLERO_COUNT=$(COUNT) cargo test --release --locked --lib states:: -- --nocapture

doc: setup
	cargo doc --locked --no-deps --open

clean:
	cargo clean

setup:
	@./setup
