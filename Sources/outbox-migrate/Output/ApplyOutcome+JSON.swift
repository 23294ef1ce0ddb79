import MigrationMonitoring
import OutboxConversion
import StoreMigration
import JSONText

extension ApplyOutcome {
  var members: [JSONValue.Member] {
    [
      .init("store", .string(report.path)),
      .init("app", .string(report.app)),
      .init("from", .string(report.from)),
      .init("to", .string(report.to)),
      .init("changes", .bool(report.hasChanges)),
      .init("snapshot", JSONValue(report.snapshot)),
      .init("verified", .bool(report.isVerified)),
      .init("rows_written", .int(report.rowsWritten)),
      .init("duration_ms", .int(report.durationMilliseconds)),
      .init("conversions", JSONValue(report.conversions) { $0.json }),
      .init("losses", JSONValue(report.losses) { $0.json }),
      .init("values", .int(valueCount)),
      .init("ledger", JSONValue(report.ledger) { $0.json }),
      .init("delivery", report.delivery?.json ?? .null),
      .init("warnings", JSONValue(report.warnings) { $0.json }),
      .init("notes", JSONValue(report.notes) { .string($0) }),
    ] + (tellsTime ? [.init("expected_ms", JSONValue(expected.map { Int($0.milliseconds) }))] : [])
  }
}
