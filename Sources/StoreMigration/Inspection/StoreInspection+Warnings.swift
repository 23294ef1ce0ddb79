import StoreAccess
import StoreExchange
package import StoreFormat

extension StoreInspection {
  /// The warnings about the store's files.
  package var warnings: [PlanWarning] { lacksLog ? [.missingLog(of: files.name)] : [] }
}

extension StoreFiles {
  /// Returns the warnings about the files of the store at a path; empty if there is no store.
  package static func warnings(about path: String) -> [PlanWarning] {
    guard let files = try? StoreFiles(resolving: path), (try? files.lacksLog) == true else {
      return []
    }
    return [.missingLog(of: path)]
  }
}

extension PlanWarning {
  /// The warning about a log that may have been left behind when the store was copied.
  fileprivate static func missingLog(of store: String) -> PlanWarning {
    PlanWarning(
      code: "missing-log", rows: 0,
      message: "there is no '\(store)-wal' beside the store; Apple's systems keep the newest "
        + "rows in it: did you copy all files?")
  }
}
