import InputFiles
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

  /// The entities whose hashes no store can confirm; `nil` without `--against`.
  var unknown: [String]?

  var hasChangedFiles: Bool { true }

  func lines(_ style: Style) -> [String] {
    [
      "Wrote \(path): \(schema.app) \(schema.version), ".printable
        + schema.model.entities.count.counted("entity", "entities") + "."
    ] + doubts + [
      "To plan a migration to it:  \(style.command(["plan", "STORE", "--to", path.shellPath]))"
    ]
  }

  private var doubts: [String] {
    guard let unknown, !unknown.isEmpty else { return [] }
    return ["Not confirmed: hashes aren't known: \(unknown.joined(separator: ", ").printable)."]
  }

  var members: [JSONValue.Member] {
    [
      .init("file", .string(path)), .init("app", .string(schema.app)),
      .init("version", .string(schema.version)),
      .init("entities", JSONValue(schema.model.entities.count)),
    ] + (unknown.map { [.init("unknown", JSONValue($0) { .string($0) })] } ?? [])
      + (findings.map { [.init("findings", JSONValue($0) { $0.json })] } ?? [])
  }
}
