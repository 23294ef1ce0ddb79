import SQLite
import StoreFormat

extension StoreMigrator {
  /// Checks a store by itself, leaving every byte of it as it was; any app's store will do.
  ///
  /// - Throws: A ``MigrationError`` if the file isn't a store that can be read at all, or has no model
  ///   to check it by. What is wrong with one that can be checked is in the report.
  public func verify(_ path: String) throws(MigrationError) -> VerifyReport {
    let inspection = try StoreInspection(path: path, catalog: catalog)
    let store = inspection.store
    if store.hasNothingToCheckBy { throw .noModel(path, reasons: store.problems) }
    let findings: [Finding]
    do {
      findings = try StoreCheck(store, files: inspection.files).findings(inspection.connection)
    } catch {
      throw MigrationError(.sqlite(error), path: path)
    }
    return VerifyReport(path: path, recognition: inspection.recognition, findings: findings)
  }
}

extension StoreDescription {
  /// A Boolean value indicating whether nothing tells the model.
  ///
  /// Systems that wrote no cache yet left nothing wrong behind (`StoreFormat.md` §3.3).
  fileprivate var hasNothingToCheckBy: Bool {
    modelCacheCount == 0 || (cachedModel == nil && metadata == nil)
  }
}

extension VerifyReport {
  init(path: String, recognition: Recognition, findings: [Finding]) {
    let shown = Finding.Check.allCases.filter { $0 != .ledger }
    self.init(
      path: path, recognition: recognition,
      checks: shown.map { check in
        let details = findings.filter { $0.check == check && $0.severity == .failure }
          .map(\.message)
        return Check(name: check.rawValue, isPassed: details.isEmpty, details: details)
      },
      warnings: findings.filter { $0.severity == .warning }.map(\.message))
  }
}
