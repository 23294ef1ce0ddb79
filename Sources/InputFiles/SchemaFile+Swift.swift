package import JSONText
import SafeText
import StoreMigration
package import StoreModel
package import SwiftModels

extension SchemaFile {
  /// Reads a model from Swift source.
  ///
  /// - Parameters:
  ///   - source: The source files.
  ///   - parsed: What was parsed from them.
  ///   - choice: The version or the classes.
  ///   - app: The app's name for the file; `nil` for that of the folder.
  ///   - version: The version's name; `nil` for that of the `VersionedSchema`.
  ///   - findings: What was found while reading the source, also if this throws.
  /// - Throws: A ``Failure`` if the source doesn't determine the model.
  package init(
    _ source: SwiftSourcePath, _ parsed: SwiftSource, _ choice: SourceChoice, app: String? = nil,
    version: String? = nil, findings: inout [SourceFinding]
  ) throws(Failure) {
    findings = parsed.findings
    let (found, model): (SourceVersion?, SourceModel)
    do throws(SourceError) {
      (found, model) = try parsed.model(choice)
    } catch {
      findings += parsed.errorsOfVersions
      if error == .noModel { try Self.check(findings, source) }
      let isDamaged = findings.contains { $0.severity == .error }
      throw Failure(isDamaged ? .badFile : .misuse, error.description)
    }
    findings = model.findings
    try Self.check(findings, source)
    self.init(
      app: app ?? source.app,
      version: version ?? found?.name ?? model.model.versionIdentifiers.first ?? "source",
      note: "from '\(source.text)'", model: model.model,
      origin: ModelOrigin(path: source.text))
    try checkSize(source.path)
  }

  /// Throws if a finding is an error, because of which the model isn't known.
  private static func check(
    _ findings: [SourceFinding], _ source: SwiftSourcePath
  ) throws(Failure) {
    let errors = findings.count { $0.severity == .error }
    guard errors > 0 else { return }
    throw Failure(
      .badFile,
      "the model isn't known from '\(source.path)': see the \(errors.counted("error")) above")
  }

  /// Reads the model of the version that a path names, or of the newest one.
  ///
  /// - Throws: A ``Failure`` with the first error if the source doesn't determine the model.
  package init(_ source: SwiftSourcePath) throws(Failure) {
    try self.init(source, try source.parse())
  }

  /// Reads the models of all versions, or of the one that a path names.
  ///
  /// - Throws: A ``Failure`` with the first error if the source doesn't determine one of the models.
  package static func versions(_ source: SwiftSourcePath) throws(Failure) -> [SchemaFile] {
    let parsed = try source.parse()
    let names = source.choice == .newest ? parsed.versions.map(\.name) : []
    guard names.count > 1 else { return [try SchemaFile(source, parsed)] }
    var versions: [SchemaFile] = []
    for name in names { versions.append(try SchemaFile(source.naming(name), parsed)) }
    return versions
  }

  private init(_ source: SwiftSourcePath, _ parsed: SwiftSource) throws(Failure) {
    var findings: [SourceFinding] = []
    do {
      try self.init(source, parsed, source.choice, findings: &findings)
    } catch {
      guard let first = findings.first(where: { $0.severity == .error }) else { throw error }
      throw Failure(
        .badFile,
        "\(first.place): error: \(first.message); 'schema capture \(source.text.shellWord)' lists "
          + "everything", hasPosition: true)
    }
    origin = ModelOrigin(path: source.text, notes: findings.map(\.description))
  }
}

extension SourceFinding {
  /// The line on standard error, as compilers print theirs.
  package var line: String {
    let word =
      switch severity {
      case .error: "error"
      case .unproven: "warning"
      case .note: "note"
      }
    return "\(place): \(word): \(message)".printable + "\n"
  }

  package var json: JSONValue {
    [
      "severity": .string(severity.rawValue), "code": .string(rule.rawValue),
      "place": .string("\(place)"), "object": JSONValue(object), "message": .string(message),
    ]
  }
}
