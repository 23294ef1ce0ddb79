import Platform

/// A new folder that is removed, with everything in it, when nothing refers to it any more.
public final class TemporaryDirectory: Sendable {
  /// The path of the folder, without symbolic links.
  public let path: String

  /// Creates the folder.
  public init() throws(SystemError) {
    path = try FileSystem.resolve(FileSystem.createTemporaryDirectory(prefix: "outbox-migrate"))
  }

  deinit {
    // What can't be removed is left to the system's own cleaning.
    try? FileSystem.removeTree(path)
  }

  /// Returns the path of a name in the folder.
  public func path(_ name: String) -> String {
    path + "/" + name
  }

  /// The names in the folder, ordered by their bytes.
  public var names: [String] {
    get throws(SystemError) { try FileSystem.list(path) }
  }
}
