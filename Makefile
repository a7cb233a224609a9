# Whatever is done here more than once. `make` alone lists it.

PREFIX ?= /usr/local
DESTDIR ?=
# How many inputs `make fuzz` makes of each kind.
COUNT ?= 50000
# How many requests it compares on the wire, and the number that they grow from: another one each day.
WIRE_CASES ?= 10000
WIRE_SEED ?= $(shell date +%Y%m%d)

# How long `make fuzz-program` runs.
SECONDS ?= 600

# How many tests run at the same time: some wait, others compute.
WIDTH ?= $(shell echo $$((3 * $$(nproc))))

# Tests that expect something within a time, or with little processor time, which other tests beside them would use up.
TIMED = ^(ExchangeTests\.(WaitingTests|PlainSessionTests/busyLoader)|SendTests\.(WaitingTests|HostileServerTests|EndingTests|SecretProgramTests)|$\
SendTests\.(OddAnswerTests/bomb|ProgressTests/silent)|CheckTests\.(InterruptionTests|ManyCasesTests))(/|\(|$$)

RELEASE = .build/release/reqcli
SOURCES = Package.swift Sources Tests
INSTALL = $(DESTDIR)$(PREFIX)

.DEFAULT_GOAL := help
.PHONY: help demo build test docs lint format fuzz fuzz-program bench memory sanitize order release-check abi shells schemas install uninstall dist clean ci

help: ## List what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: ## Show what reqcli does, without a server and without a network
	demo/demo.sh

build: ## The optimised program, at .build/release/reqcli
	scripts/build-release.sh

test: ## Every test: in parallel, then one by one those that hold bounds of time
	swift test --experimental-maximum-parallelization-width $(WIDTH) --skip '$(TIMED)'
	swift test --skip-build --no-parallel --filter '$(TIMED)'

docs: ## Run what the documentation shows, write down what is printed, and draw the pictures anew
	REQCLI_RECORD=1 swift test --no-parallel --filter 'DocumentationTests|FormatReferenceTests'

lint: ## Complain about what `make format` would change, and more
	swift format lint --strict -r $(SOURCES)

format: ## Format every source file
	swift format -i -r $(SOURCES)

fuzz: ## The tests on inputs by chance: COUNT files of each kind, WIRE_CASES requests on the wire
	REQCLI_FUZZ=$(COUNT) swift test --no-parallel --filter Fuzz
	WIRE_CASES=$(WIRE_CASES) WIRE_SEED=$(WIRE_SEED) swift test --no-parallel --filter 'CurlWireTests|SendWireTests'

fuzz-program: build ## Damaged files, arguments and responses for the release program; SECONDS of it
	Tests/fuzz/program.py $(RELEASE) --seconds $(SECONDS) --seed $(WIRE_SEED)

bench: ## Measure what is installed beside curl, HTTPie and jq; ROWS="--only render" for a part
	$(MAKE) --no-print-directory install DESTDIR=.build/bench/installed PREFIX=
	benchmarks/build
	benchmarks/install-httpie || true
	benchmarks/bench.py $(ROWS)

memory: ## Wrong responses in sequences, with libcurl's memory watched; COUNT sequences
	swift build --build-tests
	Tests/memory/responses.sh $(COUNT)

# Leaks are not looked for: XCTest leaves some in each process, which would fail every run; so do Foundation's own loader and
# what test servers still hold when the process ends.
sanitize: ## The loader's tests under the thread and the address sanitizer
	swift test --scratch-path .build/tsan --sanitize=thread -Xswiftc -DTHREAD_SANITIZER --no-parallel --filter ExchangeTests
	ASAN_OPTIONS=detect_leaks=0 swift test --scratch-path .build/asan --sanitize=address --no-parallel --filter ExchangeTests

order: ## Record anew which functions a start runs, for the linker to put side by side
	scripts/record-order.sh

release-check: build ## See that the release binary loads libcurl for a request only, and reads what it needs only
	scripts/check-release.sh $(RELEASE)

abi: ## Hold the numbers of CLibcurl against curl's own headers
	Tests/libcurl/compare-abi.sh

shells: build ## Press TAB in bash, zsh and fish; look through the manual page
	Tests/shells/completions.sh $(RELEASE)
	$(RELEASE) __man > .build/reqcli.1 && Tests/shells/manpage.sh .build/reqcli.1

schemas: build ## Hold the schemas against an independent validator
	python3 Tests/schemas/validate.py $(RELEASE)

# Before it makes a request Foundation reads the folder that the program lies in, so it gets one of its own.
install: build ## Install program, manual page and completions below PREFIX
	install -D -m 755 $(RELEASE) $(INSTALL)/lib/reqcli/reqcli
	install -d $(INSTALL)/bin
	ln -sf ../lib/reqcli/reqcli $(INSTALL)/bin/reqcli
	$(RELEASE) __man > .build/reqcli.1
	install -D -m 644 .build/reqcli.1 $(INSTALL)/share/man/man1/reqcli.1
	for shell in bash zsh fish; do $(RELEASE) completions $$shell > .build/reqcli.$$shell || exit; done
	install -D -m 644 .build/reqcli.bash $(INSTALL)/share/bash-completion/completions/reqcli
	install -D -m 644 .build/reqcli.zsh $(INSTALL)/share/zsh/site-functions/_reqcli
	install -D -m 644 .build/reqcli.fish $(INSTALL)/share/fish/vendor_completions.d/reqcli.fish

uninstall: ## Remove what `make install` has put below PREFIX
	rm -f $(INSTALL)/bin/reqcli $(INSTALL)/lib/reqcli/reqcli $(INSTALL)/share/man/man1/reqcli.1
	rm -f $(INSTALL)/share/bash-completion/completions/reqcli $(INSTALL)/share/zsh/site-functions/_reqcli
	rm -f $(INSTALL)/share/fish/vendor_completions.d/reqcli.fish
	[ ! -d $(INSTALL)/lib/reqcli ] || rmdir $(INSTALL)/lib/reqcli

dist: build ## Archives and a Debian package with their checksums, below .build/dist
	scripts/make-dist.sh

clean: ## Remove what was built
	swift package clean

ci: ## What the continuous integration runs
	.ci/run
