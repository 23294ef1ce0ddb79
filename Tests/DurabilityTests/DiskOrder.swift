import Foundation
import Migrations
import RowRewriting
import OutboxConversion
import StoreProof

/// Tracks which changes of a run have reached the disk, and finds calls that depend on others.
///
/// A file's bytes are on the disk after `fsync` of the file, its name after `fsync` of the folder.
/// Any part of the other changes may survive a power failure. Before a call that destroys
/// something (a file's last name, its bytes, the file that a rename replaces), all earlier changes
/// have to be on the disk. Before a file replaces the store, the removal of names beside the store
/// has to be on the disk as well. Nothing depends on the journal of an unfinished file, on SQLite's
/// shared memory, or on an empty log, which has a second name in a snapshot (`empty-wal`).
struct DiskOrder {
  /// A file, with all its names.
  private struct File {
    var names: Set<String>

    /// A Boolean value indicating whether the file's bytes are on the disk.
    var isSynced: Bool

    /// A Boolean value indicating whether the file existed before the run or has been synced.
    var isNeeded: Bool
  }

  /// The store's main file.
  private let store: String
  private var files: [Int: File] = [:]
  private var added: [String: Set<String>] = [:]
  private var removed: [String: Set<String>] = [:]

  /// A Boolean value indicating whether the process holds the lock that excludes other writers.
  ///
  /// Closing any descriptor of the store releases the lock.
  private var isLocked = false

  /// The violations found, as sentences.
  private(set) var violations: [String] = []

  /// The renames onto the store's main file.
  private(set) var exchanges = 0

  /// Starts with the files of a folder before a run; paths of equal identity are hard links.
  ///
  /// `unsynced` are the names that an earlier run has added, and that may not be on the disk.
  init(store: String, found: [String: AnyHashable], unsynced: [String] = []) {
    self.store = store
    for path in unsynced { added[Self.parent(of: path), default: []].insert(path) }
    let groups = Dictionary(grouping: found.keys) { found[$0] }
    for (number, names) in groups.values.enumerated() {
      files[number] = File(names: Set(names), isSynced: true, isNeeded: true)
    }
  }

  private var folder: String { Self.parent(of: store) }

  private static func parent(of path: String) -> String {
    URL(filePath: path).deletingLastPathComponent().path
  }

  private func number(of path: String) -> Int? {
    files.first { $0.value.names.contains(path) }?.key
  }

  private func isInside(_ path: String) -> Bool { path.hasPrefix(folder + "/") || path == folder }
}

// MARK: - Calls

extension DiskOrder {
  /// Follows one call; a failed call has no effect.
  mutating func follow(_ call: TracedCall) {
    guard let answer = call.answer, answer >= 0, let path = call.paths.last, isInside(path) else {
      return
    }
    switch call.name {
    case "open", "openat":
      if call.arguments.contains("O_CREAT") && number(of: path) == nil { create(path) }
    case "write", "pwrite64", "writev", "pwritev", "fallocate", "copy_file_range", "sendfile":
      write(path, call)
    case "ftruncate", "truncate": truncate(path, call)
    case "fsync", "fdatasync": synchronize(path)
    case "rename", "renameat", "renameat2": rename(call.paths[0], to: path)
    case "link", "linkat": link(call.paths[0], to: path)
    case "unlink": remove(path)
    case "rmdir": removeFolder(path)
    case "unlinkat":
      if call.arguments.contains("AT_REMOVEDIR") { removeFolder(path) } else { remove(path) }
    case "mkdir", "mkdirat":
      added[Self.parent(of: path), default: []].insert(path)
      removed[Self.parent(of: path)]?.remove(path)
    case "fcntl":
      // An exclusive lock on the range that SQLite's readers lock together.
      if path == store && call.arguments.contains("F_WRLCK")
        && call.arguments.contains("l_start=1073741826, l_len=510")
      {
        isLocked = true
      }
    case "close":
      if path == store && exchanges == 0 { isLocked = false }
    default: break
    }
  }

  private mutating func create(_ path: String) {
    files[(files.keys.max() ?? 0) + 1] = File(names: [path], isSynced: true, isNeeded: false)
    if isLog(path) { return }
    added[Self.parent(of: path), default: []].insert(path)
    removed[Self.parent(of: path)]?.remove(path)
  }

  private mutating func write(_ path: String, _ call: TracedCall) {
    guard let number = number(of: path) else { return }
    if path == store && !isLocked { violations.append("the store is written without its lock") }
    // Without a log that contains it, the first page can be restored only from the saved header.
    if path == store && exchanges == 0 && self.number(of: log) == nil && !isHeaderKept {
      violations.append("the header is changed before it is kept")
    }
    files[number]?.isSynced = false
  }

  private var log: String { store + "-wal" }

  private func isLog(_ path: String) -> Bool { path == log || path.hasSuffix("/empty-wal") }

  private var isHeaderKept: Bool {
    for file in files.values {
      guard let path = file.names.first(where: { $0.hasSuffix("/header") }) else { continue }
      let isThere = added.values.allSatisfy { $0.allSatisfy { !(path + "/").hasPrefix($0 + "/") } }
      return file.isSynced && isThere
    }
    return false
  }

  private mutating func truncate(_ path: String, _ call: TracedCall) {
    guard let number = number(of: path) else { return }
    // If there is a log, it contains the pages that are cut from the main file.
    let isLogged = path == store && self.number(of: log) != nil
    if files[number]?.isNeeded == true && !isLogged && !path.hasSuffix("/work") && !isScratch(path)
    {
      checkAll(before: "'\(short(path))' is cut", besides: number)
    }
    files[number]?.isSynced = false
  }

  private mutating func synchronize(_ path: String) {
    if let number = number(of: path) {
      files[number]?.isSynced = true
      files[number]?.isNeeded = true
    } else {
      added[path] = nil
      removed[path] = nil
    }
  }

  private mutating func link(_ path: String, to newPath: String) {
    guard let number = number(of: path) else { return }
    files[number]?.names.insert(newPath)
    if !isLog(newPath) { added[Self.parent(of: newPath), default: []].insert(newPath) }
  }

  private mutating func removeFolder(_ path: String) {
    added[path] = nil
    removed[path] = nil
    forget(path)
  }

  private mutating func remove(_ path: String) {
    guard let number = number(of: path), let file = files[number] else { return }
    // Without its log, an index says that rows are missing.
    if path == log && removed[folder]?.contains(store + "-shm") == true {
      violations.append("the log is removed before its index is surely gone")
    }
    if path.hasSuffix("/receipt.json") { checkRemovals(beside: path, before: "is removed") }
    if file.names.count == 1 {
      if file.isNeeded && path != store + "-shm" && !isScratch(path) {
        checkAll(before: "'\(short(path))' is removed", besides: number, apartFrom: path)
      }
      files[number] = nil
    } else {
      files[number]?.names.remove(path)
    }
    forget(path)
  }

  /// Returns whether a file is the journal, log or shared memory of a file nothing depends on yet.
  private func isScratch(_ path: String) -> Bool {
    path.hasPrefix(store + ".snapshots/")
      && ["-journal", "-wal", "-shm"].contains { path.hasSuffix($0) }
  }

  private mutating func forget(_ path: String) {
    if isLog(path) && path != log { return }
    let parent = Self.parent(of: path)
    // A name that never reached the disk needs no sync of its removal.
    if added[parent]?.remove(path) == nil { removed[parent, default: []].insert(path) }
  }

  private mutating func rename(_ path: String, to newPath: String) {
    guard let moved = number(of: path) else { return }
    let what = "'\(short(newPath))' is put in place"
    if files[moved]?.isSynced != true && !isLog(path) {
      violations.append("\(what) before it is synced")
    }
    if let replaced = number(of: newPath) {
      // The replaced file keeps its name until the rename: how the draft came about doesn't matter.
      checkAll(before: what, apartFrom: path)
      files[replaced]?.names.remove(newPath)
      if files[replaced]?.names.isEmpty == true { files[replaced] = nil }
      if newPath.hasSuffix("/receipt.json") {
        checkRemovals(beside: newPath, before: "is replaced")
      }
    }
    if newPath == store {
      exchanges += 1
      for (folder, names) in removed where folder == self.folder && !names.isEmpty {
        violations.append("\(what) before \(names.map(short).sorted()) are surely gone")
      }
    }
    forget(path)
    files[moved]?.names.remove(path)
    files[moved]?.names.insert(newPath)
    removed[Self.parent(of: newPath)]?.remove(newPath)
    if !isLog(newPath) { added[Self.parent(of: newPath), default: []].insert(newPath) }
  }
}

// MARK: - Rules

extension DiskOrder {
  private mutating func checkAll(
    before what: String, besides given: Int? = nil, apartFrom draft: String? = nil
  ) {
    if !isLocked { violations.append("\(what) without the store's lock") }
    for (number, file) in files where !file.isSynced && number != given {
      if file.names.contains(where: { isLog($0) && $0 != log }) { continue }
      violations.append("\(what) before \(file.names.map(short).sorted()) is synced")
    }
    for (folder, names) in added {
      let open = names.filter { $0 != draft }
      if !open.isEmpty {
        violations.append("\(what) before \(open.map(short).sorted()) is in '\(short(folder))'")
      }
    }
  }

  /// Neither a receipt nor its absence may depend on names that may come back.
  private mutating func checkRemovals(beside receipt: String, before what: String) {
    for path in removed[Self.parent(of: receipt)] ?? [] {
      violations.append("'\(short(receipt))' \(what) before '\(short(path))' is surely gone")
    }
  }

  private func short(_ path: String) -> String {
    path.replacingOccurrences(of: folder, with: "")
  }
}
