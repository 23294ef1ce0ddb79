/// What no rule of `StoreFormat.md` covers: named with its place, and kept or refused by §16.
extension StructureCheck {
  /// The warnings about unknown objects, columns and keys.
  var unknownFindings: [Finding] {
    triggerFindings + systemColumnFindings + strayIndexFindings + metadataKeyFindings
  }

  private var triggerFindings: [Finding] {
    store.strangeTriggers.map {
      unknown(.tables, "trigger '\($0.name)' isn't one of a derived attribute", about: $0.name)
    } + store.views.map { unknown(.tables, "view '\($0)' isn't Core Data's", about: $0) }
  }

  private var systemColumnFindings: [Finding] {
    (store.unknownSystemColumns + store.unknownHistoryColumns).map {
      unknown(
        .tables, "table '\($0.table)' has a column '\($0.column)' that no known system writes",
        about: $0.table)
    }
  }

  /// The indexes on columns that no index of the model has, in tables of the model.
  ///
  /// Equal indexes under outdated names are Core Data's own (`StoreFormat.md` §14.4).
  private var strayIndexFindings: [Finding] {
    func key(_ table: String, _ columns: [String]) -> [String] {
      ([table] + columns).map { $0.uppercased() }
    }
    let known = Set(layout.allIndexes.map { key($0.table, $0.columns) })
    let tables = Set(
      (layout.tables.map(\.name) + layout.joinTables.map(\.name)).map { $0.uppercased() })
    return store.indexes.filter {
      $0.sql != nil && tables.contains($0.table.uppercased())
        && !known.contains(key($0.table, $0.columns))
    }
    .map {
      unknown(
        .indexes, "index '\($0.name)' of table '\($0.table)' isn't the model's", about: $0.name)
    }
  }

  private var metadataKeyFindings: [Finding] {
    let keys = store.metadata?.unknownKeys ?? []
    guard let first = keys.first else { return [] }
    let names = keys.map { "'\($0)'" }.joined(separator: ", ")
    return [
      unknown(
        .metadata,
        keys.count == 1
          ? "the metadata has a key \(names) that isn't Core Data's"
          : "the metadata has \(keys.count) keys that aren't Core Data's: \(names)", about: first)
    ]
  }

  private func unknown(_ check: Finding.Check, _ message: String, about name: String) -> Finding {
    Finding(check, "unknown: \(message)", about: [name], severity: .warning)
  }
}

extension StoreDescription {
  /// The columns of Core Data's own tables that no known system writes.
  package var unknownSystemColumns: [(table: String, column: String)] {
    surplus(of: SystemTables.columns)
  }

  /// The columns of history that no known system writes, except those of deleted rows' values.
  var unknownHistoryColumns: [(table: String, column: String)] {
    let shared = ["Z_PK", "Z_ENT", "Z_OPT"]
    return surplus(of: [
      "ACHANGE": shared + [
        "ZCHANGETYPE", "ZENTITY", "ZENTITYPK", "ZTRANSACTIONID", "ZCOLUMNS",
      ],
      "ATRANSACTION": shared + [
        "ZAUTHORTS", "ZBUNDLEIDTS", "ZCONTEXTNAMETS", "ZPROCESSIDTS", "ZTIMESTAMP", "ZAUTHOR",
        "ZBUNDLEID", "ZCONTEXTNAME", "ZPROCESSID", "ZQUERYGEN",
      ],
      "ATRANSACTIONSTRING": shared + ["ZNAME"],
    ])
    .filter { !$0.column.uppercased().hasPrefix("ZTOMBSTONE") }
  }

  private func surplus(of known: [String: [String]]) -> [(table: String, column: String)] {
    tables.flatMap { table in
      guard let columns = known[table.name.uppercased()] else { return [(String, String)]() }
      return table.columns.map(\.name).filter { !columns.contains($0.uppercased()) }
        .map { (table.name, $0) }
    }
  }
}
