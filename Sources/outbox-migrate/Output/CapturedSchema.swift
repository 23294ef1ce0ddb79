import SafeText
import JSONText
import StoreModel
import SwiftModels

/// The report of `schema capture`, if it wrote a file.
struct CapturedSchema: Report {
  let schema: SchemaFile

  /// The path of the file.
  let path: String

  /// What was found in Swift source; `nil` for the schema of a store.
  var findings: [SourceFinding]?

  var hasChangedFiles: Bool { true }

  func lines(_ style: Style) -> [String] {
    [
      "Wrote \(path): \(schema.app) \(schema.version), ".printable
        + schema.model.entities.count.counted("entity", "entities") + ".",
      "To plan a migration to it:  \(style.command(["plan", "STORE", "--to", path.shellPath]))",
    ]
  }

  var members: [JSONValue.Member] {
    [
      .init("file", .string(path)), .init("app", .string(schema.app)),
      .init("version", .string(schema.version)),
      .init("entities", JSONValue(schema.model.entities.count)),
    ] + (findings.map { [.init("findings", JSONValue($0) { $0.json })] } ?? [])
  }
}
