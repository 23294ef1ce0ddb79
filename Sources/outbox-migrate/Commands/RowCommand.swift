import CommandLineKit
import InputFiles
import Migrations
import RowInspection
import StoreFormat
import StoreMigration
import TerminalOutput

/// `row`: shows rows of a store.
struct RowCommand: Command, Reporting {
  static let name = "row"
  static let abstract = "Show rows of a store, of any app and version."
  static let discussion = """
    Rows are shown by the model in the store: attributes and relationships by name, linked rows by \
    entity and key. Values appear as fingerprints; equal values have equal fingerprints.

      outbox-migrate row default.store SDOutboxEvent/12
      outbox-migrate row default.store 1F6E9A7C-5A5E-4C3B-9D8E-0A1B2C3D4E5F
      outbox-migrate row default.store SDOutboxEvent --where "status = 'failed'"

    A condition is SQL over the attributes of the entity and of the rows that to-one relationships \
    lead to, as 'userProfile.name'; 'userProfile IS NULL' asks for rows without one. Dates are \
    seconds since 2001, such as date_from_text('2025-03-01T00:00:00Z'), and UUIDs are bytes: \
    uuid_from_text('1F6E9A7C-5A5E-4C3B-9D8E-0A1B2C3D4E5F'). Functions are those of migration \
    files. All rows for which it is true are counted, and the first ones shown. A condition can't \
    name attributes with passwords, tokens and similar secrets, but it can test for one inside a \
    text or JSON.
    """

  static let store = Argument<StorePath>(
    "store", help: "The store's main file, or a folder that contains one store.", completion: .file)
  static let rows = Argument<[String]>(
    "row",
    help: """
      A row: the UUID in its 'id', or its entity and key, such as 'SDOutboxEvent/12'. Or an entity, \
      whose rows are shown.
      """)
  static let condition = Option<String?>(
    "--where", valueName: "sql", help: "With an entity: the condition that rows must meet.")
  static let limit = Option<Int?>(
    "--limit", valueName: "n",
    help: "With an entity: how many rows to show; 10 by default, 0 to count only.")
  static let showValues = Flag(
    "--show-values", help: "Show the rows' values, except passwords, tokens and similar secrets.")
  static var parameters: [any Parameter] {
    [store, rows, condition, limit, showValues, GlobalOptions.model, GlobalOptions.progress]
  }

  /// The most rows that are shown, because a report is in memory as a whole.
  private static let mostRows = 1_000

  let globals: GlobalOptions
  let store: String
  let query: RowQuery
  let showValues: Bool

  init(_ input: borrowing Input) throws(UsageError) {
    globals = GlobalOptions(input, takingLong: true, takingModel: true)
    store = input[Self.store].path
    showValues = input[Self.showValues]
    let (rows, limit) = (input[Self.rows], input[Self.limit])
    let entities = rows.filter { !$0.contains("/") && RowAddress($0) == nil }
    if let entity = entities.first {
      guard rows.count == 1 else {
        throw .refused(
          "'\(entity)' is an entity; give it alone, or give rows such as '\(entity)/1'")
      }
      if let limit, !(0...Self.mostRows).contains(limit) {
        throw .refused("'--limit' takes a number from 0 to \(Self.mostRows)")
      }
      query = .matching(entity: entity, condition: input[Self.condition], limit: limit ?? 10)
    } else {
      if input[Self.condition] != nil || limit != nil {
        throw .refused("'--where' and '--limit' need an entity in place of a row")
      }
      query = .rows(rows)
    }
  }

  func run(in terminal: Terminal) throws -> Int32 {
    let migrator = StoreMigrator(catalog: try Catalog(globals))
    let globals = globals.naming(migrator.catalog, stores: [store])
    return try StoreWork(
      globals, .count,
      orFailing: { path throws(Failure) in
        do throws(RowQueryError) {
          return RowOutcome(
            listing: try migrator.rows(query, of: path, showsValues: showValues),
            warnings: StoreFiles.warnings(about: path))
        } catch {
          throw Failure(error)
        }
      }
    )
    .run(on: [store], in: terminal)
  }
}

extension Failure {
  fileprivate init(_ error: RowQueryError) {
    switch error {
    case .store(let error): self.init(error)
    case .badCondition, .secretCondition, .failingCondition:
      self.init(.misuse, error.description)
    }
  }
}
