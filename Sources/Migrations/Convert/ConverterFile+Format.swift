package import JSONText
import StoreModel

extension ConverterFile {
  /// The format of converter files.
  package static let format = JSONFormat(
    "A converter file of outbox-migrate", version: formatVersion,
    JSONForm(
      "Conversions of numbers that an app's migration files name.",
      [
        .required("app", .string(), "The app, as its schema files name it; compared without case."),
        .optional("note", .string(), "What the converters are for, for people."),
        .required("converters", .array(of: .object(formula)), "The converters."),
      ]))

  static let formula = JSONForm(
    "A conversion of a number by a formula.",
    [
      .required("name", .string(), "The name by which steps refer to it."),
      .required("inverse", .string(), "The name of the converter back, in the same file."),
      .required("from", type, "The type of the numbers."),
      .required("to", type, "The type of the results."),
      .optional(
        "range", .array(of: .number, atLeast: 2), "The smallest and the largest number in range."),
      .required("sql", .string(), "The formula of 'value': an expression of SQLite."),
      .optional(
        "swift", .array(of: .string()), "The lines of a Swift function that does the same."),
    ])

  private static let type = JSONShape.name(of: NumberFormula.types.map(\.name))
}
