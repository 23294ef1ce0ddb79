import Migrations
import RowRewriting

/// Compares expected rows with those found, and keeps the first differences.
///
/// Both come in the order of a store.
struct FixtureComparison: ~Copyable {
  /// The most differences that are kept: some show the pattern.
  static let limit = 20

  private var expected: ExpectedRows
  private let places: [String: Int]

  /// The next row that is expected.
  private var next: RowText?

  private(set) var differences: [FixtureDifference] = []
  private(set) var count = 0

  /// Begins at the first row.
  ///
  /// - Parameters:
  ///   - expected: The expected rows.
  ///   - title: The version that was found.
  ///   - places: The place of each entity among the others.
  /// - Returns: The comparison, which has found no row yet.
  /// - Throws: A `JSONError` if the first row can't be read, or a `SystemError`.
  static func beginning(
    _ expected: consuming ExpectedRows, found title: String, places: [String: Int]
  ) throws -> FixtureComparison {
    let version = expected.version
    let first = try expected.next()
    var comparison = FixtureComparison(expected: expected, places: places, next: first)
    if version != title {
      comparison.add(
        FixtureDifference(
          change: .changed, entity: nil, key: nil, property: "version", expected: version,
          found: title))
    }
    return comparison
  }

  private init(expected: consuming ExpectedRows, places: [String: Int], next: RowText?) {
    self.expected = expected
    self.places = places
    self.next = next
  }

  /// Compares the next row found.
  mutating func take(_ found: RowText) throws {
    while let row = next, comes(row, before: found) {
      add(row: row, .missing)
      try advance(from: row)
    }
    guard let row = next, row.entity == found.entity, row.key == found.key else {
      add(row: found, .unexpected)
      return
    }
    compare(row, found)
    try advance(from: row)
  }

  /// Adds what was expected after the last row found.
  mutating func finish() throws {
    while let row = next {
      add(row: row, .missing)
      try advance(from: row)
    }
  }
}

extension FixtureComparison {
  /// The order of rows; those of entities that the store doesn't know come first.
  private func order(_ row: RowText) -> (Int, Int64) { (places[row.entity] ?? -1, row.key) }

  private func comes(_ row: RowText, before other: RowText) -> Bool {
    if order(row) < order(other) { return true }
    // Two entities of one table can't share a key.
    return order(row) == order(other) && row.entity != other.entity
  }

  private mutating func advance(from row: RowText) throws {
    next = try expected.next()
    guard let next, places[row.entity] != nil, places[next.entity] != nil else { return }
    guard order(row) < order(next) else {
      throw expected.error(
        "'\(next.entity)/\(next.key)' can't stand after '\(row.entity)/\(row.key)'; rows go by "
          + "the order of entities, then keys")
    }
  }

  private mutating func compare(_ row: RowText, _ found: RowText) {
    var expected = Dictionary(
      row.properties.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    for property in found.properties {
      let value = expected.removeValue(forKey: property.name)
      guard value != property.value else { continue }
      add(
        FixtureDifference(
          change: value == nil ? .unexpected : .changed, entity: found.entity, key: found.key,
          property: property.name, expected: value, found: property.value))
    }
    for (name, value) in expected.sorted(by: { $0.key < $1.key }) {
      add(
        FixtureDifference(
          change: .missing, entity: found.entity, key: found.key, property: name,
          expected: value, found: nil))
    }
  }

  private mutating func add(row: RowText, _ change: FixtureDifference.Change) {
    add(
      FixtureDifference(
        change: change, entity: row.entity, key: row.key, property: nil, expected: nil, found: nil))
  }

  private mutating func add(_ difference: FixtureDifference) {
    count += 1
    if differences.count < Self.limit { differences.append(difference) }
  }
}
