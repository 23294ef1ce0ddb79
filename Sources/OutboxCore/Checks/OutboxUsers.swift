import OutboxFormat
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
      let layout = StoreLayout(model, joinTableNames: store.tableNames)
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

  /// Returns whether the store names a user, in either case of letters; or names no user at all.
  package func canBe(
    _ userID: String, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Bool {
    let id = UUID(uuidString: userID)
    var namesOthers = false
    for column in columns {
      let from = "SELECT 1 FROM \(column.table) WHERE \(column.name)"
      let values: [Value] =
        column.isUUID
        ? [id.map { .blob($0.bytes) } ?? .null] : [.text(userID), .text(id?.uuidString ?? userID)]
      let places = values.map { _ in "?" }.joined(separator: ", ")
      if try connection.value("\(from) IN (\(places)) LIMIT 1", values) != nil { return true }
      if try connection.value("\(from) IS NOT NULL LIMIT 1") != nil { namesOthers = true }
    }
    return !namesOthers
  }
}
