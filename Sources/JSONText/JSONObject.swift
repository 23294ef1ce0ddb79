/// The members of an object in a document.
package struct JSONObject: Hashable, Sendable {
  /// The members in the document's order, no key twice.
  package let members: [JSONNode.Member]

  /// The object itself.
  package let node: JSONNode

  /// The keys in the document's order.
  package var keys: [String] { members.map(\.key) }

  /// The value of a key that must be there.
  ///
  /// - Throws: an error at the object that names the key.
  /// - Complexity: O(*n*) in the number of members.
  package func required(_ key: String) throws(JSONError) -> JSONNode {
    guard let value = optional(key) else { throw node.error(.missingKey(key)) }
    return value
  }

  /// The value of a key, `null` as any other; `nil` if the key isn't there.
  ///
  /// - Complexity: O(*n*) in the number of members.
  package func optional(_ key: String) -> JSONNode? {
    // Members that are gone through one by one are copied whole where nothing is optimised.
    for place in members.indices where members[place].key == key { return members[place].node }
    return nil
  }

  /// Checks that `format_version` is the one that is known.
  ///
  /// - Throws: an error at the number, or at the object where it is missing.
  package func checkFormatVersion(_ known: Int64) throws(JSONError) {
    let format = try required("format_version")
    guard try format.integer == known else {
      throw format.error("this version of the format isn't known; this tool reads version \(known)")
    }
  }
}
