package import SQLite
import StoreFormat
import StoreModel

/// The owner of rows without one: the id that the user gives, or that of the store's only profile.
package struct OwnerOption {
  /// The value for `user-id`; `nil` if none is given and the store doesn't name exactly one owner.
  package let value: Value?

  /// The number of owners that the store names; 1 if the user gives one.
  let candidates: Int

  /// The number of profiles, if none has the id that the user gives; 0 if there are none.
  let otherProfiles: Int

  /// The maximum number of candidates that are read.
  static let limit = 1_000

  /// Finds the owner.
  ///
  /// A UUID is written in upper case, as all code of the app writes it. Any other id is unchanged.
  ///
  /// - Throws: ``RequestError/badUserID`` if the given id is blank, longer than 1,024 bytes, or has
  ///   control characters.
  init(
    given: String?, model: Model, layout: StoreLayout, connection: borrowing Connection,
    schema: String
  ) throws {
    if let given {
      try Self.check(given)
      value = .text(Self.canonical(given))
      candidates = 1
      // Profiles that can't be read don't matter to a given id.
      let known =
        (try? Self.profiles(model: model, layout: layout, connection, schema: schema)) ?? []
      let mayBeOthers = known.count == Self.limit
      otherProfiles =
        mayBeOthers || known.contains(Self.canonical(given)) ? 0 : known.count
      return
    }
    let found = try Self.profiles(model: model, layout: layout, connection, schema: schema)
    otherProfiles = 0
    candidates = found.count
    value = found.count == 1 ? .text(Self.canonical(found[0])) : nil
  }

  /// Throws ``RequestError/badUserID`` if a text can't be an owner's id.
  static func check(_ given: String) throws(RequestError) {
    let isName =
      given.utf8.count <= 1_024 && given.contains { !$0.isWhitespace }
      && given.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    guard isName else { throw .badUserID }
  }

  static func canonical(_ text: String) -> String {
    uuidBytes(text).map(uuidText) ?? text
  }

  /// Returns the column that names owners; `nil` unless the table is that of profiles.
  static func column(in table: Table) -> Column? {
    table.column(.attribute(entity: "SDUserProfile", path: ["userId"], type: .string))
  }

  /// Returns the distinct owners of profiles, without empty and blank ones.
  static func profiles(
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
    // A blank id is no owner, in a profile as on the command line.
    let names = rows.compactMap { $0[0].string }.filter { $0.contains { !$0.isWhitespace } }
    return Set(names.map(canonical)).sorted()
  }
}
