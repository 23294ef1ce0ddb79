/// The SHA-256 hashes of files, in the format that `sha256sum` writes and checks.
package struct ChecksumFile: Hashable, Sendable {
  /// The file's name in a folder of migrations.
  package static let name = "checksums"

  /// The hashes in hexadecimal digits, by path relative to the folder.
  package let digests: [String: String]

  /// The numbers, from 1, of lines that can't be read or that repeat the path of an earlier line.
  package let badLines: [Int]

  /// Parses a file's text.
  ///
  /// A line consists of 64 hexadecimal digits, two spaces or a space and an asterisk, and a path.
  package init(parsing bytes: [UInt8]) {
    var digests: [String: String] = [:]
    var badLines: [Int] = []
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (number, line) in lines.enumerated() where !line.isEmpty {
      let text = String(decoding: line, as: UTF8.self)
      let digest = text.prefix(64)
      let path = text.dropFirst(66)
      let separator = text.dropFirst(64).prefix(2)
      guard digest.count == 64, digest.allSatisfy(\.isHexDigit), !path.isEmpty,
        separator == "  " || separator == " *", digests[String(path)] == nil
      else {
        badLines.append(number + 1)
        continue
      }
      digests[String(path)] = digest.lowercased()
    }
    self.digests = digests
    self.badLines = badLines
  }
}
