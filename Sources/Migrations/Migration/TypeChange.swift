import JSONText
package import StoreModel

/// How an attribute's values are read in another type.
package struct TypeChange: Hashable, Sendable {
  /// The form of the texts: a ``DateFormat``, or `utf-8` or `base64` for bytes.
  package let format: String?

  /// What becomes of a value that can't be read; `nil` to refuse the migration.
  package let otherwise: ModelValue?

  /// The change back, which refuses what it can't read.
  var inverse: TypeChange { TypeChange(format: format, otherwise: nil) }
}

extension TypeChange {
  init(_ object: JSONObject) throws(JSONError) {
    let node = object.optional("else")
    let otherwise = try node?.modelValue
    if otherwise == .string("keep") {
      throw (node ?? object.node).error("a value can't keep its old type; give another value")
    }
    self.init(
      format: try object.optional("format")?.string,
      otherwise: otherwise == .string("refuse") ? nil : otherwise)
  }
}
