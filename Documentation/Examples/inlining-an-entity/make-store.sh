#!/bin/sh
# Makes people.store at V1, with the rows of rows.sql: sh make-store.sh
set -eu
outbox-migrate fixture create People V1 people.store --migrations migrations > /dev/null
# The -wal file stays, as on Apple's systems.
sqlite3 people.store ".dbconfig no_ckpt_on_close on" ".read rows.sql" > /dev/null
