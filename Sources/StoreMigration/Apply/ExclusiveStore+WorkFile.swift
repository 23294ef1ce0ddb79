import Platform
import StoreFormat

extension ExclusiveStore {
  /// Refuses what a new file can't take the place of, or has no room beside.
  func checkFiles(typed path: String) throws {
    let status = try descriptor.status()
    guard status.linkCount == 1 else {
      throw MigrationError.hasOtherLinks(path, count: UInt64(status.linkCount))
    }
    try checkExternalData(typed: path)
    let (needed, free) = (
      try files.neededBytes(connection), try FileSystem.freeBytes(at: files.folder)
    )
    guard needed <= free else {
      throw MigrationError.noRoom(path, needed: needed, free: free)
    }
  }

  private func checkExternalData(typed path: String) throws {
    let folder = files.externalDataFolder
    guard FileSystem.exists(folder) else { return }
    for name in try FileSystem.list(folder) {
      let kind = try FileStatus(of: "\(folder)/\(name)", followingLinks: false).kind
      guard kind == .regular else {
        throw MigrationError.unsupported(
          path, reasons: ["'\(files.supportFolderName)' holds something that is no file"])
      }
    }
  }

  /// Gives the new file the old one's header mode and attributes, and brings it to the disk.
  func finish(_ work: String) throws -> Receipt.FileRecord {
    let file = try FileDescriptor(opening: work, for: .updating)
    // Bytes 18 and 19 say rollback journal (1) or write-ahead log (2):
    // <https://www.sqlite.org/fileformat.html#file_format_version_numbers>
    try file.write(try descriptor.read(2, at: 18), at: 18)
    try file.copyAttributes(of: descriptor, [.owner, .permissions, .extendedAttributes])
    try file.synchronize()
    return Receipt.FileRecord(
      identity: try file.status().identity, hash: Hexadecimal.encode(try file.sha256()))
  }
}
