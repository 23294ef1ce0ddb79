/// A program with subcommands.
///
/// ```swift
/// let tool = Tool<Terminal>(
///   name: "outbox-migrate", version: "1.0.0", abstract: "Migrate stores.",
///   globals: [Globals.json],
///   commands: [
///     .command(PlanCommand.self),
///     .group("snapshot", abstract: "Work with snapshots.", [.command(SnapshotList.self)]),
///   ])
///
/// do throws(Misuse) {
///   switch try tool.request(arguments) {
///   case .print(let text): …            // standard output, exit 0
///   case .run(let command, path: let path): …  // try command.run(in: terminal)
///   }
/// } catch { … }                         // error.description on standard error, exit 64
/// ```
package struct Tool<Context>: Sendable {
  /// The version, as `--version` prints it.
  package let version: String

  /// The exit statuses, as the man page lists them.
  package let exitStatuses: [DocumentedExitStatus]

  /// The sections of the man page after the exit statuses.
  package let manual: [ManualSection]

  /// The parameters that every command takes.
  package let globals: [any Parameter]

  let root: Subcommand<Context>

  /// Creates a tool; `--help`, `-h`, `--version` and `help <subcommand>` are added.
  ///
  /// - Precondition: No two parameters of a command share a name, globals included.
  package init(
    name: String, version: String, abstract: String, discussion: String = "",
    globals: [any Parameter] = [], commands: [Subcommand<Context>],
    exitStatuses: [DocumentedExitStatus] = [], manual: [ManualSection] = []
  ) {
    self.version = version
    self.exitStatuses = exitStatuses
    self.manual = manual
    self.globals = globals + [Self.versionFlag, Self.helpFlag]
    root = .group(name, abstract: abstract, discussion: discussion, commands)
    checkInvariants()
  }

  static var versionFlag: Flag { Flag("--version", help: "Show the version.") }
  static var helpFlag: Flag { Flag("--help", "-h", help: "Show help information.") }

  private func checkInvariants() {
    assert(outline.all.allSatisfy(\.namesAreUnique), "two parameters share a name")
  }
}

/// An exit status and its meaning, for the man page.
package struct DocumentedExitStatus: Hashable, Sendable {
  /// The status, as the shell sees it.
  package let code: Int32

  /// The meaning, in lower case.
  package let meaning: String

  /// Creates an exit status with its meaning.
  package init(_ code: Int32, _ meaning: String) {
    self.code = code
    self.meaning = meaning
  }
}

/// A section of the man page that the declarations don't have, such as `FILES`.
package struct ManualSection: Hashable, Sendable {
  /// A file, a variable or a command line, with its explanation.
  package struct Entry: Hashable, Sendable {
    let term: String
    let text: String

    package init(_ term: String, _ text: String) { (self.term, self.text) = (term, text) }
  }

  let title: String
  let entries: [Entry]

  /// Creates a section; the title is in capitals.
  package init(_ title: String, _ entries: [Entry]) {
    (self.title, self.entries) = (title, entries)
  }
}

/// The result of parsing a command line.
package enum Request<Context>: Sendable {
  /// Print help or the version; the text ends with a newline.
  case print(String)

  /// Run a command; the path starts with the tool's name.
  case run(any Command<Context>, path: [String])
}
