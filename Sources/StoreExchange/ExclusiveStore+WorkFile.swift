import StoreFormat
import Platform

extension ExclusiveStore {
  /// Refuses a store that a new file can't replace (b).
  func checkFiles(typed path: String) throws {
    try files.checkLinks(try file.descriptor.status(), typed: path)
    try files.checkExternalData(typed: path)
    try files.checkReplaceable()
  }

  /// Refuses a store that would have another owner afterwards.
  ///
  /// What was just created has the owner that a new file gets, also on file systems that give all
  /// files one owner.
  func checkOwner(like snapshot: SnapshotFolder, typed path: String) throws {
    let owner = try file.descriptor.status().owner
    let others = try files.openFolder().directory(files.snapshotsName).status(of: snapshot.name)
    guard owner == others.owner || others.owner == 0 else {
      throw ExchangeError.otherOwner(path, owner: owner)
    }
  }

  /// Refuses to begin if there isn't enough room beside the store.
  package func checkRoom(typed path: String) throws {
    try files.checkRoom(connection, typed: path)
  }

  /// Gives a work file the old file's journal mode and attributes, and syncs it (e).
  ///
  /// - Parameters:
  ///   - snapshot: The snapshot's folder.
  ///   - hash: The hash of the file with the old file's journal mode; `nil` if it isn't known.
  /// - Returns: What the receipt says about the file.
  /// - Throws: A ``SystemError`` if it can't be written.
  package func finish(_ snapshot: SnapshotFolder, hash: String? = nil) throws
    -> Receipt.FileRecord
  {
    let folder = try snapshot.open()
    let new = try folder.open(SnapshotFolder.Entry.work.rawValue, for: .updating)
    try new.write(try headerMode, at: Self.headerModePlace)
    try new.copyAttributes(of: file.descriptor, FileAttribute.lasting)
    // The file and its name must be on the disk before anything of the old store changes (f.2).
    try new.synchronize()
    try folder.synchronize()
    return Receipt.FileRecord(
      identity: try new.status().identity, hash: try hash ?? new.hash())
  }

  /// The offset of the two bytes that specify a rollback journal (1) or a write-ahead log (2).
  ///
  /// Related SQLite documentation: <https://www.sqlite.org/fileformat.html#file_format_version_numbers>
  static let headerModePlace: Int64 = 18

  private var headerMode: [UInt8] {
    get throws { try file.descriptor.read(2, at: Self.headerModePlace) }
  }

  /// The first bytes of a work file as ``finish(_:hash:)`` will leave them.
  package func finishedHeader(of snapshot: SnapshotFolder) throws -> [UInt8] {
    let work = try snapshot.open().open(SnapshotFolder.Entry.work.rawValue)
    return try work.read(Int(Self.headerModePlace), at: 0) + headerMode
  }
}
