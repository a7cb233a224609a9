# The tasks of this repository. `make` without a target lists them.

PREFIX ?= /usr/local
DESTDIR ?=
# How many times as many random inputs as usual `make fuzz` and `make memory` try.
FACTOR ?= 20
# The number of requests that `make fuzz` compares on the wire, and the seed of their generator: a new one each day.
WIRE_CASES ?= 10000
WIRE_SEED ?= $(shell date +%Y%m%d)

# How many seconds `make fuzz-program` runs.
SECONDS ?= 600

# How many tests run at the same time. This is more than the number of cores, because some tests only wait.
WIDTH ?= $(shell echo $$((3 * $$(nproc))))

# Tests with a limit on time or processor time, and one that opens 10,000 connections. They run one by one, because tests that run beside
# them would share that time and these connections.
TIMED = ^(ExchangeTests\.(WaitingTests|ManyConnectionTests|PlainSessionTests/busyLoader)|SendTests\.(WaitingTests|HostileServerTests|EndingTests|SecretProgramTests)|$\
SendTests\.(OddAnswerTests/bomb|ProgressTests/silent)|ServeTests\.ControlTests/refuseAtOnce|CheckTests\.(InterruptionTests|ManyCasesTests)|LoadTests\.[A-Za-z]+)(/|\(|$$)

# The targets whose tests start the program.
STARTING = ^(SendTests|StubTests|CheckTests|LoadTests|EndToEndTests|ServeTests|WireTests)\.

# The targets whose tests `make sanitize` runs.
SANITIZED = ^(ExchangeTests|HTTPWireTests|MockingTests|ServeTests|ServingTests|StubServingTests)\.
# Tests that measure the memory of the program, of which sanitizers take much for themselves.
MEASURED = ^ServeTests\.(ProxyTests/streams|UploadTests/backpressure)\(

RELEASE = .build/release/reqcli
SOURCES = Package.swift Sources Tests
INSTALL = $(DESTDIR)$(PREFIX)

.DEFAULT_GOAL := help
.PHONY: help demo build test test-program docs site lint format fuzz fuzz-program bench memory sanitize order release-check abi simulate-darwin shells schemas install install-site uninstall dist clean prove ci

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: ## Show what reqcli does, without a server or a network
	demo/demo.sh

build: ## Build the optimised program, .build/release/reqcli
	scripts/build-release.sh

test: ## Run all tests: in parallel, then one by one those with time limits
	swift test --experimental-maximum-parallelization-width $(WIDTH) --skip '$(TIMED)'
	swift test --skip-build --no-parallel --filter '$(TIMED)'

test-program: ## Run the tests that start the program, with the build at REQCLI=PATH
	swift test --experimental-maximum-parallelization-width $(WIDTH) --filter '$(STARTING)' --skip '$(TIMED)'
	swift test --skip-build --no-parallel --filter '$(TIMED)' --skip '^ExchangeTests'

docs: ## Run the commands in the documentation, record their output, and redraw the pictures
	REQCLI_RECORD=1 swift test --no-parallel --filter 'DocumentationTests|FormatReferenceTests'
	node Tests/serve/picture.mjs .build/debug/reqcli docs/images/serve-page.webp

site: ## Write the documentation as HTML, .build/site/index.html; ISSUES=URL is the tracker that the program's help names
	rm -rf .build/site
	scripts/make-site.py .build/site
	$(if $(ISSUES),printf '%s\n' '$(ISSUES)' > .build/site/issues)

lint: ## Report what `make format` would change, and other problems of style
	swift format lint --strict -r $(SOURCES)
	scripts/check-floors.py

format: ## Format every source file
	swift format -i -r $(SOURCES)

fuzz: ## Run the tests with random inputs: FACTOR times as many as usual, and WIRE_CASES requests on the wire
	REQCLI_FUZZ=$(FACTOR) swift test --no-parallel --filter 'Fuzz|FunctionsTests|TemplateReaderTests|LaneTests|CutFileTests|CutWorkspaceTests|RedactorTests'
	WIRE_CASES=$(WIRE_CASES) WIRE_SEED=$(WIRE_SEED) swift test --no-parallel --filter 'CurlWireTests|SendWireTests'

fuzz-program: build ## Run the release program on damaged files, arguments and responses for SECONDS
	Tests/fuzz/program.py $(RELEASE) --seconds $(SECONDS) --seed $(WIRE_SEED)

bench: ## Compare the installed program with curl, HTTPie and jq; ROWS="--only render" measures one row
	$(MAKE) --no-print-directory install DESTDIR=.build/bench/installed PREFIX=
	benchmarks/build
	benchmarks/install-httpie || true
	benchmarks/bench.py $(ROWS)

memory: build ## Send FACTOR times 400 sequences of invalid responses, 1 GiB of events and 1,000 pages, and watch the memory
	swift build --build-tests
	Tests/memory/responses.sh $(FACTOR)
	Tests/memory/streams.py $(RELEASE)

# The check for leaks is off, because it would fail every run: XCTest leaks some memory in each process, and so does Foundation's own
# loader; test servers still hold memory when the process ends.
sanitize: ## Run the tests of the loader and the server under the thread sanitizer and the address sanitizer
	swift test --scratch-path .build/tsan --sanitize=thread -Xswiftc -DTHREAD_SANITIZER --no-parallel --filter '$(SANITIZED)' --skip '$(MEASURED)'
	ASAN_OPTIONS=detect_leaks=0 swift test --scratch-path .build/asan --sanitize=address --no-parallel --filter '$(SANITIZED)' --skip '$(MEASURED)'

simulate-darwin: ## Build the libraries as for a system other than Linux
	scripts/simulate-darwin.sh

order: ## Record which functions run at start, so that the linker puts them side by side
	scripts/record-order.sh

release-check: build ## Check that the release binary loads libcurl only for requests, and reads only what it needs
	scripts/check-release.sh $(RELEASE)

abi: ## Compare the numbers in CLibcurl with curl's own headers
	Tests/libcurl/compare-abi.sh

shells: build ## Test the completions in bash, zsh and fish, and check the manual page
	Tests/shells/completions.sh $(RELEASE)
	$(RELEASE) __man > .build/reqcli.1 && Tests/shells/manpage.sh .build/reqcli.1

schemas: build ## Test the schemas with an independent validator
	python3 Tests/schemas/validate.py $(RELEASE)

install: build ## Install program, manual page, completions and, with python3, the documentation below PREFIX
	install -D -m 755 $(RELEASE) $(INSTALL)/bin/reqcli
	$(RELEASE) __man > .build/reqcli.1
	install -D -m 644 .build/reqcli.1 $(INSTALL)/share/man/man1/reqcli.1
	for shell in bash zsh fish; do $(RELEASE) completions $$shell > .build/reqcli.$$shell || exit; done
	install -D -m 644 .build/reqcli.bash $(INSTALL)/share/bash-completion/completions/reqcli
	install -D -m 644 .build/reqcli.zsh $(INSTALL)/share/zsh/site-functions/_reqcli
	install -D -m 644 .build/reqcli.fish $(INSTALL)/share/fish/vendor_completions.d/reqcli.fish
	if command -v python3 > /dev/null; then $(MAKE) --no-print-directory site install-site; fi

install-site:
	rm -rf $(INSTALL)/share/doc/reqcli/html && mkdir -p $(INSTALL)/share/doc/reqcli
	cp -R .build/site $(INSTALL)/share/doc/reqcli/html && chmod -R u=rwX,go=rX $(INSTALL)/share/doc/reqcli

uninstall: ## Remove what `make install` has installed below PREFIX
	rm -f $(INSTALL)/bin/reqcli $(INSTALL)/share/man/man1/reqcli.1
	rm -f $(INSTALL)/share/bash-completion/completions/reqcli $(INSTALL)/share/zsh/site-functions/_reqcli
	rm -f $(INSTALL)/share/fish/vendor_completions.d/reqcli.fish
	rm -rf $(INSTALL)/share/doc/reqcli

dist: build site ## Make an archive, a Python wheel and a Debian package, with checksums, below .build/dist
	scripts/make-dist.sh

clean: ## Remove what was built
	swift package clean

prove: ## Run the long proofs: sanitizers, fuzzing, bare systems, the same bytes twice; those that held are passed over
	scripts/prove.sh

ci: ## Run what continuous integration runs
	.ci/run
