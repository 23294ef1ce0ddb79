package import Platform

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension FileSystem {
  /// The directory for temporary files: `TMPDIR`, or `/tmp` if it isn't set.
  package static var temporaryDirectory: String {
    guard let path = environment("TMPDIR"), !path.isEmpty else { return "/tmp" }
    return path
  }

  /// Creates a temporary directory that only this user can access, and returns its path.
  package static func createTemporaryDirectory(prefix: String) throws(SystemError) -> String {
    let template = "\(temporaryDirectory)/\(prefix)-XXXXXX"
    try check(template, "create the folder")
    var bytes = Array(template.utf8CString)
    let made = bytes.withUnsafeMutableBufferPointer { buffer in
      buffer.baseAddress.flatMap { mkdtemp($0) } != nil
    }
    guard made else {
      throw SystemError(code: errno, call: "create the folder", path: template)
    }
    return String(decoding: bytes.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
