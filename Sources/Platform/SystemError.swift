#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// An error of a call to the operating system.
package struct SystemError: Error, Hashable, Sendable {
  /// The value of `errno`, such as `ENOENT`.
  package let code: Int32

  /// The operation that failed, in words, such as `open`.
  package let call: String

  /// The path that the operation was called with, if any.
  package let path: String?

  /// Creates an error from its parts.
  package init(code: Int32, call: String, path: String? = nil) {
    self.code = code
    self.call = call
    self.path = path
  }
}

extension SystemError {
  /// Whether the file or directory doesn't exist.
  package var isNotFound: Bool { code == ENOENT || code == ENOTDIR }

  /// Whether the file or directory already exists.
  package var isExisting: Bool { code == EEXIST || code == ENOTEMPTY }

  /// Whether permission is missing.
  package var isDenied: Bool { code == EACCES || code == EPERM || code == EROFS }

  /// Whether the file system is mounted for reading only.
  package var isOfReadOnlyFileSystem: Bool { code == EROFS }

  /// Whether a file is larger than allowed.
  package var isOfSize: Bool { code == EFBIG }

  /// Whether a name isn't UTF-8.
  package var isOfName: Bool { code == EILSEQ }

  /// Whether the failed operation was a read.
  package var isOfReading: Bool { call == "open" || call == "list" || call.hasPrefix("read") }

  /// Whether the disk or the user's quota is full.
  package var isFull: Bool { code == ENOSPC || code == EDQUOT }

  /// Whether the file system can't create the hard link; copying may still be possible.
  package var isUnlinkable: Bool {
    code == EPERM || code == EXDEV || code == EMLINK || isUnsupported || code == ENOSYS
  }

  /// Whether the file system doesn't have the operation; Darwin has two numbers for it.
  private var isUnsupported: Bool { code == ENOTSUP || code == EOPNOTSUPP }

  /// Whether the pipe has no reader.
  package var isBrokenPipe: Bool { code == EPIPE }

  /// Whether the path is a symbolic link, and links aren't followed.
  package var isSymbolicLink: Bool { code == ELOOP }

  /// The call of an error for a symbolic link that stands in place of a file or folder.
  private static let followsLink = "follow"

  /// The error of a symbolic link that stands in place of a file or folder.
  static func link(at path: String?) -> SystemError {
    SystemError(code: ELOOP, call: followsLink, path: path)
  }

  /// The error of a run that a stop signal ended.
  static var interrupted: SystemError { SystemError(code: EINTR, call: "continue") }

  /// The error of a file whose name got another file while it was opened.
  package static func replaced(_ path: String) -> SystemError {
    SystemError(code: ESTALE, call: "open", path: path)
  }
}

extension SystemError: CustomStringConvertible {
  package var description: String {
    let reason = String(cString: strerror(code)).lowercased()
    guard let path else { return "can't \(call): \(reason)" }
    if call == Self.followsLink {
      return
        "'\(path)' is a symbolic link, which isn't followed; move it away, or put what it leads to "
        + "in its place"
    }
    return "can't \(call) '\(path)': \(reason)"
  }
}

/// Calls a closure, repeats it on `EINTR`, and throws if it returns -1.
@discardableResult
package func attempt<Answer: FixedWidthInteger & SignedInteger>(
  _ call: String, _ path: String? = nil, _ body: () -> Answer
) throws(SystemError) -> Answer {
  // C stops reading at the NUL and would act on another file.
  if let path, path.utf8.contains(0) { throw SystemError(code: EINVAL, call: call, path: path) }
  while true {
    let answer = body()
    if answer != -1 { return answer }
    let code = errno
    if code != EINTR { throw SystemError(code: code, call: call, path: path) }
  }
}
