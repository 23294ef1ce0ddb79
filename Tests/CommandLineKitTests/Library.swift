import CommandLineKit

/// A tool that lends books, with something of everything a tool may declare.
let library = Tool<Desk>(
  name: "library", version: "1.2.3", abstract: "Lend books and take them back.",
  discussion: """
    The catalogue is a directory of cards. Every command reads it, and none of them changes a \
    card it wasn't asked to change.

      library find 'Moby-Dick'

    Cards are never thrown away.
    """,
  globals: Globals.parameters,
  commands: [
    .command(Find.self),
    .command(Lend.self),
    .command(Copy.self),
    .group(
      "shelf", abstract: "Work with shelves.",
      [.command(ShelfList.self), .command(ShelfMove.self)]),
    .command(Burn.self),
  ],
  exitStatuses: [
    DocumentedExitStatus(0, "done"),
    DocumentedExitStatus(3, "the book is lent - ask again"),
    DocumentedExitStatus(64, "misuse"),
  ],
  manual: [ManualSection("FILES", [.init("Cards/*", "The cards of \"the\" books.")])])

/// Where the commands of the library print.
final class Desk {
  var lines: [String] = []
}

struct Globals: Hashable, Sendable {
  static let catalogue = Option(
    "--catalogue", "-c", valueName: "directory", default: "Cards", help: "Where the cards are.",
    completion: .directory)
  static let json = Flag("--json", help: "Print JSON.")
  static let quiet = Flag("--quiet", "-q", help: "Print less.")
  static var parameters: [any Parameter] { [catalogue, json, quiet] }

  var catalogue = "Cards"
  var json = false
  var quiet = false

  init() {}

  init(_ input: borrowing Input) {
    catalogue = input[Self.catalogue]
    json = input[Self.json]
    quiet = input[Self.quiet]
  }
}

enum Format: String, CaseIterable, ArgumentValue {
  case text
  case json
  case markdown
}

struct Find: Command, Hashable {
  static let name = "find"
  static let abstract = "Find books by words of their titles."

  static let words = Argument<[String]>("word", help: "A word of the title.")
  static let format = Option(
    "--format", valueName: "format", default: Format.text, help: "How to print.")
  static let limit = Option<Int?>(
    "--limit", "-n", valueName: "n", in: 1...100, help: "Print at most this many.")
  static let skip = Option<[String]>(
    "--skip", valueName: "shelf", help: "A shelf to leave out; may be repeated.",
    completion: .values(["poems", "plays"]))
  static let verbose = Flag("--verbose", "-v", help: "Print more.")
  static var parameters: [any Parameter] { [words, format, limit, skip, verbose] }

  var globals = Globals()
  var words: [String] = []
  var format = Format.text
  var limit: Int?
  var skip: [String] = []
  var verbose = false

  init() {}

  init(_ input: borrowing Input) {
    globals = Globals(input)
    words = input[Self.words]
    format = input[Self.format]
    limit = input[Self.limit]
    skip = input[Self.skip]
    verbose = input[Self.verbose]
  }

  func run(in context: Desk) -> Int32 {
    context.lines += words
    return 0
  }
}

enum Marks: Hashable, Sendable {
  case keep
  case erase
}

struct Lend: Command, Hashable {
  static let name = "lend"
  static let abstract = "Lend a book to a reader."
  static let discussion =
    "A book is lent for a while only. A reader who keeps it longer is written to."

  static let book = Argument<Int>("book", in: 1...9_999, help: "The number of the book.")
  static let reader = Argument<String?>("reader", help: "Who gets it.", completion: .file)
  static let period = Option(
    "--for", valueName: "duration", default: Duration.seconds(120), help: "How long.")
  static let seed = Option<UInt64?>("--seed", valueName: "n", help: "For tests.", isHidden: true)
  static let marks = ExclusiveFlags<Marks>(
    .flag("--keep-marks", .keep, help: "Keep pencil marks."),
    .flag("--erase-marks", .erase, help: "Erase pencil marks."))
  static var parameters: [any Parameter] { [book, reader, period, seed, marks] }

  var book = 0
  var reader: String?
  var period = Duration.seconds(120)
  var seed: UInt64?
  var marks: Marks?

  init() {}

  init(_ input: borrowing Input) throws(UsageError) {
    book = input[Self.book]
    reader = input[Self.reader]
    period = input[Self.period]
    seed = input[Self.seed]
    marks = input[Self.marks]
    if reader == "nobody" { throw .refused("nobody can't read; name a reader") }
  }

  func run(in context: Desk) -> Int32 { 3 }
}

struct Copy: Command, Hashable {
  static let name = "copy"
  static let abstract = "Copy cards into a box."

  static let cards = Argument<[String]>("card", atLeast: 0, help: "A card.", completion: .file)
  static let box = Argument<String>("box", help: "Where to.", completion: .directory)
  static let stamp = Option<Int>(
    "--stamp", valueName: "n", help: "The stamp to use.",
    completion: .lines(of: ["stamps"], andFiles: false))
  static var parameters: [any Parameter] { [cards, box, stamp] }

  var cards: [String] = []
  var box = ""
  var stamp = 0

  init() {}

  init(_ input: borrowing Input) {
    cards = input[Self.cards]
    box = input[Self.box]
    stamp = input[Self.stamp]
  }

  func run(in context: Desk) -> Int32 { 0 }
}

struct ShelfList: Command, Hashable {
  static let name = "list"
  static let abstract = "List the books on a shelf."

  static let kind = Argument<Format?>("kind", help: "The kind of list.")
  static var parameters: [any Parameter] { [kind] }

  var kind: Format?

  init() {}

  init(_ input: borrowing Input) { kind = input[Self.kind] }

  func run(in context: Desk) -> Int32 { 0 }
}

struct ShelfMove: Command, Hashable {
  static let name = "move"
  static let abstract = "Move a shelf."

  init(_ input: borrowing Input) {}

  func run(in context: Desk) -> Int32 { 0 }
}

struct Burn: Command, Hashable {
  static let name = "burn"
  static let abstract = "Burn a book."
  static let isHidden = true

  init(_ input: borrowing Input) {}

  func run(in context: Desk) -> Int32 { 1 }
}
