import JSONText
import StoreMigration
import Migrations
import StoreProof

/// The report of `diff`.
struct DiffOutcome: Report {
  let difference: StoreDifference

  /// The attributes by which rows are paired, as typed.
  let attributes: [String]

  /// The warnings about the files of both stores.
  let warnings: [PlanWarning]

  /// The first rows that differ, with their values; empty if they weren't requested.
  var rows: [Difference] = []

  /// The most rows that are shown with their values.
  static let rowLimit = 20

  var exitStatus: ExitStatus { difference.isEqual ? .done : .changesPending }

  var members: [JSONValue.Member] {
    [
      .init("a", .object(difference.a.members)),
      .init("b", .object(difference.b.members)),
      .init("equal", .bool(difference.isEqual)),
      .init("entities", JSONValue(difference.entities) { $0.json }),
      .init("relationships", JSONValue(difference.relationships) { $0.json }),
      .init("warnings", JSONValue(warnings) { $0.json }),
    ]
  }
}

extension StoreDifference.Side {
  /// The version; `nil` if the store is torn or unknown.
  var version: ModelVersion? {
    recognition.match == .exact || recognition.match == .partial ? recognition.version : nil
  }

  fileprivate var members: [JSONValue.Member] {
    [.init("store", .string(path))] + VersionName(version).members
      + [.init("match", .string(recognition.match.rawValue))]
  }
}
