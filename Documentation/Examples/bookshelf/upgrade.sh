#!/bin/sh
# Upgrades Bookshelf's stores to V2, once: sh upgrade.sh STORE…
set -eu
export NO_COLOR=1
migrations="$(dirname "$0")/upgrade"
for store in "$@"; do
  outbox-migrate plan "$store" --migrations "$migrations"
  outbox-migrate apply "$store" --migrations "$migrations"
  outbox-migrate verify "$store" --migrations "$migrations"
done
