public import Foundation
import Migrations
public import StoreMigration

/// Upgrades an app's store to the newest version, before SwiftData opens it.
///
/// Run it before the app creates a `ModelContainer`: the store must not be open. It waits for the
/// disk, so run it outside of the main actor.
public struct StoreUpgrader: Sendable {
  /// How an upgrade ended.
  ///
  /// The store is whole in each case.
  public enum Outcome: Equatable, Sendable {
    /// There is no store yet, or it is at the newest version.
    case current

    /// The store was upgraded from the named version to the newest.
    case upgraded(from: String)

    /// The store stays as it was, because the disk lacks this many bytes.
    case diskFull(missingBytes: Int64)

    /// The store stays as it was; try again later, because something else uses it.
    case busy

    /// The store stays as it was, because the upgrade was cancelled.
    case cancelled

    /// The store stays as it was, for the reason in the text, which has no values of rows.
    case failed(String)
  }

  private let store: URL
  private let catalog: Catalog
  private let request: MigrationRequest
  private let protection: FileProtectionType?

  /// Creates an upgrader.
  ///
  /// - Parameters:
  ///   - store: The store's main file: `ModelConfiguration().url`, unless the app names another. In
  ///     an app with an app group, SwiftData keeps it in the group's container.
  ///   - migrations: The folder of the schema and migration files.
  ///   - acceptedLosses: The steps that may drop values, such as `V1-V2:Book.shelfName`.
  ///   - protection: The protection class of the store's files; `nil` for that of new files in
  ///     their folder. An app that gives its store another class gives the same here.
  /// - Throws: An error that names the file, line and column, if one of these files is wrong.
  public init(
    store: URL, migrations: URL, acceptedLosses: [String] = [],
    protection: FileProtectionType? = nil
  ) throws {
    self.store = store
    self.protection = protection
    request = MigrationRequest(acceptedLosses: acceptedLosses)
    var contents: [String: [UInt8]] = [:]
    for file in try FileManager.default.contentsOfDirectory(
      at: migrations, includingPropertiesForKeys: nil)
    where file.pathExtension == "json" {
      contents[file.lastPathComponent] = Array(try Data(contentsOf: file))
    }
    catalog = try Catalog(migrationFiles: contents)
  }

  /// Upgrades the store.
  ///
  /// If the process is killed, the store is the old or the new one, and the next call completes the
  /// work.
  ///
  /// - Parameters:
  ///   - progress: A closure to call at the beginning of each phase.
  ///   - isCancelled: A closure that returns `true` once the upgrade is to end early. Any thread
  ///     calls it, often.
  /// - Returns: How the upgrade ended.
  public func run(
    progress: (ApplyPhase) -> Void = { _ in },
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) -> Outcome {
    guard FileManager.default.fileExists(atPath: store.path) else { return .current }
    let migrator = StoreMigrator(catalog: catalog, isCancelled: isCancelled)
    do throws(MigrationError) {
      let plan = try migrator.plan(for: store.path, request)
      if let missing = missingBytes(of: plan.neededBytes), plan.hasChanges {
        return .diskFull(missingBytes: missing)
      }
      // Of a store at the newest version, this removes what a killed run left.
      let report = try migrator.apply(to: store.path, request, progress: progress)
      setAttributes()
      return report.hasChanges ? .upgraded(from: report.from) : .current
    } catch {
      if error.isStoreReplaced {
        // The next run removes what is left over.
        setAttributes()
        return .current
      }
      if error.isCancelled { return .cancelled }
      return error.exitStatus == .inUse ? .busy : .failed(error.description)
    }
  }

  /// Returns whether a widget or an extension can open the store: it exists, at the newest version.
  ///
  /// Only the app upgrades the store.
  public func isCurrent() -> Bool {
    let plan = try? StoreMigrator(catalog: catalog).plan(for: store.path, request)
    return plan?.hasChanges == false
  }

  /// Removes the snapshots of earlier upgrades except the newest.
  ///
  /// Call it when the app has worked with the new store for a while. An upgrade can't be rolled back
  /// once its snapshot is removed. Does nothing if the store is in use.
  public func pruneSnapshots() {
    _ = try? StoreMigrator(catalog: catalog).pruneSnapshots(of: store.path, keeping: 1)
  }

  /// The number of bytes that the disk lacks; `nil` if it has enough, or doesn't say.
  private func missingBytes(of needed: Int64) -> Int64? {
    let folder = store.deletingLastPathComponent().path
    let values = try? FileManager.default.attributesOfFileSystem(forPath: folder)
    let free = (values?[.systemFreeSize] as? NSNumber)?.int64Value
    guard let free, free < needed else { return nil }
    return needed - free
  }

  /// Gives the store's files their protection class, and leaves the snapshots out of backups.
  ///
  /// A new file has its folder's class. A backup has the store; its snapshots would only make it
  /// larger.
  private func setAttributes() {
    #if canImport(Darwin)
      var snapshots = URL(filePath: store.path + ".snapshots")
      var values = URLResourceValues()
      values.isExcludedFromBackup = true
      try? snapshots.setResourceValues(values)
      guard let protection else { return }
      let name = store.deletingPathExtension().lastPathComponent
      let external = store.deletingLastPathComponent().appending(path: ".\(name)_SUPPORT")
      var paths = [store.path, store.path + "-wal", store.path + "-shm"]
      for folder in [snapshots, external] {
        let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap {
          $0 as? String
        }
        paths += [folder.path] + (names ?? []).map { folder.appending(path: $0).path }
      }
      for path in paths {
        // Not every one of these files exists.
        try? FileManager.default.setAttributes([.protectionKey: protection], ofItemAtPath: path)
      }
    #endif
  }
}
