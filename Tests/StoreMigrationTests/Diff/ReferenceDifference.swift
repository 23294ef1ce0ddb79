import SQLite
import StoreFormat
import StoreModel

@testable import StoreMigration
import Migrations
import RowRewriting
import OutboxConversion
import StoreProof

/// One thing that differs, without its values.
struct Told: Hashable {
  let kind: Difference.Kind

  /// The entity or relationship.
  let name: String
  let keys: [Int64]

  /// The changed properties.
  var properties: Set<String> = []
}

/// A store in memory, as dictionaries: slow and obvious.
struct ReferenceStore {
  struct Row: Hashable {
    let entity: String
    let key: Int64
  }

  /// Properties with the values of their columns, by row.
  private(set) var rows: [Row: [String: [Value]]] = [:]

  /// The places of links in orders, by the relationship and both keys.
  private(set) var links: [String: [[Int64]: [Value]]] = [:]

  init(_ path: String) throws {
    let connection = try Connection(path: path, mode: .readOnlyUnshared)
    let store = try StoreDescription(reading: connection)
    guard let model = store.cachedModel else { return }
    let layout = store.layout(of: model)
    for table in layout.tables {
      let names = table.columns.map { quoteIdentifier($0.name) }.joined(separator: ", ")
      for values in try connection.rows("SELECT \(names) FROM \(quoteIdentifier(table.name))") {
        let entity = layout.numbering.name(of: Int(values[1].int64 ?? 0)) ?? table.rootEntity
        rows[Row(entity: entity, key: values[0].int64 ?? 0)] = Self.cells(
          zip(table.columns, values).map { ($0.content, $1) }, of: entity, model)
      }
    }
    for table in layout.joinTables {
      let names = table.columnNames.map(quoteIdentifier).joined(separator: ", ")
      let name = "\(table.first.entity).\(table.first.relationship)"
      links[name] = [:]
      for values in try connection.rows("SELECT \(names) FROM \(quoteIdentifier(table.name))") {
        links[name]?[values.prefix(2).map { $0.int64 ?? 0 }] = Array(values.dropFirst(2))
      }
    }
  }

  private static func cells(
    _ columns: [(Column.Content, Value)], of entity: String, _ model: Model
  ) -> [String: [Value]] {
    var cells: [String: [Value]] = [:]
    for (content, value) in columns {
      switch content {
      case .primaryKey, .entityNumber, .optimisticLock: break
      case .attribute(let owner, let path, _):
        if model.inherits(entity, from: owner) { cells[path.joined(separator: ".")] = [value] }
      case .foreignKey(let owner, let name), .entityKey(let owner, let name),
        .ordering(let owner, let name):
        if model.inherits(entity, from: owner) { cells[name, default: []].append(value) }
      case .inverselessKey(let source, let name), .inverselessOrdering(let source, let name):
        let found = model.relationship(named: name, of: source)?.relationship
        if let found, model.inherits(entity, from: found.destinationName) {
          cells["\(source).\(name)", default: []].append(value)
        }
      }
    }
    // Where there is no other row, its entity and the place in its order mean nothing.
    return cells.mapValues { $0.count > 1 && $0[0].isNull ? [.null] : $0 }
  }
}

extension ReferenceStore {
  /// What differs from another store of the same model.
  func differences(to other: ReferenceStore) -> Set<Told> {
    var told: Set<Told> = []
    for row in Set(rows.keys).union(other.rows.keys) {
      switch (rows[row], other.rows[row]) {
      case (let mine?, let theirs?):
        let changed = mine.keys.filter { name in
          !Self.areSame(mine[name] ?? [], theirs[name] ?? [])
        }
        if !changed.isEmpty {
          told.insert(
            Told(kind: .changed, name: row.entity, keys: [row.key], properties: Set(changed)))
        }
      case (_?, nil): told.insert(Told(kind: .onlyInA, name: row.entity, keys: [row.key]))
      default: told.insert(Told(kind: .onlyInB, name: row.entity, keys: [row.key]))
      }
    }
    for (name, mine) in links {
      let theirs = other.links[name] ?? [:]
      for keys in Set(mine.keys).union(theirs.keys) where mine[keys] != theirs[keys] {
        let kind: Difference.Kind =
          mine[keys] == nil ? .onlyInB : theirs[keys] == nil ? .onlyInA : .changed
        told.insert(Told(kind: kind, name: name, keys: keys))
      }
    }
    return told
  }

  private static func areSame(_ left: [Value], _ right: [Value]) -> Bool {
    left.count == right.count && zip(left, right).allSatisfy(isSame)
  }

  private static func isSame(_ left: Value, _ right: Value) -> Bool {
    func number(_ value: Value) -> Double? { value.double ?? value.int64.map(Double.init) }
    if let left = number(left), let right = number(right) { return left == right }
    return left == right
  }
}

extension Told {
  init(_ difference: Difference) {
    switch difference {
    case .row(let row):
      kind = row.kind
      name = row.entity.name
      keys = [row.key]
      if row.kind == .changed { properties = Set(row.cells.map { $0.name.b ?? "" }) }
    case .link(let link):
      kind = link.kind
      name = link.relationship.name
      keys = [link.key, link.destination]
    }
  }
}

extension StoreMigrator {
  /// The difference of two stores with everything that was told, each once.
  func told(
    _ a: String, _ b: String, by attributes: [String] = []
  ) throws -> (difference: StoreDifference, told: Set<Told>) {
    var all: [Told] = []
    let report = DifferenceReport { all.append(Told($0)) }
    let difference = try difference(between: a, and: b, by: attributes, report: report)
    precondition(Set(all).count == all.count, "something was told twice")
    return (difference, Set(all))
  }
}
