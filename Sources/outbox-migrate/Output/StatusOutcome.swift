import JSONText
import StoreMigration
import StoreModel
import Migrations
import StoreFormat

/// The report of `status` on one store.
struct StatusOutcome: Report {
  let report: StatusReport

  /// The version that the store can be migrated to, or `nil`.
  let newest: String?

  /// The version of `--model` that the store could be migrated to, or `nil`.
  let otherVersion: String?

  /// A sentence about newer versions that no migration leads to, or `nil`.
  let gap: String?

  /// The ids of the user profiles; `nil` if they aren't to be shown.
  let profiles: [String]?

  var recognition: Recognition { report.recognition }

  var exitStatus: ExitStatus {
    switch recognition.match {
    case .exact, .partial: .done
    case .torn, .unknown: .unknownStore
    }
  }

  var members: [JSONValue.Member] {
    let isCertain = exitStatus == .done
    let known = VersionName(
      isCertain ? recognition.version : nil, abandoned: recognition.abandoned)
    return [.init("store", .string(report.path))] + known.members + [
      .init("match", .string(recognition.match.rawValue)),
      .init("identifiers", JSONValue(report.versionIdentifiers) { .string($0) }),
      .init(
        "entities",
        JSONValue(report.entities) {
          ["name": .string($0.name), "rows": $0.rows.map { .int($0) } ?? .null]
        }),
      .init("profiles", profiles.map { JSONValue($0) { .string($0) } } ?? .null),
      .init("nearest", nearest(unless: recognition.match == .exact)),
      .init("differences", JSONValue(recognition.differences) { $0.json }),
      .init("disagreements", JSONValue(recognition.disagreements) { .string($0) }),
      .init("unsupported", JSONValue(recognition.unsupported) { .string($0) }),
      .init("cloudkit", report.mirroring.map { $0.json } ?? .null),
      .init("recorded", report.recorded.map { $0.json } ?? .null),
      .init("newest", JSONValue(newest)),
      .init("in_use", JSONValue(report.holders) { .string($0) }),
      .init("remains", JSONValue(report.remains) { .string($0) }),
      .init("warnings", JSONValue(report.warnings) { $0.json }),
      .init("bytes", ["main": .int(report.mainBytes), "wal": .int(report.walBytes)]),
    ]
  }

  private func nearest(unless isExact: Bool) -> JSONValue {
    guard !isExact, let version = recognition.version else { return nil }
    return .object(VersionName(version).members)
  }
}

extension StatusReport.Mirroring {
  fileprivate var json: JSONValue {
    [
      "records": counts.map { .int($0.records) } ?? .null,
      "uploads": counts.map { .int($0.uploads) } ?? .null,
      "deletions": counts.map { .int($0.deletions) } ?? .null,
      "changes": JSONValue(changes) {
        [
          "kind": .string($0.kind.rawValue), "object": .string($0.object),
          "new": JSONValue($0.newName),
        ]
      },
    ]
  }
}

extension StatusReport.RecordedVersion {
  fileprivate var json: JSONValue { ["app": .string(app), "version": .string(name)] }
}

/// The three JSON members that name a version.
struct VersionName: Hashable {
  let version: ModelVersion?

  /// The abandoned edition that the store matches, instead of a version.
  let abandoned: AbandonedEdition?

  init(_ version: ModelVersion?, abandoned: AbandonedEdition? = nil) {
    self.version = version
    self.abandoned = abandoned
  }

  var members: [JSONValue.Member] {
    [
      .init("app", JSONValue(abandoned?.app ?? version?.app)),
      .init("version", JSONValue(version?.baseName)),
      .init("edition", JSONValue(abandoned?.name ?? version?.edition)),
    ]
  }
}
