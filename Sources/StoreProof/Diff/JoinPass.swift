import StoreModel
import RowRewriting
import SQLite
import StoreFormat

/// One pass over the join tables of a many-to-many relationship.
struct JoinPass {
  /// The links of one store.
  package struct Links {
    /// The side whose relationship gives the links their name.
    package let near: JoinTable.Side

    /// The other side.
    package let far: JoinTable.Side

    package let table: String

    /// The query for the keys of both sides and, for ordered sides, the positions.
    package var query: String {
      let columns = [near.keyColumn, far.keyColumn].map(quoteIdentifier)
      let places = [near.orderingColumn, far.orderingColumn].map {
        $0.map(quoteIdentifier) ?? "NULL"
      }
      let list = (columns + places).joined(separator: ", ")
      return "SELECT \(list) FROM \(quoteIdentifier(table)) ORDER BY 1, 2"
    }

    /// The relationship's name in reports.
    package var name: String { "\(near.entity).\(near.relationship)" }
  }

  package let a: Links?
  package let b: Links?

  package var name: PairedName { PairedName(a: a?.name, b: b?.name) }

  /// Returns whether both stores have an order on the same side.
  func comparesPlace(_ side: KeyPath<Links, JoinTable.Side>) -> Bool {
    a?[keyPath: side].orderingColumn != nil && b?[keyPath: side].orderingColumn != nil
  }

  /// Returns the passes over all join tables of both stores, ordered by name.
  package static func all(
    a: StorePairing.Side, b: StorePairing.Side, _ models: ModelPairing
  ) -> [JoinPass] {
    let isBackward = models.way?.isBackward ?? false
    let (source, target) = isBackward ? (b, a) : (a, b)
    var rest = source.layout.joinTables
    var pairs: [(source: Links?, target: Links)] = []
    for table in target.layout.joinTables {
      let origin = models.origin(of: table.first.relationship, declaredBy: table.first.entity)
      let found = rest.firstIndex { $0.first.matches(origin) || $0.second.matches(origin) }
      let links = found.map { place -> Links in
        let match = rest.remove(at: place)
        return Links(match, isFlipped: !match.first.matches(origin))
      }
      pairs.append((links, Links(table, isFlipped: false)))
    }
    let passes =
      pairs.map { isBackward ? JoinPass(a: $1, b: $0) : JoinPass(a: $0, b: $1) }
      + rest.map { Links($0, isFlipped: false) }
      .map { isBackward ? JoinPass(a: nil, b: $0) : JoinPass(a: $0, b: nil) }
    return passes.sorted { $0.name.name.precedes($1.name.name) }
  }
}

extension JoinPass.Links {
  fileprivate init(_ table: JoinTable, isFlipped: Bool) {
    self.table = table.name
    near = isFlipped ? table.second : table.first
    far = isFlipped ? table.first : table.second
  }
}
