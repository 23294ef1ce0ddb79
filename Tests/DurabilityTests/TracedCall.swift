import Foundation
import Migrations
import RowRewriting
import OutboxConversion
import StoreProof

/// One system call of a run, as `strace -y` prints it.
struct TracedCall {
  /// The number of the thread that made the call.
  let thread: Int

  /// The call's name.
  let name: String

  /// The text between the parentheses.
  let arguments: String

  /// The returned value; `nil` if the process ended during the call.
  let answer: Int64?

  /// The paths among its arguments, those of descriptors included, in order.
  let paths: [String]

  /// A Boolean value indicating whether the call was made to fail.
  let isInjected: Bool
}

extension TracedCall {
  /// Reads the calls of the process, in order.
  static func read(_ file: String) throws -> [TracedCall] {
    let text = String(decoding: try Data(contentsOf: URL(filePath: file)), as: UTF8.self)
    // `strace` prints a call in two lines if another thread makes a call before it returns.
    var begun: [Substring: Substring] = [:]
    return text.split(separator: "\n").compactMap { line in
      let process = line.prefix { $0.isNumber }
      var call = line.dropFirst(process.count).drop { $0 == " " }
      if let end = call.range(of: " <unfinished ...>") {
        begun[process] = call[..<end.lowerBound]
        return nil
      }
      if call.hasPrefix("<... "), let rest = call.range(of: " resumed>") {
        call = (begun[process] ?? "") + call[rest.upperBound...]
      }
      return TracedCall(parsing: call, of: Int(process) ?? 0)
    }
  }

  private init?(parsing line: Substring, of thread: Int) {
    guard let start = line.firstIndex(of: "("), line.first?.isLetter == true else { return nil }
    self.thread = thread
    name = String(line[..<start])
    let end = line.range(of: " = ", options: .backwards)
    arguments = String(
      line[line.index(after: start)..<(end?.lowerBound ?? line.endIndex)]
        .reversed().drop { $0 != ")" }.dropFirst().reversed())
    let outcome = end.map { line[$0.upperBound...] } ?? ""
    answer = Int64(outcome.prefix { $0.isNumber || $0 == "-" })
    isInjected = outcome.hasSuffix("(INJECTED)")
    paths = Self.paths(in: arguments, ofBytes: Self.movesBytes.contains(name))
  }

  /// The calls whose quoted arguments are the bytes that they write or read.
  private static let movesBytes = [
    "write", "pwrite64", "writev", "pwritev", "fsetxattr", "read", "pread64", "readv", "preadv",
  ]

  private static func paths(in arguments: String, ofBytes: Bool) -> [String] {
    var paths: [String] = []
    var folder: String?
    var rest = arguments[...]
    while let first = rest.first {
      rest = rest.dropFirst()
      if first == "<" {
        let path = String(rest.prefix { $0 != ">" })
        rest = rest.dropFirst(path.count + 1)
        // If a quoted path follows, it is relative to this one, unless it is absolute.
        let names = rest.hasPrefix(", \"")
        if names && !ofBytes { folder = path } else { paths.append(path) }
        if ofBytes { return paths }
      } else if first == "\"" {
        let name = String(rest.prefix { $0 != "\"" })
        rest = rest.dropFirst(name.count + 1)
        paths.append(name.hasPrefix("/") ? name : "\(folder ?? "")/\(name)")
        folder = nil
      }
    }
    return paths
  }
}
