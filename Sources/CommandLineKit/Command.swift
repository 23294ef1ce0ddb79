/// A command of the tool.
///
/// ```swift
/// struct PlanCommand: Command {
///   static let name = "plan"
///   static let abstract = "Show what a migration would change."
///
///   static let store = Argument<String>("store", help: "The store to read.", completion: .file)
///   static let goal = Option<String?>("--to", valueName: "version", help: "The target version.")
///   static var parameters: [any Parameter] { [store, goal] }
///
///   let store: String
///   let goal: String?
///
///   init(_ input: borrowing Input) throws(UsageError) {
///     store = input[Self.store]
///     goal = input[Self.goal]
///   }
///
///   func run(in context: Terminal) throws -> Int32 { … }
/// }
/// ```
///
/// A parsed command is a plain value, so that tests can compare it without running it.
package protocol Command<Context>: Sendable {
  /// The environment that a command runs in, such as a terminal.
  associatedtype Context

  /// The name on the command line.
  static var name: String { get }

  /// A one-sentence summary.
  static var abstract: String { get }

  /// More help: paragraphs between blank lines; lines that begin with a space aren't wrapped.
  static var discussion: String { get }

  /// The command's parameters, without the tool's global ones.
  static var parameters: [any Parameter] { get }

  /// A Boolean value indicating whether help, completions and the man page omit it.
  static var isHidden: Bool { get }

  /// Creates a command from its parsed input.
  ///
  /// Check rules about several parameters here: `throw .refused("…")`.
  init(_ input: borrowing Input) throws(UsageError)

  /// Runs the command, and returns the exit status.
  func run(in context: Context) throws -> Int32
}

extension Command {
  package static var discussion: String { "" }
  package static var parameters: [any Parameter] { [] }
  package static var isHidden: Bool { false }
}

/// A command or a group of commands in a tool's tree.
package struct Subcommand<Context>: Sendable {
  let name: String
  let abstract: String
  let discussion: String
  let isHidden: Bool

  /// Makes the parameters; a process needs those of one command only.
  let makeParameters: @Sendable () -> [any Parameter]
  let subcommands: [Subcommand]
  let make: (@Sendable (borrowing Input) throws(UsageError) -> any Command<Context>)?

  var parameters: [any Parameter] { makeParameters() }

  /// Creates the node of a command.
  package static func command<C: Command<Context>>(_ type: C.Type) -> Self {
    Self(
      name: C.name, abstract: C.abstract, discussion: C.discussion, isHidden: C.isHidden,
      makeParameters: { C.parameters }, subcommands: [],
      make: { input throws(UsageError) in try C(input) })
  }

  /// Creates a group, such as `snapshot` with `list` and `prune`.
  package static func group(
    _ name: String, abstract: String, discussion: String = "", isHidden: Bool = false,
    _ subcommands: [Subcommand]
  ) -> Self {
    Self(
      name: name, abstract: abstract, discussion: discussion, isHidden: isHidden,
      makeParameters: { [] }, subcommands: subcommands, make: nil)
  }
}
