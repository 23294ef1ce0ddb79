import StoreProof

/// A row of a store as in `expected.txt`: its entity and key, then its properties by name.
struct RowText: Hashable, Sendable {
  /// A property with its value as text.
  struct Property: Hashable, Sendable {
    let name: String
    let value: String
  }

  let entity: String
  let key: Int64

  /// The properties in the order of their names.
  var properties: [Property]

  /// The row's lines with their line ends, after an empty line.
  var text: String {
    "\n\(entity)/\(key)\n" + properties.map { "  \($0.name): \($0.value)\n" }.joined()
  }
}

extension RowText {
  /// Returns the first line of the file for a store at a version.
  static func title(app: String, version: String) -> String {
    "outbox-migrate fixture 1: \(app) \(version)"
  }

  /// The beginning of the first line in every version of the format.
  static let titlePrefix = "outbox-migrate fixture "
}
