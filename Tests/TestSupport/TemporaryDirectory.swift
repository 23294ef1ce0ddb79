package import Platform
import Processes

/// A new directory that is removed with its contents when the last reference is released.
package final class TemporaryDirectory: Sendable {
  /// The path of the directory, without symbolic links.
  package let path: String

  /// Creates the directory.
  ///
  /// From now on, this process searches other processes, as the tool does.
  package init() throws(SystemError) {
    ProcessSearch.use(.system)
    path = try FileSystem.resolve(FileSystem.createTemporaryDirectory(prefix: "outbox-migrate"))
  }

  deinit {
    // The system cleans up what can't be removed.
    try? FileSystem.removeTree(path)
  }

  /// Returns the path of a file in the directory.
  package func path(_ name: String) -> String {
    path + "/" + name
  }

  /// The names in the directory, in byte order.
  package var names: [String] {
    get throws(SystemError) { try FileSystem.list(path) }
  }
}
