import CPlatform

/// The turns of this process's threads to work on a file, one thread at a time.
///
/// POSIX locks don't keep threads apart, and a thread that closes a file drops the locks that
/// another thread of the process has on it: see ``FileDescriptor``.
package enum ThreadTurn {
  /// The threads that have a turn, by the paths of the files.
  private static let threads = Guarded<[String: Int]>([:])

  /// Waits until no other thread works on a file, and does work on it.
  ///
  /// The work may take a turn for the same file again. It must not wait for another thread's turn.
  ///
  /// - Parameters:
  ///   - path: A path of the file. Symbolic links are followed; a hard link is another file.
  ///   - work: The work.
  /// - Returns: What the work returns.
  /// - Throws: What the work throws.
  package static func taking<Result: ~Copyable>(
    _ path: String, _ work: () throws -> Result
  ) rethrows -> Result {
    let file = (try? FileSystem.resolve(path)) ?? path
    let thread = cplatform_this_thread()
    let isInside = threads.withLock(when: { ($0[file] ?? thread) == thread }) { threads in
      threads.updateValue(thread, forKey: file) != nil
    }
    defer { if !isInside { threads.withLock { $0[file] = nil } } }
    return try work()
  }
}
