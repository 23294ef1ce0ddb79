import Synchronization

/// A connection that several threads use, one at a time.
///
/// The connection closes when the last reference is released.
package final class SharedConnection: Sendable {
  private let connection: Mutex<Connection>

  /// Takes ownership of a connection.
  package init(_ connection: consuming sending Connection) {
    self.connection = Mutex(connection)
  }

  /// Locks, and passes the connection to a closure.
  package func withConnection<Result: Sendable>(
    _ body: (borrowing Connection) throws -> Result
  ) throws -> Result {
    try connection.withLock { connection in try body(connection) }
  }
}
