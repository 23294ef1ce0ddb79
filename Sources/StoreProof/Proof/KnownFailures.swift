package import SQLite
package import StoreFormat
import Migrations
package import RowRewriting

/// The failures of a store before a run, which the run isn't blamed for.
///
/// The app may have left a row without a mandatory value: the row is carried as it is. A failure is
/// the same afterwards if it has the same check and the same names, in the target's names. How many
/// rows it is about doesn't count: the ledger proves the rows. Damage that SQLite finds has no such names:
/// it is the same only if SQLite reports it in the same words.
package struct KnownFailures {
  private struct Key: Hashable {
    let check: Finding.Check
    let names: [String]

    /// SQLite's words for damage to the file; `nil` for other failures.
    var damage: String?

    static func keys(of finding: Finding) -> [Key] {
      guard finding.check == .integrity else {
        return [Key(check: finding.check, names: finding.names)]
      }
      return finding.damages.map { Key(check: finding.check, names: [], damage: $0) }
    }

    /// The same failure under every name that its names became.
    ///
    /// A value made of a missing value is missing too.
    func renamed(_ renames: [String: Set<String>]) -> [Key] {
      var lists: [[String]] = [[]]
      for name in names {
        let others = renames[name]?.sorted() ?? [name]
        lists = lists.flatMap { list in others.map { list + [$0] } }
      }
      return lists.map { Key(check: check, names: $0, damage: damage) }
    }
  }

  /// The most integrity findings that are read of the old store.
  ///
  /// More than a report of the new store has: the edit of a damaged store may move damage up among
  /// the first findings, which isn't new for that.
  private static let limit = 10_000

  private var keys: Set<Key> = []

  /// Adds the failures of a store, from its file: the connection forgets the pages it has read.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - schema: The name under which it is open.
  ///   - program: The program from it to the store that is checked; `nil` if names are the same.
  ///   - files: Its files.
  ///   - connection: The connection.
  /// - Throws: A `SQLiteError` if the store can't be read.
  package mutating func add(
    _ store: StoreDescription, schema: String, through program: StoreProgram? = nil,
    files: StoreFiles, _ connection: borrowing Connection
  ) throws {
    // A wrong read isn't a failure of the store: it is read once more.
    connection.forgetPages()
    let renames = program?.propertyNames ?? [:]
    let check = StoreCheck(store, files: files, schema: schema)
    for finding in try check.findings(connection, limit: Self.limit)
    where finding.severity == .failure {
      keys.formUnion(Key.keys(of: finding).flatMap { $0.renamed(renames) })
    }
  }

  package init() {}

  /// Returns whether the store failed in the same before.
  package func cover(_ finding: Finding) -> Bool { keys.isSuperset(of: Key.keys(of: finding)) }
}

extension Finding {
  /// What an integrity finding reports, in SQLite's words, each kind of damage separately.
  ///
  /// SQLite puts everything about the pages of a file into one message, a line each, below the name under
  /// which the file is attached, which doesn't count. Numbers of pages do: damaged pages are the same only in a
  /// copy of the file. Numbers of rows don't: SQLite counts them along the table, so they change when
  /// an earlier row goes.
  fileprivate var damages: [String] {
    let lines = message.split(separator: "\n").filter { !$0.contains("*** in database ") }
    return (lines.isEmpty ? [message[...]] : lines).map { line in
      var words = line.split(separator: " ")
      for place in words.indices.dropFirst()
      where words[place - 1] == "row" && words[place].allSatisfy(\.isNumber) {
        words[place] = "N"
      }
      return words.joined(separator: " ")
    }
  }
}

extension StoreProgram {
  /// The target's names of each entity and property that is carried or made into others.
  ///
  /// They have the form `Entity` or `Entity.property`.
  fileprivate var propertyNames: [String: Set<String>] {
    var names: [String: Set<String>] = [:]
    for (old, new) in entityNumbers {
      if let source = sourceLayout.numbering.name(of: Int(old)),
        let target = targetLayout.numbering.name(of: Int(new))
      {
        names[source] = [target]
      }
    }
    for rows in rewrites {
      let source = sourceLayout.tables.first { $0.name == rows.sourceTable }
      for (column, cell) in zip(rows.table.columns, rows.cells) {
        guard let new = column.content.path else { continue }
        for place in rows.columns(of: cell) {
          guard case .named(let name) = rows.sourceColumns[place],
            let old = source?.columns.first(where: { $0.name == name })?.content.path
          else { continue }
          names[old, default: []].insert(new)
        }
      }
    }
    return names
  }
}

extension Column.Content {
  /// The property that a column is of, as findings name it.
  fileprivate var path: String? {
    switch self {
    case .attribute(let entity, let path, _): "\(entity).\(path.joined(separator: "."))"
    case .foreignKey(let entity, let relationship), .entityKey(let entity, let relationship),
      .ordering(let entity, let relationship):
      "\(entity).\(relationship)"
    case .primaryKey, .entityNumber, .optimisticLock, .inverselessKey: nil
    }
  }
}
