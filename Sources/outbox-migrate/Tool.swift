import CommandLineKit
import InputFiles
import StoreMigration
import Migrations
import TerminalOutput

/// The declaration of the tool: parsing, help, completions and the man page read it.
let tool = Tool<Terminal>(
  name: "outbox-migrate", version: toolVersion,
  abstract: "Migrate SwiftData and Core Data stores offline, and roll them back.",
  discussion: """
    Recognises the schema version of a store, shows what a migration would change, migrates the \
    store, verifies that no value was lost, and rolls it back.

      outbox-migrate status default.store
      outbox-migrate plan default.store
      outbox-migrate apply default.store
      outbox-migrate rollback default.store

    These commands write to a store: 'apply', 'rollback', 'repair', 'quarantine restore', 'import', and \
    'outbox retry', 'cleanup', 'reset', 'deliver' and 'sync-test'. 'snapshot prune' removes snapshots. All \
    other commands only read.
    """,
  globals: GlobalOptions.parameters,
  commands: [
    .command(StatusCommand.self),
    .command(PlanCommand.self),
    .command(ShowCommand.self),
    .command(RowCommand.self),
    .command(ExplainCommand.self),
    .command(ApplyCommand.self),
    .command(VerifyCommand.self),
    .command(RollbackCommand.self),
    .command(LintCommand.self),
    .command(DiagnoseCommand.self),
    .command(RepairCommand.self),
    .command(DiffCommand.self),
    .group(
      "snapshot", abstract: "List and remove the snapshots of a store.",
      [.command(SnapshotListCommand.self), .command(SnapshotPruneCommand.self)]),
    .group(
      "quarantine", abstract: "List and restore the rows that 'apply' kept out of an outbox.",
      discussion: """
        'apply --rows deliverable' writes only rows that the app can send. It keeps the others in \
        a file beside the snapshot: the quarantine.
        """,
      [.command(QuarantineListCommand.self), .command(QuarantineRestoreCommand.self)]),
    .group(
      "outbox", abstract: "Inspect, repair and deliver the events of an app's outbox.",
      discussion: """
        An outbox is an app's queue of changes that it hasn't uploaded yet. Each row is an event, \
        and most events are about another row: their entity.
        """,
      [
        .command(OutboxStatsCommand.self),
        .command(OutboxListCommand.self),
        .command(OutboxOrphansCommand.self),
        .command(OutboxVerifyCommand.self),
        .command(OutboxRetryCommand.self),
        .command(OutboxCleanupCommand.self),
        .command(OutboxResetCommand.self),
        .command(OutboxDeliverCommand.self),
        .command(OutboxSyncTestCommand.self),
      ]),
    .group(
      "import", abstract: "Import data that an app kept outside its store.",
      [.command(ImportTemplatesCommand.self)]),
    .group(
      "schema", abstract: "Inspect schema versions, and capture them from stores.",
      [
        .command(SchemaListCommand.self),
        .command(SchemaShowCommand.self),
        .command(SchemaCaptureCommand.self),
        .command(SchemaDiffCommand.self),
        .command(SchemaInferCommand.self),
        .command(SchemaSwiftCommand.self),
      ]),
    .group(
      "fixture", abstract: "Create test stores, and check migrations against expected rows.",
      [
        .command(FixtureCreateCommand.self),
        .command(FixtureAnonymiseCommand.self),
        .command(FixtureCheckCommand.self),
      ]),
    .command(CompletionsCommand.self),
    .command(CompleteCommand.self),
    .command(DescribeCommand.self),
    .command(ManPageCommand.self),
  ],
  exitStatuses: ExitStatus.allCases.map { DocumentedExitStatus($0.rawValue, $0.meaning) },
  manual: manual)
