package import Migrations
import Platform
import SQLite
import StoreAccess
import StoreFormat
package import StoreMigration
import StoreModel

extension StoreMigrator {
  /// Finds out why an app can't open a store, without changing a byte or a time stamp.
  ///
  /// - Parameters:
  ///   - path: The path of the store's main file.
  ///   - versions: The app's versions in the order of its migration plan, its own model last;
  ///     empty to check the store alone.
  /// - Returns: The causes; empty if nothing was found.
  /// - Throws: A ``MigrationError`` if a file can't be read for a reason that isn't a cause, or if
  ///   the store was written to in the meantime.
  /// - Complexity: O(n) in the size of the store, in constant memory.
  package func diagnose(
    _ path: String, appVersions versions: [ModelVersion] = []
  ) throws(MigrationError) -> Diagnosis {
    let surroundings = Surroundings(files: StoreFiles(path: path), path: path)
    if let cause = missingMainFile(path) {
      return Diagnosis(path: path, causes: [cause], notes: [])
    }
    do throws(MigrationError) {
      let found = try reported(path) { try examination(of: path, versions) }
      // It opens the store once more, in a turn of its own.
      let faults = found.comparison?.faultsOfMigration ?? []
      return Diagnosis(
        path: path, causes: found.causes + faults, notes: found.notes,
        checksTables: found.checksTables)
    } catch {
      guard case .access(let access) = error.cause,
        let cause = Diagnosis.Cause(access, path: path)
      else { throw error }
      let others = [surroundings.unreadable, surroundings.readOnly].compactMap(\.self)
      return Diagnosis(
        path: path, causes: others + [cause],
        notes: ["the store can't be read, so its tables and its model weren't checked"])
    }
  }

  /// Returns the cause if a store's log is there without the store.
  private func missingMainFile(_ path: String) -> Diagnosis.Cause? {
    guard (try? FileSystem.exists(path)) == false,
      (try? FileSystem.exists(StoreFiles(path: path).wal)) == true
    else { return nil }
    return Diagnosis.Cause(
      code: .noMainFile,
      sentence: "the store's main file is missing, and its log is there: the app creates an empty "
        + "store, whose log replaces this one",
      evidence: ["'\(path)-wal' is there, '\(path)' isn't"],
      next: [.advice("put the main file back before the app starts")])
  }

  /// What one reading of a store shows.
  private struct Examination {
    let causes: [Diagnosis.Cause]
    let notes: [String]
    let checksTables: Bool
    let comparison: AppComparison?
  }

  private func examination(of path: String, _ versions: [ModelVersion]) throws -> Examination {
    let inspection = try StoreInspection(path: path, catalog: catalog)
    let files = inspection.files
    let surroundings = Surroundings(files: files, path: path)
    var causes = [surroundings.unreadable, surroundings.readOnly, surroundings.unusableLog]
      .compactMap(\.self)
    let free = try? FileSystem.freeBytes(at: files.folder)
    causes += [free.flatMap { surroundings.noRoom(free: $0) }].compactMap(\.self)
    causes += try surroundings.leftovers()
    if !inspection.holders.isEmpty {
      causes.append(.inUse(inspection.holders.map(\.description)))
    }
    causes += Diagnosis.Cause.structural(inspection.store, path: path)
    var notes = surroundings.notes
    let read = StoreReading(path: path, inspection: inspection, versions: versions)
    let hashes = inspection.store.metadata?.hashes
    // Stores of older systems have no model cache; the version with their hashes has their model.
    let model = inspection.store.cachedModel ?? versions.first { $0.hashes == hashes }?.model
    let comparison = model.map {
      AppComparison(
        migrator: self, path: path, store: inspection.store, model: $0, versions: versions)
    }
    if comparison == nil, !versions.isEmpty {
      let names = hashes?.entities.keys.sorted() ?? []
      causes += [AppComparison.otherApp(names, versions, path: path)].compactMap(\.self)
      notes.append("no model of the store is known, so it wasn't compared with the app's versions")
    }
    try inspection.reading {
      try inspection.connection.begin(.deferred)
      causes += try read.causes(inspection.connection)
      causes += try comparison?.causes(inspection.connection) ?? []
      notes += read.notes(
        lacksLog: inspection.lacksLog, isEmpty: try read.hasNoRows(inspection.connection))
    }
    return Examination(
      causes: inspection.store.isMirrored ? causes.map(\.withoutRepair) : causes, notes: notes,
      checksTables: inspection.store.cachedModel != nil, comparison: comparison)
  }
}

extension Diagnosis.Cause {
  fileprivate static func inUse(_ holders: [String]) -> Diagnosis.Cause {
    Diagnosis.Cause(
      code: .inUse, sentence: "another process has the store open", errors: [.sqliteBusy],
      evidence: holders, next: [.advice("quit it, then try again")])
  }
}
