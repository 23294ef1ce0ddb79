/// The members of an object in a JSON document.
package struct JSONObject: Hashable, Sendable {
  /// The members in the order of the document; keys are unique.
  package let members: [JSONNode.Member]

  /// The node of the object.
  package let node: JSONNode

  /// The keys in the order of the document.
  package var keys: [String] { members.map(\.key) }

  /// Returns the value of a required key.
  ///
  /// - Throws: A ``JSONError`` at the object if the key is missing.
  /// - Complexity: O(*n*) in the number of members.
  package func required(_ key: String) throws(JSONError) -> JSONNode {
    guard let value = optional(key) else { throw node.error(.missingKey(key)) }
    return value
  }

  /// Returns the value of a key, or `nil` if the key is missing.
  ///
  /// A `null` value is returned as a node.
  ///
  /// - Complexity: O(*n*) in the number of members.
  package func optional(_ key: String) -> JSONNode? {
    // Iterating over the members themselves would copy each one in debug builds.
    for index in members.indices where members[index].key == key { return members[index].node }
    return nil
  }

  /// Checks that `format_version` has the supported value.
  ///
  /// - Throws: A ``JSONError`` at the number, or at the object if the key is missing.
  package func checkFormatVersion(_ supported: Int64) throws(JSONError) {
    let format = try required("format_version")
    guard try format.integer == supported else {
      throw format.error("unsupported format version; this tool reads version \(supported)")
    }
  }
}
