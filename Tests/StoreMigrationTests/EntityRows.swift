import Foundation
import SQLite
import StoreFormat
import StoreModel

@testable import StoreMigration
import Migrations
import RowRewriting
import OutboxConversion
import StoreProof

/// A row as its properties' values by name; a to-one relationship's value is the key it leads to.
typealias EntityRow = [String: Value]

/// All rows of a store by entity and key, read with nothing but the layout's column names.
struct EntityRows: Equatable {
  var rows: [String: [Int64: EntityRow]] = [:]

  init(of path: String) throws {
    let connection = try Connection(path: path, mode: .readOnlyUnshared)
    let store = try StoreDescription(reading: connection)
    guard let model = store.cachedModel else { throw MissingModel() }
    let layout = store.layout(of: model)
    for name in model.entities.map(\.name) { rows[name] = [:] }
    for table in layout.tables {
      var statement = try connection.prepare(
        "SELECT Z_PK, Z_ENT, * FROM \(quoteIdentifier(table.name))")
      let names = statement.columnNames
      while try statement.step() {
        guard let entity = layout.numbering.name(of: Int(statement.int64(at: 1))) else { continue }
        var row: EntityRow = [:]
        for (place, name) in names.enumerated() {
          guard let column = table.columns.first(where: { $0.name == name }),
            let property = column.content.property
          else { continue }
          // A composite of one part is its part.
          row[property.split(separator: ".").first.map(String.init) ?? property] =
            statement.value(at: place)
        }
        rows[entity, default: [:]][statement.int64(at: 0)] = row
      }
    }
  }

  private init() {}

  /// No rows of no entity.
  static var empty: EntityRows { EntityRows() }

  private struct MissingModel: Error {}

  subscript(entity: String) -> [Int64: EntityRow] {
    get { rows[entity] ?? [:] }
    set { rows[entity] = newValue }
  }
}

extension EntityRows {
  /// What is in one and not in the other, as text.
  func differences(from other: EntityRows) -> [String] {
    var differences: [String] = []
    for entity in Set(rows.keys).union(other.rows.keys).sorted() {
      guard let mine = rows[entity], let theirs = other.rows[entity] else {
        differences.append("entity \(entity)")
        continue
      }
      for key in Set(mine.keys).union(theirs.keys).sorted() {
        let (left, right) = (mine[key] ?? [:], theirs[key] ?? [:])
        for name in Set(left.keys).union(right.keys).sorted() where left[name] != right[name] {
          differences.append(
            "\(entity)/\(key).\(name): \(left[name].map { "\($0)" } ?? "-") "
              + "instead of \(right[name].map { "\($0)" } ?? "-")")
        }
      }
    }
    return differences
  }
}
