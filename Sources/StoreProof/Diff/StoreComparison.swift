package import SQLite
import StoreAccess

/// Compares two stores side by side; only counts and one row of each store are in memory.
package struct StoreComparison {
  package let pairing: StorePairing
  package let report: DifferenceReport?

  /// Masks the values in the report.
  let mask: ValueMask

  /// The counts so far.
  package var entities: [EntityDifference]
  package var relationships: [RelationshipDifference]

  package init(_ pairing: StorePairing, report: DifferenceReport?) {
    self.pairing = pairing
    self.report = report
    mask = ValueMask(
      of: [pairing.a.store, pairing.b.store], showsValues: report?.showsValues ?? false)
    entities = pairing.entities.map(EntityDifference.init)
    relationships = pairing.joins.map { RelationshipDifference(name: $0.name) }
  }
}

extension StoreComparison {
  /// Compares all rows and links of the two stores, each once.
  package mutating func compare(
    _ first: borrowing Connection, _ second: borrowing Connection
  ) throws {
    do throws(SQLiteError) {
      try pairing.keys?.prepare(pairing, first, second)
    } catch {
      throw StoreAccessError(error, path: pairing.b.path)
    }
    for pass in pairing.passes { try compare(pass, first, second) }
    for index in pairing.joins.indices { try compareLinks(at: index, first, second) }
  }

  /// Compares the rows of one pass in the order of keys.
  mutating func compare(
    _ pass: TablePass, _ first: borrowing Connection, _ second: borrowing Connection
  ) throws {
    var pairs = RowPairs(
      try StoreRows(pass.a?.query, of: pairing.a.path, first),
      try StoreRows(pass.b.map { pairing.keys?.query($0) ?? $0.query }, of: pairing.b.path, second))
    while let match = try pairs.next() {
      switch match {
      case .onlyInFirst: try countOnly(pairs.first.row, in: .a, pass)
      case .onlyInSecond: try countOnly(pairs.second.row, in: .b, pass)
      case .both: try count(pairs.first.row, pairs.second.row, pass)
      }
    }
  }

  /// Counts a row that only one store has.
  private mutating func countOnly(
    _ row: borrowing Statement, in side: StoreSide, _ pass: TablePass
  ) throws {
    guard let place = pairing.index(of: row, in: side, pass) else { return }
    entities[place].countRowOnly(in: side)
    countUnpaired(row, at: place, in: side)
    guard let report,
      let shape = side == .a ? pairing.entities[place].a : pairing.entities[place].b
    else { return }
    let cells = contents(of: shape, in: row, of: side).map {
      CellDifference($0.label, $0.content, onlyIn: side)
    }
    try report.tell(
      .row(
        RowDifference(
          kind: side == .a ? .onlyInA : .onlyInB, entity: PairedName(shape.entity, onlyIn: side),
          key: pairing.ownKey(at: 0, of: row, in: side), keyInB: nil, cells: cells)))
  }

  /// Counts two rows with the same key, which are one row only if they are of the same entity.
  private mutating func count(
    _ a: borrowing Statement, _ b: borrowing Statement, _ pass: TablePass
  ) throws {
    guard let place = pairing.index(of: a, in: .a, pass),
      place == pairing.index(of: b, in: .b, pass)
    else {
      try countOnly(a, in: .a, pass)
      try countOnly(b, in: .b, pass)
      return
    }
    countUnpaired(a, at: place, in: .a)
    countUnpaired(b, at: place, in: .b)
    let pairs = pairing.entities[place].pairs
    var changed: [Int] = []
    for (index, pair) in pairs.enumerated() where !holdsSame(pair, a, b) { changed.append(index) }
    if changed.isEmpty {
      entities[place].rowsEqual += 1
      return
    }
    entities[place].rowsChanged += 1
    for index in changed { entities[place].properties[index].cellsChanged += 1 }
    if let report { try tell(changed.map { pairs[$0] }, a, b, place, report) }
  }

  private func tell(
    _ pairs: [EntityPairing.Pair], _ a: borrowing Statement, _ b: borrowing Statement,
    _ place: Int, _ report: DifferenceReport
  ) throws {
    let name = pairing.entities[place].name
    var cells: [CellDifference] = []
    for pair in pairs {
      let isSecret = pair.a.isSecret || pair.b.isSecret
      let before = content(of: pair.a, in: a, of: .a, isSecret: isSecret)
      let after = content(of: pair.b, in: b, of: .b, isSecret: isSecret)
      cells.append(CellDifference(name: pair.name, before: before, after: after))
    }
    try report.tell(
      .row(
        RowDifference(
          kind: .changed, entity: name, key: a.int64(at: 0),
          keyInB: pairing.keys == nil ? nil : pairing.ownKey(at: 0, of: b, in: .b), cells: cells)))
  }

  private mutating func countUnpaired(
    _ row: borrowing Statement, at place: Int, in side: StoreSide
  ) {
    for (index, property) in pairing.entities[place].unpaired.enumerated() {
      if let column = property.column(in: side), !row.isNull(at: column) {
        entities[place].countValue(ofUnpaired: index, in: side)
      }
    }
  }
}

extension EntityDifference {
  init(_ pairing: EntityPairing) {
    name = pairing.name
    pairedBy = pairing.key?.name
    properties = pairing.pairs.map { PairedProperty(name: $0.name) }
    unpaired = pairing.unpaired.map { UnpairedProperty(name: $0.name) }
  }
}
