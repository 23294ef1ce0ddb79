/// The description of a command, from which help, completions and the man page are made.
struct Outline: Hashable, Sendable {
  /// The names that lead to the command, starting with the tool's.
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

  /// A Boolean value indicating whether this is a group of commands.
  var isGroup: Bool { !subcommands.isEmpty }

  /// The visible subcommands.
  var visibleSubcommands: [Outline] { subcommands.filter { !$0.isHidden } }

  /// The visible arguments.
  var arguments: [Declaration] { parameters.filter { $0.kind == .argument && !$0.isHidden } }

  /// The command's own visible options and flags.
  var ownOptions: [Declaration] { parameters.filter { $0.kind != .argument && !$0.isHidden } }

  /// The visible options and flags, the command's own first.
  var options: [Declaration] { ownOptions + globals.filter { !$0.isHidden } }

  /// This command and all its descendants, outermost first.
  var all: [Outline] { [self] + subcommands.flatMap(\.all) }

  /// This command and all its visible descendants, outermost first.
  var allVisible: [Outline] { [self] + visibleSubcommands.flatMap(\.allVisible) }

  /// A Boolean value indicating whether no name or argument is declared twice.
  var namesAreUnique: Bool {
    let names = (parameters + globals).flatMap { $0.names.isEmpty ? [$0.id] : $0.names }
    return Set(names).count == names.count
      && Set(subcommands.map(\.name)).count == subcommands.count
  }

  /// Returns the outline of a descendant.
  ///
  /// - Precondition: The path leads to a command, and begins with this command's name.
  func at(_ path: [String]) -> Outline {
    path.dropFirst().reduce(self) { outline, word in
      guard let next = outline.subcommands.first(where: { $0.name == word }) else {
        preconditionFailure("'\(path.joined(separator: " "))' isn't a command")
      }
      return next
    }
  }
}
