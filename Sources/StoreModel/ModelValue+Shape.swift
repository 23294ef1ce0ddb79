package import JSONText

extension ModelValue {
  /// The name of ``shape`` in formats that refer to it.
  package static let shapeName = "value"

  /// What a schema file or a migration file may have where a value of the model is expected.
  package static let shape = JSONShape.either([
    .null, .boolean, .number, .string(), .array(of: .shared(shapeName)),
    .object(taggedForm),
  ])

  /// The object of a value that JSON has no type for.
  static let taggedForm = JSONForm(
    "A value that JSON has no type for: an object with one key.",
    [
      .optional("date", .number, "A date, in seconds since 2001-01-01 UTC."),
      .optional(
        "uuid",
        .string(matching: "^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$"),
        "A UUID, in either case."),
      .optional("data", .string(), "Bytes, in base64."),
      .optional("url", .string(), "A URL."),
      .optional("decimal", .string(), "A decimal number, such as '1.50'."),
      .optional(
        "dictionary", .dictionary(of: .shared(shapeName)),
        "A dictionary: the default of a composite, by leaf."),
    ],
    rules: [.exactlyOne(of: ["date", "uuid", "data", "url", "decimal", "dictionary"])])
}
