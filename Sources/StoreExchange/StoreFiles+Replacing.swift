import Platform
package import SQLite
package import StoreFormat
import StoreAccess

/// What is refused before a run writes anything (a, b); a plan asks the same.
extension StoreFiles {
  /// Throws if there isn't enough room beside the store.
  func checkRoom(_ connection: borrowing Connection, typed path: String) throws {
    let (needed, free) = (try neededBytes(connection), try FileSystem.freeBytes(at: folder))
    guard needed <= free else { throw ExchangeError.noRoom(path, needed: needed, free: free) }
  }

  /// Throws if the main file has other hard links, which would keep the old content.
  func checkLinks(_ status: FileStatus, typed path: String) throws(ExchangeError) {
    guard status.linkCount == 1 else {
      throw .hasOtherLinks(path, count: UInt64(status.linkCount))
    }
  }

  /// Throws if the folder of external data has something that isn't a file.
  func checkExternalData(typed path: String) throws {
    guard let folder = try openExternalData() else { return }
    for name in try folder.list() where try folder.status(of: name).kind != .regular {
      throw ExchangeError.unsupportedExternalFile(path, folder: supportFolderName)
    }
  }

  /// Returns the errors with which a run that replaces the store would end, without writing.
  ///
  /// - Parameters:
  ///   - connection: A connection to the store.
  ///   - path: The path as it was typed.
  /// - Returns: The errors, in the order in which a run would find them.
  package func obstacles(_ connection: borrowing Connection, typed path: String) -> [any Error] {
    var errors: [any Error] = []
    func attempt(_ check: () throws -> Void) {
      do { try check() } catch { errors.append(error) }
    }
    attempt { try checkFilePermissions(typed: path) }
    do { try checkRoom(connection, typed: path) } catch { errors.append(error) }
    attempt { try checkLinks(FileStatus(of: self.path), typed: path) }
    attempt { try checkExternalData(typed: path) }
    attempt { try checkFolder() }
    attempt { _ = try parkedFiles }
    return errors
  }

  private func checkFilePermissions(typed path: String) throws {
    for file in [self.path, wal] where try FileSystem.exists(file) {
      try FileSystem.checkWritable(file)
    }
    let version = try FileDescriptor(opening: self.path).read(1, at: 18)
    // SQLite opens a file with a higher write version for reading only:
    // <https://www.sqlite.org/fileformat.html#file_format_version_numbers>
    if let version = version.first, version > 2 { throw StoreAccessError.readOnly(path) }
  }

  /// Throws if a snapshot's folder can't be created.
  private func checkFolder() throws(StoreAccessError) {
    do throws(SystemError) {
      try FileSystem.checkWritable(folder)
      if try openFolder().directoryIfPresent(snapshotsName) != nil {
        try FileSystem.checkWritable("\(folder)/\(snapshotsName)")
      }
      _ = try SnapshotFolder.all(of: self)
    } catch {
      throw .cannotCreate(error)
    }
  }
}
