import Foundation
import JSONText
package import ReportFormats

/// Compares what a run of the tool printed for programs with the published schemas.
package struct ReportCheck {
  private let words: [String]

  /// The format of what the run prints; `nil` if its command has no report, or is no command.
  package let format: ReportFormat?

  /// Creates a check from the words after the tool's name.
  package init(words: [String]) {
    self.words = words
    let command = Self.command(in: words)
    let lines = command.flatMap { command in
      Self.takesLines(words)
        ? ReportFormat.all.first { $0.command == "\(command) --json-lines" } : nil
    }
    format = lines ?? ReportFormat.all.first { $0.command == command }
  }

  /// Compares the output with the format.
  ///
  /// - Parameters:
  ///   - output: What the run printed on standard output.
  ///   - error: What it printed on standard error, whose lines of JSON are reports on progress.
  /// - Returns: The violated keywords, with their positions.
  /// - Throws: An error if a schema can't be read.
  package func problems(output: String, error: String = "") throws -> [String] {
    let progress = try error.split(separator: "\n").filter { $0.hasPrefix("{") }
      .flatMap { try Self.problems(of: String($0), in: Self.progress) }
    guard printsJSON, !output.isEmpty else { return progress }
    // What isn't a command prints the error alone.
    let format = format ?? Self.error
    if format.command.hasSuffix("--json-lines"), !output.hasPrefix("{\n") {
      return try progress
        + output.split(separator: "\n").flatMap { try Self.problems(of: String($0), in: format) }
    }
    return try progress + Self.problems(of: output, in: format)
  }

  /// A Boolean value indicating whether the run prints a report as JSON.
  ///
  /// Help, scripts for shells and written files aren't reports.
  private var printsJSON: Bool {
    if words.contains(where: { ["--help", "-h", "--version"].contains($0) }) { return false }
    guard let command = Self.command(in: words) else { return false }
    if command == "describe" || Self.takesLines(words) { return true }
    let formats = ["--json", "--format json", "--format=json"]
    guard formats.contains(where: { (words.joined(separator: " ") + " ").contains($0 + " ") })
    else { return false }
    let writesFile = ["schema capture", "schema infer", "schema swift"].contains(command)
    return !writesFile
      || words.contains {
        $0 == "--out" || $0 == "-o" || $0 == "--against" || $0.hasPrefix("--out=")
      }
  }

  private static func takesLines(_ words: [String]) -> Bool { words.contains("--json-lines") }

  /// The command that the words begin with, after options.
  private static func command(in words: [String]) -> String? {
    let names = words.filter { !$0.hasPrefix("-") }
    let known = Set(ReportFormat.all.map(\.command))
    for place in names.indices {
      if known.contains(names[place]) { return names[place] }
      let two = names[place...].prefix(2).joined(separator: " ")
      if known.contains(two) { return two }
    }
    return nil
  }

  private static func problems(of text: String, in format: ReportFormat) throws -> [String] {
    let node: JSONNode
    do throws(JSONError) { node = try JSONNode(parsing: text) } catch {
      return ["\(format.command): not JSON: \(error): \(text.prefix(200))"]
    }
    guard let check = checks[format.command], try !check.violations(in: node).isEmpty else {
      return checks[format.command] == nil ? ["there is no schema for \(format.command)"] : []
    }
    // The form that it is nearest to says most.
    let all = try format.forms.map { form in
      try JSONSchemaCheck(format.schema(of: [form]).text()).nestedViolations(in: node)
    }
    return ["\(format.command): \(all.min { $0.count < $1.count } ?? [])"]
  }

  private static let progress = format("--progress")
  private static let error = format("describe")

  private static func format(_ command: String) -> ReportFormat {
    ReportFormat.all.first { $0.command == command } ?? ReportFormat.all[0]
  }

  /// The schemas as they are published, by command.
  private static let checks: [String: JSONSchemaCheck] = Dictionary(
    uniqueKeysWithValues: ReportFormat.all.compactMap { format in
      let text = try? String(contentsOf: PublishedSchema(format).file, encoding: .utf8)
      return text.flatMap { try? JSONSchemaCheck($0) }.map { (format.command, $0) }
    })
}
