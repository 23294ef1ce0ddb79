import JSONText

extension JSONForm.Member {
  static func text(_ key: String, _ meaning: String) -> Self { .required(key, .string(), meaning) }

  static func textOrNull(_ key: String, _ meaning: String) -> Self {
    .required(key, .orNull(.string()), meaning)
  }

  static func texts(_ key: String, _ meaning: String) -> Self {
    .required(key, .array(of: .string()), meaning)
  }

  static func count(_ key: String, _ meaning: String) -> Self { .required(key, .count, meaning) }

  static func countOrNull(_ key: String, _ meaning: String) -> Self {
    .required(key, .orNull(.count), meaning)
  }

  static func integer(_ key: String, _ meaning: String) -> Self {
    .required(key, .integer, meaning)
  }

  static func flag(_ key: String, _ meaning: String) -> Self { .required(key, .boolean, meaning) }

  /// A key whose value is one of an enumeration's names.
  static func name<Names: CaseIterable & RawRepresentable>(
    _ key: String, of type: Names.Type, _ meaning: String
  ) -> Self where Names.RawValue == String {
    .required(key, .name(of: type.allCases.map(\.rawValue)), meaning)
  }

  static func name(_ key: String, of names: [String], _ meaning: String) -> Self {
    .required(key, .name(of: names), meaning)
  }

  static func object(_ key: String, _ form: JSONForm, _ meaning: String) -> Self {
    .required(key, .object(form), meaning)
  }

  static func objectOrNull(_ key: String, _ form: JSONForm, _ meaning: String) -> Self {
    .required(key, .orNull(.object(form)), meaning)
  }

  static func list(_ key: String, _ form: JSONForm, _ meaning: String) -> Self {
    .required(key, .array(of: .object(form)), meaning)
  }

  /// A key whose value has a number for some of an enumeration's names.
  static func counts<Names: CaseIterable & RawRepresentable>(
    _ key: String, by type: Names.Type, _ meaning: String
  ) -> Self where Names.RawValue == String {
    .object(
      key,
      JSONForm(
        meaning, type.allCases.map { .optional($0.rawValue, .count, "The number of these.") }),
      meaning)
  }
}

extension [JSONForm.Member] {
  /// The path that reports on a store begin with.
  static let store = [JSONForm.Member.text("store", "The path.")]

  /// The three keys that name a version.
  static let version: Self = [
    .textOrNull("app", "The app."), .textOrNull("version", "The version, without an edition."),
    .textOrNull("edition", "The edition, or null."),
  ]

  /// The remains of a killed run.
  static let notes: Self = [
    .texts("notes", "The remains of a killed run, and what was done about them.")
  ]

  static let duration: Self = [.count("duration_ms", "Milliseconds.")]
}
