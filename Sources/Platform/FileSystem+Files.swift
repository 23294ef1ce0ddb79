#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  package import Darwin
#endif

extension FileSystem {
  /// Returns all bytes of a file, unless there are more than a limit: that is `EFBIG`.
  package static func read(_ path: String, limit: Int = .max) throws(SystemError) -> [UInt8] {
    try FileDescriptor(opening: path).readAll(limit: limit)
  }

  /// Creates a file of these bytes and brings them to the disk; nothing may stand at the path.
  ///
  /// Where that fails halfway, the file is removed.
  package static func create(
    _ path: String, _ bytes: [UInt8], mode: UInt32 = 0o600
  ) throws(SystemError) {
    let file = try FileDescriptor(creating: path, mode: mode)
    do throws(SystemError) {
      try file.write(bytes)
      try file.synchronize()
    } catch {
      // Half a file is none; the failure of the writing is the one to tell.
      try? remove(path)
      throw error
    }
    try file.close()
  }

  /// Puts these bytes at a path, where a reader sees the whole old or the whole new file.
  ///
  /// They are written to a file of the same name with `suffix` behind it, which is then renamed, or
  /// removed where that fails. Something left there by an interrupted run is replaced.
  package static func replace(
    _ path: String, with bytes: [UInt8], mode: UInt32 = 0o600, suffix: String = ".new"
  ) throws(SystemError) {
    let draft = path + suffix
    try removeIfPresent(draft)
    do throws(SystemError) {
      try create(draft, bytes, mode: mode)
      try rename(draft, to: path)
    } catch {
      // The first failure is the one to tell.
      _ = try? removeIfPresent(draft)
      throw error
    }
    try synchronizeDirectory(parent(of: path))
  }

  /// Puts a copy of a file at a path, where a reader sees nothing of it or all.
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

  /// Returns the path of the folder that a path's last name stands in.
  package static func parent(of path: String) -> String {
    let names = path.utf8.reversed().drop { $0 == UInt8(ascii: "/") }
    let rest = names.drop { $0 != UInt8(ascii: "/") }
    if rest.isEmpty { return path.utf8.first == UInt8(ascii: "/") ? "/" : "." }
    let folder = rest.drop { $0 == UInt8(ascii: "/") }
    return folder.isEmpty ? "/" : String(decoding: folder.reversed(), as: UTF8.self)
  }

  /// Returns the last name of a path.
  package static func name(of path: String) -> String {
    let names = path.utf8.reversed().drop { $0 == UInt8(ascii: "/") }
    let name = names.prefix { $0 != UInt8(ascii: "/") }
    return String(decoding: name.reversed(), as: UTF8.self)
  }
}
