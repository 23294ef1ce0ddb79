package import OutboxCore
import SQLite
package import StoreFormat

/// The table of an entity that events are about, with the columns that decide their outcome.
///
/// Column names aren't quoted.
package struct EntityTable: Hashable, Sendable {
  /// The entity's name, and its number in the table.
  package let entity: String
  package let entityNumber: Int64

  /// The table's name.
  package let table: String

  /// The columns of the entity's id and of its id on the server, if the entity has one.
  package let id: String
  package let backendID: String?

  /// The column of the owner's id, if the entity has one.
  package let owner: String?

  /// The column of the profile's key, in FitIQ's stores.
  package let profile: String?

  /// The columns of the facts that metadata states, in the order of ``LiveEntity``'s facts.
  private let facts: [String?]

  /// Finds the table of an entity; `nil` if the store has no such table, or the entity no id.
  package init?(_ entity: String, in layout: StoreLayout) {
    guard let root = layout.numbering.root(of: entity), let table = layout.table(of: root),
      let number = layout.numbering.number(of: entity),
      let id = table.attributeColumn("id", of: entity)
    else { return nil }
    func column(_ names: String...) -> String? {
      names.lazy.compactMap { table.attributeColumn($0, of: entity) }.first
    }
    self.entity = entity
    entityNumber = Int64(number)
    self.table = table.name
    self.id = id
    backendID = column("backendId", "backendID")
    owner = column("userId", "userID")
    profile = table.column(.foreignKey(entity: entity, relationship: "userProfile"))?.name
    facts = Self.facts(of: entity).map { table.attributeColumn($0, of: entity) }
  }

  private static func facts(of entity: String) -> [String] {
    switch entity {
    case OutboxEventType.moodEntry.entity: ["valence", "labels"]
    case OutboxEventType.journalEntry.entity: ["content", "linkedMoodId"]
    case OutboxEventType.goal.entity: ["title", "category"]
    default: []
    }
  }
}

extension EntityTable {
  /// Returns the tables of the entities of some event types, without those that the store lacks.
  package static func all(
    of types: some Sequence<OutboxEventType>, in layout: StoreLayout
  ) -> [OutboxEventType: EntityTable] {
    var tables: [OutboxEventType: EntityTable] = [:]
    for type in types { tables[type] = type.entity.flatMap { EntityTable($0, in: layout) } }
    return tables
  }

  /// The columns that the outcome of events about the entity depends on.
  package var columns: [String] { [id] + ([owner, backendID] + facts).compactMap(\.self) }

  /// Returns the SQL expressions from which ``LiveEntity`` is read, separated by commas.
  ///
  /// They are the key, whether the server has given an id, the owner, whether there is a profile,
  /// and then the facts.
  func columnList(hasFacts: Bool) -> String {
    func isSet(_ column: String?, missing: String) -> String {
      column.map { "\(quoteIdentifier($0)) IS NOT NULL" } ?? missing
    }
    let values =
      ["Z_PK", isSet(backendID, missing: "0"), owner.map(quoteIdentifier) ?? "NULL"]
      + [isSet(profile, missing: "1")]
    let facts = hasFacts ? facts.map { $0.map(quoteIdentifier) ?? "NULL" } : []
    return (values + facts).joined(separator: ", ")
  }
}
