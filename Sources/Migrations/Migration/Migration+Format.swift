package import JSONText
import StoreModel

extension Migration {
  /// The format of migration files.
  ///
  /// That the verb is a step's first key, `JSONFormat` can't say.
  package static let format = JSONFormat(
    "A migration file of outbox-migrate", version: formatVersion,
    JSONForm(
      "The steps from one version of an app's model to the next.",
      [
        .required("app", .string(), "The app, as its schema files name it; compared without case."),
        .required("from", .string(), "The version or edition that a store must have."),
        .required("to", .string(), "The version or edition that the store has afterwards."),
        .optional("note", .string(), "The reason for the migration, for people."),
        .optional(
          "constants", .dictionary(of: .modelValue), "Values that formulas may name, by name."),
        .required(
          "steps", .array(of: .shared("step")), "The changes, in the order in which they apply."),
      ]),
    shared: shared)

  private static let shared: [String: JSONShape] = {
    var shared = Dictionary(
      uniqueKeysWithValues: Verb.decided.map { ($0.rawValue, JSONShape.object($0.form)) })
    shared["step"] = .either(Verb.decided.map { .shared($0.rawValue) })
    shared[ModelValue.shapeName] = ModelValue.shape
    return shared
  }()
}

extension JSONShape {
  /// A value of the model.
  static let modelValue = JSONShape.shared(ModelValue.shapeName)
}
