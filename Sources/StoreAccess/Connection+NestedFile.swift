package import Platform
package import SQLite

/// SQLite opens a file by its path. Whether it is the one in its folder is checked before and after.
extension Connection {
  /// Opens a file in folders that someone else may have made.
  ///
  /// - Throws: A `SystemError` if a symbolic link stands in place of the file or of a folder above it, or if the
  ///   name gets another file in the meantime; a `SQLiteError` if the file can't be opened.
  package static func open(_ file: NestedFile, mode: OpenMode) throws -> Connection {
    try file.refuseLink()
    let connection = try Connection(path: file.path, mode: mode, followingLinks: false)
    try connection.check("main", is: file)
    return connection
  }

  /// Attaches a file in folders that someone else may have made.
  ///
  /// The connection must have been opened without following links: SQLite attaches files as it opened the
  /// main one.
  ///
  /// - Throws: As ``open(_:mode:)``; nothing is attached then.
  package func attach(_ file: NestedFile, as schema: String, mode: OpenMode) throws {
    try file.refuseLink()
    try attach(path: file.path, as: schema, mode: mode)
    do {
      try check(schema, is: file)
    } catch {
      try? detach(schema)
      throw error
    }
  }

  private func check(_ schema: String, is file: NestedFile) throws {
    try file.checkPath()
    // The path leads to the file in the folder. Only SQLite can say whether it has that file open.
    if try hasMoved(schema) { throw SystemError.replaced(file.path) }
  }
}
