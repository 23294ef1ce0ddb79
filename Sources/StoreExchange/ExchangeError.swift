package import Platform

/// A reason why a store can't be replaced or rolled back.
package enum ExchangeError: Error, Hashable, Sendable {
  /// The file has other hard links, which would keep the old content.
  case hasOtherLinks(String, count: UInt64)

  /// The file belongs to another user, and only root can give the new file the same owner.
  case otherOwner(String, owner: UInt32)

  /// The names that a snapshot or a rollback needs would be too long.
  case nameTooLong(String)

  /// The external data folder holds a folder, a link or a pipe.
  case unsupportedExternalFile(String, name: String)

  /// The disk has too little room for a new store; both numbers are in bytes.
  case noRoom(String, needed: Int64, free: Int64)

  /// The file system has too few free inodes for the files of a run.
  case noFreeFiles(String, needed: Int64, free: Int64)

  /// A file or folder is immutable or append-only.
  case protected(String)

  /// Another user's file, in a folder in which only owners may replace files.
  case ownedByOther(String)

  /// The new store is in place, but the system failed in a later step.
  case unfinished(String, SystemError)

  /// The store has no snapshot.
  case noSnapshot(String)

  /// The store has no snapshot of this name.
  case unknownSnapshot(String, known: [String])

  /// A snapshot doesn't match its receipt, or its receipt can't be read.
  case badSnapshot(String, reason: String)
}

extension ExchangeError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .hasOtherLinks(let path, let count):
      "'\(path)' has \(count) hard links; remove the others, which would keep the old content"
    case .otherOwner(let path, let owner):
      "'\(path)' belongs to user \(owner), and only root can give the new file the same owner; "
        + "run as that user, or change the owner first"
    case .nameTooLong(let path):
      "the name or path of '\(path)' is too long for the files that a snapshot and its rollback need; "
        + "rename the store, or move its folder to a shorter path"
    case .unsupportedExternalFile(let path, let name):
      "'\(path)' can't be copied: '\(name)' beside it isn't a file; move it away, or put the file in "
        + "its place, then try again"
    case .noRoom(let path, let needed, let free):
      "there isn't enough disk space beside '\(path)': \(needed) bytes are needed, \(free) are free; "
        + "make room, then try again"
    case .noFreeFiles(let path, let needed, let free):
      "there are too few free inodes beside '\(path)': \(needed) are needed, \(free) are free; "
        + "remove files, then try again"
    case .protected(let path):
      "'\(path)' is immutable or append-only; remove that attribute with 'chattr -ia', on macOS with "
        + "'chflags', then try again"
    case .ownedByOther(let path):
      "'\(path)' belongs to another user, and its folder's sticky bit lets only the owner replace it; "
        + "run the command as that user, or remove the bit with 'chmod -t'"
    case .unfinished(let path, let error):
      "'\(path)' is the new store, but its cleanup failed: \(error); the next command "
        + "that writes to it finishes the cleanup"
    case .noSnapshot(let path): "'\(path)' has no snapshot to roll back to"
    case .unknownSnapshot(let name, let known):
      "there is no snapshot '\(name)'; "
        + (known.isEmpty ? "the store has none" : "give one of \(known.joined(separator: ", "))")
    case .badSnapshot(let name, let reason):
      "snapshot '\(name)' can't be trusted: \(reason); the store is unchanged"
    }
  }
}
