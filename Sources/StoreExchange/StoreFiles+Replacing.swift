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
    try checkFreeFiles(FileSystem.freeFiles(at: folder), typed: path)
  }

  /// Throws if the file system can't hold the files of a run; `nil` if it doesn't count files.
  func checkFreeFiles(_ free: Int64?, typed path: String) throws {
    guard let free else { return }
    let needed = try neededFiles
    guard needed <= free else { throw ExchangeError.noFreeFiles(path, needed: needed, free: free) }
  }

  /// Throws if the main file has other hard links, which would keep the old content.
  func checkLinks(_ status: FileStatus, typed path: String) throws(ExchangeError) {
    guard status.linkCount == 1 else {
      throw .hasOtherLinks(path, count: UInt64(status.linkCount))
    }
  }

  /// Throws if a name or path that a run or its rollback needs would be too long.
  ///
  /// Names have at most 255 bytes. SQLite opens paths of at most 512 bytes, with `-journal` behind
  /// the name (`MAX_PATHNAME` in its source).
  func checkNames(from: String, to: String, typed path: String) throws(ExchangeError) {
    // The number of a run within its second has up to three digits.
    let snapshot = SnapshotFolder(files: self, name: "\(from)-\(to)-20261121T015800Z-999")
    let longestName = snapshot.parkedName + Directory.draftSuffix
    let longestPath = max(snapshot.mainFile.path.utf8.count, snapshot.file(.edited).path.utf8.count)
    guard longestName.utf8.count <= 255, longestPath + "-journal".utf8.count <= 512 else {
      throw .nameTooLong(path)
    }
  }

  /// Throws if the folder of external data has something that isn't a file, or can't be read.
  package func checkExternalData(typed path: String) throws {
    guard let folder = try openExternalData() else { return }
    for name in try folder.list() {
      guard try folder.status(of: name).kind == .regular else {
        throw ExchangeError.unsupportedExternalFile(
          path, name: "\(supportFolderName)/_EXTERNAL_DATA/\(name)")
      }
      _ = try folder.open(name)
    }
  }

  /// Throws if the system forbids this user to replace the store's files in their folder.
  ///
  /// A sticky folder lets only its owner, a file's owner and root rename or remove the file. No
  /// name in an append-only folder can be replaced.
  func checkReplaceable() throws {
    let beside = try openFolder()
    if beside.isProtected { throw ExchangeError.protected(folder) }
    if try beside.statusIfPresent(of: snapshotsName)?.kind == .directory,
      try beside.directory(snapshotsName).isProtected
    {
      throw ExchangeError.protected("\(self.path).snapshots")
    }
    let (status, user) = (try FileStatus(of: folder), effectiveUserID)
    guard status.isSticky, user != 0, status.owner != user else { return }
    for name in [name, walName, sharedMemoryName, journalName] {
      guard let file = try beside.statusIfPresent(of: name), file.owner != user else { continue }
      throw ExchangeError.ownedByOther("\(folder)/\(name)")
    }
  }

  /// Returns the errors with which a run that replaces the store would end, without writing.
  ///
  /// - Parameters:
  ///   - connection: A connection to the store.
  ///   - from: The store's version.
  ///   - to: The version that the run would bring it to.
  ///   - path: The path as it was typed.
  /// - Returns: The errors, in the order in which a run would find them.
  package func obstacles(
    _ connection: borrowing Connection, from: String, to: String, typed path: String
  ) -> [any Error] {
    var errors: [any Error] = []
    func attempt(_ check: () throws -> Void) {
      do { try check() } catch { errors.append(error) }
    }
    attempt { try checkFilePermissions(typed: path) }
    do { try checkRoom(connection, typed: path) } catch { errors.append(error) }
    attempt { try checkParkedFiles() }
    attempt { try checkLinks(FileStatus(of: self.path), typed: path) }
    attempt { try checkExternalData(typed: path) }
    attempt { try checkReplaceable() }
    attempt { try checkNames(from: from, to: to, typed: path) }
    attempt { try checkFolder() }
    attempt { try checkOwner(typed: path) }
    return errors
  }

  /// Throws if a new file is known to get another owner than the store.
  private func checkOwner(typed path: String) throws {
    let (owner, user) = (try FileStatus(of: self.path).owner, effectiveUserID)
    guard user != 0, owner != user, try openFolder().keepsOwners else { return }
    throw ExchangeError.otherOwner(path, owner: owner)
  }

  private func checkFilePermissions(typed path: String) throws {
    for file in [self.path, wal] where try FileSystem.exists(file) {
      if try FileDescriptor(opening: file).isProtected { throw ExchangeError.protected(file) }
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
