import SafeText
import StoreModel
import JSONText
import Migrations

/// The report of `schema list`.
struct SchemaList: Report {
  let catalog: Catalog

  func lines(_ style: Style) -> [String] {
    let title: [Cell] = ["App", "Version", "Entities", "Identifiers", "Migrates to"]
    let rows = catalog.versions.map { version -> [Cell] in
      [
        Cell(version.app), Cell(version.name),
        Cell(version.model.entities.count.grouped),
        Cell(version.model.versionIdentifiers.joined(separator: ", ")),
        Cell(targets(of: version).joined(separator: ", ")),
      ]
    }
    let edition = catalog.versions.lazy.compactMap(\.editionSentence).first
    return Columns(rows: [title] + rows, rightAligned: [2], indent: 0).lines(style)
      + (edition.map { ["", $0] } ?? [])
  }

  var members: [JSONValue.Member] {
    [
      .init(
        "versions",
        JSONValue(catalog.versions) { version in
          .object(
            VersionName(version).members + [
              .init("entities", JSONValue(version.model.entities.count)),
              .init("identifiers", JSONValue(version.model.versionIdentifiers) { .string($0) }),
              .init("leads_to", JSONValue(targets(of: version)) { .string($0) }),
            ])
        })
    ]
  }

  private func targets(of version: ModelVersion) -> [String] {
    catalog.migrations
      .filter { $0.app.lowercased() == version.app.lowercased() && $0.from == version.name }
      .map(\.to)
  }
}
