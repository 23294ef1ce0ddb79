import SQLite
import StoreFormat

extension StoreMigrator {
  /// Checks a store by itself, leaving every byte of it as it was; any app's store will do.
  ///
  /// - Throws: A ``MigrationError`` if the file isn't a store that can be read at all. What is wrong with
  ///   one that can is in the report.
  public func verify(_ path: String) throws(MigrationError) -> VerifyReport {
    let inspection = try StoreInspection(path: path, catalog: catalog)
    let findings: [Finding]
    do {
      findings = try StoreCheck(inspection.store, files: inspection.files)
        .findings(inspection.connection)
    } catch {
      throw MigrationError(.sqlite(error), path: path)
    }
    return VerifyReport(path: path, recognition: inspection.recognition, findings: findings)
  }
}

extension VerifyReport {
  init(path: String, recognition: Recognition, findings: [Finding]) {
    let failures = findings.filter { $0.severity == .failure }
    let shown = Finding.Check.allCases.filter { $0 != .ledger && $0 != .history }
    self.init(
      path: path, recognition: recognition,
      checks: shown.map { check in
        let details = failures.filter { $0.check == check }.map(\.message)
        return Check(name: check.rawValue, isPassed: details.isEmpty, details: details)
      },
      warnings: findings.filter { $0.severity == .warning }.map(\.message))
  }
}
