package import OutboxCore
import SQLite
import StoreFormat

extension StoreFailure {
  /// Whether another process has the store locked.
  package var isOfLock: Bool { sqlite?.isBusy ?? false }

  /// Whether the file can't be opened, read or written.
  package var isOfFile: Bool {
    sqlite.map { $0.isIO || $0.isFull || $0.isCantOpen || $0.isReadOnly } ?? false
  }

  private var sqlite: SQLiteError? {
    if case .sqlite(let error)? = cause as? StoreFormatError { return error }
    return cause as? SQLiteError
  }
}

extension OutboxError {
  static func format(_ error: StoreFormatError) -> OutboxError { .store(StoreFailure(error)) }

  static func sqlite(_ error: SQLiteError) -> OutboxError { .store(StoreFailure(error)) }
}
