import Foundation
import JSONText
import TestSupport

/// What the tool printed for programs in a session.
///
/// A script in the tool's place runs it, and keeps what it prints as JSON.
struct SeenReports {
  /// A run of the tool.
  struct Run {
    /// The words after the tool's name.
    let words: [String]
    let output: String
    let error: String

    /// A Boolean value indicating whether it printed nothing for programs, or an error alone.
    var isError: Bool {
      let report = (try? JSONNode(parsing: output)).flatMap { try? $0.object }
      return output.isEmpty || report?.optional("error") != nil
    }
  }

  /// The folder of the script, which comes first in the path.
  let folder: TemporaryDirectory

  /// Creates the script for the tool in a folder.
  init(of programs: String) throws {
    folder = try TemporaryDirectory()
    let program = "'\(programs)/outbox-migrate'"
    let script = """
      #!/bin/sh
      case " $* " in
      *" --json"*|*" --format json "*|*" --progress "*|" describe "*) ;;
      *) exec \(program) "$@" ;;
      esac
      # Of a store that the session holds open, the tool would say that this script holds it, too.
      if (: <&3) 2> /dev/null; then exec \(program) "$@"; fi
      run=$(mktemp -d '\(folder.path)/run.XXXXXX') || exit 70
      for word in "$@"; do printf '%s\\0' "$word"; done > "$run/words"
      status=0
      \(program) "$@" > "$run/output" 2> "$run/error" || status=$?
      chmod -R a+rX "$run"
      cat "$run/error" >&2
      cat "$run/output"
      exit $status

      """
    let path = folder.path("outbox-migrate")
    try script.write(toFile: path, atomically: true, encoding: .utf8)
    for (path, mode) in [(path, 0o755), (folder.path, 0o777)] {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }
  }

  /// The runs so far, in no order.
  func runs() throws -> [Run] {
    try folder.names.filter { $0.hasPrefix("run.") }.map { name in
      func text(_ file: String) throws -> String {
        let path = folder.path("\(name)/\(file)")
        return String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
      }
      return Run(
        words: try text("words").split(separator: "\0", omittingEmptySubsequences: false)
          .dropLast().map(String.init), output: try text("output"), error: try text("error"))
    }
  }

  /// How the reports differ from the published schemas.
  func problems() throws -> [String] {
    try runs().flatMap { run in
      try ReportCheck(words: run.words).problems(output: run.output, error: run.error)
        .map { "\(run.words): \($0)" }
    }
  }
}
