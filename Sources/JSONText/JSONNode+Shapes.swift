extension JSONNode {
  /// Returns the object, which must have the keys of a form with values of their kinds.
  ///
  /// What is inside of arrays and objects isn't checked, nor are the patterns of strings.
  ///
  /// - Parameters:
  ///   - form: The form.
  ///   - allowsOthers: Whether the object may have other keys, too.
  /// - Returns: The object.
  /// - Throws: A ``JSONError`` at the first unknown key, at the object if a key is missing, or at
  ///   the first value of another kind.
  package func object(
    _ form: JSONForm, allowingOthers allowsOthers: Bool = false
  ) throws(JSONError) -> JSONObject {
    let object = try allowsOthers ? object : object(allowing: form.keys)
    for member in form.members where member.isRequired { _ = try object.required(member.key) }
    for member in object.members {
      guard let index = form.keys.firstIndex(of: member.key) else { continue }
      try member.node.checkKind(form.members[index].shape)
    }
    return object
  }

  /// Returns the object of a whole document, which must have the keys of its format.
  ///
  /// A document of another version is refused for that, whatever else it has.
  ///
  /// - Throws: A ``JSONError`` at the version, or as ``object(_:)``.
  package func document(_ format: JSONFormat) throws(JSONError) -> JSONObject {
    try object.checkFormatVersion(format.version)
    return try object(format.form)
  }

  private func checkKind(_ shape: JSONShape) throws(JSONError) {
    switch shape {
    case .string: _ = try string
    case .name(let names): _ = try name(among: names)
    case .integer, .constant: _ = try integer
    case .count: _ = try count
    case .number: _ = try double
    case .boolean: _ = try bool
    case .null: if !isNull { throw error(.wrongType("null", found: typeDescription)) }
    case .array: _ = try array
    case .dictionary, .object: _ = try object
    case .either, .shared: break
    }
  }
}
