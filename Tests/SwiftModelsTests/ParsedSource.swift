import Foundation
import Platform
import Processes
import SourceDeclarations
import SwiftModels
import TestSupport

/// The parser beside the tests; `nil`, after a printed note, if it wasn't built.
let parserProgram: String? = {
  guard let path = builtPrograms.map({ $0 + "/outbox-source" }),
    FileManager.default.isExecutableFile(atPath: path)
  else {
    print("skipped: there is no 'outbox-source' beside the tests; 'make' builds it")
    return nil
  }
  return path
}()

/// The models of public repositories, which tests find through `OUTBOX_MIGRATE_MODELS`.
let publicModels = environment("OUTBOX_MIGRATE_MODELS") ?? "../shared/models"

/// Parses files; `nil` if there is no parser.
func parsed(paths: [String]) throws -> SwiftSource? {
  guard let parserProgram else { return nil }
  let outcome = try Program.run(parserProgram, paths)
  struct Exited: Error { let status: Int32 }
  guard outcome.status == 0 else { throw Exited(status: outcome.status) }
  return SwiftSource(try [SwiftFile](document: outcome.output))
}

/// Parses texts as files `1.swift`, `2.swift` and so on; `nil` if there is no parser.
func parsed(_ texts: String...) throws -> SwiftSource? {
  let folder = try TemporaryDirectory()
  let paths = try texts.enumerated().map { number, text in
    let path = folder.path("\(number + 1).swift")
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }
  return try parsed(paths: paths)
}

extension SourceModel {
  /// The findings of severities, each with the file's name, line and column.
  func lines(_ severities: SourceFinding.Severity...) -> [String] {
    findings.filter { severities.contains($0.severity) }.map {
      let place = $0.place
      let name = FileSystem.name(of: place.file)
      return "\(name):\(place.position.line):\(place.position.column): \($0.message)"
    }
  }
}
