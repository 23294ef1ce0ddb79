import SQLite
import StoreFormat
import StoreModel

/// Finds which tables of a damaged file can't be read whole.
struct DamagedTables {
  let store: StoreDescription
  let model: Model?

  /// Returns the cause; `nil` if SQLite's integrity check finds nothing.
  ///
  /// - Complexity: Reads the whole file; damaged tables a second time.
  func cause(
    path: String, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Diagnosis.Cause? {
    let findings = try StoreCheck.integrityFindings(connection)
    guard !findings.isEmpty else { return nil }
    var evidence = findings.flatMap(\.lines)
    let entities = Dictionary(
      (model.map { store.layout(of: $0).tables } ?? []).map {
        ($0.name.lowercased(), $0.rootEntity)
      }, uniquingKeysWith: { first, _ in first })
    for table in store.tables where !table.sql.uppercased().hasPrefix("CREATE VIRTUAL") {
      guard let damage = try damage(of: table.name, connection) else { continue }
      let entity = entities[table.name.lowercased()].map { " of '\($0)'" } ?? ""
      let rows = try readableRows(of: table.name, connection)
      evidence.append(
        rows.isWhole
          ? "table '\(table.name)'\(entity): all \(rows.count) rows can be read; \(damage.words)"
          : "table '\(table.name)'\(entity): \(rows.count) rows can be read before the damage")
    }
    return Diagnosis.Cause(
      code: .damagedTable,
      sentence: "a table or an index is damaged: an app that opens the store fails at some rows",
      errors: [.sqliteCorrupt, .cannotOpen], evidence: evidence,
      next: [
        .command(["verify", path]), .command(["snapshot", "list", path]),
        .command(["repair", path, "--dry-run"]),
        .advice("restore a snapshot or a backup if there is one, or save the rows with 'repair'"),
      ])
  }

  /// What SQLite's check finds in a table and its indexes.
  private enum Damage {
    case index
    case pages

    /// What is damaged although all rows can be read.
    var words: String {
      self == .index
        ? "an index is damaged"
        : "pages of the table or its indexes are damaged, and values may be wrong"
    }
  }

  private func damage(
    of table: String, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Damage? {
    do throws(SQLiteError) {
      let lines = try StoreCheck.integrityFindings(connection, table: table).flatMap(\.lines)
      if lines.isEmpty { return nil }
      return lines.allSatisfy(Finding.isAboutIndex) ? .index : .pages
    } catch {
      guard error.isCorrupt else { throw error }
      return .pages
    }
  }

  /// Counts the rows before the first that can't be read, without an index.
  private func readableRows(
    of table: String, _ connection: borrowing Connection
  ) throws(SQLiteError) -> (count: Int64, isWhole: Bool) {
    var count: Int64 = 0
    do throws(SQLiteError) {
      var rows = try connection.prepare(
        "SELECT * FROM \(qualified(table, in: "main")) NOT INDEXED")
      while try rows.step() { count += 1 }
      return (count, true)
    } catch {
      guard error.isCorrupt else { throw error }
      return (count, false)
    }
  }
}
