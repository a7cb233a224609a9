# What the loader needs of a build, for the Makefile to include.

# Linked statically, FoundationNetworking asks for -lcurl. An empty archive answers that, and the forwarders of CLibcurl
# are what it finds: libcurl itself is opened when a request is sent, and not before.
EMPTY_CURL = .build/empty-curl
STATIC_FLAGS = --static-swift-stdlib -Xswiftc -L$(EMPTY_CURL) -Xlinker -s

.PHONY: empty-curl sanitize abi compare

empty-curl:
	mkdir -p $(EMPTY_CURL)
	test -f $(EMPTY_CURL)/libcurl.a || ar rcs $(EMPTY_CURL)/libcurl.a

sanitize: ## The loader's tests under the thread and the address sanitizer
	swift test --scratch-path .build/tsan --sanitize=thread -Xswiftc -DTHREAD_SANITIZER --filter ExchangeTests
	ASAN_OPTIONS=detect_leaks=0 swift test --scratch-path .build/asan --sanitize=address --filter ExchangeTests

abi: ## Hold the numbers of CLibcurl against curl's own headers
	Tests/libcurl/compare-abi.sh

compare: ## Measure the library beside curl
	Benchmarks/compare.sh
