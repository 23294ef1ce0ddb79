import Foundation
import Migrations
import StoreMigration

struct JournalStore {
  let store: URL
  let catalog: Catalog

  init(store: URL, migrations: URL) throws {
    self.store = store
    var contents: [String: [UInt8]] = [:]
    for file in try FileManager.default.contentsOfDirectory(
      at: migrations, includingPropertiesForKeys: nil)
    {
      contents[file.lastPathComponent] = Array(try Data(contentsOf: file))
    }
    catalog = try Catalog(migrationFiles: contents)
  }

  enum Failure: Error {
    case diskFull(neededBytes: Int64)
    case busy
    case failed(String)
  }

  func migrate(progress: (ApplyPhase) -> Void) throws {
    guard FileManager.default.fileExists(atPath: store.path) else { return }
    let migrator = StoreMigrator(catalog: catalog)
    let plan = try migrator.plan(for: store.path)
    guard plan.hasChanges else { return }
    guard try freeBytes() >= plan.neededBytes else {
      throw Failure.diskFull(neededBytes: plan.neededBytes)
    }
    do throws(MigrationError) {
      let report = try migrator.apply(to: store.path, progress: progress)
      print("migrated", report.from, "->", report.to, report.rowsWritten, "rows")
    } catch {
      // The next run removes what is left over.
      if error.isStoreReplaced { return }
      throw error.exitStatus == .inUse ? Failure.busy : Failure.failed(error.description)
    }
  }

  private func freeBytes() throws -> Int64 {
    let folder = store.deletingLastPathComponent().path
    let values = try FileManager.default.attributesOfFileSystem(forPath: folder)
    return (values[.systemFreeSize] as? NSNumber)?.int64Value ?? .max
  }
}
