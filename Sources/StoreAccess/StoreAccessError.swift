package import Platform
package import SQLite
package import StoreFormat

/// A reason why a store's files can't be opened, read or written.
package enum StoreAccessError: Error, Hashable, Sendable {
  // The path.

  /// There is nothing at the path.
  case noSuchStore(String)

  /// The path leads to a directory.
  case directory(String)

  /// A folder, a link or a pipe has the name of a file that SQLite keeps beside the store.
  case strangeCompanion(String, suffix: String)

  // The file's content.

  /// The file is empty.
  case emptyFile(String)

  /// The file doesn't begin with SQLite's header.
  case notADatabase(String)

  /// The file's bytes look random from the first one on.
  case encrypted(String)

  /// The file has fewer bytes than its header says.
  case truncated(String, found: Int64, expected: Int64)

  /// SQLite finds the file damaged.
  case damaged(String, SQLiteError)

  /// The database isn't a Core Data store.
  case notAStore(String, StoreFormatError)

  /// The write-ahead log was there when the app last used the store, and is missing now.
  case missingWAL(String)

  /// An interrupted write must be rolled back from its journal before the store can be read.
  case hotJournal(String)

  /// A row violates a constraint of its table; the rule is in SQLite's words.
  case brokenRule(String, rule: String)

  // Other processes, permissions, the disk.

  /// Other processes have the store open, or have changed it.
  case inUse(String, holders: [String])

  /// The store's file can't be written.
  case readOnly(String)

  /// The system denies reading a file.
  case unreadable(SystemError)

  /// The system denies creating a file beside the store.
  case cannotCreate(SystemError)

  /// The system failed to read or write.
  case io(SystemError)

  /// SQLite failed for another reason.
  case sqlite(SQLiteError)
}

extension StoreAccessError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noSuchStore(let path): "there is no store '\(path)'; check the path"
    case .directory(let path):
      "'\(path)' is a directory in which no store was found; give a store's main file"
    case .strangeCompanion(let path, let suffix):
      "'\(path)\(suffix)' isn't a file, but SQLite keeps a part of the store under that name; move it away"
    case .emptyFile(let path):
      "'\(path)' is empty (zero bytes); get a new copy of the store, with its -wal file"
    case .notADatabase(let path):
      "'\(path)' isn't a SQLite database; give the store's main file"
    case .encrypted(let path):
      "'\(path)' looks encrypted; decrypt it first, with the app's own key"
    case .truncated(let path, let found, let expected):
      "'\(path)' is truncated: it has \(found) of \(expected) bytes; get a new copy of the store"
    case .damaged(let path, let error):
      "'\(path)' is damaged: \(error.message); get a new copy of the store; "
        + "'outbox-migrate diagnose' shows what else can be done"
    case .notAStore(let path, let error):
      "'\(path)' isn't a Core Data store: \(error); give the store's main file"
    case .missingWAL(let path):
      "'\(path)-wal' is missing, and it contains newer rows, by its index '\(path)-shm'; "
        + "put it back beside the store, or remove the index to use the store without those rows"
    case .hotJournal(let path):
      "an interrupted write left a journal beside '\(path)', which must be rolled back first; "
        + "open the store in the app, or run a command that writes to it"
    case .brokenRule(let path, let rule):
      "a row of '\(path)' breaks a rule of its table: \(rule); correct the rows, or the migration that "
        + "writes them, then try again"
    case .inUse(let path, let holders):
      "'\(path)' is in use\(holders.isEmpty ? "" : ": \(holders.joined(separator: ", "))"); "
        + "quit the app and try again"
    case .readOnly(let path): "'\(path)' can't be written; check the permissions"
    case .unreadable(let error): "\(error); check the permissions"
    case .cannotCreate(let error): "\(error)\(error.adviceOnCreating)"
    case .io(let error): "\(error)"
    case .sqlite(let error): error.advice
    }
  }
}

extension SystemError {
  /// What to do about a file or folder that can't be created.
  fileprivate var adviceOnCreating: String {
    if isSymbolicLink { return "" }
    return isOfReadOnlyFileSystem
      ? "; copy the store, with the files beside it, to a folder that you can write to"
      : "; check the folder's permissions"
  }
}

extension SQLiteError {
  /// What failed and what to do about it.
  fileprivate var advice: String {
    if isFull { return "the disk is full; make room, then try again" }
    if isIO {
      return "the system failed to read or write a file: \(message) (\(code)); "
        + "check the disk, quotas and limits"
    }
    if isCantOpen {
      return "SQLite can't open the store, or a file of it: \(message) (\(code)); "
        + "check the permissions, and the files beside the store"
    }
    return description
  }
}
