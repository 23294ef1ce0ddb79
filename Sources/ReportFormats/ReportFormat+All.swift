extension ReportFormat {
  /// The formats of all commands, and of the lines that some print instead.
  package static let all: [ReportFormat] = [
    status, diagnose, repair, row, plan, show, explain, apply, applyLines, verify, rollback,
    snapshotList,
    snapshotPrune, quarantineList, quarantineRestore, diff, diffLines, lint, schemaList,
    schemaShow, schemaCapture, schemaDiff, schemaInfer, schemaSwift, importTemplates,
    fixtureCreate, fixtureAnonymise, fixtureCheck, outboxStats, outboxList, outboxOrphans,
    outboxVerify, outboxRetry, outboxCleanup, outboxReset, outboxDeliver, outboxSyncTest, describe,
    progress,
  ]
}
