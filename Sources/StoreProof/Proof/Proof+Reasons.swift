import OutboxFormat
package import SQLite
package import StoreFormat
import StoreModel
import Migrations
import RowRewriting
import OutboxConversion

extension Proof {
  /// Returns every reason why a new store can't replace the old one; both are attached.
  ///
  /// The checks are those of ``prove(_:header:against:helper:typed:)``, on one connection and
  /// without hashes. The ledger is left out for a deliverable outbox without ``setAside``.
  ///
  /// - Parameters:
  ///   - new: The schema of the new store.
  ///   - old: The schema of the old store.
  ///   - connection: The connection.
  /// - Returns: The reasons; an empty array for a store that can replace the old one.
  /// - Throws: An error of SQLite if a store can't be read.
  package func reasons(
    in new: String, from old: String, _ connection: borrowing Connection
  ) throws -> [Finding] {
    let store = try StoreDescription(reading: connection, schema: new)
    let failures = try StoreCheck(store, files: files, schema: new).findings(connection)
      .filter { $0.severity == .failure }
    let ledger =
      program.delivery != nil && setAside == nil
      ? []
      : try Ledger(
        program: program, store: source, sourceSchema: old, targetSchema: { _ in new },
        setAside: setAside
      ).result(connection).findings
    // What the hashes read must be readable, too.
    for (layout, store, schema) in [
      (program.sourceLayout, source, old), (program.targetLayout, store, new),
    ] {
      _ = try ContentHash(layout: layout, store: store, schema: schema).value(connection)
    }
    return try reasons(failures, of: store, ledger, in: new, from: old, connection)
  }

  /// Returns every reason why the new store can't replace the old one.
  func reasons(
    _ failures: [Finding], of store: StoreDescription, _ ledger: [Finding], in new: String,
    from old: String, _ connection: borrowing Connection
  ) throws -> [Finding] {
    var findings = try newOnes(among: failures, old, connection)
    if store.metadata?.hashes != target.hashes {
      findings.append(Finding(.hashes, "the hashes don't match \(target.name)"))
    }
    findings += ledger
    // If the source has `entityID`, the app itself wrote the rows. They are copied, whatever the
    // app does with them.
    if let (rows, _) = program.delivery, !rows.sourceProperties.contains("entityID"),
      let check = QueueCheck(program.targetLayout, schema: new)
    {
      findings += try check.forecast(connection).failures
    }
    return findings
  }

  /// Returns the failures of the new store that the old store doesn't have.
  ///
  /// For example, a row that the app left without a mandatory value is copied as it is.
  private func newOnes(
    among failures: [Finding], _ old: String, _ connection: borrowing Connection
  ) throws -> [Finding] {
    if failures.isEmpty { return [] }
    var known = KnownFailures(explaining: failures)
    try known.add(source, schema: old, through: program, files: files, connection)
    return failures.filter { !known.cover($0) }
  }
}
