import SQLite
import StoreFormat
import StoreModel

/// The profiles of a store, which templates can belong to.
struct Profiles {
  /// The name of the profiles' entity, which depends on the version.
  let entity: String

  /// The primary keys and user IDs of the profiles.
  let rows: [(key: Int64, id: [UInt8])]

  /// The profile chosen by the user, or `nil`.
  private let chosen: (key: Int64, id: [UInt8])?

  /// Reads the profiles.
  ///
  /// - Parameters:
  ///   - entity: The name of the profiles' entity.
  ///   - user: A user ID, or a row such as `SDUserProfileV11/1`, for templates that don't name a
  ///     user.
  ///   - layout: The layout of the store.
  ///   - connection: A connection with the store as `main`.
  /// - Throws: ``TemplateImportError/noProfile(_:)``, or a ``SQLiteError``.
  init(
    _ entity: String, choosing user: String?, in layout: StoreLayout,
    _ connection: borrowing Connection
  ) throws {
    guard let writer = RowWriter(entity, in: layout), let id = writer.column(of: "id") else {
      throw TemplateImportError.noTemplates(missing: "\(entity).id")
    }
    self.entity = entity
    rows = try connection.rows(
      "SELECT Z_PK, \(id) FROM \(quoteIdentifier(writer.table.name)) ORDER BY Z_PK"
    ).compactMap { row in
      guard let key = row[0].int64, case .blob(let id) = row[1], id.count == 16 else { return nil }
      return (key, id)
    }
    let rows = rows
    chosen = try user.map { user in
      let found = rows.first { $0.id == uuidBytes(user) || "\(entity)/\($0.key)" == user }
      guard let found else { throw TemplateImportError.noProfile(user) }
      return found
    }
  }

  /// Returns the profile that a template belongs to, or `nil` if it can't be determined.
  func profile(of template: ImportedTemplate) -> (key: Int64, id: [UInt8])? {
    rows.first { row in template.userID.map { uuidBytes($0) == row.id } ?? false }
      ?? chosen ?? (rows.count == 1 ? rows.first : nil)
  }

  /// Returns whether a user ID isn't that of a profile.
  func isAnother(_ user: String, than profile: [UInt8]) -> Bool { uuidBytes(user) != profile }

  /// The rows in the format of `--user-id`.
  var names: [String] { rows.map { "\(entity)/\($0.key)" } }
}
