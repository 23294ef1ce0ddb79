package import SQLite

/// Compares two stores side by side; only counts and one row of each store are in memory.
package struct StoreComparison {
  package let pairing: StorePairing
  package let report: DifferenceReport?

  /// The counts so far.
  package var entities: [EntityDifference]
  package var relationships: [RelationshipDifference]

  package init(_ pairing: StorePairing, report: DifferenceReport?) {
    self.pairing = pairing
    self.report = report
    entities = pairing.entities.map(EntityDifference.init)
    relationships = pairing.joins.map { RelationshipDifference(name: $0.name) }
  }
}

extension StoreComparison {
  /// Compares all rows and links of the two stores, each once.
  package mutating func compare(
    _ first: borrowing Connection, _ second: borrowing Connection
  ) throws {
    for pass in pairing.passes { try compare(pass, first, second) }
    for index in pairing.joins.indices { try compareLinks(at: index, first, second) }
  }

  /// Compares the rows of one pass in the order of keys.
  mutating func compare(
    _ pass: TablePass, _ first: borrowing Connection, _ second: borrowing Connection
  ) throws {
    var pairs = RowPairs(
      try StoreRows(pass.a?.query, of: pairing.a.path, first),
      try StoreRows(pass.b?.query, of: pairing.b.path, second))
    while let match = try pairs.next() {
      switch match {
      case .onlyInFirst: try countA(pairs.first.row, pass)
      case .onlyInSecond: try countB(pairs.second.row, pass)
      case .both: try count(pairs.first.row, pairs.second.row, pass)
      }
    }
  }

  private func placeOfA(_ row: borrowing Statement, _ pass: TablePass) -> Int? {
    pass.a.flatMap { pairing.placesOfA[$0.entityNumber(of: row)] }
  }

  private func placeOfB(_ row: borrowing Statement, _ pass: TablePass) -> Int? {
    pass.b.flatMap { pairing.placesOfB[$0.entityNumber(of: row)] }
  }

  private mutating func countA(_ row: borrowing Statement, _ pass: TablePass) throws {
    guard let place = placeOfA(row, pass) else { return }
    entities[place].rowsOnlyInA += 1
    countUnpairedA(row, place)
    guard let report, let shape = pairing.entities[place].a else { return }
    let cells = contents(of: shape, in: row, of: pairing.a, report.mask).map { label, content in
      CellDifference(name: PairedName(a: label, b: nil), before: content, after: nil)
    }
    try report.tell(
      .row(
        RowDifference(
          kind: .onlyInA, entity: PairedName(a: shape.entity, b: nil), key: row.int64(at: 0),
          cells: cells)))
  }

  private mutating func countB(_ row: borrowing Statement, _ pass: TablePass) throws {
    guard let place = placeOfB(row, pass) else { return }
    entities[place].rowsOnlyInB += 1
    countUnpairedB(row, place)
    guard let report, let shape = pairing.entities[place].b else { return }
    let cells = contents(of: shape, in: row, of: pairing.b, report.mask).map { label, content in
      CellDifference(name: PairedName(a: nil, b: label), before: nil, after: content)
    }
    try report.tell(
      .row(
        RowDifference(
          kind: .onlyInB, entity: PairedName(a: nil, b: shape.entity), key: row.int64(at: 0),
          cells: cells)))
  }

  /// Counts two rows with the same key, which are one row only if they are of the same entity.
  private mutating func count(
    _ a: borrowing Statement, _ b: borrowing Statement, _ pass: TablePass
  ) throws {
    guard let place = placeOfA(a, pass), place == placeOfB(b, pass) else {
      try countA(a, pass)
      try countB(b, pass)
      return
    }
    countUnpairedA(a, place)
    countUnpairedB(b, place)
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
      let before = content(of: pair.a, in: a, of: pairing.a, isSecret: isSecret, report.mask)
      let after = content(of: pair.b, in: b, of: pairing.b, isSecret: isSecret, report.mask)
      cells.append(CellDifference(name: pair.name, before: before, after: after))
    }
    try report.tell(
      .row(RowDifference(kind: .changed, entity: name, key: a.int64(at: 0), cells: cells)))
  }

  private mutating func countUnpairedA(_ row: borrowing Statement, _ place: Int) {
    for (index, property) in pairing.entities[place].unpaired.enumerated() {
      if let column = property.a?.column, !row.isNull(at: column) {
        entities[place].unpaired[index].valuesInA += 1
      }
    }
  }

  private mutating func countUnpairedB(_ row: borrowing Statement, _ place: Int) {
    for (index, property) in pairing.entities[place].unpaired.enumerated() {
      if let column = property.b?.column, !row.isNull(at: column) {
        entities[place].unpaired[index].valuesInB += 1
      }
    }
  }
}

extension EntityDifference {
  init(_ pairing: EntityPairing) {
    name = pairing.name
    properties = pairing.pairs.map { PairedProperty(name: $0.name) }
    unpaired = pairing.unpaired.map { UnpairedProperty(name: $0.name) }
  }
}
