import PlanWriting
import SafeText
import StoreMigration
import Migrations

extension StatusOutcome {
  func lines(_ style: Style) -> [String] {
    head(style) + section("", entityLines(style)) + profileLines
      + section(differenceTitle, differenceLines(style))
      + section("Disagreements", disagreements.map { "  " + $0.printable })
      + section("Not supported", recognition.unsupported.map { "  " + $0.printable })
      + section("Mirrors to CloudKit", mirroringLines)
      + section("Left by an interrupted run", report.remains.map { "  " + $0.printable })
      + report.warnings.section(style) + [""] + editionLines + conclusion(style)
  }

  /// The contradictions within the store, and with a given model; a missing cache is none.
  private var disagreements: [String] {
    recognition.match == .torn || lacksGivenModel ? recognition.disagreements : []
  }

  /// Whether the store has no model cache, and a given model isn't its own.
  private var lacksGivenModel: Bool { report.lacksModel && recognition.disagreements.count > 1 }

  private var editionLines: [String] {
    (exitStatus == .done ? recognition.version?.editionSentence : nil).map { [$0] } ?? []
  }

  private func head(_ style: Style) -> [String] {
    let log = report.walBytes > 0 ? " + \(report.walBytes.byteSize) log" : ""
    let use =
      report.holders.isEmpty
      ? "not in use" : "in use: \(report.holders.joined(separator: ", "))"
    var rows: [[Cell]] = [
      [
        "Store", Cell(report.path), Cell(report.mainBytes.byteSize + log),
        Cell(matchText, tone), Cell(use),
      ]
    ]
    if exitStatus != .done, let version = recognition.version {
      rows.append(["Nearest", Cell(version.title)])
    }
    return Columns(rows: rows, indent: 0).lines(style)
  }

  private var matchText: String {
    let name = recognition.version.map { $0.title + ", " } ?? ""
    switch recognition.match {
    case .exact: return name + "exact"
    case .partial: return name + "partial"
    case .torn: return "torn"
    case .unknown where recognition.abandoned != nil:
      return recognition.abandoned.map { "\($0.app) \($0.name), abandoned" } ?? ""
    case .unknown where report.lacksModel && report.recorded == nil: return "no model cache"
    case .unknown: return report.recorded.map { "\($0), by its receipt" } ?? "unknown"
    }
  }

  private var tone: Style.Tone {
    switch recognition.match {
    case .exact: .good
    case .partial: .changed
    case .unknown where report.recorded != nil: .changed
    case .torn, .unknown: .bad
    }
  }

  private func section(_ title: String, _ lines: [String]) -> [String] {
    if lines.isEmpty { return [] }
    return title.isEmpty ? [""] + lines : ["", title] + lines
  }

  private func entityLines(_ style: Style) -> [String] {
    let rows = report.entities.map { entity -> [Cell] in
      [Cell(entity.name), Cell(entity.rows.map { $0.counted("row") } ?? "")]
    }
    return Columns(rows: rows, rightAligned: [1]).lines(style)
  }

  private var profileLines: [String] {
    guard let profiles else { return [] }
    return profiles.isEmpty
      ? ["", "No user profile with an id for '--user-id'"]
      : section("User profiles, for '--user-id'", profiles.map { "  " + $0.printable })
  }

  private var mirroringLines: [String] {
    guard let mirroring = report.mirroring else { return [] }
    let counts = mirroring.counts.map { ["  rows: \($0)"] } ?? []
    let changes = mirroring.changes.map { "  the cloud can't follow: \($0.words)".printable }
    return counts + changes + ["  'apply' migrates the store only with '--cloudkit carry'"]
  }

  private var differenceTitle: String {
    let name = recognition.version?.name ?? "the nearest version"
    return "Differences from \(name)   + only in the store   - only in \(name)   ~ in both"
  }

  private func differenceLines(_ style: Style) -> [String] {
    Columns(rows: recognition.differences.map(\.cells), gap: 1).lines(style)
  }

  private func conclusion(_ style: Style) -> [String] {
    let path = report.path.shellPath
    if recognition.match != .torn, !recognition.unsupported.isEmpty {
      return [
        "outbox-migrate can't migrate what is listed above; only the app can migrate the store.",
        "To see what its migration would lose:  \(style.command(["lint", path]))",
      ]
    }
    switch recognition.match {
    case .exact:
      guard let newest else { return lastLines(path, style) }
      return ["To see what migrating to \(newest) would change:  \(style.command(["plan", path]))"]
    case .partial, .unknown:
      if let abandoned = recognition.abandoned {
        return [
          abandoned.note.printable,
          "To capture its schema:  \(style.command(["schema", "capture", path]))",
        ]
      }
      if let recorded = report.recorded { return recordedLines(recorded, path, style) }
      // A model that isn't the store's is of no use in the next command.
      let withoutModel = Style(isColored: style.isColored, migrations: style.migrations)
      if report.lacksModel { return modelLines(path, withoutModel) }
      let summary =
        recognition.isNewer
        ? "The store is newer than all known versions."
        : recognition.match == .partial
          ? "The store matches its version only partially." : "The store matches no known version."
      return [summary] + unknownLines(path, withoutModel, hasModel: !style.model.isEmpty)
    case .torn:
      return [
        "The store's metadata, model and tables disagree, so it can't be migrated.",
        "To see all checks:  \(style.command(["verify", path]))",
      ]
    }
  }

  /// Returns how to recognise a store that has no copy of its model.
  private func modelLines(_ path: String, _ style: Style) -> [String] {
    [
      "The store has no copy of its model; the app's model can say which version it is.",
      "To recognise the store by it:  "
        + style.command(["status", path, "--model", "MODEL"]),
    ]
  }

  /// Returns what to do with a store that no migration leads further.
  private func lastLines(_ path: String, _ style: Style) -> [String] {
    if let otherVersion {
      return [
        "To see what migrating to \(otherVersion) would change:  ".printable
          + style.command(["plan", path, "--to", otherVersion.shellWord])
      ]
    }
    if let gap { return ["Note: \(gap.printable)."] }
    guard recognition.version?.origin != nil else {
      return ["No migration leads to a newer version; nothing to do."]
    }
    return [
      "To see what migrating to another version of the model would change:  "
        + style.command(["plan", path, "--to", "NEW"])
    ]
  }

  /// Returns how to give a store of an unknown version a name and a target.
  private func unknownLines(_ path: String, _ style: Style, hasModel: Bool) -> [String] {
    let capture = [
      "schema", "capture", path, "--app", "APP", "--out", "VERSION.schema.json",
    ]
    let new = "NEW.schema.json"
    let status = style.command(["status", path, "--model", "MODEL"])
    let byModel = hasModel ? [] : ["To recognise it by the app's model:  \(status)"]
    return byModel + [
      "To capture its schema:  \(style.command(capture))",
      "To migrate it to a schema file, a model or the schema of a newer store:  "
        + style.command(["plan", path, "--to", new]),
      "To write the migration file that this may need:  "
        + style.command(["schema", "infer", path, new]),
      "See Documentation/WritingMigrations.md for a store of another app.",
    ]
  }

  /// Returns how to recognise the version that a run of the tool brought the store to.
  private func recordedLines(
    _ version: StatusReport.RecordedVersion, _ path: String, _ style: Style
  ) -> [String] {
    let capture = [
      "schema", "capture", path, "--app", version.app.shellWord, "--name", version.name.shellWord,
      "--out", "\(version.name).schema.json".shellPath,
    ]
    return [
      "outbox-migrate brought the store to \(version), whose model isn't given.".printable,
      "To recognise it by the app's model:  "
        + style.command(["status", path, "--model", "MODEL"]),
      "To capture its schema, for the folder of '--migrations':  \(style.command(capture))",
      "To see what migrating to a newer model would change:  "
        + style.command(["plan", path, "--to", "NEW.schema.json"]),
    ]
  }
}

extension ModelVersion {
  /// The app and the version, printable.
  var title: String { "\(app) \(name)".printable }

  /// A sentence that says what an edition is; `nil` for other versions.
  var editionSentence: String? {
    edition.map {
      "\($0) is an edition of \(baseName): another form of the model under the same number."
        .printable
    }
  }
}
