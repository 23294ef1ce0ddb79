import Platform
import StoreFormat
import Migrations

extension ExclusiveStore {
  /// Refuses what a new file can't take the place of.
  func checkFiles(typed path: String) throws {
    let status = try file.descriptor.status()
    guard status.linkCount == 1 else {
      throw ExchangeError.hasOtherLinks(path, count: UInt64(status.linkCount))
    }
    try checkExternalData(typed: path)
  }

  /// Refuses to begin what there is no room for beside the store.
  func checkRoom(typed path: String) throws {
    let (needed, free) = (
      try files.neededBytes(connection), try FileSystem.freeBytes(at: files.folder)
    )
    guard needed <= free else {
      throw ExchangeError.noRoom(path, needed: needed, free: free)
    }
  }

  private func checkExternalData(typed path: String) throws {
    let folder = files.externalDataFolder
    guard try FileSystem.exists(folder) else { return }
    for name in try FileSystem.list(folder) {
      let kind = try FileStatus(of: "\(folder)/\(name)", followingLinks: false).kind
      guard kind == .regular else {
        throw VersionError.unsupported(
          path, reasons: ["'\(files.supportFolderName)' holds something that is no file"])
      }
    }
  }

  /// Gives the new file the old one's header mode and attributes, and brings it to the disk.
  ///
  /// - Parameters:
  ///   - work: The path of the new file.
  ///   - hashes: Those that it has with the old one's header mode; none if they aren't known yet.
  /// - Returns: What to write down of it.
  /// - Throws: A ``SystemError`` if it can't be written.
  func finish(_ work: String, hashes: FileHashes? = nil) throws -> Receipt.FileRecord {
    let new = try FileDescriptor(opening: work, for: .updating)
    try new.write(try headerMode, at: Self.headerModePlace)
    try new.copyAttributes(of: file.descriptor, FileAttribute.lasting)
    try new.synchronize()
    try FileSystem.synchronizeDirectory(FileSystem.parent(of: work))
    return Receipt.FileRecord(
      identity: try new.status().identity, hashes: try hashes ?? new.hashes())
  }

  /// The place of the two bytes that say rollback journal (1) or write-ahead log (2).
  ///
  /// Related SQLite documentation: <https://www.sqlite.org/fileformat.html#file_format_version_numbers>
  static let headerModePlace: Int64 = 18

  private var headerMode: [UInt8] {
    get throws { try file.descriptor.read(2, at: Self.headerModePlace) }
  }

  /// The beginning of a new file as ``finish(_:hashes:)`` will leave it.
  func finishedHeader(_ work: String) throws -> [UInt8] {
    try FileDescriptor(opening: work).read(Int(Self.headerModePlace), at: 0) + headerMode
  }
}
