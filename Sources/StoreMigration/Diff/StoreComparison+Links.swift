import SQLite
import StoreFormat
import StoreAccess
import RowRewriting

extension StoreComparison {
  /// Compares the links of a many-to-many relationship in the order of their keys.
  mutating func compareLinks(
    at place: Int, _ first: borrowing StoreInspection, _ second: borrowing StoreInspection
  ) throws {
    let pass = pairing.joins[place]
    var a = try RowCursor.open(pass.a?.query, first.connection, path: first.typedPath)
    var b = try RowCursor.open(pass.b?.query, second.connection, path: second.typedPath)
    while a.hasRow || b.hasRow {
      let (left, right) = (LinkKeys(a), LinkKeys(b))
      if a.hasRow && (!b.hasRow || left < right) {
        relationships[place].linksOnlyInA += 1
        try tell(.onlyInA, left, pass)
        try a.advance()
      } else if b.hasRow && (!a.hasRow || right < left) {
        relationships[place].linksOnlyInB += 1
        try tell(.onlyInB, right, pass)
        try b.advance()
      } else {
        if holdsSamePlace(pass, a.row, b.row) {
          relationships[place].linksEqual += 1
        } else {
          relationships[place].linksChanged += 1
          try tell(.changed, left, pass)
        }
        try a.advance()
        try b.advance()
      }
    }
  }

  private func holdsSamePlace(
    _ pass: JoinPass, _ a: borrowing Statement, _ b: borrowing Statement
  ) -> Bool {
    (!pass.comparesPlace(\.near) || a.holds(at: 2, sameAs: b, at: 2))
      && (!pass.comparesPlace(\.far) || a.holds(at: 3, sameAs: b, at: 3))
  }

  private func tell(_ kind: Difference.Kind, _ keys: LinkKeys, _ pass: JoinPass) throws {
    try report?.tell(
      .link(
        LinkDifference(
          kind: kind, relationship: pass.name, key: keys.near, destination: keys.far)))
  }
}

/// The keys of the two rows that a link connects.
private struct LinkKeys: Comparable {
  var near: Int64 = 0
  var far: Int64 = 0

  init(_ cursor: borrowing RowCursor) {
    guard cursor.hasRow else { return }
    near = cursor.row.int64(at: 0)
    far = cursor.row.int64(at: 1)
  }

  static func < (left: LinkKeys, right: LinkKeys) -> Bool {
    (left.near, left.far) < (right.near, right.far)
  }
}
