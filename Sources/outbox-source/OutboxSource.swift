import Foundation
import JSONText
import SourceDeclarations
import Synchronization

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
    let work = Mutex(Work())
    let thread = Thread {
      for path in paths {
        work.withLock { ($0.path, $0.seconds) = (path, 0) }
        let file = parsed(path)
        work.withLock { $0.files.append(file) }
      }
      work.withLock { finish($0.files) }
    }
    thread.stackSize = stackSize
    thread.start()
    let caller = getppid()
    while true {
      sleep(1)
      // Without the program that reads it, the output is of no use.
      if getppid() != caller { exit(74) }
      work.withLock { work in
        work.seconds += 1
        guard work.seconds > maximumSeconds else { return }
        let reason = "takes longer than \(maximumSeconds) seconds to parse"
        finish(work.files + [.unread(work.path, reason)])
      }
    }
  }

  /// The files that are parsed, and the one that is being parsed.
  private struct Work {
    var files: [SwiftFile] = []
    var path = ""

    /// The time since the parser began with the file.
    var seconds = 0
  }

  /// The longest time for a file, because the parser's isn't linear in what is nested.
  ///
  /// A test sets the variable `OUTBOX_SOURCE_SECONDS` to a shorter one.
  private static let maximumSeconds =
    ProcessInfo.processInfo.environment["OUTBOX_SOURCE_SECONDS"].flatMap(Int.init) ?? 120

  /// The size of the parser's stack in bytes; the system gives memory for what is used.
  private static let stackSize = 1 << 30

  /// The largest file that is parsed, in bytes; a million elements of an array take half a minute.
  private static let maximumSize = 4 << 20

  private static func parsed(_ path: String) -> SwiftFile {
    guard let file = FileHandle(forReadingAtPath: path),
      let bytes = try? file.read(upToCount: maximumSize + 1) ?? Data()
    else { fail(74, "can't read '\(path)'") }
    return bytes.count > maximumSize
      ? .unread(path, "is larger than \(maximumSize >> 20) MiB")
      : SwiftFile(path: path, source: Array(bytes))
  }

  private static func finish(_ files: [SwiftFile]) -> Never {
    print(files.document.text())
    exit(0)
  }

  private static func fail(_ status: Int32, _ message: String) -> Never {
    FileHandle.standardError.write(Data("Error: \(message)\n".utf8))
    exit(status)
  }
}
