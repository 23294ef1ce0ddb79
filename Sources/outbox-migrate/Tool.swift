import CommandLineKit
import StoreMigration
package import Migrations

/// The declaration that parsing, help, completions and the man page are made from.
let tool = Tool<Terminal>(
  name: "outbox-migrate", version: toolVersion,
  abstract: "Migrate SwiftData and Core Data stores offline, and take it back.",
  discussion: """
    Recognises which version of its app's schema a store is at, shows what a migration would \
    change in the data, applies it, proves that nothing was lost, and rolls it back.

      outbox-migrate status default.store
      outbox-migrate plan default.store
      outbox-migrate apply default.store
      outbox-migrate rollback default.store

    Only 'apply', 'rollback', 'quarantine restore', 'import' and 'outbox retry', 'cleanup', \
    'reset' and 'deliver' write to a store, and 'snapshot prune' removes its snapshots; every \
    other command leaves each byte as it was.
    """,
  globals: GlobalOptions.parameters,
  commands: [
    .command(StatusCommand.self),
    .command(PlanCommand.self),
    .command(ShowCommand.self),
    .command(ExplainCommand.self),
    .command(ApplyCommand.self),
    .command(VerifyCommand.self),
    .command(RollbackCommand.self),
    .command(LintCommand.self),
    .command(DiffCommand.self),
    .group(
      "snapshot", abstract: "List what a store can go back to, and remove what is old.",
      [.command(SnapshotListCommand.self), .command(SnapshotPruneCommand.self)]),
    .group(
      "quarantine", abstract: "See what was kept out of an outbox, and put it back.",
      [.command(QuarantineListCommand.self), .command(QuarantineRestoreCommand.self)]),
    .group(
      "outbox", abstract: "Look at the events that an app has to send, repair and deliver them.",
      [
        .command(OutboxStatsCommand.self),
        .command(OutboxListCommand.self),
        .command(OutboxOrphansCommand.self),
        .command(OutboxVerifyCommand.self),
        .command(OutboxRetryCommand.self),
        .command(OutboxCleanupCommand.self),
        .command(OutboxResetCommand.self),
        .command(OutboxDeliverCommand.self),
      ]),
    .group(
      "import", abstract: "Move what an app kept elsewhere into its store.",
      [.command(ImportTemplatesCommand.self)]),
    .group(
      "schema", abstract: "Look at versions, and capture those of other apps.",
      [
        .command(SchemaListCommand.self),
        .command(SchemaShowCommand.self),
        .command(SchemaCaptureCommand.self),
        .command(SchemaDiffCommand.self),
        .command(SchemaInferCommand.self),
      ]),
    .group(
      "fixture", abstract: "Create stores to try things on, and check them.",
      [.command(FixtureCreateCommand.self), .command(FixtureCheckCommand.self)]),
    .command(CompletionsCommand.self),
    .command(ManPageCommand.self),
  ],
  exitStatuses: StoreMigration.ExitStatus.allCases.map {
    CommandLineKit.ExitStatus($0.rawValue, $0.meaning)
  })
