import StoreProof

/// Compares expected rows with the rows found, and keeps the first differences.
struct FixtureComparison {
  /// The maximum number of differences to keep: the first ones show the pattern.
  static let limit = 20

  private(set) var differences: [FixtureDifference] = []

  /// The number of all differences.
  private(set) var count = 0

  /// The number of rows found.
  private(set) var rows: Int64 = 0

  /// Compares the expected version with the one found.
  mutating func compareVersions(expected: String, found: String) {
    guard expected != found else { return }
    add(
      FixtureDifference(
        change: .changed, entity: nil, key: nil, property: "version", expected: expected,
        found: found))
  }

  /// Compares all rows; both cursors follow the order of the store.
  mutating func compare(
    expected: consuming ExpectedCursor, found: consuming RowTextCursor
  ) throws {
    var pairs = RowPairs(expected, found)
    while let match = try pairs.next() {
      let expected = match == .onlyInSecond ? nil : pairs.first.row
      let found = match == .onlyInFirst ? nil : pairs.second.row
      if found != nil { rows += 1 }
      // Entities of one table share its keys: the same key with another entity is another row.
      if let expected, let found, expected.entity == found.entity {
        compare(expected, found)
      } else {
        if let expected { add(row: expected, .missing) }
        if let found { add(row: found, .unexpected) }
      }
    }
  }
}

extension FixtureComparison {
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
