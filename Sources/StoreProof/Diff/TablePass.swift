import SQLite
import StoreFormat
import Migrations

/// One pass over a table of each store, or over a table that only one store has.
struct TablePass {
  /// The rows of one store that a pass reads.
  package struct Rows {
    package let table: Table

    /// The numbers of the table's entities, beginning with the root's.
    package let numbers: ClosedRange<Int64>

    /// The condition on the rows; `nil` for all of them.
    package let condition: String?

    /// Returns the number of a row's entity.
    ///
    /// A row whose number names no entity of the table counts as a row of the root, because the
    /// query lacks the columns of entities of other tables.
    package func entityNumber(of row: borrowing Statement) -> Int64 {
      let number = row.int64(at: 1)
      return numbers.contains(number) ? number : numbers.lowerBound
    }

    /// The query in the order of keys; its columns are the table's.
    package var query: String {
      let columns = table.columns.map { quoteIdentifier($0.name) }.joined(separator: ", ")
      let filter = condition.map { " WHERE \($0)" } ?? ""
      return "SELECT \(columns) FROM \(quoteIdentifier(table.name))\(filter) ORDER BY Z_PK"
    }
  }

  package let a: Rows?
  package let b: Rows?

  /// Returns the passes that read each row of both stores once.
  package static func all(
    a: StorePairing.Side, b: StorePairing.Side, _ models: ModelPairing
  ) -> [TablePass] {
    let partnersOfA = roots(of: a, in: b) { models.partner(of: $0, in: .a) }
    let partnersOfB = roots(of: b, in: a) { models.partner(of: $0, in: .b) }
    var passes: [TablePass] = []
    for table in a.layout.tables {
      let partners = partnersOfA[table.rootEntity]?.roots ?? []
      for other in partners.isEmpty ? [nil] : partners.map(Optional.some) {
        passes.append(
          TablePass(
            a: Rows(table, partnersOfA[table.rootEntity], to: other, a),
            b: other.flatMap { other in
              b.layout.table(of: other).map {
                Rows($0, partnersOfB[other], to: table.rootEntity, b)
              }
            }))
      }
    }
    for table in b.layout.tables where partnersOfB[table.rootEntity]?.roots.isEmpty ?? true {
      passes.append(
        TablePass(a: nil, b: Rows(table, partnersOfB[table.rootEntity], to: nil, b)))
    }
    return passes
  }

  /// The roots in the other store of a table's rows, and the table's entities for each root.
  fileprivate struct Destinations {
    var roots: [String] = []
    var entities: [String: [String]] = [:]
  }

  private static func roots(
    of side: StorePairing.Side, in other: StorePairing.Side, partner: (String) -> String?
  ) -> [String: Destinations] {
    var all: [String: Destinations] = [:]
    for root in side.layout.numbering.roots {
      var destinations = Destinations()
      for entity in side.layout.numbering.tree(of: root) {
        guard let partner = partner(entity).flatMap(other.layout.numbering.root(of:)) else {
          continue
        }
        if destinations.entities[partner] == nil { destinations.roots.append(partner) }
        destinations.entities[partner, default: []].append(entity)
      }
      all[root] = destinations
    }
    return all
  }
}

extension TablePass.Rows {
  /// Selects the rows for one of several roots; rows without a partner are read with the first.
  fileprivate init(
    _ table: Table, _ destinations: TablePass.Destinations?, to other: String?,
    _ side: StorePairing.Side
  ) {
    self.table = table
    let numbering = side.layout.numbering
    let root = Int64(numbering.number(of: table.rootEntity) ?? 0)
    // Numbers are assigned depth first: a root's descendants follow the root.
    numbers = root...(root + Int64(max(numbering.tree(of: table.rootEntity).count, 1)) - 1)
    func list(_ roots: some Sequence<String>) -> String {
      roots.flatMap { destinations?.entities[$0] ?? [] }
        .compactMap(side.layout.numbering.number(of:)).map(String.init).joined(separator: ", ")
    }
    let roots = destinations?.roots ?? []
    guard roots.count > 1, let other else {
      condition = nil
      return
    }
    // The unary plus keeps SQLite from using an index on `Z_ENT`: the rows must be read in key
    // order.
    condition =
      other == roots.first
      ? "Z_ENT IS NULL OR +Z_ENT NOT IN (\(list(roots.dropFirst())))"
      : "+Z_ENT IN (\(list([other])))"
  }
}
