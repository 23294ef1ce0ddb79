#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension FileSystem {
  /// What a file that the user named ends with while it is written.
  package static let draftSuffix = ".outbox-migrate-new"

  /// Reads a whole file, or throws `EFBIG` if it is larger than `limit` bytes.
  package static func read(_ path: String, limit: Int = .max) throws(SystemError) -> [UInt8] {
    try FileDescriptor(opening: path).readAll(limit: limit)
  }

  /// Creates a file with these contents and syncs it.
  ///
  /// Throws if something exists at the path. Removes the file if writing fails.
  package static func create(
    _ path: String, _ bytes: [UInt8], mode: UInt32 = 0o600
  ) throws(SystemError) {
    let file = try FileDescriptor(creating: path, mode: mode)
    do throws(SystemError) {
      try file.write(bytes)
      try file.synchronize()
    } catch {
      // An incomplete file is of no use. Report the writing error, not the removal's.
      try? remove(path)
      throw error
    }
    try file.close()
  }

  /// Replaces a file atomically: a reader sees either the old or the new contents.
  ///
  /// Writes to a file with `suffix` appended to the name, syncs it, renames it, and syncs the
  /// directory. Replaces a file of that name that an interrupted run left, and removes it if
  /// writing fails.
  package static func replace(
    _ path: String, with bytes: [UInt8], mode: UInt32 = 0o600, suffix: String = ".new"
  ) throws(SystemError) {
    let draft = path + suffix
    do throws(SystemError) {
      try removeIfPresent(draft)
      try create(draft, bytes, mode: mode)
      try rename(draft, to: path)
    } catch {
      // Report the first error, by the name that the caller knows.
      _ = try? removeIfPresent(draft)
      throw SystemError(code: error.code, call: error.call, path: path)
    }
    try synchronizeDirectory(parent(of: path))
  }

  /// Replaces a file atomically with a copy of another file.
  package static func replace(_ path: String, withCopyOf source: String) throws(SystemError) {
    let draft = path + ".new"
    try removeIfPresent(draft)
    do throws(SystemError) {
      try copy(source, to: draft)
      try rename(draft, to: path)
    } catch {
      _ = try? removeIfPresent(draft)
      throw error
    }
    try synchronizeDirectory(parent(of: path))
  }

  /// Returns the path of the directory that contains a path's last component.
  package static func parent(of path: String) -> String {
    let bytes = Array(path.utf8)
    let name = rangeOfName(in: bytes)
    guard let end = bytes[..<name.lowerBound].lastIndex(where: { $0 != slash }) else {
      return bytes.first == slash ? "/" : "."
    }
    return String(decoding: bytes[...end], as: UTF8.self)
  }

  /// Returns the last component of a path.
  package static func name(of path: String) -> String {
    let bytes = Array(path.utf8)
    return String(decoding: bytes[rangeOfName(in: bytes)], as: UTF8.self)
  }

  private static var slash: UInt8 { UInt8(ascii: "/") }

  /// Returns where a path's last component is, without slashes at its end.
  private static func rangeOfName(in path: [UInt8]) -> Range<Int> {
    let end = path.lastIndex { $0 != slash }.map { $0 + 1 } ?? 0
    let start = path[..<end].lastIndex(of: slash).map { $0 + 1 } ?? 0
    return start..<end
  }
}
