package import Foundation
package import JSONText
package import ReportFormats

/// The JSON Schema of a format, and its file in `Documentation/schemas`.
package struct PublishedSchema {
  /// The text of the schema.
  package let text: String

  /// The file.
  package let file: URL

  /// Creates the schema of a format.
  ///
  /// - Parameters:
  ///   - name: The name of the format, as it is in that of the file.
  ///   - format: The format.
  package init(_ name: String, _ format: JSONFormat) {
    self.init(format.schema, in: "\(name)-\(format.version).json")
  }

  /// Creates the schema of what a command prints.
  package init(_ format: ReportFormat) { self.init(format.schema, in: format.fileName) }

  private init(_ schema: JSONValue, in fileName: String) {
    text = schema.text(.pretty(inlineWidth: 100)) + "\n"
    file = Self.folder.appending(path: fileName)
  }

  /// The folder of the published schemas.
  package static let folder =
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
    .appending(path: "Documentation/schemas")

  /// Returns how the file differs from the schema; `nil` if it doesn't.
  ///
  /// With `OUTBOX_MIGRATE_RECORD=1`, the file is written.
  package func difference() throws -> String? {
    let published = try? String(contentsOf: file, encoding: .utf8)
    guard published != text else { return nil }
    guard ProcessInfo.processInfo.environment["OUTBOX_MIGRATE_RECORD"] == "1" else {
      return "\(file.lastPathComponent) isn't the schema; record it with OUTBOX_MIGRATE_RECORD=1"
    }
    try text.write(to: file, atomically: true, encoding: .utf8)
    return "recorded \(file.lastPathComponent); review the changes, then test again"
  }
}
