import SafeText
import JSONText
import StoreFixtures
import Migrations

/// The report of `fixture create`.
struct CreatedFixture: Report {
  /// The path, as typed.
  let path: String

  let version: ModelVersion
  let options: FixtureOptions

  /// The number of rows of all entities, if the version has no outbox; else `nil`.
  let allRows: Int64?

  var hasChangedFiles: Bool { true }

  func lines(_ style: Style) -> [String] {
    [
      "Created \(path.printable): \(version.title), "
        + (allRows.map { $0.counted("row") } ?? options.rows.counted("outbox row")) + ", "
        + "seed \(options.seed)\(options.isMirrored ? ", mirrors to CloudKit" : "").",
      "To inspect it:  \(style.command(["status", path.shellPath]))",
    ]
  }

  var members: [JSONValue.Member] {
    [.init("store", .string(path))] + VersionName(version).members + [
      .init("rows", JSONValue(options.rows)),
      // Most JSON readers lose precision above 2^53; a seed may be larger.
      .init("seed", .string(String(options.seed))),
      .init("cloudkit", .bool(options.isMirrored)),
    ]
  }
}
