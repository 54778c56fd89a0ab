# The two commands of the README are `make demo` and `make test`; both install what is missing.

PALESTRA = target/release/palestra
DEMO = target/demo

.PHONY: help demo test lint web bench golden setup setup-test

help:
	@echo "make demo     build palestra, play one match of each game and show them in the browser"
	@echo "make test     every check and every test"
	@echo "make web      build the viewer's page, which cargo then puts into palestra"
	@echo "make bench    measure everything that is promised, as one table"
	@echo "make golden   write the golden playthroughs and generated types anew, after a change that is meant"

demo: setup web
	cargo build --release --locked --package palestra
	@rm -rf $(DEMO)
	@for match in "generals hunter greedy" "auralux admiral aggressive aggressive afk" "rps marshal greedy" \
	              "grifaki warlord expander"; do \
		echo; echo "\$$ palestra play $$match --seed 7"; \
		$(PALESTRA) play $$match --seed 7 --replay $(DEMO)/$${match%% *}.replay || exit 1; \
	done
	@echo; echo "Now try your own bot: $(PALESTRA) play generals greedy bots/python/generals.py --watch"
	@echo; echo "\$$ palestra view $(DEMO)"; $(PALESTRA) view $(DEMO)

# The fast checks first.
test: setup-test web lint
	cargo test --locked --workspace
	cd web && npm test --silent && npm run --silent browser

lint: setup-test web/node_modules
	cargo fmt --all --check
	cargo clippy --locked --workspace --all-targets -- -D warnings
	cargo deny check bans licenses sources
	python3 scripts/tidy.py
	cd web && npm run --silent lint && npm run --silent check

# The page: made anew when something it is made of has changed.
web: web/dist/index.html

web/dist/index.html: web/node_modules $(shell find web -path web/node_modules -prune -o -path web/dist -prune -o \
                     -path web/tests -prune -o -type f -print) $(wildcard games/*/*.ts games/*/viewer/*.ts)
	cd web && npm run --silent build

web/node_modules: web/package-lock.json
	cd web && npm ci --silent --no-audit --no-fund
	@touch $@

bench: setup web
	cargo bench --locked --package palestra --bench table

golden:
	UPDATE_GOLDEN=1 cargo test --workspace golden

setup:
	@scripts/setup.sh

setup-test:
	@scripts/setup.sh --test
