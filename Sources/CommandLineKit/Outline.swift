/// What there is to say about a command: the common source of help, completions and man page.
struct Outline: Hashable, Sendable {
  /// The words that lead to the command, the tool's name first.
  let path: [String]
  let abstract: String
  let discussion: String
  let isHidden: Bool
  /// The command's own parameters.
  let parameters: [Declaration]
  /// The parameters of every command.
  let globals: [Declaration]
  let subcommands: [Outline]
}

extension Tool {
  /// The outline of the whole tool.
  var outline: Outline {
    outline(of: root, path: [], globals: globals.flatMap(\.declarations))
  }

  private func outline(
    of node: Subcommand<Context>, path: [String], globals: [Declaration]
  ) -> Outline {
    let path = path + [node.name]
    return Outline(
      path: path, abstract: node.abstract, discussion: node.discussion, isHidden: node.isHidden,
      parameters: node.parameters.flatMap(\.declarations), globals: globals,
      subcommands: node.subcommands.map { outline(of: $0, path: path, globals: globals) })
  }
}

extension Outline {
  /// The last word of the path.
  var name: String { path.last ?? "" }

  /// A Boolean value indicating whether this only holds other commands.
  var isGroup: Bool { !subcommands.isEmpty }

  /// The subcommands to show.
  var visibleSubcommands: [Outline] { subcommands.filter { !$0.isHidden } }

  /// The arguments to show.
  var arguments: [Declaration] { parameters.filter { $0.kind == .argument && !$0.isHidden } }

  /// The command's own options and flags to show.
  var ownOptions: [Declaration] { parameters.filter { $0.kind != .argument && !$0.isHidden } }

  /// The options and flags to show, the command's own first.
  var options: [Declaration] { ownOptions + globals.filter { !$0.isHidden } }

  /// This command and all below it, outermost first.
  var all: [Outline] { [self] + subcommands.flatMap(\.all) }

  /// This command and all visible ones below it, outermost first.
  var allVisible: [Outline] { [self] + visibleSubcommands.flatMap(\.allVisible) }

  /// A Boolean value indicating whether every name and argument is declared once.
  var namesAreUnique: Bool {
    let names = (parameters + globals).flatMap { $0.names.isEmpty ? [$0.id] : $0.names }
    return Set(names).count == names.count
      && Set(subcommands.map(\.name)).count == subcommands.count
  }

  /// The outline of a command below this one.
  ///
  /// - Precondition: The words lead to a command, and begin with the name of this one.
  func at(_ path: [String]) -> Outline {
    path.dropFirst().reduce(self) { outline, word in
      guard let next = outline.subcommands.first(where: { $0.name == word }) else {
        preconditionFailure("'\(path.joined(separator: " "))' is no command")
      }
      return next
    }
  }
}
