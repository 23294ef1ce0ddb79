import JSONText
import OutboxCore
import OutboxFormat
import SQLite
import StoreFormat
import StoreModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The table of an entity that requests are about.
///
/// Names of columns and tables are quoted for SQL.
struct RequestTable: Hashable, Sendable {
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

    /// The query for the rows of the entity with the bound key.
    let query: String
  }

  /// The table in which ids are looked up.
  let rows: EntityTable

  /// The table's qualified name.
  let table: String

  /// The columns of the entity's id and of its id on the server, if the entity has one.
  let id: String
  let backendID: String?

  /// The columns of the sync status and of the last sync's date, if the entity has them.
  let syncStatus: String?
  let syncDate: String?

  /// The column of the date when the entity was created, if it has one.
  let createdAt: String?

  /// The contents of a request's body: columns, constant values, and other rows.
  let cells: [Cell]
  let constants: [JSONValue.Member]
  let parts: Parts?

  /// The query for the row with the bound key: its key, the id on the server, and the cells.
  let query: String

  /// The query for the id of a profile by its key; `nil` if the owner's column has an id.
  private let profileQuery: String?

  /// Finds the table of an entity; `nil` if the store doesn't have it.
  init?(_ entity: String, _ form: EntityForm, in layout: StoreLayout) {
    guard let rows = EntityTable(entity, in: layout), let table = layout.table(of: entity) else {
      return nil
    }
    func column(_ name: String) -> String? {
      table.attributeColumn(name, of: entity).map(quoteIdentifier)
    }
    self.rows = rows
    self.table = qualified(rows.table, in: "main")
    id = quoteIdentifier(rows.id)
    backendID = rows.backendID.map(quoteIdentifier)
    syncStatus = column("syncStatus")
    syncDate = column("backendSyncedAt")
    createdAt = column("createdAt")
    profileQuery = rows.profile == nil ? nil : Self.profileQuery(layout)
    cells = table.cells(form.members, of: entity)
    constants = form.constants.map { JSONValue.Member($0.key, .string($0.value)) }
    parts = form.parts.flatMap { Parts($0, in: layout) }
    let columns = ["Z_PK", backendID ?? "NULL"] + cells.map(\.column)
    query = "SELECT \(columns.joined(separator: ", ")) FROM \(self.table) WHERE Z_PK = ?"
  }
}

extension RequestTable {
  /// Returns the tables of the entities that requests are about, if a store has them.
  static func all(of store: StoreDescription) -> [OutboxEventType: RequestTable] {
    guard let model = store.cachedModel else { return [:] }
    let layout = store.layout(of: model)
    var tables: [OutboxEventType: RequestTable] = [:]
    for type in OutboxEventType.allCases {
      guard let entity = type.entity, let form = EntityForm(of: type) else { continue }
      tables[type] = RequestTable(entity, form, in: layout)
    }
    return tables
  }

  /// Returns the tables of the entities that events are about, including the unsent profiles.
  static func subjects(of store: StoreDescription) -> [OutboxEventType: RequestTable] {
    var tables = all(of: store)
    guard let model = store.cachedModel, let profile = profileEntity(model) else { return tables }
    let layout = store.layout(of: model)
    let table = RequestTable(profile, EntityForm(members: []), in: layout)
    tables[.profileMetadata] = table
    tables[.profilePhysical] = table
    return tables
  }

  /// Returns FitIQ's profile entity, whose name depends on the version; Lume's id isn't a UUID.
  private static func profileEntity(_ model: Model) -> String? {
    model.entities.first { entity in
      entity.name.hasPrefix("SDUserProfile")
        && entity.attributes.contains { $0.name == "id" && $0.type == .uuid }
    }?.name
  }

  private static func profileQuery(_ layout: StoreLayout) -> String? {
    let name = layout.numbering.names.first { $0.hasPrefix("SDUserProfile") }
    guard let name, let table = layout.table(of: name),
      let id = table.attributeColumn("id", of: name)
    else { return nil }
    return "SELECT \(quoteIdentifier(id)) FROM \(qualified(table.name, in: "main")) AS p "
      + "WHERE p.Z_PK = "
  }

  /// The SQL expression for the id of the owner of the row `e`.
  var ownerExpression: String {
    guard let owner = (rows.profile ?? rows.owner).map(quoteIdentifier) else { return "NULL" }
    return profileQuery.map { "(\($0)e.\(owner))" } ?? "e.\(owner)"
  }

  /// The SQL condition that the server doesn't have the current state of the row `e`.
  var isUnsynced: String {
    if let syncStatus { return "e.\(syncStatus) IN ('pending', 'syncing', 'failed')" }
    return backendID.map { "(e.\($0) IS NULL OR e.\($0) = '')" } ?? "FALSE"
  }
}

extension RequestTable.Parts {
  fileprivate init?(_ parts: EntityForm.Parts, in layout: StoreLayout) {
    guard let table = layout.table(of: parts.entity),
      let key = table.column(
        .foreignKey(entity: parts.entity, relationship: parts.relationship)),
      let order = table.attributeColumn(parts.order, of: parts.entity)
    else { return nil }
    self.key = parts.key
    cells = table.cells(parts.members, of: parts.entity)
    let columns = (["Z_PK"] + cells.map(\.column)).joined(separator: ", ")
    query = """
      SELECT \(columns) FROM \(qualified(table.name, in: "main"))
      WHERE \(quoteIdentifier(key.name)) = ? ORDER BY \(quoteIdentifier(order)), Z_PK
      """
  }
}

extension Table {
  /// Returns the columns of a request's members; for a composite, the column of its only leaf.
  fileprivate func cells(_ members: [EntityForm.Member], of entity: String) -> [RequestTable.Cell] {
    members.compactMap { member in
      for column in columns {
        guard case .attribute(entity, let path, let type) = column.content,
          path.first == member.attribute
        else { continue }
        return RequestTable.Cell(
          key: member.key, column: quoteIdentifier(column.name), type: type)
      }
      return nil
    }
  }
}
