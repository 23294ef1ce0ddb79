/// Something the tool does.
///
/// ```swift
/// struct PlanCommand: Command {
///   static let name = "plan"
///   static let abstract = "Show what a migration would change, without touching the store."
///
///   static let store = Argument<String>("store", help: "The store to read.", completion: .file)
///   static let goal = Option<String?>("--to", valueName: "version", help: "Where to go.")
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
/// A command is a plain value once it is parsed; tests compare it without running it.
package protocol Command<Context>: Sendable {
  /// What a command needs to run: where it prints, for example.
  associatedtype Context

  /// The word that calls the command.
  static var name: String { get }

  /// A sentence that says what it does.
  static var abstract: String { get }

  /// More about it: paragraphs between blank lines; lines that begin with a space are kept as is.
  static var discussion: String { get }

  /// What it takes, besides the tool's global parameters.
  static var parameters: [any Parameter] { get }

  /// A Boolean value indicating whether help, completions and the man page leave it out.
  static var isHidden: Bool { get }

  /// Creates a command from what was given.
  ///
  /// Rules that concern more than one parameter are checked here: `throw .refused("…")`.
  init(_ input: borrowing Input) throws(UsageError)

  /// Does it, and returns the exit status.
  func run(in context: Context) throws -> Int32
}

extension Command {
  package static var discussion: String { "" }
  package static var parameters: [any Parameter] { [] }
  package static var isHidden: Bool { false }
}

/// A command, or a group of commands, in the tree of a tool.
package struct Subcommand<Context>: Sendable {
  let name: String
  let abstract: String
  let discussion: String
  let isHidden: Bool
  let parameters: [any Parameter]
  let subcommands: [Subcommand]
  let make: (@Sendable (borrowing Input) throws(UsageError) -> any Command<Context>)?

  /// Creates the place of a command.
  package static func command<C: Command<Context>>(_ type: C.Type) -> Self {
    Self(
      name: C.name, abstract: C.abstract, discussion: C.discussion, isHidden: C.isHidden,
      parameters: C.parameters, subcommands: [],
      make: { input throws(UsageError) in try C(input) })
  }

  /// Creates a group: `snapshot`, with `list` and `prune` in it.
  package static func group(
    _ name: String, abstract: String, discussion: String = "", isHidden: Bool = false,
    _ subcommands: [Subcommand]
  ) -> Self {
    Self(
      name: name, abstract: abstract, discussion: discussion, isHidden: isHidden, parameters: [],
      subcommands: subcommands, make: nil)
  }
}
