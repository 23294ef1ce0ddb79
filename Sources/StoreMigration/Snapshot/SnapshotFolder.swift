import JSONText
import Platform
import StoreFormat
import Migrations
import RowRewriting

/// One snapshot: the folder with the old store, the receipt, and for a while the new store.
///
/// Snapshots of `default.store` lie in `default.store.snapshots` beside it, one folder each, named by
/// versions and time: `V6-V7-20261121T015800Z`.
package struct SnapshotFolder: Hashable, Sendable {
  /// The store that the snapshot is of.
  let files: StoreFiles

  /// The folder's name, by which `rollback --to` takes it.
  package let name: String

  /// The folder's path.
  package var path: String { "\(Self.parent(of: files))/\(name)" }

  /// The folder's path as people see it: beside the path that they typed.
  ///
  /// Behind a symbolic link, the folder lies beside the store that the link leads to.
  func path(beside typed: String) -> String {
    guard let status = try? FileStatus(of: typed, followingLinks: false), status.kind == .regular
    else { return path }
    return "\(typed).snapshots/\(name)"
  }

  /// The old store's main file, under its own name unless something else in the folder has that.
  var mainFile: String {
    let isTaken = Self.ownNames.contains(files.name.lowercased())
    return "\(path)/\(isTaken ? "_" : "")\(files.name)"
  }

  /// The names of everything else in the folder, in lower case: some file systems don't tell case.
  private static let ownNames: Set<String> = [
    "receipt.json", "receipt.json.new", "header", "header.new", "work", "work-journal", "work-wal",
    "work-shm", "quarantine.jsonl", "set-aside.jsonl", "parked.jsonl", "returned", "_external_data",
    "edited",
  ]

  /// The copies of large values.
  var externalFolder: String { "\(path)/_EXTERNAL_DATA" }

  /// The receipt.
  var receiptFile: String { "\(path)/receipt.json" }

  /// What the receipt is to become, while it is written.
  var receiptDraft: String { receiptFile + ".new" }

  /// The first 100 bytes of the store, while a run changes them.
  var headerFile: String { "\(path)/header" }

  /// The new store, before it takes the old one's place.
  var workFile: String { "\(path)/work" }

  /// The rows of an outbox that were kept out of the new store, whole.
  var quarantineFile: String { "\(path)/quarantine.jsonl" }

  /// The rows of an outbox that aren't in the new store, by key, with what became of each.
  var fatesFile: String { "\(path)/set-aside.jsonl" }

  /// The rows that an edit wrote.
  var editedFile: String { "\(path)/edited" }

  /// The values that a rollback parked, which then lie beside the store.
  var parkedFile: String { "\(path)/parked.jsonl" }

  /// The name of that file beside the store.
  var parkedName: String { "\(files.name).parked-\(name).jsonl" }

  /// The folder of the parked files that apply put back, under the names that they had.
  var returnedFolder: String { "\(path)/returned" }

  static func parent(of files: StoreFiles) -> String { files.path + ".snapshots" }

  /// Returns the snapshots of a store, oldest first.
  static func all(of files: StoreFiles) throws(SystemError) -> [SnapshotFolder] {
    let parent = parent(of: files)
    guard let status = try FileStatus.ifPresent(at: parent, followingLinks: false),
      status.kind == .directory
    else {
      return []
    }
    var folders: [SnapshotFolder] = []
    for name in try FileSystem.list(parent) {
      let folder = SnapshotFolder(files: files, name: name)
      // What a link leads to isn't a snapshot, and isn't to be removed like one.
      let kind = try FileStatus.ifPresent(at: folder.path, followingLinks: false)?.kind
      if folder.moment != nil && kind == .directory { folders.append(folder) }
    }
    return folders.sorted { $0.isOlder(than: $1) }
  }

  /// Returns the snapshots whose receipts say done, oldest first.
  ///
  /// One whose receipt can't be understood counts for nothing; `status` names it.
  static func done(of files: StoreFiles) throws(SystemError) -> [(SnapshotFolder, Receipt)] {
    var done: [(SnapshotFolder, Receipt)] = []
    for folder in try all(of: files) {
      guard let receipt = try folder.soundReceipt(), try folder.isDone(receipt) else { continue }
      done.append((folder, receipt))
    }
    return done
  }

  /// Returns the newest snapshot whose receipt says done; none where there is none.
  ///
  /// - Throws: ``ExchangeError/badSnapshot(_:reason:)`` if a newer one's receipt can't be understood: what was done
  ///   last isn't known then.
  static func newest(of files: StoreFiles) throws -> (SnapshotFolder, Receipt)? {
    for folder in try all(of: files).reversed() {
      if let receipt = try folder.receipt(), try folder.isDone(receipt) { return (folder, receipt) }
    }
    return nil
  }

  /// Makes a new folder, named by versions and time, and brings it to the disk.
  static func create(
    for files: StoreFiles, from: String, to: String
  ) throws(SystemError) -> SnapshotFolder {
    let parent = parent(of: files)
    if let status = try FileStatus.ifPresent(at: parent, followingLinks: false) {
      // 20 is ENOTDIR: what the system answers where a folder is expected.
      guard status.kind == .directory else {
        throw SystemError(code: 20, call: "keep snapshots in", path: parent)
      }
    } else {
      try FileSystem.createDirectory(parent, mode: 0o700)
      try FileSystem.synchronizeDirectory(files.folder)
    }
    let time = WallClock.now().compactText
    // Numbers go on within a second, so that the order of names is that of runs.
    let last = try all(of: files).compactMap(\.moment).filter { $0.time == time }.map(\.number)
      .max()
    let suffix = last.map { "-\($0 + 1)" } ?? ""
    let folder = SnapshotFolder(files: files, name: "\(from)-\(to)-\(time)\(suffix)")
    try FileSystem.createDirectory(folder.path, mode: 0o700)
    try FileSystem.synchronizeDirectory(parent)
    return folder
  }

  /// Removes the folder, and the one around it if nothing else is in that.
  ///
  /// The receipt says so first and goes last: what is left of a folder when the run is killed counts for
  /// nothing, and the next run removes it.
  func remove() throws(SystemError) {
    if let receipt = try soundReceipt() { try mark(receipt, as: .removing) }
    for name in try FileSystem.list(path) where "\(path)/\(name)" != receiptFile {
      try FileSystem.removeTree("\(path)/\(name)")
    }
    try FileSystem.removeTree(path)
    let parent = Self.parent(of: files)
    if try FileSystem.list(parent).isEmpty { try FileSystem.removeDirectory(parent) }
  }

  /// Reads the receipt; none where the run ended before it wrote one.
  func receipt() throws -> Receipt? {
    do {
      guard try FileStatus.ifPresent(at: receiptFile, followingLinks: false) != nil else {
        return nil
      }
      let file = try FileDescriptor(opening: receiptFile, followingLinks: false)
      return try Receipt(
        parsing: file.readAll(limit: 64 << 20), file: "\(name)/receipt.json")
    } catch let error as JSONError {
      throw ExchangeError.badSnapshot(name, reason: "its receipt can't be read: \(error)")
    } catch let error as SystemError where error.isOfNoReceipt {
      throw ExchangeError.badSnapshot(name, reason: "it has no receipt: \(error)")
    }
  }

  /// Reads the receipt; none where there is none that can be understood.
  func soundReceipt() throws(SystemError) -> Receipt? {
    do {
      return try receipt()
    } catch let error as SystemError {
      // That the system fails says nothing about the receipt.
      throw error
    } catch {
      return nil
    }
  }

  /// Makes an empty work file: a connection that was opened to update a file may not create another.
  func createWorkFile() throws(SystemError) { _ = try FileDescriptor(creating: workFile) }

  /// Writes the receipt with another state.
  func mark(_ receipt: Receipt, as state: Receipt.State) throws(SystemError) {
    var receipt = receipt
    receipt.state = state
    try write(receipt)
  }

  /// Writes the receipt, whole or not at all.
  func write(_ receipt: Receipt) throws(SystemError) {
    try FileSystem.replace(receiptFile, with: Array(receipt.text.utf8))
  }

  /// The time in the folder's name, and the number of the run in that second.
  ///
  /// None for a folder that isn't a snapshot's.
  private var moment: (time: String, number: Int)? {
    let parts = name.split(separator: "-").map(String.init)
    let place = parts.lastIndex { part in
      part.count == 16 && part.hasSuffix("Z") && part.dropFirst(8).first == "T"
        && part.prefix(8).allSatisfy(\.isNumber)
    }
    guard let place else { return nil }
    return (parts[place], place + 1 < parts.count ? Int(parts[place + 1]) ?? 1 : 1)
  }

  /// Returns whether the folder's name has an earlier time than another's.
  func isOlder(than other: SnapshotFolder) -> Bool {
    let (own, others) = (moment ?? ("", 0), other.moment ?? ("", 0))
    return (own.time, own.number, name) < (others.time, others.number, other.name)
  }
}

extension SystemError {
  /// A Boolean value indicating whether what stands in a receipt's place is no file, or too
  /// large.
  fileprivate var isOfNoReceipt: Bool {
    // EFBIG, EISDIR, ESPIPE of a pipe, and ENXIO of a socket.
    code == 27 || code == 21 || code == 29 || code == 6 || isSymbolicLink || isNotFound
  }
}
