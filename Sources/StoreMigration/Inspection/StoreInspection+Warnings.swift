import Platform
import StoreAccess
import StoreExchange
package import StoreFormat

extension StoreInspection {
  /// The warnings about the store's files.
  package var warnings: [PlanWarning] {
    lacksLog
      ? [.missingLog(of: files.name)]
      : unfinishedLog.map { [.unfinishedLog($0, of: files.name)] } ?? []
  }
}

extension StoreFiles {
  /// Returns the warnings about the files of the store at a path; empty if there is no store.
  ///
  /// They are those of a ``StoreInspection``, for a store that can't be opened.
  package static func warnings(about path: String) -> [PlanWarning] {
    guard let files = try? StoreFiles(resolving: path) else { return [] }
    if (try? files.lacksLog) == true { return [.missingLog(of: path)] }
    guard let log = try? UnfinishedLog(of: files),
      (try? lockHolders(of: files.path))?.isEmpty == true
    else { return [] }
    return [.unfinishedLog(log, of: path)]
  }
}

extension PlanWarning {
  /// The warning about the end of a log that SQLite leaves out.
  fileprivate static func unfinishedLog(_ log: UnfinishedLog, of store: String) -> PlanWarning {
    let reason =
      log.isDamaged
      ? "it was cut or changed, by a copy of a store in use or a loss of power, and rows may be missing: "
        + "copy all files again, while the app isn't running. A command that writes keeps a copy of the log as "
        + "'\(store)\(StoreFiles.unfinishedLogSuffix)'"
      : "the app was stopped while it wrote"
    return PlanWarning(
      code: "unfinished-log", rows: 0,
      message:
        "SQLite leaves out the last \(log.bytes) bytes of '\(store)-wal', because no finished "
        + "transaction has them; \(reason)")
  }

  /// The warning about a log that may have been left behind when the store was copied.
  fileprivate static func missingLog(of store: String) -> PlanWarning {
    PlanWarning(
      code: "missing-log", rows: 0,
      message: "there is no '\(store)-wal' beside the store; Apple's systems keep the newest "
        + "rows in it: did you copy all files?")
  }
}
