package import SQLite

/// A table that finds short names by their bytes without copying them.
package struct NameTable: Sendable {
  /// The bytes of all names, concatenated, shorter names first.
  private let bytes: [UInt8]

  /// The indices of the names as they were given, shorter names first.
  private let order: [Int]

  /// The start of each length's names in `order` and in `bytes`.
  ///
  /// `letters` has a bit for each of their first letters: most other names begin with none of them.
  private let starts: [(name: Int, byte: Int, letters: UInt64)]

  /// Creates a table of distinct names.
  package init(_ names: [String]) {
    let sorted = names.indices.sorted { names[$0].utf8.count < names[$1].utf8.count }
    order = sorted
    bytes = sorted.flatMap { Array(names[$0].utf8) }
    let counts = sorted.map { names[$0].utf8.count }
    var starts: [(name: Int, byte: Int, letters: UInt64)] = []
    for length in 0...(counts.last ?? 0) + 1 {
      let shorter = counts.prefix { $0 < length }
      let letters = names.filter { $0.utf8.count == length }.reduce(0 as UInt64) {
        $0 | ($1.utf8.first?.letterBit ?? 1)
      }
      starts.append((shorter.count, shorter.reduce(0, +), letters))
    }
    self.starts = starts
  }

  /// Returns the index of a name as it was given; `nil` for any other name.
  package func place(of name: Span<UInt8>) -> Int? {
    let length = name.count
    guard length < starts.count - 1 else { return nil }
    let start = starts[length]
    guard start.letters & (length == 0 ? 1 : name[0].letterBit) != 0 else { return nil }
    var byte = start.byte
    for place in start.name..<starts[length + 1].name {
      if isSame(name, from: byte) { return order[place] }
      byte += length
    }
    return nil
  }

  /// Returns the index of the name that a column's text spells; `nil` for other texts and values.
  package func place(of row: borrowing Statement, at column: Int) -> Int? {
    // Calling another target's generic function costs least if its result's type is concrete.
    row.type(at: column) == .text ? row.withBytes(at: column) { place(of: $0) } : nil
  }

  private func isSame(_ name: Span<UInt8>, from start: Int) -> Bool {
    for index in name.indices where name[index] != bytes[start + index] { return false }
    return true
  }
}

extension UInt8 {
  /// One of 64 bits; different letters of the same case have different bits.
  fileprivate var letterBit: UInt64 { 1 &<< UInt64(self & 63) }
}
