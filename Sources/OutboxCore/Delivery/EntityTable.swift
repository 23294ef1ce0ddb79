import JSONText
import SQLite
import StoreFormat
import StoreModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  package import Foundation
#endif

/// The table of an entity that events are about, with the columns that a request tells of.
struct EntityTable: Hashable, Sendable {
  /// A member of a request with its column.
  struct Cell: Hashable, Sendable {
    let key: String
    let column: String
    let type: AttributeType
  }

  /// The table of the rows that belong to an entity.
  struct Parts: Hashable, Sendable {
    let key: String
    let cells: [Cell]

    /// The query for the rows of the entity whose key is bound.
    let query: String
  }

  /// The entity's name.
  let entity: String

  /// The table as it stands in SQL, and the number of the entity in it.
  let table: String
  let number: Int

  /// The columns of the entity's id and of its id on the server, as they stand in SQL.
  let id: String
  let backendID: String?

  /// The column that says how far the entity has come, as it stands in SQL.
  let syncStatus: String?
  let syncDate: String?
  let cells: [Cell]
  let constants: [String: String]
  let parts: Parts?

  /// A Boolean value indicating whether the store finds ids by an index.
  let isIndexed: Bool

  /// The column of the entity's owner as it stands in SQL: his id, or the key of his profile.
  let owner: String?

  /// The query for the id of the profile whose key an owner is; none where an owner is an id.
  let profileQuery: String?

  /// Finds the table of an entity; nil where the store has none.
  init?(
    _ form: EntityForm, in layout: StoreLayout, _ store: StoreDescription, schema: String = "main"
  ) {
    guard let table = layout.table(of: form.entity),
      let number = layout.numbering.number(of: form.entity),
      let id = table.column(ofAttribute: "id", in: form.entity)
    else { return nil }
    func column(_ name: String) -> String? {
      table.column(ofAttribute: name, in: form.entity).map { quoteIdentifier($0.name) }
    }
    entity = form.entity
    self.table = qualified(table.name, in: schema)
    self.number = number
    self.id = quoteIdentifier(id.name)
    backendID = column("backendId") ?? column("backendID")
    syncStatus = column("syncStatus")
    syncDate = column("backendSyncedAt")
    let profile = table.column(.foreignKey(entity: form.entity, relationship: "userProfile"))
    owner = profile.map { quoteIdentifier($0.name) } ?? column("userId") ?? column("userID")
    profileQuery = profile == nil ? nil : Self.profileQuery(layout, schema: schema)
    cells = table.cells(form.members, of: form.entity)
    constants = Dictionary(form.constants.map { ($0.key, $0.value) }) { first, _ in first }
    parts = form.parts.flatMap { Parts($0, in: layout, schema: schema) }
    isIndexed = store.indexes.contains { index in
      index.table.lowercased() == table.name.lowercased() && index.columns.first == id.name
    }
  }
}

extension EntityTable {
  /// The tables of all entities that requests tell of, as far as a store has them.
  static func all(of store: StoreDescription) -> [OutboxEventType: EntityTable] {
    guard let model = store.cachedModel else { return [:] }
    let layout = StoreLayout(model, joinTableNames: store.tableNames)
    let tables = OutboxEventType.allCases.compactMap { type in
      EntityForm(of: type).flatMap { EntityTable($0, in: layout, store) }.map { (type, $0) }
    }
    return Dictionary(tables) { first, _ in first }
  }

  /// The tables of all entities that events are about: also the profiles, of which nothing is sent.
  static func subjects(of store: StoreDescription) -> [OutboxEventType: EntityTable] {
    var tables = all(of: store)
    guard let model = store.cachedModel, let profile = profileEntity(model) else { return tables }
    let layout = StoreLayout(model, joinTableNames: store.tableNames)
    let table = EntityTable(EntityForm(entity: profile, members: []), in: layout, store)
    tables[.profileMetadata] = table
    tables[.profilePhysical] = table
    return tables
  }

  /// FitIQ's profile, which has a name of its own in each version; Lume's isn't known by a UUID.
  private static func profileEntity(_ model: Model) -> String? {
    model.entities.first { entity in
      entity.name.hasPrefix("SDUserProfile")
        && entity.attributes.contains { $0.name == "id" && $0.type == .uuid }
    }?.name
  }

  private static func profileQuery(_ layout: StoreLayout, schema: String) -> String? {
    let name = layout.numbering.names.first { $0.hasPrefix("SDUserProfile") }
    guard let name, let table = layout.table(of: name),
      let id = table.column(ofAttribute: "id", in: name)
    else { return nil }
    return "SELECT \(quoteIdentifier(id.name)) FROM \(qualified(table.name, in: schema)) AS p "
      + "WHERE p.Z_PK = "
  }

  /// The owner's id of the row in question, as it stands in SQL.
  var ownerExpression: String {
    guard let owner else { return "NULL" }
    return profileQuery.map { "(\($0)e.\(owner))" } ?? "e.\(owner)"
  }

  /// The condition under which the server doesn't have the row in question as it is.
  var isUnsynced: String {
    if let syncStatus { return "e.\(syncStatus) IN ('pending', 'syncing', 'failed')" }
    return backendID.map { "(e.\($0) IS NULL OR e.\($0) = '')" } ?? "FALSE"
  }
}

extension EntityTable.Parts {
  fileprivate init?(_ parts: EntityForm.Parts, in layout: StoreLayout, schema: String) {
    guard let table = layout.table(of: parts.entity),
      let key = table.column(
        .foreignKey(entity: parts.entity, relationship: parts.relationship)),
      let order = table.column(ofAttribute: parts.order, in: parts.entity)
    else { return nil }
    self.key = parts.key
    cells = table.cells(parts.members, of: parts.entity)
    let columns = (["Z_PK"] + cells.map(\.column)).joined(separator: ", ")
    query = """
      SELECT \(columns) FROM \(qualified(table.name, in: schema))
      WHERE \(quoteIdentifier(key.name)) = ? ORDER BY \(quoteIdentifier(order.name)), Z_PK
      """
  }
}

extension Table {
  /// The columns of a request's members, those of composites by their only leaf.
  fileprivate func cells(_ members: [EntityForm.Member], of entity: String) -> [EntityTable.Cell] {
    members.compactMap { member in
      for column in columns {
        guard case .attribute(entity, let path, let type) = column.content,
          path.first == member.attribute
        else { continue }
        return EntityTable.Cell(
          key: member.key, column: quoteIdentifier(column.name), type: type)
      }
      return nil
    }
  }
}
