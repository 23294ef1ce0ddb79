/// A problem found in a store, or a notice about it.
package struct Finding: Hashable, Sendable {
  /// The check that made the finding; raw values are its name in reports.
  package enum Check: String, CaseIterable, Hashable, Sendable {
    case integrity
    case metadata
    case hashes
    case modelCache = "model-cache"
    case entityNumbers = "entity-numbers"
    case tables
    case indexes
    case rowEntities = "row-entities"
    case maximumKeys = "maximum-keys"
    case mandatoryValues = "mandatory-values"
    case links
    case externalData = "external-data"
    case history
    case cloudKit = "cloudkit"
    case snapshot
    case ledger
    case receipt
  }

  /// The severity of a finding.
  package enum Severity: String, Hashable, Sendable {
    /// The app can't open the store, or would read wrong data.
    case failure

    /// The store works.
    case warning
  }

  /// The check that made the finding.
  package let check: Check

  /// The severity.
  package let severity: Severity

  /// The expected and the actual state, without values of rows.
  package let message: String

  /// The entities, properties, tables and columns that the finding is about.
  ///
  /// Properties have the form `Entity.property`.
  package let names: [String]

  package init(
    _ check: Check, _ message: String, about names: [String] = [], severity: Severity = .failure
  ) {
    self.check = check
    self.severity = severity
    self.message = message
    self.names = names
  }
}

extension Finding {
  /// The message in lines that can be printed.
  ///
  /// SQLite reports several damages of a file in one message, a line for each, under a heading with
  /// the name of the schema, which is left out.
  package var lines: [String] {
    let prefix = "SQLite: "
    guard check == .integrity, message.hasPrefix(prefix) else { return [message] }
    let lines = message.dropFirst(prefix.count).split(separator: "\n")
    let damages = lines.filter { !$0.hasPrefix("*** in database ") }
    return (damages.isEmpty ? lines : damages).map { prefix + $0 }
  }
}

extension Finding {
  /// Returns whether a line of SQLite's integrity check says that a table and its index differ.
  ///
  /// Most other lines are about pages, of tables and of indexes.
  package static func isAboutIndex(_ line: String) -> Bool {
    [
      "missing from index ", "entries in index ", "entry in index ", "differ from index ",
      " of index ",
    ].contains { line.contains($0) }
  }
}

extension Finding: CustomStringConvertible {
  package var description: String { message }
}
