package import Platform
package import SQLite
package import StoreFormat

/// The only translation of SQLite's result codes, Core Data's format and the system's errors.
extension StoreAccessError {
  /// Translates an error of SQLite.
  ///
  /// Related SQLite documentation: <https://www.sqlite.org/rescode.html>
  package init(_ error: SQLiteError, path: String) {
    self =
      if error.isNotADatabase {
        .encrypted(path)
      } else if error.isCorrupt || error.isUnknownFormat || error.isMissingCollation {
        .damaged(path, error)
      } else if error.isBusy {
        .inUse(path, holders: [])
      } else if error.needsRollback {
        .hotJournal(path)
      } else if error.isReadOnly {
        .readOnly(path)
      } else if error.isConstraint {
        .brokenRule(path, rule: error.message)
      } else {
        .sqlite(error)
      }
  }

  /// Translates an error in a store's format.
  package init(_ error: StoreFormatError, path: String) {
    switch error {
    case .sqlite(let cause): self.init(cause, path: path)
    case .notAStore, .badMetadata, .badModelCache: self = .notAStore(path, error)
    }
  }

  /// Translates an error of the system.
  package init(_ error: SystemError) {
    self =
      if error.isDenied { error.isOfReading ? .unreadable(error) : .cannotCreate(error) } else {
        .io(error)
      }
  }

  /// Translates an error of these layers; `nil` for another layer's error.
  package init?(known error: any Error, path: String) {
    switch error {
    case let error as StoreAccessError: self = error
    case let error as SQLiteError: self.init(error, path: path)
    case let error as StoreFormatError: self.init(error, path: path)
    case let error as SystemError: self.init(error)
    default: return nil
    }
  }
}
