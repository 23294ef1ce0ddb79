import Foundation
import JSONText
import SourceDeclarations

/// The Swift parser of `outbox-migrate`.
///
/// It is a separate program, because the toolchain's parser is 24 MB of shared libraries. Its
/// arguments are the paths of source files. It prints their declarations as one JSON document.
@main struct OutboxSource {
  static func main() {
    let paths = CommandLine.arguments.dropFirst()
    guard !paths.isEmpty else {
      fail(64, "this program is part of outbox-migrate; use 'outbox-migrate schema capture'")
    }
    // The parser recurses for each level of nesting: the main thread's stack is too small.
    let thread = Thread {
      parse(Array(paths))
      exit(0)
    }
    thread.stackSize = stackSize
    thread.start()
    while true { sleep(.max) }
  }

  /// The size of the parser's stack in bytes; the system gives memory for what is used.
  private static let stackSize = 1 << 30

  private static func parse(_ paths: [String]) {
    var files: [SwiftFile] = []
    for path in paths {
      guard let bytes = FileManager.default.contents(atPath: path) else {
        fail(74, "can't read '\(path)'")
      }
      files.append(SwiftFile(path: path, source: Array(bytes)))
    }
    print(files.document.text())
  }

  private static func fail(_ status: Int32, _ message: String) -> Never {
    FileHandle.standardError.write(Data("Error: \(message)\n".utf8))
    exit(status)
  }
}
