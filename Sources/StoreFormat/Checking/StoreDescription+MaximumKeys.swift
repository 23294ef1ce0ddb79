import SQLite
import StoreModel

extension StoreDescription {
  /// Finds a key above `Z_MAX` in a table of Core Data's own.
  ///
  /// Core Data would assign the key again, and the app couldn't save. A table or a key that is
  /// missing is no finding.
  func maximumFindings(
    _ check: Finding.Check, _ entity: String, _ row: EntityNumber, in tableName: String,
    schema: String, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [Finding] {
    guard let table = table(named: tableName), table.hasColumn("Z_PK"),
      let highest = try connection.value(
        "SELECT max(Z_PK) FROM \(qualified(table.name, in: schema))")?.int64,
      row.maximumKey < highest
    else { return [] }
    return [
      Finding(
        check, "Z_MAX of '\(entity)' is \(row.maximumKey), below its highest key \(highest)",
        about: [entity])
    ]
  }
}
