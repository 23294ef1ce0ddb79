import CPlatform

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  package import Darwin
#endif

/// The way the bytes of a copy came about.
package enum CopyMethod: String, Hashable, Sendable {
  /// The copy shares the original's blocks until one of the two changes.
  case cloned

  /// The copy has blocks of its own.
  case copied
}

extension FileDescriptor {
  /// Makes the bytes of this file those of another, without syncing them.
  ///
  /// The corresponding C calls are `ioctl(FICLONE)`, else `copy_file_range`, else `pread` and
  /// `pwrite`. Darwin has the last only (untested).
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

  /// Lets the kernel copy, and returns where it stopped: at the end, or where it couldn't go on.
  private func copyRanges(of source: borrowing FileDescriptor) -> Int64 {
    var offset: Int64 = 0
    while true {
      let count = cplatform_copy_range(number, source.number, offset, 1 << 30)
      if count == -1 && errno == EINTR { continue }
      // A failure that is not of the call but of the disk comes again when the bytes are copied.
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

extension FileSystem {
  /// Copies the bytes of a file to a new one for this user only, and brings them to the disk.
  ///
  /// Nothing may stand at the path of the copy. A copy that fails halfway is removed.
  @discardableResult
  package static func copy(_ path: String, to newPath: String) throws(SystemError) -> CopyMethod {
    let source = try FileDescriptor(opening: path)
    let copy = try FileDescriptor(creating: newPath)
    do throws(SystemError) {
      let method = try copy.copyContents(of: source)
      try copy.synchronize()
      return method
    } catch {
      // The failure of the copy is the one to tell.
      try? remove(newPath)
      throw error
    }
  }
}
