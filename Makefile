# The two commands of the README are `make demo` and `make test`; both install what is missing.

PALESTRA = target/quick/palestra
DEMO = target/demo
DEMO_EVENT = events/demo.toml

.PHONY: help demo test test-windows test-cluster lint web docs python train bench fuzz golden dist setup setup-test

help:
	@echo "make demo     build palestra and open an arena with a demo event"
	@echo "make test     every check and every test"
	@echo "make test-windows   build palestra.exe and try it under Wine"
	@echo "make test-cluster   kill a room of machines again and again; KILLS=20 of each kind, SEED=7"
	@echo "make web      build the viewer's page, which cargo then puts into palestra"
	@echo "make python   build the Python package, one wheel in target/wheels"
	@echo "make docs     build the documentation in three languages, with its search, into target/docs"
	@echo "make dist     programs ready to download, with checksums and licences, in target/dist"
	@echo "make train    train the bot of the documents again: weights, curve, and 1,000 games against each opponent"
	@echo "make bench    measure everything that is promised, as one table"
	@echo "make fuzz     feed arbitrary bytes to everything that strangers send to; SECONDS=10 for each target"
	@echo "make golden   write the golden playthroughs and generated types anew, after a change that is meant"

demo: setup web
	cargo build --profile quick --locked --package palestra
	@rm -rf $(DEMO).arena
	@$(PALESTRA) event players add $(DEMO_EVENT) visitor > /dev/null 2>&1
	@key=$$($(PALESTRA) event players key $(DEMO_EVENT) visitor 2> /dev/null); \
	echo; echo "An arena with built-in players of all four games opens now. In another terminal, try:"; \
	echo "  $(PALESTRA) new generals --language python mybot && $(PALESTRA) submit 127.0.0.1:8080 generals mybot --token $$key"; \
	echo "  $(PALESTRA) connect 127.0.0.1 --game rps --opponents bot --token $$key -- games/rps/kits/python/rps.py"; \
	echo "  $(PALESTRA) play generals human greedy"; echo
	@$(PALESTRA) serve $(DEMO_EVENT)

# The fast checks first.
test: setup-test web lint
	@# Examples are linted, and nobody runs them.
	scripts/leftovers.sh cargo nextest run --locked --workspace --tests
	cargo test --locked --workspace --doc --quiet
	PYTHONPATH=target/tools/deploy scripts/check_deploy.py target/debug/palestra
	scripts/leftovers.sh scripts/examples.py target/debug/palestra
	scripts/leftovers.sh scripts/python.sh test
	cd web && npm test --silent && ../scripts/leftovers.sh npm run --silent browser
	@# Last: it leaves a program with a fifth game behind, which the tests before must not see.
	@# The whole workspace, so that what the fifth game does not change is not compiled anew.
	cargo nextest run --locked --workspace --features palestra-games/connect4,palestra/connect4 \
		--test encoding --test batch --test fifth_game --bin palestra \
		-E 'not kind(bin) or test(/^conformance::/)'
	cd web && PALESTRA_GAMES=../crates/cli/tests/fixtures npm run --silent browser

# Not part of make test: it needs mingw and Wine, and takes minutes.
test-windows: setup-test web
	PROFILE=$(or $(PROFILE),quick) scripts/windows.sh test

# Needs root: every machine of the room is a network namespace. Takes about three seconds for each of KILLS times five.
KILLS = 20
SEED = 7
test-cluster: setup-test web
	cargo build --profile quick --locked --package palestra
	KILLS=$(KILLS) SEED=$(SEED) scripts/cluster.py $(PALESTRA)

lint: setup-test web/node_modules
	cargo fmt --all --check
	cargo clippy --locked --workspace --all-targets -- -D warnings
	scripts/other_systems.sh
	cargo deny check bans licenses sources
	python3 scripts/tidy.py
	cd web && npm run --silent lint && npm run --silent check

# What the documentation is made of, which is built with the page.
DOCUMENTS = $(wildcard *.md docs/*.md docs/*.json docs/how-to/*.md docs/pictures/match.gif games/*/*.md zoo/*.md)

# The page: made anew when something it is made of has changed.
web: web/dist/index.html

web/dist/index.html: web/node_modules $(shell find web -path web/node_modules -prune -o -path web/dist -prune -o \
                     -path web/tests -prune -o -type f -print) $(wildcard games/*/*.ts games/*/viewer/*.ts games/*/words/*.json crates/core/words/*.json) $(DOCUMENTS)
	cd web && npm run --silent build

web/node_modules: web/package-lock.json
	cd web && npm ci --silent --no-audit --no-fund
	@touch $@

# The documentation as a folder that any web server can show; arenas show the same under /docs.
docs: web
	rm -rf target/docs
	mkdir -p target
	cp -r web/dist/docs target/docs
	@echo "target/docs/index.html"

python: setup web
	scripts/python.sh wheel

# Then try it in an empty root: scripts/try_dist.sh
dist: setup
	scripts/dist.sh

train: setup web
	scripts/python.sh train

bench: setup web
	cargo bench --locked --package palestra --bench table

# make fuzz SECONDS=3600 TARGETS="replay archive"
SECONDS = 10
fuzz: web
	@scripts/fuzz.sh $(SECONDS) $(TARGETS)

golden:
	UPDATE_GOLDEN=1 cargo test --workspace golden

setup:
	@scripts/setup.sh

setup-test:
	@scripts/setup.sh --test
