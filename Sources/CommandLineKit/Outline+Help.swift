extension Outline {
  /// The usage line: arguments first, then the command's own options.
  var usage: String { usagePieces.joined(separator: " ") }

  /// The parts of the usage line that aren't broken when it is wrapped.
  var usagePieces: [String] {
    path + (isGroup ? ["<subcommand>"] : arguments.map(\.usage) + optionPieces)
  }

  /// The usage of the options; more than 12 are abbreviated, as in swift-argument-parser.
  private var optionPieces: [String] {
    if ownOptions.count > 12 {
      return ownOptions.filter(\.isRequired).map(\.usage) + ["[<options>]"]
    }
    return ownOptions.compactMap { option in
      if let first = option.excludes.first, ownOptions.precedes(first, option.id) { return nil }
      return option.usage
    }
  }

  /// Returns the help page, wrapped to a width in columns.
  func help(width: Int = 80) -> String {
    let layout = Layout(width: max(width, 40))
    var sections = [
      layout.filled("OVERVIEW: ", abstract.split(separator: " "), indent: 0)
    ]
    if !discussion.isEmpty { sections.append(layout.paragraphs(discussion)) }
    sections.append(layout.filled("USAGE: ", usagePieces, indent: 7))
    if !arguments.isEmpty {
      sections.append("ARGUMENTS:\n" + layout.table(arguments.map { ($0.fullLabel, $0.helpText) }))
    }
    sections.append("OPTIONS:\n" + layout.table(options.map { ($0.fullLabel, $0.helpText) }))
    if isGroup {
      let rows = visibleSubcommands.map { ($0.name, $0.abstract) }
      sections.append("SUBCOMMANDS:\n" + layout.table(rows))
      let words = (path.prefix(1) + ["help"] + path.dropFirst()).joined(separator: " ")
      let pointer = "See '\(words) <subcommand>' for detailed help."
      sections.append(layout.filled("  ", pointer.split(separator: " "), indent: 2))
    }
    return sections.joined(separator: "\n")
  }
}

extension [Declaration] {
  /// Returns whether one name is declared before another.
  fileprivate func precedes(_ first: String, _ second: String) -> Bool {
    guard let a = firstIndex(where: { $0.id == first }),
      let b = firstIndex(where: { $0.id == second })
    else { return false }
    return a < b
  }
}

extension Declaration {
  /// A Boolean value indicating whether the parameter is required.
  var isRequired: Bool { minimum > 0 }

  /// The parameter's part of the usage line.
  var usage: String {
    let text = ([label] + excludes).joined(separator: " | ")
    let dots = repeats ? "..." : ""
    if isRequired { return text + dots }
    return kind == .argument ? "[\(text)\(dots)]" : "[\(text)]\(dots)"
  }

  /// The help text with the valid values and the default.
  var helpText: String {
    let notes = [
      choices.isEmpty ? nil : "values: " + choices.joined(separator: ", "),
      defaultText.map { "default: " + $0 },
    ].compactMap(\.self)
    if notes.isEmpty { return help }
    return help + (help.isEmpty ? "" : " ") + "(\(notes.joined(separator: "; ")))"
  }
}
