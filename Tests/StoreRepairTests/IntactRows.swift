import Foundation
import SQLite
import StoreFormat

/// Where each row of a sound store lies in its file.
///
/// SQLite's `dbstat` says which leaf is whose; cells are parsed here, without the code that is tested.
struct IntactRows {
  /// The bytes that a row needs: the header of its leaf, its pointer, its cell, its overflow pages.
  private struct Place {
    let key: Int64
    let ranges: [Range<Int>]
  }

  let pageSize: Int

  /// The leaves of each table, and other pages of tables.
  let leaves: [(table: String, page: Int)]
  let interior: [Int]
  private let bytes: [UInt8]
  private var places: [String: [Place]] = [:]

  init(of path: String) throws {
    let connection = try Connection(path: path, mode: .readOnlyUnshared)
    pageSize = Int(try connection.value("PRAGMA page_size")?.int64 ?? 4_096)
    let tables = Set(
      try connection.rows("SELECT name FROM sqlite_schema WHERE type = 'table'")
        .compactMap { $0[0].string })
    let pages = try connection.rows("SELECT name, pageno, pagetype FROM dbstat")
      .filter { row in row[0].string.map(tables.contains) ?? false }
    leaves = pages.filter { $0[2].string == "leaf" }
      .map { ($0[0].string ?? "", Int($0[1].int64 ?? 0)) }
    interior = pages.filter { $0[2].string == "internal" }.map { Int($0[1].int64 ?? 0) }
    bytes = try StoreRepairTests.bytes(of: path)
    for (table, page) in leaves { places[table, default: []] += cells(of: page) }
  }

  /// Returns the keys of a table's rows of which no byte differs in a damaged file.
  func keys(of table: String, in damaged: [UInt8]) -> [Int64] {
    (places[table] ?? []).filter { place in
      place.ranges.allSatisfy { bytes[$0] == damaged[$0] }
    }.map(\.key)
  }

  /// Returns the keys of the rows on a page.
  func keys(on page: Int) -> [Int64] { cells(of: page).map(\.key) }

  private func number(_ count: Int, at place: Int) -> Int {
    bytes[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
  }

  private func variable(_ place: inout Int) -> UInt64 {
    var number: UInt64 = 0
    for count in 1...9 {
      let byte = bytes[place]
      place += 1
      if count == 9 { return number << 8 | UInt64(byte) }
      number = number << 7 | UInt64(byte & 0x7F)
      if byte < 0x80 { break }
    }
    return number
  }

  private func cells(of page: Int) -> [Place] {
    let start = (page - 1) * pageSize
    return (0..<number(2, at: start + 3)).map { index in
      let pointer = start + 8 + 2 * index
      let cell = start + number(2, at: pointer)
      var place = cell
      let size = Int(variable(&place))
      let key = Int64(bitPattern: variable(&place))
      let (largest, smallest) = (pageSize - 35, (pageSize - 12) * 32 / 255 - 23)
      let fitting = smallest + (size - smallest) % (pageSize - 4)
      let local = size <= largest ? size : fitting <= largest ? fitting : smallest
      var ranges = [start..<start + 1, start + 3..<start + 5, pointer..<pointer + 2]
      ranges.append(cell..<place + local + (local < size ? 4 : 0))
      var (next, rest) = (local < size ? number(4, at: place + local) : 0, size - local)
      while rest > 0, next > 0 {
        let first = (next - 1) * pageSize
        ranges.append(first..<first + 4 + min(rest, pageSize - 4))
        rest -= pageSize - 4
        next = number(4, at: first)
      }
      return Place(key: key, ranges: ranges)
    }
  }
}
