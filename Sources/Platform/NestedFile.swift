/// A file in folders that someone else may have made, named from a folder whose path is trusted.
///
/// Each operation opens the trusted folder, then each folder below it, and follows no symbolic link
/// (``Directory``).
package struct NestedFile: Hashable, Sendable {
  /// The path of the trusted folder.
  private let trusted: String

  /// The names of the folders below it.
  private let folders: [String]

  /// The file's name.
  package let name: String

  package init(in trusted: String, folders: [String] = [], name: String) {
    (self.trusted, self.folders, self.name) = (trusted, folders, name)
  }

  /// The path, for SQLite, which opens files by path, and for messages.
  package var path: String {
    ([trusted == "/" ? "" : trusted] + folders + [name]).joined(separator: "/")
  }

  /// Opens the folder that the file is in.
  private func folder() throws(SystemError) -> Directory {
    var folder = try Directory(opening: trusted)
    for name in folders { folder = try folder.directory(name) }
    return folder
  }

  /// Opens the file, without waiting for the other end of a pipe.
  package func open(
    for access: FileDescriptor.Access = .reading
  ) throws(SystemError) -> FileDescriptor { try folder().open(name, for: access) }

  /// Creates the file, readable for its owner alone; the name must be free.
  package func create() throws(SystemError) -> FileDescriptor { try folder().create(name) }

  /// Gives the file's name to a copy of another one, where a reader sees nothing of it or all.
  package func replace(withCopyOf other: NestedFile) throws(SystemError) {
    try folder().replace(name, withCopyOf: other.open())
  }

  /// Asks for the status of what has the name, a symbolic link itself included.
  ///
  /// - Returns: The status; `nil` if the name isn't taken, or a folder above it is missing.
  package func statusIfPresent() throws(SystemError) -> FileStatus? {
    do throws(SystemError) {
      return try folder().status(of: name)
    } catch {
      guard error.isNotFound else { throw error }
      return nil
    }
  }

  /// Throws if a symbolic link stands in place of the file; what else is there doesn't matter.
  package func refuseLink() throws(SystemError) {
    guard try statusIfPresent()?.kind == .symbolicLink else { return }
    throw .link(at: path)
  }

  /// Throws unless the path still leads to the file, as it must for what was opened by the path.
  package func checkPath() throws(SystemError) {
    let present = try FileStatus(of: path, followingLinks: false)
    guard try present.identity == statusIfPresent()?.identity, present.kind == .regular else {
      throw .replaced(path)
    }
  }
}
