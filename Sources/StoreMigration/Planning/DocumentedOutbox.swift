import Migrations
import OutboxFormat
import SQLite
import StoreAccess
import StoreExchange
import StoreFormat
import StoreModel
import StoreProof

/// An outbox with documented rows, in a store that is as the `apply` that wrote them left it.
///
/// The snapshot of that run has the rows that deliverable ones can be made from.
struct DocumentedOutbox {
  /// The snapshot of the store that the rows were made from.
  let snapshot: SnapshotFolder

  /// The receipt of the run.
  let receipt: Receipt

  /// Finds the documented outbox that a request wants to have in deliverable form.
  ///
  /// The result is `nil` if the request wants documented rows or leads to another version, and if
  /// no run is known to have written documented rows.
  ///
  /// - Throws: ``RequestError/documentedRows(_:from:snapshot:)`` if the store was changed since, or if no
  ///   run is known and the app can't process rows of the queue.
  /// - Complexity: O(*n*) in the number of rows of such a store, else O(1).
  init?(
    of inspection: borrowing StoreInspection, _ request: MigrationRequest, _ catalog: Catalog
  ) throws {
    guard request.rows == .deliverable, let model = inspection.store.cachedModel else { return nil }
    let route = try Route(
      from: inspection.startingVersion(for: request), to: request, catalog: catalog)
    try route.check(request.rows)
    guard route.migrations.isEmpty else { return nil }
    let layout = inspection.store.layout(of: model)
    let digest = inspection.store.metadata?.hashes?.digest
    let runs = try SnapshotFolder.done(of: inspection.files).filter { $0.1.digest == digest }
    // Edits, and their rollbacks, leave the version unchanged.
    guard let (snapshot, receipt) = runs.last(where: { $0.1.from != $0.1.to }) else {
      let types = try inspection.reading {
        try QueueCheck(layout)?.unknownTypes(inspection.connection) ?? [:]
      }
      if types.isEmpty { return nil }
      throw RequestError.documentedRows(inspection.typedPath, from: nil, snapshot: nil)
    }
    let details = try RunDetails(of: receipt, snapshot: snapshot.name)
    guard details.request.rows == .documented,
      receipt.kind == .rollback || details.convertsOutbox
    else { return nil }
    let isAsLeft =
      try receipt == runs.last?.1 && receipt.kind == .apply
      && inspection.reading {
        let connection = try Connection(path: "", mode: .temporary, followingLinks: false)
        try connection.keepLittleInMemory()
        let mode = inspection.isShared ? OpenMode.readOnly : .readOnlyUnshared
        try connection.attach(path: inspection.files.path, as: "present", mode: mode)
        try connection.attach(snapshot.mainFile, as: "kept", mode: .immutable)
        return try LeftRows(receipt).areIn(
          inspection.store, layout, schema: "present", oldSchema: "kept", connection)
      }
    guard isAsLeft else {
      throw RequestError.documentedRows(
        inspection.typedPath, from: receipt.from, snapshot: snapshot.name)
    }
    (self.snapshot, self.receipt) = (snapshot, receipt)
  }

  /// The warning that the store is rolled back first.
  var warning: PlanWarning {
    PlanWarning(
      code: "rolled-back-first", rows: 0,
      message: "the outbox has documented rows: 'apply' takes the store back to \(receipt.from), "
        + "and migrates it again with deliverable rows")
  }
}

extension RunDetails {
  /// Whether the run wrote documented rows that could have been deliverable ones.
  var convertsOutbox: Bool {
    request.rows == .documented
      && plan?.conversions.contains { $0.object == "SDOutboxEvent.payload" } == true
  }
}
