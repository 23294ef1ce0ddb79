package import SQLite
package import StoreFormat
package import StoreModel

/// A row as a user gives it: by its entity and key, or by its UUID.
package enum RowAddress: Hashable, Sendable {
  case key(entity: String, Int64)
  case uuid(String)

  /// Parses a UUID, or an entity and a key as `Entity/key`; `nil` for any other text.
  package init?(_ text: String) {
    if uuidBytes(text) != nil {
      self = .uuid(text)
      return
    }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, let key = Int64(parts[1]) else { return nil }
    self = .key(entity: String(parts[0]), key)
  }
}

/// A row that was found.
package struct RowPlace: Hashable, Sendable {
  package let table: Table
  package let entity: String
  package let number: Int64
  package let key: Int64

  /// The row's name in output.
  package var name: String { "\(entity)/\(key)" }
}

/// Finds the rows at an address.
package struct RowFinder {
  private let layout: StoreLayout
  private let model: Model

  package init(layout: StoreLayout, model: Model) { (self.layout, self.model) = (layout, model) }

  /// The maximum number of rows to find: an address should give one; an error lists more.
  private static let limit = 10

  package func rows(_ address: RowAddress, _ connection: borrowing Connection) throws -> [RowPlace]
  {
    switch address {
    case .key(let entity, let key):
      guard let name = name(of: entity), let table = layout.table(of: name) else {
        throw RequestError.noEntity(entity, known: layout.numbering.names)
      }
      return try rows(of: table, where: "Z_PK = ?1", .integer(key), connection)
        .filter { model.inherits($0.entity, from: name) }
    case .uuid(let text):
      return try Array(
        layout.tables.flatMap { try rows(of: $0, uuid: text, connection) }
          .prefix(Self.limit))
    }
  }

  /// Finds rows by a UUID in their attribute `id`, which stores it as 16 bytes or as text.
  private func rows(
    of table: Table, uuid: String, _ connection: borrowing Connection
  ) throws -> [RowPlace] {
    try table.columns.flatMap { column -> [RowPlace] in
      guard case .attribute(_, let path, let type) = column.content, path == ["id"] else {
        return []
      }
      let name = quoteIdentifier(column.name)
      return switch type {
      case .uuid:
        try rows(of: table, where: "\(name) = ?1", .blob(uuidBytes(uuid) ?? []), connection)
      case .string:
        try rows(
          of: table, where: "upper(\(name)) = ?1", .text(uuid.uppercased()), connection)
      default: []
      }
    }
  }

  private func rows(
    of table: Table, where condition: String, _ value: Value, _ connection: borrowing Connection
  ) throws -> [RowPlace] {
    try connection.rows(
      """
      SELECT Z_PK, Z_ENT FROM \(qualified(table.name, in: "main"))
      WHERE \(condition) ORDER BY Z_PK LIMIT \(Self.limit)
      """, [value]
    ).compactMap { row in
      guard let key = row[0].int64, let number = row[1].int64,
        let entity = layout.numbering.name(of: Int(number)),
        layout.numbering.root(of: entity) == table.rootEntity
      else { return nil }
      return RowPlace(table: table, entity: entity, number: number, key: key)
    }
  }

  private func name(of typed: String) -> String? {
    layout.numbering.names.first { $0 == typed }
      ?? layout.numbering.names.first { $0.lowercased() == typed.lowercased() }
  }
}
