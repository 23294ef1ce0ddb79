# make              build the tool
# make demo         run a session: create a store with 1,000 events, migrate it, roll it back
# make test         run the tests, or the suites of FILTER; repeat the failures at the end. Of many similar cases it runs a
#                   sample that differs from run to run
# make test-all     run the tests with all cases
# make check        run the strict format lint, quick checks of workflows and against Apple's headers, then the tests;
#                   every change must pass
# make format       format the Swift sources
# make bench        compare speed with other ways to do the same job; BENCH_ROWS=10000 for a quick run
# make torture      interrupt runs at every system call that changes a file, explore losses of power, and race runs;
#                   takes some hours
# make apple-check  typecheck all targets and tests against Apple's headers, for macOS and iOS; some minutes at first
# make mac-trial    on a Mac: build, test, open a migrated store with SwiftData, and write a report to send in
# make promises     plan and apply 10,000 random pairs of model and store: no apply fails where the plan doesn't,
#                   and every store goes there and back; run 200 random migration files
# make metrics      check the metrics that 'apply --metrics' writes, with promtool
# make model        search all states of the protocol's model (Model) with SPIN, with planted faults and recorded runs
# make fuzz         feed the file readers with libFuzzer's inputs, for FUZZ_SECONDS each
# make sanitize     run the tests that concern memory and threads with the address and thread sanitizers
# make compare      run this build beside another on 300 stores, and list the differences; OLD=path of the other
# make bench-outbox measure events per second into a store, and from it to a server on loopback, beside bare curl and bare SQL
# make load         deliver 100,000 events to a server with faults, by processes that are killed; some minutes
# make filesystems  run the tool on mounted file systems, full, read-only and after losses of power; needs root
# make fleet        migrate stores with GNU parallel and Slurm on loopback, killing half of the runs; needs root
# make docs         make a site of the documents and the libraries' documentation in .build/docs/site, with DocC
# make record       record the command line's transcripts and the JSON Schemas again
# make bundle       embed the files of migrations/, and write checksums of new ones
# make install      install the tool, its man page, completions and JSON Schemas below PREFIX (/usr/local)
# make artifact-bundle  wrap the release programs as a binary target for other packages (Documentation/Plugin.md)
# make deb          make a Debian package of the programs, with a bill of materials, in DEB (.build/packages)
# make tarball      pack a static program with its manual pages as an archive in DEB
# make release VERSION=1.2.3  check the changelog, make all packages with checksums in RELEASE_DIR, tag the commit; DRY_RUN=1: no tag
# make deb-trial    install, use and remove that package in a new Debian system; needs root
# make image-trial  build the container image on a new Debian base, and migrate a store in it; needs root
# make integrations check and try the files for GitHub, GitLab, pre-commit and Homebrew
# make clean        remove build products and the demo's store
#
# Targets that build first install missing Debian packages with apt.

SWIFT = swift
SOURCES = Sources Tests Plugins Package.swift
PREFIX = /usr/local
# Programs link Swift's library statically, so they need no toolchain. Symbols are stripped: they are most of their size. On
# Darwin, Swift's library is part of the system.
RELEASE = -c release $(if $(filter Linux,$(shell uname -s)),--static-swift-stdlib -Xlinker -s)
# A static program needs no library of the system, and starts 3 ms sooner. It is loaded at a random address all the same, which
# the linker gold can't do, and crashes at its start if it has a search path for libraries.
STATIC = -c release -Xswiftc -static-executable -Xswiftc -use-ld=lld -Xswiftc -Xclang-linker -Xswiftc -static-pie -Xlinker -s \
  $(PACKED) --disable-local-rpath --scratch-path .build/static
# Relocations in a hundredth of the space. A static program applies its own, which glibc does from 2.36 on.
PACKED = $(if $(shell getconf GNU_LIBC_VERSION | awk -F '[ .]' '$$2 > 2 || $$3 >= 36'),-Xlinker --pack-dyn-relocs=relr)
# What is installed and measured: static, where the packages of a system have static libraries. 'outbox-deliver' links curl,
# which Debian has as a shared library only.
INSTALLED = $(if $(wildcard /etc/debian_version),$(STATIC),$(RELEASE))
INTO = $(DESTDIR)$(PREFIX)

# A build of all products compiles everything twice, the second time for the plugin.
build: packages parser
	$(SWIFT) build --product outbox-migrate
	$(SWIFT) build --product outbox-deliver

# The Swift parser, where the toolchain has one.
parser: packages
	SWIFT="$(SWIFT)" Scripts/build-parser

demo: build
	@Scripts/demo

# Scripts/test repeats the failures at the end.
TEST = Scripts/test $(SWIFT) test --disable-xctest

test: packages parser
	$(SWIFT) build --product outbox-migratePackageTests
	$(TEST) --skip-build $(if $(FILTER),--filter '$(FILTER)')

test-all: export OUTBOX_MIGRATE_TEST_ALL = 1
test-all: test

# The tests that try more in `make torture`.
LONG = SweepTests|RaceTests|StopTests|HostileTests|StorePagesTests|SwiftWritingTests|MirroringTests|CopiedFileTests
LONG := $(LONG)|DeliverableRowsTests|FileFormatTests|PlanFormatTests|BackendTests|IntegrityTests|CarriedTablesTests|LibraryTests

# Tests, and the programs that they run, are optimised: those that compute much take a fraction of the time.
OPTIMISED = -c release -Xswiftc -enable-testing --scratch-path .build/optimised

torture: packages sanitize
	SWIFT="$(SWIFT)" Scripts/build-parser $(OPTIMISED)
	OUTBOX_MIGRATE_TORTURE=1 $(TEST) $(OPTIMISED) --filter '$(LONG)'
	$(SWIFT) build $(RELEASE) --product outbox-migrate
	$(SWIFT) build $(RELEASE) --product outbox-deliver
	Scripts/power-loss "$$($(SWIFT) build $(RELEASE) --show-bin-path)/outbox-migrate" --self-test
	Scripts/power-loss "$$($(SWIFT) build $(RELEASE) --show-bin-path)/outbox-migrate"

promises: packages
	OUTBOX_MIGRATE_PAIRS=10000 OUTBOX_MIGRATE_PROGRAMS=200 \
	  $(TEST) --filter 'PlanPromiseTests|RandomRoundTripTests|RandomProgramTests'

SANITIZED = JSONTextTests|PropertyListTests|PlatformTests|SQLiteTests|StoreFormatTests|FuzzTests|StrangeValueTests|StrangeSchemaTests|OutboxMigrationTests|RollbackTests

# Leak detection is off: it reports the values that Swift's globals keep until exit.
sanitize: packages
	ASAN_OPTIONS=detect_leaks=0 $(TEST) --sanitize address --scratch-path .build/address --filter '$(SANITIZED)'
	$(TEST) --sanitize thread --scratch-path .build/thread --filter '$(SANITIZED)'

fuzz: packages
	@Scripts/fuzz

bench: packages
	$(MAKE) install DESTDIR= PREFIX="$(CURDIR)/.build/installed"
	Scripts/bench .build/installed/bin/outbox-migrate

compare: packages
	$(SWIFT) build $(INSTALLED) --product outbox-migrate
	Scripts/compare-tools "$(OLD)" "$$($(SWIFT) build $(INSTALLED) --show-bin-path)/outbox-migrate"

filesystems: build
	@Scripts/install-packages xfsprogs:mkfs.xfs btrfs-progs:mkfs.btrfs exfatprogs:mkfs.exfat \
	  exfat-fuse:mount.exfat-fuse ntfs-3g:mount.ntfs-3g dosfstools:mkfs.vfat
	Scripts/filesystem-trial

fleet: build
	Scripts/fleet-trial

check: lint workflow-check apple-check-quick test

workflow-check: packages
	Scripts/workflow-check
	Scripts/workflow-check --self-test

apple-check-quick: packages
	Scripts/apple-check --quick

lint:
	$(SWIFT) format lint --strict --parallel --recursive $(SOURCES)

format:
	$(SWIFT) format --in-place --parallel --recursive $(SOURCES)

# Apple's headers come from a PyPI package. Its download, 101 MB, and all that is made of it are in .build/apple.
apple-check: packages
	Scripts/apple-check
	Scripts/apple-check --self-test

mac-trial:
	@Scripts/mac-trial

metrics: packages
	@Scripts/install-packages prometheus:promtool
	$(TEST) --filter RunMetricsTests

# The recorded runs are of the tool that was built last.
model:
	@Scripts/install-packages spin:spin tcc:tcc
	nice Scripts/model

bench-outbox: packages
	Scripts/bench-outbox

docs: build
	Scripts/docs --self-test
	Scripts/docs --base "$(BASE)"

load: packages
	OUTBOX_MIGRATE_LOAD=100000 $(TEST) $(OPTIMISED) --filter LoadTests

record: packages
	OUTBOX_MIGRATE_RECORD=1 $(SWIFT) test --disable-xctest --filter 'TranscriptTests|PictureTests|FileFormatTests|PlanFormatTests|ReportFormatTests'

bundle:
	Scripts/checksums
	Scripts/bundle

install: packages
	$(SWIFT) build $(INSTALLED) --product outbox-migrate
	$(SWIFT) build $(RELEASE) --product outbox-deliver
	Scripts/program-trial "$$($(SWIFT) build $(INSTALLED) --show-bin-path)/outbox-migrate"
	SWIFT="$(SWIFT)" Scripts/build-parser -c release
	others=$$($(SWIFT) build $(RELEASE) --show-bin-path) && \
	  Scripts/install-tool "$(INTO)" "$$($(SWIFT) build $(INSTALLED) --show-bin-path)/outbox-migrate" \
	  "$$others/outbox-deliver" "$$others/outbox-source"

artifact-bundle: packages
	$(SWIFT) build $(RELEASE) --product outbox-migrate
	$(SWIFT) build $(RELEASE) --product outbox-deliver
	Scripts/program-trial "$$($(SWIFT) build $(RELEASE) --show-bin-path)/outbox-migrate"
	SWIFT="$(SWIFT)" Scripts/build-parser -c release
	Scripts/artifact-bundle "$$($(SWIFT) build $(RELEASE) --show-bin-path)" .build/outbox-migrate.artifactbundle

DEB = .build/packages

deb: packages
	@Scripts/install-packages debhelper:dh lintian:lintian dpkg-dev:dpkg-buildpackage
	$(SWIFT) build $(RELEASE) --product outbox-migrate
	$(SWIFT) build $(RELEASE) --product outbox-deliver
	Scripts/program-trial "$$($(SWIFT) build $(RELEASE) --show-bin-path)/outbox-migrate"
	Scripts/deb "$$($(SWIFT) build $(RELEASE) --show-bin-path)" $(DEB)
	cd "$$($(SWIFT) build $(RELEASE) --show-bin-path)" && "$(CURDIR)/Scripts/sbom" ./outbox-migrate ./outbox-deliver \
	  > "$(abspath $(DEB))/outbox-migrate.cdx.json"

tarball: packages
	$(SWIFT) build $(STATIC) --product outbox-migrate
	Scripts/program-trial .build/static/release/outbox-migrate
	Scripts/tarball .build/static/release $(DEB)

packages-of-release: deb tarball artifact-bundle
	tar --create --directory .build --sort=name --owner=0 --group=0 --numeric-owner \
	  --mtime="@$$(git log -1 --format=%ct)" outbox-migrate.artifactbundle | gzip --no-name > $(DEB)/outbox-migrate.artifactbundle.tar.gz

RELEASE_DIR = .build/release-$(VERSION)

release:
	@Scripts/release "$(VERSION)" "$(RELEASE_DIR)" $(if $(DRY_RUN),--dry-run)

deb-trial: deb
	@Scripts/install-packages debootstrap:debootstrap
	Scripts/deb-trial $(DEB)/outbox-migrate_*.deb

image-trial: deb
	@Scripts/install-packages debootstrap:debootstrap buildah:buildah
	Scripts/image-trial

integrations: packages
	@Scripts/install-packages ruby:ruby
	$(SWIFT) build $(RELEASE) --product outbox-migrate
	$(SWIFT) build $(RELEASE) --product outbox-deliver
	Scripts/integrations "$$($(SWIFT) build $(RELEASE) --show-bin-path)"

clean:
	rm -rf .build demo

packages:
	@Scripts/install-packages

.PHONY: build parser demo test test-all workflow-check apple-check-quick apple-check mac-trial promises bench compare torture sanitize fuzz filesystems fleet check lint format bench-outbox record bundle install artifact-bundle clean packages model deb deb-trial image-trial tarball packages-of-release release integrations docs metrics load
