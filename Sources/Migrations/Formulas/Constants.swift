import JSONText
import SQLite
import StoreFormat
import StoreModel

extension JSONNode {
  /// The constants of a migration file, by name.
  var modelConstants: [String: ModelValue] {
    get throws(JSONError) {
      var constants: [String: ModelValue] = [:]
      for member in try object.members {
        let value = try member.node.modelValue
        guard value.storedAlone != nil, !member.key.isEmpty else {
          throw member.node.error("a constant is a text, a number, a Boolean, a date or a UUID")
        }
        constants[member.key] = value
      }
      return constants
    }
  }
}

extension ModelValue {
  /// The value as formulas have it; `nil` for values that no single column stores.
  var storedAlone: Value? {
    let type: AttributeType? =
      switch self {
      case .boolean: .boolean
      case .integer: .integer64
      case .real: .double
      case .string: .string
      case .url: .uri
      case .date: .date
      case .uuid: .uuid
      case .data: .binary
      case .decimal: .decimal
      case .null, .array, .dictionary: nil
      }
    return type.flatMap { stored(as: Attribute(name: "", type: $0)) }
  }
}
