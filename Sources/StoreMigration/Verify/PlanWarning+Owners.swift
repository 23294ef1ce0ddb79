import Migrations
import OutboxCore
import SQLite
import StoreFormat
import StoreModel

extension PlanWarning {
  /// Returns the warning about open outbox rows whose owner is no profile's.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - connection: A connection to the store.
  /// - Returns: The warning; `nil` if there is no such row, no outbox or no profile.
  /// - Throws: An error of SQLite if the outbox or the profiles can't be read.
  /// - Complexity: O(*n* log *n*) in the number of rows.
  static func unknownOwners(
    of store: StoreDescription, _ connection: borrowing Connection
  ) throws -> PlanWarning? {
    guard let model = store.cachedModel else { return nil }
    let (layout, entity) = (store.layout(of: model), "SDOutboxEvent")
    guard let table = layout.table(of: entity),
      let owner = table.attributeColumn("userID", of: entity).map(quoteIdentifier),
      let status = table.attributeColumn("status", of: entity).map(quoteIdentifier)
    else { return nil }
    let profiles = try OwnerOption.profiles(
      model: model, layout: layout, connection, schema: "main")
    guard !profiles.isEmpty, profiles.count < OwnerOption.limit else { return nil }
    var query = try connection.prepare(
      """
      SELECT \(owner), count(*) FROM \(quoteIdentifier(table.name))
      WHERE \(status) IS NOT '\(OutboxEventStatus.completed.rawValue)' GROUP BY 1
      """)
    var rows: Int64 = 0
    while try query.step() {
      let name = query.string(at: 0).map(OwnerOption.canonical)
      if name.map(profiles.contains) != true { rows += query.int64(at: 1) }
    }
    guard rows > 0 else { return nil }
    return PlanWarning(
      code: "unknown-user", rows: rows,
      message: "these rows of the outbox name a user who has no profile in the store")
  }
}
