package import Platform

/// A new folder that is removed, with everything in it, when nothing refers to it any more.
package final class TemporaryDirectory: Sendable {
  /// The path of the folder, without symbolic links.
  package let path: String

  /// Creates the folder.
  package init() throws(SystemError) {
    path = try FileSystem.resolve(FileSystem.createTemporaryDirectory(prefix: "outbox-migrate"))
  }

  deinit {
    // What can't be removed is left to the system's own cleaning.
    try? FileSystem.removeTree(path)
  }

  /// Returns the path of a name in the folder.
  package func path(_ name: String) -> String {
    path + "/" + name
  }

  /// The names in the folder, ordered by their bytes.
  package var names: [String] {
    get throws(SystemError) { try FileSystem.list(path) }
  }
}
