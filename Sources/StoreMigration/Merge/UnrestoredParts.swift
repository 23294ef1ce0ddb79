import RowRewriting
import SQLite
import StoreFormat
import StoreProof

/// The part of one table that isn't reproduced, if the migration makes its rows of other rows.
///
/// Migrating the merged store again gives these rows the keys of their owners, and equal ones are
/// one row or several, whatever the app made of them. So a present row is compared with those that
/// its owners link to after migrating again.
struct UnrestoredParts {
  let split: SplitRows
  let table: Table
  let merged: MergedStore

  /// The schema name of the store that is migrated again.
  let again: String

  private var columns: [Column] {
    table.columns.filter {
      $0.content != .optimisticLock && $0.content != .primaryKey && $0.content != .entityNumber
    }
  }

  /// The links of owners that have a row in both stores: the keys in the present store and again.
  private var pairs: String {
    let link = quoteIdentifier(split.link)
    return """
      SELECT DISTINCT p.\(link) AS present, a.\(link) AS again
      FROM \(qualified(split.ownerTable, in: merged.schema)) AS p
      JOIN \(qualified(split.ownerTable, in: again)) AS a ON a.Z_PK = p.Z_PK
      WHERE p.\(link) IS NOT NULL AND a.\(link) IS NOT NULL
      """
  }

  func park(
    _ connection: borrowing Connection, _ parking: inout ParkingFile?,
    _ counts: inout [String: Int64]
  ) throws {
    try parkLinked(connection, &parking, &counts)
    var others = try connection.prepare(
      """
      SELECT p.Z_PK, p.Z_ENT, \(list("p")) FROM \(parts) AS p
      WHERE p.Z_PK NOT IN (SELECT present FROM (\(pairs))) ORDER BY p.Z_PK
      """)
    while try others.step() {
      try parking?.append(whole(others, key: others.int64(at: 0)))
      counts[split.target, default: 0] += 1
    }
  }

  /// Parks the values of rows that owners link to.
  private func parkLinked(
    _ connection: borrowing Connection, _ parking: inout ParkingFile?,
    _ counts: inout [String: Int64]
  ) throws {
    var linked = try connection.prepare(
      """
      SELECT p.Z_PK, a.Z_PK, \(list("p")), \(list("a")) FROM (\(pairs)) AS pair
      JOIN \(parts) AS p ON p.Z_PK = pair.present
      JOIN \(qualified(table.name, in: again)) AS a ON a.Z_PK = pair.again
      ORDER BY a.Z_PK, p.Z_PK
      """)
    var last: Int64?
    while try linked.step() {
      let key = linked.int64(at: 1)
      let values = differences(linked)
      // Of several rows that become one, the others can only be kept as they are.
      let isWhole = key == last
      last = key
      if values.isEmpty { continue }
      try parking?.append(
        isWhole
          ? whole(linked, key: linked.int64(at: 0))
          : ParkedRow(entity: split.target, key: key, isWhole: false, values: values))
      if isWhole { counts[split.target, default: 0] += 1 }
      for value in values where !isWhole {
        counts["\(split.target).\(property(value.column))", default: 0] += 1
      }
    }
  }

  private var parts: String { qualified(table.name, in: merged.schema) }

  private func list(_ alias: String) -> String {
    (columns.map(\.name) + ["Z_OPT"]).map { "\(alias).\(quoteIdentifier($0))" }
      .joined(separator: ", ")
  }

  private func differences(_ row: borrowing Statement) -> [ParkedValue] {
    var values: [ParkedValue] = []
    for (place, column) in columns.enumerated() {
      let (present, again) = (place + 2, place + 3 + columns.count)
      guard row.value(at: present) != row.value(at: again) else { continue }
      values.append(
        ParkedValue(
          column: column.name, value: row.value(at: present),
          standIn: split.carriedColumns.contains(column.name) ? row.value(at: again) : nil))
    }
    return values
  }

  private func whole(_ row: borrowing Statement, key: Int64) -> ParkedRow {
    ParkedRow(
      entity: split.target, key: key, isWhole: true,
      values: (columns.map(\.name) + ["Z_OPT"]).enumerated().map { place, name in
        ParkedValue(column: name, value: row.value(at: place + 2), standIn: nil)
      })
  }

  private func property(_ column: String) -> String {
    columns.first { $0.name == column }?.content.property ?? column
  }
}
