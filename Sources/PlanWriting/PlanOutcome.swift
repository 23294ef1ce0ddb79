package import MigrationMonitoring
import SafeText
import StoreModel
package import JSONText
package import StoreMigration

/// The report of `plan` and `show`.
package struct PlanOutcome {
  /// The store's path, as typed, or its name in a saved plan.
  let path: String

  /// The size of the store's main file; `nil` for a saved plan.
  let bytes: Int64?

  let plan: Plan

  /// The options that create the same plan again, quoted for a shell.
  let options: [String]

  /// The steps whose losses are accepted.
  let accepted: [String]

  /// The file that contains the plan, or `nil`.
  let file: SavedPlan?

  /// The output format.
  let format: PlanFormat

  /// The statements that make the new store; empty unless the format is SQL.
  let statements: [String]

  /// A Boolean value indicating whether pending changes have their own exit status.
  let reportsChanges: Bool

  /// The time that `apply` is expected to take; `nil` without a rate.
  let expected: ExpectedTime?

  /// A Boolean value indicating whether the user asked for the expected time.
  let tellsTime: Bool

  /// A saved plan.
  package struct SavedPlan: Hashable {
    /// The path, as typed.
    let path: String

    /// The tool that created it.
    let tool: String

    /// The store's path; `nil` if the store is beside the file.
    let store: String?

    /// A Boolean value indicating whether this run created it.
    let isNew: Bool

    package init(path: String, tool: String, store: String?, isNew: Bool) {
      self.path = path
      self.tool = tool
      self.store = store
      self.isNew = isNew
    }
  }

  package init(
    path: String, bytes: Int64?, plan: Plan, options: [String], accepted: [String],
    file: SavedPlan?, format: PlanFormat, statements: [String] = [], reportsChanges: Bool,
    expected: ExpectedTime? = nil, tellsTime: Bool = false
  ) {
    self.path = path
    self.bytes = bytes
    self.plan = plan
    self.options = options
    self.accepted = accepted
    self.file = file
    self.format = format
    self.statements = statements
    self.reportsChanges = reportsChanges
    self.expected = expected
    self.tellsTime = tellsTime
  }

  /// The status that `apply` would have; that of reading a saved plan is 0.
  package var exitStatus: ExitStatus {
    if let file, !file.isNew { return .done }
    if let blocker = plan.blockers.first { return blocker.exitStatus }
    return reportsChanges && plan.hasChanges ? .changesPending : .done
  }

  /// The members of its JSON object, without `format_version`.
  package var members: [JSONValue.Member] {
    let plan = plan.members.flatMap { member -> [JSONValue.Member] in
      switch member.key {
      case "to": [member, .init("changes", .bool(self.plan.hasChanges))]
      case "warnings": [.init("blockers", JSONValue(self.plan.blockers) { $0.json }), member]
      default: [member]
      }
    }
    return [.init("store", .string(path))] + plan + [
      .init("reversible", .bool(self.plan.isReversible)),
      .init("summary", .string(self.plan.summary)),
      .init("accepted_losses", JSONValue(accepted) { .string($0) }),
      .init("file", JSONValue(file?.path)),
    ] + (tellsTime ? [.init("expected_ms", JSONValue(expected.map { Int($0.milliseconds) }))] : [])
  }
}

extension Plan {
  /// The plan in one line: what it writes, what is lost, whether it is reversible.
  var summary: String {
    guard hasChanges else { return "No changes: the store is already at \(to.printable)." }
    return "Plan: \(rowsWritten.counted("row")) to write, \(lostRows.counted("row")) and "
      + "\(lostValues.counted("value")) to lose\(keptOutWords). "
      + "Reversible: \(reversibility). "
      + "Needs \(neededBytes.byteSize) of disk space."
  }

  /// Returns the losses that aren't accepted.
  func openLosses(accepted: [String]) -> [PlannedLoss] {
    accepted.contains("all") ? [] : losses.filter { !accepted.contains($0.step) }
  }
}

extension PlannedConversion {
  /// The number of values, or of rows if the object is an entity, with the noun.
  var countedRows: String { rows.counted(object.contains(".") ? "value" : "row") }

  /// A row of a table: attribute, new name, values, results.
  var cells: [Cell] {
    // `SDOutboxEvent.payload -> metadata` reads better than with the entity twice.
    let entity = object.prefix { $0 != "." } + "."
    let name = target.hasPrefix(entity) ? String(target.dropFirst(entity.count)) : target
    return [
      Cell(object), Cell("-> " + name), Cell(countedRows),
      Cell(
        classes.filter { $0.count > 0 }.map { "\($0.count.grouped) \($0.name)" }
          .joined(separator: " · ")),
    ]
  }
}
