import SafeText
import JSONText
import StoreMigration
import StoreModel
import SwiftModels

extension SchemaFile {
  /// Reads a model from Swift source.
  ///
  /// - Parameters:
  ///   - source: The source files.
  ///   - choice: The version or the classes.
  ///   - app: The app's name for the file; `nil` for that of the folder.
  ///   - version: The version's name; `nil` for that of the `VersionedSchema`.
  ///   - findings: What was found while reading the source, also if this throws.
  /// - Throws: A ``Failure`` if the source doesn't determine the model.
  init(
    _ source: SwiftSourcePath, _ choice: SourceChoice, app: String? = nil,
    version: String? = nil, findings: inout [SourceFinding]
  ) throws(Failure) {
    let parsed = try source.parse()
    findings = parsed.findings
    let (found, model): (SourceVersion?, SourceModel)
    do throws(SourceError) {
      (found, model) = try parsed.model(choice)
    } catch {
      throw Failure(.misuse, error.description)
    }
    findings = model.findings
    let errors = findings.count { $0.severity == .error }
    guard errors == 0 else {
      throw Failure(
        .badFile,
        "the model isn't known from '\(source.path)': see the \(errors.counted("error")) above")
    }
    self.init(
      app: app ?? source.app,
      version: version ?? found?.name ?? model.model.versionIdentifiers.first ?? "source",
      note: "from '\(source.path)'", model: model.model, origin: ModelOrigin(path: source.path))
  }
}

extension SourceFinding {
  /// The line on standard error, as compilers print theirs.
  var line: String {
    let word =
      switch severity {
      case .error: "error"
      case .unproven: "warning"
      case .note: "note"
      }
    return "\(place): \(word): \(message)".printable + "\n"
  }

  var json: JSONValue {
    [
      "severity": .string(severity.rawValue), "code": .string(rule.rawValue),
      "place": .string("\(place)"), "object": JSONValue(object), "message": .string(message),
    ]
  }
}
