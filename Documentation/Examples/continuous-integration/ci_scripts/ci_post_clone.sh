#!/bin/sh
# Xcode Cloud runs this script after it has cloned the repository, in the folder ci_scripts beside the Xcode project.
# If a store doesn't migrate to the rows that were recorded for it, the build fails.
set -e
cd "$CI_PRIMARY_REPOSITORY_PATH"
Tools/outbox-migrate.artifactbundle/bin/outbox-migrate fixture check Fixtures
