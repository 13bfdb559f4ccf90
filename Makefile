# A thin front for CMake and the scripts; `make help` lists what there is.
BUILD   := build
# TREE=release: the tests of what ./trace has built (./check).
TREE    := dev
DEV     := $(BUILD)/$(TREE)
DTRACE  := $(abspath $(DEV)/src/cli/dtrace)
# fuzz-brief: compiled sooner, for runs of some seconds.
FUZZ    := fuzz
JOBS    := $(shell nproc)
PREFIX  ?= /usr/local
T       ?= parse
SECONDS ?= 60
FUZZERS := parse compile stap record recording btf ctf dwarf lines usdt frames elf go

.PHONY: help release tested dev check check-sources check-root check-recorded check-pictures check-vm check-asan golden bench fuzz fuzzers fuzz-all soak soak-soundness soak-kills soak-mutants format install deb check-deb check-reproducible tarball check-tarball clean

help:
	@echo "release     build/release/src/cli/dtrace, what ./trace runs"
	@echo "tested      its tests besides, what ./check runs; TREE=release for the targets below"
	@echo "dev         the same with warnings as errors and tests"
	@echo "check       build, unit tests, goldens, layers, headers, lengths, docs, format; no root"
	@echo "check-sources  every source compiles alone; the first time takes minutes"
	@echo "check-root  tests that trace this kernel; root"
	@echo "check-recorded  the scripts of check-root, recorded and replayed; root"
	@echo "check-pictures  the page in a real Chromium, which is installed; root"
	@echo "check-vm    tests in guest kernels (QEMU); root; KERNEL=6.1|6.12|newest; BRIEF=1 for less"
	@echo "check-asan  unit tests under AddressSanitizer and UBSan; DIRS=\"types symbol\" for some of src/"
	@echo "golden      rewrite the goldens and show the difference"
	@echo "bench       measure against hand-written BPF C and the peers"
	@echo "fuzz        T=parse|compile|stap|record|recording|btf|ctf|dwarf|lines|usdt|frames|elf|go|diff SECONDS=60"
	@echo "fuzz-all    every fuzzer, SECONDS=60 each"
	@echo "soak        100,000 random programs, 100,000 damaged ELF files and 10 million executions of the"
	@echo "            fuzzers; goes on where it stopped; COUNT= FILES= EXECUTIONS= SECONDS= (0 = until all"
	@echo "            is done); root for the kernel"
	@echo "soak-soundness  the tests of soundness with ten times as much of everything; root"
	@echo "soak-kills  2,000 times kill -9 over all kinds of probes; root"
	@echo "soak-mutants  50,000 damaged scripts, 1,000 random command lines, 103,000 damaged recordings"
	@echo "format      clang-format over the tree"
	@echo "install     the command and the library; PREFIX=/usr/local"
	@echo "deb         Debian's packages of the last commit, in build/deb"
	@echo "tarball     build/dtrace-VERSION-x86_64.tar.gz: runs where it is unpacked, on any distribution"
	@echo "check-tarball  runs it in trees without a C library and with others; root"
	@echo "check-deb   installs, uses and removes them in a minimal Debian; root"
	@echo "check-reproducible  builds them twice, in different surroundings, and compares the bytes"

# CONFIGURE: more of the options of CMake, for a directory that does not exist yet.
$(BUILD)/%/build.ninja:
	@cmake --preset $* $(CONFIGURE) >$(BUILD)-$*.log 2>&1 || { cat $(BUILD)-$*.log; rm -f $(BUILD)-$*.log; exit 1; }
	@rm -f $(BUILD)-$*.log

release: $(BUILD)/release/build.ninja
	@scripts/build-with-progress $(BUILD)/release "building dtrace" dtrace

dev: $(DEV)/build.ninja
	@ninja --quiet -C $(DEV)

tested:
	@cmake --preset tested >$(BUILD)-tested.log 2>&1 || { cat $(BUILD)-tested.log; exit 1; }
	@rm -f $(BUILD)-tested.log
	@scripts/build-with-progress $(BUILD)/release "building the tests" all

check: dev
	@scripts/check-layers
	@scripts/check-headers
	@scripts/check-includes
	@scripts/check-functions
	@scripts/check-hidden
	@scripts/check-names
	@scripts/check-web
	@scripts/check-docs
	@scripts/check-format
	@ctest --test-dir $(DEV) -LE root -j$(JOBS) --output-on-failure --progress -Q -O $(DEV)/ctest.log || { tail -n 60 $(DEV)/ctest.log; exit 1; }
	@scripts/print-skips $(DEV)/ctest.log
	@tests/run golden --dtrace $(DTRACE)

# What make check knows by text only (scripts/check-includes), for all headers of ours, too.
check-sources:
	@scripts/check-headers --sources

check-root: dev
	@ctest --test-dir $(DEV) -L root -j1 --output-on-failure -Q -O $(DEV)/ctest-root.log || { tail -n 60 $(DEV)/ctest-root.log; exit 1; }
	@scripts/print-skips $(DEV)/ctest-root.log
	@tests/run conformance --dtrace $(DTRACE)

# What a person sees of the page, in a real Chromium.
check-pictures: dev
	@scripts/install-deps pictures
	@tests/run conformance --dtrace $(DTRACE) --filter 'conformance/page/*'
	@tests/run conformance --dtrace $(DTRACE) --filter 'conformance/view/*'

check-recorded: dev
	@tests/run conformance --dtrace $(DTRACE) --recorded

# KERNEL="6.12 newest": in these guests only; tests/vm/guest_kernels.py lists all. BRIEF=1: tests/vm/brief.txt.
check-vm: dev
	@scripts/install-deps vm
	@tests/vm/run --dtrace $(DTRACE) $(addprefix --kernel ,$(KERNEL)) $(if $(BRIEF),--brief)

# DIRS="types consumer": the tests of these directories only.
empty :=
check-asan:
	@scripts/install-deps check fuzz
	@cmake --preset $(FUZZ) -DDT_TEST_DIRS="$(subst $(empty) $(empty),;,$(DIRS))" >/dev/null
	@ninja --quiet -C $(BUILD)/fuzz $(if $(DIRS),dt_test,all)
	@ctest --test-dir $(BUILD)/fuzz -LE root -R '^($(subst $(empty) $(empty),|,$(or $(DIRS),.*)))/' \
	  -j$(JOBS) --output-on-failure -Q -O $(BUILD)/fuzz/ctest.log || { tail -n 60 $(BUILD)/fuzz/ctest.log; exit 1; }
	@scripts/print-skips $(BUILD)/fuzz/ctest.log

golden: dev
	@tests/run golden --dtrace $(DTRACE) --update
	@git --no-pager diff --stat -- tests/golden

bench: release
	@scripts/install-deps bench
	@cmake --preset bench >/dev/null
	@ninja --quiet -C $(BUILD)/bench load uprobes getppid paced measure ops multi symbols hand dt_made_static
	@bench/run --dtrace $(BUILD)/release/src/cli/dtrace --build $(BUILD)/bench

# Random scripts run three ways (tests/differential); the others are libFuzzer's.
ifeq ($(T),diff)
fuzz: $(BUILD)/dev/build.ninja
	@ninja --quiet -C $(BUILD)/dev dt_differential
	@$(BUILD)/dev/tests/differential/dt_differential --seconds $(SECONDS)
else
fuzz:
	@scripts/install-deps check fuzz
	@cmake --preset $(FUZZ) >/dev/null
	@ninja --quiet -C $(BUILD)/fuzz fuzz_$(T)
	@scripts/fuzz $(T) $(SECONDS)
endif

fuzzers:
	@scripts/install-deps check fuzz
	@cmake --preset $(FUZZ) >/dev/null
	@ninja --quiet -C $(BUILD)/fuzz $(addprefix fuzz_,$(FUZZERS))

fuzz-all: fuzzers
	@printf '%s\n' $(FUZZERS) | xargs -P $(JOBS) -I{} scripts/fuzz {} $(SECONDS)

# SECONDS is how long this call may take; without it, until all is done.
COUNT      ?= 100000
FILES      ?= 100000
EXECUTIONS ?= 10000000
soak: $(BUILD)/dev/build.ninja fuzzers
	@ninja --quiet -C $(DEV) dt_differential dt_elf_soak
	@tests/soak --differential $(DEV)/tests/differential/dt_differential --elf $(DEV)/tests/elf/dt_elf_soak \
	  --fuzzers $(BUILD)/fuzz/fuzz --count $(COUNT) --files $(FILES) --executions $(EXECUTIONS) --jobs $(JOBS) \
	  --seconds $(if $(filter file,$(origin SECONDS)),0,$(SECONDS)) --state $(BUILD)/soak

# 1,000 kill -9, 10^7 events and more, every failing call; a million random aggregations.
soak-soundness: dev
	@DT_SOAK=50 $(DEV)/src/consumer/dt_consumer_test --gtest_brief=1 --gtest_filter='AggregateRandom.*'
	@rm -f $(BUILD)/fired
	@DT_SOAK=10 DT_FIRED=$(abspath $(BUILD)/fired) tests/run conformance --dtrace $(DTRACE) --filter '*soundness/*' --slow 10
	@awk '{ n += $$1 } END { print n " firings accounted for" }' $(BUILD)/fired

# kill -9 at so many moments: nothing of ours stays, and traced code is what it was.
KILLS      ?= 2000
soak-mutants: dev
	@ninja --quiet -C $(DEV) dt_recording_soak
	@$(DEV)/tests/hostile/dt_recording_soak --count 100000 --seconds 3600 --jobs $(JOBS) --keep $(BUILD)
	@tests/mutants --dtrace $(DTRACE) --jobs $(JOBS)
	@DT_DAMAGED=1000 DT_KILLS=1000 tests/run conformance --dtrace $(DTRACE) --filter '*recording/tst.[de]*' --slow 100

soak-kills: dev
	@DTRACE=$(abspath $(DTRACE)) BUILD=$(abspath $(DEV)) tests/kills.py --count $(KILLS)

format:
	@git ls-files -co --exclude-standard 'src/*.cc' 'src/*.h' 'src/*.c' 'include/*.h' 'examples/*.cc' 'fuzz/*.cc' 'bench/*.cc' 'tests/*.cc' 'tests/*.h' | xargs clang-format -i

install: release
	@ninja --quiet -C $(BUILD)/release libdtrace dt_made_static dt_made_shared
	@cmake --install $(BUILD)/release --prefix $(PREFIX)

tarball: release
	@scripts/make-tarball

check-tarball: tarball
	@tests/package/carried

deb:
	@scripts/make-deb

check-deb: deb
	@tests/package/run

check-reproducible:
	@scripts/check-reproducible

clean:
	@rm -rf $(BUILD)
