import SQLite
import StoreFormat

extension StoreComparison {
  /// Returns whether two cells are equal: attributes by content, links by the linked row.
  func holdsSame(
    _ pair: EntityPairing.Pair, _ a: borrowing Statement, _ b: borrowing Statement
  ) -> Bool {
    switch (pair.a.content, pair.b.content) {
    case (.attribute(let left, _), .attribute(let right, _)):
      a.holds(at: left, sameAs: b, at: right, by: .content)
    case (.link(let left), .link(let right)): leadsToSame(left, right, a, b)
    default: false
    }
  }

  /// Returns whether two links have the same key, entity and position.
  private func leadsToSame(
    _ left: RowShape.Link, _ right: RowShape.Link, _ a: borrowing Statement,
    _ b: borrowing Statement
  ) -> Bool {
    guard a.holds(at: left.keyColumn, sameAs: b, at: right.keyColumn, by: .identical) else {
      return false
    }
    if a.isNull(at: left.keyColumn) { return true }
    let (from, to) = (left.entityNumber(in: a), right.entityNumber(in: b))
    let place = pairing.index(ofEntity: from, in: .a)
    // Numbers that name no entity are compared as numbers.
    guard place == pairing.index(ofEntity: to, in: .b), place != nil || from == to else {
      return false
    }
    guard let order = left.placeColumn, let otherOrder = right.placeColumn else { return true }
    return a.holds(at: order, sameAs: b, at: otherOrder, by: .identical)
  }

  /// Returns the contents of a row's properties that have a value, with their labels.
  func contents(
    of shape: RowShape, in row: borrowing Statement, of side: StoreSide
  ) -> [(label: String, content: CellDifference.Content)] {
    shape.properties.filter { !row.isNull(at: $0.column) }.map { property in
      (
        property.label,
        content(of: property, in: row, of: side, isSecret: property.isSecret)
      )
    }
  }

  /// Returns the content of a cell, with its value masked.
  func content(
    of property: RowShape.Property, in row: borrowing Statement, of side: StoreSide,
    isSecret: Bool
  ) -> CellDifference.Content {
    switch property.content {
    case .attribute(let column, let type):
      return .value(mask.fingerprint(of: row.value(at: column), isSecret: isSecret, type: type))
    case .link(let link):
      if row.isNull(at: link.keyColumn) { return .value(.null) }
      let number = Int(clamping: link.entityNumber(in: row))
      return .link(
        entity: pairing[side].layout.numbering.name(of: number) ?? "",
        key: pairing.ownKey(at: link.keyColumn, of: row, in: side))
    }
  }
}

extension RowShape.Link {
  /// Returns the number of the linked row's entity.
  fileprivate func entityNumber(in row: borrowing Statement) -> Int64 {
    guard let entityColumn, !row.isNull(at: entityColumn) else { return destination }
    return row.int64(at: entityColumn)
  }
}
