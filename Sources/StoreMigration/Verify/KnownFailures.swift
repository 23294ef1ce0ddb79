import SQLite
import StoreFormat
import Migrations
import RowRewriting

/// What a store failed in before a run, so that the run isn't blamed for it.
///
/// A row that the app left without a mandatory value, say, is carried as it is. A failure is told by its
/// check and by what it names, in the names that hold afterwards; how many rows it is about is for the
/// ledger to prove.
struct KnownFailures {
  private struct Key: Hashable {
    let check: Finding.Check
    let names: [String]

    init(_ finding: Finding) {
      check = finding.check
      names = finding.quotedNames
    }

    private init(_ check: Finding.Check, _ names: [String]) {
      self.check = check
      self.names = names
    }

    /// The same failure in all that its names became.
    ///
    /// What is made of a value that isn't there isn't there either.
    func renamed(_ renames: [String: Set<String>]) -> [Key] {
      var lists: [[String]] = [[]]
      for name in names {
        let others = renames[name]?.sorted() ?? [name]
        lists = lists.flatMap { list in others.map { list + [$0] } }
      }
      return lists.map { Key(check, $0) }
    }
  }

  private var keys: Set<Key> = []

  /// Adds what a store fails in, as its file has it: the connection forgets the pages that it has read.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - schema: The name under which it is open.
  ///   - program: What leads from it to the store that is checked; none if it has the same names.
  ///   - files: Its files.
  ///   - connection: The connection.
  /// - Throws: A `SQLiteError` if the store can't be read.
  mutating func add(
    _ store: StoreDescription, schema: String, through program: StoreProgram? = nil,
    files: StoreFiles, _ connection: borrowing Connection
  ) throws {
    // What a read got wrong is no failure of the store: it is read anew.
    connection.forgetPages()
    let renames = program?.propertyNames ?? [:]
    for finding in try StoreCheck(store, files: files, schema: schema).findings(connection)
    where finding.severity == .failure {
      keys.formUnion(Key(finding).renamed(renames))
    }
  }

  func cover(_ finding: Finding) -> Bool { keys.contains(Key(finding)) }
}

extension Finding {
  /// What the message has in quotes.
  fileprivate var quotedNames: [String] {
    let parts = message.split(separator: "'", omittingEmptySubsequences: false)
    return stride(from: 1, to: parts.count - 1, by: 2).map { String(parts[$0]) }
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
