# make              build the tool
# make demo         see it at work: a store with 1,000 events, migrated and taken back
# make test         run all tests; what failed is told again at the end
# make check        what a change must pass: the strict format lint, then the tests
# make format       format the Swift sources
# make bench        time it beside other ways to do its job; BENCH_ROWS=10000 for a quick look
# make torture      cut runs at every system call that changes a file, and race them; an hour or so
# make fuzz         feed the readers of files with bytes that libFuzzer makes up, FUZZ_SECONDS each
# make sanitize     run the tests of what touches memory and threads under both sanitizers
# make compare      run this build beside another on 300 stores, and list what differs: OLD=path of the other
# make bench-outbox events a second from a store to a server on loopback
# make fleet        migrate many stores with GNU parallel and Slurm on loopback, killing half of the runs; needs root
# make record       record the command line's transcripts again
# make bundle       embed the files of migrations/, and write checksums of new ones
# make install      install the tool, its man page and its completions below PREFIX (/usr/local)
# make clean        remove what was built, and the demo's store
#
# What builds installs the Debian packages that are missing first; apt is called only for those.

SWIFT = swift
SOURCES = Sources Tests Package.swift
PREFIX = /usr/local
# The installed tool doesn't need the Swift toolchain, nor the symbols of Swift's library, which are most of its size.
# Darwin's Swift library is part of the system.
RELEASE = -c release $(if $(filter Linux,$(shell uname -s)),--static-swift-stdlib -Xlinker -s)
INTO = $(DESTDIR)$(PREFIX)

build: packages
	$(SWIFT) build

demo: build
	@Scripts/demo

# What failed is told once more at the end.
TEST = Scripts/test $(SWIFT) test --disable-xctest

test: packages
	$(TEST)

torture: packages sanitize
	OUTBOX_MIGRATE_TORTURE=1 $(TEST) --filter 'SweepTests|RaceTests|HostileTests'

SANITIZED = JSONTextTests|PropertyListTests|PlatformTests|SQLiteTests|StoreFormatTests|FuzzTests|StrangeValueTests|StrangeSchemaTests|OutboxMigrationTests|RollbackTests

# What Swift's globals hold to the end looks like leaks.
sanitize: packages
	ASAN_OPTIONS=detect_leaks=0 $(TEST) --sanitize address --scratch-path .build/address --filter '$(SANITIZED)'
	$(TEST) --sanitize thread --scratch-path .build/thread --filter '$(SANITIZED)'

fuzz: packages
	@Scripts/fuzz

bench: packages
	$(SWIFT) build $(RELEASE) --product outbox-migrate
	Scripts/bench "$$($(SWIFT) build $(RELEASE) --show-bin-path)/outbox-migrate"

compare: packages
	$(SWIFT) build $(RELEASE) --product outbox-migrate
	Scripts/compare-tools "$(OLD)" "$$($(SWIFT) build $(RELEASE) --show-bin-path)/outbox-migrate"

fleet: build
	Scripts/fleet-trial

check: lint test

lint:
	$(SWIFT) format lint --strict --parallel --recursive $(SOURCES)

format:
	$(SWIFT) format --in-place --parallel --recursive $(SOURCES)

bench-outbox: packages
	Scripts/bench-outbox

record: packages
	OUTBOX_MIGRATE_RECORD=1 $(SWIFT) test --disable-xctest --filter TranscriptTests

bundle:
	Scripts/checksums
	Scripts/bundle

install: packages
	$(SWIFT) build $(RELEASE) --product outbox-migrate
	$(SWIFT) build $(RELEASE) --product outbox-deliver $$(Scripts/curl-flags)
	Scripts/install-tool "$$($(SWIFT) build $(RELEASE) --show-bin-path)" "$(INTO)"

clean:
	rm -rf .build demo

packages:
	@Scripts/install-packages

.PHONY: build demo test bench compare torture sanitize fuzz fleet check lint format bench-outbox record bundle install clean packages
