package import SQLite

extension StoreComparison {
  /// Compares the links of a many-to-many relationship in the order of their keys.
  package mutating func compareLinks(
    at place: Int, _ first: borrowing Connection, _ second: borrowing Connection
  ) throws {
    let pass = pairing.joins[place]
    var pairs = RowPairs(
      try StoreRows(pass.a?.query, by: .link, of: pairing.a.path, first),
      try StoreRows(
        pass.b.map { pairing.keys?.query($0) ?? $0.query }, by: .link, of: pairing.b.path, second))
    while let match = try pairs.next() {
      guard let keys = pairs.key else { continue }
      switch match {
      case .onlyInFirst:
        relationships[place].linksOnlyInA += 1
        try tell(.onlyInA, keys, pass)
      case .onlyInSecond:
        relationships[place].linksOnlyInB += 1
        try tell(.onlyInB, pairing.keys == nil ? keys : ownKeys(of: pairs.second.row), pass)
      case .both:
        if holdsSamePlace(pass, pairs.first.row, pairs.second.row) {
          relationships[place].linksEqual += 1
        } else {
          relationships[place].linksChanged += 1
          try tell(.changed, keys, pass)
        }
      }
    }
  }

  private func holdsSamePlace(
    _ pass: JoinPass, _ a: borrowing Statement, _ b: borrowing Statement
  ) -> Bool {
    (!pass.comparesPlace(\.near) || a.holds(at: 2, sameAs: b, at: 2, by: .identical))
      && (!pass.comparesPlace(\.far) || a.holds(at: 3, sameAs: b, at: 3, by: .identical))
  }

  /// Returns the keys of a link as the second store has them.
  private func ownKeys(of row: borrowing Statement) -> RowKey {
    RowKey(row.int64(at: 4), row.int64(at: 5))
  }

  private func tell(_ kind: Difference.Kind, _ keys: RowKey, _ pass: JoinPass) throws {
    try report?.tell(
      .link(
        LinkDifference(
          kind: kind, relationship: pass.name, key: keys.first, destination: keys.second)))
  }
}
