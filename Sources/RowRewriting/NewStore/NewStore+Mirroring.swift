package import StoreFormat
import SQLite

extension NewStore {
  /// Returns the statement that copies a table of mirroring, with the target's entity numbers.
  ///
  /// Rows about entities that the target doesn't have aren't copied. Rows get their numbers as they
  /// are inserted: an update would break the unique index where two entities exchange theirs.
  func renumberedCopy(
    of table: StoreDescription.TableDescription, rowID: [String]
  ) -> SQLStatement {
    let columns = rowID + table.columns.map { quoteIdentifier($0.name) }
    let values = columns.map {
      $0.uppercased() == quoteIdentifier(MirroringTables.entityColumn)
        ? program.entityNumbers.target(of: $0) : $0
    }
    let dropped = program.droppedEntities.sorted().map(String.init).joined(separator: ", ")
    let filter = dropped.isEmpty ? "" : " WHERE ZENTITYID IS NULL OR ZENTITYID NOT IN (\(dropped))"
    return SQLStatement(
      """
      INSERT INTO \(qualified(table.name, in: schema)) (\(columns.joined(separator: ", ")))
      SELECT \(values.joined(separator: ", ")) FROM \(qualified(table.name, in: source))\(filter)
      """)
  }
}

extension StoreDescription {
  /// Returns the tables of mirroring whose rows a program changes.
  package func renumberedTables(by program: StoreProgram) -> [TableDescription] {
    program.keepsEntityNumbers
      ? []
      : unmodeledTables(in: program.sourceLayout).filter { $0.mirroredEntityPlace != nil }
  }
}

extension StoreProgram {
  /// Whether every entity of the source is in the target, with the same number.
  fileprivate var keepsEntityNumbers: Bool {
    droppedEntities.isEmpty && entityNumbers.allSatisfy { $0 == $1 }
  }
}
