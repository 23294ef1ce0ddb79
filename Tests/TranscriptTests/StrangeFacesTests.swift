import Foundation
import TestSupport
import Testing

@testable import outbox_migrate
import Migrations
import StoreProof

/// Names that mean something in HTML, Markdown, or to GitHub.
private let strangeNames = [
  "a<img src=x onerror=alert(1)>", "b<td><script>alert(1)<\\script>", "c|d", "e`f",
  "g\"h'i", "j&amp;k", "l**m**_n_", "@everyone", "#1", "[o](p)", "<details>", "q\u{202e}r",
]

@Suite struct StrangeFacesTests {
  /// An app whose second version has lost attributes of its first.
  private func makeApp(
    entities: [String], attributes: [String], in folder: TemporaryDirectory
  ) throws -> (store: String, migrations: String) {
    let migrations = folder.path("own")
    try FileManager.default.createDirectory(
      atPath: migrations, withIntermediateDirectories: true)
    func write(_ name: String, _ object: [String: Any]) throws {
      let data = try JSONSerialization.data(withJSONObject: object)
      try data.write(to: URL(filePath: "\(migrations)/\(name)"))
    }
    func schema(_ version: String, _ attributes: [String]) -> [String: Any] {
      [
        "format_version": 1, "app": "Own", "version": version, "identifiers": [version],
        "entities": entities.map { name in
          [
            "name": name,
            "attributes": attributes.map { ["name": $0, "type": "String", "optional": true] },
          ] as [String: Any]
        },
      ]
    }
    try write("V1.schema.json", schema("V1", ["kept"] + attributes))
    try write("V2.schema.json", schema("V2", ["kept"]))
    try write(
      "V1-V2.json",
      [
        "format_version": 1, "app": "Own", "from": "V1", "to": "V2",
        "steps": entities.flatMap { entity in attributes.map { ["drop": "\(entity).\($0)"] } },
      ])
    let store = folder.path("default.store")
    _ = try output(of: [
      "fixture", "create", "own", "V1", store, "--rows", "9", "--migrations", migrations,
    ])
    return (store, migrations)
  }

  @Test func `no name is markup`() throws {
    let folder = try TemporaryDirectory()
    let app = try makeApp(
      entities: ["Item"], attributes: strangeNames, in: folder)
    let faces = try PlanFaces(of: app.store, options: ["--migrations", app.migrations])
    #expect(faces.html.matches(of: /<script/).count == 1)
    #expect(!faces.html.contains("<img"))
    #expect(!faces.html.contains("\u{202e}"))
    #expect(faces.html.withoutTags.contains("Item.b<td><script>alert(1)<\\script>"))
    #expect(faces.html.withoutTags.contains("Item.j&amp;k"))
    for line in faces.markdown.split(separator: "\n") where line.hasPrefix("|") {
      // Cells are between bars; a bar of a name would make one more.
      #expect(line.count { $0 == "|" } == 7 || line.count { $0 == "|" } == 3, "\(line)")
    }
    // All of them are in code, where they mean nothing.
    let plain = faces.markdown
      .replacing(/(````*)sh\n.*?\n\1\n/.dotMatchesNewlines(), with: "")
      .replacing(/`[^`\n]*`/, with: "")
    #expect(plain.matches(of: /<details>/).count == plain.matches(of: /<\/details>/).count)
    #expect(!plain.contains("<img") && !plain.contains("@everyone"))
  }

  @Test func `a comment on a pull request is never too long, and says what it leaves out`() throws {
    let folder = try TemporaryDirectory()
    let app = try makeApp(
      entities: (0..<20).map { "AnEntityWithALongNameAndANumber\($0)" },
      attributes: (0..<40).map { "anAttributeWithALongNameAndANumber\($0)" }, in: folder)
    let faces = try PlanFaces(of: app.store, options: ["--migrations", app.migrations])
    #expect(faces.markdown.utf8.count < 65_000)
    #expect(faces.markdown.utf8.count > 60_000)
    let shown = faces.markdown.matches(of: /\| `-` \|/).count
    let cut = try #require(
      faces.markdown.matches(of: /… and ([\d,]+) more, omitted/).last?.1)
    #expect(shown + (Int(cut.filter { $0 != "," }) ?? 0) == 800)
    let facts = try PlanFacts(json: faces.json)
    #expect(PlanFacts(html: faces.html) == facts)
  }
}
