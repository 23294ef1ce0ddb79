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

extension EntityDifference {
  fileprivate var json: JSONValue {
    .object(
      name.members + [
        .init("in", name.location), .init("paired_by", JSONValue(pairedBy?.name)),
        .init("rows_only_in_a", .int(rowsOnlyInA)), .init("rows_only_in_b", .int(rowsOnlyInB)),
        .init("rows_changed", .int(rowsChanged)), .init("rows_equal", .int(rowsEqual)),
        .init("cells_changed", .int(cellsChanged)),
        .init("properties", JSONValue(properties.filter(\.isWorthNaming)) { $0.json }),
        .init("unpaired", JSONValue(unpaired) { $0.json }),
      ])
  }
}

extension EntityDifference.PairedProperty {
  /// A Boolean value indicating whether the names differ or a cell does.
  fileprivate var isWorthNaming: Bool { cellsChanged > 0 || name.newName != nil }

  fileprivate var json: JSONValue {
    .object(name.members + [.init("cells_changed", .int(cellsChanged))])
  }
}

extension EntityDifference.UnpairedProperty {
  fileprivate var json: JSONValue {
    .object(
      name.members + [
        .init("in", name.location),
        .init("values_in_a", .int(valuesInA)), .init("values_in_b", .int(valuesInB)),
      ])
  }
}

extension RelationshipDifference {
  fileprivate var json: JSONValue {
    .object(
      name.members + [
        .init("in", name.location),
        .init("links_only_in_a", .int(linksOnlyInA)), .init("links_only_in_b", .int(linksOnlyInB)),
        .init("links_changed", .int(linksChanged)), .init("links_equal", .int(linksEqual)),
      ])
  }
}
