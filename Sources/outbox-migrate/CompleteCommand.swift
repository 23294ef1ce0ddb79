import CommandLineKit
import InputFiles
import Platform
import SafeText
import StoreMigration
import Migrations
import TerminalOutput

/// `complete`: prints words for a completion script, one a line.
///
/// Errors print nothing: a shell would show them in the middle of the command line.
struct CompleteCommand: Command {
  static let name = "complete"
  static let abstract = "Print words for a completion script."
  static let isHidden = true

  static let kind = Argument<CompletionWords>("kind", help: "The kind of words.")
  static let words = Argument<[String]>(
    "word", atLeast: 0, help: "The words of the command line, after '--'.")
  static var parameters: [any Parameter] { [kind, words] }

  let kind: CompletionWords
  let words: [String]

  init(_ input: borrowing Input) {
    kind = input[Self.kind]
    // Bash and Zsh give the words as they were typed.
    words = input[Self.words].map {
      (try? FileSystem.exists($0)) == true ? $0 : $0.withoutShellQuotes
    }
  }

  func run(in terminal: Terminal) throws -> Int32 {
    for line in lines { try terminal.output.print(line + "\n") }
    return 0
  }

  private var lines: [String] {
    switch kind {
    case .apps: catalog.apps.map { $0.lowercased() }
    case .versions: namedApps.flatMap { catalog.versions(of: $0).map(\.name) }
    case .appVersions:
      catalog.apps.flatMap { app in
        catalog.versions(of: app).map { "\(app.lowercased())/\($0.name)" }
      }
    case .snapshots: words.flatMap(snapshots)
    case .rows: words.flatMap(entities).map { $0 + "/" }
    }
  }

  /// The bundled catalog, with the files of the folder that the words name.
  private var catalog: Catalog {
    let place = words.firstIndex(of: "--migrations").map { $0 + 1 }
    let folder = place.flatMap { words.indices.contains($0) ? words[$0] : nil }
    return (try? Catalog(folder: folder)) ?? Catalog.bundled
  }

  /// The apps that the words name, or the stores among them are of; all apps if there are none.
  private var namedApps: [String] {
    let catalog = catalog
    let named = catalog.apps.filter { app in
      words.contains { $0.lowercased() == app.lowercased() }
    }
    if !named.isEmpty { return named }
    let migrator = StoreMigrator(catalog: catalog)
    let stores = words.compactMap { word in
      (try? migrator.status(of: word, countsRows: false))?.recognition.version?.app
    }
    return stores.isEmpty ? catalog.apps : Array(Set(stores))
  }

  /// The entities of a store; empty if the word isn't a store's path.
  private func entities(of word: String) -> [String] {
    let report = try? StoreMigrator(catalog: catalog).status(of: word, countsRows: false)
    return (report?.entities ?? []).map(\.name)
  }

  /// The snapshots of a store that count, newest first; empty if the word isn't a store's path.
  private func snapshots(of word: String) -> [String] {
    let report = try? StoreMigrator(catalog: .bundled).snapshots(of: word)
    return (report?.snapshots ?? []).filter { $0.state == .done }.map(\.name).reversed()
  }
}
