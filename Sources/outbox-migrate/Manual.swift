import CommandLineKit

/// The sections of the manual page that no declaration has.
let manual = [
  ManualSection(
    "ENVIRONMENT",
    [
      .init("NO_COLOR", "If it isn't empty, output has no colours, as with --no-color."),
      .init("SQLITE_TMPDIR, TMPDIR", "The folder for temporary files, in this order."),
      .init(
        "https_proxy, all_proxy, no_proxy",
        "The proxies for 'outbox deliver', as curl reads them. Requests to this machine use none."),
    ]),
  ManualSection(
    "FILES",
    [
      .init(
        "default.store, default.store-wal, default.store-shm",
        "A store: its main file and SQLite's files beside it."),
      .init(
        ".default_SUPPORT/_EXTERNAL_DATA/", "Large values of the store, each in a file of its own."),
      .init(
        "default.store.snapshots/",
        "The snapshots: a folder for each run, with the old store and 'receipt.json'."),
      .init(
        "default.store.snapshots/SNAPSHOT/quarantine.jsonl",
        "The rows that 'apply --rows deliverable' kept out of the outbox; may hold passwords."),
      .init(
        "default.store.parked-SNAPSHOT.jsonl",
        "Values that a rollback parked; the next 'apply' restores them."),
      .init(
        "DIR/*.json",
        "Schema and migration files for --migrations DIR."),
    ]),
  ManualSection(
    "EXAMPLES",
    [
      .init("outbox-migrate status default.store", "Show which version a store is at."),
      .init(
        "outbox-migrate plan default.store --out change.plan",
        "Read every row, show what a migration would change, and save the plan."),
      .init(
        "outbox-migrate apply change.plan",
        "Apply exactly that plan, or refuse if the store has changed since."),
      .init(
        "outbox-migrate apply default.store --rows deliverable",
        "Migrate, with outbox rows that the shipped app can send."),
      .init(
        "outbox-migrate verify default.store --receipt",
        "Check the store, and show what was written to it since the migration."),
      .init(
        "outbox-migrate rollback default.store --keep-changes",
        "Restore the old store, and carry over what was written since."),
      .init(
        "outbox-migrate diff one.store other.store --by id",
        "Compare two stores whose rows have different primary keys."),
    ]),
]
