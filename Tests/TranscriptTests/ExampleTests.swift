import Foundation
import Testing
import Migrations

/// What the documentation shows is what its examples hold.
@Suite struct ExampleTests {
  @Test func `the migration file in the specification is the example's`() throws {
    let root = URL(filePath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Documentation")
    let specification = try String(
      contentsOf: root.appending(path: "MigrationFiles.md"), encoding: .utf8)
    let example = try String(
      contentsOf: root.appending(path: "Examples/bookshelf/upgrade/V1-V2.json"), encoding: .utf8)
    #expect(specification.contains("```json\n\(example)```"))
    #expect(example.split(separator: "\n").count < 14)
  }
}
