import OutboxFormat
import SQLite
import StoreFormat
import StoreMigration
import StoreModel
import StoreProof

/// Reads single rows, with their links, by the store's own model.
struct RowReader {
  let model: Model
  let layout: StoreLayout
  let store: StoreDescription

  /// The store's files; `nil` if external files aren't looked for.
  let files: StoreFiles?
  let mask: ValueMask

  /// The number of linked rows that are named; the rest is counted.
  private static let limit = 5

  init(_ store: StoreDescription, model: Model, files: StoreFiles?, mask: ValueMask) {
    (self.store, self.model, self.files, self.mask) = (store, model, files, mask)
    layout = store.layout(of: model)
  }

  /// Returns a row that was found.
  ///
  /// - Complexity: O(n) in the row's bytes, and in the rows that to-many relationships lead to.
  func row(_ place: RowPlace, _ connection: borrowing Connection) throws -> ShownRow {
    let chain = model.chain(from: place.entity)
    let columns = place.table.columns.filter { has($0.name, in: place.table.name) }
    let names = columns.map { quoteIdentifier($0.name) }.joined(separator: ", ")
    let row =
      try connection.rows(
        "SELECT \(names) FROM \(qualified(place.table.name, in: "main")) WHERE Z_PK = ?1",
        [.integer(place.key)]
      ).first ?? []
    let values = Dictionary(
      zip(columns.map(\.name), row), uniquingKeysWith: { first, _ in first })
    var properties: [ShownRow.Property] = []
    for column in place.table.columns {
      guard case .attribute(let owner, let path, let type) = column.content, chain.contains(owner)
      else { continue }
      properties.append(attribute(path, type, values[column.name], place, owner))
    }
    properties.sort { $0.name.precedes($1.name) }
    for case .relationship(let relationship) in model.properties(of: place.entity)
    where !relationship.isTransient {
      properties.append(
        ShownRow.Property(
          name: relationship.name, type: relationship.destinationName,
          content: try content(of: relationship, place, values, connection)))
    }
    return ShownRow(entity: place.entity, key: place.key, properties: properties)
  }

  private func attribute(
    _ path: [String], _ type: AttributeType, _ value: Value?, _ place: RowPlace, _ owner: String
  ) -> ShownRow.Property {
    let name = path.joined(separator: ".").withoutRepetition
    guard let value else { return .init(name: name, type: type.name, content: .missingColumn) }
    let fingerprint = mask.fingerprint(of: value, named: "\(place.entity).\(name)", type: type)
    var isExternal = false
    if case .attribute(let attribute) = model[owner]?[path[0]] {
      isExternal = attribute.allowsExternalStorage
    }
    let isKnown = type == .uuid || fingerprint.kind == .secret
    return .init(
      name: name, type: type.name,
      content: .value(
        fingerprint, isKnown ? nil : ValueShape(value, isExternal: isExternal, in: files)))
  }

  private func has(_ column: String, in table: String) -> Bool {
    store.table(named: table)?.columns
      .contains { $0.name.lowercased() == column.lowercased() } == true
  }
}

// MARK: - Links

extension RowReader {
  /// Where the keys of linked rows are.
  private struct LinkColumns {
    let table: String

    /// The column with the linked rows' keys, and the one with this row's key.
    let other: String
    let own: String
  }

  private func content(
    of relationship: Relationship, _ place: RowPlace, _ values: [String: Value],
    _ connection: borrowing Connection
  ) throws -> ShownRow.Content {
    let owner = model.relationship(named: relationship.name, of: place.entity)?.entity ?? ""
    if !relationship.isToMany,
      let column = place.table.column(
        .foreignKey(entity: owner, relationship: relationship.name))
    {
      guard let value = values[column.name] else { return .missingColumn }
      guard let key = value.int64 else { return .link(nil) }
      return .link(try link(key, to: relationship.destinationName, connection))
    }
    guard let columns = columns(of: relationship, declaredBy: owner),
      has(columns.own, in: columns.table), has(columns.other, in: columns.table)
    else { return .missingColumn }
    let own = quoteIdentifier(columns.own)
    let source = "FROM \(qualified(columns.table, in: "main")) WHERE \(own) = ?1"
    let count =
      try connection.rows("SELECT count(*) \(source)", [.integer(place.key)])
      .first?.first?.int64 ?? 0
    let keys = try connection.rows(
      "SELECT \(quoteIdentifier(columns.other)) \(source) ORDER BY 1 LIMIT \(Self.limit)",
      [.integer(place.key)]
    ).compactMap { $0[0].int64 }
    let links = try keys.map { try link($0, to: relationship.destinationName, connection) }
    return relationship.isToMany ? .links(links, count: count) : .link(links.first)
  }

  /// Returns where the keys of a relationship are that this row's table doesn't have.
  private func columns(of relationship: Relationship, declaredBy owner: String) -> LinkColumns? {
    for table in layout.joinTables {
      for (one, other) in [(table.first, table.second), (table.second, table.first)]
      where one.entity == owner && one.relationship == relationship.name {
        return LinkColumns(table: table.name, other: other.keyColumn, own: one.keyColumn)
      }
    }
    guard let table = layout.table(of: relationship.destinationName) else { return nil }
    let inverse = relationship.inverseName.flatMap {
      model.relationship(named: $0, of: relationship.destinationName)
    }
    let content: Column.Content =
      inverse.map { .foreignKey(entity: $0.entity, relationship: $0.relationship.name) }
      ?? .inverselessKey(source: owner, relationship: relationship.name)
    return table.column(content).map {
      LinkColumns(table: table.name, other: "Z_PK", own: $0.name)
    }
  }

  private func link(
    _ key: Int64, to destination: String, _ connection: borrowing Connection
  ) throws -> ShownRow.Link {
    let missing = ShownRow.Link(entity: destination, key: key, isDangling: true)
    guard let table = layout.table(of: destination), has("Z_ENT", in: table.name),
      let number = try connection.rows(
        "SELECT Z_ENT FROM \(qualified(table.name, in: "main")) WHERE Z_PK = ?1", [.integer(key)]
      ).first?.first?.int64
    else { return missing }
    let entity = layout.numbering.name(of: Int(clamping: number)) ?? destination
    return ShownRow.Link(entity: entity, key: key, isDangling: false)
  }
}
