package import JSONText
import StoreMigration

/// The format of what a command prints for programs: a document, or each of its lines.
///
/// The published JSON Schemas are written from it, and tests hold each command to it.
package struct ReportFormat: Sendable {
  /// The version, which documents state as `format_version`.
  package static let version: Int64 = 1

  /// The words of the command, such as `snapshot list`, and the option that makes it print lines.
  package let command: String

  /// What the command prints, in a few words.
  package let title: String

  /// The objects that it may print, of which each document or line is one.
  package let forms: [JSONForm]

  /// The shapes that the forms refer to, by name.
  package let shared: [String: JSONShape]

  /// The name of the file with the JSON Schema, without the folder.
  package var fileName: String {
    let words = command.split { $0 == " " || $0 == "-" }
    return "output-\(words.joined(separator: "-"))-\(Self.version).json"
  }

  init(
    _ command: String, _ title: String, _ forms: [JSONForm], shared: [String: JSONShape] = [:]
  ) {
    var sharing = FormSharing(shared)
    self.command = command
    self.title = title
    self.forms = forms.map { sharing($0) }
    self.shared = sharing.shared
  }

  /// Creates the format of a command that reports each of its stores.
  ///
  /// - Parameters:
  ///   - command: The words of the command.
  ///   - reports: The reports on a store that it may print.
  ///   - several: Whether it takes several stores.
  /// - Returns: The format.
  static func ofStores(
    _ command: String, _ reports: [JSONForm], several: Bool = false
  ) -> Self {
    let stores = JSONShape.either((reports + [.storeFailure]).map { .object($0) })
    let list = JSONForm(
      "The reports on several stores.",
      [.required("stores", .array(of: stores), "The reports, in the order of the stores.")])
    return Self(
      command, "What 'outbox-migrate \(command) --json' prints",
      (reports + [.storeFailure] + (several ? [list] : [])).map(\.document) + [.failure])
  }

  /// Creates the format of a command with one report, which isn't about each of its stores.
  static func of(
    _ command: String, _ reports: [JSONForm], shared: [String: JSONShape] = [:]
  ) -> Self {
    Self(
      command, "What 'outbox-migrate \(command) --json' prints",
      reports.map(\.document) + [.failure], shared: shared)
  }
}

extension JSONForm {
  /// The object as a document, with the version of the format and the models that were used.
  var document: JSONForm {
    JSONForm(
      meaning,
      [.formatVersion] + members + [
        .optional(
          "models", .array(of: .object(.sourcedModel)),
          "The models from source or compiled ones that the command used, if there are any.")
      ], rules: rules)
  }

  /// The document of a command that can't run at all.
  static let failure = JSONForm(
    "Why the command can't run.",
    [.formatVersion, .required("error", .object(.error), "The error.")])

  /// The object of a store that fails.
  static let storeFailure = JSONForm(
    "Why the command fails for a store.",
    [.text("store", "The path."), .required("error", .object(.error), "The error.")])

  /// The form of an error.
  static let error = JSONForm(
    "An error.",
    [
      .required("status", exitStatus, "The exit status."),
      .text("message", "What is wrong, and what to do about it."),
    ])

  /// An exit status that isn't 0.
  static let exitStatus = JSONShape.either(
    ExitStatus.allCases.filter { $0 != .done }.map { .constant(Int64($0.rawValue)) })

  /// The form of a model that isn't from a schema file or a store.
  static let sourcedModel = JSONForm(
    "A model from source, or a compiled one.",
    [
      .text("path", "The path, as typed."),
      .textOrNull("confirmed_by", "The path of a store that has the model's hashes, or null."),
      .texts("unknown_hashes", "The entities whose hashes aren't known."),
      .texts("ignored", "What the tool ignores or doubts in the model."),
    ])
}

extension JSONForm.Member {
  /// The version of the format.
  static let formatVersion = Self.required(
    "format_version", .constant(ReportFormat.version), "The version of the format.")
}
