package import SQLite

/// All rows of a table, each as its columns' values by name, in the order of keys.
package func rows(of table: String, in path: String) throws -> [[String: Value]] {
  let connection = try Connection(path: path, mode: .readOnlyUnshared)
  var statement = try connection.prepare("SELECT * FROM \(table) ORDER BY 1")
  let names = statement.columnNames
  var rows: [[String: Value]] = []
  while try statement.step() {
    var row: [String: Value] = [:]
    for (place, name) in names.enumerated() { row[name] = statement.value(at: place) }
    rows.append(row)
  }
  return rows
}
