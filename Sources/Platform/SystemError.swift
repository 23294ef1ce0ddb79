#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  package import Darwin
#endif

/// A call to the operating system that failed.
package struct SystemError: Error, Hashable, Sendable {
  /// The number in C's `errno`, such as `ENOENT`.
  package let code: Int32

  /// What was attempted, in words, such as `open`.
  package let call: String

  /// The file it was attempted on, if it was on one.
  package let path: String?

  /// Creates an error from its parts.
  package init(code: Int32, call: String, path: String? = nil) {
    self.code = code
    self.call = call
    self.path = path
  }
}

extension SystemError {
  /// A Boolean value indicating whether there is no such file or folder.
  package var isNotFound: Bool { code == ENOENT || code == ENOTDIR }

  /// A Boolean value indicating whether the file or folder exists already.
  package var isExisting: Bool { code == EEXIST || code == ENOTEMPTY }

  /// A Boolean value indicating whether permission is missing.
  package var isDenied: Bool { code == EACCES || code == EPERM || code == EROFS }

  /// A Boolean value indicating whether something was to be read or looked at.
  package var isOfReading: Bool { call == "open" || call == "list" || call.hasPrefix("read") }

  /// A Boolean value indicating whether the disk, or the share of it one may use, is full.
  package var isFull: Bool { code == ENOSPC || code == EDQUOT }

  /// A Boolean value indicating whether a hard link isn't possible here, while a copy may be.
  package var isUnlinkable: Bool {
    code == EPERM || code == EXDEV || code == EMLINK || code == EOPNOTSUPP || code == ENOSYS
  }

  /// A Boolean value indicating whether nobody reads the other end of a pipe any more.
  package var isBrokenPipe: Bool { code == EPIPE }

  /// A Boolean value indicating whether a symbolic link stands where none is followed.
  package var isSymbolicLink: Bool { code == ELOOP }

  /// The call of an error for a symbolic link that stands in place of a file or folder.
  static let followsLink = "follow"
}

extension SystemError: CustomStringConvertible {
  package var description: String {
    let reason = String(cString: strerror(code)).lowercased()
    guard let path else { return "\(call): \(reason)" }
    if call == Self.followsLink {
      return
        "'\(path)' is a symbolic link, which isn't followed; move it away, or put what it leads to "
        + "in its place"
    }
    return "\(call) '\(path)': \(reason)"
  }
}

/// Makes a call again while a signal interrupts it, and throws if it returns -1.
@discardableResult
func attempt<Answer: FixedWidthInteger & SignedInteger>(
  _ call: String, _ path: String? = nil, _ body: () -> Answer
) throws(SystemError) -> Answer {
  // C would read the path up to the NUL and act on another file.
  if let path, path.utf8.contains(0) { throw SystemError(code: EINVAL, call: call, path: path) }
  while true {
    let answer = body()
    if answer != -1 { return answer }
    let code = errno
    if code != EINTR { throw SystemError(code: code, call: call, path: path) }
  }
}
