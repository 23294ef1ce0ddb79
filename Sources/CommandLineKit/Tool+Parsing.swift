extension Tool {
  /// Parses the words of a command line, without the program's name.
  ///
  /// A request for help takes precedence over errors. A missing subcommand requests help, too. Help
  /// is wrapped to a width in columns.
  package func request(
    _ arguments: [String], width: Int = 80
  ) throws(Misuse) -> Request<Context> {
    var node = root
    var path = [root.name]
    var scan = Scan(arguments, declarations: globals.flatMap(\.declarations))
    do throws(UsageError) {
      while node.make == nil, let word = scan.nextWord() {
        if word == "help", !scan.optionsHaveEnded {
          return try .print(help(for: scan.remainingWords, below: node, path: path, width: width))
        }
        node = try subcommand(word, of: node)
        path.append(node.name)
        scan.declare(node.parameters.flatMap(\.declarations))
      }
      scan.collectArguments()
      if scan.found(Self.helpFlag) { return .print(help(at: path, width: width)) }
      if scan.found(Self.versionFlag) { return .print(version + "\n") }
      if let failure = scan.failure { throw failure }
      guard let make = node.make else { return .print(help(at: path, width: width)) }
      let input = Input(try scan.values(of: node.parameters + globals))
      return .run(try make(input), path: path)
    } catch {
      throw misuse(scan.failure ?? error, at: path)
    }
  }

  /// Returns a usage error with the command it belongs to.
  ///
  /// Use it for errors that a command finds only when it runs.
  package func misuse(_ error: UsageError, at path: [String]) -> Misuse {
    Misuse(error: error, path: path, usage: outline.at(path).usage)
  }

  /// Returns the help of the command at a path that starts with the tool's name.
  ///
  /// - Precondition: The path leads to a command or a group.
  package func help(at path: [String], width: Int = 80) -> String {
    outline.at(path).help(width: width)
  }

  private func help(
    for words: [String], below node: Subcommand<Context>, path: [String], width: Int
  ) throws(UsageError) -> String {
    var node = node
    var path = path
    for word in words where !word.hasPrefix("-") {
      node = try subcommand(word, of: node)
      path.append(node.name)
    }
    return help(at: path, width: width)
  }

  private func subcommand(
    _ word: String, of node: Subcommand<Context>
  ) throws(UsageError) -> Subcommand<Context> {
    if let subcommand = node.subcommands.first(where: { $0.name == word }) { return subcommand }
    let candidates = node.subcommands.filter { !$0.isHidden }.map(\.name)
    throw .unknownSubcommand(word, suggestion: nearest(to: word, among: candidates))
  }
}
