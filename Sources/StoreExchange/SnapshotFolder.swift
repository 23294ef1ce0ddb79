import JSONText
package import Platform
package import StoreFormat

/// One snapshot: a folder with the old store, the receipt, and during a run the new store.
///
/// The snapshots of `default.store` are folders in `default.store.snapshots` beside it, named by
/// versions and time: `V6-V7-20261121T015800Z`.
///
/// The folders may come from someone else (j). Every operation opens the store's folder, then each
/// folder below it, and follows no symbolic link. The paths are for SQLite, which opens files by
/// path, and for messages. The letters in comments are those of the protocol in `Durability.md`.
package struct SnapshotFolder: Hashable, Sendable {
  /// The store that the snapshot is of.
  package let files: StoreFiles

  /// The folder's name, as `rollback --to` takes it.
  package let name: String

  package init(files: StoreFiles, name: String) { (self.files, self.name) = (files, name) }

  /// A file or folder with a fixed name in the snapshot's folder.
  package enum Entry: String, CaseIterable {
    /// The receipt.
    case receipt = "receipt.json"

    /// The first 100 bytes of the store, while a run changes them (c).
    case header

    /// The store's log, empty, while the store isn't in WAL mode (c).
    case emptyLog = "empty-wal"

    /// A copy of a damaged log, until it has its name beside the store (c).
    case unfinishedLog = "unfinished-wal"

    /// The new store, before it replaces the old one.
    case work

    /// The quarantined rows of an outbox, complete.
    case quarantine = "quarantine.jsonl"

    /// The keys of the outbox rows that weren't written, with what became of each.
    case setAside = "set-aside.jsonl"

    /// The rows that an edit wrote.
    case edited

    /// The values that a rollback parked; beside the store, the file's name is `parkedName`.
    case parked = "parked.jsonl"

    /// The folder of the files of parked values that an apply restored.
    case returned

    /// The folder of the copies of external data.
    case external = "_EXTERNAL_DATA"
  }

  /// The folder's path.
  package var path: String { "\(files.path).snapshots/\(name)" }

  /// The folder's path as users see it: beside the path that they typed.
  ///
  /// If that path is a symbolic link, the folder is beside the store that the link leads to.
  package func path(beside typed: String) -> String {
    guard let status = try? FileStatus(of: typed, followingLinks: false), status.kind == .regular
    else { return path }
    return "\(typed).snapshots/\(name)"
  }

  /// Something in the folder.
  package func file(_ entry: Entry) -> NestedFile { file(named: entry.rawValue) }

  /// A file of parked values that an apply put back.
  package func returnedFile(_ name: String) -> NestedFile {
    NestedFile(
      in: files.folder, folders: [files.snapshotsName, self.name, Entry.returned.rawValue],
      name: name)
  }

  private func file(named name: String) -> NestedFile {
    NestedFile(in: files.folder, folders: [files.snapshotsName, self.name], name: name)
  }

  /// The name of the old store's main file: the store's, with `_` before it if that name is taken.
  var mainName: String {
    Self.takenNames.contains(files.name.lowercased()) ? "_" + files.name : files.name
  }

  /// The old store's main file.
  package var mainFile: NestedFile { file(named: mainName) }

  /// The names of everything else in the folder, in lower case: some file systems ignore case.
  private static let takenNames = Set(
    Entry.allCases.map { $0.rawValue.lowercased() } + [
      "receipt.json.new", "header.new", "work-journal", "work-wal", "work-shm",
    ])

  /// The name of the receipt while it is written.
  static let receiptDraft = Entry.receipt.rawValue + Directory.draftSuffix
}

// MARK: - Opening

extension SnapshotFolder {
  /// Opens the folder.
  package func open() throws(SystemError) -> Directory {
    try files.openFolder().directory(files.snapshotsName).directory(name)
  }

  /// Opens the folder; returns `nil` if it doesn't exist.
  func openIfPresent() throws(SystemError) -> Directory? {
    guard let parent = try files.openFolder().directoryIfPresent(files.snapshotsName) else {
      return nil
    }
    return try parent.directoryIfPresent(name)
  }

  /// Returns the snapshots of a store, oldest first.
  package static func all(of files: StoreFiles) throws(SystemError) -> [SnapshotFolder] {
    let beside = try files.openFolder()
    // Only a folder has snapshots. A link isn't followed: its target isn't this store's (j).
    guard try beside.statusIfPresent(of: files.snapshotsName)?.kind == .directory,
      let parent = try beside.directoryIfPresent(files.snapshotsName)
    else { return [] }
    var folders: [SnapshotFolder] = []
    for name in try parent.listText() where isName(name) {
      guard try parent.statusIfPresent(of: name)?.kind == .directory else { continue }
      folders.append(SnapshotFolder(files: files, name: name))
    }
    return folders.sorted { $0.isOlder(than: $1) }
  }

  /// Returns the snapshots that count by their receipts, oldest first.
  ///
  /// A snapshot whose receipt can't be read doesn't count; `status` names it.
  package static func done(of files: StoreFiles) throws(SystemError) -> [(SnapshotFolder, Receipt)]
  {
    var done: [(SnapshotFolder, Receipt)] = []
    for folder in try all(of: files) {
      guard let receipt = try folder.soundReceipt(), try folder.isDone(receipt) else { continue }
      done.append((folder, receipt))
    }
    return done
  }

  /// Returns the newest snapshot that counts by its receipt; `nil` if no snapshot does.
  ///
  /// - Throws: ``ExchangeError/badSnapshot(_:reason:)`` if a newer snapshot's receipt can't be
  ///   read: it is then unknown what was done last.
  package static func newest(of files: StoreFiles) throws -> (SnapshotFolder, Receipt)? {
    for folder in try all(of: files).reversed() {
      if let receipt = try folder.receipt(), try folder.isDone(receipt) { return (folder, receipt) }
    }
    return nil
  }
}

// MARK: - Creating

extension SnapshotFolder {
  /// Creates a folder named by versions and time, and syncs the folder around it (f.1).
  static func create(
    for files: StoreFiles, from: String, to: String
  ) throws(SystemError) -> SnapshotFolder {
    let beside = try files.openFolder()
    let parent: Directory
    if let present = try beside.directoryIfPresent(files.snapshotsName) {
      parent = present
    } else {
      parent = try beside.createDirectory(files.snapshotsName)
    }
    do throws(SystemError) {
      // Everything that leads to the header and to the old store must be on the disk before it is
      // needed (f.1). A killed run may have created the folder without syncing it.
      try beside.synchronize()
      return try create(for: files, from: from, to: to, in: parent)
    } catch {
      // Report the first error. A folder that isn't empty stays.
      try? beside.removeDirectory(files.snapshotsName)
      throw error
    }
  }

  private static func create(
    for files: StoreFiles, from: String, to: String, in parent: borrowing Directory
  ) throws(SystemError) -> SnapshotFolder {
    let moments = try all(of: files).compactMap { moment(in: $0.name) }
    // Names sort in the order of runs: runs within a second are numbered, and those after the clock
    // was set back.
    let time = max(WallClock.now().compactText, moments.map(\.time).max() ?? "")
    let last = moments.filter { $0.time == time }.map(\.number).max()
    let suffix = last.map { "-\($0 + 1)" } ?? ""
    let folder = SnapshotFolder(files: files, name: "\(from)-\(to)-\(time)\(suffix)")
    try parent.createDirectory(folder.name)
    try parent.synchronize()
    return folder
  }

  /// Removes a file of the folder.
  package func remove(_ entry: Entry) throws(SystemError) { try open().remove(entry.rawValue) }

  /// Removes the work file, and what was written about the rows in it.
  package func removeBuiltFiles() throws(SystemError) {
    let folder = try open()
    for entry in [Entry.work, .quarantine, .setAside] { try folder.removeIfPresent(entry.rawValue) }
  }

  /// Makes the work file a copy of a database file, whose blocks it shares if possible.
  ///
  /// The copy isn't in WAL mode, so that opening it makes no log.
  ///
  /// - Parameter file: The file, which must not have a log.
  /// - Throws: A ``SystemError`` if the file can't be copied.
  package func copyWorkFile(of file: borrowing FileDescriptor) throws(SystemError) {
    try open().copy(file, as: Entry.work.rawValue)
      .write([1, 1], at: ExclusiveStore.headerModePlace)
  }

  /// Creates an empty work file, because a connection in mode `readWriteAlone` doesn't create one.
  package func createWorkFile() throws(SystemError) { _ = try open().create(Entry.work.rawValue) }
}

// MARK: - Receipt

extension SnapshotFolder {
  /// Reads the receipt; returns `nil` if the run ended before it wrote one.
  package func receipt() throws -> Receipt? {
    do {
      guard let folder = try openIfPresent(), try folder.has(Entry.receipt.rawValue) else {
        return nil
      }
      let file = try folder.open(Entry.receipt.rawValue)
      return try Receipt(parsing: file.readAll(limit: 64 << 20), file: "\(name)/receipt.json")
    } catch let error as JSONError {
      throw ExchangeError.badSnapshot(name, reason: "its receipt can't be read: \(error)")
    } catch let error as SystemError where error.isOfNoReceipt {
      throw ExchangeError.badSnapshot(name, reason: "it has no receipt: \(error)")
    }
  }

  /// Reads the receipt; returns `nil` if it is missing or can't be understood.
  func soundReceipt() throws(SystemError) -> Receipt? {
    do {
      return try receipt()
    } catch let error as SystemError {
      // An error of the system says nothing about the receipt.
      throw error
    } catch {
      return nil
    }
  }

  /// Writes the receipt with another state, and syncs it.
  func mark(_ receipt: Receipt, as state: Receipt.State) throws(SystemError) {
    var receipt = receipt
    receipt.state = state
    try write(receipt)
  }

  /// Writes the whole receipt or nothing, and syncs it and the folder's names.
  func write(_ receipt: Receipt) throws(SystemError) {
    try open().replace(Entry.receipt.rawValue, with: Array(receipt.text.utf8))
  }
}

// MARK: - Names

extension SnapshotFolder {
  /// Returns whether a name is one that ``create(for:from:to:)`` gives.
  static func isName(_ name: String) -> Bool { Directory.isPlain(name) && moment(in: name) != nil }

  /// The time in a folder's name, and the number of the run in that second.
  private static func moment(in name: String) -> (time: String, number: Int)? {
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
    let (own, others) = (
      Self.moment(in: name) ?? ("", 0), Self.moment(in: other.name) ?? ("", 0)
    )
    return (own.time, own.number, name) < (others.time, others.number, other.name)
  }
}

extension SystemError {
  /// Whether a link, a folder or a pipe is in the receipt's place.
  ///
  /// A file that is too large counts, too.
  fileprivate var isOfNoReceipt: Bool {
    // EFBIG, EISDIR, ESPIPE of a pipe, and ENXIO of a socket.
    code == 27 || code == 21 || code == 29 || code == 6 || isSymbolicLink || isNotFound
  }
}
