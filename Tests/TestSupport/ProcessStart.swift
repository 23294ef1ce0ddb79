import Foundation

/// A process that is being started has this one's descriptors until it becomes another program: whoever looks
/// then sees it have this process's files open.
private let start = NSLock()

/// Does something while no other test starts a process.
public func whileNothingStarts<Result>(_ body: () throws -> Result) rethrows -> Result {
  start.lock()
  defer { start.unlock() }
  return try body()
}

extension Process {
  /// Starts the program, and returns when it is another one.
  public func start() throws { try whileNothingStarts { try run() } }
}
