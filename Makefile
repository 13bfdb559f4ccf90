# A thin front for CMake and the scripts; `make help` lists what there is.
BUILD   := build
DEV     := $(BUILD)/dev
DTRACE  := $(abspath $(DEV)/src/cli/dtrace)
JOBS    := $(shell nproc)
PREFIX  ?= /usr/local
T       ?= parse
SECONDS ?= 60

.PHONY: help release dev check check-root check-vm check-asan golden bench fuzz format install clean

help:
	@echo "release     build/release/src/cli/dtrace, what ./trace runs"
	@echo "dev         the same with warnings as errors and tests"
	@echo "check       build, unit tests, goldens, layers, headers, docs, format; no root"
	@echo "check-root  tests that trace this kernel; root"
	@echo "check-vm    tests in guest kernels (QEMU); root"
	@echo "check-asan  unit tests under AddressSanitizer and UBSan"
	@echo "golden      rewrite the goldens and show the difference"
	@echo "bench       measure against hand-written BPF C and the peers"
	@echo "fuzz        T=parse|record|btf|dwarf|diff SECONDS=60"
	@echo "format      clang-format over the tree"
	@echo "install     PREFIX=/usr/local"

$(BUILD)/%/build.ninja:
	@cmake --preset $* >$(BUILD)-$*.log 2>&1 || { cat $(BUILD)-$*.log; rm -f $(BUILD)-$*.log; exit 1; }
	@rm -f $(BUILD)-$*.log

release: $(BUILD)/release/build.ninja
	@ninja --quiet -C $(BUILD)/release dtrace

dev: $(BUILD)/dev/build.ninja
	@ninja --quiet -C $(DEV)

check: dev
	@scripts/check-layers
	@scripts/check-headers
	@scripts/check-docs
	@scripts/check-format
	@ctest --test-dir $(DEV) -LE root -j$(JOBS) --output-on-failure --progress -Q -O $(DEV)/ctest.log || { tail -n 60 $(DEV)/ctest.log; exit 1; }
	@tail -n 3 $(DEV)/ctest.log
	@tests/run golden --dtrace $(DTRACE)

check-root: dev
	@ctest --test-dir $(DEV) -L root -j1 --output-on-failure -Q -O $(DEV)/ctest-root.log || { tail -n 60 $(DEV)/ctest-root.log; exit 1; }
	@scripts/print-skips $(DEV)/ctest-root.log
	@tests/run conformance --dtrace $(DTRACE)

check-vm: dev
	@scripts/install-deps vm
	@tests/vm/run --dtrace $(DTRACE)

# DIRS="types consumer": the tests of these directories only.
empty :=
check-asan: $(BUILD)/asan/build.ninja
	@ninja --quiet -C $(BUILD)/asan $(foreach dir,$(DIRS),dt_$(dir)_test)
	@ctest --test-dir $(BUILD)/asan -LE root -R '^($(subst $(empty) $(empty),|,$(or $(DIRS),.*)))/' \
	  -j$(JOBS) --output-on-failure -Q -O $(BUILD)/asan/ctest.log || { tail -n 60 $(BUILD)/asan/ctest.log; exit 1; }
	@grep 'tests passed' $(BUILD)/asan/ctest.log

golden: dev
	@tests/run golden --dtrace $(DTRACE) --update
	@git --no-pager diff --stat -- tests/golden

bench: release
	@scripts/install-deps bench
	@cmake --preset bench >/dev/null
	@ninja --quiet -C $(BUILD)/bench load getppid paced measure hand
	@bench/run --dtrace $(BUILD)/release/src/cli/dtrace --build $(BUILD)/bench

# Random scripts run three ways (tests/differential); the others are libFuzzer's.
ifeq ($(T),diff)
fuzz: $(BUILD)/dev/build.ninja
	@ninja --quiet -C $(BUILD)/dev dt_differential
	@$(BUILD)/dev/tests/differential/dt_differential --seconds $(SECONDS)
else
fuzz:
	@scripts/install-deps fuzz
	@cmake --preset fuzz >/dev/null
	@ninja --quiet -C $(BUILD)/fuzz fuzz_$(T)
	@mkdir -p $(BUILD)/fuzz/corpus/$(T)
	@$(BUILD)/fuzz/fuzz/fuzz_$(T) -max_total_time=$(SECONDS) -timeout=10 -rss_limit_mb=2048 \
	  $(BUILD)/fuzz/corpus/$(T) fuzz/corpus/$(T)
endif

format:
	@git ls-files 'src/*.cc' 'src/*.h' 'fuzz/*.cc' 'bench/*.cc' 'tests/*.cc' 'tests/*.h' | xargs clang-format -i

install: release
	@cmake --install $(BUILD)/release --prefix $(PREFIX)

clean:
	@rm -rf $(BUILD)
