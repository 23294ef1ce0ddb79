public import Foundation
import Migrations
public import StoreMigration

/// Brings an app's store to the newest version, before SwiftData opens it.
///
/// Run it before the app creates a `ModelContainer`: the store must not be open. It waits for the
/// disk, so run it outside of the main actor.
public struct StoreUpgrade: Sendable {
  /// How an upgrade ended.
  ///
  /// The store is whole in each case.
  public enum Outcome: Equatable, Sendable {
    /// There is no store yet, or it is at the newest version.
    case current

    /// The store was brought from the named version to the newest.
    case upgraded(from: String)

    /// The store stays as it was, because the disk lacks this many bytes.
    case diskFull(missingBytes: Int64)

    /// The store stays as it was, because another process has it open: try again later.
    case inUse

    /// The store stays as it was, for the reason in the text, which has no values of rows.
    case failed(String)
  }

  private let store: URL
  private let migrator: StoreMigrator
  private let request: MigrationRequest

  /// Creates an upgrade.
  ///
  /// - Parameters:
  ///   - store: The store's main file. In an app group, it is in the group's container.
  ///   - migrations: The folder of the schema and migration files.
  ///   - acceptedLosses: The steps that may drop values, such as `V1-V2:Book.shelfName`.
  /// - Throws: An error that names the file, line and column, if one of these files is wrong.
  public init(store: URL, migrations: URL, acceptedLosses: [String] = []) throws {
    self.store = store
    request = MigrationRequest(acceptedLosses: acceptedLosses)
    var contents: [String: [UInt8]] = [:]
    for file in try FileManager.default.contentsOfDirectory(
      at: migrations, includingPropertiesForKeys: nil)
    where file.pathExtension == "json" {
      contents[file.lastPathComponent] = Array(try Data(contentsOf: file))
    }
    migrator = StoreMigrator(catalog: try Catalog(migrationFiles: contents))
  }

  /// Upgrades the store.
  ///
  /// If the process is killed, for example because the app was in the background for too long, the
  /// store is the old or the new one, and the next call completes the work.
  ///
  /// - Parameter progress: A closure to call at the beginning of each phase.
  /// - Returns: How the upgrade ended.
  public func run(progress: (ApplyPhase) -> Void = { _ in }) -> Outcome {
    guard FileManager.default.fileExists(atPath: store.path) else { return .current }
    do throws(MigrationError) {
      let plan = try migrator.plan(for: store.path, request)
      guard plan.hasChanges else { return .current }
      if let missing = missingBytes(of: plan.neededBytes) {
        return .diskFull(missingBytes: missing)
      }
      let report = try migrator.apply(to: store.path, request, progress: progress)
      protectFiles()
      return .upgraded(from: report.from)
    } catch {
      return error.exitStatus == .inUse ? .inUse : .failed(error.description)
    }
  }

  /// Removes the snapshots of earlier upgrades but the newest.
  ///
  /// Call it when the app has worked with the new store for a while: an older version of the app
  /// can't be given its store back from a snapshot that is gone.
  public func pruneSnapshots() {
    _ = try? migrator.pruneSnapshots(of: store.path, keeping: 1)
  }

  /// The number of bytes that the disk lacks; `nil` if it has enough, or doesn't say.
  private func missingBytes(of needed: Int64) -> Int64? {
    #if canImport(Darwin)
      // What the system can free for something important counts as free.
      let values = try? store.resourceValues(forKeys: [.volumeAvailableCapacityForImportantUsageKey]
      )
      let free = values?.volumeAvailableCapacityForImportantUsage
    #else
      let folder = store.deletingLastPathComponent().path
      let values = try? FileManager.default.attributesOfFileSystem(forPath: folder)
      let free = (values?[.systemFreeSize] as? NSNumber)?.int64Value
    #endif
    guard let free, free < needed else { return nil }
    return needed - free
  }

  /// Gives the new files the store's data protection, and leaves the snapshots out of backups.
  ///
  /// A new file has its folder's class of protection, which may be another than the app gave to
  /// the old file. A backup has the store; its snapshots would only make it larger.
  private func protectFiles() {
    #if canImport(Darwin)
      var snapshots = URL(fileURLWithPath: store.path + ".snapshots")
      var values = URLResourceValues()
      values.isExcludedFromBackup = true
      try? snapshots.setResourceValues(values)
    #endif
    #if os(iOS)
      // Not `.complete`: an app that is upgraded in the background couldn't read its store.
      let files = FileManager.default
      for path in [store.path, store.path + ".snapshots"] {
        try? files.setAttributes(
          [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication],
          ofItemAtPath: path)
      }
    #endif
  }
}
