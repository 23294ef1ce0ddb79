import CSQLite
import Platform

/// The number of entries of an index, and the sum of their hashes, whatever their order.
///
/// Two sums with the same seed differ if an entry is missing, doubled or changed, except with a
/// probability of 2⁻⁶⁴: nobody can choose entries for a seed that isn't known.
struct EntrySum: Hashable {
  private var count: UInt64 = 0
  private var sum: UInt64 = 0

  /// Adds an entry: the values of some columns of a row, the last of which is the row id.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - columns: The columns.
  ///   - seed: Any number, the same for all entries of both sums.
  /// - Returns: A hash of the values without the row id, by which equal numbers have equal hashes;
  ///   `nil` if one of them is NULL.
  @discardableResult
  mutating func add(_ row: borrowing Statement, columns: [Int], seed: UInt64) -> UInt64? {
    var (hash, classes, hasNull) = (seed, UInt64(columns.count), false)
    let last = columns.count - 1
    for place in 0..<last {
      let cell = row.cell(at: columns[place])
      classes = classes &* 7 &+ UInt64(truncatingIfNeeded: cell.type)
      hasNull = hasNull || cell.type == SQLITE_NULL
      cell.add(to: &hash)
    }
    sum &+= mixed(mixed(hash ^ classes) ^ row.cell(at: columns[last]).word)
    count += 1
    return hasNull ? nil : hash
  }
}

extension csqlite_cell {
  /// Adds a value to a hash; the same integer and real number add the same.
  fileprivate func add(to hash: inout UInt64) {
    switch type {
    case SQLITE_NULL: hash = mixed(hash)
    case SQLITE_INTEGER: hash = mixed(hash ^ word)
    case SQLITE_FLOAT:
      let integer = Int64(exactly: Double(bitPattern: word))
      hash = mixed(hash ^ (integer.map(UInt64.init(bitPattern:)) ?? word))
    default: addBytes(to: &hash)
    }
  }

  private func addBytes(to hash: inout UInt64) {
    let bytes = UnsafeRawBufferPointer(buffer)
    hash = mixed(hash ^ UInt64(bytes.count) << 3 ^ UInt64(truncatingIfNeeded: type))
    var place = 0
    while place + 8 <= bytes.count {
      hash = mixed(hash ^ bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
      place += 8
    }
    guard place < bytes.count else { return }
    var rest: UInt64 = 0
    for byte in bytes[place...] { rest = rest << 8 | UInt64(byte) }
    hash = mixed(hash ^ rest)
  }
}
