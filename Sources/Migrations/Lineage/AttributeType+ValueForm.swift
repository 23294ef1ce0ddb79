import StoreModel

extension AttributeType {
  /// The form of a value of the type in a migration file, with a placeholder in capitals.
  var valueForm: String {
    switch self {
    case .date: #"{ "date": SECONDS_SINCE_2001 }"#
    case .uuid: #"{ "uuid": TEXT }"#
    case .uri: #"{ "url": TEXT }"#
    case .decimal: #"{ "decimal": TEXT }"#
    case .binary, .transformable: #"{ "data": BASE64 }"#
    case .integer16, .integer32, .integer64, .double, .float, .string, .boolean, .undefined,
      .objectID, .composite, .codable:
      "VALUE"
    }
  }
}
