import Platform
package import SQLite
package import StoreFormat

extension StoreFiles {
  /// Reads a store that no other process has open, and that may lack Core Data's own tables.
  ///
  /// Not a byte or a time stamp changes.
  ///
  /// - Parameters:
  ///   - path: The path as it was typed.
  ///   - body: What to do with a connection that has the store as `main`.
  /// - Returns: What the body returns.
  /// - Throws: What the body throws; ``StoreAccessError/inUse(_:holders:)`` if another process has
  ///   the store open, or wrote to it in the meantime.
  package func readingAlone<Result>(
    typed path: String, _ body: (borrowing Connection) throws -> Result
  ) throws -> Result {
    try checkHeader(typed: path)
    let before = try FileTimestamps(of: self)
    let holders = try lockHolders(of: self.path)
    guard holders.isEmpty else {
      throw StoreAccessError.inUse(path, holders: holders.map(\.description))
    }
    let log = EmptyLog(of: self)
    defer { log.restoreMode() }
    let connection = try OpenedStore.connection(to: self.path, isShared: false)
    let result = Swift.Result { try body(connection) }
    guard try FileTimestamps(of: self) == before else {
      throw StoreAccessError.inUse(path, holders: [])
    }
    return try result.get()
  }
}
