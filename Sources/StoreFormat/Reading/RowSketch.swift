import Platform

/// A summary of a table's rows, of constant size, that shows which rows differ from another
/// table's.
///
/// This is an invertible Bloom lookup table. Each row, as its key and a hash, is added to one cell
/// in each of three parts. Subtracting one sketch from another leaves the rows that only one of
/// them has. A cell with a single row reveals that row; removing it from its other cells leaves
/// further cells with a single row. This recovers about 1,100 rows, each exactly; of more, it only
/// shows that there are many. A changed row counts as two: one with the old hash, one with the new.
///
/// Related: Eppstein et al., "What's the Difference? Efficient Set Reconciliation without Prior
/// Context", SIGCOMM 2011.
package struct RowSketch: Hashable, Sendable {
  /// A row: the number of its entity, its key and a hash of its values.
  package struct Row: Hashable, Sendable {
    package let entity: UInt32
    package let key: Int64
    package let hash: UInt64

    package init(entity: UInt32, key: Int64, hash: UInt64) {
      (self.entity, self.key, self.hash) = (entity, key, hash)
    }
  }

  /// The sums over the rows in the cell: of the count by addition, of the rest by XOR.
  fileprivate struct Cell: Hashable, Sendable {
    var count: Int32 = 0
    var entity: UInt32 = 0
    var key: UInt64 = 0
    var hash: UInt64 = 0
    var check: UInt32 = 0
  }

  private static let partCount = 3
  private static let partSize = 512

  /// The number of rows.
  package private(set) var rows: Int64 = 0

  private var cells = [Cell](repeating: Cell(), count: partCount * partSize)

  /// Creates a sketch of a table without rows.
  package init() {}

  package mutating func add(_ row: Row) {
    rows += 1
    add(row, 1)
  }

  private mutating func add(_ row: Row, _ count: Int32) {
    for place in row.places(parts: Self.partCount, size: Self.partSize) {
      cells[place].count &+= count
      cells[place].entity ^= row.entity
      cells[place].key ^= UInt64(bitPattern: row.key)
      cells[place].hash ^= row.hash
      cells[place].check ^= row.check
    }
  }
}

// MARK: - Differences

extension RowSketch {
  /// The rows that only one of two tables has.
  package struct Difference: Hashable {
    package var onlyHere: Set<Row> = []
    package var onlyThere: Set<Row> = []
  }

  /// Returns the rows that only one of two tables has; `nil` if they are too many.
  package func difference(from other: RowSketch) -> Difference? {
    var rest = self
    for place in rest.cells.indices { rest.cells[place].subtract(other.cells[place]) }
    var difference = Difference()
    var pending = Array(rest.cells.indices)
    while let place = pending.popLast() {
      guard let row = rest.cells[place].onlyRow else { continue }
      let count = rest.cells[place].count
      let isNew =
        count > 0
        ? difference.onlyHere.insert(row).inserted : difference.onlyThere.insert(row).inserted
      // A forged sketch could yield the same row forever.
      guard isNew else { return nil }
      rest.add(row, -count)
      pending += row.places(parts: Self.partCount, size: Self.partSize)
    }
    return rest.cells.allSatisfy { $0 == Cell() } ? difference : nil
  }
}

extension RowSketch.Cell {
  fileprivate mutating func subtract(_ other: Self) {
    count &-= other.count
    entity ^= other.entity
    key ^= other.key
    hash ^= other.hash
    check ^= other.check
  }

  /// The row, if there is exactly one in the cell.
  fileprivate var onlyRow: RowSketch.Row? {
    guard count == 1 || count == -1 else { return nil }
    let row = RowSketch.Row(entity: entity, key: Int64(bitPattern: key), hash: hash)
    return row.check == check ? row : nil
  }
}

extension RowSketch.Row {
  /// The row's cells, one in each part.
  fileprivate func places(parts: Int, size: Int) -> [Int] {
    (0..<parts).map { part in
      part * size + Int(mixed(digest &+ UInt64(part)) % UInt64(size))
    }
  }

  /// Distinguishes a cell with one row from a cell whose sums only look like a row.
  fileprivate var check: UInt32 { UInt32(truncatingIfNeeded: digest) }

  private var digest: UInt64 {
    mixed(hash ^ mixed(UInt64(bitPattern: key) &+ mixed(UInt64(entity))))
  }
}

// MARK: - Bytes

extension RowSketch {
  /// The widths of a cell's count, entity, key, hash and check, in bytes.
  private static let widths = [4, 4, 8, 8, 4]

  /// The counts of all cells, then their entities and so on, little-endian, compressed.
  ///
  /// Grouped by field, the small numbers of counts, entities and keys compress well.
  package var bytes: [UInt8] {
    let columns = cells.map(\.numbers)
    var bytes: [UInt8] = []
    for (field, width) in Self.widths.enumerated() {
      for numbers in columns { bytes.append(numbers[field], width: width) }
    }
    return deflateRaw(bytes)
  }

  /// Reads a sketch from its ``bytes``; `nil` if they have another size or aren't compressed.
  package init?(bytes: [UInt8], rows: Int64) {
    let count = Self.partCount * Self.partSize
    let size = count * Self.widths.reduce(0, +)
    guard let plain = try? inflateRaw(bytes, limit: size), plain.count == size else { return nil }
    var columns: [[UInt64]] = []
    var start = 0
    for width in Self.widths {
      columns.append((0..<count).map { plain.number(at: start + $0 * width, width: width) })
      start += count * width
    }
    self.rows = rows
    cells = (0..<count).map { place in Cell(columns.map { $0[place] }) }
  }
}

extension RowSketch.Cell {
  fileprivate var numbers: [UInt64] {
    [UInt64(UInt32(bitPattern: count)), UInt64(entity), key, hash, UInt64(check)]
  }

  fileprivate init(_ numbers: [UInt64]) {
    count = Int32(bitPattern: UInt32(truncatingIfNeeded: numbers[0]))
    entity = UInt32(truncatingIfNeeded: numbers[1])
    key = numbers[2]
    hash = numbers[3]
    check = UInt32(truncatingIfNeeded: numbers[4])
  }
}

extension [UInt8] {
  fileprivate mutating func append(_ number: UInt64, width: Int) {
    for place in 0..<width { append(UInt8(truncatingIfNeeded: number >> (8 * UInt64(place)))) }
  }

  fileprivate func number(at start: Int, width: Int) -> UInt64 {
    (0..<width).reversed().reduce(0) { $0 << 8 | UInt64(self[start + $1]) }
  }
}
