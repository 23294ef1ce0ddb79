import StoreProof

/// One row of a store as `expected.txt` has it: its entity and key, then its properties by name.
struct RowText: Hashable, Sendable {
  /// A property with its value in words.
  struct Property: Hashable, Sendable {
    let name: String
    let value: String
  }

  let entity: String
  let key: Int64

  /// The properties in the order of their names.
  var properties: [Property]

  /// The lines of the row, each with its end, after an empty one.
  var text: String {
    "\n\(entity)/\(key)\n" + properties.map { "  \($0.name): \($0.value)\n" }.joined()
  }
}

extension RowText {
  /// The first line of the file, for a store at a version.
  static func title(app: String, version: String) -> String {
    "outbox-migrate fixture 1: \(app) \(version)"
  }

  /// How the first line of every format begins.
  static let titlePrefix = "outbox-migrate fixture "
}
