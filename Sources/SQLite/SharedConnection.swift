import Synchronization

/// A connection that several threads use, one at a time.
///
/// It closes when the last of them lets go of it.
package final class SharedConnection: Sendable {
  private let connection: Mutex<Connection>

  /// Takes over a connection.
  package init(_ connection: consuming sending Connection) {
    self.connection = Mutex(connection)
  }

  /// Lends the connection; others wait for their turn.
  package func withConnection<Result: Sendable>(
    _ body: (borrowing Connection) throws -> Result
  ) throws -> Result {
    try connection.withLock { connection in try body(connection) }
  }
}
