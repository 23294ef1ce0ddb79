import CPlatform

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// An open folder, and the operations on the names in it.
///
/// The descriptor stays with the folder that was opened, whatever takes its place at the path. A
/// name is one component: it has no slash and isn't `.` or `..`. No operation follows a symbolic
/// link; where one stands in place of a file or a folder, opening it is an error
/// (``SystemError/isSymbolicLink``).
///
/// The corresponding C functions are `openat`, `fstatat`, `renameat`, `linkat`, `unlinkat` and
/// `mkdirat`.
package struct Directory: ~Copyable, Sendable {
  private let handle: Handle

  /// The path, which only messages use.
  package let path: String

  private static let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC

  /// Opens a folder by its path, whose last component isn't followed if it is a symbolic link.
  package init(opening path: String) throws(SystemError) {
    let number = try attempt("open the folder", path) { openat(AT_FDCWD, path, Self.flags) }
    self.init(number: number, path: path)
  }

  private init(number: Int32, path: String) {
    handle = Handle(number: number)
    self.path = path
  }

  /// The number of the descriptor, for calls within this target.
  var number: Int32 { handle.number }

  /// Opens a folder in this one.
  package func directory(_ name: String) throws(SystemError) -> Directory {
    let path = try path(of: name)
    do throws(SystemError) {
      let opened = try attempt("open the folder", path) { openat(number, name, Self.flags) }
      return Directory(number: opened, path: path)
    } catch {
      throw namingLink(error, at: name)
    }
  }

  /// Opens a folder in this one; returns `nil` if the name isn't taken.
  package func directoryIfPresent(_ name: String) throws(SystemError) -> Directory? {
    do throws(SystemError) {
      return try directory(name)
    } catch {
      guard error.code == ENOENT else { throw error }
      return nil
    }
  }

  /// Opens a file in the folder, without waiting for the other end of a pipe.
  package func open(
    _ name: String, for access: FileDescriptor.Access = .reading
  ) throws(SystemError) -> FileDescriptor {
    let path = try path(of: name)
    let flags = (access == .reading ? O_RDONLY : O_RDWR) | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW
    let call = access == .reading ? "open" : "open for writing"
    do throws(SystemError) {
      return FileDescriptor(
        number: try attempt(call, path) { openat(number, name, flags) }, path: path)
    } catch {
      throw namingLink(error, at: name)
    }
  }

  /// Creates a file with these permissions, whatever the umask is; the name must be free.
  package func create(_ name: String, mode: UInt32 = 0o600) throws(SystemError) -> FileDescriptor {
    let path = try path(of: name)
    let flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
    let created = try attempt("create", path) { openat(number, name, flags, mode_t(mode)) }
    // The umask has taken permissions away. On a file just created, giving them doesn't fail.
    _ = fchmod(created, mode_t(mode))
    return FileDescriptor(number: created, path: path)
  }

  /// Creates a folder with these permissions, whatever the umask is, and opens it.
  @discardableResult
  package func createDirectory(
    _ name: String, mode: UInt32 = 0o700
  ) throws(SystemError) -> Directory {
    let path = try path(of: name)
    try attempt("create the folder", path) { mkdirat(number, name, mode_t(mode)) }
    let created = try directory(name)
    try attempt("set the permissions of", path) { fchmod(created.number, mode_t(mode)) }
    return created
  }
}

extension Directory {
  /// Asks for the status of what has a name, a symbolic link itself included.
  package func status(of name: String) throws(SystemError) -> FileStatus {
    var status = stat()
    try attempt("read the status of", try path(of: name)) {
      fstatat(number, name, &status, AT_SYMLINK_NOFOLLOW)
    }
    return FileStatus(status)
  }

  /// Asks for the status of what has a name; returns `nil` if the name isn't taken.
  package func statusIfPresent(of name: String) throws(SystemError) -> FileStatus? {
    do throws(SystemError) {
      return try status(of: name)
    } catch {
      guard error.code == ENOENT else { throw error }
      return nil
    }
  }

  /// Returns whether a name is taken, by a broken link too.
  package func has(_ name: String) throws(SystemError) -> Bool {
    try statusIfPresent(of: name) != nil
  }

  /// Returns the names in the folder, ordered by their bytes, without `.` and `..`.
  ///
  /// - Throws: A ``SystemError`` if the folder can't be read, or if a name isn't UTF-8.
  package func list() throws(SystemError) -> [String] { try list(leavingOutOthers: false) }

  /// Returns the names in the folder that are UTF-8, as the names of a store's files are.
  package func listText() throws(SystemError) -> [String] { try list(leavingOutOthers: true) }

  private func list(leavingOutOthers: Bool) throws(SystemError) -> [String] {
    // A descriptor of its own: reading names moves an offset that duplicates share.
    let opened = try attempt("open the folder", path) { openat(number, ".", Self.flags) }
    return try FileSystem.names(in: opened, path, leavesOutOthers: leavingOutOthers)
  }

  /// Gives a file another name, here or in another folder, replacing what has it in one step.
  package func rename(
    _ name: String, to newName: String, in other: borrowing Directory
  ) throws(SystemError) {
    _ = try other.path(of: newName)
    try attempt("rename", try path(of: name)) {
      renameat(number, name, other.number, newName)
    }
  }

  /// Gives a file a second name, which must be free; a symbolic link gets it itself.
  package func link(
    _ name: String, to newName: String, in other: borrowing Directory
  ) throws(SystemError) {
    _ = try other.path(of: newName)
    try attempt("link", try path(of: name)) { linkat(number, name, other.number, newName, 0) }
  }

  /// Removes a file, or a symbolic link without what it leads to.
  package func remove(_ name: String) throws(SystemError) {
    try attempt("remove", try path(of: name)) { unlinkat(number, name, 0) }
  }

  /// Removes a file and returns whether there was one.
  @discardableResult
  package func removeIfPresent(_ name: String) throws(SystemError) -> Bool {
    do throws(SystemError) {
      try remove(name)
      return true
    } catch {
      guard error.code == ENOENT else { throw error }
      return false
    }
  }

  /// Removes a folder that is empty.
  package func removeDirectory(_ name: String) throws(SystemError) {
    try attempt("remove the folder", try path(of: name)) {
      unlinkat(number, name, AT_REMOVEDIR)
    }
  }

  /// Removes a file, or a folder with everything in it; of a symbolic link the link alone.
  package func removeTree(_ name: String) throws(SystemError) {
    let path = try path(of: name)
    try FileSystem.removeTree(Array(name.utf8) + [0], in: number, path)
  }

  /// Whether the folder is immutable or append-only: names in it can't be changed.
  ///
  /// It is `false` if the file system has no such flags.
  package var isProtected: Bool { cplatform_is_protected(number) == 1 }

  /// Whether new files in the folder are known to get this user as their owner.
  ///
  /// It is `false` on file systems that give all files one owner, such as FAT, and on unknown ones.
  package var keepsOwners: Bool { cplatform_keeps_owners(number) == 1 }

  /// Writes the folder's list of names to the disk itself.
  package func synchronize() throws(SystemError) {
    try attempt("sync the folder", path) { cplatform_synchronize(number) }
  }
}

extension Directory {
  /// What a file's name ends with while its content is written.
  package static let draftSuffix = ".new"

  /// Gives a name to a file of these bytes; a reader sees the whole old or the whole new file.
  ///
  /// They are written to a file with `.new` behind its name first. What an interrupted run left
  /// there is replaced.
  package func replace(_ name: String, with bytes: [UInt8]) throws(SystemError) {
    try replace(name) { (folder, draft) throws(SystemError) in
      let file = try folder.create(draft)
      try file.write(bytes)
      return file
    }
  }

  /// Gives a name to a copy of a file, where a reader sees nothing of it or all.
  ///
  /// The copy gets the owner and permissions of a status, or is for this user only.
  package func replace(
    _ name: String, withCopyOf file: borrowing FileDescriptor, like status: FileStatus? = nil
  ) throws(SystemError) {
    try replace(name) { (folder, draft) throws(SystemError) in
      let copy = try folder.copy(file, as: draft)
      if let status { copy.copyOwnerAndPermissions(of: status) }
      return copy
    }
  }

  private func replace(
    _ name: String,
    _ make: (borrowing Directory, _ draft: String) throws(SystemError) -> FileDescriptor
  ) throws(SystemError) {
    let draft = name + Self.draftSuffix
    try removeIfPresent(draft)
    do throws(SystemError) {
      let file = try make(self, draft)
      // The bytes before the name: else a loss of power could leave the name with no bytes.
      try file.synchronize()
      try rename(draft, to: name, in: self)
    } catch {
      // The first failure is the one to report.
      _ = try? removeIfPresent(draft)
      throw error
    }
    try synchronize()
  }
}

extension Directory {
  /// Returns the path of a name for messages; throws `EINVAL` unless the name is one component.
  private func path(of name: String) throws(SystemError) -> String {
    let path = path.hasSuffix("/") ? path + name : "\(path)/\(name)"
    guard Self.isPlain(name) else {
      throw SystemError(code: EINVAL, call: "use the name", path: path)
    }
    return path
  }

  /// Returns whether a text can be the name of one file in a folder.
  package static func isPlain(_ name: String) -> Bool {
    !name.isEmpty && name != "." && name != ".." && !name.utf8.contains { $0 == 0x2F || $0 == 0 }
  }

  /// The error of a symbolic link, if one is why opening a name failed.
  ///
  /// Linux reports a link as `ENOTDIR` where a folder is asked for, and as `ELOOP` else.
  private func namingLink(_ error: SystemError, at name: String) -> SystemError {
    guard error.code == ENOTDIR || error.code == ELOOP,
      (try? status(of: name))?.kind == .symbolicLink
    else { return error }
    return .link(at: error.path)
  }
}
