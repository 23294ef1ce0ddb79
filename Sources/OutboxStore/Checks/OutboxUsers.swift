package import OutboxCore
package import SQLite
package import StoreFormat
import StoreModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The users that a store names: owners of outbox events, and profiles.
package struct OutboxUsers: Sendable {
  /// A column that names users, and whether it has UUIDs as 16 bytes.
  private struct Column {
    let table: String
    let name: String
    let isUUID: Bool
  }

  private let columns: [Column]

  /// Finds the columns that name users.
  package init(_ store: StoreDescription) throws(OutboxError) {
    let outbox = try OutboxTable(store)
    var columns = [Column(table: outbox.table, name: outbox[.userID], isUUID: false)]
    if let model = store.cachedModel {
      let layout = store.layout(of: model)
      for entity in model.entities where entity.name.hasPrefix("SDUserProfile") {
        for attribute in entity.attributes
        where ["userId", "userID", "id"].contains(attribute.name) {
          guard let table = layout.table(of: entity.name),
            let name = table.attributeColumn(attribute.name, of: entity.name)
          else { continue }
          columns.append(
            Column(
              table: quoteIdentifier(table.name), name: quoteIdentifier(name),
              isUUID: attribute.type == .uuid))
        }
      }
    }
    self.columns = columns
  }

  /// Returns a user's id as the outbox spells it; `nil` if the store names only other users.
  ///
  /// The case of letters doesn't matter in a UUID. If the outbox has no event of the user, or the
  /// store names no user at all, a UUID is in upper case, as the apps write it.
  ///
  /// - Complexity: O(*n*) in the number of rows.
  package func spelling(
    of userID: String, _ connection: borrowing Connection
  ) throws(SQLiteError) -> String? {
    let id = UUID(uuidString: userID)
    if let found = try outboxSpelling(of: userID, isUUID: id != nil, connection) { return found }
    var namesOthers = false
    for column in columns {
      let from = "SELECT 1 FROM \(column.table) WHERE \(column.name)"
      let value: Value =
        column.isUUID ? id.map { .blob($0.bytes) } ?? .null : .text(id?.uuidString ?? userID)
      let isSame = column.isUUID || id == nil ? "= ?" : "= ? COLLATE NOCASE"
      if try connection.value("\(from) \(isSame) LIMIT 1", [value]) != nil {
        return id?.uuidString ?? userID
      }
      if try connection.value("\(from) IS NOT NULL LIMIT 1") != nil { namesOthers = true }
    }
    return namesOthers ? nil : id?.uuidString ?? userID
  }

  /// Returns the text itself if an event has it, otherwise an equal UUID in other letters.
  private func outboxSpelling(
    of userID: String, isUUID: Bool, _ connection: borrowing Connection
  ) throws(SQLiteError) -> String? {
    guard let column = columns.first else { return nil }
    for collation in isUUID ? ["BINARY", "NOCASE"] : ["BINARY"] {
      let found = try connection.value(
        """
        SELECT \(column.name) FROM \(column.table)
        WHERE \(column.name) = ? COLLATE \(collation) LIMIT 1
        """, [.text(userID)])
      if let found { return found.string }
    }
    return nil
  }
}
