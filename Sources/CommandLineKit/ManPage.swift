extension Tool {
  /// Returns the manual pages in `man(7)` macros: the tool's first, then one for each command.
  ///
  /// A page's name is the command's words with hyphens, such as `library-shelf-list`. The date is such
  /// as "2026-08-01".
  package func manPages(date: String) -> [(name: String, text: String)] {
    let page = ManPage(
      tool: outline, exitStatuses: exitStatuses, manual: manual, date: date, version: version)
    return [(outline.name, page.text)] + page.commands.map { ($0.pageName, page.text(of: $0)) }
  }
}

extension Outline {
  /// The name of the command's manual page.
  fileprivate var pageName: String { path.joined(separator: "-") }
}

/// Writes the manual pages of a tool.
struct ManPage {
  let tool: Outline
  let exitStatuses: [DocumentedExitStatus]
  let manual: [ManualSection]
  let date: String
  let version: String

  /// The commands that have a page.
  var commands: [Outline] { tool.allVisible.filter { !$0.isGroup && $0.path.count > 1 } }

  /// The tool's page.
  var text: String {
    let list = commands.map { ".TP\n.B \(escaped($0.pageName))(1)\n\(escaped($0.abstract))\n" }
    let sections = manual.map { section in
      let entries = section.entries.map { ".TP\n.B \(escaped($0.term))\n\(escaped($0.text))\n" }
      return ".SH \(section.title)\n" + entries.joined()
    }
    return head(of: tool)
      + ".SH SYNOPSIS\n" + tool.allVisible.filter { !$0.isGroup }.map(synopsis).joined()
      + description(of: tool) + ".SH COMMANDS\nEach command has a page.\n" + list.joined()
      + ".SH OPTIONS\nAll commands take these options.\n" + globals + statuses + sections.joined()
  }

  /// Returns a command's page.
  func text(of command: Outline) -> String {
    let (arguments, options) = (command.arguments.map(entry), command.ownOptions.map(entry))
    return head(of: command) + ".SH SYNOPSIS\n" + synopsis(of: command) + description(of: command)
      + (arguments.isEmpty ? "" : ".SH ARGUMENTS\n" + arguments.joined())
      + ".SH OPTIONS\n" + options.joined() + globals + statuses
      + ".SH SEE ALSO\n.BR \(escaped(tool.name)) (1)\n"
  }

  private func head(of command: Outline) -> String {
    let name = escaped(command.pageName)
    let source = "\(escaped(tool.name)) \(escaped(version))"
    let abstract = command.abstract
    let summary = abstract.hasSuffix(".") ? abstract.dropLast() : abstract[...]
    return """
      .TH \(name.uppercased()) 1 "\(escaped(date))" "\(source)" "User Commands"
      .nh
      .ad l
      .SH NAME
      \(name) \\- \(escaped(String(summary)))

      """
  }

  private func description(of command: Outline) -> String {
    ".SH DESCRIPTION\n"
      + paragraphs(command.discussion.isEmpty ? command.abstract : command.discussion)
  }

  private var globals: String { tool.globals.filter { !$0.isHidden }.map(entry).joined() }

  private var statuses: String {
    if exitStatuses.isEmpty { return "" }
    return ".SH EXIT STATUS\n"
      + exitStatuses.map { ".TP\n.B \($0.code)\n\(escaped($0.meaning))\n" }.joined()
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
