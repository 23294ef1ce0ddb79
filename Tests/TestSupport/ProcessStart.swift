package import Foundation

/// Keeps one process from being started while another is, or while somebody looks who has a file open.
///
/// A process that is being started has this one's descriptors until it becomes another program.
private let startLock = NSLock()

/// Does something while no other test starts a process.
package func whileNothingStarts<Result>(_ body: () throws -> Result) rethrows -> Result {
  startLock.lock()
  defer { startLock.unlock() }
  return try body()
}

extension Process {
  /// Starts the program, and returns when it is another one.
  package func start() throws { try whileNothingStarts { try run() } }
}
