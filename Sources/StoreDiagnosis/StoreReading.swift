import Migrations
import SQLite
import StoreFormat
import StoreMigration
import StoreModel

/// What an open store's rows and the app's versions show.
struct StoreReading {
  let path: String
  let store: StoreDescription
  let recognition: Recognition
  let files: StoreFiles
  let versions: [ModelVersion]

  init(path: String, inspection: borrowing StoreInspection, versions: [ModelVersion]) {
    (self.path, self.versions) = (path, versions)
    (store, recognition, files) = (inspection.store, inspection.recognition, inspection.files)
  }

  /// Returns the causes.
  ///
  /// - Parameter connection: A connection to the store, in a transaction.
  /// - Returns: The causes.
  /// - Throws: A ``SQLiteError`` if a page can't be read.
  func causes(_ connection: borrowing Connection) throws -> [Diagnosis.Cause] {
    try Self.contentCauses(of: store, files: files, path: path, connection)
      + (versions.isEmpty ? shippedVersions : [])
  }

  /// Returns the causes that damage, rows, values and triggers show.
  static func contentCauses(
    of store: StoreDescription, files: StoreFiles, path: String,
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> [Diagnosis.Cause] {
    var causes: [Diagnosis.Cause] = []
    let damage = try DamagedTables(store: store, model: store.cachedModel)
      .cause(path: path, connection)
    causes += [damage].compactMap(\.self)
    let findings = try StoreCheck(store, files: files).contentFindings(connection)
    causes += Diagnosis.Cause.content(findings, path: path)
    if let model = store.cachedModel {
      let types = try CellTypes(store: store, model: model).cause(path: path, connection)
      causes += [types, triggers(of: store)].compactMap(\.self)
    }
    return causes
  }

  /// The cause of triggers that Core Data doesn't create; `nil` if there are none.
  private static func triggers(of store: StoreDescription) -> Diagnosis.Cause? {
    let names = store.strangeTriggers.map(\.name)
    guard !names.isEmpty else { return nil }
    return Diagnosis.Cause(
      code: .strangeTriggers,
      sentence: "the store has triggers that Core Data doesn't create: they change rows when the "
        + "app saves, or make saving fail",
      evidence: ["triggers: \(AppComparison.list(names))"],
      next: [.advice("find out which program created them, and drop them in a copy")])
  }

  /// Returns whether every table of the app is empty.
  func hasNoRows(_ connection: borrowing Connection) throws(SQLiteError) -> Bool {
    guard let model = store.cachedModel else { return false }
    let layout = store.layout(of: model)
    for table in layout.tables where store.table(named: table.name) != nil {
      do throws(SQLiteError) {
        let row = try connection.value(
          "SELECT 1 FROM \(qualified(table.name, in: "main")) LIMIT 1")
        if row?.isNull == false { return false }
      } catch {
        guard error.isCorrupt else { throw error }
        return false
      }
    }
    return !layout.tables.isEmpty
  }

  /// The causes that the versions of known apps show, if none was given.
  private var shippedVersions: [Diagnosis.Cause] {
    guard recognition.match != .torn, let version = recognition.version else { return [] }
    let differences = recognition.differences.prefix(8).map { "  \($0.words)" }
    if let abandoned = recognition.abandoned {
      return [
        unknown(
          "the store has '\(abandoned.name)' of \(abandoned.app), a model that was abandoned",
          version, differences)
      ]
    }
    guard recognition.match == .partial else { return [] }
    if recognition.isNewer {
      return [
        Diagnosis.Cause(
          code: .newerStore,
          sentence: "the store is newer than all known versions of \(version.app)",
          errors: [.backward, .unknownVersion],
          evidence: [
            "its version is '\(store.metadata?.versionIdentifiers.joined(separator: ", ") ?? "")'"
          ],
          next: [.advice("install the newest version of the app"), .command(["status", path])])
      ]
    }
    return [
      unknown("no shipped version of \(version.app) has the store's model", version, differences)
    ]
  }

  private func unknown(
    _ sentence: String, _ version: ModelVersion, _ differences: [String]
  ) -> Diagnosis.Cause {
    Diagnosis.Cause(
      code: .unknownModel, sentence: sentence, errors: [.unknownVersion, .noSourceModel],
      evidence: ["the nearest is '\(version.name)', from which the store differs:"] + differences,
      next: [.command(["status", path]), .command(["schema", "capture", path])])
  }

  /// Returns what wasn't checked, or can't be known.
  ///
  /// A store whose log was left behind is whole without it, as of an earlier day: only the log's
  /// index proves that rows are missing.
  ///
  /// - Parameters:
  ///   - lacksLog: Whether the log may have been left behind.
  ///   - isEmpty: Whether no table has a row.
  /// - Returns: Sentences without final periods.
  func notes(lacksLog: Bool, isEmpty: Bool) -> [String] {
    var notes: [String] = []
    if lacksLog {
      notes.append(
        (isEmpty ? "no table has a row, and " : "")
          + "there is no '\(path)-wal': if the app's folder has one, copy it, because it has the "
          + "newest rows" + (isEmpty ? "; else the app never saved" : ""))
    }
    if store.cachedModel == nil, store.modelCacheCount == 0, store.metadata != nil {
      notes.append(
        "the store has no model cache, so its tables and rows weren't checked, only the file and the "
          + "metadata; give the store's model with '--model'")
    }
    if versions.isEmpty {
      notes.append(
        "the store wasn't compared with the app's model; give its versions with '--app-version'")
    }
    let unknown = versions.filter { !$0.model.entitiesWithoutHash.isEmpty }
    if !unknown.isEmpty {
      notes.append(
        "hashes of \(unknown.map { "'\($0.name)'" }.joined(separator: ", ")) aren't all known, so "
          + "a difference may be none")
    }
    return notes
  }
}
