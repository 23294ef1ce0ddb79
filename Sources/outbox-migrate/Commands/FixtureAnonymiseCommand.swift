import CommandLineKit
import InputFiles
import Migrations
import StoreAnonymising
import TerminalOutput

/// `fixture anonymise`: writes a store that behaves like another one, without its data.
struct FixtureAnonymiseCommand: Command, Reporting {
  static let name = "anonymise"
  static let abstract = "Write a store that migrates like another one and has nothing of its data."
  static let discussion = """
    The new store has the same version, tables, links, duplicates, missing values and forms of \
    values. Texts, numbers, dates, UUIDs and bytes are replaced, by the seed. Before the file gets \
    its name, it is searched for everything in the original: its values, deleted rows, log and \
    external files. What is kept is listed: read the list before you share the file.

      outbox-migrate fixture anonymise default.store shared.store --rows 500
      outbox-migrate fixture anonymise --check default.store shared.store

    Exits with 6 if '--check' finds something of the original.
    """

  static let store = Argument<StorePath>(
    "store", help: "The store to imitate, or a folder with one store.", completion: .file)
  static let output = Argument<String>(
    "out", help: "The path of the new store; with '--check', the store to check.",
    completion: .file)
  static let check = Flag("--check", help: "Search an existing file for the original's data.")
  static let rows = Option<Int?>(
    "--rows", valueName: "n", in: 1...100_000_000,
    help: "Write about this many rows: more if every class and link needs them. Default: all.")
  static let seed = Option<UInt64?>(
    "--seed", valueName: "n",
    help: """
      A seed that gives the same result again. Who knows it can test guesses. Default: a random one.
      """)
  static var parameters: [any Parameter] {
    [store, output, check, rows, seed, GlobalOptions.model, GlobalOptions.progress]
  }

  let globals: GlobalOptions
  let store: String
  let output: String
  let isCheck: Bool
  let rows: Int?
  let seed: UInt64?

  init(_ input: borrowing Input) {
    globals = GlobalOptions(input, takingLong: true, takingModel: true)
    store = input[Self.store].path
    output = input[Self.output]
    isCheck = input[Self.check]
    rows = input[Self.rows]
    seed = input[Self.seed]
  }

  func run(in terminal: Terminal) throws -> Int32 {
    let catalog = try Catalog(globals)
    let display = globals.display(of: [store], .fixtureAnonymise, in: terminal)
    do {
      if isCheck {
        let result = try display.showing { () throws(AnonymisingError) in
          try checkAnonymised(output, against: store, catalog: catalog)
        }
        return try terminal.print(CheckedAnonymity(path: output, result: result), globals)
      }
      let result = try display.showing { () throws(AnonymisingError) in
        try anonymise(
          store, to: output, catalog: catalog, rows: rows,
          seed: seed ?? .random(in: .min ... .max), progress: display.note)
      }
      let report = AnonymisedFixture(store: store, path: output, result: result)
      return try terminal.print(report, globals)
    } catch let error as AnonymisingError {
      throw Failure(error)
    }
  }
}
