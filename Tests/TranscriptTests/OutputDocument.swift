import Foundation
import ReportFormats
import TestSupport

/// What `JSONOutput.md` says about the keys of reports.
struct OutputDocument {
  /// The text of each section by its title; that before the first section has an empty title.
  private let sections: [String: String]

  /// The keys in the first columns of tables, by section.
  let tables: [String: Set<String>]

  /// The names in each section.
  private let names: [String: Set<String>]

  private let modelKeys: Set<String>

  /// Reads the document.
  init() throws {
    let folder = PublishedSchema.folder.deletingLastPathComponent()
    func text(_ name: String) throws -> String {
      try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }
    modelKeys = Self.names(in: try text("MigrationFiles.md"))
    var (sections, tables): ([String: String], [String: Set<String>]) = ([:], [:])
    var (title, part, isOfKeys) = ("", "", false)
    for line in try text("JSONOutput.md").split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("## ") { (title, part) = (String(line.dropFirst(3)), "") }
      if line.hasPrefix("### ") { part = String(line.dropFirst(4)) }
      sections[title, default: ""] += line + "\n"
      if !line.hasPrefix("|") { isOfKeys = false }
      // Metrics and the file of rates aren't reports.
      if line.hasPrefix("| key") || line.hasPrefix("| count |") { isOfKeys = part != "Monitoring" }
      guard isOfKeys, let cell = line.split(separator: "|").first else { continue }
      tables[title, default: []].formUnion(Self.names(in: String(cell)))
    }
    (self.sections, self.tables) = (sections, tables.filter { !$0.value.isEmpty })
    names = sections.mapValues { Self.names(in: $0) }
  }

  /// Returns the formats that a section is about.
  func formats(of section: String) -> [ReportFormat] {
    let command = section == "Progress" ? "--progress" : section
    return ReportFormat.all.filter {
      $0.command == command || $0.command.hasPrefix(command + " ")
        || command == "plan" && $0.command == "show"
    }
  }

  /// Returns whether the sections about a format, or those that they refer to, name a key.
  func names(_ key: String, of format: ReportFormat) -> Bool {
    var titles =
      ["", "Cells"]
      + sections.keys.filter { title in
        title != "" && formats(of: title).contains { $0.command == format.command }
      }
    var seen: Set<String> = []
    while let title = titles.popLast() {
      guard seen.insert(title).inserted, let text = sections[title] else { continue }
      if names[title]?.contains(key) == true { return true }
      titles += sections.keys.filter { other in
        text.contains("as in `\(other)`") || text.contains("as in [`\(other)`]")
      }
      if text.contains("(#warnings)") { titles.append("plan") }
      if text.contains("(#delivery)") { titles.append("apply") }
      if text.contains("(#cells)") { titles.append("diff") }
    }
    return format.command == "schema show" && modelKeys.contains(key)
  }

  /// The words in code.
  private static func names(in text: String) -> Set<String> {
    let code = text.matches(of: /`([^`\n]+)`/).map(\.1)
    return Set(code.flatMap { $0.matches(of: /[A-Za-z][A-Za-z_]*/).map { String($0.0) } })
  }
}
