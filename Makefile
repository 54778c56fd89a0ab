# The two commands of the README are `make demo` and `make test`; both install what is missing.

PALESTRA = target/release/palestra

.PHONY: help demo test lint bench golden setup setup-test

help:
	@echo "make demo     build palestra and play one match of each game"
	@echo "make test     every check and every test"
	@echo "make bench    measure everything that is promised, as one table"
	@echo "make golden   write the golden playthroughs anew, after a change of the rules"

demo: setup
	cargo build --release --locked --package palestra
	@for match in "generals hunter greedy" "auralux admiral aggressive aggressive afk" "rps marshal greedy" \
	              "grifaki warlord expander"; do \
		echo; echo "\$$ palestra play $$match --seed 7"; $(PALESTRA) play $$match --seed 7 || exit 1; \
	done
	@echo; echo "Now try your own bot: $(PALESTRA) play generals greedy bots/python/generals.py"

# The fast checks first.
test: setup-test lint
	cargo test --locked --workspace

lint: setup-test
	cargo fmt --all --check
	cargo clippy --locked --workspace --all-targets -- -D warnings
	cargo deny check bans licenses sources
	python3 scripts/tidy.py

bench: setup
	cargo bench --locked --package palestra --bench table

golden:
	UPDATE_GOLDEN=1 cargo test --workspace golden

setup:
	@scripts/setup.sh

setup-test:
	@scripts/setup.sh --test
