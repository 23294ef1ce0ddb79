import SQLite

/// One of the two stores of a comparison.
enum StoreSide {
  case a
  case b
}

// What runs for every row selects a stored property and copies nothing.

extension StorePairing {
  subscript(side: StoreSide) -> Side { side == .a ? a : b }

  /// Returns a key in a row as its store has it.
  func ownKey(at column: Int, of row: borrowing Statement, in side: StoreSide) -> Int64 {
    row.int64(at: side == .a || keys == nil ? column : column + row.columnCount / 2)
  }

  /// Returns the index in ``entities`` of an entity, by its number in one of the stores.
  func index(ofEntity number: Int64, in side: StoreSide) -> Int? {
    switch side {
    case .a: indicesInA[number]
    case .b: indicesInB[number]
    }
  }

  /// Returns the index in ``entities`` of the entity of a pass's row.
  func index(of row: borrowing Statement, in side: StoreSide, _ pass: TablePass) -> Int? {
    let number =
      switch side {
      case .a: pass.a?.entityNumber(of: row)
      case .b: pass.b?.entityNumber(of: row)
      }
    return number.flatMap { index(ofEntity: $0, in: side) }
  }
}

extension EntityPairing.Unpaired {
  /// Returns the column with the property's value or key; `nil` if the store doesn't have it.
  func column(in side: StoreSide) -> Int? {
    switch side {
    case .a: a?.column
    case .b: b?.column
    }
  }
}

extension EntityDifference {
  mutating func countRowOnly(in side: StoreSide) {
    switch side {
    case .a: rowsOnlyInA += 1
    case .b: rowsOnlyInB += 1
    }
  }

  mutating func countValue(ofUnpaired place: Int, in side: StoreSide) {
    switch side {
    case .a: unpaired[place].valuesInA += 1
    case .b: unpaired[place].valuesInB += 1
    }
  }
}

extension PairedName {
  /// Creates the names of an item that only one store has.
  init(_ name: String, onlyIn side: StoreSide) {
    self = side == .a ? PairedName(a: name, b: nil) : PairedName(a: nil, b: name)
  }
}

extension CellDifference {
  /// Creates the difference of a cell of a row that only one store has.
  init(_ label: String, _ content: Content, onlyIn side: StoreSide) {
    let name = PairedName(label, onlyIn: side)
    self =
      side == .a
      ? CellDifference(name: name, before: content, after: nil)
      : CellDifference(name: name, before: nil, after: content)
  }
}
