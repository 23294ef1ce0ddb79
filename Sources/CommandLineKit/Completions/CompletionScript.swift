extension Tool {
  /// The completion script for a shell, to be installed where that shell looks for it.
  ///
  /// Bash: `bash-completion/completions/NAME`; Zsh: `_NAME` on `fpath`; Fish: `NAME.fish`.
  package func completionScript(for shell: Shell) -> String {
    switch shell {
    case .bash: outline.bashScript
    case .zsh: outline.zshScript
    case .fish: outline.fishScript
    }
  }
}

extension Outline {
  /// The place of the command in a script: nothing for the tool, `.shelf.list` for `shelf list`.
  var key: String { path.dropFirst().map { "." + $0 }.joined() }

  /// The names of the options, all spellings.
  var optionNames: [String] { options.flatMap(\.names) }

  /// The name of the function in a script, made of letters, digits and underscores.
  var functionName: String {
    "_" + path.joined(separator: "_").map { $0.isLetter || $0.isNumber ? String($0) : "_" }.joined()
  }

  /// The keys and words that lead to a command, as in `.shelf list`.
  var commandWords: [String] {
    allVisible.flatMap { group in group.visibleSubcommands.map { "\(group.key) \($0.name)" } }
  }

  /// The keys and words after which `help` names a command, and stays where it is.
  var helpWords: [String] { allVisible.filter(\.isGroup).map { "\($0.key) help" } }

  /// The options that take a value; the key is nil for those of every command.
  var valuedOptions: [(key: String?, option: Declaration)] {
    let own = allVisible.flatMap { command in command.ownOptions.map { (command.key, $0) } }
    let everywhere = globals.filter { !$0.isHidden }.map { (String?.none, $0) }
    return (own.map { (String?.some($0.0), $0.1) } + everywhere).filter { $0.1.kind == .option }
  }

  /// What to offer at each position of the arguments; nil stands for all positions from there on.
  var positions: [(position: Int?, argument: Declaration)] {
    var result: [(position: Int?, argument: Declaration)] = []
    for (position, argument) in arguments.enumerated() {
      result.append((argument.repeats ? nil : position, argument))
      if argument.repeats { break }
    }
    return result
  }
}
