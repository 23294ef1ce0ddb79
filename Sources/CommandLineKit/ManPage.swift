extension Tool {
  /// Returns the manual page in `man(7)` macros, with a date such as "2026-08-01".
  package func manPage(date: String) -> String {
    let page = ManPage(outline: outline, exitStatuses: exitStatuses, manual: manual)
    return page.text(date: date, version: version)
  }
}

/// Writes a manual page.
struct ManPage {
  let outline: Outline
  let exitStatuses: [DocumentedExitStatus]
  let manual: [ManualSection]

  /// Returns the whole page.
  func text(date: String, version: String) -> String {
    let title = escaped(outline.name.uppercased())
    let name = escaped(outline.name)
    let summary =
      outline.abstract.hasSuffix(".") ? outline.abstract.dropLast() : outline.abstract[...]
    var sections = [
      ".TH \(title) 1 \"\(escaped(date))\" \"\(name) \(escaped(version))\" \"User Commands\"\n.nh\n.ad l\n",
      ".SH NAME\n\(name) \\- \(escaped(String(summary)))\n",
      ".SH SYNOPSIS\n" + outline.allVisible.filter { !$0.isGroup }.map(synopsis).joined(),
      ".SH DESCRIPTION\n"
        + paragraphs(outline.discussion.isEmpty ? outline.abstract : outline.discussion),
    ]
    let commands = outline.allVisible.filter { !$0.isGroup && $0.path.count > 1 }
    sections.append(".SH COMMANDS\n" + commands.map(section).joined())
    let globals = outline.globals.filter { !$0.isHidden }
    sections.append(".SH OPTIONS\nAll commands take these options.\n" + globals.map(entry).joined())
    if !exitStatuses.isEmpty {
      let rows = exitStatuses.map { ".TP\n.B \($0.code)\n\(escaped($0.meaning))\n" }
      sections.append(".SH EXIT STATUS\n" + rows.joined())
    }
    for section in manual {
      let entries = section.entries.map { ".TP\n.B \(escaped($0.term))\n\(escaped($0.text))\n" }
      sections.append(".SH \(section.title)\n" + entries.joined())
    }
    return sections.joined()
  }

  private func synopsis(of command: Outline) -> String {
    let name = command.path.joined(separator: " ")
    let pieces = command.usagePieces.dropFirst(command.path.count).map { piece in
      // roff treats a dot at the end of a line as the end of a sentence, and adds a space.
      piece.split(separator: " ").map { escaped(String($0)) }.joined(separator: "\\ ")
        + (piece.hasSuffix(".") ? "\\&" : "")
    }
    return ".TP\n.B \(escaped(name))\n\(pieces.isEmpty ? "\\&" : pieces.joined(separator: "\n"))\n"
  }

  private func section(of command: Outline) -> String {
    let words = command.path.dropFirst().joined(separator: " ")
    return ".SS \"\(escaped(words))\"\n" + paragraphs(command.abstract)
      + (command.discussion.isEmpty ? "" : ".PP\n" + paragraphs(command.discussion))
      + (command.arguments + command.ownOptions).map(entry).joined()
  }

  private func entry(for parameter: Declaration) -> String {
    ".TP\n.B \(escaped(parameter.fullLabel))\n"
      + (parameter.helpText.isEmpty ? "\\&\n" : escaped(parameter.helpText) + "\n")
  }

  /// Returns paragraphs; lines that begin with a space aren't filled.
  private func paragraphs(_ text: String) -> String {
    var result = ""
    var isKept = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let keeps = line.hasPrefix(" ")
      if keeps != isKept, !line.isEmpty { result += keeps ? ".nf\n" : ".fi\n" }
      if !line.isEmpty { isKept = keeps }
      result += line.isEmpty ? ".PP\n" : escaped(String(line)) + "\n"
    }
    return result + (isKept ? ".fi\n" : "")
  }

  /// Returns text with roff's special characters escaped.
  ///
  /// An unescaped dash prints as a hyphen, which a shell doesn't accept. A dot or a quote at the
  /// beginning of a line is a roff request. See `groff_char(7)`.
  private func escaped(_ text: String) -> String {
    let safe = text.reduce(into: "") { result, character in
      switch character {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "'": result += "\\(aq"
      case "\"": result += "\\(dq"
      case "`": result += "\\(ga"
      case "^": result += "\\(ha"
      case "~": result += "\\(ti"
      default: result.append(character)
      }
    }
    return safe.hasPrefix(".") ? "\\&" + safe : safe
  }
}
