package import OutboxCore
import SQLite
package import StoreFormat
import StoreModel

/// The outbox of a store: its table, its columns, and the statements that use them.
///
/// The names come from the layout of the store's own model. Every function uses a connection that
/// its caller opened. Functions that write also leave the transaction to the caller.
package struct OutboxTable: Hashable, Sendable {
  /// The attributes of an event, in the order in which a row is read.
  enum Attribute: String, CaseIterable {
    case id, eventType, entityID, userID, status, createdAt, lastAttemptAt, attemptCount
    case maxAttempts, errorMessage, completedAt, metadata, priority, isNewRecord
  }

  /// A column that isn't part of an event, with its value in a new row.
  struct Extra: Hashable, Sendable {
    let column: String
    let attribute: String

    /// The default; `nil` if a row must have a value and the model has no default.
    let value: Value?
  }

  /// The name of the entity in every version of both apps.
  package static let entity = "SDOutboxEvent"

  /// The table's quoted name, with its schema.
  let table: String

  /// The sequence of the rows' keys.
  let keys: KeySequence

  /// The entity's number.
  let entityNumber: Int64

  /// The quoted names of the columns, by attribute.
  private let columns: [Attribute: String]

  /// The columns that aren't part of an event.
  let extras: [Extra]

  /// Finds the outbox of a store.
  ///
  /// - Parameters:
  ///   - store: The description of the store.
  ///   - schema: The name under which the store is attached.
  /// - Throws: ``OutboxError/noOutbox(_:)`` if an attribute of an event has no column: Lume up to
  ///   V6, FitIQ up to V2, other apps.
  package init(_ store: StoreDescription, schema: String = "main") throws(OutboxError) {
    guard let model = store.cachedModel else { throw .noOutbox("it contains no model") }
    let layout = store.layout(of: model)
    guard let entity = model[Self.entity], let table = layout.table(of: Self.entity),
      let number = layout.numbering.number(of: Self.entity)
    else { throw .noOutbox("its model has no entity '\(Self.entity)'") }
    var columns: [Attribute: String] = [:]
    for attribute in Attribute.allCases {
      guard let column = table.attributeColumn(attribute.rawValue, of: Self.entity) else {
        throw .noOutbox("'\(Self.entity)' has no attribute '\(attribute.rawValue)'")
      }
      columns[attribute] = quoteIdentifier(column)
    }
    self.columns = columns
    self.table = qualified(table.name, in: schema)
    keys = KeySequence(of: Int64(number), table: table.name, schema: schema)
    entityNumber = Int64(number)
    extras = Self.extras(of: entity, in: table)
  }

  private static func extras(of entity: Entity, in table: Table) -> [Extra] {
    table.columns.compactMap { column in
      switch column.content {
      case .primaryKey, .entityNumber, .optimisticLock: return nil
      case .attribute(_, let path, _):
        guard let name = path.first, Attribute(rawValue: name) == nil,
          let attribute = entity.attributes.first(where: { $0.name == name }),
          let leaf = attribute.leaves.first(where: { $0.path == path })?.attribute
        else { return nil }
        let value = attribute.storedDefault(of: leaf)
        return Extra(
          column: quoteIdentifier(column.name), attribute: name,
          value: value ?? (attribute.isOptional ? .null : nil))
      default: return nil
      }
    }
  }

  /// Returns the quoted column name of an attribute.
  subscript(attribute: Attribute) -> String { columns[attribute] ?? "NULL" }

  /// The columns in the order in which a row is read.
  var columnList: String {
    (["Z_PK"] + Attribute.allCases.map { self[$0] }).joined(separator: ", ")
  }
}
