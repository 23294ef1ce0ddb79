import Platform
package import SQLite
package import StoreFormat

/// The rows that a run left in a store.
///
/// The receipt has the hash of the tables that the run wrote. The other tables had the rows that they
/// have in the snapshot.
package struct LeftRows: Sendable {
  private let receipt: Receipt

  package init(_ receipt: Receipt) { self.receipt = receipt }

  /// The digests of tables that were read already, by table name.
  package typealias Digests = (old: [String: [UInt8]], new: [String: [UInt8]])

  /// Returns whether a store has exactly these rows.
  ///
  /// - Parameters:
  ///   - store: The description of the store, which has the version that the run left.
  ///   - layout: The layout of the store's tables.
  ///   - schema: The schema under which the store is open.
  ///   - oldSchema: The schema under which the snapshot is open.
  ///   - connection: The connection.
  ///   - digests: The digests of tables of the snapshot and of the store.
  ///   - equal: The tables that are known to have the snapshot's rows.
  /// - Returns: `false` if a row was written since.
  /// - Throws: An error of SQLite if the store or the snapshot can't be read.
  /// - Complexity: O(*n*) in the number of rows of the store and of the snapshot, in constant memory.
  package func areIn(
    _ store: StoreDescription, _ layout: StoreLayout, schema: String, oldSchema: String,
    _ connection: borrowing Connection, knowing digests: Digests = ([:], [:]),
    equal: Set<String> = []
  ) throws -> Bool {
    let content = ContentHash(
      .init(of: receipt.contentHash), layout: layout, store: store, schema: schema,
      leavingOut: Set(receipt.carried))
    guard try content.value(connection, knowing: digests.new) == receipt.contentHash else {
      return false
    }
    if receipt.carried.isEmpty { return true }
    let old = try StoreDescription(reading: connection, schema: oldSchema)
    let oldContent = ContentHash(layout: layout, store: old, schema: oldSchema)
    return try receipt.carried.allSatisfy { table in
      if equal.contains(table) { return true }
      guard let columns = store.table(named: table)?.columns,
        columns == old.table(named: table)?.columns,
        let present = try digests.new[table] ?? content.digest(of: table, connection)
      else { return false }
      return try present == digests.old[table] ?? oldContent.digest(of: table, connection)
    }
  }
}
