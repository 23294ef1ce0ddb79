package import SQLite
package import StoreFormat
package import RowRewriting

/// The failures that a store had before a run, which don't count against the run.
///
/// For example, the app may have left a row without a mandatory value; the row is copied as it is.
/// A failure of the new store is a known one if the check and the names are the same, with names
/// translated to the target's. The number of rows doesn't matter, because the ledger proves the
/// rows. Damage that SQLite finds has no names: it is known only if SQLite reports it in the same
/// words.
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

    /// Returns the same failure under every combination of the target's names.
    ///
    /// A value that is computed from a missing value is missing too.
    func renamed(_ renames: [String: Set<String>]) -> [Key] {
      var lists: [[String]] = [[]]
      for name in names {
        let others = renames[name]?.sorted() ?? [name]
        lists = lists.flatMap { list in others.map { list + [$0] } }
      }
      return lists.map { Key(check: check, names: $0, damage: damage) }
    }
  }

  /// The maximum number of integrity findings that are read from the old store.
  ///
  /// It exceeds that of a report on the new store. The edit of a damaged store may move damage up
  /// among the first findings, which doesn't make it new.
  private static let limit = 10_000

  private var keys: Set<Key> = []

  /// Whether SQLite's integrity check is among the checks whose failures matter.
  private let includesIntegrity: Bool

  /// Adds the failures of a store, read again from its file instead of from cached pages.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - schema: The schema under which it is open.
  ///   - program: The program from this store to the checked one; `nil` if names are the same.
  ///   - files: The files of the store.
  ///   - connection: The connection.
  /// - Throws: A `SQLiteError` if the store can't be read.
  package mutating func add(
    _ store: StoreDescription, schema: String, through program: StoreProgram? = nil,
    files: StoreFiles, _ connection: borrowing Connection
  ) throws {
    // A page that was read wrongly isn't a failure of the store, so pages are read once more.
    connection.forgetPages()
    let renames = program?.propertyNames ?? [:]
    let check = StoreCheck(store, files: files, schema: schema)
    // SQLite reads the whole file, which takes as long as the rest of the proof.
    let damage =
      includesIntegrity
      ? try StoreCheck.integrityFindings(connection, schema: schema, limit: Self.limit) : []
    let findings = try StoreCheck.findings(damage, content: check.contentFindings(connection))
    for finding in findings where finding.severity == .failure {
      keys.formUnion(Key.keys(of: finding).flatMap { $0.renamed(renames) })
    }
  }

  /// Creates an empty collection.
  ///
  /// - Parameter failures: The failures of a new store, which older ones may explain.
  package init(explaining failures: [Finding]) {
    includesIntegrity = failures.contains { $0.check == .integrity }
  }

  /// Returns whether the store had the same failure before.
  package func cover(_ finding: Finding) -> Bool { keys.isSuperset(of: Key.keys(of: finding)) }
}

extension Finding {
  /// SQLite's words in an integrity finding, separately for each kind of damage.
  ///
  /// SQLite reports on the pages of a file in one message, a line for each damage, under a heading
  /// with the schema of the file. The heading is ignored. Page numbers matter: only a copy of the
  /// file has the same damaged pages. Row numbers don't: SQLite counts rows along the table, so the
  /// numbers change if an earlier row is removed.
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
  /// The target's names for each entity and property of the source that is copied or converted.
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
  /// The property that a column belongs to, as findings name it.
  fileprivate var path: String? {
    switch self {
    case .attribute(let entity, let path, _): "\(entity).\(path.joined(separator: "."))"
    case .foreignKey(let entity, let relationship), .entityKey(let entity, let relationship),
      .ordering(let entity, let relationship):
      "\(entity).\(relationship)"
    case .primaryKey, .entityNumber, .optimisticLock, .inverselessKey, .inverselessOrdering: nil
    }
  }
}
