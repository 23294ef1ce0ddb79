import SQLite
import StoreFormat
import StoreModel
import Migrations
import RowRewriting
import OutboxConversion
import StoreProof

/// Who the rows belong to that name no owner: given by the user, or the one profile in the store.
struct OwnerOption {
  /// The value for `user-id`; none where it isn't to be had.
  let value: Value?

  /// How many owners the store names.
  let candidates: Int

  /// The most candidates that are counted one by one.
  private static let limit = 1_000

  /// Finds the owner.
  ///
  /// A UUID is written in upper case, as every creator in the app writes it; anything else as it
  /// is.
  init(
    given: String?, model: Model, layout: StoreLayout, connection: borrowing Connection,
    schema: String
  ) throws {
    if let given {
      let isName =
        given.utf8.count <= 1_024 && given.contains { !$0.isWhitespace }
        && given.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
      guard isName else { throw RequestError.badUserID }
      value = .text(Self.canonical(given))
      candidates = 1
      return
    }
    let found = try Self.profiles(model: model, layout: layout, connection, schema: schema)
    candidates = found.count
    value = found.count == 1 ? .text(Self.canonical(found[0])) : nil
  }

  private static func canonical(_ text: String) -> String {
    uuidBytes(text).map(uuidText) ?? text
  }

  /// The column that names owners, in the table of profiles.
  static func column(in table: Table) -> Column? {
    table.column(.attribute(entity: "SDUserProfile", path: ["userId"], type: .string))
  }

  /// The distinct owners of profiles, without those that are empty or blank.
  private static func profiles(
    model: Model, layout: StoreLayout, _ connection: borrowing Connection, schema: String
  ) throws -> [String] {
    guard let table = layout.table(of: "SDUserProfile"), let column = column(in: table) else {
      return []
    }
    let name = quoteIdentifier(column.name)
    let rows = try connection.rows(
      """
      SELECT DISTINCT \(name) FROM \(qualified(table.name, in: schema))
      WHERE \(name) IS NOT NULL AND \(name) <> '' LIMIT \(limit)
      """)
    // Blanks alone are nobody's name, in a profile as on the command line.
    let names = rows.compactMap { $0[0].string }.filter { $0.contains { !$0.isWhitespace } }
    return Set(names.map(canonical)).sorted()
  }
}
