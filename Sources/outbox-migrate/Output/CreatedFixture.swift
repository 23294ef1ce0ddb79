import JSONText
import StoreFixtures
import StoreMigration
package import Migrations

/// What `fixture create` says.
struct CreatedFixture: Report {
  /// The path as it was typed.
  let path: String

  let version: ModelVersion
  let options: FixtureOptions

  var isOfChange: Bool { true }

  func lines(_ style: Style) -> [String] {
    [
      "Created \(path.printable): \(version.title), \(options.rows.counted("outbox row")), "
        + "seed \(options.seed).",
      "To look at it:  \(style.command(["status", path.shellPath]))",
    ]
  }

  var members: [JSONValue.Member] {
    [.init("store", .string(path))] + VersionName(version).members + [
      .init("rows", JSONValue(options.rows)),
      // A seed may be larger than what most readers of JSON take for a number.
      .init("seed", .string(String(options.seed))),
    ]
  }
}
