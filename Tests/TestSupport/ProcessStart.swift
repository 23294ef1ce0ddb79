package import Foundation

/// Prevents starting a process while another one starts, or while a test checks who has a file
/// open.
///
/// Until it executes its program, a new process has this process's descriptors.
private let startLock = NSLock()

/// Runs a closure while no other test starts a process.
package func whileNothingStarts<Result>(_ body: () throws -> Result) rethrows -> Result {
  startLock.lock()
  defer { startLock.unlock() }
  return try body()
}

extension Process {
  /// Starts the program, and returns after it is executing.
  package func start() throws { try whileNothingStarts { try run() } }
}
