extension Tool {
  /// Returns the completion script of a shell.
  ///
  /// Install it as `bash-completion/completions/NAME` for Bash, as `_NAME` in a folder of `fpath`
  /// for Zsh, and as `NAME.fish` for Fish.
  package func completionScript(for shell: Shell) -> String {
    switch shell {
    case .bash: outline.bashScript
    case .zsh: outline.zshScript
    case .fish: outline.fishScript
    }
  }
}

extension Outline {
  /// The command's key in a script: empty for the tool, `.shelf.list` for `shelf list`.
  var key: String { path.dropFirst().map { "." + $0 }.joined() }

  /// All names of the options.
  var optionNames: [String] { options.flatMap(\.names) }

  /// The name of the command's function in a script: letters, digits and underscores.
  var functionName: String { functionName(of: path[...]) }

  /// The name of the function of the command that a path leads to.
  func functionName(of path: ArraySlice<String>) -> String {
    "_" + path.joined(separator: "_").map { $0.isLetter || $0.isNumber ? String($0) : "_" }.joined()
  }

  /// The key of each group with the name of each subcommand, such as `.shelf list`.
  var commandWords: [String] {
    allVisible.flatMap { group in group.visibleSubcommands.map { "\(group.key) \($0.name)" } }
  }

  /// The key of each group with `help`.
  var helpWords: [String] { allVisible.filter(\.isGroup).map { "\($0.key) help" } }

  /// The options that take a value; the key is `nil` for global options.
  var valuedOptions: [(key: String?, option: Declaration)] {
    let own = allVisible.flatMap { command in command.ownOptions.map { (command.key, $0) } }
    let everywhere = globals.filter { !$0.isHidden }.map { (String?.none, $0) }
    return (own.map { (String?.some($0.0), $0.1) } + everywhere).filter { $0.1.kind == .option }
  }

  /// The arguments by position; `nil` stands for all remaining positions.
  var positions: [(position: Int?, argument: Declaration)] {
    var result: [(position: Int?, argument: Declaration)] = []
    for (position, argument) in arguments.enumerated() {
      result.append((argument.repeats ? nil : position, argument))
      if argument.repeats { break }
    }
    return result
  }
}
