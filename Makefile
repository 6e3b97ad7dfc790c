# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 The Ringbell authors
#
# This file only calls Meson and scripts: meson.build says what is built, and how.

BUILD ?= build
# more for "meson setup", for example MESON_ARGS=--buildtype=debug
MESON_ARGS ?=
# more for "meson test", for example TEST_ARGS="--suite model"
TEST_ARGS ?=
# yes: library and programs alone, with few packages and few words (doc/ci.md)
LEAN ?= no
# no: run the tests with the packages that are there
TEST_PACKAGES ?= yes

# rows and programs of tests/multi/layouts.py, such as LAYOUTS="--rows 'r1*'"
LAYOUTS ?=
# such as FAULTS="--minutes 60 --kinds 'kill*'"
FAULTS ?= --rounds 200
# words of rows of tests/containers/rows.py, such as CONTAINERS="cgroup"
CONTAINERS ?=

.PHONY: all build setup guest-modules demo check check-all check-layouts check-containers check-asan check-tsan fuzz-calls faults check-deb check-ci coverage check-distros check-arm64 bench-peers figures install clean distclean help

all: build

help:
	@echo "make demo        set up, build, run the programs on emulated rings, print the tables"
	@echo "make check       set up with what tests need, build, run the tests: some 9 minutes on two CPUs"
	@echo "                 (TEST_ARGS=\"--suite model\": some; TEST_PACKAGES=no: install nothing for them)"
	@echo "make check-all   all tests: the rest has more layouts, models, guests and random programs"
	@echo "make             set up and build into $(BUILD)/"
	@echo "make setup       install the Debian packages needed, fetch the driver headers of DPDK"
	@echo "make guest-modules  compile what Debian's kernel lacks for some tests in guests: drivers of NTBs"
	@echo "make check-layouts  programs on every layout, for hours (LAYOUTS=\"--rows 'r1*'\": some)"
	@echo "make check-containers  jobs in made-up containers, all rows, as root and as a user (as root)"
	@echo "make check-asan  the tests under AddressSanitizer and UBSan, in $(BUILD)-asan/"
	@echo "make check-deb   build packages for Debian 12 and 13, try them in clean ones (as root)"
	@echo "make check-distros  \"make demo\" and \"make check\" on bare Debians 12, 13, testing (as root;"
	@echo "                 DISTRO_ARGS=\"-t '--suite unit' trixie\": some of it)"
	@echo "make coverage    lines and branches that the tests run, by room (TEST_ARGS as for make check)"
	@echo "make check-ci    the three lines of doc/ci.md in a bare Debian 12, confined as Docker does (as root)"
	@echo "make check-arm64 cross build, tests under QEMU's user mode (as root)"
	@echo "make check-tsan  the tests under ThreadSanitizer, in $(BUILD)-tsan/"
	@echo "make fuzz-calls  random programs on all layouts, MINUTES=60 long; log in $(BUILD)/fuzz-calls.log"
	@echo "make faults      a random fault in each of 100 random programs (FAULTS=\"--rounds 2000\": more)"
	@echo "make lesson-1    check your program of lesson 1 of the course (doc/course/), and so on to lesson-10"
	@echo "make bench-peers compare with Open MPI's OpenSHMEM: the same programs, row by row"
	@echo "make figures     measure and draw what the papers showed, in $(BUILD)/figures/"
	@echo "make install     install below /usr/local (MESON_ARGS=--prefix=DIR, DESTDIR=DIR; LEAN=yes: little)"
	@echo "make clean       remove what was compiled; make distclean: remove $(BUILD)/ whole"

ifeq ($(LEAN),yes)
SETUP_ARGS := --lean
override MESON_ARGS += -Dtests=false -Dman=disabled
QUIET := --quiet
endif

given_headers = $(filter -Ddriver_headers=%,$(MESON_ARGS))
setup:
	@tools/setup.sh $(SETUP_ARGS) $(if $(given_headers),--no-headers) $(BUILD)

check check-all guest-modules: SETUP_ARGS = $(if $(filter yes,$(TEST_PACKAGES)),--tests)

guest-modules: setup
	@tools/guest_modules.sh $(BUILD)

# --reconfigure would drop nothing and cost seconds: ninja does it by itself where needed
build: setup
	@test -f $(BUILD)/build.ninja || meson setup $(BUILD) \
		-Ddriver_headers=$(abspath $(BUILD))/driver-headers $(MESON_ARGS)
	@test ! -f $(BUILD)/renew || meson setup --reconfigure $(BUILD)
	@rm -f $(BUILD)/renew
	@ninja $(QUIET) -C $(BUILD)

demo: build
	@tools/demo.py $(BUILD)

# without the modules some tests in guests are skipped, in words; suite all: tests of check-all alone
check check-all: build
	@$(if $(filter yes,$(TEST_PACKAGES)),tools/guest_modules.sh $(BUILD) || echo "no NTB drivers for guests")
	@tools/check.sh $(BUILD) $@ $(if $(filter check,$@),--no-suite all) $(TEST_ARGS)

check-layouts: build
	@tests/multi/layouts.py $(BUILD) $(LAYOUTS)

check-containers: build
	@tests/containers/test_containers.py $(addprefix $(BUILD)/,apps/oshrun shmem/libshmem.so \
		tests/containers/confined tests/containers/cable) --all $(CONTAINERS)

faults: build
	@tests/faults/faults.py $(BUILD) $(FAULTS)

bench-peers: build
	@bench/peers.py $(BUILD)

# the learner's program is in lessons/, which git ignores
lesson-%: build
	@examples/course/lesson.py $(BUILD) $*

figures: build
	@bench/figures.py $(BUILD)
	@bench/simulate.py $(BUILD)

check-asan:
	@$(MAKE) check-all BUILD=$(BUILD)-asan \
		MESON_ARGS="-Db_sanitize=address,undefined $(MESON_ARGS)"

# counts of threads are atomic, or branches that were taken seem not to be
coverage:
	@$(MAKE) build BUILD=$(BUILD)-coverage \
		MESON_ARGS="-Db_coverage=true '-Dc_args=-fprofile-update=atomic -include $(CURDIR)/tools/coverage.h' $(MESON_ARGS)"
	@tools/coverage.sh $(BUILD)-coverage --no-suite all $(TEST_ARGS)

check-deb:
	@tools/check_deb.sh $(DEB_ARGS)

check-ci:
	@tools/check_ci.sh $(CI_ARGS)

check-distros:
	@tools/check_distros.sh $(DISTRO_ARGS)

check-arm64:
	@tools/check_arm64.sh $(TEST_ARGS)

check-tsan:
	@$(MAKE) check-all BUILD=$(BUILD)-tsan MESON_ARGS="-Db_sanitize=thread $(MESON_ARGS)"

install: build
	@meson install $(QUIET) -C $(BUILD) --no-rebuild

clean:
	@test ! -f $(BUILD)/build.ninja || ninja -C $(BUILD) clean

distclean:
	rm -rf $(BUILD) $(BUILD)-asan $(BUILD)-tsan $(BUILD)-coverage
