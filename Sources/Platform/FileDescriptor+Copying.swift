import CPlatform

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// How the contents of a file were copied.
package enum CopyMethod: String, Hashable, Sendable {
  /// The copy shares the original's blocks until either file changes.
  case cloned

  /// The copy has its own blocks.
  case copied
}

extension FileDescriptor {
  /// Replaces the contents of this file with those of another, without syncing.
  ///
  /// Tries `ioctl(FICLONE)`, then `copy_file_range`, then `pread` and `pwrite`. Darwin has only the
  /// last: it clones a file as a new one (``Directory/clone(_:as:)``).
  @discardableResult
  package func copyContents(
    of source: borrowing FileDescriptor
  ) throws(SystemError) -> CopyMethod {
    try truncate(to: 0)
    if cplatform_clone_file(number, source.number) == 0 { return .cloned }
    let start = copyRanges(of: source)
    try copyBytes(of: source, from: start)
    return .copied
  }

  /// Copies with `copy_file_range` and returns the offset where the kernel stopped.
  private func copyRanges(of source: borrowing FileDescriptor) -> Int64 {
    var offset: Int64 = 0
    while true {
      let count = cplatform_copy_range(number, source.number, offset, 1 << 30)
      if count == -1 && errno == EINTR { continue }
      // Ignore the failure. If it is the disk's, `copyBytes` fails with the same error.
      if count <= 0 { return offset }
      offset += Int64(count)
    }
  }

  private func copyBytes(
    of source: borrowing FileDescriptor, from start: Int64
  ) throws(SystemError) {
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    var offset = start
    while true {
      let count = try source.read(into: &buffer, at: offset)
      if count == 0 { return }
      try write(buffer.span.extracting(0..<count), at: offset)
      offset += Int64(count)
    }
  }
}

extension Directory {
  /// Makes a file that shares the blocks of another, for this user only; `nil` if that isn't possible.
  ///
  /// The corresponding C function is Darwin's `fclonefileat`. Linux clones into an existing file.
  package func clone(
    _ file: borrowing FileDescriptor, as name: String
  ) throws(SystemError) -> FileDescriptor? {
    guard cplatform_clone_as(number, name, file.number) == 0 else { return nil }
    let clone = try open(name, for: .updating)
    _ = fchmod(clone.number, 0o600)
    return clone
  }

  /// Makes a copy of a file, for this user only, which shares blocks if possible.
  ///
  /// - Returns: The copy, which isn't synced.
  /// - Throws: A ``SystemError`` if something has the name, or copying fails.
  package func copy(
    _ file: borrowing FileDescriptor, as name: String
  ) throws(SystemError) -> FileDescriptor {
    if let clone = try clone(file, as: name) { return clone }
    let copy = try create(name)
    try copy.copyContents(of: file)
    return copy
  }
}

extension FileSystem {
  /// Copies a file to a new file with mode `0o600`, and syncs it.
  ///
  /// Throws if something exists at `newPath`. Removes the copy if it fails.
  @discardableResult
  package static func copy(_ path: String, to newPath: String) throws(SystemError) -> CopyMethod {
    let source = try FileDescriptor(opening: path)
    let copy = try FileDescriptor(creating: newPath)
    do throws(SystemError) {
      let method = try copy.copyContents(of: source)
      try copy.synchronize()
      return method
    } catch {
      // Report the copy's error, not the removal's.
      try? remove(newPath)
      throw error
    }
  }
}
