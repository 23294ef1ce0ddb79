import SQLite
import StoreModel

extension StoreDescription {
  /// Finds a wrong `Z_MAX` of a table of Core Data's own.
  ///
  /// Core Data would assign a key again, or none, and the app couldn't save. A table or a key that is
  /// missing is no finding.
  func maximumFindings(
    _ check: Finding.Check, _ entity: String, _ row: EntityNumber, in tableName: String,
    schema: String, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [Finding] {
    guard let table = table(named: tableName), table.hasColumn("Z_PK"),
      let highest = try connection.value(
        "SELECT max(Z_PK) FROM \(qualified(table.name, in: schema))")?.int64,
      let problem = row.problem(of: entity, highestKey: highest)
    else { return [] }
    return [Finding(check, problem, about: [entity])]
  }
}

extension StoreDescription.EntityNumber {
  /// Whether no new row can get a key of its own by `Z_MAX`, if the highest key in the table is another.
  ///
  /// `Z_MAX` is then below that key, or the highest integer, which no key can follow.
  package func isWrong(forHighestKey highest: Int64) -> Bool {
    maximumKey < highest || maximumKey == .max && highest < .max
  }

  /// Returns what is wrong with `Z_MAX`, or `nil` if nothing is.
  func problem(of entity: String, highestKey highest: Int64) -> String? {
    guard isWrong(forHighestKey: highest) else { return nil }
    return maximumKey < highest
      ? "Z_MAX of '\(entity)' is \(maximumKey), below its highest key \(highest)"
      : "Z_MAX of '\(entity)' is \(maximumKey), so no key can follow its highest key \(highest)"
  }
}
