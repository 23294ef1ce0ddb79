package import StoreModel
import JSONText

/// A table of values: what each value of an attribute becomes.
package struct ValueMap: Hashable, Sendable {
  /// A line of the table.
  package struct Pair: Hashable, Sendable {
    /// The value, as the key of a JSON object: a text, or the digits of a number.
    package let key: String

    /// What it becomes.
    package let value: ModelValue
  }

  /// What becomes of a value that the table doesn't name.
  package enum Otherwise: Hashable, Sendable {
    /// The migration is refused, by entity and key.
    case refuse

    /// It stays as it is.
    case keep

    /// It becomes this value.
    case value(ModelValue)
  }

  package let pairs: [Pair]
  package let otherwise: Otherwise

  init(pairs: [Pair], otherwise: Otherwise) {
    (self.pairs, self.otherwise) = (pairs, otherwise)
  }

  /// Returns the reverse table: of several values that become one, the first counts.
  ///
  /// - Parameter standIn: What becomes of a value that it doesn't name; `nil` to refuse it.
  /// - Returns: The table.
  func inverse(standIn: ModelValue? = nil) -> ValueMap {
    var seen: Set<String> = []
    let reversed = pairs.compactMap { pair -> Pair? in
      guard let key = pair.value.keyText, seen.insert(key).inserted else { return nil }
      return Pair(key: key, value: .string(pair.key))
    }
    return ValueMap(
      pairs: reversed, otherwise: otherwise == .keep ? .keep : standIn.map { .value($0) } ?? .refuse
    )
  }
}

extension ValueMap {
  init(_ object: JSONObject) throws(JSONError) {
    let table = try object.required("values")
    var pairs: [Pair] = []
    for member in try table.object.members {
      pairs.append(Pair(key: member.key, value: try member.node.modelValue))
    }
    guard !pairs.isEmpty else { throw table.error("the table is empty; name each value") }
    var otherwise = Otherwise.refuse
    if let node = object.optional("else") {
      otherwise =
        switch try node.modelValue {
        case .string("refuse"): .refuse
        case .string("keep"): .keep
        case let value: .value(value)
        }
    }
    self.init(pairs: pairs, otherwise: otherwise)
  }
}

extension ModelValue {
  /// The value as the key of a JSON object; `nil` for values of other types.
  fileprivate var keyText: String? {
    switch self {
    case .string(let text): text
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .boolean(let flag): flag ? "1" : "0"
    default: nil
    }
  }
}
